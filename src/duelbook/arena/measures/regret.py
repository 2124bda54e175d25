"""Regret: the value that each move of a game lost, by the exact solution of the game.

The value of a move is the value under best play after it, given what its player could know. The
regret of a move is the difference to the best move. So a game pays

    outcome = value of its start - own regret + opponent's regret + chance

where chance is the value of the chance outcomes that occurred, minus their expected value. With
hidden choices, the combination of both players' choices counts as a chance outcome, too. Without
chance and secrets, the term is 0.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.play.playthrough import Playthrough
from duelbook.position import CHANCE, Position
from duelbook.research.evaluation import mixtures, table_move_values
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution
from duelbook.solver.imperfect.tree_values import history_values, move_values, others_reach
from duelbook.solver.oracle import VALUE_TOLERANCE
from duelbook.solver.solution import Solution
from duelbook.solver.solve import AnySolution, solve, solve_table
from duelbook.solver.stored_tables import stored_table
from duelbook.solver.tables.position_table import Table

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Turn:
    """A move and its values, which are for Player 1."""

    ply: int
    """The number of moves before this move."""
    seat: int
    """The seat of its player, or CHANCE."""
    move: str
    before: float
    """The value of the game before the move, with best play on both sides."""
    after: float
    """The value after the move."""
    regret: float = 0.0
    """The value that the move lost; 0 for a best move."""
    mattered: bool = False
    """Whether the legal moves differed in value; in a lost position, none matters."""

    @property
    def chance_gain(self) -> float:
        """The gain of Player 1 from chance, above the expectation."""
        loss = 0.0 if self.seat == CHANCE else self.regret * (1 - 2 * self.seat)
        return self.after - self.before + loss

    @property
    def is_best(self) -> bool:
        """Return whether no move had a higher value."""
        return self.regret <= VALUE_TOLERANCE


class Judge(ABC):
    """Knows the value of each move of a game."""

    def __init__(self, game: type[Position]) -> None:
        self.game = game

    def turns(self, moves: Sequence[str]) -> list[Turn]:
        """Judge the moves of a game from its start; refuse an illegal move."""
        return self._judged(Playthrough(self.game.start(), moves).positions, moves)

    @abstractmethod
    def _judged(self, positions: Sequence[Position], moves: Sequence[str]) -> list[Turn]:
        """Judge the moves between positions."""

    @abstractmethod
    def move_values(self, positions: Sequence[Position], moves: Sequence[str]) -> dict[str, float]:
        """Return the value of each legal move for its player, after these moves."""

    @abstractmethod
    def values_after(self, positions: Sequence[Position], moves: Sequence[str]) -> dict[str, float]:
        """Return the value of the game for Player 1 after each possible next move."""

    @abstractmethod
    def start_value(self) -> float:
        """Return the value of the game for Player 1."""

    def mean_chance_gains(
        self, positions: Sequence[Position], moves: Sequence[str], turn: Turn
    ) -> list[float]:
        """Return the expected gain from chance in a turn, once for each way to average.

        Each must be 0. At a chance node, average over all outcomes. With hidden information,
        average over the mixed strategies of best play: of this move, and of the hidden choice.
        """
        path, before = positions[: turn.ply + 1], moves[: turn.ply]
        if turn.seat != CHANCE:
            return self._mean_gains_of_choice(path, before, turn)
        odds, values = path[-1].odds(), self.values_after(path, before)
        mean = sum(values[move] * weight for move, weight in odds.items()) / sum(odds.values())
        return [mean - turn.before]

    @abstractmethod
    def _mean_gains_of_choice(
        self, positions: Sequence[Position], moves: Sequence[str], turn: Turn
    ) -> list[float]:
        """Return the expected gains from chance at a player's move."""

    def value_after(self, turns: Sequence[Turn]) -> float:
        """Return the value of the game for Player 1 after these moves from its start."""
        return turns[-1].after if turns else self.start_value()


_judges: dict[type[Position], Judge] = {}


def judge(game: type[Position]) -> Judge:
    """Return the judge of a game; solve the game once, or refuse it if that is impossible."""
    if game not in _judges:
        _judges[game] = _judge(game)
    return _judges[game]


def _judge(game: type[Position]) -> Judge:
    if not secrecy.keeps_secrets(game):
        return _PerfectInformationJudge(game, solve(game, max_positions=game.max_positions))
    table = stored_table(game)
    solution = solve_table(table)
    if isinstance(solution, EquilibriumSolution):
        return _HistoryJudge(game, solution)
    return _HiddenChoiceJudge(table, solution)


class _PerfectInformationJudge(Judge):
    """Judges a game without secrets by the values of its positions."""

    def __init__(self, game: type[Position], solution: AnySolution) -> None:
        super().__init__(game)
        self._solution = solution

    def _value(self, position: Position) -> float:
        outcome = position.outcome()
        return self._solution.value_for(0, position) if outcome is None else outcome.payoffs[0]

    def start_value(self) -> float:
        return self._value(self.game.start())

    def _judged(self, positions: Sequence[Position], moves: Sequence[str]) -> list[Turn]:
        values = [self._value(position) for position in positions]
        turns = []
        for ply, move in enumerate(moves):
            seat, before, after = positions[ply].to_move, values[ply], values[ply + 1]
            lost = 0.0 if seat == CHANCE else (before - after) * (1 - 2 * seat)
            lost = lost if lost > VALUE_TOLERANCE else 0.0
            mattered = lost > 0 or self._matters(positions[ply], before)
            turns.append(Turn(ply, seat, move, before, after, lost, mattered))
        return turns

    def _matters(self, position: Position, value: float) -> bool:
        """Return whether some move loses value."""
        sign = 1 - 2 * position.to_move
        if position.to_move == CHANCE or value * sign <= VALUE_TOLERANCE - self.game.largest_payoff:
            return False
        after = (self._value(position.apply(move)) for move in position.moves())
        return any((value - later) * sign > VALUE_TOLERANCE for later in after)

    def move_values(self, positions: Sequence[Position], moves: Sequence[str]) -> dict[str, float]:
        sign = 1 - 2 * positions[-1].to_move
        return {move: sign * value for move, value in self.values_after(positions, moves).items()}

    def values_after(self, positions: Sequence[Position], moves: Sequence[str]) -> dict[str, float]:  # noqa: ARG002 # the position is enough
        position = positions[-1]
        return {move: self._value(position.apply(move)) for move in position.moves()}

    def _mean_gains_of_choice(
        self,
        positions: Sequence[Position],  # noqa: ARG002 # without secrets, a choice has no chance
        moves: Sequence[str],  # noqa: ARG002 # as above
        turn: Turn,
    ) -> list[float]:
        return [turn.chance_gain]


class _HiddenChoiceJudge(Judge):
    """Judges games in which the opponent answers a hidden choice at once; it uses their tables.

    The value of a hidden choice is its value against the mixed answer of best play. The value of an
    answer is its value against the mixed choice.
    """

    def __init__(self, table: Table, solution: Solution) -> None:
        super().__init__(table.game)
        self._table, self._solution = table, solution
        self._move_values: Numbers = table_move_values(self._table, self._solution)
        self._values = self._solution.values
        self._sets = {
            int(member): members for members in self._table.secret_sets for member in members
        }
        """The information set of each position that follows a hidden choice."""

    def start_value(self) -> float:
        return self._for_player_1(0, float(self._values[0]))

    def _for_player_1(self, number: int, value: float) -> float:
        return -value if self._table.mover[number] == 1 else value

    def _edges(self, position: Position) -> tuple[int, slice]:
        number = self._table.positions.find(position)
        assert number is not None  # noqa: S101 # a table has every position
        return number, slice(int(self._table.rows[number]), int(self._table.rows[number + 1]))

    def _after(self, position: Position, edge: int, next_position: Position) -> float:
        """Return the value of the game for Player 1 after a move of the table."""
        outcome = next_position.outcome()
        if outcome is not None:
            return outcome.payoffs[0]
        if secrecy.hidden_from_mover(next_position):  # a hidden choice without its answer yet
            return float(self._move_values[edge]) * (1 - 2 * position.to_move)
        target = int(self._table.after[edge])
        return self._for_player_1(target, float(self._values[target]))

    def values_after(self, positions: Sequence[Position], moves: Sequence[str]) -> dict[str, float]:  # noqa: ARG002 # the position is enough
        position = positions[-1]
        _, edges = self._edges(position)
        options = enumerate(position.moves(), start=edges.start)
        return {move: self._after(position, edge, position.apply(move)) for edge, move in options}

    def _judged(self, positions: Sequence[Position], moves: Sequence[str]) -> list[Turn]:
        turns, value = [], self.start_value()
        for ply, (position, move) in enumerate(zip(positions, moves, strict=False)):
            _, edges = self._edges(position)
            seat, chosen = position.to_move, edges.start + position.moves().index(move)
            after = self._after(position, chosen, positions[ply + 1])
            lost = self._move_values[edges].max() - self._move_values[chosen]
            lost = 0.0 if seat == CHANCE or lost <= VALUE_TOLERANCE else float(lost)
            mattered = seat != CHANCE and _differ(self._move_values[edges])
            turns.append(Turn(ply, seat, move, value, after, lost, mattered))
            value = after
        return turns

    def move_values(self, positions: Sequence[Position], moves: Sequence[str]) -> dict[str, float]:  # noqa: ARG002 # the position is enough
        _, edges = self._edges(positions[-1])
        return dict(zip(positions[-1].moves(), self._move_values[edges].tolist(), strict=True))

    def _mean_gains_of_choice(
        self,
        positions: Sequence[Position],
        moves: Sequence[str],  # noqa: ARG002 # the position is enough
        turn: Turn,
    ) -> list[float]:
        number, _ = self._edges(positions[-1])
        members = self._sets.get(number)
        if members is None:
            return [turn.chance_gain]
        choices, answers = mixtures(self._table, self._solution, members)
        sign = 1 - 2 * turn.seat
        # The value of each answer (column) to each hidden choice (row).
        values = np.array([self._values_of_answers(int(member)) for member in members])
        hidden = values @ answers  # the value of each choice against the mixed answer
        lost = turn.regret * sign
        choice = positions[-1].moves().index(turn.move)
        over_answers = float(hidden[members.tolist().index(number)] - turn.before)
        over_choices = float(choices @ (values[:, choice] - hidden) + lost)
        return [over_answers, over_choices]

    def _values_of_answers(self, number: int) -> list[float]:
        """Return the value of the game for Player 1 after each answer in a position."""
        position = self._table.positions[number]
        return list(self.values_after([position], []).values())


class _HistoryJudge(Judge):
    """Judges a game with private information by the values of its histories in an equilibrium."""

    def __init__(self, game: type[Position], solution: EquilibriumSolution) -> None:
        super().__init__(game)
        self._tree = solution.tree
        self._values = history_values(solution.tree, solution.shares)
        self._move_values, _ = move_values(solution.tree, solution.shares)
        self._shares = solution.shares
        self._reached_by_other_seat = others_reach(solution.tree, solution.shares) > VALUE_TOLERANCE
        """Whether the other seat's best play and chance allow each information set."""

    def start_value(self) -> float:
        return float(self._values[0])

    def _path(self, positions: Sequence[Position], moves: Sequence[str]) -> list[int]:
        """Return the numbers of the histories; the children of a history are consecutive."""
        path = [0]
        for position, move in zip(positions, moves, strict=False):
            path.append(self._first_after(path[-1]) + _options(position).index(move))
        return path

    def _first_after(self, history: int) -> int:
        return int(np.searchsorted(self._tree.parent, history))

    def values_after(self, positions: Sequence[Position], moves: Sequence[str]) -> dict[str, float]:
        first, options = (
            self._first_after(self._path(positions, moves)[-1]),
            _options(positions[-1]),
        )
        values = self._values[first : first + len(options)].tolist()
        return dict(zip(options, values, strict=True))

    def _choices(self, history: int) -> slice:
        begin = self._tree.first_choice[self._tree.infoset[history]]
        end = self._tree.first_choice[self._tree.infoset[history] + 1]
        return slice(int(begin), int(end))

    def _judged(self, positions: Sequence[Position], moves: Sequence[str]) -> list[Turn]:
        turns, path = [], self._path(positions, moves)
        for ply, (position, move) in enumerate(zip(positions, moves, strict=False)):
            lost, mattered = 0.0, False
            if position.to_move != CHANCE:
                values = self._move_values[self._choices(path[ply])]
                lost = float(values.max() - values[position.moves().index(move)])
                mattered = _differ(values)
            before, after = float(self._values[path[ply]]), float(self._values[path[ply + 1]])
            lost = lost if lost > VALUE_TOLERANCE else 0.0
            turns.append(Turn(ply, position.to_move, move, before, after, lost, mattered))
        return turns

    def move_values(self, positions: Sequence[Position], moves: Sequence[str]) -> dict[str, float]:
        values = self._move_values[self._choices(self._path(positions, moves)[-1])]
        return dict(zip(positions[-1].moves(), values.tolist(), strict=True))

    def _mean_gains_of_choice(
        self, positions: Sequence[Position], moves: Sequence[str], turn: Turn
    ) -> list[float]:
        history = self._path(positions, moves)[-1]
        choices = self._choices(history)
        shares, values = self._shares[choices], self._move_values[choices]
        after = list(self.values_after(positions, moves).values())
        means = [float(shares @ np.array(after) - turn.before)]
        if self._reached_by_other_seat[self._tree.infoset[history]]:
            means.append(float(values.max() - shares @ values))  # best play has no regret
        return means


def _differ(values: Numbers) -> bool:
    return bool(values.max() - values.min() > VALUE_TOLERANCE)


def _options(position: Position) -> list[str]:
    """Return the moves of a position in the order of a tree."""
    return list(position.odds()) if position.to_move == CHANCE else position.moves()
