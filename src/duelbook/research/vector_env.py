"""`VectorEnv`: steps many copies of a game at once, with arrays."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from sys import getrefcount
from typing import Any, Generic, Protocol, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duelbook.encoding.observations import Observation, TableObserver
from duelbook.errors import DuelbookError
from duelbook.position import CHANCE, PLY_LIMIT, Position
from duelbook.research.simulation import check_integer, cores
from duelbook.solver.stored_tables import table_of
from duelbook.solver.tables.position_table import Table, check_can_be_played

POOL_SIZE = 8
MAX_COUNT = 2**31 - 1
MAX_SEED, SAMPLE_SEEDS = 2**64 - 1, 2**53
MIN_THREADED_GAMES = 50_000
"""The minimum number of games for several threads."""


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
    """Whether the limit cut the game."""
    illegal: NDArray[np.bool_]
    """Whether the action was illegal, which ends the game; its player loses the largest payoff."""
    reached: NDArray[np.int32]
    """The number of the position after the step and its chance outcomes, before any restart."""


class VectorSteps(Protocol):
    """The compiled steps of a slice of the games; a `Part` holds their arrays of a batch."""

    def prepared(self, *arrays: NDArray[Any]) -> Part:
        """Return the arrays of a batch, or slices of them, as `begin` and `step` take them."""
        ...

    def begin(self, part: Part) -> None:
        """Restart the games, and show the start."""
        ...

    def step(self, chosen: NDArray[np.int64], part: Part) -> None:
        """Make a move in each game."""
        ...

    def pick(self, seed: int, begin: int, chosen: NDArray[np.int64]) -> None:
        """Choose a random legal action in each game, given the number of the first game."""
        ...


Part = tuple[NDArray[Any], ...]
Lent = tuple[object, ...]
"""The objects of a lent value to which a caller may hold references."""
T = TypeVar("T")


class _Pool(Generic[T]):
    """Values for reuse after the last reference of a caller is gone; allocation is slow."""

    def __init__(self, make: Callable[[], tuple[T, Lent]]) -> None:
        self._make = make
        self._values: list[tuple[T, Lent, list[int]]] = []

    def take(self) -> T:
        """Return a value without references outside the pool."""
        for value, lent, unheld in self._values:
            if _holders(lent) == unheld:
                return value
        value, lent = self._make()
        if len(self._values) < POOL_SIZE:
            self._values.append((value, lent, _holders(lent)))
        return value


def _holders(lent: Lent) -> list[int]:
    return list(map(getrefcount, lent))


def _new_batch(
    game: type[Position], n: int, steps: list[VectorSteps], slices: list[slice]
) -> tuple[tuple[Batch, list[Part]], Lent]:
    """Return an uninitialised batch, and its arrays for the steps of each slice."""
    masks, rewards = np.empty((n, len(game.ACTIONS)), np.bool_), np.empty((n, 2), np.float32)
    terminated, truncated, illegal = (np.empty(n, np.bool_) for _ in range(3))
    seats, reached = np.empty(n, np.int8), np.empty(n, np.int32)
    batch = Batch(seats, masks, rewards, terminated, truncated, illegal, reached)
    arrays = tuple(vars(batch).values())
    parts = [
        some.prepared(*(array[games] for array in arrays))
        for some, games in zip(steps, slices, strict=True)
    ]
    return (batch, parts), (batch, *arrays)


def _new_choice(n: int) -> tuple[NDArray[np.int64], Lent]:
    choice = np.empty(n, np.int64)
    return choice, (choice,)


class VectorEnv:
    """Steps `n` games at once; a game restarts after its end or after `limit` plies.

    A step draws the chance outcomes before it returns; the same seed gives the same outcomes.
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
        check_integer("number of games", n, MAX_COUNT)
        check_integer("limit", limit, MAX_COUNT)
        check_integer("seed", seed, MAX_SEED, minimum=0)
        self.table = table_of(game, first)
        check_can_be_played(self.table)
        self.game, self.n, self.limit = self.table.game, n, limit
        threads = cores() if n >= MIN_THREADED_GAMES else 1
        self._pool = ThreadPoolExecutor(threads) if threads > 1 else None
        size = -(-n // threads)
        self._slices = [slice(begin, begin + size) for begin in range(0, n, size)]
        self._positions, self._plies = np.zeros(n, np.int32), np.zeros(n, np.int32)
        self._steps = self._new_steps(seed)
        self._batches = _Pool(partial(_new_batch, self.game, n, self._steps, self._slices))
        self._choices = _Pool(partial(_new_choice, n))
        self._observe = TableObserver(self.table)
        self._mover = np.where(self.table.mover == CHANCE, np.int8(0), self.table.mover)
        self.reset()

    def _new_steps(self, seed: int) -> list[VectorSteps]:
        """Return the compiled steps of each slice; steps without chance and scores are faster."""
        from duelbook.research.kernels import (  # they need numba
            compiled_chance_steps,
            compiled_steps,
        )

        states = [(self._positions[games], self._plies[games]) for games in self._slices]
        if self.table.has_chance or self.table.paid is not None:
            return [*compiled_chance_steps.steps_of(self.table, self.limit, states, seed)]
        return [*compiled_steps.steps_of(self.table, self.limit, states)]

    def reset(self) -> Batch:
        """Restart all games."""
        batch, parts = self._batches.take()
        for array in (batch.rewards, batch.terminated, batch.truncated, batch.illegal):
            array.fill(0)
        for steps, part in zip(self._steps, parts, strict=True):
            steps.begin(part)
        batch.reached[:] = self._positions
        return batch

    def step(self, actions: ArrayLike) -> Batch:
        """Make a move in every game, given the action numbers."""
        chosen = np.asarray(actions, order="C")
        if chosen.shape != (self.n,) or chosen.dtype.kind not in "iu":
            raise DuelbookError(f"A step takes {self.n} integers, one for each game.")
        chosen = chosen.astype(np.int64, copy=False)
        batch, parts = self._batches.take()
        self._in_slices(lambda at, games: self._steps[at].step(chosen[games], parts[at]))
        return batch

    def observe(
        self, seats: ArrayLike | None = None, positions: NDArray[np.int32] | None = None
    ) -> Observation:
        """Return the observations in every game; the default is the seat to move.

        `positions`, such as `Batch.reached`, replaces the current positions.
        """
        current = self._positions if positions is None else np.asarray(positions)
        whose = self._mover[current] if seats is None else np.asarray(seats)
        if not np.isin(whose, (0, 1)).all() or whose.shape not in ((), current.shape):
            raise DuelbookError("A seat must be 0 or 1: give one for all games, or one for each.")
        return self._observe(current, np.broadcast_to(whose.astype(np.int8), current.shape))

    def sample(self, random: np.random.Generator) -> NDArray[np.int64]:
        """Return a random legal action for every game."""
        if not isinstance(random, np.random.Generator):
            raise DuelbookError("Pass a generator: numpy.random.default_rng(seed).")
        chosen = self._choices.take()
        seed = int(random.random() * SAMPLE_SEEDS)
        self._in_slices(lambda at, games: self._steps[at].pick(seed, games.start, chosen[games]))
        return chosen

    def position(self, number: int) -> Position:
        """Return the current position of a game."""
        return self.table.positions[int(self._positions[number])]

    def _in_slices(self, work: Callable[[int, slice], None]) -> None:
        """Divide the games among several threads, if there are many games."""
        futures = [
            self._pool.submit(work, at, games)
            for at, games in enumerate(self._slices[1:], 1)
            if self._pool
        ]
        work(0, self._slices[0])
        for future in futures:
            future.result()
