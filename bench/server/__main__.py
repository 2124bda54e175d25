"""Durable moves per second, compared with boardgame.io's in memory, alternately in one run.

Each server has one core, and the load generator has another. A move counts once its player has
received the acknowledgement; each side moves as soon as it can. At the end the servers are killed,
and every acknowledged move must be in the database.
"""

from __future__ import annotations

import asyncio
import gc
import os
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import contenders
import uvloop
from load import BoardgameLoad, DuelbookLoad, EchoLoad, Kept, Load
from sqlalchemy import create_engine, select
from sqlalchemy.ext.asyncio import create_async_engine

from duelbook.terminal.progress import Counter
from duelbook.web.rooms.store_tables import events

GAMES = (1, 50, 200)
ROUNDS = 3  # of each measurement; the fastest counts
WARM_UP, SECONDS = 1.0, 4.0
PEER, GOAL = "boardgame.io, in memory", 2.5


@dataclass
class Measured:
    """The measurements of one server."""

    rate: float
    half: float
    most: float
    cost: float
    load: float

    def __str__(self) -> str:
        """Return the line of the table."""
        waits = f"{1000 * self.half:>10.2f}{1000 * self.most:>10.2f}"
        return f"{self.rate:>10,.0f}{waits}{1e6 * self.cost:>10.0f}{100 * self.load:>9.0f} %"


@dataclass
class Contestant:
    """A running server, and its load generator."""

    name: str
    port: int
    pids: list[int]
    load: type[Load]
    database: str = ""
    kept: Kept = field(default_factory=dict)
    best: dict[int, Measured] = field(default_factory=dict)


def main() -> None:
    """Start all servers, measure alternately, print, and check the databases."""
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) == 1:
        print("There is only one core, so the load slows the servers down.")
    contenders.BUILD.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=contenders.BUILD) as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user
        print(f"The disk takes {1000 * sync_time(folder):.2f} ms to sync a page.")
        contestants = list(start(folder, {cores[0]}, stack))
        os.sched_setaffinity(0, {cores[-1]})
        measure_all(contestants)
        report(contestants)
        for one in contestants:
            if one.database.startswith("postgresql"):
                check(one)
        stack.close()
        for one in contestants:
            if one.database.startswith("sqlite"):
                check(one)


def sync_time(folder: Path) -> float:
    """Return the median time in which the disk syncs a page."""
    with (folder / "page").open("wb", buffering=0) as file:
        times = []
        for _ in range(101):
            file.write(bytes(4096))
            begin = perf_counter()
            os.fdatasync(file.fileno())
            times.append(perf_counter() - begin)
    return sorted(times)[50]


def start(folder: Path, cores: set[int], stack: ExitStack) -> Iterator[Contestant]:
    """Start the servers that are available on this machine."""
    port, url = contenders.free_port(), f"sqlite:///{folder / 'games.db'}"
    pid = stack.enter_context(contenders.running(contenders.duelbook(port, url), port, cores))
    yield Contestant("duelbook, SQLite", port, [pid], DuelbookLoad, url)
    if contenders.postgres_programs():
        try:
            database, url = stack.enter_context(contenders.postgres(folder, cores))
            port = contenders.free_port()
            pid = stack.enter_context(
                contenders.running(contenders.duelbook(port, url), port, cores)
            )
            yield Contestant("duelbook, PostgreSQL", port, [pid, database], DuelbookLoad, url)
        except (OSError, CalledProcessError) as error:
            print(f"PostgreSQL could not be started: {error}")
    else:
        print("PostgreSQL is missing, so only SQLite is measured.")
    if which("npm") and which("node"):
        try:
            port = contenders.free_port()
            command, environment = contenders.boardgame(port)
            running = contenders.running(command, port, cores, environment=environment)
            yield Contestant(PEER, port, [stack.enter_context(running)], BoardgameLoad)
        except (OSError, CalledProcessError) as error:
            print(f"boardgame.io could not be installed or started: {error}")
    else:
        print("npm is missing, so there is no comparison with boardgame.io.")
    port = contenders.free_port()
    pid = stack.enter_context(contenders.running(contenders.echo(port), port, cores))
    yield Contestant("Starlette, a bare echo", port, [pid], EchoLoad)


def measure_all(contestants: list[Contestant]) -> None:
    """Measure all servers alternately."""
    work = [(n, one) for n in GAMES for _ in range(ROUNDS) for one in contestants]
    with Counter("measurements") as counter:
        for done, (games, one) in enumerate(work):
            counter(done, len(work))
            measured = uvloop.run(measure(one, games))
            best = one.best.get(games)
            if best is None or measured.rate > best.rate:
                one.best[games] = measured


async def measure(one: Contestant, games: int) -> Measured:
    """Play a number of games at once for a while."""
    load = one.load(one.port)
    try:
        await load.open(games)
        load.start()
        await asyncio.sleep(WARM_UP)
        gc.collect()
        load.waits.clear()
        begin, theirs, ours = perf_counter(), contenders.cpu(one.pids), process_time()
        await asyncio.sleep(SECONDS)
        taken, moves = perf_counter() - begin, len(load.waits)
        theirs, ours = contenders.cpu(one.pids) - theirs, process_time() - ours
    finally:
        load.stop()
    if load.trouble or not moves:
        raise SystemExit(f"{one.name}: {(load.trouble or ['nobody moved'])[0]}")
    if isinstance(load, DuelbookLoad):
        one.kept.update(load.kept)
    await asyncio.sleep(0.2)  # until all players have left
    waits = sorted(load.waits[:moves])
    half, most = waits[moves // 2], waits[moves * 99 // 100]
    return Measured(moves / taken, half, most, theirs / moves, ours / taken)


def report(contestants: list[Contestant]) -> None:
    """Print a table for each number of games, and the ratios."""
    peer = next((one for one in contestants if one.name == PEER), None)
    for games in GAMES:
        head = f"{games} game" + "s" * (games > 1)
        columns = f"{'moves/s':>10}{'p50 ms':>10}{'p99 ms':>10}{'µs/move':>10}{'load':>11}"
        print(f"\n{head:<28}{columns}{'ratio':>8}  goal")
        for one in contestants:
            ratio = f"{one.best[games].rate / peer.best[games].rate:>8.2f}" if peer else ""
            goal = f"  {GOAL}" if peer and one.database and games > 1 else ""
            print(f"{one.name:<28}{one.best[games]}{ratio}{goal}")
    print(
        "\nµs/move is the CPU time of the server and its database; load is the CPU usage of the"
        "\nload generator's core; ratio compares moves per second with boardgame.io's."
    )


def check(one: Contestant) -> None:
    """Check that every acknowledged move is in the database."""
    found = asyncio.run(_stored(one.database))
    lost = [key for key, move in one.kept.items() if found.get(key) != move]
    print(f"{one.name}: {len(one.kept):,} moves were acknowledged, {len(lost)} are missing.")
    if lost:
        raise SystemExit(f"The first missing move: {lost[0]}")


async def _stored(url: str) -> Kept:
    wanted = select(events.c.game, events.c.seq, events.c.text).where(events.c.kind == "move")
    if url.startswith("sqlite"):
        with create_engine(url).connect() as plain:
            return {(row.game, row.seq): row.text for row in plain.execute(wanted)}
    engine = create_async_engine(url.replace("postgresql", "postgresql+asyncpg", 1))
    async with engine.connect() as connection:
        return {(row.game, row.seq): row.text for row in await connection.execute(wanted)}


if __name__ == "__main__":
    try:
        main()
    except KeyboardInterrupt:
        sys.exit(130)
