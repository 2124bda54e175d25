"""`make suite` repeats a slow test that failed beside others, and hides no fault."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

SUITE = Path(__file__).parent.parent / "tools/suite.py"
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
        ((HASTY, HASTY_START), 0, f"{REPEATED}. Mend them:\n  test_it.py::test_hasty", "not all"),
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
