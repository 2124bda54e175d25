"""The parts of a server's time, from samples of its stacks.

py-spy samples the Python and native stack of each thread from outside. The CPU time of each thread
comes from the kernel, so a sampler that is late or stops the server does not distort the sum. Only
the shares come from here; the time of a move is measured without a sampler.
"""

from __future__ import annotations

import asyncio
import os
import re
import sys
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from tempfile import TemporaryDirectory

import contenders

RATE = 100  # samples a second

COMMIT = "commits and reads, with threads"
DATABASE = "database server"
SOCKETS = "WebSocket layer"
CALLS = "system calls of the network"
CODEC = "decoding and encoding"
TELLING = "broadcast: views and frames"
ROOMS = "rooms and rules"
LOOP = "event loop and tasks"
GARBAGE = "garbage collection"
OTHER = "everything else"
PARTS = (COMMIT, DATABASE, SOCKETS, CALLS, CODEC, TELLING, ROOMS, LOOP, GARBAGE, OTHER)

IDLE = re.compile(
    r"^(epoll_p?wait|select|poll|pthread_cond_|sem_|futex|PyThread_acquire_lock|take_gil)"
)
"""The innermost named frames of a waiting thread."""
DISK = re.compile(r"^(f(data)?sync|pwrite64|pread64|ftruncate)\b")
INNERMOST = (
    (GARBAGE, re.compile(r"^gc_collect")),
    (CALLS, re.compile(r"^(read|write|writev|sendmsg|sendto|send|recv|recvmsg|recvfrom) \(libc")),
    (CODEC, re.compile(r"\(msgspec/|\(json/")),
)
ANYWHERE = (
    (
        COMMIT,
        re.compile(
            r"\(duelbook/web/rooms/(store|writer|database|sqlite_writer|postgresql_writer|uptime)"
            r"|\((sqlalchemy|asyncpg|aiosqlite|sqlite3|_sqlite)/"
        ),
    ),
    (TELLING, re.compile(r"\(duelbook/web/rooms/(views|scene_json|telling)|^Hub\._tell")),
)
NEAREST = (
    (CODEC, re.compile(r"\(duelbook/web/protocol|\(msgspec/")),
    (TELLING, re.compile(r"\(duelbook/web/games/presence")),
    (ROOMS, re.compile(r"\(duelbook/(?!web/server|web/rooms/(views|presence))")),
    (SOCKETS, re.compile(r"\((websockets|uvicorn|starlette|h11|duelbook/web/server)/")),
    (LOOP, re.compile(r"\((asyncio/|uvloop|_asynciomodule|loop\.c|core\.c|stream\.c|linux\.c)")),
)


@dataclass(frozen=True)
class Stack:
    """A sampled stack of a thread, its innermost frame first."""

    thread: int
    frames: tuple[str, ...]

    @property
    def waits(self) -> bool:
        """Return whether the thread used no CPU time at the time of the sample."""
        return any(IDLE.match(frame) for frame in self.frames[:4])

    @property
    def part(self) -> str:
        """The part of the server that the stack belongs to."""
        for part, pattern in INNERMOST:
            if any(pattern.search(frame) for frame in self.frames[:3]):
                return part
        if any(DISK.match(frame) for frame in self.frames[:3]):
            return COMMIT
        for part, pattern in ANYWHERE:
            if any(pattern.search(frame) for frame in self.frames):
                return part
        for frame in self.frames:
            for part, pattern in NEAREST:
                if pattern.search(frame):
                    return part
        return OTHER


def read(raw: str) -> Counter[Stack]:
    """Read the output of py-spy: a line for each stack, outermost frame first, and its count."""
    stacks: Counter[Stack] = Counter()
    for line in raw.splitlines():
        text, _, count = line.rpartition(" ")
        thread, *frames = text.split(";")
        if number := re.match(r"thread \((\d+)\)", thread):
            stacks[Stack(int(number[1]), tuple(reversed(frames)))] += int(count)
    return stacks


def shares(stacks: Counter[Stack], cpu: dict[int, float]) -> dict[str, float]:
    """Return the share of each part; the CPU time of a thread is its weight."""
    total = sum(cpu.values()) or 1.0
    shares_by_part = dict.fromkeys(PARTS, 0.0)
    for thread, used in cpu.items():
        seen = {s: n for s, n in stacks.items() if s.thread == thread}
        busy = {s: n for s, n in seen.items() if not s.waits} or seen
        count = sum(busy.values())
        if not count:
            shares_by_part[OTHER] += used / total
        for stack, times in busy.items():
            shares_by_part[stack.part] += used / total * times / count
    return shares_by_part


def missing() -> str:
    """Return what is missing for sampling, or an empty text."""
    return "" if _program() else "py-spy is missing, so there is no table of parts."


async def sample(pids: list[int], seconds: float) -> dict[str, float] | str:
    """Return the shares of a running server and its database, or the reason for their absence."""
    server, *databases = pids
    before, database_cpu = thread_times(server), contenders.cpu(databases)
    with TemporaryDirectory() as folder:
        out = Path(folder, "stacks")
        command = [
            *(_program(), "record", "--native", "--threads", "--format", "raw"),
            *("--rate", str(RATE), "--duration", str(round(seconds)), "--output", str(out)),
            *("--pid", str(server)),
        ]
        pipe = asyncio.subprocess.PIPE
        sampler = await asyncio.create_subprocess_exec(*command, stdout=pipe, stderr=pipe)
        _, errors = await sampler.communicate()
        if sampler.returncode or not out.exists():
            return f"py-spy could not sample the server: {errors.decode().strip()[-200:]}"
        stacks = read(out.read_text(encoding="utf-8", errors="replace"))
    database_cpu = contenders.cpu(databases) - database_cpu
    cpu = {thread: used - before.get(thread, 0.0) for thread, used in thread_times(server).items()}
    server_cpu = sum(cpu.values())
    shares_by_part = {
        part: share * server_cpu / (server_cpu + database_cpu)
        for part, share in shares(stacks, cpu).items()
    }
    shares_by_part[DATABASE] = database_cpu / (server_cpu + database_cpu)
    return shares_by_part


def thread_times(pid: int) -> dict[int, float]:
    """Return the CPU seconds of each thread of a process."""
    times = {}
    for stat in Path(f"/proc/{pid}/task").glob("*/stat"):
        with suppress(OSError):  # it has just ended
            rest = stat.read_text().rpartition(")")[2].split()
            times[int(stat.parent.name)] = (int(rest[11]) + int(rest[12])) / contenders.TICKS
    return times


def _program() -> str:
    beside = Path(sys.executable).with_name("py-spy")
    return str(beside) if os.access(beside, os.X_OK) else which("py-spy") or ""
