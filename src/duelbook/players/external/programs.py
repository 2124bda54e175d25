"""Programs as players, in any language: they read a line of JSON and write a line with the move."""

from __future__ import annotations

import json
import os
import selectors
import shlex
import signal
import subprocess
from contextlib import suppress
from random import Random
from time import monotonic

from duelbook.errors import DuelbookError
from duelbook.players.failures import Failure
from duelbook.players.player import Player
from duelbook.position import Position
from duelbook.secrecy import SeatRecord

MAX_LINE_BYTES = 4_096


class Program(Player):
    """A program with a process for each game; for each move it reads a line and writes a line."""

    def __init__(self, command: str, seconds: float) -> None:
        try:
            self._command = shlex.split(command)
        except ValueError as error:
            raise DuelbookError(f"The command {command!r:.60} cannot be read: {error}.") from error
        if not self._command:
            raise DuelbookError("Name a program after cmd:, such as cmd:./bot.")
        self._seconds = seconds
        self._process: subprocess.Popen[bytes] | None = None
        self._output = b""

    def choose(self, view: Position, random: Random) -> str:
        """Return the program's move for a view."""
        return self.choose_from_record(SeatRecord(view.to_move, view), random)

    def choose_from_record(self, record: SeatRecord, random: Random) -> str:
        """Return the program's move, given the record of its seat."""
        view = record.view
        question = {
            "game": view.slug,
            "seat": record.seat,
            "view": view.to_json(),
            "board": view.board(),
            "legal": view.moves(),
            "heard": [text for _, text, _ in record.steps],
            "seed": random.getrandbits(53),
        }
        process = self._process or self._start()
        assert process.stdin is not None  # noqa: S101 # it is a pipe
        try:
            process.stdin.write(json.dumps(question).encode() + b"\n")
            process.stdin.flush()
        except OSError as error:
            raise Failure("CRASHED", "The program reads no more lines.") from error
        return self._line(process)

    def _start(self) -> subprocess.Popen[bytes]:
        try:
            self._process = subprocess.Popen(  # noqa: S603 # the user names the program
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # so that its child processes end with it
            )
        except OSError as error:
            raise Failure(
                "CRASHED", f"{self._command[0]} cannot be started: {error.strerror}."
            ) from error
        return self._process

    def _line(self, process: subprocess.Popen[bytes]) -> str:
        """Read one line within the time limit."""
        assert process.stdout is not None  # noqa: S101 # it is a pipe
        deadline = monotonic() + self._seconds
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ)
            while b"\n" not in self._output:
                if len(self._output) > MAX_LINE_BYTES:
                    raise Failure("UNPARSABLE", "The program's line is too long.")
                if not selector.select(max(0.0, deadline - monotonic())):
                    raise Failure("TIMEOUT", f"No move came within {self._seconds:g} s.")
                part = os.read(process.stdout.fileno(), MAX_LINE_BYTES)
                if not part:
                    raise Failure("CRASHED", f"The program ended with status {process.wait()}.")
                self._output += part
        line, _, self._output = self._output.partition(b"\n")
        answer = line.decode("utf-8", "replace").strip()
        if not answer:
            raise Failure("EMPTY", "The program's line is empty.")
        return answer

    def close(self) -> None:
        """End the program and its child processes."""
        if self._process:
            with suppress(ProcessLookupError, PermissionError):
                if hasattr(os, "killpg"):
                    os.killpg(self._process.pid, signal.SIGKILL)
                else:  # on Windows
                    self._process.kill()
            self._process.wait()
            for stream in (self._process.stdin, self._process.stdout):
                if stream:
                    with suppress(OSError):
                        stream.close()
            self._process = None
