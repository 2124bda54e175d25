"""The exact solution of every position of a game, for both players.

A solution has wins, losses and the plies to the end. With chance, scores or mixed strategies it
also has expected values.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.position import CHANCE, Position, has_scores
from duelbook.solver.oracle import VALUE_TOLERANCE, Oracle, same_side
from duelbook.solver.tables.position_table import PositionIndex
from duelbook.solver.values.matrix_games import mixture, saddle
from duelbook.solver.values.scoring import Scores, one_ply_later


@dataclass(frozen=True, eq=False)
class Solution(Oracle):
    """The result of best play from every position, for the player to move."""

    game: type[Position]
    first: int
    positions: PositionIndex
    scores: Scores = field(repr=False)
    solve_other_start: Callable[[], Solution] = field(repr=False)
    """Solves the game that the other seat starts."""
    mixed: NDArray[np.float64] | None = field(default=None, repr=False)
    infosets: NDArray[np.int32] | None = field(default=None, repr=False)
    value_error: float = 0.0
    """The proven maximum error of a value."""

    def score(self, position: Position) -> int:
        """Return the score of a position for the player to move."""
        home, numbers = self._find(position)
        return int(home.scores[numbers[0]])

    @property
    def is_mixed(self) -> bool:
        """Return whether values are expectations, because of mixed strategies, chance or scores."""
        return self.mixed is not None

    @property
    def size(self) -> str:
        """The size of the game, in words."""
        return f"{len(self.positions):,} positions"

    @property
    def values(self) -> NDArray[np.float64]:
        """The value of every position for the player to move."""
        return np.sign(self.scores).astype(np.float64) if self.mixed is None else self.mixed

    def value(self, position: Position) -> float:
        """Return 1 for a win, -1 for a loss, 0 if neither is forced, or an expected value."""
        home, numbers = self._find(position)
        if home.mixed is not None:
            return float(home.mixed[numbers[0]])
        return int(np.sign(home.scores[numbers[0]]))

    def strategy(self, position: Position) -> dict[str, float]:
        """Return the probability of each move in best play; equal moves are equally likely."""
        legal = position.moves()
        if position.to_move == CHANCE or not legal:
            return {}
        if self.infosets is None:
            return super().strategy(position)
        home, numbers = self._find(position)
        if len(numbers) > 1:
            return self._answers([home.positions[number] for number in numbers], legal)
        return self._choices(
            home.positions[numbers[0]], legal
        )  # all positions of an information set have one value

    def move_values(self, position: Position) -> dict[str, float]:
        """Return the value of every move; hidden choices and answers meet best play."""
        if self.infosets is None:
            return super().move_values(position)
        home, numbers = self._find(position)
        members = [home.positions[number] for number in numbers]
        if len(members) > 1:
            return self._answer_values(members, position.moves())
        return self._choice_values(members[0])

    def _answer_values(self, members: list[Position], legal: list[str]) -> dict[str, float]:
        """Return the value of each answer to a hidden choice against the best choices."""
        mover = members[0].to_move
        grid = [[position.apply(answer) for answer in legal] for position in members]
        rows, _ = self._shares(grid, 1 - mover)
        values = np.array([[self.value_for(mover, after) for after in row] for row in grid])
        return dict(zip(legal, (rows @ values / rows.sum()).tolist(), strict=True))

    def _choice_values(self, position: Position) -> dict[str, float]:
        """Return the value of each move; secret moves meet the best answers."""
        values: dict[str, float] = {}
        hidden: dict[Position, list[str]] = {}
        for move in position.moves():
            after = position.apply(move)
            values[move] = 0.0
            if after.to_move != CHANCE and secrecy.hidden_from_mover(after):
                hidden.setdefault(after.view(after.to_move), []).append(move)
            else:
                values[move] = self.value_for(position.to_move, after)
        for moves in hidden.values():
            answers = position.apply(moves[0]).moves()
            grid = [[position.apply(move).apply(answer) for answer in answers] for move in moves]
            _, columns = self._shares(grid, position.to_move)
            for move, row in zip(moves, grid, strict=True):
                paid = [self.value_for(position.to_move, after) for after in row]
                values[move] = float(columns @ np.array(paid) / columns.sum())
        return values

    def move_scores(self, position: Position) -> dict[str, int]:
        """Return the score of every move; vectors compute all of them in one step."""
        after = None if self.infosets is not None else self.positions.after(position)
        if after is None:
            return super().move_scores(position)
        again = (after[1] == 1) == (position.to_move == 1)
        later = one_ply_later(self.scores[after[0]]) * np.where(again, 1, -1)
        return dict(zip(position.moves(), later.tolist(), strict=True))

    # Secret choices ---------------------------------------------------------------------------

    def _choices(self, position: Position, legal: list[str]) -> dict[str, float]:
        """Return the strategy of a player who may make a hidden choice."""
        shares = dict.fromkeys(legal, 0.0)
        hidden: dict[Position, list[str]] = {}
        for move in legal:
            after = position.apply(move)
            if not self._preserves_value(position, after):
                continue
            if secrecy.hidden_from_mover(after):
                hidden.setdefault(after.view(after.to_move), []).append(move)
            else:
                shares[move] = 1.0
        for moves in hidden.values():
            answers = position.apply(moves[0]).moves()
            grid = [[position.apply(move).apply(answer) for answer in answers] for move in moves]
            rows, _ = self._shares(grid, position.to_move)
            shares |= {move: float(share) for move, share in zip(moves, rows, strict=True)}
            if any(share not in (0, 1) for share in rows):  # a mixed strategy replaces the rest
                shares = {move: shares[move] if move in moves else 0.0 for move in legal}
                break
        total = sum(shares.values())
        return {move: share / total for move, share in shares.items()}

    def _preserves_value(self, position: Position, after: Position) -> bool:
        score = self.score(position)
        if self._is_decided(score) or self.mixed is None:
            return self.score_after(position, after, 1) == score
        return abs(self.value_for(position.to_move, after) - self.value(position)) < VALUE_TOLERANCE

    def _answers(self, positions: list[Position], legal: list[str]) -> dict[str, float]:
        """Return the strategy of the player who answers a hidden choice."""
        grid = [[position.apply(answer) for answer in legal] for position in positions]
        _, columns = self._shares(grid, 1 - positions[0].to_move)
        total = float(columns.sum())
        return {move: float(share) / total for move, share in zip(legal, columns, strict=True)}

    def _shares(
        self, grid: list[list[Position]], seat: int
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Return the probabilities of the hidden choices (rows) and of the answers (columns)."""
        signs = np.array(
            [[1 if same_side(position.to_move, seat) else -1 for position in row] for row in grid]
        )
        scores = signs * np.array([[self.score(position) for position in row] for row in grid])
        pure = saddle(scores)
        if pure.value is None or (self.mixed is not None and not self._is_decided(pure.value)):
            values = signs * np.array([[self.value(position) for position in row] for row in grid])
            return mixture(values)[1:]
        rows, columns = np.zeros(scores.shape[0]), np.zeros(scores.shape[1])
        rows[pure.rows], columns[pure.columns] = 1.0, 1.0
        return rows, columns

    def _is_decided(self, score: int) -> bool:
        """Return whether a score decides a position; with scores, the payoff counts too."""
        return bool(score) and not has_scores(self.game)

    # Finding positions ------------------------------------------------------------------------

    def _find(self, position: Position) -> tuple[Solution, list[int]]:
        """Return the positions of the same information set, and the solution that contains them.

        They may be in the solution of the game that the other seat starts.
        """
        if numbers := self.alike(position):
            return self, numbers
        if numbers := self._other_start.alike(position):
            return self._other_start, numbers
        raise DuelbookError(f"That position of {self.game.title} cannot be reached: {position!r}.")

    def alike(self, position: Position) -> list[int]:
        """Return the numbers of the positions in the information set of the player to move."""
        if self.infosets is not None and position.to_move != CHANCE:
            return self._by_look.get(position.view(position.to_move), [])
        number = self.positions.find(position)
        return [] if number is None else [number]

    @cached_property
    def _other_start(self) -> Solution:
        return self.solve_other_start()

    @cached_property
    def _by_look(self) -> dict[Position, list[int]]:
        looks: dict[Position, list[int]] = {}
        for number, position in enumerate(self.positions.known):
            if position.to_move != CHANCE:
                looks.setdefault(position.view(position.to_move), []).append(number)
        return looks
