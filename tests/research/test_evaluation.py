"""Exact evaluation: best responses, exploitability, regret and values between policies."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import product
from typing import Self

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import duelbook
from duelbook import HIDDEN, DuelbookError, Position, evaluate
from duelbook.hidden import Hidden
from duelbook.research.best_response import best_response
from duelbook.research.expectation import expectation, visits
from duelbook.research.policies import at_random, joint_policy, shares
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.tables.position_table import Table
from shared_solutions import shared_solution, shared_table, solve_by_positions
from strategies import GAMES, fewer_examples

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("reuse_memory")]

SMALL = [game for game in GAMES if not game.vectors]
small_game = pytest.mark.parametrize("game", SMALL, ids=lambda game: str(game.slug))


@dataclass(frozen=True, slots=True)
class Cups(Position):
    """Hide a pea under one of three cups, or in the hand; guess where. The hand loses to no cup."""

    ACTIONS = ("hide 1", "hide 2", "hide 3", "pass", "guess 1", "guess 2", "guess 3")
    pea: int | Hidden = 0
    guess: int = 0
    passes: int = 0

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        if self.pea == 0:
            return ["hide 1", "hide 2", "hide 3", *(["pass"] if self.passes < 2 else [])]
        return ["guess 1", "guess 2", "guess 3"]

    def apply(self, move: str) -> Self:
        if move == "pass":
            return replace(self, to_move=1 - self.to_move, passes=self.passes + 1)
        word, cup = move.split()
        if word == "hide":
            return replace(self, to_move=1 - self.to_move, pea=int(cup))
        return replace(self, guess=int(cup))

    def winner(self) -> int | None:
        if not self.guess:
            return None
        is_right = self.guess == self.pea
        return self.to_move if is_right or (self.pea == 3 and self.guess == 2) else 1 - self.to_move

    def view(self, seat: int) -> Self:
        hidden = self.pea != 0 and not self.guess and seat == self.to_move
        return replace(self, pea=HIDDEN) if hidden else self


@dataclass(frozen=True, slots=True)
class Patience(Position):
    """Wait endlessly, or gamble: then the opponent wins slowly, or lets you win at once."""

    ACTIONS = ("wait", "gamble", "kind", "cruel", "end")
    state: str = "open"

    def moves(self) -> list[str]:
        return {"open": ["wait", "gamble"], "waited": ["end"], "risk": ["kind", "cruel"]}.get(
            self.state, ["end"] if self.state.startswith("slow") else []
        )

    def apply(self, move: str) -> Self:
        other = 1 - self.to_move
        after = {"wait": "waited", "gamble": "risk", "kind": "won", "cruel": "slow1"}.get(move)
        if after is None:
            after = {"waited": "open", "slow1": "slow2", "slow2": "slow3"}.get(self.state, "lost")
        return replace(self, to_move=other, state=after)

    def winner(self) -> int | None:
        return {"won": 0, "lost": 1}.get(self.state)


@st.composite
def policies(draw: st.DrawFn, table: Table) -> np.ndarray[tuple[int], np.dtype[np.float64]]:
    """Draw a policy; positions of one information set have the same probabilities."""
    answers: dict[int, list[float]] = {}
    shares = np.zeros(len(table.after))
    for number in range(len(table)):
        row = slice(table.rows[number], table.rows[number + 1])
        size = row.stop - row.start
        if size:
            look = int(table.infosets[number])
            if look not in answers:
                weights = [draw(st.integers(0, 3)) for _ in range(size)]
                weights[draw(st.integers(0, size - 1))] += 1
                answers[look] = [weight / sum(weights) for weight in weights]
            shares[row] = answers[look]
    return shares


def every_pure_reply(table: Table, seat: int) -> list[np.ndarray[tuple[int], np.dtype[np.float64]]]:
    """Return all pure strategies of a seat."""
    looks = {
        int(table.infosets[number]): int(np.diff(table.rows)[number])
        for number in range(len(table))
        if table.mover[number] == seat and np.diff(table.rows)[number]
    }
    replies = []
    for chosen in product(*(range(size) for size in looks.values())):
        choice = dict(zip(looks, chosen, strict=True))
        reply = np.zeros(len(table.after))
        for number in range(len(table)):
            if table.mover[number] == seat and np.diff(table.rows)[number]:
                reply[table.rows[number] + choice[int(table.infosets[number])]] = 1
        replies.append(reply)
    return replies


@pytest.mark.parametrize("game", [Cups, Patience])
@pytest.mark.parametrize("seat", [0, 1])
@given(data=st.data())
@settings(max_examples=fewer_examples(5))  # each tries every pure reply
def test_best_response_equals_the_best_pure_response(
    game: type[Position], seat: int, data: st.DataObject
) -> None:
    table = enumerate_game(game)
    policy = data.draw(policies(table))
    by_seat = table.mover[table.sources] == seat
    values = [
        expectation(table, np.where(by_seat, reply, policy)).values[0] * (1 - 2 * seat)
        for reply in every_pure_reply(table, seat)
    ]
    assert best_response(table, policy, seat)[0] == pytest.approx(max(values), abs=1e-8)


def test_endless_waiting_has_value_zero() -> None:
    table = enumerate_game(Patience)
    for kind, value in [(0.4, 0.0), (0.5, 0.0), (0.6, 0.2), (0.0, 0.0), (1.0, 1.0)]:
        policy = shares(
            table,
            lambda view, kind=kind: (
                {"kind": kind, "cruel": 1 - kind}  # type: ignore[misc]
                if "kind" in view.moves()
                else view.moves()[0]
            ),
        )
        assert best_response(table, policy, 0)[0] == pytest.approx(value, abs=1e-9)


@given(data=st.data())
@settings(max_examples=fewer_examples(5))  # OpenSpiel walks the whole tree in Python
def test_exploitability_equals_the_one_openspiel_computes(data: st.DataObject) -> None:
    import pyspiel
    from open_spiel.python import policy as spiel_policy
    from open_spiel.python.algorithms import exploitability

    from duelbook.adapters import openspiel

    openspiel.register(Cups)
    spiel = pyspiel.load_game("duelbook_cups")
    table = enumerate_game(Cups)
    policy = data.draw(policies(table))
    known = {
        table.positions[number]: policy[table.rows[number] : table.rows[number + 1]]
        for number in range(len(table))
    }
    openspiel_policy = spiel_policy.tabular_policy_from_callable(
        spiel,
        lambda state: {
            Cups.ACTIONS.index(move): float(share)
            for move, share in zip(state.position.moves(), known[state.position], strict=True)
        },
    )
    evaluation = evaluate(table, policy)
    assert evaluation.exploitability == pytest.approx(
        exploitability.exploitability(spiel, openspiel_policy), abs=1e-8
    )


@pytest.mark.parametrize("game", [*GAMES, Cups], ids=lambda game: str(game.slug))
def test_perfect_play_has_no_exploitability_and_no_regret(game: type[Position]) -> None:
    table = shared_table(game)
    evaluation = evaluate(table, "perfect")
    value = shared_solution(game).value(game()) * (1 - 2 * table.mover[0])
    assert evaluation.exploitability == pytest.approx(0, abs=1e-9)
    assert evaluation.worst_case == pytest.approx((value, -value), abs=1e-9)
    assert evaluation.regrets.max() < 1e-9
    assert evaluation.mean_regret == pytest.approx((0, 0), abs=1e-9)


@small_game
def test_no_response_beats_the_best_response(game: type[Position]) -> None:
    table, random = enumerate_game(game), np.random.default_rng(1)
    evaluation = evaluate(table, "easy")
    for _ in range(5):
        reply = shares(table, lambda view: view.moves()[random.integers(len(view.moves()))])
        for seat in (0, 1):
            by_seat = table.mover[table.sources] == seat
            value = expectation(table, np.where(by_seat, evaluation.shares, reply)).values[0] * (
                1 - 2 * seat
            )
            assert value >= evaluation.worst_case[seat] - 1e-9


@small_game
def test_random_play_is_exploitable_and_has_regret(game: type[Position]) -> None:
    evaluation = evaluate(game, "random", against="perfect")
    assert 0 < evaluation.exploitability <= 1
    assert evaluation.worst_case[0] <= evaluation.values[0] + 1e-9
    assert evaluation.worst_case[1] <= evaluation.values[1] + 1e-9
    assert evaluation.move_regrets.min() >= 0
    assert evaluation.move_regrets.max() <= 2
    assert max(evaluation.mean_regret) > 0  # moves in a lost position have no regret


def test_single_mistake_has_regret_at_its_position() -> None:
    game = duelbook.load("tower")
    table = enumerate_game(game)
    perfect = evaluate(table, "perfect")
    policy = perfect.shares.copy()
    mistake = int(np.flatnonzero(perfect.move_regrets == 2)[0])
    position = int(table.sources[mistake])
    policy[table.rows[position] : table.rows[position + 1]] = 0
    policy[mistake] = 1
    evaluation = evaluate(table, policy, against="perfect")
    assert np.flatnonzero(evaluation.regrets > 1e-9).tolist() == [position]
    assert evaluation.regrets[position] == 2
    after_mistake = best_response(table, policy, 1 - table.mover[position])[position]
    after_perfect = best_response(table, perfect.shares, 1 - table.mover[position])[position]
    assert (after_mistake, after_perfect) == pytest.approx((1, -1))


def test_values_between_policies_equal_the_expectation() -> None:
    table = enumerate_game(duelbook.load("island"))
    evaluation = evaluate(table, "hard", against="easy")
    as_first = expectation(table, joint_policy(table, ("hard", "easy")))
    as_second = expectation(table, joint_policy(table, ("easy", "hard")))
    assert evaluation.values == pytest.approx((as_first.values[0], -as_second.values[0]))
    assert evaluation.values[0] > 0


@small_game
def test_visits_add_up_to_the_expected_plies(game: type[Position]) -> None:
    table = enumerate_game(game)
    policy = at_random(table)
    on_the_way = visits(table, policy)[np.diff(table.rows) > 0].sum()
    assert on_the_way == pytest.approx(expectation(table, policy).plies[0])


def test_endless_play_is_reported() -> None:
    table = enumerate_game(duelbook.load("capture"))
    expected = expectation(table, shares(table, "perfect"))
    assert expected.endless[0] == 1
    assert expected.plies[0] == np.inf
    assert evaluate(table, "perfect").values == (0, 0)


def test_an_evaluation_prints_as_a_table() -> None:
    assert str(evaluate("tower", "random")) == (
        "                             seat 0   seat 1\n"
        "against a best response     -1.0000  -1.0000\n"
        "against the other policy    -0.0111   0.0111\n"
        "regret per move              0.4444   0.3710\n"
        "exploitability: 1.0000"
    )


@dataclass(frozen=True, slots=True)
class Lasting(Cups):
    """The same, but the pea is never revealed."""

    def view(self, seat: int) -> Self:
        return replace(self, pea=HIDDEN) if self.pea != 0 and seat == self.to_move else self


@pytest.mark.parametrize("policy", ["random", "perfect", "greedy"])
def test_lasting_private_information_is_evaluated_over_histories(policy: str) -> None:
    lasting, revealed = evaluate(Lasting, policy), evaluate(Cups, policy)
    assert lasting.worst_case == pytest.approx(revealed.worst_case, abs=1e-9)
    assert lasting.values == pytest.approx(revealed.values, abs=1e-9)
    assert (max(lasting.mean_regret) < 1e-9) == (max(revealed.mean_regret) < 1e-9)


def test_best_response_over_positions_refuses_lasting_private_information() -> None:
    table = enumerate_game(Lasting)
    with pytest.raises(
        DuelbookError, match="has private information that lasts longer than one answer"
    ):
        best_response(table, at_random(table), 0)


def test_mean_regret_of_endless_play_is_nan() -> None:
    waiting = evaluate(Patience, lambda view: view.moves()[0])
    assert np.isnan(evaluate("token", lambda view: view.moves()[0]).mean_regret).all()
    assert waiting.regrets.max() >= 0
    assert evaluate("capture", "perfect").mean_regret == (0, 0)


@pytest.mark.parametrize("first", [0, 1])
def test_perfect_play_is_perfect_for_either_first_player(first: int) -> None:
    for slug in ("tower", "capture"):
        evaluation = evaluate(slug, "perfect", first=first)
        value = solve_by_positions(duelbook.load(slug), first=first).values[0] * (1 - 2 * first)
        assert evaluation.worst_case == pytest.approx((value, -value), abs=1e-9)
