"""Enumeration on a Ray cluster.

Tasks ask the rules about slices of positions, and leave the codes of the positions after each move
for the partitions that they belong to. The partitions number them, wherever on the cluster they
are. The process that leads the search gives out the slices in order, and keeps what is found, in
memory or on its disk: so it can go on when a worker or a whole machine is lost, and the table is
the same to the bit as without a cluster.
"""

from __future__ import annotations

import functools
import pickle
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np

from duelbook import cluster
from duelbook.catalog import registry
from duelbook.errors import DuelbookError
from duelbook.position import Position
from duelbook.solver import cache
from duelbook.solver.backends.backend import MIN_SLICES, QUEUE_PER_WORKER, LostError, in_order
from duelbook.solver.backends.ray_partitions import MAX_PARTITIONS, Owners, Partition, share_out
from duelbook.solver.enumeration import expansion
from duelbook.solver.enumeration.expansion import Expansion, NewValuesError, expand
from duelbook.solver.tables.array_rules import vectors_of
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.numbering import Numbers, lexical_order, merged
from duelbook.solver.tables.packing import Codes, Packing
from duelbook.solver.tables.position_table import Coding, VectorCoding

PROCESSORS = 4
"""A partition keeps up with the rules on so many processors."""
TRIES = 5
"""How often a task is tried whose process ends: it may be the rules that end it."""
Ray = Any
"""The module `ray`, and what it returns; they have no types."""


# What runs elsewhere ----------------------------------------------------------------------------


@dataclass(frozen=True)
class PackedRules:
    """The rules of a game, as they are sent to other machines."""

    name: str
    source: str | None
    """What identifies their source, if that is known."""
    first: int
    packing: bytes | None
    """The parts of the packing, pickled, as classes of the game's file may be in them."""

    @classmethod
    def of(cls, game: type[Position], coding: Coding) -> PackedRules:
        """Return the rules of a game, and how its positions are written."""
        name = registry.source_of(game) or game.slug
        source = cache.source_of(game, expansion.__name__)
        if isinstance(coding, Packing):
            return cls(name, source, 0, pickle.dumps(coding.parts))
        assert isinstance(coding, VectorCoding)  # noqa: S101 # there are two kinds
        return cls(name, source, coding.first, None)

    def load(self) -> tuple[type[Position], Coding]:
        """Return the game and the coding; refuse other rules than those that were sent."""
        game = _checked(self.name, self.source)
        if self.packing is not None:
            return game, Packing(game, pickle.loads(self.packing))  # noqa: S301 # our own
        vectors = vectors_of(game)
        assert vectors is not None  # noqa: S101 # the rules are the same
        return game, VectorCoding(vectors, self.first)


@functools.cache
def _checked(name: str, source: str | None) -> type[Position]:
    """Return a game, whose source is looked at once in a process."""
    game = registry.load(name)
    if source and cache.source_of(game, expansion.__name__) != source:
        raise DuelbookError(
            f"A machine of the cluster has other rules of {game.title}, or another version of "
            "Duelbook or NumPy."
        )
    return game


def answer(rules: PackedRules, codes: Codes, count: int) -> list[Any]:
    """Ask the rules, and return the answers, the owners of the codes, and each owner's codes.

    None stands for values that the packing has not learned.
    """
    game, coding = rules.load()
    try:
        found = expand(game, coding, codes)
    except NewValuesError:
        return [None, *[codes[:0]] * count]
    owner, shares = share_out(found.leads, count)
    return [(replace(found, leads=codes[:0]), owner), *shares]


# What leads them --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Leads:
    """The codes after some moves, which the workers have left for their owners."""

    owner: Owners
    shares: list[Ray]


class Partitions:
    """Gives codes their numbers by asking the partitions."""

    def __init__(self, ray: Ray, actors: list[Ray], words: int, space: ArrayStorage) -> None:
        self._ray, self._actors, self._words, self._space = ray, actors, words, space
        self._size = 0

    def number(self, codes: Codes | Leads) -> tuple[Numbers, Codes]:
        """Return the number of each code, and the new codes in order."""
        count = len(self._actors)
        leads = codes if isinstance(codes, Leads) else Leads(*share_out(codes, count))
        seen = self._ask("see", leads.shares)
        places = [np.flatnonzero(leads.owner == actor) for actor in range(count)]
        first = [place[new] for place, (new, _) in zip(places, seen, strict=True)]
        order = np.argsort(np.concatenate(first))
        given = np.empty(len(order), np.int32)
        given[order] = np.arange(self._size, self._size + len(order), dtype=np.int32)
        ends = np.cumsum([len(new) for new in first])
        numbers = np.empty(len(leads.owner), np.int32)
        known = self._ask("assign", np.split(given, ends[:-1]))
        for place, theirs in zip(places, known, strict=True):
            numbers[place] = theirs
        self._size += len(order)
        return numbers, np.concatenate([new for _, new in seen])[order]

    def order(self, codes: Codes) -> Numbers:
        """Return all numbers, in the order of their codes."""
        if self._words > 1:
            return lexical_order(codes)
        runs = deque(self._ask("run"))
        while len(runs) > 1:
            runs.append(merged(runs.popleft(), runs.popleft(), self._space))
        numbers: Numbers = runs[0][1]
        return numbers

    def _ask(self, method: str, shares: list[Any] | None = None) -> list[Any]:
        """Ask all partitions, and wait for their answers."""
        given = [()] * len(self._actors) if shares is None else [(share,) for share in shares]
        pairs = zip(self._actors, given, strict=True)
        asked = [getattr(actor, method).remote(*share) for actor, share in pairs]
        return [_answer_or_loss(self._ray, one) for one in asked]


def _answer_or_loss(ray: Ray, asked: Ray) -> Any:  # noqa: ANN401 # of whatever was asked
    """Return what was asked, or raise LostError if it is gone for whatever reason."""
    try:
        return cluster.result(ray, asked)
    except (ray.exceptions.RayTaskError, ray.exceptions.WorkerCrashedError):
        raise
    except ray.exceptions.RayError as error:
        raise LostError from error


class RayWorkers:
    """Does the work of a search on a Ray cluster."""

    def __init__(self, ray: Ray, game: type[Position], disk: Path | None) -> None:
        self._ray, self._game, self._space = ray, game, ArrayStorage(disk)
        self._processors = cluster.processors(ray)
        machines = sum(node["Alive"] for node in ray.nodes())
        count = min(MAX_PARTITIONS, max(2, machines, self._processors // PROCESSORS))
        self._make = ray.remote(num_cpus=0, scheduling_strategy="SPREAD")(Partition).remote
        self.actors = [self._make(disk) for _ in range(count)]
        self._answer = ray.remote(num_cpus=1, max_retries=TRIES, num_returns=count + 1)(answer)

    def numberer(self, words: int) -> Partitions:
        """Clear all partitions, and replace the lost ones."""
        begun = [actor.begin.remote(words) for actor in self.actors]
        for number, one in enumerate(begun):
            try:
                _answer_or_loss(self._ray, one)
            except LostError:
                self.actors[number] = self._make(self._space.folder)
                self.actors[number].begin.remote(words)
        return Partitions(self._ray, list(self.actors), words, self._space)

    def expand(self, coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        """Ask the rules about slices of positions, and yield the answers in order."""
        coming = iter(slices)
        begun = list(islice(coming, MIN_SLICES))
        if len(begun) < MIN_SLICES:
            yield from (expand(self._game, coding, codes) for codes in begun)
            return
        send = functools.partial(self._send, self._ray.put(PackedRules.of(self._game, coding)))
        for codes, (answers, *shares) in in_order(
            send, chain(begun, coming), self._processors * QUEUE_PER_WORKER
        ):
            found = self._result(answers)
            if found is None:  # asked once more in this process, the rules name the new values
                yield expand(self._game, coding, codes)
            else:
                yield replace(found[0], leads=Leads(found[1], shares))

    def _send(self, rules: Ray, codes: Codes) -> Ray:
        return self._answer.remote(rules, codes, len(self.actors))

    def _result(self, answers: Ray) -> tuple[Expansion, Owners] | None:
        try:
            found: tuple[Expansion, Owners] | None = _answer_or_loss(self._ray, answers)
        except self._ray.exceptions.WorkerCrashedError as error:
            raise DuelbookError(
                f"The process that asked the rules of {self._game.title} has ended "
                f"{TRIES + 1} times; perhaps there is too little memory."
            ) from error
        return found

    def close(self) -> None:
        """End the partitions."""
        for actor in self.actors:
            self._ray.kill(actor)


@contextmanager
def on_ray(game: type[Position], address: str, disk: Path | None) -> Iterator[RayWorkers]:
    """Yield what does the work of a search on a Ray cluster."""
    with cluster.connected(address) as ray:
        workers = RayWorkers(ray, game, disk)
        try:
            yield workers
        finally:
            workers.close()
