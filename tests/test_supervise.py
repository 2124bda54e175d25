"""`tools/supervise.py` ends and names processes that outlive the tests."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import pytest

from paths import ROOT

pytestmark = pytest.mark.integration

SUPERVISE = ROOT / "tools" / "supervise.py"


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
    assert f"STILL RUNNING {pid}: sleep 600 (started by tests/test_supervise.py::" in done.stderr
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
