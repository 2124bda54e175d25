"""Runs pytest in parallel, and repeats slow tests that failed, without other load.

    python -P tools/suite.py PROCESSES [file or folder of tests ...]

Tests marked `slow` talk to servers, browsers, terminals and clocks while others take the machine
from them. If only such tests fail, and only a few, they are run once more, in one process alone,
and count as failed if they fail again. What was repeated is named at the end.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

MAX_REPEATED_TESTS = 5
PYTEST = Path(sys.executable).with_name("pytest")


class Failures:
    """The tests that failed, and whether each is marked `slow`."""

    def __init__(self) -> None:
        self.found: dict[str, bool] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Note a test whose set-up, call or end failed."""
        if report.failed:
            self.found[report.nodeid] = "slow" in report.keywords

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Note a file that could not be read."""
        if report.failed:
            self.found[report.nodeid] = False


def say(sentence: str, tests: list[str]) -> None:
    """Print a sentence about tests in a box."""
    bar = "!" * 80
    lines = ["", bar, sentence, *(f"  {test}" for test in tests), bar, ""]
    sys.stdout.write("\n".join(lines))
    sys.stdout.flush()


def main(processes: str, *places: str) -> int:
    """Run the tests; return the exit status."""
    failures = Failures()
    parallel = ("--numprocesses", processes, "--dist", "worksteal")
    status = pytest.main([*parallel, *places], plugins=[failures])
    tests = list(failures.found)
    is_chance = 0 < len(tests) <= MAX_REPEATED_TESTS and all(failures.found.values())
    if status != pytest.ExitCode.TESTS_FAILED or not is_chance:
        return int(status)
    say("These tests failed beside others. They are run again, alone:", tests)
    again = subprocess.run([PYTEST, *tests], check=False).returncode  # noqa: S603 # our own tests
    if again:
        say("These tests were run again, alone, and not all have passed:", tests)
    else:
        say("These tests passed only when they were run again, alone. Fix them:", tests)
    return again


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
