"""Run pytest in parallel, and repeat failed slow tests without other load.

    python -P tools/suite.py PROCESSES [file or folder of tests ...]

Tests marked `slow` use servers, browsers, terminals and clocks, and may fail on a busy machine. If
only a few tests fail, and all of them are slow, the program repeats them once in one process. A
test that fails again counts as failed. At the end, the program prints the repeated tests.
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
        """Record a test whose set-up, call or teardown failed."""
        if report.failed:
            self.found[report.nodeid] = "slow" in report.keywords

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        """Record a file that pytest could not collect."""
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
