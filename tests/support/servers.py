"""Programs that tests start on free ports, and end by their process ids."""

from __future__ import annotations

import os
import random
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from pathlib import Path
from typing import Self, TypeVar

import pytest

from forked_process import ForkedProcess

DUELBOOK = str(Path(sys.executable).with_name("duelbook"))
TIMEOUT_SECONDS = 60.0  # the timeout of all waits
END_WITH_PARENT = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
"""A command prefix that makes a program end with the process of the tests."""


def _ports() -> Iterator[int]:
    """Return an endless cycle of the ports of this process.

    A server must find its port free, also after a restart. So the ports are below 32,768, where the
    ports of clients begin, and each process of the tests has different ports.
    """
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw")) % 8
    ports = range(20_000 + 1_500 * worker, 20_000 + 1_500 * (worker + 1))
    return cycle(random.sample(ports, len(ports)))


PORTS = _ports()


def free_port() -> int:
    """Return a port of this machine that nobody listens on."""
    while True:
        port = next(PORTS)
        with socket.socket() as probe, suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def wait_until(condition: Callable[[], object], otherwise: Callable[[], str]) -> None:
    """Wait until a condition holds; after the timeout, fail with the text of `otherwise`."""
    deadline = time.monotonic() + TIMEOUT_SECONDS
    while not condition():
        if time.monotonic() > deadline:
            pytest.fail(otherwise())
        time.sleep(0.02)


def is_listening(port: int) -> bool:
    """Return whether a program listens on a port."""
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def group_lives(group: int) -> bool:
    """Return whether a process group still has a process."""
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def descendants(pid: int) -> list[int]:
    """Return the ids of all descendants of a process."""
    children: dict[int, list[int]] = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):  # the process has just ended
            parent = int(stat.read_text().rpartition(")")[2].split()[1])
            children.setdefault(parent, []).append(int(stat.parent.name))
    pids = [pid]
    for parent in pids:  # the list grows in the loop
        pids += children.get(parent, [])
    return pids[1:]


def _signal(pid: int, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(pid, number)


class Program:
    """A program with a port and a log, in a separate process group."""

    def __init__(self, folder: Path) -> None:
        self.folder, self.port = folder, free_port()
        self.log = folder / f"{type(self).__name__.lower()}-{self.port}.log"
        self.process: subprocess.Popen[bytes] | ForkedProcess | None = None
        self.user: int | None = None

    def command(self) -> list[str]:
        """Return the command that starts the program."""
        raise NotImplementedError

    def ready(self) -> bool:
        """Return whether the program is ready for use."""
        return is_listening(self.port)

    def log_text(self) -> str:
        """Return the whole log."""
        return self.log.read_text(encoding="utf-8", errors="replace")

    def runs(self) -> bool:
        """Return whether the program runs."""
        return self.process is not None and self.process.poll() is None

    def environment(self) -> dict[str, str]:
        """Return the environment variables of the program."""
        return dict(os.environ, DUELBOOK_HOME=str(self.folder / "home"))

    def launch(self) -> None:
        """Start the program without waiting until it is ready."""
        assert self.process is None, "it runs already"
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(  # noqa: S603 # our own programs
                [*END_WITH_PARENT, *self.command()],
                cwd=self.folder,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                start_new_session=True,
                user=self.user,
                env=self.environment(),
            )

    def start(self) -> Self:
        """Start the program, and wait until it is ready."""
        self.launch()
        wait_until(
            self._ready_or_ended, lambda: f"{self.command()} is not ready:\n{self.log_text()}"
        )
        return self

    def _ready_or_ended(self) -> bool:
        if not self.runs():
            pytest.fail(f"{self.command()} ended at once:\n{self.log_text()}")
        return self.ready()

    def end(self, number: signal.Signals) -> int:
        """Send a signal, wait for the end, kill the process group and return the exit status."""
        assert self.process is not None, "it does not run"
        process, self.process = self.process, None
        process.send_signal(number)
        try:
            status = process.wait(TIMEOUT_SECONDS)
        finally:
            with suppress(ProcessLookupError):  # the group is usually empty
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        return status

    @contextmanager
    def frozen(self) -> Iterator[None]:
        """Suspend the program and its descendants during the block; connections stay open."""
        assert self.process is not None, "it does not run"
        pids = [self.process.pid, *descendants(self.process.pid)]
        try:
            for pid in pids:
                _signal(pid, signal.SIGSTOP)
            yield
        finally:
            for pid in pids:
                _signal(pid, signal.SIGCONT)

    def stop(self) -> int:
        """Ask the program to end, and return its exit status."""
        return self.end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the program."""
        self.end(signal.SIGKILL)

    def close(self) -> None:
        """Kill the program if it still runs."""
        if self.process is not None:
            self.kill()


AnyProgram = TypeVar("AnyProgram", bound=Program)


class Server(Program):
    """`duelbook serve` with a separate database that survives restarts; see `forked`."""

    def __init__(self, folder: Path, *options: str, database: str = "") -> None:
        super().__init__(folder)
        self.database = database or f"sqlite:///{folder / f'games-{self.port}.db'}"
        self.options = options

    @property
    def url(self) -> str:
        """The URL of the server."""
        return f"http://127.0.0.1:{self.port}"

    def live(self, game: str) -> str:
        """Return the URL of a game's WebSocket."""
        return f"ws://127.0.0.1:{self.port}/api/games/{game}/live"

    def command(self) -> list[str]:
        where = ["--host", "127.0.0.1", "--port", str(self.port), "--database", self.database]
        return [DUELBOOK, "serve", *where, *self.options]

    def launch(self) -> None:
        assert self.process is None, "it runs already"
        self.log.touch()
        self.process = ForkedProcess(self.command(), self.folder, self.log, self.environment())

    def ready(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.url}/healthz", timeout=TIMEOUT_SECONDS) as answer:  # noqa: S310 # our own server
                return bool(answer.status == 200)
        except urllib.error.HTTPError as error:
            error.close()
            return False
        except OSError:
            return False


class SpawnedServer(Server):
    """A server in a new process without a fork: it starts slowly, like a user's server."""

    def launch(self) -> None:
        Program.launch(self)


class Redis(Program):
    """A Redis server that stores nothing on disk."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.binary = shutil.which("redis-server") or pytest.skip("redis-server is not installed")

    @property
    def url(self) -> str:
        """The URL of Redis."""
        return f"redis://127.0.0.1:{self.port}/0"

    def command(self) -> list[str]:
        options = {"bind": "127.0.0.1", "port": str(self.port), "save": "", "appendonly": "no"}
        words = [word for name, value in options.items() for word in (f"--{name}", value)]
        return [self.binary, *words]


class PostgreSQL(Program):
    """A PostgreSQL cluster in a temporary folder, created by Debian's binaries."""

    def __init__(self) -> None:
        binaries = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))
        if not binaries:
            pytest.skip("PostgreSQL is not installed")
        self.bin = binaries[-1].parent
        super().__init__(Path(tempfile.mkdtemp(prefix="duelbook-postgresql-")))
        if os.geteuid() == 0:  # PostgreSQL refuses to run as root
            self.user = _unprivileged()
            os.chown(self.folder, self.user, -1)
        self.databases = 0
        self._run("initdb", "--pgdata", "data", "--username", "postgres", "--auth", "trust")

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(  # noqa: S603 # PostgreSQL's own programs
            [self.bin / program, *arguments],
            cwd=self.folder,
            user=self.user,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    def command(self) -> list[str]:
        where = ["-D", "data", "-h", "127.0.0.1", "-p", str(self.port)]
        return [str(self.bin / "postgres"), *where, "-c", "unix_socket_directories="]

    def ready(self) -> bool:
        command = [str(self.bin / "pg_isready"), "-q", "-h", "127.0.0.1", "-p", str(self.port)]
        return subprocess.run(command, check=False).returncode == 0  # noqa: S603 # PostgreSQL's own

    def database(self) -> str:
        """Create an empty database, and return its URL."""
        self.databases += 1
        where = ("--host", "127.0.0.1", "--port", str(self.port), "--username", "postgres")
        self._run("createdb", *where, f"games_{self.databases}")
        return f"postgresql://postgres@127.0.0.1:{self.port}/games_{self.databases}"

    def close(self) -> None:
        if self.process is not None:
            self.end(signal.SIGINT)  # a fast shutdown: it does not wait for clients
        shutil.rmtree(self.folder)


def _unprivileged() -> int:
    import pwd

    known = {entry.pw_name: entry.pw_uid for entry in pwd.getpwall()}
    return known.get("postgres", known["nobody"])


@contextmanager
def running(program: AnyProgram) -> Iterator[AnyProgram]:
    """Start a program, and end it after the block, also after an error."""
    try:
        program.start()
        yield program
    finally:
        program.close()
