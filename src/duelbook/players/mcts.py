"""Monte Carlo tree search over information sets."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import log, sqrt
from random import Random

from duelbook.chance import draw
from duelbook.players.information_sets import prepare_worlds, worlds
from duelbook.players.player import Player
from duelbook.position import CHANCE, Position

EXPLORATION = 1.4
MAX_PLAYOUT_PLIES = 200  # an unfinished playout counts as half a win for each side


@dataclass
class _Node:
    """The statistics of the moves tried from one view, for the player to move."""

    tried: dict[str, int] = field(default_factory=dict)
    won: dict[str, float] = field(default_factory=dict)

    def pick(self, legal: list[str], random: Random) -> str:
        fresh = [move for move in legal if move not in self.tried]
        if fresh:
            return random.choice(fresh)
        total = log(sum(self.tried[move] for move in legal))

        def upper_bound(move: str) -> float:
            tried = self.tried[move]
            return self.won[move] / tried + EXPLORATION * sqrt(total / tried)

        return max(legal, key=upper_bound)


class Mcts(Player):
    """Runs a number of playouts from the current position, guided by UCT.

    A node belongs to a view, so that no choice depends on hidden information. Each playout starts
    from a random position of the player's information set.
    """

    def __init__(self, playouts: int) -> None:
        self.playouts = playouts

    def prepare(self, game: type[Position]) -> None:
        """Refuse a game with secrets that has too many positions."""
        prepare_worlds(game)

    def choose(self, view: Position, random: Random) -> str:
        """Return the move with the most playouts."""
        legal, possible = view.moves(), worlds(view)
        if len(legal) == 1:
            return legal[0]
        nodes: dict[Position, _Node] = {}
        for _ in range(self.playouts):
            self._playout(random.choice(possible), nodes, random)
        tried = nodes[view.view(view.to_move)].tried
        return max(legal, key=lambda move: tried.get(move, 0))

    def _playout(self, position: Position, nodes: dict[Position, _Node], random: Random) -> None:
        path: list[tuple[_Node, int, str]] = []
        in_tree = True
        for _ in range(MAX_PLAYOUT_PLIES):
            legal = position.moves()
            if not legal:
                break
            if position.to_move == CHANCE:
                move = draw(position, random)
            elif in_tree:
                look = position.view(position.to_move)
                in_tree = look in nodes
                node = nodes.setdefault(look, _Node())
                move = node.pick(legal, random)
                path.append((node, position.to_move, move))
            else:
                move = random.choice(legal)
            position = position.apply(move)
        outcome = position.outcome()
        for node, seat, move in path:
            node.tried[move] = node.tried.get(move, 0) + 1
            paid = 0.0 if outcome is None else outcome.payoffs[seat] / position.largest_payoff
            share = (1 + paid) / 2
            node.won[move] = node.won.get(move, 0.0) + share
