"""The soak test: honest players play while the servers have one fault after another.

    python tests/soak.py [--minutes 30] [--tables 200] [--seed N] [--kind cluster|sqlite]

Two servers with PostgreSQL and Redis, and then one with SQLite, run with their usual limits. The
seed decides the order of the faults: kills, restarts, lost connections, a frozen and a restarted
database, a stopped or frozen Redis, and one attacker at a time. The test checks that

- no acknowledged move is lost, in the next snapshot and in the database at the end;
- every table continues after each fault, and no honest player is refused;
- every move is answered in time, and stored in time during an attack;
- `/healthz` is red exactly during a fault, with a few seconds of tolerance for the change;
- memory and file descriptors of each server process stay flat after the warm-up;
- every line of the log is a JSON object without a traceback.

The test prints a table of the faults and all violations. With violations, the exit status is 1.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import resource
import secrets
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from game_sessions import check_stored_games
from servers import PostgreSQL, Redis, Server, SpawnedServer, running
from soak_checks import Resources, trouble_in_log
from soak_faults import CLUSTER, SQLITE, Fault, Lengths, Servers, Stage

MAX_DESCRIPTORS = 1_024
"""The usual limit of a process; the test must notice an attacker who exhausts it."""
MAX_MOVE_SECONDS = 5.0
"""The maximum wait of a move during an attack."""
MAX_ANSWER_SECONDS = 15.0
"""The maximum time until an answer to a move; a refusal is also an answer."""
LONG = Lengths(
    attack=(5, 20), away=(0, 15), frozen=(15, 30), pause=(2, 10), pace=1.0, warm=120, cool=100
)


@dataclass
class Row:
    """The measurements of one kind of fault."""

    times: int = 0
    moves: int = 0
    worst: float = 0.0
    """The longest wait of a move from the start of the fault until every table had moved."""
    recovery: float = 0.0
    """The longest time from the end of the fault until every table had moved."""


@dataclass
class Report:
    """The measurements of a soak, and the violations."""

    rows: dict[str, Row] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)
    trouble: dict[str, list[str]] = field(default_factory=dict)

    def text(self) -> str:
        """Return the report as text."""
        lines = [f"{'fault':28}{'times':>6}{'moves':>8}{'worst wait':>13}{'recovery':>11}"]
        lines += [
            f"{name:28}{row.times:6}{row.moves:8}{row.worst:11.2f} s{row.recovery:9.2f} s"
            for name, row in sorted(self.rows.items())
        ]
        lines += ["", *self.facts]
        for check, violations in self.trouble.items():
            lines.append(
                f"{check}: {f'VIOLATED {len(violations)} times' if violations else 'held'}"
            )
            lines += [
                f"    {count} times: {violation}"
                for violation, count in Counter(violations).most_common(10)
            ]
        return "\n".join(lines)

    @property
    def held(self) -> bool:
        """Return whether there are no violations."""
        return not any(self.trouble.values())


def forever(faults: dict[str, Fault], chance: random.Random) -> Iterator[str]:
    """Yield the faults without end: all of them in a random order, then in another one."""
    while True:
        yield from chance.sample(sorted(faults), len(faults))


async def soak(stage: Stage, faults: dict[str, Fault], plan: Iterator[str], until: float) -> Report:
    """Play, and cause one fault after another until the plan or the time is over."""
    report, resources, tables = Report(), Resources(stage.lengths.warm), stage.tables
    watch, play = asyncio.create_task(stage.health.watch()), asyncio.create_task(tables.play())
    began = time.monotonic()
    await _check_all_move(stage, began, "the beginning")
    resources.measure(tables)
    await asyncio.sleep(stage.lengths.warm)
    resources.measure(tables)
    for name in plan:
        if time.monotonic() > until or play.done():
            break
        await _cause(name, faults[name], stage, report.rows.setdefault(name, Row()))
        await stage.wait(stage.lengths.pause)
        resources.measure(tables)
    await asyncio.sleep(stage.lengths.cool)
    resources.measure(tables)
    tables.leave()
    await play
    if tables.slowest > MAX_ANSWER_SECONDS:
        stage.trouble.append(f"a move was not answered for {tables.slowest:.1f} s")
    watch.cancel()
    with suppress(asyncio.CancelledError):
        await watch
    waits = sorted(wait for _, wait in tables.waits)
    took, health = time.monotonic() - began, stage.health
    report.facts = [
        f"{len(waits)} moves of {len(tables.games)} games acknowledged in {took:.0f} s;"
        f" median wait {waits[len(waits) // 2] * 1000:.0f} ms,"
        f" worst {waits[-1] * 1000:.0f} ms",
        f"{health.answers} answers about health, {health.reds} of them red;"
        f" the slowest green one took {health.worst * 1000:.0f} ms",
        *(
            f"process {pid}: {warm.memory:.0f} MB and {warm.descriptors} descriptors when warm,"
            f" {last.memory:.0f} MB and {last.descriptors} at the end"
            for pid, warm, last in resources.compared()
        ),
    ]
    report.trouble = {
        "honest players lose nothing and continue": stage.trouble + tables.trouble,
        "health is red exactly during a fault": health.trouble,
        "memory and descriptors are flat": resources.trouble,
        "the database has all acknowledged moves": await check_stored_games(
            stage.servers[0].database, tables.games
        ),
        "the log is JSON without a traceback": [
            line for server in stage.servers for line in trouble_in_log(server)
        ],
    }
    return report


async def _cause(name: str, fault: Fault, stage: Stage, row: Row) -> None:
    """Cause a fault, and check that every table moves after it."""
    before, began = len(stage.tables.waits), time.monotonic()
    await fault(stage)
    ended = time.monotonic()
    await _check_all_move(stage, ended, name)
    waits = [wait for _, wait in stage.tables.waits[before:]]
    row.times += 1
    row.moves += len(waits)
    row.worst = max(row.worst, *waits)
    row.recovery = max(row.recovery, time.monotonic() - ended)
    if name.startswith("attack") and max(waits) > MAX_MOVE_SECONDS:
        stage.trouble.append(f"{name}: a move waited {max(waits):.1f} s")
    took = time.monotonic() - began
    sys.stderr.write(f"{name:28}{took:7.1f} s, worst wait {max(waits):.2f} s\n")


async def _check_all_move(stage: Stage, since: float, event: str) -> None:
    late = await stage.tables.all_move(since)
    if late:
        stage.trouble.append(f"{len(late)} tables did not continue after {event}")


# The servers ------------------------------------------------------------------------------------


@contextmanager
def cluster(folder: Path, kind: type[Server] = SpawnedServer) -> Iterator[Servers]:
    """Start two servers with PostgreSQL and Redis."""
    with running(PostgreSQL()) as postgresql, running(Redis(folder)) as redis:
        options, database = ("--redis", redis.url), postgresql.database()
        with (
            running(kind(folder, *options, database=database)) as first,
            running(kind(folder, *options, database=database)) as second,
        ):
            yield Servers([first, second], postgresql, redis)


@contextmanager
def single_server(folder: Path, kind: type[Server] = SpawnedServer) -> Iterator[Servers]:
    """Start one server with SQLite."""
    with running(kind(folder)) as server:
        yield Servers([server])


SHARES = {"cluster": 2 / 3, "sqlite": 1 / 3}
"""The share of each kind of servers in the total time."""
KINDS = {"cluster": (cluster, CLUSTER), "sqlite": (single_server, SQLITE)}


def run(kind: str, tables: int, seed: int, seconds: float, only: str = "") -> Report:
    """Soak servers of a kind, and return the report."""
    start, faults = KINDS[kind]
    faults = {name: fault for name, fault in faults.items() if only in name}
    chance = random.Random(seed)
    until = time.monotonic() + seconds - LONG.cool
    with (
        tempfile.TemporaryDirectory(prefix="duelbook-soak-") as folder,
        start(Path(folder)) as servers,
    ):
        stage = Stage(servers, tables, chance, LONG)
        return asyncio.run(soak(stage, faults, forever(faults, chance), until))


def main() -> None:
    """Read the arguments, soak the servers, and print the reports."""
    parser = argparse.ArgumentParser(description="Soak servers.")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--tables", type=int, default=200)
    parser.add_argument("--seed", type=int, default=secrets.randbelow(1_000_000))
    parser.add_argument("--kind", choices=["cluster", "sqlite", "both"], default="both")
    parser.add_argument("--only", default="", help="faults with this in their names alone")
    chosen = parser.parse_args()
    resource.setrlimit(resource.RLIMIT_NOFILE, (MAX_DESCRIPTORS, MAX_DESCRIPTORS))
    shares = SHARES if chosen.kind == "both" else {chosen.kind: 1.0}
    held = True
    for kind, share in shares.items():
        title = f"{kind}, {chosen.tables} tables, seed {chosen.seed}"
        sys.stderr.write(f"{title}\n")
        seconds = chosen.minutes * 60 * share
        report = run(kind, chosen.tables, chosen.seed, seconds, chosen.only)
        sys.stdout.write(f"\n{title}\n\n{report.text()}\n\n")
        held = held and report.held
    sys.exit(not held)


if __name__ == "__main__":
    main()
