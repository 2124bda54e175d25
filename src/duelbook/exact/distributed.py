"""Enumeration and solution on a Ray cluster.

Tasks ask the rules about slices of positions, and send the codes of the positions after each move
to the partition that they belong to. The partitions number them, wherever on the cluster they
are. The process that leads the search gives out the slices in order, and keeps what is found, in
memory or on its disk: so it can go on when a worker or a whole machine is lost, and the table is
the same to the bit as without a cluster.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook import cluster
from duelbook.catalog import registry
from duelbook.exact.expansion import Expansion, NewValuesError, expand
from duelbook.exact.numbering import Numbers, Run, lexical_order, merged
from duelbook.exact.packing import Codes, Packing, Parts
from duelbook.exact.partitions import MOST, Owners, Partition, share_out
from duelbook.exact.scoring import Ahead, Part, look_here
from duelbook.exact.space import Space
from duelbook.exact.tables import Coding, Table, VectorCoding
from duelbook.exact.vectors import vectors_of
from duelbook.exact.workers import AHEAD, FEW, LostError, in_order
from duelbook.position import Position

PROCESSORS = 4
"""A partition keeps up with the rules on so many processors."""


# What runs elsewhere ----------------------------------------------------------------------------


def answer(name: str, coding: Parts | int, codes: Codes, parts: int) -> list[Any]:
    """Ask the rules of a game, and return the answers and the codes for each partition.

    In the answers, the owner of each code stands for the code. None stands for values that the
    packing has not learned.
    """
    game = registry.load(name)
    try:
        found = expand(game, _coding(game, coding), codes)
    except NewValuesError:
        return [None, *[codes[:0]] * parts]
    owner, shares = share_out(found.leads, parts)
    return [replace(found, leads=owner), *shares]


def _coding(game: type[Position], sent: Parts | int) -> Coding:
    """Return the coding of a game: a packing, or the one of its vectors for a first seat."""
    if not isinstance(sent, int):
        return Packing(game, sent)
    vectors = vectors_of(game)
    assert vectors is not None  # noqa: S101 # whoever sent it has them
    return VectorCoding(vectors, sent)


# What leads them --------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Leads:
    """The codes after some moves, which are at the partitions that they belong to."""

    owner: Owners
    seen: list[Any]
    """What each partition returns of `Partition.see`."""


class Partitions:
    """Gives codes their numbers by asking the partitions."""

    def __init__(self, ray: Any, parts: list[Any], words: int, space: Space) -> None:  # noqa: ANN401 # a module without types
        self.parts = parts
        self._ray, self._words, self._space = ray, words, space
        self._size = 0

    def see(self, shares: Iterable[Any]) -> list[Any]:
        """Send each partition its share of some codes."""
        return [part.see.remote(share) for part, share in zip(self.parts, shares, strict=True)]

    def number(self, codes: Codes | Leads) -> tuple[Numbers, Codes]:
        """Return the number of each code, and the new codes in order."""
        if not isinstance(codes, Leads):
            owner, shares = share_out(codes, len(self.parts))
            codes = Leads(owner, self.see(shares))
        seen = self._get(codes.seen)
        places = [np.flatnonzero(codes.owner == part) for part in range(len(self.parts))]
        first = [place[new] for place, (new, _) in zip(places, seen, strict=True)]
        order = np.argsort(np.concatenate(first))
        given = np.empty(len(order), np.int32)
        given[order] = np.arange(self._size, self._size + len(order), dtype=np.int32)
        shares = np.split(given, np.cumsum([len(new) for new in first])[:-1])
        known = self._get(
            [part.assign.remote(share) for part, share in zip(self.parts, shares, strict=True)]
        )
        numbers = np.empty(len(codes.owner), np.int32)
        for place, theirs in zip(places, known, strict=True):
            numbers[place] = theirs
        self._size += len(order)
        return numbers, np.concatenate([new for _, new in seen])[order]

    def order(self, codes: Codes) -> Numbers:
        """Return all numbers, in the order of their codes."""
        if self._words > 1:
            return lexical_order(codes)
        whole: Run = np.empty(0, np.int64), np.empty(0, np.int32)
        for part in self.parts:
            (run,) = self._get([part.run.remote()])
            whole = merged(whole, run, self._space)
        return whole[1]

    def _get(self, asked: list[Any]) -> list[Any]:
        errors = self._ray.exceptions
        try:
            found: list[Any] = self._ray.get(asked)
        except (errors.RayActorError, errors.ObjectLostError) as error:
            raise LostError from error
        return found


class RayWorkers:
    """Does the work of a search on a Ray cluster."""

    def __init__(self, ray: Any, game: type[Position], disk: Path | None) -> None:  # noqa: ANN401 # as above
        self._ray, self._game, self._space = ray, game, Space(disk)
        self._name = registry.source_of(game) or game.slug
        self._processors = int(ray.cluster_resources().get("CPU", 1))
        most = max(2, len(ray.nodes()), self._processors // PROCESSORS)
        self._count = min(most, MOST)
        self._make_part = ray.remote(num_cpus=0, scheduling_strategy="SPREAD")(Partition).remote
        self.partitions = [self._make_part(disk) for _ in range(self._count)]
        self._numberer: Partitions | None = None
        self._answer = ray.remote(num_cpus=1, max_retries=-1, num_returns=self._count + 1)(answer)

    def numberer(self, words: int) -> Partitions:
        """Let all partitions begin anew, also those that are lost."""
        begun = [part.begin.remote(words) for part in self.partitions]
        for number, one in enumerate(begun):
            try:
                self._ray.get(one)
            except self._ray.exceptions.RayActorError:
                self.partitions[number] = self._make_part(self._space.folder)
                self.partitions[number].begin.remote(words)
        self._numberer = Partitions(self._ray, self.partitions, words, self._space)
        return self._numberer

    def expand(self, coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        """Ask the rules about slices of positions, and yield the answers in order."""
        coming = iter(slices)
        begun = list(islice(coming, FEW))
        if len(begun) < FEW:
            yield from (expand(self._game, coding, codes) for codes in begun)
            return
        send = partial(self._send, self._ray.put(_sent(coding)))
        for codes, (answers, seen) in in_order(
            send, chain(begun, coming), self._processors * AHEAD
        ):
            found = cluster.result(self._ray, answers)
            if found is None:  # asked once more in this process, the rules name the new values
                yield expand(self._game, coding, codes)
            else:
                yield replace(found, leads=Leads(found.leads, seen))

    def _send(self, coding: Any, codes: Codes) -> tuple[Any, list[Any]]:  # noqa: ANN401 # as above
        """Ask about a slice; the partitions see what comes of it in the order of the slices."""
        assert self._numberer is not None  # noqa: S101 # there are positions, so there are numbers
        answers, *shares = self._answer.remote(self._name, coding, codes, self._count)
        return answers, self._numberer.see(shares)

    def close(self) -> None:
        """End the partitions."""
        for part in self.partitions:
            self._ray.kill(part)


def _sent(coding: Coding) -> Parts | int:
    """Return what `_coding` makes the same coding of."""
    if isinstance(coding, Packing):
        return coding.parts
    assert isinstance(coding, VectorCoding)  # noqa: S101 # there are two kinds
    return coding.first


@contextmanager
def on_ray(game: type[Position], address: str, disk: Path | None) -> Iterator[RayWorkers]:
    """Yield what does the work of a search on a Ray cluster."""
    with cluster.connected(address) as ray:
        workers = RayWorkers(ray, game, disk)
        try:
            yield workers
        finally:
            workers.close()


# The solution -----------------------------------------------------------------------------------


class RayLook:
    """Scores parts of a table on a Ray cluster, which holds the parts and spills them to disk."""

    def __init__(self, ray: Any) -> None:  # noqa: ANN401 # as above
        self._ray = ray
        self._ahead = int(ray.cluster_resources().get("CPU", 1)) * AHEAD
        self._look = ray.remote(num_cpus=1, max_retries=-1)(_look)
        self._parts: dict[int, Any] = {}

    def __call__(
        self, ahead: Ahead, table: Table, parts: list[slice], score: NDArray[Any]
    ) -> Iterator[NDArray[Any]]:
        """Score parts of a table."""
        if len(parts) < FEW:
            yield from look_here(ahead, table, parts, score)
            return
        after = table.after[table.rows[parts[0].start] : table.rows[parts[-1].stop]]
        least = int(after.min(initial=len(table)))
        sent = self._ray.put(score[least : int(after.max(initial=0)) + 1])

        def send(part: slice) -> Any:  # noqa: ANN401 # as above
            return self._look.remote(ahead, self._part(table, part), least, sent)

        for _, asked in in_order(send, parts, self._ahead):
            yield cluster.result(self._ray, asked)

    def _part(self, table: Table, part: slice) -> Any:  # noqa: ANN401 # as above
        """Send a part, once if it is scored more than once."""
        if table.steps_forward:
            return self._ray.put(Part.of(table, part))
        if part.start not in self._parts:
            self._parts[part.start] = self._ray.put(Part.of(table, part))
        return self._parts[part.start]


def _look(ahead: Ahead, part: Part, least: int, score: NDArray[Any]) -> NDArray[Any]:
    """Score a part, given the scores of the positions from number `least` on."""
    return ahead(replace(part, after=part.after - least), score)


@contextmanager
def looking_on_ray(address: str) -> Iterator[RayLook]:
    """Yield what scores parts of a table on a Ray cluster."""
    with cluster.connected(address) as ray:
        yield RayLook(ray)
