"""What a soak looks at all the time: health, memory, descriptors, and the log."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from statistics import median

from servers import Server
from tables import Tables

HEALTH = 0.25
"""Seconds from one question about health to the next."""
CHECK_TIMEOUT_SECONDS = 5.0
"""Seconds without an answer that count as red."""
TURNS_RED, TURNS_GREEN = 4.0, 12.0
"""Seconds in which health must have turned after a fault began, and after it ended.

A server that is started again needs some of them.
"""
MORE_MEMORY, MORE_MEGABYTES = 1.25, 32
"""What a process may use more at the end than when it was warm: a factor, and megabytes."""
MORE_DESCRIPTORS = 48
"""Descriptors that a process may have more, besides its players: a pool comes and goes."""
PROBE = "127.0.0.7"


@dataclass(eq=False)
class Fault:
    """A time during which a server could not do its work."""

    server: Server
    what: str
    began: float
    ended: float = float("inf")
    reds: int = 0

    def must_be_red(self, began: float, ended: float) -> bool:
        """Whether an answer between these moments must be red."""
        return began > self.began + TURNS_RED and ended < self.ended

    def may_be_red(self, began: float, ended: float) -> bool:
        """Whether an answer between these moments may be red."""
        return ended >= self.began and began <= self.ended + TURNS_GREEN


@dataclass
class Health:
    """Asks every server for its health all the time, and compares it with what is wrong."""

    servers: list[Server]
    faults: list[Fault] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    answers: int = 0
    reds: int = 0
    worst: float = 0.0
    """The longest time that a green answer took."""

    @contextmanager
    def wrong(self, what: str, *servers: Server) -> Iterator[None]:
        """Note that servers cannot do their work during the block."""
        faults = [Fault(server, what, time.monotonic()) for server in servers]
        self.faults += faults
        try:
            yield
        finally:
            for fault in faults:
                fault.ended = time.monotonic()

    async def watch(self) -> None:
        """Ask until cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for server in self.servers:
                tasks.create_task(self._watch(server))

    async def _watch(self, server: Server) -> None:
        while True:
            began = time.monotonic()
            green = await is_green(server.port)
            self._compare(server, green, began, time.monotonic())
            await asyncio.sleep(HEALTH)

    def _compare(self, server: Server, green: bool, began: float, ended: float) -> None:
        faults = [fault for fault in self.faults if fault.server is server]
        self.answers += 1
        self.reds += not green
        if green:
            self.worst = max(self.worst, ended - began)
            missed = [fault.what for fault in faults if fault.must_be_red(began, ended)]
            if missed:
                self.trouble.append(f"{server.port}: health was green during {missed[0]}")
        else:
            reasons = [fault for fault in faults if fault.may_be_red(began, ended)]
            for fault in reasons:
                fault.reds += 1
            if not reasons:
                took = ended - began
                self.trouble.append(
                    f"{server.port}: health was red without a fault, in {took:.1f} s"
                )


async def is_green(port: int) -> bool:
    """Whether a server says in time that all is well."""
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_SECONDS):
            reader, writer = await asyncio.open_connection("127.0.0.1", port, local_addr=(PROBE, 0))
            try:
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return b" 200 " in await reader.readline()
            finally:
                writer.transport.abort()
    except OSError:  # a timeout is one, too
        return False


@dataclass(frozen=True)
class Use:
    """What a process uses: megabytes of memory, and descriptors besides those of its players."""

    memory: float
    descriptors: int


def use_of(pid: int, players: int) -> Use:
    """Return what a process uses now."""
    status = Path(f"/proc/{pid}/status").read_text()
    (kilobytes,) = re.findall(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
    return Use(int(kilobytes) / 1024, len(list(Path(f"/proc/{pid}/fd").iterdir())) - players)


@dataclass
class Resources:
    """Compares what each server process uses at its end with what it used when it was warm."""

    warm_after: float
    """Seconds after which a process is warm."""
    began: dict[int, float] = field(default_factory=dict)
    uses: dict[int, list[Use]] = field(default_factory=dict)

    def look(self, tables: Tables) -> None:
        """Note what the servers use now; nothing should be going on."""
        players = Counter(one.socket.remote_address[1] for one in tables.connections)
        for server in tables.servers:
            assert server.process is not None
            pid, now = server.process.pid, time.monotonic()
            if now - self.began.setdefault(pid, now) >= self.warm_after:
                self.uses.setdefault(pid, []).append(use_of(pid, players[server.port]))

    def compared(self) -> list[tuple[int, Use, Use]]:
        """Return for each process what it used when it was warm, and at its end."""
        return [
            (pid, uses[0], Use(median(u.memory for u in uses[-3:]), uses[-1].descriptors))
            for pid, uses in self.uses.items()
            if len(uses) > 1
        ]

    @property
    def trouble(self) -> list[str]:
        """What has grown."""
        return [
            f"process {pid}: {what} grew from {before:.0f} to {after:.0f}"
            for pid, warm, last in self.compared()
            for what, before, after, most in (
                ("memory", warm.memory, last.memory, warm.memory * MORE_MEMORY + MORE_MEGABYTES),
                (
                    *("descriptors", warm.descriptors, last.descriptors),
                    warm.descriptors + MORE_DESCRIPTORS,
                ),
            )
            if after > most
        ]


def trouble_in_log(server: Server) -> list[str]:
    """Return the lines of a server's log that are no JSON object, or hold a traceback."""
    trouble = []
    for line in server.said().splitlines():
        try:
            said = json.loads(line)
        except ValueError:
            said = None
        if not isinstance(said, dict):
            trouble.append(f"{server.log.name}: not a JSON object: {line[:300]}")
        elif "trace" in said or "Traceback" in line:
            trouble.append(f"{server.log.name}: a traceback: {line[-300:]}")
    return trouble
