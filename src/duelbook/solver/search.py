"""Exact search from one position, without a table: iterative deepening with stored results.

Each step searches one ply deeper for a forced win, so the first win found is the fastest.
"""

from __future__ import annotations

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.position import Position, has_scores
from duelbook.solver.oracle import TOP, Oracle

DEPTH = 64
NODES = 100_000
SMALL_GAME_POSITIONS = 100_000
"""The maximum number of positions of a game that is solved for play although it can be searched."""


def can_be_searched(game: type[Position]) -> bool:
    """Return whether a search can play a game: it has no hidden information, chance or scores."""
    return not (secrecy.keeps_secrets(game) or game.CHANCE_MOVES or has_scores(game))


class Search(Oracle):
    """Solves positions of a game with perfect information on demand, and stores the results.

    The score of a position is 0 if a search of `nodes` nodes does not decide it.
    """

    def __init__(self, game: type[Position], *, nodes: int = NODES, depth: int = DEPTH) -> None:
        if secrecy.keeps_secrets(game):
            raise DuelbookError(f"{game.title} has secrets, and a search cannot solve such games.")
        self.game = game
        self._max_nodes, self._depth = nodes, depth
        self._left = 0
        self._wins: dict[tuple[Position, int], bool] = {}
        self._loses: dict[tuple[Position, int], bool] = {}
        self._scores: dict[Position, int] = {}

    def score(self, position: Position) -> int:
        """Return the score of a position for the player to move."""
        if position not in self._scores:
            self._left = self._max_nodes
            self._scores[position] = self._search(position)
        return self._scores[position]

    @property
    def is_certain(self) -> bool:
        """Return False: a score of 0 does not prove that neither side can force a win."""
        return False

    def strategy(self, position: Position) -> dict[str, float]:
        """Return the probability of each move in best play, with little search."""
        legal = position.moves()
        if not self.score(position):  # the moves together get the same number of nodes
            glance = Search(self.game, nodes=self._max_nodes // len(legal) + 1, depth=self._depth)
            return Oracle.strategy(glance, position)
        best = [move for move in legal if self.is_optimal(position, move)]
        return {move: (move in best) / len(best) for move in legal}

    def is_optimal(self, position: Position, move: str) -> bool:
        """Return whether a move preserves the score of its position."""
        score, after = self.score(position), position.apply(move)
        plies = TOP - abs(score) - 1
        again = after.to_move == position.to_move
        self._left = self._max_nodes
        try:
            if score > 0:
                return (self._wins_within if again else self._loses_within)(after, plies)
            if score < 0:  # the loss must not come sooner
                beaten = self._loses_within if again else self._wins_within
                return plies == 0 or not beaten(after, plies - 1)
        except _OutOfTimeError:
            return False
        return self.score_after(position, after, 1) >= 0

    def _search(self, position: Position) -> int:
        try:
            for plies in range(self._depth + 1):
                if self._wins_within(position, plies):
                    return TOP - plies
                if self._loses_within(position, plies):
                    return plies - TOP
        except _OutOfTimeError:
            pass
        return 0

    def _wins_within(self, position: Position, plies: int) -> bool:
        winner = position.winner()
        if winner is not None or plies == 0:
            return winner == position.to_move
        return self._any(self._wins, position, plies, win=True)

    def _loses_within(self, position: Position, plies: int) -> bool:
        winner = position.winner()
        if winner is not None or plies == 0:
            return winner == 1 - position.to_move
        return not self._any(self._loses, position, plies, win=False)

    def _any(
        self,
        known: dict[tuple[Position, int], bool],
        position: Position,
        plies: int,
        *,
        win: bool,
    ) -> bool:
        """Return whether some move wins in time, or (if not `win`) does not lose in time."""
        if (position, plies) not in known:
            self._left -= 1
            if self._left < 0:
                raise _OutOfTimeError
            known[position, plies] = any(
                self._reaches_within(position, position.apply(move), plies - 1, win=win)
                for move in position.moves()
            )
        return known[position, plies]

    def _reaches_within(
        self, position: Position, after: Position, plies: int, *, win: bool
    ) -> bool:
        again = after.to_move == position.to_move
        if win:
            return (self._wins_within if again else self._loses_within)(after, plies)
        return not (self._loses_within if again else self._wins_within)(after, plies)


class _OutOfTimeError(Exception):
    pass
