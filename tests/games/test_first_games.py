"""Rules pages: their pictures can be drawn, and their first games can be played."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import ClassVar

import pytest
from conftest import Run

import duelbook
from duelbook.errors import DuelbookError
from duelbook.play.first_game import LEARNER, first_game, read, replay
from duelbook.play.match import Match
from duelbook.play.rules_page import for_players
from duelbook.play.rules_pictures import pictures_of, position_of
from duelbook.players import make
from duelbook.position import Position

BOOKS = pytest.mark.parametrize("game", duelbook.list_games(), ids=lambda game: str(game.slug))
MAX_TEXT_LENGTH = 96
"""The characters that fit beside the choices on a phone."""


@BOOKS
def test_a_book_has_a_first_game_of_three_or_four_moves_that_can_be_played(
    game: type[Position],
) -> None:
    steps = first_game(game)
    assert 3 <= len(steps) <= 4
    match = replay(game, steps)
    assert match.winner() in (None, LEARNER)
    for step in steps:
        assert step.why.endswith(".")
        assert len(step.why) <= MAX_TEXT_LENGTH, f"too long for a phone: {step.why}"
    text = " ".join(for_players(game.rules_page()).split())
    assert not any(step.why in text for step in steps), "the rules leave the first game out"
    assert "```" not in for_players(game.rules_page())


@BOOKS
def test_the_guide_follows_the_rules_page_and_then_continues(game: type[Position]) -> None:
    guide = make("guide")
    match, random = Match.begin(game), Random(1)
    for step in first_game(game):
        match = match.play(step.move)
        for reply in step.replies:
            assert guide.choose_from_record(match.record(match.position.to_move), random) == reply
            match = match.play(reply)
    if match.outcome() is None:
        match = match.play(match.position.moves()[0])
    if match.outcome() is None:
        assert guide.choose_from_record(match.record(1), random) in match.position.moves()


@BOOKS
def test_a_terminal_coaches_every_move_until_the_learner_plays_another(
    game: type[Position], run: Run
) -> None:
    steps = first_game(game)
    typed = "".join(f"{step.move}\n" for step in steps)
    screen = " ".join(run("play", game.slug, "--vs", "guide", typed=typed).stdout.split())
    at = [screen.index(f"Guide: {step.move}. {step.why}") for step in steps]
    assert at == sorted(at)
    other = next(m for m in game().moves() if m != steps[0].move)
    alone = run("play", game.slug, "--vs", "guide", typed=f"{other}\n").stdout
    assert alone.count("Guide: ") == 1


@BOOKS
def test_a_learner_may_leave_the_first_game_at_any_move(game: type[Position]) -> None:
    guide, random = make("guide"), Random(1)
    before = Match.begin(game)
    for step in first_game(game):
        for other in before.position.moves():
            after = before.play(other)
            if other != step.move and after.outcome() is None and after.position.to_move == 1:
                reply = guide.choose_from_record(after.record(1), random)
                assert reply in after.position.moves()
                break
        before = before.play(step.move)
        for reply in step.replies:
            before = before.play(reply)


@BOOKS
def test_the_pictures_of_a_book_are_positions_of_it(game: type[Position]) -> None:
    blocks = pictures_of(game.rules_page())
    assert 2 <= len(blocks) <= 3
    for block in blocks:
        assert position_of(game, block).scene()
        assert block.caption.endswith(".")


@dataclass(frozen=True, slots=True)
class Taught(Position):
    """Take one or two of five."""

    ACTIONS = ("take 1", "take 2")
    page: ClassVar[str] = ""
    left: int = 5

    def moves(self) -> list[str]:
        return [move for move in self.ACTIONS if int(move[-1]) <= self.left]

    def apply(self, move: str) -> Taught:
        return Taught(1 - self.to_move, self.left - int(move[-1]))

    def winner(self) -> int | None:
        return None if self.left else 1 - self.to_move

    @classmethod
    def rules_page(cls) -> str:
        return cls.page


def page(*items: str) -> str:
    return "\n".join(["# Taught", "", "## A first game", "", "Begin.", "", *items, "", "## Claims"])


def test_a_page_without_a_first_game_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Taught, "page", "# Taught\n\n1. `take 1` Not here.\n")
    assert first_game(Taught) == ()
    with pytest.raises(DuelbookError, match="The rules page of Taught has no first game"):
        make("guide").prepare(Taught)


@pytest.mark.parametrize(
    ("items", "why"),
    [
        (["1. take 1 Without backquotes."], "A coached move is written"),
        (["1. `take 1`"], "A coached move is written"),
        (["1. `take 3` Too many."], "take 3"),
        (["1. `take 1` Good.", "2. `take 1` But it is not your turn."], "no move of the learner's"),
        (["1. `take 1` Good.", "   Reply: `take 1`, `take 1`"], "no reply of the opponent's"),
    ],
)
def test_a_first_game_that_cannot_be_played_is_refused(
    items: list[str], why: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Taught, "page", page(*items))
    with pytest.raises(DuelbookError, match=why):
        first_game(Taught)


def test_steps_are_read_over_several_lines() -> None:
    steps = read(page("1. `take 2` It leaves", "   three.", "   Reply: `take 1`, `x`", "2. `y` Z."))
    assert [(s.move, s.why, s.replies) for s in steps] == [
        ("take 2", "It leaves three.", ("take 1", "x")),
        ("y", "Z.", ()),
    ]
