"""Luck and hands at the terminal: what falls, what is shown to whom, and what a file keeps."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from unittest.mock import patch

import pexpect
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

import duelbook
from conftest import Run, Terminal
from duelbook import Match, Position, luck
from duelbook.catalog import registry
from duelbook.play import saves
from duelbook.play.draws import Draws
from duelbook.play.series import Series
from duelbook.position import LUCK
from random_games import graphs, hands
from servers import DUELBOOK

Open = Callable[..., Terminal]
EXAMPLES = Path(__file__).parent.parent / "examples" / "games"
PIG, KUHN = str(EXAMPLES / "pig.py"), str(EXAMPLES / "kuhn_poker.py")
HIGH_CARD = str(Path(__file__).parent / "table" / "high_card.py")
CLEAR = "\x1b[H\x1b[2J\x1b[3J"


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that one test loads are unknown to the next."""
    monkeypatch.setattr(registry, "_loaded", {})


@pytest.fixture
def pig_to_40(tmp_path: Path) -> str:
    """A shorter game of Pig."""
    rules = Path(PIG).read_text()
    file = tmp_path / "pig.py"
    file.write_text(re.sub(r"^GOAL = 100$", "GOAL = 15", rules, flags=re.MULTILINE))
    return str(file)


def saved(home: Path) -> dict[str, object]:
    (file,) = (home / "saves").iterdir()
    data = json.loads(file.read_text())
    assert isinstance(data, dict)
    return data
