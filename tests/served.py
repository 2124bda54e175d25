"""A real server in a process of its own, which can be killed and started again."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Self

COMMAND = "from duelbook.cli import main; main()"


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        return int(listening.getsockname()[1])


class Served:
    """`duelbook serve` on a port of its own, with its database in a folder."""

    def __init__(self, folder: Path, *options: str) -> None:
        self.folder = folder
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.options = options
        self.log: list[str] = []
        self.start()

    def start(self) -> None:
        """Start it, and wait until it can be asked."""
        environment = os.environ | {"DUELBOOK_HOME": str(self.folder)}
        options = ["serve", "--port", str(self.port), *self.options]
        self.process = subprocess.Popen(  # noqa: S603 # our own program
            [sys.executable, "-c", COMMAND, *options],
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert self.process.stderr
        self._reader = threading.Thread(target=self.log.extend, args=(self.process.stderr,))
        self._reader.start()
        while not self._listens():
            with suppress(subprocess.TimeoutExpired):
                self.process.wait(timeout=0.05)
                self._gone()
                raise RuntimeError("".join(self.log))

    def _listens(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def kill(self) -> None:
        """End it without a warning."""
        self.process.kill()
        self._gone()

    def stop(self) -> None:
        """End it as one should."""
        self.process.terminate()
        self._gone()

    def _gone(self) -> None:
        self.process.wait()
        self._reader.join()
        assert self.process.stderr
        self.process.stderr.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.returncode is None:
            self.stop()
