"""Audits of folders with correct, faulty and hostile games of other authors."""

from __future__ import annotations

import csv
import json
import signal
import subprocess
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from duelbook.audit import audit_run as runs
from duelbook.audit import reports
from duelbook.audit.audit_record import AuditLimits, AuditRecord
from duelbook.audit.sandbox.isolation import Source, examine
from gym_files import race
from paths import TESTS
from servers import DUELBOOK
from short_games import EXAMPLES, write_short

pytestmark = pytest.mark.integration

LIMITS = AuditLimits(time=10, memory=700, positions=2_000)
OPTIONS = ["--time", "10", "--memory", "700", "--positions", "2000", "--jobs", "2"]
SPIN = "\n        while True: pass"
FILES = {
    "right": race(),
    "right_draw": race(prize="0"),
    "too_large": race(goal="3000"),
    "wrong_sign": race(prize="-1"),
    "wrong_stuck": race(valid="return [1] if self.total[0] < 6 else []"),
    "wrong_endless": race(added="self.total[0] %= 5"),
    "wrong_accepts": race(invalid="pass"),
    "wrong_changes": race(invalid="self.total[0] = 0; return None, -1, False, False, {}"),
    "wrong_raises": race(invalid="raise ValueError('no')"),
    "wrong_turns": race(switch="pass"),
    "wrong_step": race(added="if self.total[0] == 4: raise KeyError('four')"),
    "bad_import_loop": "import time\nwhile True:\n    time.sleep(1)\n",
    "bad_step_loop": race(added=f"if self.total[0] > 3:{SPIN.replace('  while', '      while')}"),
    "bad_memory": race(added="self.hoard = [0] * 10 ** 9"),
    "bad_memory_at_import": "x = 'x' * 10 ** 10\n",
    "bad_prints": "import os\nfor _ in range(300): os.write(1, b'x' * 10_000)\n" + race(),
    "bad_exit": "import sys\nsys.exit(3)\n",
    "bad_hard_exit": "import os\nos._exit(0)\n",
    "bad_hard_exit_in_step": race(top="import os", added="os._exit(4)"),
    "bad_crash": "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n",
    "bad_syntax": "x = (\n",
    "bad_nothing": "x = 1\n",
    "bad_two": race(name="A") + race(name="B"),
    "bad_recursion": race(added="(f := lambda: f())()"),
    "bad_reset": race(reset="raise ValueError('no board')"),
    "bad_reads": race(reset="input()"),
    "bad_import": "import no_such_module\n",
}  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("games")
    for name, source in FILES.items():
        (folder / f"{name}.py").write_text(source)
    return folder


@pytest.fixture(scope="module")
def state(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("state") / "all.jsonl"


@pytest.fixture(scope="module")
def records(folder: Path, state: Path) -> dict[str, AuditRecord]:
    """Return the records of one audit of all files."""
    files = runs.files_in([folder])
    rows = runs.audit(files, LIMITS, state=lambda _: state, work=runs.examine_locally(2))
    assert [row.file for row in rows] == [str(folder / f"{name}.py") for name in sorted(FILES)]
    return {Path(row.file).stem: row.record for row in rows}


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("right", {"outcome": "examined", "kind": "gym-style", "positions": 14, "ends": True}),
        ("right", {"stuck": 0, "draws": 0, "turns": "alternate", "invalid": "refuses it"}),
        ("right", {"winner": "Player 1", "plies": 5, "longest": 7, "breaches": (), "notes": ()}),
        ("right_draw", {"draws": 2, "stuck": 0, "winner": "nobody", "breaches": ()}),
        ("too_large", {"outcome": "too large", "positions": 2000, "complete": False}),
        ("wrong_sign", {"notes": ("Every decisive game ends with a negative reward.",)}),
        ("wrong_sign", {"winner": "Player 2"}),
        ("wrong_stuck", {"stuck": 1, "stuck_witness": ("move 1",) * 3, "draws": 0}),
        ("wrong_endless", {"ends": False, "winner": "nobody", "longest": None}),
        ("wrong_accepts", {"invalid": "accepts it"}),
        ("wrong_changes", {"invalid": "changes the state"}),
        ("wrong_raises", {"invalid": "raises"}),
        ("wrong_turns", {"turns": "never change", "notes": ("Player 1 makes every move.",)}),
        ("bad_prints", {"outcome": "examined", "printed": 3_000_000}),
        ("bad_import_loop", {"reason": "It takes more than 10 s, and is stopped while loading."}),
        ("bad_import_loop", {"outcome": "out of time", "kind": ""}),
        ("bad_step_loop", {"outcome": "out of time"}),
        ("bad_memory", {"outcome": "out of memory", "reason": "It needs more than 700 MiB."}),
        ("bad_memory_at_import", {"outcome": "out of memory"}),
        ("bad_exit", {"outcome": "does not load"}),
        ("bad_hard_exit", {"reason": "It ends the program (code 0) while loading."}),
        ("bad_hard_exit_in_step", {"outcome": "ends the program"}),
        ("bad_crash", {"outcome": "crashes", "reason": "It crashes (SIGSEGV) while loading."}),
    ],
)  # fmt: skip
def test_the_record_of_each_file_is_right(
    name: str, fields: dict[str, object], records: dict[str, AuditRecord]
) -> None:
    assert {key: getattr(records[name], key) for key in fields} == fields, records[name]


@pytest.mark.parametrize(
    ("name", "outcome", "reason"),
    [
        ("bad_syntax", "does not load", "bad_syntax.py cannot be loaded: line 1: '(' was never"),
        ("bad_nothing", "does not load", "There is no game in bad_nothing.py"),
        ("bad_two", "does not load", "more than one game in bad_two.py: A, B"),
        ("bad_reset", "does not load", "raises ValueError: no board"),
        ("bad_reads", "does not load", "raises EOFError"),
        ("bad_import", "does not load", "No module named 'no_such_module'"),
        ("bad_recursion", "breaks", "raises RecursionError"),
        ("wrong_step", "breaks", "raises KeyError: 'four'"),
    ],
)
def test_the_reason_of_a_fault_is_reported(
    name: str, outcome: str, reason: str, records: dict[str, AuditRecord]
) -> None:
    assert records[name].outcome == outcome
    assert reason in records[name].reason
    assert "\n" not in records[name].reason


def test_games_from_rules_are_audited() -> None:
    broken = TESTS / "broken" / "stuck.py"
    record = examine(Source.read(broken), LIMITS)
    assert (record.kind, record.stuck) == ("rules", 2)
    assert [breach["kind"] for breach in record.breaches] == ["stuck"]


def test_games_with_chance_scores_and_private_cards_are_audited() -> None:
    record = examine(Source.read(EXAMPLES / "kuhn_poker.py"), LIMITS)
    assert (record.outcome, record.positions, record.turns) == ("examined", 58, "alternate")
    assert record.winner == "mixed (-0.056 to Player 1)"
    assert record.breaches == ()


def test_the_value_of_a_game_with_chance_is_not_called_mixed(tmp_path: Path) -> None:
    record = examine(Source.read(write_short("pig", tmp_path)), replace(LIMITS, time=300))
    assert record.winner == "value +0.446 to Player 1"


def test_a_ruling_of_a_game_from_rules_is_not_called_a_negative_reward(tmp_path: Path) -> None:
    rules = (EXAMPLES / "nim.py").read_text()
    ruling = '    def ruling(self) -> str:\n        return "N1" if not any(self.heaps) else ""\n\n'
    file = tmp_path / "nim.py"
    file.write_text(rules.replace("    def winner(", f"{ruling}    def winner("))
    record = examine(Source.read(file), LIMITS)
    assert (record.outcome, record.kind, record.notes) == ("examined", "rules", ())


# Resuming ---------------------------------------------------------------------------------------


def without_time(text: str) -> list[dict[str, Any]]:
    rows: list[dict[str, Any]] = json.loads(text)["files"]
    return [{key: value for key, value in row.items() if key != "seconds"} for row in rows]


@pytest.fixture
def few(tmp_path: Path) -> Path:
    few = tmp_path / "few"
    few.mkdir()
    names = ["bad_hard_exit", "bad_nothing", "right", "right_draw", "wrong_endless", "wrong_sign"]
    for name in names:
        (few / f"{name}.py").write_text(FILES[name])
    (few / "zz_slow.py").write_text(FILES["bad_import_loop"])
    return few


@pytest.mark.slow
def test_a_killed_audit_resumes(few: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed process removes nothing
    through, state = tmp_path / "through.json", tmp_path / "state.jsonl"
    command = [DUELBOOK, "audit", "few", *OPTIONS, "--time", "3", "--state", str(state)]
    clean = [*command, "--state", "other.jsonl", "--json", str(through)]
    subprocess.run(clean, check=True, capture_output=True)  # noqa: S603 # our own program
    killed = subprocess.Popen(command, stdout=subprocess.DEVNULL)  # noqa: S603 # our own program
    while not state.exists() or state.read_text().count("\n") < 2:
        assert killed.poll() is None
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    with state.open("a") as lines:
        lines.write('{"key": "cut o')
    stored = [json.loads(line) for line in state.read_text().splitlines()[:2]]
    again = tmp_path / "again.json"
    subprocess.run([*command, "--json", str(again)], check=True, capture_output=True)  # noqa: S603 # our own program
    assert without_time(again.read_text()) == without_time(through.read_text())
    seconds = [file["seconds"] for file in json.loads(again.read_text())["files"]]
    assert all(entry["record"]["seconds"] in seconds for entry in stored)


def test_nothing_is_examined_twice_until_it_changes(few: Path, tmp_path: Path) -> None:
    examined: list[str] = []
    state = partial(runs.state_file, cache=tmp_path / "cache")

    def work(sources: list[Source], limits: AuditLimits) -> runs.Examined:
        examined.extend(source.name for source in sources)
        yield from ((source, AuditRecord("examined")) for source in sources)

    files = runs.files_in([few])
    runs.audit(files, LIMITS, state=state, work=work)
    assert examined == [file.name for file in files]
    examined.clear()
    runs.audit(files, LIMITS, state=state, work=work)
    assert examined == []
    files[0].write_text("x = 2\n")
    files[1].with_suffix(".moves.txt").write_text("a\nb\n")
    runs.audit(files, LIMITS, state=state, work=work)
    assert examined == [files[0].name, files[1].name]
    examined.clear()
    runs.audit(files, AuditLimits(), state=state, work=work)
    assert len(examined) == len(files)


# Reports ----------------------------------------------------------------------------------------


class Rows(HTMLParser):
    """Counts the rows of a page, and collects its external resources."""

    def __init__(self) -> None:
        super().__init__()
        self.rows = 0
        self.elsewhere: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.rows += tag == "tr"
        self.elsewhere += [name for name, _ in attrs if name in ("src", "href")]


def test_tables_are_well_formed(
    records: dict[str, AuditRecord], folder: Path, state: Path, run: Run
) -> None:
    done = run("audit", str(folder), *OPTIONS, "--state", str(state), "--json", "a.json",
               "--csv", "a.csv", "--html", "a.html")  # fmt: skip
    assert done.exit_code == 0
    assert f"{len(FILES)} files: " in done.stdout
    data = json.loads(Path("a.json").read_text())
    assert len(data["files"]) == len(FILES)
    limits = {"time": 10, "memory": 700, "positions": 2000, "processes": 64, "disk": 64}
    assert data["limits"] == limits
    with Path("a.csv").open(newline="") as lines:
        listed = list(csv.DictReader(lines))
    assert [row["file"] for row in listed] == [row["file"] for row in data["files"]]
    page = Rows()
    page.feed(Path("a.html").read_text())
    assert page.rows == len(FILES) + 1
    assert page.elsewhere == []


def test_a_page_shows_no_markup_of_a_file() -> None:
    row = runs.AuditRow("<b>.py", AuditRecord("breaks", "<script>alert(1)</script>"))
    text = reports.as_html([row], LIMITS)
    assert "<script>alert" not in text
    assert "<b>.py" not in text


def test_a_missing_folder_is_reported(run: Run) -> None:
    done = run("audit", "nowhere")
    assert done.exit_code == 2
    assert "There is no folder nowhere." in done.stderr


@pytest.mark.slow
def test_a_cluster_returns_the_same_records(few: Path, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'duelbook[cluster]'")
    files = runs.files_in([few])
    limits = AuditLimits(time=8, memory=700, positions=2_000)

    def rows(state: str, work: Callable[..., runs.Examined]) -> list[dict[str, Any]]:
        audited = runs.audit(files, limits, state=lambda _: tmp_path / state, work=work)
        return without_time(reports.as_json(audited, limits))

    with ThreadPoolExecutor(1) as executor:  # both audits mostly wait for the slow file
        local = executor.submit(rows, "local", runs.examine_locally(2))
        assert rows("ray", runs.examine_on_ray("local")) == local.result()


def test_an_audit_without_ray_reports_what_is_missing(
    run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    Path("empty").mkdir()
    done = run("audit", "empty", "--ray", "auto")
    assert "This needs ray, which is not installed" in done.stderr
