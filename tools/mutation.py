"""Change the rules and the solver in small ways, and count the changes that the tests notice.

    python tools/mutation.py [module ...]

Each module has the tests that should notice. The program works on copies of the repository, two at
a time, and prints the share of mutants that a test killed and every mutant that survived.
"""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
COPIES = 2
TIMEOUT_SECONDS = 60
COPIED = ("src", "tests", "tools", "docs", "examples", "pyproject.toml")
GAMES = (
    "capture_and_conquer",
    "galaxy_conquest",
    "island_conquest",
    "token_tactics",
    "tower_defense_duel",
)
TESTS = {
    **{f"src/duelbook/games/{name}.py": (f"tests/games/test_{name}.py",) for name in GAMES},
    "src/duelbook/play/match.py": ("tests/play", "tests/core"),
    "src/duelbook/solver/values/scoring.py": ("tests/solver/test_solver.py",),
}
# Of the ten replacements of one arithmetic operator, two are enough.
EXCLUDED = r"core/ReplaceBinaryOperator_\w+_(RShift|LShift|Pow|Mod|Div|BitXor|BitOr|BitAnd)$"
SETTINGS = """
[cosmic-ray]
module-path = "{module}"
timeout = {timeout}
excluded-modules = []
test-command = "{command}"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = ['{excluded}']
"""
SURVIVED = """
SELECT operator_name, start_pos_row, diff FROM mutation_specs
JOIN work_results USING (job_id) WHERE test_outcome = 'SURVIVED' ORDER BY start_pos_row
"""
COUNTED = "SELECT count(*) FROM work_results WHERE worker_outcome = 'NORMAL'"


def mutate(module: str) -> tuple[int, list[tuple[str, int, str]]]:
    """Return the number of mutants of a module, and those that survived."""
    with tempfile.TemporaryDirectory(prefix="duelbook-mutation-") as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / name)
        tests = " ".join(TESTS[module])
        command = f"{BIN / 'pytest'} -x -q -p no:cacheprovider -m 'not slow' {tests}"
        settings = SETTINGS.format(
            module=module, timeout=TIMEOUT_SECONDS, command=command, excluded=EXCLUDED
        )
        (copy / "mutation.toml").write_text(settings)
        environment = {
            **os.environ,
            "PYTHONPATH": str(copy / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "CI": "",
        }
        for step in (
            ("cosmic-ray", "init", "mutation.toml", "mutation.sqlite"),
            ("cr-filter-operators", "mutation.sqlite", "mutation.toml"),
            ("cosmic-ray", "baseline", "mutation.toml"),
            ("cosmic-ray", "exec", "mutation.toml", "mutation.sqlite"),
        ):
            program = [str(BIN / step[0]), *step[1:]]
            subprocess.run(program, cwd=copy, env=environment, check=True)  # noqa: S603 # our own
        with sqlite3.connect(copy / "mutation.sqlite") as session:
            (count,) = session.execute(COUNTED).fetchone()
            return count, session.execute(SURVIVED).fetchall()


def main(modules: list[str]) -> int:
    """Print the score of each module, and the mutants that survived."""
    total = killed = 0
    with ThreadPoolExecutor(COPIES) as pool:
        for module, (count, survivors) in zip(modules, pool.map(mutate, modules), strict=True):
            total, killed = total + count, killed + count - len(survivors)
            sys.stdout.write(f"{module}: {count - len(survivors)} of {count} killed\n")
            for operator, row, diff in survivors:
                changed = [line for line in diff.splitlines() if line[:1] in "+-"][2:]
                sys.stdout.write(f"  line {row}, {operator}\n")
                sys.stdout.write("".join(f"    {line}\n" for line in changed))
            sys.stdout.flush()
    sys.stdout.write(f"{killed} of {total} mutants killed: {100 * killed / (total or 1):.1f} %\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or list(TESTS)))
