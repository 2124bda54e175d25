"""Run the services of compose.yaml without Docker, with Debian's packages, for this machine alone.

    DUELBOOK_DB_PASSWORD=… python deploy/services.py FOLDER [--port 8080] [options of duelbook]

Commands, variables, health checks and the order of starting come from compose.yaml, and duelbook's
own from the Dockerfile: see compose.py. As with Docker, what ends is started again, a health check
only reports, and with a service ends all that it started. Each line of the output is a JSON object:
a service and what happened to it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import pwd
import shutil
import signal
import sys
import time
from asyncio.subprocess import DEVNULL, Process, create_subprocess_exec
from contextlib import suppress
from pathlib import Path

from compose import HealthCheck, Service, read

LEASH = ("setpriv", "--pdeathsig", "KILL") if shutil.which("setpriv") else ()
"""What ends a service if this program is killed."""
POSTGRESQL = sorted(Path("/usr/lib/postgresql").glob("*/bin"))[-1:]
PATH = os.pathsep.join(
    map(str, [Path(sys.executable).parent, *POSTGRESQL, os.environ["PATH"], "/usr/sbin"])
)
PROGRAMS = ("curl", "initdb", "nginx", "postgres", "redis-cli", "redis-server")
SOON, LATE, STEADY = 0.1, 60.0, 10.0
"""Docker's shortest and longest pause before a restart, and a run that resets it, in seconds."""


class Running:
    """A service that is kept running."""

    def __init__(self, service: Service) -> None:
        self.service = service
        self.healthy = asyncio.Event()
        self.user = None
        if os.geteuid() == 0 and service.name == "postgres":  # which does not run as root
            account = pwd.getpwnam("postgres")
            self.user = account.pw_uid
            for place in (service.folder, *service.folder.rglob("*")):
                os.chown(place, account.pw_uid, account.pw_gid)
        self._process: Process | None = None

    async def keep(self, needed: list[Running]) -> None:
        """Start it when what it needs is healthy, and again whenever it ends."""
        for other in needed:
            await other.healthy.wait()
        for command in self.service.preparations:
            if await (await self._start(command, "log")).wait():
                sys.exit(f"{command[0]} failed: see {self.service.folder / 'log'}.")
        pause = SOON
        while True:
            began = time.monotonic()
            self._process = await self._start([*LEASH, *self.service.command], "log")
            self._report("started", pid=self._process.pid)
            check = asyncio.create_task(self._check(self.service.health))
            status = await self._process.wait()
            check.cancel()
            self._end_group(self._process)
            self._report("ended", status=status)
            pause = SOON if time.monotonic() - began > STEADY else min(2 * pause, LATE)
            await asyncio.sleep(pause)

    async def stop(self) -> None:
        """Ask it to end, wait as long as it may take, and end it."""
        process = self._process
        if process is None or process.returncode is not None:
            return
        process.send_signal(self.service.stop_signal)
        with suppress(TimeoutError):
            async with asyncio.timeout(self.service.grace):
                await process.wait()
        self._end_group(process)
        self._report("stopped", status=await process.wait())

    def _report(self, happened: str, **facts: object) -> None:
        line = {"service": self.service.name, "happened": happened, **facts}
        sys.stdout.write(f"{json.dumps(line)}\n")
        sys.stdout.flush()

    async def _start(self, command: list[str], log: str) -> Process:
        with (self.service.folder / log).open("ab") as out:
            return await create_subprocess_exec(
                *command,
                cwd=self.service.folder,
                stdin=DEVNULL,
                stdout=out,
                stderr=out,
                start_new_session=True,
                user=self.user,
                env=os.environ | self.service.variables | {"PATH": PATH},
            )

    @staticmethod
    def _end_group(process: Process) -> None:
        """End what a service has started, as the end of a container does."""
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)

    async def _check(self, check: HealthCheck) -> None:
        """Run the health check again and again, and report when its answer changes."""
        began, failed, health = time.monotonic(), 0, "starting"
        while True:
            starting = health == "starting" and time.monotonic() - began < check.start_period
            await asyncio.sleep(check.start_interval if starting else check.interval)
            works = await self._succeeds(check)
            failed = 0 if works else failed + (not starting)
            now = "healthy" if works else "unhealthy" if failed >= check.retries else health
            if now != health:
                self._report(now)
            health = now
            if works:
                self.healthy.set()

    async def _succeeds(self, check: HealthCheck) -> bool:
        trial = await self._start(check.command, "health.log")
        try:
            async with asyncio.timeout(check.timeout):
                return await trial.wait() == 0
        except TimeoutError:
            return False
        finally:
            self._end_group(trial)


async def run(services: list[Service]) -> None:
    """Run services until a signal comes."""
    over, loop = asyncio.Event(), asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, over.set)
    running = {service.name: Running(service) for service in services}
    tasks: list[asyncio.Task[None]] = []
    for one in running.values():
        needed = [running[name] for name in one.service.needs]
        tasks.append(asyncio.create_task(one.keep(needed)))
    signalled = asyncio.create_task(over.wait())
    try:
        done, _ = await asyncio.wait([*tasks, signalled], return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
    finally:
        for task in tasks:
            task.cancel()
        for one in sorted(running.values(), key=lambda one: _depth(one.service, services)):
            await one.stop()


def _depth(service: Service, services: list[Service]) -> int:
    """Return a number that is larger for the services that others need: these stop last."""
    needing = [other for other in services if service.name in other.needs]
    return 1 + max((_depth(other, services) for other in needing), default=0)


def main() -> None:
    """Read the arguments, and run."""
    parser = argparse.ArgumentParser(description="Run the services of compose.yaml without Docker.")
    parser.add_argument("folder", type=Path, help="where the services keep their files and logs")
    parser.add_argument("--port", type=int, default=8080, help="the port of the proxy")
    arguments, options = parser.parse_known_args()
    folder: Path = arguments.folder.absolute()
    folder.mkdir(parents=True, exist_ok=True)
    services = read(folder, arguments.port, options)
    for program in PROGRAMS:
        if shutil.which(program, path=PATH) is None:
            sys.exit(f"{program} is not installed: see README.md.")
    asyncio.run(run(services))


if __name__ == "__main__":
    main()
