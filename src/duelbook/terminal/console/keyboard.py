"""Read answers line by line, without echo if a choice is hidden."""

from __future__ import annotations

import codecs
import os
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from duelbook.terminal.console.screen import Screen
from duelbook.terminal.console.signals import wait_for_input
from duelbook.terminal.console.wrapping import shown_width

Echo = Callable[[str], str]
MAX_LINE_LENGTH = 4096


def echo_all(line: str) -> str:
    """Return the whole line, to echo all of it."""
    return line


def echo_nothing(line: str) -> str:  # noqa: ARG001 # the same for every line
    """Return an empty string, to echo nothing of the line."""
    return ""


class Keyboard:
    """A reader of lines from standard input.

    While the keyboard is guarded, the terminal itself echoes nothing, not even early input. Then
    each line appears only as far as `shown` allows.
    """

    def __init__(self, screen: Screen) -> None:
        self.screen = screen
        self.is_terminal = sys.stdin.isatty()
        self._guarded = False
        if hasattr(sys.stdin, "reconfigure") and sys.stdin.errors != "replace":
            sys.stdin.reconfigure(errors="replace")  # accept any bytes

    def line(self, shown: Echo = echo_all) -> str:
        """Return the next line, or raise EOFError when there are no more."""
        if self._guarded:
            return self._typed_line(shown)
        if self.is_terminal and shown is not echo_all:  # a terminal that we cannot guard
            from getpass import getpass  # rarely needed

            return getpass("")
        if self.is_terminal and os.name == "posix":
            wait_for_input(sys.stdin.fileno())
        line = sys.stdin.readline()
        if not line:
            self.screen.print()
            raise EOFError
        line = line.rstrip("\r\n")
        if not self.is_terminal:  # a transcript looks like the screen
            self.screen.write("".join(c for c in shown(line[:80]) if c.isprintable()) + "\n")
        return line

    def forget_typed_ahead(self) -> None:
        """Discard input that was typed before its question, such as an extra Enter."""
        if self._guarded:
            import termios  # only on Unix

            with suppress(termios.error):  # the terminal may be gone by now
                termios.tcflush(sys.stdin.fileno(), termios.TCIFLUSH)

    @contextmanager
    def guarded(self) -> Iterator[None]:
        """Turn the terminal's echo off during the block, and on again afterwards."""
        try:
            import termios  # only on Unix
        except ImportError:  # not a Unix terminal
            yield
            return
        if not self.is_terminal:
            yield
            return
        terminal = sys.stdin.fileno()
        usual = termios.tcgetattr(terminal)
        silent = termios.tcgetattr(terminal)
        silent[3] &= ~(termios.ECHO | termios.ICANON)

        def set_mode(mode: list[Any], when: int = termios.TCSADRAIN) -> None:
            with suppress(termios.error):  # the terminal may be gone by now
                termios.tcsetattr(terminal, when, mode)

        def pause(*_: object) -> None:
            set_mode(usual)
            os.kill(os.getpid(), signal.SIGSTOP)

        handlers = {
            signal.SIGTSTP: signal.signal(signal.SIGTSTP, pause),
            signal.SIGCONT: signal.signal(signal.SIGCONT, lambda *_: set_mode(silent)),
        }
        # The terminal has echoed the input so far, so discard it.
        set_mode(silent, termios.TCSAFLUSH)
        self._guarded = True
        try:
            yield
        finally:
            self._guarded = False
            for number, handler in handlers.items():
                signal.signal(number, handler)
            set_mode(usual)

    def _typed_line(self, shown: Echo) -> str:
        """Read a line key by key, with the usual editing keys of a terminal."""
        line, visible = "", ""
        for key in _keys():
            if key in "\r\n":
                break
            if key == "\x04":  # Ctrl-D ends the line, or the input if the line is empty
                if line:
                    break
                self.screen.write("\n")
                raise EOFError
            if key in "\x7f\b":
                line = line[:-1]
            elif key == "\x15":  # Ctrl-U
                line = ""
            elif key == "\x17":  # Ctrl-W
                line = line.rstrip()[: line.rstrip().rfind(" ") + 1]
            elif key.isprintable() and len(line) < MAX_LINE_LENGTH:
                line += key
            visible = self._redraw(visible, shown(line))
        self.screen.write("\n")
        return line

    def _redraw(self, old: str, new: str) -> str:
        """Replace the visible text, which only grows or shrinks at its end."""
        if new.startswith(old):
            self.screen.write(new[len(old) :])
        else:
            self.screen.write("\b \b" * (shown_width(old) - shown_width(new)))
        return new


def _keys() -> Iterator[str]:
    """Yield the typed characters, without the escape sequences of arrow and function keys."""
    decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
    escape = ""
    while True:
        wait_for_input(sys.stdin.fileno())
        try:
            byte = os.read(sys.stdin.fileno(), 1)
        except OSError:  # the terminal is gone
            byte = b""
        if not byte:
            yield "\x04"
            continue
        for key in decoder.decode(byte):
            if key == "\x1b":
                escape = key
            elif escape == "\x1b" and key in "[O":
                escape = "sequence"
            elif escape == "sequence" and key >= " ":  # Enter ends even a broken sequence
                escape = "" if "@" <= key <= "~" else escape
            else:
                escape = ""
                yield key
