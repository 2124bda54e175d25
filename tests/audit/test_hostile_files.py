"""Files that attack the audit: their results, processes, files and texts."""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict
from pathlib import Path
from uuid import uuid4

import pytest
from conftest import Run, Terminal

from duelbook.audit import audit_run as runs
from duelbook.audit.audit_record import AuditLimits, AuditRecord
from duelbook.audit.sandbox import examiner_results, supervisor
from duelbook.audit.sandbox.isolation import Source, examine
from duelbook.audit.sandbox.supervisor import ProcessReport
from gym_files import race
from servers import wait_until

pytestmark = pytest.mark.integration

LIMITS = AuditLimits(time=20, memory=700, positions=2_000)
on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows all processes")
with_and_without = pytest.mark.parametrize("namespaces", [True, False])


def examined(
    tmp_path: Path, text: str, limits: AuditLimits = LIMITS, *, namespaces: bool = True
) -> AuditRecord:
    """Return the record of a file with this text."""
    file = tmp_path / "file.py"
    file.write_text(text)
    return examine(Source.read(file), limits, namespaces=namespaces)


# Results that a file sends ------------------------------------------------------------------------


def record_of(content: bytes, reason: str = supervisor.SELF_ENDED, code: int = 0) -> AuditRecord:
    report = ProcessReport(reason, code, content, printed=0, namespaces=True)
    return AuditRecord(**examiner_results.record_fields(report, LIMITS))


RIGHT = b'{"stage": "loading"}\n{"outcome": "examined", "positions": 3}\n'
END = b'{"stage": "done"}\n'


@pytest.mark.parametrize(
    ("line", "wrong"),
    [
        (b"5", "it is not an object"),
        (b"null", "it is not an object"),
        (b'["outcome"]', "it is not an object"),
        (b"", "it is not JSON"),
        (b"examined", "it is not JSON"),
        (b"\xff\xfe\x00", "it is not JSON"),
        (b'{"outcome": "examined"} {}', "it is not JSON"),
        (b"[" * 100_000, "it is nested too deeply"),
        (b'{"notes": ' * 50_000, "it is nested too deeply"),
        (b'{"branching": NaN}', "NaN is not a number"),
        (b'{"branching": -Infinity}', "-Infinity is not a number"),
        (b'{"branching": 1e999}', "its field branching is not valid"),
        (b'{"seconds": 1' + b"0" * 400 + b"}", "its field seconds is not valid"),
        (b'{"positions": 1' + b"0" * 400 + b"}", "its field positions is not valid"),
        (b'{"positions": -1}', "its field positions is not valid"),
        (b'{"positions": true}', "its field positions is not valid"),
        (b'{"positions": "3"}', "its field positions is not valid"),
        (b'{"ends": 0}', "its field ends is not valid"),
        (b'{"outcome": "excellent"}', "its field outcome is not valid"),
        (b'{"outcome": {}}', "its field outcome is not valid"),
        (b'{"reason": ["a"]}', "its field reason is not valid"),
        (b'{"stuck_witness": "abc"}', "its field stuck_witness is not valid"),
        (b'{"stuck_witness": [1]}', "its field stuck_witness is not valid"),
        (b'{"notes": [' + b'"a",' * 1_000 + b'"a"]}', "its field notes is not valid"),
        (b'{"breaches": [{"kind": "a"}]}', "its field breaches is not valid"),
        (b'{"breaches": [[]]}', "its field breaches is not valid"),
        (b'{"breaches": {"kind": 1}}', "its field breaches is not valid"),
        (b'{"stage": "asleep"}', "its stage is not valid"),
        (b'{"stage": ["done"]}', "its stage is not valid"),
        (b'{"file": "right.py", "outcome": "breaks"}', "it has an unknown field"),
    ],
)  # fmt: skip
def test_an_invalid_line_is_named_and_all_results_are_rejected(line: bytes, wrong: str) -> None:
    record = record_of(RIGHT + line + b"\n" + END)
    assert record.outcome == "invalid results"
    assert record.reason == f"It sends results of its own: line 3: {wrong}."
    assert record.positions is None


def test_lines_after_the_end_and_incomplete_lines_are_ignored() -> None:
    complete = record_of(RIGHT + END)
    assert (complete.outcome, complete.positions) == ("examined", 3)
    assert record_of(RIGHT + END + b'{"positions": 4}\n5\n') == complete
    broken_off = record_of(RIGHT + b'{"posit', supervisor.TIME_LIMIT, -9)
    assert (broken_off.outcome, broken_off.positions) == ("examined", 3)


def test_an_end_without_an_outcome_is_no_result() -> None:
    assert record_of(END).outcome == "ends the program"
    assert record_of(b"").outcome == "ends the program"


def test_a_signal_without_a_name_is_reported_by_number() -> None:
    assert record_of(RIGHT[:21], code=-40).reason == "It crashes (signal 40) while loading."


@pytest.mark.parametrize(
    ("content", "when"),
    [
        (b"", "before it loads"),
        (b'{"stage": "loading"}\n', "while loading"),
        (b'{"stage": "examining its positions"}\n', "while examining its positions"),
        (b'{"stage": "being checked"}\n', "while being checked"),
        (END, "without a result"),
    ],
)
def test_a_reason_says_how_far_the_file_came(content: bytes, when: str) -> None:
    assert record_of(content, code=-9).reason == f"It crashes (SIGKILL) {when}."
    assert record_of(content, code=3).reason == f"It ends the program (code 3) {when}."
    slow = record_of(content, supervisor.TIME_LIMIT, -9)
    assert slow.reason == f"It takes more than 20 s, and is stopped {when}."


def test_texts_are_short_and_in_one_line() -> None:
    fields = {
        "title": "\x1b[2J" + "x" * 1_000,
        "reason": "a\nright.py  examined\r\u2028\u202e\ud800",
    }
    record = record_of(json.dumps(fields).encode() + b"\n" + RIGHT + END)
    assert record.title.startswith(r"\x1b[2Jxxx")
    assert len(record.title) == 300
    assert record.reason == r"a\nright.py  examined\r\u2028\u202e\ud800"


SENDS = """
import os
def send(content):
    for number in range(256):
        try:
            os.write(number, content)
        except OSError:
            pass
"""
SENDERS = {
    "five": SENDS + r"send(b'5\n')" + race(),
    "huge": SENDS + r"for _ in range(300): send(b'[' * 10_000)" + race(),
    "done": SENDS + r"""send(b'{"outcome": "examined"}\n{"stage": "done"}\n')""" + race(),
    "closes": race(top="import os\nos.closerange(0, 256)"),
    "odd_signal": "import os\nos.kill(os.getpid(), 40)\n",
    "says": r"raise type('\x1b[31mE', (Exception,), {})('\x1b]0;title\x07\x9b2J\nright.py: fine')",
    "right": race(),
}


@pytest.fixture(scope="module")
def sent(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[str]]:
    """Return a folder of hostile files, and the options of its audit."""
    folder = tmp_path_factory.mktemp("senders")
    for name, text in SENDERS.items():
        (folder / f"{name}.py").write_text(text)
    (folder / "\x1b[2J\nright.py: fine.py").write_text("x = 1\n")
    state = tmp_path_factory.mktemp("state") / "state.jsonl"
    return folder, ["--positions", "2000", "--memory", "700", "--jobs", "2", "--state", str(state)]


@pytest.mark.parametrize(
    ("name", "outcome", "reason"),
    [
        ("five", "invalid results", "It sends results of its own: line 2: it is not an object."),
        ("huge", "invalid results", "It sends more than 1 MiB of results."),
        ("done", "examined", ""),
        ("closes", "ends the program", "It ends the program (code 120) while loading."),
        ("odd_signal", "crashes", "It crashes (signal 40) while loading."),
        ("right", "examined", ""),
    ],
)
def test_a_bad_file_does_not_stop_the_others(
    name: str, outcome: str, reason: str, sent: tuple[Path, list[str]], run: Run
) -> None:
    folder, options = sent
    done = run("audit", str(folder), *options, "--json", "all.json")
    assert done.exit_code == 0
    rows = {row["file"]: row for row in json.loads(Path("all.json").read_text())["files"]}
    row = rows[str(folder / f"{name}.py")]
    assert (row["outcome"], row["reason"]) == (outcome, reason)


def test_no_control_character_reaches_a_terminal_or_a_report(
    sent: tuple[Path, list[str]], run: Run
) -> None:
    folder, options = sent
    done = run("audit", str(folder), *options, "--json", "all.json", "--csv", "all.csv",
               "--html", "all.html")  # fmt: skip
    escaped = r"\x1b[31mE: \x1b]0;title\x07\x9b2J right.py: fine"
    for text in (done.stdout, *(Path(f"all.{kind}").read_text() for kind in ("csv", "html"))):
        assert escaped in text
        assert r"/\x1b[2J\nright.py: fine.py" in text
        assert {letter for letter in text if not letter.isprintable()} == {"\n"}
    assert Path("all.json").read_text().isascii()
    table, problems, summary = done.stdout.split("\n\n")
    lines = [*table.splitlines()[1:], *problems.splitlines()]
    assert len(table.splitlines()) == len(SENDERS) + 2
    assert all(line.startswith(f"{folder}/") for line in lines)
    assert summary.startswith(f"{len(SENDERS) + 1} files: ")


# Processes that a file starts ---------------------------------------------------------------------

STARTS = """
import subprocess, sys
sleep = [sys.executable, "-S", "-c", "import time; time.sleep(90)", "{mark}"]
subprocess.Popen(sleep)
subprocess.Popen(sleep, start_new_session=True, env={{}}, stdout=2)
again = f"import subprocess; subprocess.Popen({{sleep}}, start_new_session=True, env={{{{}}}})"
subprocess.run([sys.executable, "-S", "-c", again], start_new_session=True, env={{}}, check=True)
"""
"""Starts processes that end by themselves after a while: a child, a detached one without our
environment, and one whose parent has ended."""


def alive(mark: str) -> list[str]:
    """Return the numbers of the processes that have a mark in their command line."""
    pids = []
    for place in Path("/proc").glob("[0-9]*"):
        try:
            if mark.encode() in (place / "cmdline").read_bytes():
                pids.append(place.name)
        except OSError:  # it has ended
            continue
    return pids


@on_linux
@with_and_without
def test_processes_of_a_file_end_with_it(*, namespaces: bool, tmp_path: Path) -> None:
    mark = uuid4().hex
    record = examined(tmp_path, STARTS.format(mark=mark) + race(), namespaces=namespaces)
    assert record.outcome == "examined"  # it started all processes
    assert alive(mark) == []


@on_linux
@pytest.mark.parametrize("how", ["interrupted", "killed"])
def test_a_stopped_audit_leaves_no_processes(
    how: str, tmp_path: Path, terminal: Callable[..., Terminal], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))  # a killed process removes nothing
    mark = uuid4().hex
    folder = tmp_path / "games"
    folder.mkdir()
    (folder / f"{mark}.py").write_text(STARTS.format(mark=mark) + "import time; time.sleep(60)\n")
    audit = terminal("audit", "games")
    wait_until(lambda: len(alive(mark)) >= 4, lambda: f"{alive(mark)} {audit.child.before}")
    if how == "interrupted":
        audit.child.sendintr()
    else:
        audit.child.kill(signal.SIGKILL)
    audit.end()
    wait_until(lambda: not alive(mark), lambda: f"{alive(mark)} still run")


@on_linux
def test_a_file_that_audits_itself_leaves_no_processes(tmp_path: Path) -> None:
    mark = uuid4().hex
    file = tmp_path / f"{mark}.py"
    file.write_text(
        "import pathlib\n"
        "from duelbook.audit.sandbox.isolation import Source, examine\n"
        "from duelbook.audit.audit_record import AuditLimits\n"
        "examine(Source.read(pathlib.Path(__file__)), AuditLimits(time=30))\n"
    )
    with ThreadPoolExecutor(1) as at_once:
        record = at_once.submit(examine, Source.read(file), AuditLimits(time=3))
        wait_until(lambda: len(alive(mark)) > 1 or record.done(), lambda: str(alive(mark)))
        assert not record.done()
        # Each examiner starts another one: a fast machine reaches the limit of processes first.
        assert record.result().outcome in {"out of time", "too many processes"}
    assert alive(mark) == []


@on_linux
@with_and_without
def test_the_number_of_processes_is_limited(*, namespaces: bool, tmp_path: Path) -> None:
    mark = uuid4().hex
    sleep = f'[sys.executable, "-S", "-c", "import time; time.sleep(30)", "{mark}"]'
    text = f"import subprocess, sys, time\nfor _ in range(12): subprocess.Popen({sleep})\n"
    limits = AuditLimits(time=20, processes=8)
    record = examined(tmp_path, text + "time.sleep(20)", limits, namespaces=namespaces)
    if record.outcome == "does not load":  # the system refused; it refuses root nothing
        assert "BlockingIOError" in record.reason
    else:
        assert record.outcome == "too many processes"
        assert record.reason == "It starts more than 8 processes."
    assert alive(mark) == []


@on_linux
def test_the_memory_of_all_its_processes_is_limited(tmp_path: Path) -> None:
    text = (
        "import os, time\n"
        "for _ in range(3):\n"
        "    if not os.fork():\n"
        "        held = b'x' * (150 << 20)\n"
        "        break\n"
        "time.sleep(30)\n"
    )
    record = examined(tmp_path, text, AuditLimits(time=20, memory=400))
    assert (record.outcome, record.reason) == ("out of memory", "It needs more than 400 MiB.")


# Files that a file reads and writes ---------------------------------------------------------------


@with_and_without
def test_a_file_larger_than_the_limit_cannot_be_written(
    *, namespaces: bool, tmp_path: Path
) -> None:
    text = "with open('large', 'wb') as out: out.write(b'x' * (2 << 20))\n"
    record = examined(tmp_path, text, AuditLimits(disk=1), namespaces=namespaces)
    assert record.outcome == "does not load"
    assert "OSError: [Errno " in record.reason


@with_and_without
def test_neither_the_environment_nor_the_home_folder_is_passed_on(
    *, namespaces: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXAMPLE_API_KEY", "secret")
    text = (
        "import os, pathlib\n"
        "assert 'EXAMPLE_API_KEY' not in os.environ\n"
        f"assert str(pathlib.Path.home()) != {str(Path.home())!r}\n"
        "assert b'EXAMPLE_API_KEY' not in open('/proc/self/environ', 'rb').read()\n"
        "assert {*os.listdir()} - {'__pycache__'} == {'file.py'}\n"
    )
    assert examined(tmp_path, text + race(), namespaces=namespaces).outcome == "examined"


@on_linux
def test_in_namespaces_a_file_reaches_nothing_else(tmp_path: Path) -> None:
    text = (
        "import os, pathlib, socket\n"
        "def refused(attack, *arguments):\n"
        "    try:\n"
        "        attack(*arguments)\n"
        "    except OSError:\n"
        "        return True\n"
        f"assert refused(open, {str(tmp_path / 'mine')!r}, 'w')\n"
        f"assert refused(open, {str(Path(__file__))!r}, 'a')\n"
        f"assert refused(os.kill, {os.getpid()}, 0)\n"
        "os.kill(1, 9)  # the supervisor ignores it\n"
        "assert len([p for p in os.listdir('/proc') if p.isdigit()]) == 2\n"
        "assert refused(socket.create_connection, ('127.0.0.1', 9), 1)\n"
        "assert not os.path.exists('/dev/shm/mine')\n"
        "pathlib.Path('own').write_text('a file of its own')\n"
    )
    record = examined(tmp_path, text + race())
    if record.without_namespaces:
        pytest.skip("this system permits no namespaces")
    assert (record.outcome, record.reason) == ("examined", "")
    assert not (tmp_path / "mine").exists()


@with_and_without
def test_its_folder_is_removed_however_deep_it_is(
    *, namespaces: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))
    text = (
        "import os\n"
        "here = os.getcwd()\n"
        "for _ in range(1_100):\n"
        "    os.mkdir('deeper'); os.chdir('deeper')\n"
        "os.symlink('/', 'link'); os.mkdir('closed'); os.mkdir('closed/inner')\n"
        "os.chmod('closed/inner', 0); os.chmod('closed', 0); os.chdir(here)\n"
    )
    assert examined(tmp_path, text + race(), namespaces=namespaces).outcome == "examined"
    assert list(temporary.iterdir()) == []


# Other files of a folder -----------------------------------------------------------------------


def test_results_in_an_audited_folder_are_ignored(tmp_path: Path, run: Run) -> None:
    folder = tmp_path / "games"
    folder.mkdir()
    file = folder / "bad.py"
    file.write_text("x = 1\n")
    forged = {
        "key": Source.read(file).key(AuditLimits()),
        "record": asdict(AuditRecord("examined")),
    }
    planted = folder / ".duelbook-audit.jsonl"
    planted.write_text(json.dumps(forged) + "\n")
    before = planted.read_text()
    assert "1 files: 1 does not load." in run("audit", "games").stdout
    assert planted.read_text() == before
    done = run("audit", "games", "--state", str(planted))
    assert done.exit_code == 2
    assert "is in a folder that is audited" in done.stderr


def test_stored_results_of_another_shape_are_ignored(tmp_path: Path) -> None:
    state = tmp_path / "state.jsonl"
    right = json.dumps({"key": "right", "record": asdict(AuditRecord("examined", "a\x1b[2J"))})
    odd = ["5", "[]", '{"key": 1}', '{"key": "a", "record": 5}', "[" * 100_000, "{", "\x00\ufffd"]
    odd.append('{"key": "a", "record": {"outcome": 5}}')
    state.write_text("\n".join([*odd, right]) + "\n")
    assert runs.StoredRecords(state).known == {"right": AuditRecord("examined", r"a\x1b[2J")}


def test_unreadable_files_are_reported(tmp_path: Path, run: Run) -> None:
    games = tmp_path / "games"
    games.mkdir()
    (games / "folder.py").mkdir()
    (games / "gone.py").symlink_to("nowhere.py")
    (games / "endless.py").symlink_to("/dev/zero")
    os.mkfifo(games / "pipe.py")
    with (games / "sparse.py").open("wb") as out:
        out.truncate(1 << 40)
    done = run("audit", "games", "--json", "all.json")
    assert "5 files: 5 does not load." in done.stdout
    reasons = {row["reason"] for row in json.loads(Path("all.json").read_text())["files"]}
    assert reasons == {
        "It cannot be read: it is not a regular file.",
        "It cannot be read: it is larger than 4 MiB.",
    }


def test_a_failure_of_the_audit_is_reported_and_repeated(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = tmp_path / "games"
    games.mkdir()
    (games / "a.py").write_text("x = 1\n")
    state = tmp_path / "state.jsonl"

    def rows() -> list[runs.AuditRow]:
        files = runs.files_in([games])
        return runs.audit(files, LIMITS, state=lambda _: state, work=runs.examine_locally(1))

    with monkeypatch.context() as patched:
        patched.setattr(tempfile, "tempdir", str(tmp_path / "nowhere"))
        (row,) = rows()
    assert row.record.outcome == "not examined"
    assert "FileNotFoundError" in row.record.reason
    (row,) = rows()
    assert row.record.outcome == "does not load"
