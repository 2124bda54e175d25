"""Asks the rules in other processes: on all cores of this machine, or on a Ray cluster.

The search itself stays in one process; what takes nearly all of the time is the rules. Slices of
positions go out as codes, and the answers come back as arrays, in the order of the slices, so
that the table is the same to the bit wherever the rules were asked.
"""

from __future__ import annotations

import signal
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from itertools import islice
from multiprocessing import get_context
from typing import Any

from duelbook import cluster
from duelbook.catalog import registry
from duelbook.errors import DuelbookError
from duelbook.exact.breadth_first import Expander
from duelbook.exact.expansion import Expansion, NewValuesError, expand
from duelbook.exact.packing import Codes, Packing, Parts
from duelbook.exact.tables import Coding
from duelbook.position import Position

AHEAD = 4
"""The slices that wait for each process, so that none is idle."""
FEW = 4
"""With fewer slices, it takes longer to send them out than to ask the rules here."""

Answer = Expansion | None
"""None stands for values that the packing has not learned."""
Send = Callable[[Parts, Codes], Callable[[], Answer]]
"""Sends a slice out, and returns what waits for its answer."""


def answer(name: str, parts: Parts, codes: Codes) -> Answer:
    """Ask the rules of a game; this runs in the other process."""
    game = registry.load(name)
    try:
        return expand(game, Packing(game, parts), codes)
    except NewValuesError:
        return None


@contextmanager
def in_processes(game: type[Position], processes: int) -> Iterator[Expander]:
    """Yield what asks the rules of a game in processes of their own."""
    name = registry.source_of(game) or game.slug
    pool = ProcessPoolExecutor(processes, get_context("spawn"), initializer=_ignore_interrupts)
    try:
        yield _in_order(
            game,
            lambda parts, codes: pool.submit(answer, name, parts, codes).result,
            processes * AHEAD,
        )
    except BrokenProcessPool as error:
        raise DuelbookError(
            "A process that asked the rules has died; perhaps there is too little memory."
        ) from error
    finally:
        pool.shutdown(cancel_futures=True)


def _ignore_interrupts() -> None:
    """Leave Ctrl-C to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def on_ray(game: type[Position], address: str) -> Iterator[Expander]:
    """Yield what asks the rules on a Ray cluster, which asks again if a machine is lost."""
    name = registry.source_of(game) or game.slug
    with cluster.connected(address) as ray:
        task = ray.remote(num_cpus=1, max_retries=-1)(answer)
        sent: dict[int, Any] = {}  # the packing that was sent last

        def send(parts: Parts, codes: Codes) -> Callable[[], Answer]:
            if id(parts) not in sent:
                sent.clear()
                sent[id(parts)] = ray.put(parts)
            asked = task.remote(name, sent[id(parts)], codes)
            return lambda: ray.get(asked)

        yield _in_order(game, send, int(ray.cluster_resources().get("CPU", 1)) * AHEAD)


def _in_order(game: type[Position], send: Send, ahead: int) -> Expander:
    """Return an expander that sends slices out, some ahead, and yields the answers in order."""

    def expander(coding: Coding, slices: Iterable[Codes]) -> Iterator[Expansion]:
        coming = iter(slices)
        begun = list(islice(coming, FEW))
        if len(begun) < FEW or not isinstance(coding, Packing):
            yield from (expand(game, coding, codes) for codes in (*begun, *coming))
            return
        waiting = deque((codes, send(coding.parts, codes)) for codes in begun)
        while waiting:
            for codes in islice(coming, max(ahead - len(waiting), 0)):
                waiting.append((codes, send(coding.parts, codes)))
            codes, receive = waiting.popleft()
            # Asked once more in this process, the rules name the values that are new.
            yield receive() or expand(game, coding, codes)

    return expander
