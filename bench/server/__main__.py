"""Durable moves per second, compared with boardgame.io in memory, alternately in one run.

Each server has one core, and the load generator has another. A move counts when its player receives
the acknowledgement. Each side moves as soon as it can. At the end the benchmark kills the servers
and checks that every acknowledged move is in the database. A second table shows where our server
spends the time of a move; see `parts`.
"""

from __future__ import annotations

import asyncio
import gc
import os
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from shutil import which
from subprocess import CalledProcessError
from tempfile import TemporaryDirectory
from time import perf_counter, process_time

import click
import contenders
import parts
import uvloop
from load import AcknowledgedMoves, BoardgameLoad, DuelbookLoad, EchoLoad, Load
from sqlalchemy import create_engine, select
from sqlalchemy.ext.asyncio import create_async_engine

from duelbook.terminal.console.progress import Counter
from duelbook.web.store.database_tables import events

GAMES = (1, 50, 200)
ROUNDS, WARM_UP, SECONDS = 3, 1.0, 4.0
PEER, RATE_GOAL, P99_GOAL = "boardgame", 2.5, 1 / 3
FULL = 0.9  # of a core; above it, the load generator may limit the figure
SAMPLING = 5.0  # seconds


@dataclass(frozen=True)
class Plan:
    """The servers to measure, the loads, and the duration."""

    games: tuple[int, ...]
    only: tuple[str, ...]
    rounds: int
    seconds: float
    parts: bool


@dataclass
class Measured:
    """The measurements of one server."""

    rate: float
    median: float
    percentile_99: float
    cost: float
    load: float

    def __str__(self) -> str:
        """Return the line of the table."""
        waits = f"{1000 * self.median:>9.2f}{1000 * self.percentile_99:>9.2f}"
        full = "!" if self.load > FULL else " "
        return f"{self.rate:>9,.0f}{waits}{1e6 * self.cost:>9.0f}{100 * self.load:>6.0f} %{full}"


@dataclass
class Candidate:
    """A running server, and its load generator."""

    key: str
    name: str
    port: int
    pids: list[int]
    load: type[Load]
    database: str = ""
    acknowledged: AcknowledgedMoves = field(default_factory=dict)
    best: dict[int, Measured] = field(default_factory=dict)
    shares: dict[int, dict[str, float] | str] = field(default_factory=dict)
    """The parts of its time, or the reason why they are unknown."""


@click.command()
@click.option("--games", multiple=True, type=click.IntRange(1), help="Games at once; repeatable.")
@click.option("--only", multiple=True, help="Measure this server only; repeatable.")
@click.option("--rounds", default=ROUNDS, help="Measurements of each; the fastest counts.")
@click.option("--seconds", default=SECONDS, help="Seconds of each measurement.")
@click.option("--parts/--no-parts", "by_part", default=True, help="Say where the time goes.")
def main(
    games: tuple[int, ...], only: tuple[str, ...], rounds: int, seconds: float, by_part: bool
) -> None:
    """Start all servers, measure alternately, print, and check the databases."""
    unknown = set(only) - STARTERS.keys()
    if unknown:
        raise click.BadParameter(f"The servers are {', '.join(STARTERS)}.", param_hint="--only")
    plan = Plan(games or GAMES, only or tuple(STARTERS), rounds, seconds, by_part)
    cores = sorted(os.sched_getaffinity(0))
    if len(cores) == 1:
        print("There is only one core, so the load slows the servers down.")
    contenders.BUILD.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=contenders.BUILD) as name, ExitStack() as stack:
        folder = Path(name)
        folder.chmod(0o755)  # PostgreSQL may run as another user
        print(f"The disk takes {1000 * sync_time(folder):.2f} ms to sync a page.")
        servers = list(start(plan, folder, {cores[0]}, stack))
        os.sched_setaffinity(0, {cores[-1]})
        measure_all(plan, servers)
        report(plan, servers)
        if plan.parts:
            report_parts(plan, servers)
        for server in servers:
            if server.database.startswith("postgresql"):
                check(server)
        stack.close()
        for server in servers:
            if server.database.startswith("sqlite"):
                check(server)


def sync_time(folder: Path) -> float:
    """Return the median time of the disk to sync a page."""
    with (folder / "page").open("wb", buffering=0) as file:
        times = []
        for _ in range(101):
            file.write(bytes(4096))
            begin = perf_counter()
            os.fdatasync(file.fileno())
            times.append(perf_counter() - begin)
    return sorted(times)[50]


# Servers ----------------------------------------------------------------------------------------

Starter = Callable[[Path, set[int], ExitStack], Candidate | str]
"""A function that starts a server in a folder on some cores, or returns what is missing."""


def start(plan: Plan, folder: Path, cores: set[int], stack: ExitStack) -> Iterator[Candidate]:
    """Start the requested servers that are available on this machine."""
    for key in plan.only:
        try:
            started = STARTERS[key](folder, cores, stack)
        except (OSError, CalledProcessError) as error:
            started = f"{key} could not be installed or started: {error}"
        if isinstance(started, Candidate):
            yield started
        else:
            print(started)


def _start_sqlite(folder: Path, cores: set[int], stack: ExitStack) -> Candidate:
    url = f"sqlite:///{folder / 'games.db'}"
    return _start_duelbook("duelbook-sqlite", "duelbook, SQLite", url, cores, stack)


def _start_postgresql(folder: Path, cores: set[int], stack: ExitStack) -> Candidate | str:
    if not contenders.postgres_programs():
        return "PostgreSQL is missing, so it is not measured."
    database, url = stack.enter_context(contenders.postgres(folder, cores))
    server = _start_duelbook("duelbook-postgresql", "duelbook, PostgreSQL", url, cores, stack)
    server.pids.append(database)
    return server


def _start_duelbook(key: str, name: str, url: str, cores: set[int], stack: ExitStack) -> Candidate:
    port = contenders.free_port()
    pid = stack.enter_context(contenders.running(contenders.duelbook(port, url), port, cores))
    return Candidate(key, name, port, [pid], DuelbookLoad, url)


def _start_boardgame(_: Path, cores: set[int], stack: ExitStack) -> Candidate | str:
    if not which("npm") or not which("node"):
        return "npm is missing, so there is no comparison with boardgame.io."
    port = contenders.free_port()
    command, environment = contenders.boardgame(port)
    running = contenders.running(command, port, cores, environment=environment)
    pid = stack.enter_context(running)
    return Candidate(PEER, "boardgame.io, in memory", port, [pid], BoardgameLoad)


def _start_echo(_: Path, cores: set[int], stack: ExitStack) -> Candidate:
    port = contenders.free_port()
    pid = stack.enter_context(contenders.running(contenders.echo(port), port, cores))
    return Candidate("echo", "Starlette, a bare echo", port, [pid], EchoLoad)


STARTERS: dict[str, Starter] = {
    "duelbook-sqlite": _start_sqlite,
    "duelbook-postgresql": _start_postgresql,
    PEER: _start_boardgame,
    "echo": _start_echo,
}

# Measurements -----------------------------------------------------------------------------------


def measure_all(plan: Plan, servers: list[Candidate]) -> None:
    """Measure all servers alternately, and only then sample them."""
    work = [(n, server) for n in plan.games for _ in range(plan.rounds) for server in servers]
    with Counter("measurements") as counter:
        for done, (games, server) in enumerate(work):
            counter(done, len(work))
            measured = uvloop.run(measure(server, games, plan.seconds))
            best = server.best.get(games)
            if best is None or measured.rate > best.rate:
                server.best[games] = measured
    if plan.parts and not parts.missing():
        for server in servers:
            for games in plan.games if server.database else ():
                server.shares[games] = uvloop.run(sample(server, games))


async def measure(server: Candidate, games: int, seconds: float) -> Measured:
    """Play a number of games at once for a while."""
    async with playing(server, games) as load:
        gc.collect()
        load.waits.clear()
        begin, server_cpu, load_cpu = perf_counter(), contenders.cpu(server.pids), process_time()
        await asyncio.sleep(seconds)
        taken, moves = perf_counter() - begin, len(load.waits)
        server_cpu, load_cpu = contenders.cpu(server.pids) - server_cpu, process_time() - load_cpu
    waits = sorted(load.waits[:moves])
    median, percentile_99 = waits[moves // 2], waits[moves * 99 // 100]
    return Measured(moves / taken, median, percentile_99, server_cpu / moves, load_cpu / taken)


async def sample(server: Candidate, games: int) -> dict[str, float] | str:
    """Return the parts of the time of a server while it plays."""
    async with playing(server, games):
        return await parts.sample(server.pids, SAMPLING)


@asynccontextmanager
async def playing(server: Candidate, games: int) -> AsyncIterator[Load]:
    """Play a number of games at once, warmed up, within an `async with` block."""
    load = server.load(server.port)
    try:
        await load.open(games)
        load.start()
        await asyncio.sleep(WARM_UP)
        yield load
    finally:
        load.stop()
    if load.trouble or not load.waits:
        raise SystemExit(f"{server.name}: {(load.trouble or ['nobody moved'])[0]}")
    if isinstance(load, DuelbookLoad):
        server.acknowledged.update(load.acknowledged)
    await asyncio.sleep(0.2)  # until all players have left


# Reports ----------------------------------------------------------------------------------------


def report(plan: Plan, servers: list[Candidate]) -> None:
    """Print a table for each number of games, and the ratios."""
    peer = next((server for server in servers if server.key == PEER), None)
    for games in plan.games:
        columns = f"{'moves/s':>9}{'p50 ms':>9}{'p99 ms':>9}{'µs/move':>9}{'load':>8} "
        ratios = f"{'ratio':>7}{'goal':>7}{'p99 ratio':>11}{'goal':>7}" if peer else ""
        print(f"\n{_headed(games):<24}{columns}{ratios}")
        for server in servers:
            comparison = (
                ratio(server.best[games], peer.best[games], games, server.database) if peer else ""
            )
            print(f"{server.name:<24}{server.best[games]}{comparison}")
    print(
        "\nµs/move is the CPU time of the server and its database; load is the CPU usage of the"
        "\nload generator's core, and with a ! it may be what limits the figure; ratio compares"
        "\nmoves per second with boardgame.io's, and p99 ratio the slowest moves."
    )


def ratio(server: Measured, peer: Measured, games: int, database: str) -> str:
    """Return the comparison with boardgame.io, and the goals if there are any."""
    goal = f"{RATE_GOAL:>7}" if database and games > 1 else " " * 7
    slow = f"{P99_GOAL:>7.2f}" if database and games >= 200 else ""
    latency = server.percentile_99 / peer.percentile_99
    return f"{server.rate / peer.rate:>7.2f}{goal}{latency:>11.2f}{slow}"


def report_parts(plan: Plan, servers: list[Candidate]) -> None:
    """Print where our servers spend the time of a move."""
    if why := parts.missing():
        print(f"\n{why}")
        return
    for server in servers:
        for games in (n for n in plan.games if n in server.shares):
            shares, cost = server.shares[games], server.best[games].cost
            print(f"\n{server.name}, {_headed(games)}: the parts of {1e6 * cost:.0f} µs")
            if isinstance(shares, str):
                print(shares)
                continue
            for part, share in sorted(shares.items(), key=lambda item: -item[1]):
                if share > 0:
                    print(f"  {part:<30}{100 * share:>5.1f} %{1e6 * cost * share:>7.0f} µs")


def _headed(games: int) -> str:
    return f"{games} game" + "s" * (games > 1)


def check(server: Candidate) -> None:
    """Check that every acknowledged move is in the database."""
    stored = asyncio.run(_stored(server.database))
    lost = [key for key, move in server.acknowledged.items() if stored.get(key) != move]
    moves = len(server.acknowledged)
    print(f"{server.name}: {moves:,} moves were acknowledged, {len(lost)} are missing.")
    if lost:
        raise SystemExit(f"The first missing move: {lost[0]}")


async def _stored(url: str) -> AcknowledgedMoves:
    query = select(events.c.game, events.c.seq, events.c.text).where(events.c.kind == "move")
    if url.startswith("sqlite"):
        with create_engine(url).connect() as connection:
            return {(row.game, row.seq): row.text for row in connection.execute(query)}
    engine = create_async_engine(url.replace("postgresql", "postgresql+asyncpg", 1))
    async with engine.connect() as connection:
        return {(row.game, row.seq): row.text for row in await connection.execute(query)}


if __name__ == "__main__":
    main()
