"""Change the rules and the solver in small ways, and count the changes that the tests notice.

    python tools/mutation.py [--mutants NUMBER] [module ...]

Each module has the tests that should notice. The program works on copies of the repository, two at
a time. For each module it prints the share of mutants that a test killed, and every mutant that
survived. A mutant that hangs counts as killed.

An hour is too short for all mutants, so the program draws a sample, always the same one; with
`--mutants 0` it tries them all. Type annotations are not changed. Mutants that no test can kill are
in `equivalent_mutants.json`, with the reason; they do not count.
"""

from __future__ import annotations

import argparse
import ast
import json
import os
import shlex
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from random import Random

ROOT = Path(__file__).parent.parent
BIN = Path(sys.executable).parent
COPIES = 2
SEED = 1
MUTANTS = 60
"""The size of the sample of each module, chosen so that two cores need less than an hour."""
MIN_TIMEOUT_SECONDS = 120
TIMEOUT_FACTOR = 5
"""Tests of a mutant hang if they take longer than this many runs without a change."""
COPIED = ("src", "tests", "tools", "docs", "examples", "pyproject.toml", "README.md")
EQUIVALENT = Path(__file__).with_name("equivalent_mutants.json")
GAMES = (
    "capture_and_conquer",
    "galaxy_conquest",
    "island_conquest",
    "token_tactics",
    "tower_defense_duel",
)
FINDINGS = "tests/docs/test_docs.py::test_the_findings_are_current"
Stages = tuple[tuple[str, ...], ...]
"""The tests of a module. Each stage is one run of pytest; tests that import little come first."""


def tests_of_game(name: str) -> Stages:
    """Return the tests of a game: rules, transcripts, texts, pictures, and every feature."""
    short_name = name.partition("_")[0]
    is_solved_at_once = name != "galaxy_conquest"
    return (
        (
            f"tests/games/test_{name}.py",
            "tests/games/test_first_games.py",
            "tests/core/test_listener.py",
            "tests/core/test_scenes.py",
            "tests/core/test_scene_svg.py",
            "tests/core/test_properties.py",
        ),
        (
            "tests/conformance/test_conformance.py::test_the_games_of_the_books_conform",
            "tests/play/test_entry_cases.py",
            *((f"{FINDINGS}[{short_name}]",) if is_solved_at_once else ()),
            "tests/games/test_every_game.py",
        ),
    )


TESTS: dict[str, Stages] = {
    **{f"src/duelbook/games/{name}.py": tests_of_game(name) for name in GAMES},
    "src/duelbook/play/match.py": (
        ("tests/play", "tests/core"),
        ("tests/web/games/test_room.py", "tests/terminal"),
    ),
    "src/duelbook/solver/values/scoring.py": (
        ("tests/solver/test_endless_play.py", "tests/analysis/test_hints.py"),
        ("tests/solver/test_solver.py", "tests/solver/test_random_games.py"),
    ),
}
# Of the ten replacements of one arithmetic operator, two are enough.
EXCLUDED = r"core/ReplaceBinaryOperator_\w+_(RShift|LShift|Pow|Mod|Div|BitXor|BitOr|BitAnd)$"
SETTINGS = """
[cosmic-ray]
module-path = "{module}"
timeout = {timeout}
excluded-modules = []
test-command = "sh tests.sh"
[cosmic-ray.distributor]
name = "local"
[cosmic-ray.filters.operators-filter]
exclude-operators = ['{excluded}']
"""
REMAINING = """
SELECT job_id, start_pos_row, start_pos_col FROM mutation_specs
WHERE job_id NOT IN (SELECT job_id FROM work_results)
ORDER BY start_pos_row, start_pos_col, operator_name, occurrence
"""
SKIP = "INSERT INTO work_results (worker_outcome, output, job_id) VALUES ('SKIPPED', ?, ?)"
SURVIVED = """
SELECT operator_name, start_pos_row, diff FROM mutation_specs
JOIN work_results USING (job_id) WHERE test_outcome = 'SURVIVED' ORDER BY start_pos_row
"""
COUNTED = "SELECT count(*) FROM work_results WHERE worker_outcome = 'NORMAL'"


@dataclass(frozen=True)
class Mutant:
    """A mutant that survived: the lines before and after the change."""

    row: int
    operator: str
    before: str
    after: str


@dataclass(frozen=True)
class Score:
    """The mutants of a module: how many exist, how many were tried, and those that survived."""

    existing: int
    tried: int
    survivors: list[Mutant]


def tests_command(module: str) -> str:
    """Return the shell commands that run the tests of a module; the first failure ends them."""
    others = [name for name in GAMES if name != Path(module).stem]
    options = "-x -q -p no:cacheprovider --fastest-first -m 'not slow'"
    if len(others) < len(GAMES):  # skip the cases of the other games
        slugs = [name.replace("_", "-") for name in others]
        options += f" -k 'not ({' or '.join([*others, *slugs])})'"
    pytest = shlex.quote(str(BIN / "pytest"))
    runs = [f"{pytest} {options} {shlex.join(stage)}" for stage in TESTS[module]]
    return " &&\n".join(runs) + "\n"


Place = tuple[int, int]


def annotation_places(source: str) -> list[tuple[Place, Place]]:
    """Return the start and the end of each type annotation, as rows and columns."""
    nodes: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.arg | ast.AnnAssign):
            nodes.append(node.annotation)
        elif isinstance(node, ast.FunctionDef):
            nodes.append(node.returns)
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0))
        for node in nodes
        if node
    ]


def choose(session: sqlite3.Connection, source: str, size: int) -> int:
    """Skip the mutants of annotations and those outside the sample; return the number of others."""
    typed = annotation_places(source)
    jobs: list[str] = []
    for job, row, column in session.execute(REMAINING).fetchall():
        if any(start <= (row, column) < end for start, end in typed):
            session.execute(SKIP, ("a type annotation", job))
        else:
            jobs.append(job)
    sample = Random(SEED).sample(jobs, size) if 0 < size < len(jobs) else jobs
    outside = sorted({*jobs} - {*sample})
    session.executemany(SKIP, [("not in the sample", job) for job in outside])
    return len(jobs)


def mutate(module: str, size: int) -> Score:
    """Try mutants of a module."""
    with tempfile.TemporaryDirectory(prefix="duelbook-mutation-") as folder:
        copy = Path(folder)
        for name in COPIED:
            source = ROOT / name
            if source.is_dir():
                shutil.copytree(source, copy / name, ignore=shutil.ignore_patterns("__pycache__"))
            else:
                shutil.copy(source, copy / name)
        (copy / "tests.sh").write_text(tests_command(module))
        environment = {
            **os.environ,
            "PYTHONPATH": str(copy / "src"),
            "PYTHONDONTWRITEBYTECODE": "1",
            "HYPOTHESIS_PROFILE": "mutation",
            "CI": "",
        }

        def write_settings(timeout_seconds: float) -> None:
            text = SETTINGS.format(module=module, timeout=timeout_seconds, excluded=EXCLUDED)
            (copy / "mutation.toml").write_text(text)

        def run(program: str, *arguments: str) -> None:
            command = [str(BIN / program), *arguments]
            subprocess.run(command, cwd=copy, env=environment, check=True)  # noqa: S603 # our own

        write_settings(3600)
        run("cosmic-ray", "init", "mutation.toml", "mutation.sqlite")
        run("cr-filter-operators", "mutation.sqlite", "mutation.toml")
        with sqlite3.connect(copy / "mutation.sqlite") as session:
            existing = choose(session, (copy / module).read_text(), size)
        started = time.monotonic()
        run("cosmic-ray", "baseline", "mutation.toml")
        write_settings(max(MIN_TIMEOUT_SECONDS, TIMEOUT_FACTOR * (time.monotonic() - started)))
        run("cosmic-ray", "exec", "mutation.toml", "mutation.sqlite")
        with sqlite3.connect(copy / "mutation.sqlite") as session:
            (tried,) = session.execute(COUNTED).fetchone()
            rows = session.execute(SURVIVED).fetchall()
        return Score(existing, tried, [mutant(*row) for row in rows])


def mutant(operator: str, row: int, diff: str) -> Mutant:
    """Return a mutant from a row of the database."""
    names = ("---", "+++")  # of the files
    lines = [line for line in diff.splitlines() if not line.startswith(names)]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line[:1] == sign) for sign in "-+"
    )
    return Mutant(row, operator.removeprefix("core/"), before, after)


def main(modules: list[str], size: int) -> int:
    """Print the score of each module, and the mutants that survived."""
    reasons = {
        (entry["module"], entry["before"], entry["after"]): entry["reason"]
        for entry in json.loads(EQUIVALENT.read_text())
    }
    total = killed = 0
    with ThreadPoolExecutor(COPIES) as pool:
        scores = pool.map(lambda module: mutate(module, size), modules)
        for module, score in zip(modules, scores, strict=True):
            survivors = [
                mutant
                for mutant in score.survivors
                if (module, mutant.before, mutant.after) not in reasons
            ]
            equivalent = len(score.survivors) - len(survivors)
            count = score.tried - equivalent
            total, killed = total + count, killed + count - len(survivors)
            sample = f", a sample of {score.existing}" if score.tried < score.existing else ""
            sys.stdout.write(
                f"{module}: {count - len(survivors)} of {count} killed{sample};"
                f" {equivalent} equivalent\n"
            )
            for survivor in survivors:
                sys.stdout.write(f"  line {survivor.row}, {survivor.operator}\n")
                sys.stdout.write(f"    - {survivor.before}\n    + {survivor.after}\n")
            sys.stdout.flush()
    sys.stdout.write(f"{killed} of {total} mutants killed: {100 * killed / (total or 1):.1f} %\n")
    return 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Count the small changes that the tests notice.")
    parser.add_argument("modules", nargs="*", default=list(TESTS), metavar="module")
    parser.add_argument("--mutants", type=int, default=MUTANTS, help="per module; 0 for all")
    options = parser.parse_args()
    sys.exit(main(options.modules, options.mutants))
