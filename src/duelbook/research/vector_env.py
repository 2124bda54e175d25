"""`VectorEnv`: steps many copies of a game at once, with arrays."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib.util import find_spec
from sys import getrefcount
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duelbook.errors import DuelbookError
from duelbook.exact.kept_tables import table_of
from duelbook.exact.tables import Table, check_can_be_played
from duelbook.position import LUCK, PLY_LIMIT, Position
from duelbook.research.observations import Observation, TableObserver
from duelbook.research.simulation import check_whole, cores

if TYPE_CHECKING:  # they need numba
    from duelbook.research.compiled_lucky_steps import LuckySteps
    from duelbook.research.compiled_steps import PlainSteps

ROOM = 32
MOST = 2**31 - 1
WORDS = 2**64 - 1
MANY = 10_000
"""The number of games from which several threads pay off."""


@dataclass(frozen=True, eq=False)
class Batch:
    """The result of a step, one row per game; a game that ended has already restarted."""

    seats: NDArray[np.int8]
    """The seat to move now."""
    masks: NDArray[np.bool_]
    """The actions that are legal now."""
    rewards: NDArray[np.float32]
    """The reward of each seat: 1 for a win and -1 for a loss, or the game's score."""
    terminated: NDArray[np.bool_]
    """Whether the game ended."""
    truncated: NDArray[np.bool_]
    """Whether the game was cut at the limit."""
    illegal: NDArray[np.bool_]
    """Whether the action was illegal, which ends the game; its player loses the most there is."""
    reached: NDArray[np.int32]
    """The number of the position after the step and what fell then, before any restart."""


class _ArrayPool:
    """A pool of arrays, reused once nobody else refers to them, because allocation is slow."""

    def __init__(self) -> None:
        self._arrays: list[NDArray[Any]] = [np.empty(0)]
        self._unheld = self._holders(0)  # the number depends on the version of Python

    def _holders(self, at: int) -> int:
        return getrefcount(self._arrays[at])

    def take(self, shape: tuple[int, ...], dtype: type[np.generic]) -> NDArray[Any]:
        """Return an uninitialised array."""
        for at in range(len(self._arrays)):
            if self._holders(at) == self._unheld:
                array = self._arrays[at]
                if array.shape == shape and array.dtype == dtype:
                    return array
        array = np.empty(shape, dtype)
        if len(self._arrays) < ROOM:
            self._arrays.append(array)
        return array


def _steps_of(table: Table, limit: int, games: int, seed: int) -> PlainSteps | LuckySteps:
    """Return the compiled steps of a table; those without luck and scores are much faster."""
    from duelbook.research.compiled_lucky_steps import LuckySteps  # they need numba
    from duelbook.research.compiled_steps import PlainSteps

    if table.is_lucky or table.paid is not None:
        return LuckySteps(table, limit, games, seed)
    return PlainSteps(table, limit)


class VectorEnv:
    """Steps `n` games at once; each restarts after its end, and is cut after `limit` plies.

    What falls by luck is drawn before a step returns, and repeats with the seed.
    """

    def __init__(
        self,
        game: Table | type[Position] | str,
        n: int,
        *,
        first: int | None = None,
        limit: int = PLY_LIMIT,
        seed: int = 0,
    ) -> None:
        if find_spec("numba") is None:
            raise DuelbookError("VectorEnv needs numba: pip install 'duelbook[research]'.")
        check_whole("number of games", n, MOST)
        check_whole("limit", limit, MOST)
        check_whole("seed", seed, WORDS, least=0)
        self.table = table_of(game, first)
        check_can_be_played(self.table)
        self.game, self.n, self.limit = self.table.game, n, limit
        self._threads, self._buffers = cores(), _ArrayPool()
        many = n >= MANY and self._threads > 1
        self._pool = ThreadPoolExecutor(self._threads) if many else None
        self._steps = _steps_of(self.table, limit, n, seed)
        self._observe = TableObserver(self.table)
        self._mover = np.where(self.table.mover == LUCK, np.int8(0), self.table.mover)
        self.reset()

    def reset(self) -> Batch:
        """Restart all games."""
        self._here, self._plies = np.zeros(self.n, np.int32), np.zeros(self.n, np.int32)
        masks, seats = self._masks_and_seats()
        self._steps.begin((self._here, self._plies), masks, seats)
        none = np.zeros(self.n, np.bool_)
        rewards = np.zeros((self.n, 2), np.float32)
        return Batch(seats, masks, rewards, none, none.copy(), none.copy(), self._here.copy())

    def step(self, actions: ArrayLike) -> Batch:
        """Make a move in every game, given the action numbers."""
        chosen = np.asarray(actions)
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise DuelbookError(f"A step takes {self.n} integers, one for each game.")
        chosen = chosen.astype(np.int64, copy=False)
        rewards = self._buffers.take((self.n, 2), np.float32)
        ended = self._buffers.take((3, self.n), np.bool_)
        reached = self._buffers.take((self.n,), np.int32)
        masks, seats = self._masks_and_seats()
        state, result = (self._here, self._plies), (reached, rewards, ended, masks, seats)
        self._in_slices(lambda games: self._steps.step(games, state, chosen, result))
        terminated, truncated, illegal = ended
        return Batch(seats, masks, rewards, terminated, truncated, illegal, reached)

    def _masks_and_seats(self) -> tuple[NDArray[np.bool_], NDArray[np.int8]]:
        masks = self._buffers.take((self.n, len(self.game.ACTIONS)), np.bool_)
        return masks, self._buffers.take((self.n,), np.int8)

    def observe(
        self, seats: ArrayLike | None = None, positions: NDArray[np.int32] | None = None
    ) -> Observation:
        """Return the observations in every game, by default of the seat to move.

        `positions`, such as `Batch.reached`, replaces the current positions.
        """
        here = self._here if positions is None else np.asarray(positions)
        whose = self._mover[here] if seats is None else np.asarray(seats)
        if not np.isin(whose, (0, 1)).all() or whose.shape not in ((), here.shape):
            raise DuelbookError("A seat must be 0 or 1: give one for all games, or one for each.")
        return self._observe(here, np.broadcast_to(whose.astype(np.int8), here.shape))

    def sample(self, random: np.random.Generator) -> NDArray[np.int64]:
        """Return a random legal action for every game."""
        if not isinstance(random, np.random.Generator):
            raise DuelbookError("Pass a generator: numpy.random.default_rng(seed).")
        chosen = self._buffers.take((self.n,), np.int64)
        draws = random.integers(0, WORDS, (self.n + 1) // 2, np.uint64, endpoint=True)
        draws = draws.view(np.uint32)  # two from each 64-bit number, which is faster
        state = self._here, self._plies
        self._in_slices(lambda games: self._steps.pick(games, state, draws, chosen))
        return chosen

    def position(self, number: int) -> Position:
        """Return the current position of a game."""
        return self.table.positions[int(self._here[number])]

    def _in_slices(self, work: Callable[[slice], None]) -> None:
        """Divide the games among several threads, if there are many."""
        size = self.n if self._pool is None else -(-self.n // self._threads)
        mine, *others = [slice(begin, begin + size) for begin in range(0, self.n, size)]
        waiting = [self._pool.submit(work, games) for games in others] if self._pool else []
        work(mine)
        for one in waiting:
            one.result()
