"""Positions as SVG, as Jupyter shows them."""

from __future__ import annotations

from random import Random
from xml.etree import ElementTree as ET

import pytest

import duelbook
from duelbook.catalog import loader  # registers no game for other tests
from duelbook.games.token_tactics import TokenTactics
from duelbook.hidden import HIDDEN
from duelbook.position import Position
from duelbook.scene import Gauge, Scene, Slot, Slots, Stack, Text, Track, label_of
from duelbook.scene_svg import scene_svg
from paths import ROOT

EXAMPLES = sorted((ROOT / "examples" / "games").glob("*.py"))
GAMES = [*duelbook.list_games(), *(loader.load(str(file)) for file in EXAMPLES)]


def texts(svg: str) -> list[str]:
    """Return the texts of a well-formed SVG document."""
    root = ET.fromstring(svg)  # noqa: S314 # our own document
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return [element.text or "" for element in root.iter("{http://www.w3.org/2000/svg}text")]


def example(name: str) -> type[Position]:
    return loader.load(str(ROOT / "examples" / "games" / name))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_every_game_is_well_formed_svg_with_its_labels(game: type[Position]) -> None:
    random, position = Random(7), game()
    for _ in range(12):
        for shown in (position, position.view(0), position.view(1)):
            words = " | ".join(texts(shown._repr_svg_()))
            assert all(label_of(shape) in words for shape in shown.scene())
        if not position.moves():
            break
        position = position.play(random.choice(position.moves()))


def test_a_hidden_choice_is_not_in_the_svg_of_a_view() -> None:
    attacks = [TokenTactics().play(f"attack {n}") for n in (3, 7)]
    assert "7" in texts(attacks[1]._repr_svg_())
    views = [attack.view(1)._repr_svg_() for attack in attacks]
    assert views[0] == views[1]
    assert "?" in texts(views[0])


def test_private_cards_are_not_in_the_svg_of_a_view() -> None:
    dealt = example("kuhn_poker.py")().play("deal king").play("deal jack")
    assert {"king", "jack"} <= set(texts(dealt._repr_svg_()))
    assert "jack" not in dealt.view(0)._repr_svg_()
    assert "king" not in dealt.view(1)._repr_svg_()


def test_every_shape_is_drawn_and_text_is_escaped() -> None:
    scene: Scene = (
        Text("a < b & c"),
        Gauge("tower", 4, 15, 0),
        Gauge("empty", 0, 0),
        Stack("coins", 50),
        Stack("attack", HIDDEN, 1),
        Slots("<cards>", (Slot("ace", 0), Slot('"2"', spent=True))),
        Track(3, (0, 2), (0, 3)),
    )
    shown = texts(scene_svg(scene, "A & B"))
    assert {"a < b & c", "Player 1 tower", "4 / 15", "50", "?", "<cards>", '"2"'} <= set(shown)
    assert shown[-4:] == ["P1", "1", "P2", "3"]


def test_a_game_without_a_scene_shows_its_board() -> None:
    class Bare(TokenTactics):
        def scene(self) -> Scene:
            return ()

        def board(self) -> str:
            return "x o\n. x"

    assert texts(Bare()._repr_svg_()) == ["x o", ". x"]
