"""`make suite` repeats slow tests that failed under load, and reports every fault."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from paths import ROOT

pytestmark = pytest.mark.slow

TOOLS = ROOT / "tools"
SUITE = TOOLS / "suite.py"
SUPERVISE = TOOLS / "supervise.py"
SETTINGS = "[pytest]\nmarkers = slow\naddopts = -p xdist.plugin -p no:cacheprovider"
BESIDE_OTHERS = "import os, pytest\nalone = 'PYTEST_XDIST_WORKER' not in os.environ\n"
PASSES = "def test_passes(): pass\n"
HASTY = "@pytest.mark.slow\ndef test_hasty(): assert alone\n"
HASTY_START = """
@pytest.fixture
def start(): assert alone
@pytest.mark.slow
def test_hasty_start(start): pass
"""
WRONG = "@pytest.mark.slow\ndef test_wrong(): assert False\n"
PURE = "def test_pure(): assert alone\n"
MANY = (
    "@pytest.mark.slow\n@pytest.mark.parametrize('n', range(6))\ndef test_many(n): assert alone\n"
)
REPEATED = "passed only when they were run again, alone"


@pytest.mark.parametrize(
    ("tests", "status", "says", "says_not"),
    [
        ((HASTY, HASTY_START), 0, f"{REPEATED}. Fix them:\n  test_it.py::test_hasty", "not all"),
        ((HASTY, WRONG), 1, "not all have passed:\n  test_it.py::test_", REPEATED),
        ((HASTY, PURE), 1, "2 failed", "again"),
        ((MANY,), 1, "6 failed", "again"),
        (("unknown\n",), 1, "NameError", "again"),
    ],
)
def test_what_is_repeated(
    tmp_path: Path, tests: tuple[str, ...], status: int, says: str, says_not: str
) -> None:
    (tmp_path / "pytest.ini").write_text(SETTINGS)
    (tmp_path / "test_it.py").write_text("".join((BESIDE_OTHERS, PASSES, *tests)))
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST_")}
    outside["PYTEST_DISABLE_PLUGIN_AUTOLOAD"] = "1"  # which takes most of the time
    done = subprocess.run(  # noqa: S603 # our own program
        [sys.executable, "-P", str(SUITE), "2"],
        cwd=tmp_path,
        env=outside,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    assert says in done.stdout
    assert says_not not in done.stdout


def supervise(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 # our own program
        [sys.executable, "-P", str(SUPERVISE), "--grace", "0.5", *command],
        capture_output=True,
        text=True,
        check=False,
    )


on_linux = pytest.mark.skipif(sys.platform != "linux", reason="only Linux shows all processes")


@on_linux
def test_processes_that_outlive_the_tests_are_named_and_ended() -> None:
    script = (
        "import subprocess; print(subprocess.Popen(['sleep', '600'], start_new_session=True).pid)"
    )
    done = supervise(sys.executable, "-c", script)
    pid = int(done.stdout)
    assert done.returncode == 1
    assert f"STILL RUNNING {pid}: sleep 600 (started by tests/test_suite.py::" in done.stderr
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_a_run_that_leaves_nothing_behind_keeps_its_exit_status() -> None:
    done = supervise(sys.executable, "-c", "raise SystemExit(3)")
    assert (done.returncode, done.stderr) == (3, "")


@on_linux
def test_an_interrupted_run_leaves_nothing_behind() -> None:
    script = (
        "import subprocess, sys, time; child = subprocess.Popen(['sleep', '600']);"
        "print(child.pid, flush=True); time.sleep(600)"
    )
    command = [sys.executable, "-P", str(SUPERVISE), "--grace", "0.5", sys.executable, "-c", script]
    with subprocess.Popen(  # noqa: S603 # our own program
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as run:
        assert run.stdout is not None
        pid = int(run.stdout.readline())
        run.send_signal(signal.SIGINT)
        assert run.wait(60) == 128 + signal.SIGINT
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)
