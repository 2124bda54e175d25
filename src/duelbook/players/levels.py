"""The levels for people: perfect play, and perfect play that errs now and then."""

from __future__ import annotations

from itertools import islice
from random import Random
from typing import Literal, get_args

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.exact.oracle import Oracle
from duelbook.exact.search import Search
from duelbook.players.simple import AtRandom
from duelbook.position import Position

Level = Literal["easy", "medium", "hard", "perfect"]
LEVELS: tuple[Level, ...] = get_args(Level)
SLIPS: dict[Level, float] = {"easy": 0.7, "medium": 0.4, "hard": 0.15, "perfect": 0.0}
"""How often a level plays any move instead of a best one."""
MOST_CANDIDATES = 6
SMALL = 100_000


_oracles: dict[type[Position], Oracle] = {}


def oracle_for(game: type[Position]) -> Oracle:
    """Return who knows a game: its solution if it is small, or else a search.

    It is the same every time, whatever is kept on disk, so that games can be repeated.
    """
    if game not in _oracles:
        _oracles[game] = _best_oracle(game)
    return _oracles[game]


def _best_oracle(game: type[Position]) -> Oracle:
    from duelbook.exact.enumeration import enumerate_game
    from duelbook.exact.solver import solve, solve_table

    if secrecy.keeps_secrets(game):
        return solve(game)
    if game.vectors:
        return Search(game)
    try:
        return solve_table(enumerate_game(game, most=SMALL))
    except DuelbookError:
        return Search(game)


class Perfect:
    """Plays best, with manners.

    A won game is won as fast as can be, a lost one resisted as long as can be. Among equally good
    moves it takes the one after which most replies are mistakes.
    """

    def __init__(self, oracle: Oracle | None = None) -> None:
        self._oracle = oracle
        self._known: dict[Position, dict[str, float]] = {}

    def choose(self, view: Position, random: Random) -> str:
        """Return a best move; where best play is mixed, each as often as it should be."""
        oracle = self._oracle or oracle_for(type(view))
        if not view.moves():
            raise DuelbookError("There is no move to choose.")
        if isinstance(oracle, Search):  # a fresh one: what it finds must not depend on the past
            return _searched(Search(type(view)), view, random)
        if view not in self._known:
            self._known[view] = self._shares(oracle, view)
        shares = self._known[view]
        return random.choices(list(shares), weights=list(shares.values()))[0]

    def _shares(self, oracle: Oracle, view: Position) -> dict[str, float]:
        shares = {move: share for move, share in oracle.strategy(view).items() if share > 0}
        if secrecy.is_sealed(view, ()) or len(shares) == 1:
            return shares
        step = -(-len(shares) // MOST_CANDIDATES)  # some of each kind, where there are many
        traps = {move: _trap(oracle, view.play(move)) for move in list(shares)[::step]}
        return {move: 1.0 for move, trap in traps.items() if trap == max(traps.values())}


def _trap(oracle: Oracle, position: Position) -> float:
    """Return the share of replies that throw away what the best reply keeps."""
    if not position.moves():
        return 1.0
    worths = [_sign(worth) for worth in oracle.worths(position).values()]
    return sum(worth < max(worths) for worth in worths) / len(worths)


def _searched(search: Search, position: Position, random: Random) -> str:
    """Return a best move without looking at all of them, which would take a search long."""
    legal = random.sample(position.moves(), k=len(position.moves()))
    if not search.score(position):
        return random.choice(search.best_moves(position))
    best = (move for move in legal if search.keeps(position, move))
    if search.score(position) > 0:
        return next(best)
    wrong = {}
    for move in islice(best, MOST_CANDIDATES):
        after = position.play(move)
        replies = after.moves()
        # Of a search, replies that keep less than all they could are the mistakes to be had.
        right = sum(search.keeps(after, reply) for reply in replies)
        wrong[move] = 1 - right / len(replies) if replies else 1.0
    return max(wrong, key=lambda move: wrong[move])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Fallible:
    """Plays best most of the time, and any move the rest of the time."""

    def __init__(self, slips: float, oracle: Oracle | None = None) -> None:
        self.slips = slips
        self._best, self._any = Perfect(oracle), AtRandom()

    def choose(self, view: Position, random: Random) -> str:
        """Return a best move, or any."""
        player = self._any if random.random() < self.slips else self._best
        return player.choose(view, random)


def level(name: str, argument: str = "", oracle: Oracle | None = None) -> Perfect | Fallible:
    """Return the player of a level, or of `perfect` with the share of its slips."""
    share = slips(name, argument)
    return Fallible(share, oracle) if share else Perfect(oracle)


def slips(name: str, argument: str = "") -> float:
    """Return how often the player of a level makes any move instead of a best one."""
    if not argument:
        return next(share for one, share in SLIPS.items() if one == name)
    if name != "perfect":
        raise DuelbookError(f"The level {name} takes no number.")
    try:
        share = float(argument)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise DuelbookError(f"The share of slips is a number from 0 to 1, not {argument!r:.20}.")
    return share
