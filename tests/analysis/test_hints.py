"""Hints: the best move, and in a lost position the one that is hardest to answer."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Self

import pytest
from hypothesis import assume, given

from duelbook import solve
from duelbook.analysis.hint import hint
from duelbook.games.tower_defense_duel import TowerDefenseDuel
from duelbook.position import HIDDEN, Hidden, Position
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.search import Search
from duelbook.solver.solve import solve_positions
from duelbook.terminal.console import progress
from random_games import Walk, plies_to_win, walks
from servers import wait_until

MAX_PLIES = 12  # no forced win in a random walk takes longer


def ease(after: Position, loser: int) -> tuple[Fraction, int]:
    """Return the share of winning answers and minus the plies to the end, by the definition."""
    moves = [after.play(move) for move in after.moves()]
    if not moves:
        return Fraction(1), 0
    if after.to_move == loser:
        share, sooner = min(ease(later, loser) for later in moves)
        return share, sooner - 1
    winner = 1 - loser
    winning = [later for later in moves if plies_to_win(later, winner, MAX_PLIES) is not None]
    plies = plies_to_win(after, winner, MAX_PLIES)
    assert plies is not None
    return Fraction(len(winning), len(moves)), -plies


def positions(game: type[Walk]) -> list[Walk]:
    """Return the positions in which there is something to choose."""
    inner = (n for n, out in enumerate(game.edges) if out)
    known = set(enumerate_game(game).positions)
    return [position for n in inner if (position := game(game.movers[n], n)) in known]


@given(walks())
def test_a_hint_preserves_the_result_or_sets_the_hardest_task(game: type[Walk]) -> None:
    assume(game.start().moves())
    solution = solve_positions(enumerate_game(game))
    for position in positions(game):
        me = position.to_move
        best = hint(solution, position)
        after = position.play(best.move)
        wins = plies_to_win(position, me, MAX_PLIES)
        loses = plies_to_win(position, 1 - me, MAX_PLIES)
        assert best.lost == (loses is not None)
        if loses is not None:
            tasks = {move: ease(position.play(move), me) for move in position.moves()}
            assert best.move == min(tasks, key=lambda move: tasks[move])
        elif wins is not None:
            assert plies_to_win(after, me, MAX_PLIES) == wins - 1
        else:
            assert plies_to_win(after, 1 - me, MAX_PLIES) is None


@given(walks(size=8))
def test_a_searched_hint_resists_longest_and_then_leaves_the_fewest_quick_answers(
    game: type[Walk],
) -> None:
    assume(game.start().moves())
    search = Search(game)
    for position in positions(game):
        me = position.to_move
        loses = plies_to_win(position, 1 - me, MAX_PLIES)
        if loses is None:
            continue
        best = hint(search, position)
        assert best.lost

        def task(move: str, loses: int = loses, position: Walk = position) -> tuple[int, Fraction]:
            after, winner = position.play(move), 1 - position.to_move
            plies = plies_to_win(after, winner, MAX_PLIES)
            assert plies is not None
            answers = [after.play(move) for move in after.moves() if after.to_move == winner]
            quick = [
                answer for answer in answers if plies_to_win(answer, winner, plies - 1) is not None
            ]
            share = Fraction(len(quick), len(answers)) if answers else Fraction(1)
            return loses - 1 - plies, share

        assert best.move == min(position.moves(), key=task)


def test_a_hint_in_a_lost_position_counts_the_winning_answers() -> None:
    position = TowerDefenseDuel().play("build 4")
    best = hint(solve(TowerDefenseDuel), position)
    assert best.lost
    replies = position.play(best.move).moves()
    wins = [
        reply
        for reply in replies
        if solve(TowerDefenseDuel).score(position.play(best.move).play(reply)) < 0
    ]
    assert best.text.startswith("Every move loses against best play. ")
    assert f"{len(wins)} winning answer" in best.text
    assert best.text.endswith(f" of {len(replies)}.")


class Tty(io.StringIO):
    """A terminal that remembers what was written."""

    def isatty(self) -> bool:
        return True


def test_a_hint_that_takes_long_shows_that_it_is_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    screen = Tty()
    monkeypatch.setattr(sys, "stderr", screen)
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(progress, "DELAY_SECONDS", 0.0)
    with progress.waiting("Studying Nim"):
        wait_until(lambda: "Studying Nim" in screen.getvalue(), lambda: "Nothing is shown.")
    assert screen.getvalue().endswith("\r"), "the line is wiped again"
    written = screen.getvalue()
    monkeypatch.setattr(progress, "DELAY_SECONDS", 1_000.0)
    with progress.waiting("Studying Nim"):
        pass
    assert screen.getvalue() == written, "what is quick needs no words"


@dataclass(frozen=True, slots=True)
class Bluff(Position):
    """Player 1 chooses a hidden card, Player 2 folds or calls it, and Player 1 may yield."""

    player_1_starts = True
    ACTIONS = ("strong", "weak", "fold", "call", "stay", "yield")
    card: str | Hidden = ""
    answer: str = ""
    end: str = ""

    def moves(self) -> list[str]:
        if not self.card:
            return ["strong", "weak"]
        if not self.answer:
            return ["fold", "call"]
        return [] if self.end or self.answer == "fold" else ["stay", "yield"]

    def apply(self, move: str) -> Self:
        if not self.card:
            return replace(self, to_move=1, card=move)
        if not self.answer:
            return replace(self, to_move=0, answer=move)
        return replace(self, to_move=1, end=move)

    def winner(self) -> int | None:
        if self.answer == "fold":
            return 1 if self.card == "strong" else 0
        if not self.end:
            return None
        return 1 if self.end == "yield" or self.card == "weak" else 0

    def view(self, seat: int) -> Self:
        return self if seat == 0 or not self.card or self.end else replace(self, card=HIDDEN)


def test_a_hint_without_a_record_names_a_legal_move() -> None:
    solution = solve(Bluff)
    assert solution.has_private_information
    called = Bluff().play("strong").play("call")
    assert hint(solution, called).move == "stay"
    assert "yield is worth -1.000" in hint(solution, called).text
    assert hint(solution, Bluff().play("weak").view(1)).move in ("fold", "call")
