"""The levels: perfect play, and perfect play with slips (random moves)."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import islice
from random import Random
from threading import Lock
from typing import Literal, get_args

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.players.player import Player
from duelbook.players.simple_players import RandomPlayer
from duelbook.position import Position, has_scores
from duelbook.solver.oracle import Oracle
from duelbook.solver.search import Search

Level = Literal["easy", "medium", "hard", "perfect"]
LEVELS: tuple[Level, ...] = get_args(Level)
SLIPS: dict[Level, float] = {"easy": 0.7, "medium": 0.4, "hard": 0.15, "perfect": 0.0}
"""The probability that a level slips: it plays a random move instead of a best one."""
MAX_CANDIDATES = 6
SMALL_GAME_POSITIONS = 100_000
MAX_POSITIONS = 5_000_000
"""The limit for games with chance, scores or secrets, which need a full solution."""


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
            try:
                _oracles[game] = _best_oracle(game)
            except DuelbookError as error:
                _refused[game] = str(error)
                raise
        return _oracles[game]


def _best_oracle(game: type[Position]) -> Oracle:
    from duelbook.solver.enumeration.enumerator import enumerate_game
    from duelbook.solver.solution import read_solution
    from duelbook.solver.solve import solve, solve_table

    if not _can_be_searched(game):
        return solve(game, max_positions=game.max_positions or MAX_POSITIONS)
    stored = read_solution(game)
    if stored is None and game.vectors:
        return solve(game)
    if stored is None:
        with suppress(DuelbookError):
            return solve_table(enumerate_game(game, max_positions=SMALL_GAME_POSITIONS))
    return stored or Search(game)


def _can_be_searched(game: type[Position]) -> bool:
    return not (secrecy.keeps_secrets(game) or game.CHANCE_MOVES or has_scores(game))


def _oracle_for_one_move(game: type[Position]) -> Oracle:
    """Return the fastest oracle for one move: a search, unless a solution is stored."""
    from duelbook.solver.solution import read_solution

    if game in _oracles or not game.vectors or not _can_be_searched(game):
        return oracle_for(game)
    if stored := read_solution(game):
        _oracles[game] = stored
    return stored or Search(game)


class Perfect(Player):
    """Plays best moves.

    It takes the fastest win or the slowest loss. Among equally good moves it takes the move with
    the largest share of replies that are mistakes.
    """

    remembers = False  # without private information, the view is enough

    def __init__(self, oracle: Oracle | None = None) -> None:
        self._oracle = oracle
        self._known: dict[Position, dict[str, float]] = {}

    def prepare(self, game: type[Position]) -> None:
        """Solve the game, or refuse a game that cannot be solved."""
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
            return _searched(Search(type(view)), view, random)
        if self._oracle is None and _is_large(oracle):  # a search finds the same move
            return _searched(oracle, view, random)
        if view not in self._known:
            self._known[view] = self._shares(oracle, view)
        shares = self._known[view]
        return random.choices(list(shares), weights=list(shares.values()))[0]

    def _shares(self, oracle: Oracle, view: Position) -> dict[str, float]:
        shares = {move: share for move, share in oracle.strategy(view).items() if share > 0}
        game = type(view)
        if len(shares) == 1 or game.CHANCE_MOVES or has_scores(game):
            return shares
        if oracle.has_private_information or secrecy.is_hidden_choice(view, ()):
            return shares
        step = -(-len(shares) // MAX_CANDIDATES)  # an even sample of the moves, if there are many
        traps = {move: _trap(oracle, view.apply(move)) for move in list(shares)[::step]}
        return {move: 1.0 for move, trap in traps.items() if trap == max(traps.values())}


def _trap(oracle: Oracle, position: Position) -> float:
    """Return the share of replies that are mistakes."""
    if not position.moves():
        return 1.0
    worths = [_sign(worth) for worth in oracle.worths(position).values()]
    return sum(worth < max(worths) for worth in worths) / len(worths)


def _is_large(oracle: Oracle) -> bool:
    """Return whether a game is so large that play without a stored solution is a search."""
    known: Sequence[Position] = getattr(oracle, "positions", ())
    return len(known) > SMALL_GAME_POSITIONS and _can_be_searched(type(known[0]))


def _searched(search: Oracle, position: Position, random: Random) -> str:
    """Return a best move without a search of all moves, which would take too long."""
    legal = random.sample(position.moves(), k=len(position.moves()))
    if not search.score(position):
        return random.choice(search.best_moves(position))
    best = (move for move in legal if search.keeps(position, move))
    if search.score(position) > 0:
        return next(best)
    wrong = {}
    for move in islice(best, MAX_CANDIDATES):
        after = position.apply(move)
        replies = after.moves()
        # With a search, every reply that does not keep the score counts as a mistake.
        right = sum(search.keeps(after, reply) for reply in replies)
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
        """Solve the game, or refuse a game that cannot be solved."""
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
