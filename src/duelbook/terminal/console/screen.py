"""Write to the terminal: the book's text, with the players' names and some colour."""

from __future__ import annotations

import os
import sys

from click import style

from duelbook.play.names import PLAYERS, named
from duelbook.scene import Scene
from duelbook.terminal.console.picture import draw
from duelbook.terminal.console.seat_colours import SEAT_COLOURS
from duelbook.terminal.console.wrapping import wrapped


def wants_colour(*, plain: bool) -> bool:
    """Return whether to use colour and pictures: on a terminal, unless a setting forbids it."""
    told_not_to = plain or os.environ.get("NO_COLOR") or os.environ.get("TERM") == "dumb"
    return not told_not_to and sys.stdout.isatty()


CLEAR = "\x1b[H\x1b[2J\x1b[3J"
"""The codes that go to the top, clear the screen, and clear the scrollback."""
SEPARATOR = "-" * 40


def can_clear() -> bool:
    """Return whether the output is a terminal that can be cleared, with or without colour."""
    return sys.stdout.isatty() and os.environ.get("TERM", "dumb") != "dumb"


class Screen:
    """The output of a session, with the players' names for `Player 1` and `Player 2`."""

    def __init__(self, *, colour: bool = False, names: tuple[str, str] = PLAYERS) -> None:
        self.colour = colour
        self.names = names
        self.can_clear = can_clear()
        self.is_interactive = self.can_clear and sys.stdin.isatty()
        """True if people look at the screen; then it may print help beside the book's words."""
        if hasattr(sys.stdout, "reconfigure") and sys.stdout.errors != "replace":
            sys.stdout.reconfigure(errors="replace")  # print ? for an unsupported character

    def print(self, text: str = "") -> None:
        """Print a text and end its line."""
        self.write(self._fitted(self._painted(text)) + "\n")

    def ask(self, question: str) -> None:
        """Print a question and stay on its line."""
        self.write(self._fitted(self._painted(question)))

    def heading(self, text: str) -> None:
        """Print a line in bold."""
        self.write(self._fitted(self._painted(text, style("", bold=True, reset=False))) + "\n")

    def refuse(self, reason: str) -> None:
        """Print the reason why an answer is refused."""
        painted = self._painted(reason, style("", fg="yellow", reset=False))
        self.write(self._fitted(painted) + "\n")

    def note(self, text: str) -> None:
        """Print a text that is not part of a game, such as a file name, without changes."""
        self.write(text + "\n")

    def picture(self, scene: Scene) -> None:
        """Draw a position, if pictures are on."""
        if self.colour:
            self.write("\n" + draw(scene, self.names) + "\n")

    def clear(self) -> None:
        """Clear the screen and its scrollback; if that is impossible, print a line of dashes."""
        self.write(CLEAR if self.can_clear else f"{SEPARATOR}\n")

    def write(self, text: str) -> None:
        """Print a text without changes."""
        sys.stdout.write(text)
        sys.stdout.flush()

    def _fitted(self, text: str) -> str:
        """Break lines that are longer than the screen, if its width is known."""
        if not self.can_clear:
            return text
        try:
            return wrapped(text, os.get_terminal_size(sys.stdout.fileno()).columns or 80)
        except OSError:  # the terminal is gone
            return text

    def _painted(self, text: str, opening: str = "") -> str:
        """Insert the names in their seats' colours; `opening` is the style of the other words."""
        if not self.colour:
            return named(text, self.names)
        names = [
            style(name, fg=colour, bold=True) + opening
            for name, colour in zip(self.names, SEAT_COLOURS, strict=True)
        ]
        return opening + named(text, (names[0], names[1])) + (style("") if opening else "")
