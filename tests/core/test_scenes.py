from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest

import duelbook
from duelbook.hidden import HIDDEN, Hidden
from duelbook.position import Position
from duelbook.scene import Gauge, Scene, Slot, Slots, Stack, Text, Track
from duelbook.web.scene_json import picture, scene_data


def test_a_scene_as_json_has_only_the_fields_that_are_set() -> None:
    scene = (
        Text("Round: 3"),
        Gauge("Player 1", 4, 15, 0, form="tower", says="build"),
        Slots("Planets", (Slot("1", 1, says="planet 1"), Slot("2", spent=True)), form="planets"),
        Track(2, (0, 2), (0, 2), says=("", "move 1", "")),
    )
    assert json.loads(json.dumps(scene_data(scene))) == [
        {"shape": "text", "words": "Round: 3"},
        {
            "shape": "gauge",
            "label": "",
            "value": 4,
            "limit": 15,
            "seat": 0,
            "form": "tower",
            "says": "build",
        },
        {
            "shape": "slots",
            "label": "Planets",
            "slots": [
                {"name": "1", "seat": 1, "says": "planet 1"},
                {"name": "2", "spent": True},
            ],
            "form": "planets",
        },
        {"shape": "track", "last": 2, "units": [0, 2], "bases": [0, 2], "says": ["", "move 1", ""]},
    ]


def test_a_hidden_pile_has_no_size() -> None:
    (pile,) = scene_data((Stack("Attack", HIDDEN, 0, form="envelope"),))
    assert pile["count"] is None
    (empty,) = scene_data((Stack("Attack", 0, 0),))
    assert empty["count"] == 0


def test_a_pile_says_how_large_it_can_grow() -> None:
    (sea,) = scene_data((Stack("Sea level", 3, form="sea", limit=20),))
    assert sea["limit"] == 20
    (pile,) = scene_data((Stack("Attack", 3),))
    assert "limit" not in pile


@pytest.mark.parametrize("game", duelbook.list_games(), ids=lambda game: str(game.slug))
def test_every_first_word_of_a_move_is_at_a_shape(game: type[Position]) -> None:
    """Each move starts at a shape, and the words of every shape are part of a move."""
    start = game()
    phrases = [words for shape in scene_data(start.scene()) for words in pointed(shape) if words]
    for move in start.moves():
        assert any(f"{move} ".startswith(f"{words} ") for words in phrases), move
    for words in phrases:
        assert any(f" {words} " in f" {move} " for move in game.ACTIONS), words


def pointed(shape: dict[str, object]) -> list[str]:
    says = shape.get("says", [])
    slots = shape.get("slots", [])
    assert isinstance(slots, list)
    return [
        *([says] if isinstance(says, str) else list(says) if isinstance(says, list) else []),
        *(slot.get("says", "") for slot in slots),
    ]


@dataclass(frozen=True, slots=True)
class Undrawn(Position):
    """A game with only fields."""

    ACTIONS = ("take 1", "take 2")

    heap: int = 12
    taken: tuple[int, int] = (0, 0)
    hands: tuple[tuple[int, ...], tuple[int, ...]] = ((1, 2), (1, 2, 3))
    row: tuple[str, ...] = ("a", "b", "c")
    wish: int | Hidden | None = None
    mood: str = "calm"


def test_a_game_without_a_scene_gets_a_picture_of_its_fields() -> None:
    assert replace(Undrawn(), heap=5, wish=HIDDEN).scene() == (
        Gauge("Heap", 5, 12),
        Stack("taken", 0, 0),
        Stack("taken", 0, 1),
        Slots("hands", (Slot("1"), Slot("2")), 0),
        Slots("hands", (Slot("1"), Slot("2"), Slot("3")), 1),
        Slots("Row", (Slot("a"), Slot("b"), Slot("c"))),
        Stack("Wish", HIDDEN),
        Text("Mood: calm"),
    )


def test_a_position_without_any_scene_is_shown_by_its_board() -> None:
    class Bare(Undrawn):
        def scene(self) -> Scene:
            return ()

        def board(self) -> str:
            return "x o\n. x"

    assert picture(Bare()) == [{"shape": "board", "words": "x o\n. x"}]
