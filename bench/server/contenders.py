"""The measured servers: each runs on one core and ends with its parent process."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from shutil import chown, which
from tempfile import TemporaryFile
from time import monotonic, sleep
from typing import IO

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build"
BOARDGAME = "boardgame.io@0.50.2"
POSTGRES = Path("/usr/lib/postgresql")
TICKS = os.sysconf("SC_CLK_TCK")
LIMITS = ["--rate", "1000000", "--connections", "1000000", "--games", "1000000"]
START_TIMEOUT_SECONDS = 60.0


def free_port() -> int:
    """Return a free port."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


@contextmanager
def running(
    command: list[str],
    port: int,
    cores: set[int],
    user: str | None = None,
    environment: dict[str, str] | None = None,
) -> Iterator[int]:
    """Run a server on these cores within a `with` block; yield its process id."""
    with (
        TemporaryFile() as output,
        subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=output,
            stderr=output,
            user=user,
            env={**os.environ, **(environment or {})},
            process_group=0,  # the parent process handles Ctrl-C
            preexec_fn=lambda: os.sched_setaffinity(0, cores),  # noqa: PLW1509 # there are no threads yet
        ) as server,
    ):
        try:
            _wait_for(server, port, output)
            yield server.pid
        finally:
            server.kill()  # acknowledged moves must be on disk already


def _wait_for(server: subprocess.Popen[bytes], port: int, output: IO[bytes]) -> None:
    late = monotonic() + START_TIMEOUT_SECONDS
    while monotonic() < late and server.poll() is None:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port), 1):
            return
        sleep(0.05)
    output.seek(0)
    raise OSError(f"A server did not start. {output.read().decode(errors='replace')[-1000:]}")


def duelbook(port: int, database: str) -> list[str]:
    """Return the command of our server, without limits."""
    program = str(Path(sys.executable).with_name("duelbook"))
    return [program, "serve", "--port", str(port), "--database", database, *LIMITS]


def echo(port: int) -> list[str]:
    """Return the command of the echo server."""
    return [sys.executable, str(HERE / "echo.py"), str(port)]


def boardgame(port: int) -> tuple[list[str], dict[str, str]]:
    """Return the command and environment of boardgame.io's server; install it if necessary."""
    folder = BUILD / "boardgame"
    if not (folder / "node_modules" / "boardgame.io").is_dir():
        folder.mkdir(parents=True, exist_ok=True)
        install = ["install", "--no-audit", "--no-fund", "--prefix", str(folder), BOARDGAME]
        subprocess.run([str(which("npm")), *install], check=True, capture_output=True)
    environment = {"NODE_PATH": str(folder / "node_modules"), "NODE_ENV": "production"}
    return [str(which("node")), str(HERE / "boardgame.cjs"), str(port)], environment


# PostgreSQL -------------------------------------------------------------------------------------


def postgres_programs() -> Path | None:
    """Return the folder of PostgreSQL's programs, of the newest version."""
    if program := which("initdb"):
        return Path(program).parent
    installed = [f for f in POSTGRES.glob("*/bin") if (f / "initdb").exists()]
    return max(installed, key=lambda f: float(f.parent.name), default=None)


@contextmanager
def postgres(folder: Path, cores: set[int]) -> Iterator[tuple[int, str]]:
    """Run a separate PostgreSQL; yield its process id and the URL of its database."""
    programs = postgres_programs()
    assert programs is not None  # noqa: S101 # the caller has checked
    user = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root
    data, port = folder / "postgres", free_port()
    data.mkdir()
    if user:
        chown(data, user)
    subprocess.run(
        [programs / "initdb", "-D", data, "-U", "duelbook", "-A", "trust", "-E", "UTF8"],
        check=True,
        capture_output=True,
        user=user,
        cwd=data,
    )
    options = [f"-cunix_socket_directories={data}", "-clisten_addresses=127.0.0.1"]
    command = [str(programs / "postgres"), "-D", str(data), "-p", str(port), *options]
    with running(command, port, cores, user) as pid:
        try:
            yield pid, f"postgresql://duelbook@127.0.0.1:{port}/postgres"
        finally:
            with suppress(OSError):
                os.kill(pid, 2)  # fast shutdown, including its own processes
                os.waitpid(pid, 0)


# CPU time ---------------------------------------------------------------------------------------


def cpu(roots: list[int]) -> float:
    """Return the CPU seconds of processes and their descendants."""
    parents, used = dict[int, int](), dict[int, float]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # it has just ended
            pid, rest = int(stat.parent.name), stat.read_text().rpartition(")")[2].split()
            parents[pid] = int(rest[1])
            used[pid] = (int(rest[11]) + int(rest[12])) / TICKS
    return sum(used[pid] for pid in used if _descends(pid, parents, roots))


def _descends(pid: int, parents: dict[int, int], roots: list[int]) -> bool:
    while pid and pid not in roots:
        pid = parents.get(pid, 0)
    return bool(pid)
