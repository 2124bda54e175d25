"""Typed moves mean the same at the terminal and in the page; tests/js checks the page."""

from __future__ import annotations

import json
from typing import Any

import pytest

import duelbook
from duelbook.errors import IllegalMove, InvalidMove
from duelbook.play.move_input import read
from duelbook.position import Position
from duelbook.web.games.state.views import view
from paths import TESTS

FILE = json.loads((TESTS / "support/entry_cases.json").read_text(encoding="utf-8"))
GAMES = {game.slug: game for game in duelbook.list_games()}


def position(name: str) -> Position:
    data = FILE["positions"][name]
    return GAMES[data["game"]].from_json(data["position"])


@pytest.mark.parametrize("name", FILE["positions"])
def test_cases_have_the_data_of_the_page(name: str) -> None:
    current = position(name)
    shown = view(current, frozenset({current.to_move}), over=not current.moves())
    data = FILE["positions"][name]
    assert (shown.legal, shown.aliases) == (data["legal"], data["aliases"])


@pytest.mark.parametrize(
    "case", FILE["cases"], ids=lambda case: "{at}: {words} + {typed!r}".format(**case)
)
def test_typed_words_give_the_expected_move(case: dict[str, Any]) -> None:
    words: list[str] | None
    try:
        words = list(read(position(case["at"]), tuple(case["words"]), case["typed"]))
    except (IllegalMove, InvalidMove):
        words = None
    assert words == case["gives"]
