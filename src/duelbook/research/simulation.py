"""Simulation: millions of games over a game's table."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import partial
from importlib.util import find_spec
from math import fsum, sqrt

import numpy as np
from numpy.typing import NDArray

from duelbook.errors import DuelbookError
from duelbook.position import PLY_LIMIT, Position
from duelbook.research.playouts import Ends, MoveSampler, PlayoutRecord, Scores, playout
from duelbook.research.policies import Policy, is_random, joint_policy
from duelbook.research.random_streams import key_of
from duelbook.solver.stored_tables import table_of
from duelbook.solver.tables.array_rules import ONGOING
from duelbook.solver.tables.position_table import Table, check_can_be_played

BLOCK = 1 << 16
"""The number of games in a block; each block has its own random stream."""
MAX_GAMES, MAX_PLIES, MAX_THREADS = 10**15, 10**6, 1024
Progress = Callable[[int, int], object]
"""Called with the number of games played so far, and the total."""


@dataclass(frozen=True, eq=False)
class Trajectories:
    """The moves of every game; game g has the entries `starts[g]` to `starts[g + 1]`.

    `positions` holds numbers of the table's positions. `actions` holds indices into `Game.ACTIONS`,
    followed by `Game.CHANCE_MOVES`.
    """

    game: type[Position]
    starts: NDArray[np.int64]
    positions: NDArray[np.int32]
    actions: NDArray[np.uint8 | np.uint16]

    def __len__(self) -> int:
        return len(self.starts) - 1

    def __repr__(self) -> str:
        return f"<Trajectories of {len(self):,} games, {len(self.actions):,} moves>"

    def moves(self, number: int) -> list[str]:
        """Return the moves of a game as text."""
        number = range(len(self))[number]
        actions = self.actions[self.starts[number] : self.starts[number + 1]]
        names = (*self.game.ACTIONS, *self.game.CHANCE_MOVES)
        return [names[action] for action in actions]


@dataclass(frozen=True, eq=False)
class Simulation:
    """The results of the games; `ends[n]` counts the results of games of n + 1 plies."""

    table: Table
    games: int
    ends: Ends
    trajectories: Trajectories | None = None
    paid: Mapping[float, int] | None = None
    """The number of games with each payoff to seat 0, if the game has scores."""

    def __repr__(self) -> str:
        return (
            f"<Simulation of {self.table.game.title}: {self.games:,} games, wins {self.wins}, "
            f"{self.draws:,} drawn, {self.unfinished:,} unfinished, "
            f"{self.mean_length:.2f} plies on average>"
        )

    @property
    def wins(self) -> tuple[int, int]:
        """The number of games that each seat won."""
        first, second, _ = self.ends.sum(0).tolist()
        return first, second

    @property
    def draws(self) -> int:
        """The number of drawn games."""
        return int(self.ends[:, 2].sum())

    @property
    def unfinished(self) -> int:
        """The number of games that the limit cut."""
        return self.games - int(self.ends.sum())

    @property
    def payoff_counts(self) -> Mapping[float, int]:
        """The number of games with each payoff to seat 0; an unfinished game pays 0."""
        if self.paid is None:
            first, second = self.wins
            return {1.0: first, -1.0: second, 0.0: self.draws + self.unfinished}
        return {**self.paid, 0.0: self.paid.get(0.0, 0) + self.unfinished}

    @property
    def mean_payoffs(self) -> tuple[float, float]:
        """The mean payoff of each seat; an unfinished game pays 0."""
        mean = fsum(paid * count for paid, count in self.payoff_counts.items()) / self.games
        return mean, 0.0 - mean

    @property
    def payoff_error(self) -> float:
        """The standard error of the mean payoffs."""
        mean, counts = self.mean_payoffs[0], self.payoff_counts.items()
        return sqrt(fsum((paid - mean) ** 2 * count for paid, count in counts)) / self.games

    @property
    def lengths(self) -> NDArray[np.int64]:
        """The number of games by length in plies, from 0."""
        counts = np.concatenate([[0], self.ends.sum(1)])
        return counts[: np.flatnonzero(counts)[-1] + 1] if counts.any() else counts[:1]

    @property
    def mean_length(self) -> float:
        """The mean length of the finished games, in plies."""
        plies = np.arange(len(self.lengths)) @ self.lengths
        return float(plies / max(1, self.lengths.sum()))

    @property
    def plies(self) -> int:
        """The total number of moves."""
        ended = np.arange(1, len(self.ends) + 1) @ self.ends.sum(1)
        return int(ended) + self.unfinished * len(self.ends)


def simulate(  # noqa: PLR0913 # all options of a simulation
    game: Table | type[Position] | str,
    *,
    games: int = 100_000,
    players: tuple[Policy, Policy] = ("random", "random"),
    seed: int = 0,
    first: int | None = None,
    limit: int = PLY_LIMIT,
    threads: int | None = None,
    record: bool = False,
    progress: Progress | None = None,
) -> Simulation:
    """Play games between two policies; the same seed gives the same games on any machine.

    The simulation cuts a game after `limit` plies; a chance outcome is a ply too. With `record`, it
    stores every move.
    """
    check_integer("number of games", games, MAX_GAMES)
    check_integer("limit", limit, MAX_PLIES)
    check_integer("number of threads", 1 if threads is None else threads, MAX_THREADS)
    check_integer("seed", seed, MAX_GAMES, minimum=0)
    table = table_of(game, first)
    check_can_be_played(table)
    # A random policy needs no list of probabilities, which would take long in a large game.
    policy = None if is_random(table, players) else joint_policy(table, players)
    sampler = MoveSampler.of(table, policy)
    sizes = [min(BLOCK, games - begin) for begin in range(0, games, BLOCK)]
    plain = record or find_spec("numba") is None or _is_short(table, games, limit)
    play = _plain(sampler, record=record) if plain else _compiled(sampler)
    ends, tally = np.zeros((limit, 3), np.int64), sampler.new_tally()
    records: list[PlayoutRecord] = []
    done = 0
    for size, (block_ends, counts, moves) in zip(
        sizes, _in_threads(partial(play, limit, seed), sizes, threads), strict=True
    ):
        ends[: len(block_ends)] += block_ends
        tally += counts
        records += [moves] if moves else []
        done += size
        if progress:
            progress(done, games)
    trajectories = _trajectories(table.game, records, sizes) if record else None
    return Simulation(table, games, ends, trajectories, _paid(sampler.scores, tally))


Played = tuple[Ends, NDArray[np.int64], PlayoutRecord | None]
"""The ends of a block of games, the results of a game with scores, and the moves."""
Play = Callable[[int, int, int, int], Played]


def _paid(scores: Scores | None, tally: NDArray[np.int64]) -> Mapping[float, int] | None:
    """Return the number of games with each payoff, given the number of games with each result."""
    if scores is None:
        return None
    paid = dict.fromkeys(scores.payoffs[scores.winner != ONGOING].tolist(), 0)
    for amount, count in zip(scores.payoffs.tolist(), tally.tolist(), strict=True):
        if count:
            paid[amount] += count
    return paid


@dataclass
class _NumpyBudget:
    """The number of moves that this process still makes with NumPy, instead of compiled code.

    To load compiled code takes longer than these moves.
    """

    moves: int = 1 << 22

    def lasts(self, moves: int) -> bool:
        self.moves -= moves
        return self.moves >= 0


_numpy_budget = _NumpyBudget()


def _is_short(table: Table, games: int, limit: int) -> bool:
    """Return whether NumPy is faster than to load compiled code or prepare the table for it."""
    longest = min(limit, len(table.layers)) if table.steps_forward else limit
    return games * longest < len(table.after) // 4 or _numpy_budget.lasts(games * longest)


def _plain(sampler: MoveSampler, *, record: bool) -> Play:
    def play(limit: int, seed: int, block: int, size: int) -> Played:
        tally = sampler.new_tally()
        key = key_of(seed, block)
        ends, moves = playout(sampler, size, limit, key, tally, record=record)
        return ends, tally, moves

    return play


def _compiled(sampler: MoveSampler) -> Play:
    from duelbook.research.kernels import compiled_playouts  # needs numba

    packed = compiled_playouts.PackedSampler.of(sampler)

    def play(limit: int, seed: int, block: int, size: int) -> Played:
        tally = sampler.new_tally()
        ends = compiled_playouts.playout(packed, size, limit, key_of(seed, block), tally)
        return ends, tally, None

    return play


def _in_threads(
    play: Callable[[int, int], Played], sizes: list[int], threads: int | None
) -> Iterator[Played]:
    """Play the blocks on several threads, and yield them in order."""
    with ThreadPoolExecutor(threads or cores()) as pool:
        try:
            yield from pool.map(play, range(len(sizes)), sizes)
        finally:  # after Ctrl-C, do not wait
            pool.shutdown(wait=False, cancel_futures=True)


def check_integer(name: str, number: object, maximum: int, *, minimum: int = 1) -> None:
    """Refuse anything but an integer in a range."""
    is_integer = isinstance(number, (int, np.integer)) and not isinstance(number, bool)
    if not is_integer or not minimum <= int(str(number)) <= maximum:
        raise DuelbookError(
            f"The {name} must be an integer from {minimum} to {maximum:,}, not {number!r:.40}."
        )


def cores() -> int:
    """Return the number of usable cores."""
    affinity = getattr(os, "sched_getaffinity", None)  # not available on every system
    return len(affinity(0)) if affinity else os.cpu_count() or 1


def _trajectories(
    game: type[Position], records: list[PlayoutRecord], sizes: list[int]
) -> Trajectories:
    """Return the recorded moves, sorted by game instead of time."""
    begins = np.cumsum([0, *sizes])
    owner = np.concatenate([r.game + b for r, b in zip(records, begins, strict=False)])
    order = np.argsort(owner, kind="stable")
    starts = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=begins[-1]))])
    positions = np.concatenate([record.position for record in records])[order]
    actions = np.concatenate([record.action for record in records])[order]
    return Trajectories(game, starts, positions, actions)
