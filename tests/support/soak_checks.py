"""The continuous checks of a soak: health, memory, file descriptors and the log."""

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

from game_sessions import GameSessions
from servers import Server

HEALTH_INTERVAL_SECONDS = 0.25
CHECK_TIMEOUT_SECONDS = 5.0
"""The timeout of a health check; no answer counts as red."""
RED_DELAY_SECONDS, GREEN_DELAY_SECONDS = 4.0, 12.0
"""The maximum time until health turns red after the start of a fault, and green after its end.

The second time includes the restart of a server.
"""
MAX_MEMORY_GROWTH, EXTRA_MEGABYTES = 1.25, 32
"""The allowed growth of memory after the warm-up: a factor, and additional megabytes."""
EXTRA_DESCRIPTORS = 48
"""The allowed growth in file descriptors, without those of players: the size of a pool varies."""
PROBE_ADDRESS = "127.0.0.7"


@dataclass(eq=False)
class Fault:
    """A period during which a server cannot work."""

    server: Server
    reason: str
    began: float
    ended: float = float("inf")
    reds: int = 0

    def must_be_red(self, began: float, ended: float) -> bool:
        """Return whether an answer between these moments must be red."""
        return began > self.began + RED_DELAY_SECONDS and ended < self.ended

    def may_be_red(self, began: float, ended: float) -> bool:
        """Return whether an answer between these moments may be red."""
        return ended >= self.began and began <= self.ended + GREEN_DELAY_SECONDS


@dataclass
class Health:
    """Checks the health of every server continuously, and compares it with the faults."""

    servers: list[Server]
    faults: list[Fault] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    answers: int = 0
    reds: int = 0
    worst: float = 0.0
    """The longest time of a green answer."""

    @contextmanager
    def fault(self, reason: str, *servers: Server) -> Iterator[None]:
        """Record a fault: the servers cannot work during the block."""
        faults = [Fault(server, reason, time.monotonic()) for server in servers]
        self.faults += faults
        try:
            yield
        finally:
            for fault in faults:
                fault.ended = time.monotonic()

    async def watch(self) -> None:
        """Check all servers until the task is cancelled."""
        async with asyncio.TaskGroup() as tasks:
            for server in self.servers:
                tasks.create_task(self._watch(server))

    async def _watch(self, server: Server) -> None:
        while True:
            began = time.monotonic()
            green = await is_green(server.port)
            self._compare(server, green, began, time.monotonic())
            await asyncio.sleep(HEALTH_INTERVAL_SECONDS)

    def _compare(self, server: Server, green: bool, began: float, ended: float) -> None:
        faults = [fault for fault in self.faults if fault.server is server]
        self.answers += 1
        self.reds += not green
        if green:
            self.worst = max(self.worst, ended - began)
            missed = [fault.reason for fault in faults if fault.must_be_red(began, ended)]
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
    """Return whether the health check of a server succeeds in time."""
    try:
        async with asyncio.timeout(CHECK_TIMEOUT_SECONDS):
            reader, writer = await asyncio.open_connection(
                "127.0.0.1", port, local_addr=(PROBE_ADDRESS, 0)
            )
            try:
                writer.write(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                return b" 200 " in await reader.readline()
            finally:
                writer.transport.abort()
    except OSError:  # a timeout is also an OSError
        return False


@dataclass(frozen=True)
class Use:
    """The resources of a process: megabytes, and file descriptors without those of players."""

    memory: float
    descriptors: int


def use_of(pid: int, players: int) -> Use:
    """Return the current resources of a process."""
    status = Path(f"/proc/{pid}/status").read_text()
    (kilobytes,) = re.findall(r"^VmRSS:\s+(\d+) kB$", status, re.MULTILINE)
    return Use(int(kilobytes) / 1024, len(list(Path(f"/proc/{pid}/fd").iterdir())) - players)


@dataclass
class Resources:
    """Compares the resources of each server process after its warm-up and at its end."""

    warm_after: float
    """The seconds of the warm-up of a process."""
    began: dict[int, float] = field(default_factory=dict)
    uses: dict[int, list[Use]] = field(default_factory=dict)

    def measure(self, tables: GameSessions) -> None:
        """Measure the resources of the servers; call it only between faults."""
        players = Counter(connection.socket.remote_address[1] for connection in tables.connections)
        for server in tables.servers:
            assert server.process is not None
            pid, now = server.process.pid, time.monotonic()
            if now - self.began.setdefault(pid, now) >= self.warm_after:
                self.uses.setdefault(pid, []).append(use_of(pid, players[server.port]))

    def compared(self) -> list[tuple[int, Use, Use]]:
        """Return for each process its resources after the warm-up and at the end."""
        return [
            (pid, uses[0], Use(median(u.memory for u in uses[-3:]), uses[-1].descriptors))
            for pid, uses in self.uses.items()
            if len(uses) > 1
        ]

    @property
    def trouble(self) -> list[str]:
        """Sentences about resources that have grown too much."""
        return [
            f"process {pid}: {quantity} grew from {before:.0f} to {after:.0f}"
            for pid, warm, last in self.compared()
            for quantity, before, after, limit in (
                (
                    "memory",
                    warm.memory,
                    last.memory,
                    warm.memory * MAX_MEMORY_GROWTH + EXTRA_MEGABYTES,
                ),
                (
                    *("descriptors", warm.descriptors, last.descriptors),
                    warm.descriptors + EXTRA_DESCRIPTORS,
                ),
            )
            if after > limit
        ]


def trouble_in_log(server: Server) -> list[str]:
    """Return the lines of a server's log that are not JSON objects or contain a traceback."""
    trouble = []
    for line in server.log_text().splitlines():
        try:
            entry = json.loads(line)
        except ValueError:
            entry = None
        if not isinstance(entry, dict):
            trouble.append(f"{server.log.name}: not a JSON object: {line[:300]}")
        elif "trace" in entry or "Traceback" in line:
            trouble.append(f"{server.log.name}: a traceback: {line[-300:]}")
    return trouble
