"""The levels: perfect play, and perfect play with slips (random moves)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random
from threading import Lock

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.play.names import LEVELS, Level
from duelbook.players.player import Player
from duelbook.players.simple_players import RandomPlayer
from duelbook.position import Position, has_scores
from duelbook.solver.oracle import Oracle
from duelbook.solver.search import SMALL_GAME_POSITIONS, Search, can_be_searched

__all__ = ["LEVELS", "Level", "Perfect", "level", "oracle_for", "slips"]

SLIPS: dict[Level, float] = {"easy": 0.7, "medium": 0.4, "hard": 0.15, "perfect": 0.0}
"""The probability that a level slips: it plays a random move instead of a best one."""
MAX_CANDIDATES = 6


_oracles: dict[type[Position], Oracle] = {}
_refused: dict[type[Position], str] = {}
"""The reason why a game has no oracle."""
_locks: dict[type[Position], Lock] = {}


def oracle_for(game: type[Position]) -> Oracle:
    """Return the oracle of a game: its solution, or a search if the game is too large."""
    # A hint and an evaluation may call this from two threads at once; solve the game once.
    with _locks.setdefault(game, Lock()):
        if game in _refused:  # solving again would take as long
            raise DuelbookError(_refused[game])
        if game not in _oracles:
            from duelbook.solver.solve import solve_for_play  # slow to import

            try:
                _oracles[game] = solve_for_play(game)
            except DuelbookError as error:
                _refused[game] = str(error)
                raise
        return _oracles[game]


def _oracle_for_one_move(game: type[Position]) -> Oracle:
    """Return the fastest oracle for one move: a search, unless a solution is stored."""
    from duelbook.solver.solve import read_solution  # slow to import

    if game in _oracles or not game.vectors or not can_be_searched(game):
        return oracle_for(game)
    if stored := read_solution(game):
        _oracles[game] = stored
    return stored or Search(game)


class Perfect(Player):
    """Plays best moves.

    It takes the fastest win or the slowest loss. In a small game without chance, scores and
    secrets, it takes among equally good moves the one with the largest share of replies that are
    mistakes.
    """

    remembers = False  # without private information, the view is enough

    def __init__(self, oracle: Oracle | None = None) -> None:
        self._oracle = oracle
        self._strategies: dict[Position, dict[str, float]] = {}

    def prepare(self, game: type[Position]) -> None:
        """Prepare the solution or a search; refuse a game that has neither."""
        if self._oracle is None:
            _oracle_for_one_move(game)

    def choose_from_record(self, record: secrecy.SeatRecord, random: Random) -> str:
        """Return a move of best play, given the record of the seat."""
        view = record.view
        oracle = self._oracle or _oracle_for_one_move(type(view))
        if not oracle.has_private_information:
            return self.choose(view, random)
        shares = oracle.strategy_from(record)
        return random.choices(list(shares), weights=list(shares.values()))[0]

    def choose(self, view: Position, random: Random) -> str:
        """Return a best move, or sample one from the mixed strategy of best play."""
        oracle = self._oracle or _oracle_for_one_move(type(view))
        if not view.moves():
            raise DuelbookError("The position has no legal move.")
        if isinstance(oracle, Search):  # its result must not depend on earlier searches
            return _searched_move(Search(type(view)), view, random)
        if self._oracle is None and _is_large(oracle):  # a search finds the same move
            return _searched_move(oracle, view, random)
        if view not in self._strategies:
            self._strategies[view] = self._shares(oracle, view)
        shares = self._strategies[view]
        return random.choices(list(shares), weights=list(shares.values()))[0]

    def _shares(self, oracle: Oracle, view: Position) -> dict[str, float]:
        shares = {move: share for move, share in oracle.strategy(view).items() if share > 0}
        game = type(view)
        if len(shares) == 1 or game.CHANCE_MOVES or has_scores(game):
            return shares
        if oracle.has_private_information or secrecy.is_hidden_choice(view, ()):
            return shares
        step = -(-len(shares) // MAX_CANDIDATES)  # an even sample of the moves, if there are many
        traps = {move: _mistake_share(oracle, view.apply(move)) for move in list(shares)[::step]}
        return {move: 1.0 for move, trap in traps.items() if trap == max(traps.values())}


def _mistake_share(oracle: Oracle, position: Position) -> float:
    """Return the share of replies that are mistakes."""
    if not position.moves():
        return 1.0
    signs = [_sign(value) for value in oracle.move_scores(position).values()]
    return sum(sign < max(signs) for sign in signs) / len(signs)


def _is_large(oracle: Oracle) -> bool:
    """Return whether a game is so large that play without a stored solution is a search."""
    known: Sequence[Position] = getattr(oracle, "positions", ())
    return len(known) > SMALL_GAME_POSITIONS and can_be_searched(type(known[0]))


def _searched_move(search: Oracle, position: Position, random: Random) -> str:
    """Return a best move, and search only as many moves as it needs."""
    legal = random.sample(position.moves(), k=len(position.moves()))
    if not search.score(position):
        return random.choice(search.best_moves(position))
    best = (move for move in legal if search.is_optimal(position, move))
    if search.score(position) > 0:
        return next(best)
    wrong = {}
    for move in islice(best, MAX_CANDIDATES):
        after = position.apply(move)
        replies = after.moves()
        # With a search, every reply that does not keep the score counts as a mistake.
        right = sum(search.is_optimal(after, reply) for reply in replies)
        wrong[move] = 1 - right / len(replies) if replies else 1.0
    return max(wrong, key=lambda move: wrong[move])


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


class Fallible(Player):
    """Plays best moves, except for slips: random moves with a given probability."""

    remembers = False  # without private information, the view is enough

    def __init__(self, slips: float, oracle: Oracle | None = None) -> None:
        self.slips = slips
        self._best, self._any = Perfect(oracle), RandomPlayer()

    def prepare(self, game: type[Position]) -> None:
        """Prepare the solution or a search; refuse a game that has neither."""
        self._best.prepare(game)

    def choose_from_record(self, record: secrecy.SeatRecord, random: Random) -> str:
        """Return a best move, or a random one for a slip."""
        if random.random() < self.slips:
            return self._any.choose(record.view, random)
        return self._best.choose_from_record(record, random)

    def choose(self, view: Position, random: Random) -> str:
        """Return a best move, or a random one for a slip."""
        player = self._any if random.random() < self.slips else self._best
        return player.choose(view, random)


def level(name: str, argument: str = "", oracle: Oracle | None = None) -> Perfect | Fallible:
    """Return the player of a level; `perfect` takes a probability of slips as its argument."""
    share = slips(name, argument)
    return Fallible(share, oracle) if share else Perfect(oracle)


def slips(name: str, argument: str = "") -> float:
    """Return the probability that the player of a level slips."""
    if not argument:
        return next(share for level_name, share in SLIPS.items() if level_name == name)
    if name != "perfect":
        raise DuelbookError(f"The level {name} takes no argument.")
    try:
        share = float(argument)
    except ValueError:
        share = -1.0
    if not 0 <= share <= 1:
        raise DuelbookError(f"The probability of a slip must be from 0 to 1, not {argument!r:.20}.")
    return share
