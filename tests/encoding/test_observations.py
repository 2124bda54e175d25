"""Observations: fixed in size, complete, from the seat's side, without hidden information."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

import numpy as np
import pytest
from conftest import Run
from hypothesis import given

import duelbook
from duelbook import HIDDEN, DuelbookError, Match, Position
from duelbook.encoding.observations import Observer, observer
from duelbook.games.tower_defense_duel import TowerDefenseDuel
from duelbook.hidden import Hidden
from duelbook.position import CHANCE, put
from duelbook.ranges import OWNER, Subset, UpTo
from duelbook.solver.enumeration.enumerator import enumerate_game
from strategies import GAMES, matches

SMALL = [game for game in GAMES if not game.vectors]


@given(matches())
def test_observations_have_a_fixed_size_and_values_from_0_to_1(match: Match) -> None:
    observe = observer(type(match.position))
    for seat in (0, 1):
        seen = observe(match.position, seat)
        assert seen.shape == (observe.size,)
        assert seen.dtype == np.float32
        assert ((seen >= 0) & (seen <= 1)).all()
        assert seen.any()


@given(matches())
def test_view_and_position_have_the_same_observation(match: Match) -> None:
    observe = observer(type(match.position))
    for seat in (0, 1):
        assert np.array_equal(
            observe(match.position.view(seat), seat), observe(match.position, seat)
        )


@pytest.mark.parametrize("game", SMALL, ids=lambda game: str(game.slug))
def test_observations_differ_exactly_where_views_differ(game: type[Position]) -> None:
    observe = observer(game)
    looks: dict[tuple[int, bytes], Position] = {}
    positions = enumerate_game(game).positions
    for position in positions:
        for seat in (0, 1):
            look = position.view(seat)
            assert looks.setdefault((seat, observe(position, seat).tobytes()), look) == look


def test_defender_does_not_observe_the_hidden_commitment() -> None:
    start = duelbook.load("token")()
    observe = observer(type(start))
    attacks = [start.play(f"attack {n}") for n in range(1, 11)]
    assert len({observe(position, 1).tobytes() for position in attacks}) == 1
    assert len({observe(position, 0).tobytes() for position in attacks}) == 10


def test_entries_of_the_observing_seat_come_first() -> None:
    game = TowerDefenseDuel
    position = TowerDefenseDuel(to_move=1, towers=(3, 12))
    names = [entry.name for entry in observer(game).entries]
    assert names == [
        "I am Player 2",
        "my turn",
        "opponent's turn",
        "my towers",
        "opponent's towers",
    ]
    assert observer(game)(position, 0) == pytest.approx([0, 0, 1, 3 / 18, 12 / 18])
    assert observer(game)(position, 1) == pytest.approx([1, 1, 0, 12 / 18, 3 / 18])


def test_owners_and_subsets_have_an_entry_for_each_value() -> None:
    position = duelbook.load("galaxy")().play("planet 2 ship 5")
    first, second = (observer(type(position))(position, seat) for seat in (0, 1))
    assert first[3:17].tolist() == [0, 0, 1, 0] + [0] * 10
    assert second[3:17].tolist() == [0, 0, 0, 1] + [0] * 10
    assert first[17:].tolist() == [1, 1, 1, 1, 0, 1, 1] + [1] * 7
    assert second[17:].tolist() == [1] * 7 + [1, 1, 1, 1, 0, 1, 1]


@dataclass(frozen=True, slots=True)
class Undeclared(Position):
    """Declares no ranges."""

    ACTIONS = ("take 1", "take 2")
    left: int = 5
    phase: str = "first"
    hands: tuple[int, ...] | Hidden = (1, 2, 3)

    def moves(self) -> list[str]:
        return [f"take {n}" for n in (1, 2) if n <= self.left]

    def apply(self, move: str) -> Self:
        left = self.left - int(move[-1])
        return replace(self, to_move=1 - self.to_move, left=left, phase="later")

    def winner(self) -> int | None:
        return None if self.left else 1 - self.to_move

    def view(self, seat: int) -> Self:
        return replace(self, hands=HIDDEN) if seat else self


def test_undeclared_ranges_are_inferred() -> None:
    observe = Observer(Undeclared)
    assert [entry.name for entry in observe.entries[3:]] == [
        "left",
        *("phase is first", "phase is later"),
        *("hands 1", "hands 1 is hidden", "hands 2", "hands 2 is hidden"),
        *("hands 3", "hands 3 is hidden"),
    ]
    thirds = pytest.approx([1, 1, 0, 1 / 3, 0, 2 / 3, 0, 1, 0])
    assert observe(Undeclared(), 0)[3:] == thirds
    assert observe(Undeclared(), 1)[3:].tolist() == [1, 1, 0, 0, 1, 0, 1, 0, 1]


def test_a_value_outside_its_range_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Declared(Undeclared):
        RANGES = {
            "left": range(5),
            "phase": ("first", "later"),
            "hands": (HIDDEN, Subset(range(4))),
        }

    with pytest.raises(DuelbookError, match="left may not be 5; see the game's RANGES"):
        Observer(Declared)(Declared(), 0)


def test_hidden_subsets_and_owners_are_marked_hidden() -> None:
    @dataclass(frozen=True, slots=True)
    class Declared(Undeclared):
        RANGES = {
            "left": range(6),
            "phase": ("first", "later"),
            "hands": (HIDDEN, Subset(range(1, 5))),
            "who": OWNER,
        }
        who: int | None = None

    observe = Observer(Declared)
    assert observe(Declared(who=1), 0)[6:].tolist() == [0, 1, 1, 1, 0, 0, 1]
    assert observe(Declared(who=1), 1)[6:].tolist() == [1, 0, 0, 0, 0, 1, 0]


def test_a_range_that_no_field_has_is_refused() -> None:
    @dataclass(frozen=True, slots=True)
    class Mistyped(Undeclared):
        RANGES = {"letf": range(6)}

    with pytest.raises(DuelbookError, match="RANGES names 'letf', which is not a field"):
        Observer(Mistyped)


def test_none_differs_from_the_smallest_value_of_a_range() -> None:
    @dataclass(frozen=True, slots=True)
    class Mixed(Undeclared):
        RANGES = {"left": (OWNER, range(5, 9))}
        left: int | None = 5  # type: ignore[assignment] # for once

    observe = Observer(Mixed)
    seen = [observe(Mixed(left=left), 0)[3:6].tolist() for left in (None, 0, 1, 5, 8)]
    assert seen == [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 0.25], [0, 0, 1]]


def test_field_of_variable_length_must_declare_its_range() -> None:
    observe = Observer(Undeclared)
    with pytest.raises(DuelbookError, match="hands changes its length; RANGES must declare it"):
        observe(replace(Undeclared(), hands=(1,)), 0)


@dataclass(frozen=True, slots=True)
class Auction(Position):
    """Bid words and numbers in turn, and get a card for each; a pass ends it."""

    ACTIONS = ("bid 1", "bid 2", "pass")
    said: tuple[str | int, ...] = ()
    hands: tuple[tuple[str, ...] | Hidden, tuple[str, ...] | Hidden] = ((), ())

    def moves(self) -> list[str]:
        return [] if self.winner() is not None else list(self.ACTIONS)

    def apply(self, move: str) -> Self:
        said, hand = move if move == "pass" else int(move[-1]), self.hands[self.to_move]
        assert isinstance(hand, tuple)
        hands = put(self.hands, self.to_move, (*hand, "king" if hand else "ace"))
        return replace(self, to_move=1 - self.to_move, said=(*self.said, said), hands=hands)

    def winner(self) -> int | None:
        over = "pass" in self.said or len(self.said) == 3
        return self.to_move if over else None

    def view(self, seat: int) -> Self:
        hands = (self.hands[0], HIDDEN) if seat == 0 else (HIDDEN, self.hands[1])
        return replace(self, hands=hands)


def test_ranges_of_words_and_growing_tuples_are_inferred() -> None:
    observe = Observer(Auction)
    assert [entry.name for entry in observe.entries[3:]] == [
        *("said 1", "said 1 is pass", "said 2", "said 2 is pass", "said 3", "said 3 is pass"),
        *("my hands is hidden", "my hands 1 is ace", "my hands 1 is king"),
        *("my hands 2 is ace", "my hands 2 is king", "opponent's hands is hidden"),
        *("opponent's hands 1 is ace", "opponent's hands 1 is king"),
        *("opponent's hands 2 is ace", "opponent's hands 2 is king"),
    ]
    bids = Auction().play("bid 2").play("bid 1").play("pass")
    assert observe(bids, 0)[3:9].tolist() == [1, 0, 0.5, 0, 0, 1]
    assert observe(bids, 0)[9:].tolist() == [0, 1, 0, 0, 1, 1, 0, 0, 0, 0]
    assert observe(bids, 1)[9:].tolist() == [0, 1, 0, 0, 0, 1, 0, 0, 0, 0]


def test_declared_ranges_equal_the_inferred_ones() -> None:
    @dataclass(frozen=True, slots=True)
    class Declared(Auction):
        RANGES = {
            "said": UpTo(3, (range(1, 3), "pass")),
            "hands": (HIDDEN, UpTo(2, ("ace", "king"))),
        }

    assert Observer(Declared).entries == Observer(Auction).entries
    bids, same = (game().play("bid 2").play("pass") for game in (Declared, Auction))
    assert np.array_equal(Observer(Declared)(bids, 1), Observer(Auction)(same, 1))
    wrong: list[tuple[str | int, ...]] = [(1, 1, 1, 1), (3,), ("double",), (1, "double")]
    for said in wrong:
        with pytest.raises(DuelbookError, match="said may not be"):
            Observer(Declared)(Declared(said=said), 0)


def test_owner_in_a_growing_tuple_is_a_seat() -> None:
    @dataclass(frozen=True, slots=True)
    class Taken(Undeclared):
        RANGES = {"tricks": UpTo(2, OWNER)}
        tricks: tuple[int | None, ...] = ()

    observe = Observer(Taken)
    assert observe(Taken(tricks=(1,)), 0)[-4:].tolist() == [0, 1, 0, 0]
    assert observe(Taken(tricks=(1, 0)), 1)[-4:].tolist() == [1, 0, 0, 1]
    with pytest.raises(DuelbookError, match="tricks may not be"):
        observe(Taken(tricks=(None,)), 0)  # it would equal a trick that was not played


def test_chance_node_is_no_seats_turn() -> None:
    @dataclass(frozen=True, slots=True)
    class Rolled(Undeclared):
        CHANCE_MOVES = ("die 1",)

    assert Observer(Rolled)(Rolled(to_move=CHANCE), 0)[:3].tolist() == [0, 0, 0]
    assert Observer(Rolled)(Rolled(to_move=CHANCE), 1)[:3].tolist() == [1, 0, 0]


@dataclass(frozen=True, slots=True)
class Nested(Auction):
    """Records the words of each seat."""

    log: tuple[tuple[int, str], ...] = ()

    def apply(self, move: str) -> Self:
        after = Auction.apply(self, move)
        return replace(after, log=(*self.log, (self.to_move, move)))


def test_observation_without_a_fixed_size_is_refused_with_the_reason(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    with pytest.raises(DuelbookError, match="log holds tuples inside a tuple that changes"):
        Observer(Nested)
    monkeypatch.setattr("duelbook.encoding.observations.MAX_POSITIONS", 5)
    with pytest.raises(DuelbookError, match="does not say what said may hold, and the game has"):
        Observer(Auction)


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_describe_lists_every_entry_and_action(game: type[Position], run: Run) -> None:
    lines = run("describe", game.slug).stdout.splitlines()
    words = [" ".join(line.split()) for line in lines]
    for at, entry in enumerate(observer(game).entries):
        assert f"{at} {entry.name} {entry.meaning}" in words
    for at, action in enumerate(game.ACTIONS):
        assert f"{at} {action}" in words
