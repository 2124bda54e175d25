"""The examples run, some with less to do; one that needs more than the research extra says what."""

from __future__ import annotations

import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from paths import ROOT

pytestmark = pytest.mark.integration

EXAMPLES = ROOT / "examples"
LARGE = {"maskable_ppo.py": "sb3_contrib"}
LESS = {"fairer_start.py": ["40"], "openspiel_token_tactics.py": ["3"], "self_play.py": ["10"]}
"""The argument with which an example goes the same way in less time."""


@pytest.mark.parametrize("name", sorted(file.name for file in EXAMPLES.glob("*.py")))
def test_an_example_ends_with_a_picture(name: str, tmp_path: Path) -> None:
    picture = tmp_path / "picture.png"
    done = subprocess.run(  # noqa: S603 # our own code
        [sys.executable, str(EXAMPLES / name), str(picture), *LESS.get(name, [])],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    if name in LARGE and find_spec(LARGE[name]) is None:
        assert done.returncode == 1
        assert done.stderr.strip().endswith("pip install sb3-contrib")
        return
    assert done.returncode == 0, done.stderr
    assert done.stdout.endswith(f"Wrote {picture}\n")
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_every_example_is_on_the_research_page() -> None:
    page = (EXAMPLES.parent / "docs" / "how-to" / "research.md").read_text()
    for file in EXAMPLES.glob("*.py"):
        assert f"| `{file.name}` |" in page
