"""Enumeration on a Ray cluster.

Tasks expand slices of positions. The cluster stores the codes of the positions after each move for
the partitions that own them. The partitions number the codes, on any machine of the cluster. The
process that leads the search sends the slices in order, and stores the results in memory or on its
disk. So it can continue after the loss of a worker or a machine. The table is the same to the bit
as without a cluster.
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
from duelbook.system import cluster

PROCESSORS_PER_PARTITION = 4
"""The number of processors that run the rules for each partition."""
MAX_RETRIES = 5
"""The maximum number of retries of a task whose process ends, perhaps because of the rules."""
Ray = Any
"""The module `ray`, or an object that it returns; they have no types."""


# On the workers ---------------------------------------------------------------------------------


@dataclass(frozen=True)
class PackedRules:
    """The rules of a game in the form in which other machines receive them."""

    name: str
    source: str | None
    """The hash of their source, or None if unknown."""
    first: int
    packing: bytes | None
    """The pickled parts of the packing; a value may have a class of the game's file."""

    @classmethod
    def of(cls, game: type[Position], coding: Coding) -> PackedRules:
        """Return the rules of a game and the coding of its positions."""
        name = registry.source_of(game) or game.slug
        source = cache.source_of(game, expansion.__name__)
        if isinstance(coding, Packing):
            return cls(name, source, 0, pickle.dumps(coding.parts))
        assert isinstance(coding, VectorCoding)  # noqa: S101 # there are two kinds
        return cls(name, source, coding.first, None)

    def load(self) -> tuple[type[Position], Coding]:
        """Return the game and the coding; refuse rules that differ from the leading process."""
        game = _checked(self.name, self.source)
        if self.packing is not None:
            return game, Packing(game, pickle.loads(self.packing))  # noqa: S301 # our own data
        vectors = vectors_of(game)
        assert vectors is not None  # noqa: S101 # the rules are the same
        return game, VectorCoding(vectors, self.first)


@functools.cache
def _checked(name: str, source: str | None) -> type[Position]:
    """Return a game; check its source once per process."""
    game = registry.load(name)
    if source and cache.source_of(game, expansion.__name__) != source:
        raise DuelbookError(
            f"A machine of the cluster has other rules of {game.title}, or another version of "
            "Duelbook or NumPy."
        )
    return game


def answer(rules: PackedRules, codes: Codes, count: int) -> list[Any]:
    """Expand positions; return the expansion, the owners of the codes, and each owner's codes.

    The first item is None if the packing has not learned some values.
    """
    game, coding = rules.load()
    try:
        expansion = expand(game, coding, codes)
    except NewValuesError:
        return [None, *[codes[:0]] * count]
    owner, shares = share_out(expansion.leads, count)
    return [(replace(expansion, leads=codes[:0]), owner), *shares]


# In the leading process -------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Leads:
    """The codes after some moves, which the cluster stores for their owners."""

    owner: Owners
    shares: list[Ray]


class Partitions:
    """Gives codes their numbers with the help of the partitions."""

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
        new_numbers = np.empty(len(order), np.int32)
        new_numbers[order] = np.arange(self._size, self._size + len(order), dtype=np.int32)
        ends = np.cumsum([len(new) for new in first])
        numbers = np.empty(len(leads.owner), np.int32)
        known = self._ask("assign", np.split(new_numbers, ends[:-1]))
        for place, part in zip(places, known, strict=True):
            numbers[place] = part
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
        """Call a method of all partitions, and wait for the results."""
        arguments = [()] * len(self._actors) if shares is None else [(share,) for share in shares]
        pairs = zip(self._actors, arguments, strict=True)
        references = [getattr(actor, method).remote(*share) for actor, share in pairs]
        return [_answer_or_loss(self._ray, reference) for reference in references]


def _answer_or_loss(ray: Ray, reference: Ray) -> Any:  # noqa: ANN401 # depends on the task
    """Return the result of a task, or raise LostError if the cluster has lost it."""
    try:
        return cluster.result(ray, reference)
    except (ray.exceptions.RayTaskError, ray.exceptions.WorkerCrashedError):
        raise
    except ray.exceptions.RayError as error:
        raise LostError from error


class RayBackend:
    """Runs a search on a Ray cluster."""

    def __init__(self, ray: Ray, game: type[Position], disk: Path | None) -> None:
        self._ray, self._game, self._space = ray, game, ArrayStorage(disk)
        self._processors = cluster.processors(ray)
        machines = sum(node["Alive"] for node in ray.nodes())
        count = min(MAX_PARTITIONS, max(2, machines, self._processors // PROCESSORS_PER_PARTITION))
        self._make = ray.remote(num_cpus=0, scheduling_strategy="SPREAD")(Partition).remote
        self.actors = [self._make(disk) for _ in range(count)]
        self._answer = ray.remote(num_cpus=1, max_retries=MAX_RETRIES, num_returns=count + 1)(
            answer
        )

    def numberer(self, words: int) -> Partitions:
        """Clear all partitions, replace the lost ones, and return their numberer."""
        references = [actor.begin.remote(words) for actor in self.actors]
        for number, reference in enumerate(references):
            try:
                _answer_or_loss(self._ray, reference)
            except LostError:
                self.actors[number] = self._make(self._space.folder)
                self.actors[number].begin.remote(words)
        return Partitions(self._ray, list(self.actors), words, self._space)

    def expand(self, coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        """Expand slices of positions, and yield the expansions in order."""
        remaining = iter(slices)
        first_slices = list(islice(remaining, MIN_SLICES))
        if len(first_slices) < MIN_SLICES:
            yield from (expand(self._game, coding, codes) for codes in first_slices)
            return
        send = functools.partial(self._send, self._ray.put(PackedRules.of(self._game, coding)))
        for codes, (answers, *shares) in in_order(
            send, chain(first_slices, remaining), self._processors * QUEUE_PER_WORKER
        ):
            result = self._result(answers)
            if (
                result is None
            ):  # expand again in this process, which raises NewValuesError with the values
                yield expand(self._game, coding, codes)
            else:
                yield replace(result[0], leads=Leads(result[1], shares))

    def _send(self, rules: Ray, codes: Codes) -> Ray:
        return self._answer.remote(rules, codes, len(self.actors))

    def _result(self, answers: Ray) -> tuple[Expansion, Owners] | None:
        try:
            result: tuple[Expansion, Owners] | None = _answer_or_loss(self._ray, answers)
        except self._ray.exceptions.WorkerCrashedError as error:
            raise DuelbookError(
                f"The process that ran the rules of {self._game.title} has ended "
                f"{MAX_RETRIES + 1} times; perhaps there is too little memory."
            ) from error
        return result

    def close(self) -> None:
        """End the partitions."""
        for actor in self.actors:
            self._ray.kill(actor)


@contextmanager
def on_ray(game: type[Position], address: str, disk: Path | None) -> Iterator[RayBackend]:
    """Yield the backend of a search on a Ray cluster."""
    with cluster.connected(address) as ray:
        workers = RayBackend(ray, game, disk)
        try:
            yield workers
        finally:
            workers.close()
