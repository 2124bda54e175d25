"""Small random games with draws, scores, chance, cycles and private cards, and simple solvers."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Any, ClassVar, Self

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy.optimize import linprog

from duelbook.position import CHANCE, DRAW, HIDDEN, Draw, Hidden, Position

Numbers = NDArray[np.float64]


# Games without secrets: a graph, cycles included -------------------------------------------------


@dataclass(frozen=True, slots=True)
class Graph(Position):
    """Walk over a graph: each node belongs to a seat or to chance, and leaves pay."""

    ACTIONS = ("go 0", "go 1", "go 2")
    CHANCE_MOVES = ("draw 0", "draw 1", "draw 2")
    player_1_starts = True
    largest_payoff = 3
    movers: ClassVar[tuple[int, ...]]
    edges: ClassVar[tuple[tuple[int, ...], ...]]
    weights: ClassVar[tuple[tuple[int, ...], ...]]
    leaves: ClassVar[tuple[int, ...]]

    node: int = 0

    @classmethod
    def start(cls, first: int = 0) -> Self:  # noqa: ARG003 # the graph says who moves
        return cls(cls.movers[0], 0)

    def moves(self) -> list[str]:
        word = "draw" if self.to_move == CHANCE else "go"
        return [f"{word} {n}" for n in range(len(self.edges[self.node]))]

    def odds(self) -> dict[str, int]:
        return dict(zip(self.moves(), self.weights[self.node], strict=False))

    def apply(self, move: str) -> Self:
        node = self.edges[self.node][int(move.split()[1])]
        return replace(self, node=node, to_move=self.movers[node])

    def payoff(self) -> int | None:
        return None if self.edges[self.node] else self.leaves[self.node]


@st.composite
def graphs(draw: st.DrawFn, *, size: int = 9, largest: int = 3) -> type[Graph]:
    """Draw a random graph with a few inner nodes."""
    inner = draw(st.integers(1, size - 3))
    movers = [draw(st.sampled_from((0, 1, CHANCE))) for _ in range(inner)] + [0] * (size - inner)
    edges = [
        tuple(draw(st.lists(st.integers(0, size - 1), min_size=1, max_size=3, unique=True)))
        for _ in range(inner)
    ] + [()] * (size - inner)
    weights = [tuple(draw(st.integers(1, 3)) for _ in targets) for targets in edges]
    leaves = [draw(st.integers(-largest, largest)) for _ in range(size)]
    body: dict[str, Any] = {
        "movers": tuple(movers),
        "edges": tuple(edges),
        "weights": tuple(weights),
        "leaves": tuple(leaves),
        "largest_payoff": largest,
        "__doc__": "A random graph.",
    }
    return dataclass(frozen=True)(type("RandomGraph", (Graph,), body))


def value_by_brute_force(game: type[Graph]) -> float:
    """Return the value of the start: compare all pairs of positional strategies."""
    first_nodes = [n for n, out in enumerate(game.edges) if out and game.movers[n] == 0]
    second_nodes = [n for n, out in enumerate(game.edges) if out and game.movers[n] == 1]

    def strategies(nodes: list[int]) -> list[dict[int, int]]:
        return [dict(zip(nodes, c, strict=True)) for c in product(*(game.edges[n] for n in nodes))]

    rows = [
        [_payoff(game, first | second) for second in strategies(second_nodes)]
        for first in strategies(first_nodes)
    ]
    low, high = max(map(min, rows)), min(map(max, zip(*rows, strict=True)))
    assert low == high, "positional strategies suffice"
    return float(low)


def _payoff(game: type[Graph], chosen: dict[int, int]) -> Fraction:
    """Return the expected payoff from the start; play that never ends pays nothing."""
    size = len(game.edges)
    leads: list[dict[int, Fraction]] = []
    for node in range(size):
        if node in chosen:
            leads.append({chosen[node]: Fraction(1)})
        else:
            total = sum(game.weights[node])
            pairs = zip(game.edges[node], game.weights[node], strict=True)
            leads.append({after: Fraction(weight, total) for after, weight in pairs})
    ends = {node for node in range(size) if not leads[node]}
    while more := {n for n in range(size) if n not in ends and ends & set(leads[n])}:
        ends |= more
    unknown = sorted(n for n in ends if leads[n])
    if 0 not in ends:
        return Fraction(0)
    if not leads[0]:
        return Fraction(game.leaves[0])
    matrix = [
        [Fraction(int(a == b)) - leads[a].get(b, Fraction(0)) for b in unknown]
        + [
            sum(
                (
                    leads[a].get(e, Fraction(0)) * game.leaves[e]
                    for e in range(size)
                    if not leads[e]
                ),
                Fraction(0),
            )
        ]
        for a in unknown
    ]
    return _solve_equations(matrix)[unknown.index(0)]


def _solve_equations(matrix: list[list[Fraction]]) -> list[Fraction]:
    """Solve linear equations by elimination; the last column is the right-hand side."""
    size = len(matrix)
    for column in range(size):
        pivot = next(row for row in range(column, size) if matrix[row][column])
        matrix[column], matrix[pivot] = matrix[pivot], matrix[column]
        matrix[column] = [x / matrix[column][column] for x in matrix[column]]
        for row in range(size):
            if row != column and (factor := matrix[row][column]):
                pairs = zip(matrix[row], matrix[column], strict=True)
                matrix[row] = [x - factor * y for x, y in pairs]
    return [row[-1] for row in matrix]


# Games without chance and scores ------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Walk(Position):
    """Walk over a graph: each node belongs to a seat, and leaves are won by a seat or by nobody."""

    ACTIONS = tuple(f"go {n}" for n in range(4))
    player_1_starts = True
    movers: ClassVar[tuple[int, ...]]
    edges: ClassVar[tuple[tuple[int, ...], ...]]
    winners: ClassVar[tuple[int | Draw, ...]]

    node: int = 0

    @classmethod
    def start(cls, first: int = 0) -> Self:  # noqa: ARG003 # the graph says who moves
        return cls(cls.movers[0], 0)

    def moves(self) -> list[str]:
        return [f"go {n}" for n in range(len(self.edges[self.node]))]

    def apply(self, move: str) -> Self:
        node = self.edges[self.node][int(move.split()[1])]
        return replace(self, node=node, to_move=self.movers[node])

    def winner(self) -> int | Draw | None:
        return None if self.edges[self.node] else self.winners[self.node]


@st.composite
def walks(draw: st.DrawFn, *, size: int = 12) -> type[Walk]:
    """Draw a graph in which leaves are common, and mostly won."""
    inner = draw(st.integers(1, size - 3))
    node = st.integers(0, size - 1)
    edges = [
        tuple(draw(st.lists(node, min_size=1, max_size=4, unique=True))) for _ in range(inner)
    ] + [()] * (size - inner)
    body: dict[str, Any] = {
        "movers": tuple(draw(st.sampled_from((0, 1))) for _ in range(size)),
        "edges": tuple(edges),
        "winners": tuple(draw(st.sampled_from((0, 0, 1, 1, DRAW))) for _ in range(size)),
        "__doc__": "A random walk.",
    }
    return dataclass(frozen=True)(type("RandomWalk", (Walk,), body))


def plies_to_win(position: Position, seat: int, max_plies: int) -> int | None:
    """Return the number of plies in which a seat can force a win; try 0, 1, 2 up to `max_plies`."""

    @cache
    def within(node: Position, plies: int) -> bool:
        if node.winner() is not None or plies == 0:
            return node.winner() == seat
        after = (within(node.play(move), plies - 1) for move in node.moves())
        return any(after) if node.to_move == seat else all(after)

    return next((plies for plies in range(max_plies + 1) if within(position, plies)), None)


# Games with private cards ----------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class PrivateCards(Position):
    """Chance deals private cards, the seats say yes or no in turn, and cards and words pay."""

    ACTIONS = ("no", "yes")
    CHANCE_MOVES = ("deal 0", "deal 1", "deal 2")
    player_1_starts = True
    largest_payoff = 3
    deals: ClassVar[tuple[tuple[int, ...], ...]]
    """The weight of each card of the second seat, for each card of the first."""
    speakers: ClassVar[tuple[int, ...]]
    """The seat that speaks at each turn."""
    stops: ClassVar[frozenset[tuple[str, ...]]]
    """The sequences of words that end the game early."""
    pays: ClassVar[dict[tuple[object, ...], int]]

    to_move: int = CHANCE
    cards: tuple[int | Hidden | None, int | Hidden | None] = (None, None)
    words: tuple[str, ...] = ()

    def moves(self) -> list[str]:
        if self.is_over():
            return []
        if self.to_move != CHANCE:
            return list(self.ACTIONS)
        return [
            move for move, weight in zip(self.CHANCE_MOVES, self._weights(), strict=True) if weight
        ]

    def _weights(self) -> tuple[int, ...]:
        if self.cards[0] is None:
            return tuple(sum(row) for row in self.deals)
        assert isinstance(self.cards[0], int)
        return self.deals[self.cards[0]]

    def odds(self) -> dict[str, int]:
        pairs = zip(self.CHANCE_MOVES, self._weights(), strict=True)
        return {move: weight for move, weight in pairs if weight}

    def apply(self, move: str) -> Self:
        if self.to_move == CHANCE:
            card = int(move.split()[1])
            if self.cards[0] is None:
                return replace(self, cards=(card, None))
            return replace(self, cards=(self.cards[0], card), to_move=self.speakers[0])
        words = (*self.words, move)
        next_seat = self.speakers[len(words)] if len(words) < len(self.speakers) else 0
        return replace(self, words=words, to_move=next_seat)

    def is_over(self) -> bool:
        return self.words in self.stops or len(self.words) == len(self.speakers)

    def payoff(self) -> int | None:
        if not self.is_over():
            return None
        return self.pays[self.cards[0], self.cards[1], self.words]

    def view(self, seat: int) -> Self:
        if self.is_over():
            return self
        ours, theirs = self.cards
        if seat == 0:
            return replace(self, cards=(ours, None if theirs is None else HIDDEN))
        return replace(self, cards=(None if ours is None else HIDDEN, theirs))


@st.composite
def private_card_games(draw: st.DrawFn) -> type[PrivateCards]:
    """Draw a game with one to three cards and one to three words, but not three of both."""
    turns = draw(st.integers(1, 3))
    size = draw(st.integers(1, 2 if turns == 3 else 3))
    deals = [
        tuple(
            draw(st.integers(0, 3)) if ours < size and theirs < size else 0 for theirs in range(3)
        )
        for ours in range(3)
    ]
    deals[0] = (deals[0][0] + 1, *deals[0][1:])  # at least one deal is possible
    speakers = tuple(draw(st.sampled_from((0, 1))) for _ in range(turns))
    talks = [talk for n in range(1, turns + 1) for talk in product(PrivateCards.ACTIONS, repeat=n)]
    stops = frozenset(talk for talk in talks if draw(st.integers(0, 4)) == 0)
    pays = {
        (ours, theirs, talk): draw(st.integers(-3, 3))
        for ours in range(3)
        for theirs in range(3)
        for talk in talks
    }
    body: dict[str, Any] = {
        "deals": tuple(deals),
        "speakers": speakers,
        "stops": stops,
        "pays": pays,
        "__doc__": "A random game with private cards.",
    }
    return dataclass(frozen=True)(type("RandomCards", (PrivateCards,), body))


def value_in_normal_form(game: type[PrivateCards]) -> float:
    """Return the value by a linear program over all pure strategies of both seats."""

    def strategies(seat: int) -> list[dict[tuple[object, ...], str]]:
        looks = [
            (card, talk)
            for card in range(3)
            for n, speaker in enumerate(game.speakers)
            if speaker == seat
            for talk in product(game.ACTIONS, repeat=n)
            if not any(talk[:k] in game.stops for k in range(1, n + 1))
            and any(row[card] if seat else game.deals[card][k] for k, row in enumerate(game.deals))
        ]
        return [
            dict(zip(looks, words, strict=True))
            for words in product(game.ACTIONS, repeat=len(looks))
        ]

    def payoff(ours: dict[tuple[object, ...], str], theirs: dict[tuple[object, ...], str]) -> float:
        total = sum(map(sum, game.deals))
        paid = 0.0
        for first, row in enumerate(game.deals):
            for second, weight in enumerate(row):
                if not weight:
                    continue
                talk: tuple[str, ...] = ()
                while talk not in game.stops and len(talk) < len(game.speakers):
                    speaker = game.speakers[len(talk)]
                    word = (theirs if speaker else ours)[second if speaker else first, talk]
                    talk = (*talk, word)
                paid += weight / total * game.pays[first, second, talk]
        return paid

    matrix = np.array([[payoff(a, b) for b in strategies(1)] for a in strategies(0)])
    return _matrix_value(matrix)


def _matrix_value(matrix: Numbers) -> float:
    rows, columns = matrix.shape
    solved = linprog(
        np.append(np.zeros(rows), -1.0),
        A_ub=np.column_stack([-matrix.T, np.ones(columns)]),
        b_ub=np.zeros(columns),
        A_eq=np.append(np.ones(rows), 0.0)[None],
        b_eq=[1.0],
        bounds=[(0, None)] * rows + [(None, None)],
    )
    return -float(solved.fun or 0.0)
