"""`TuiGame`: the interface between the TUI and a game, local or on a server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

from duelbook.play.series import Series
from duelbook.position import Position
from duelbook.scene import Scene
from duelbook.tui.key_commands import Item


class TuiGame(Protocol):
    """A game at this terminal, or a seat of one on a server."""

    keys: str
    """The help text about the keys."""
    viewer: int | None
    """The only seat that looks at the screen; None if both players look at it."""

    # State ------------------------------------------------------------------------------------

    @property
    def game(self) -> type[Position]:
        """The class of the game."""

    @property
    def title(self) -> str:
        """The title of the game, and its number in a series."""

    @property
    def names(self) -> tuple[str, str]:
        """The names of the players."""

    @property
    def shown(self) -> Position:
        """The position as the people at the screen may see it."""

    @property
    def look(self) -> Position:
        """The position as the player to move may see it."""

    @property
    def scene_before(self) -> Scene:
        """The scene before the last move, as seen from the same seat."""

    @property
    def number(self) -> int:
        """A number that changes whenever the position does."""

    @property
    def is_over(self) -> bool:
        """Return whether the current game is over."""

    @property
    def asked_seat(self) -> int | None:
        """The seat of the person at this screen who is to move, or None."""

    @property
    def running(self) -> int | None:
        """The seat whose time runs, if one does."""

    @property
    def can_resign(self) -> bool:
        """Return whether somebody here can resign now."""

    def time_left(self, seat: int) -> float | None:
        """Return the seconds on a player's clock, if there are clocks."""

    def legal(self) -> tuple[str, ...]:
        """Return the moves to choose from."""

    def waits_for(self) -> str:
        """Return the reason for waiting; empty if a person is asked."""

    def needs_curtain(self, words: tuple[str, ...]) -> bool:
        """Return whether the other player must look away before the choice of the next word."""

    def is_unseen(self, words: tuple[str, ...]) -> bool:
        """Return whether the screen must not show the next word."""

    def log(self) -> list[str]:
        """Return the texts of the book: the welcome, then the text of each move."""

    def result(self) -> str:
        """Return a text about the winner and the score of the series."""

    def notice(self) -> str:
        """Return a notice, such as a request of the other player; may be empty."""

    def commands(self) -> Sequence[Item]:
        """Return the buttons at the bottom."""

    def menu(self) -> Sequence[Item]:
        """Return the lines of the menu."""

    def offers(self) -> Sequence[Item]:
        """Return the buttons after the game."""

    # Commands ---------------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Play a move of the person who is asked."""

    def undo(self) -> str:
        """Take back the last choice, or ask for a takeback; return a note to show."""

    def resign(self) -> None:
        """Resign the current game."""

    def hint(self) -> str:
        """Return a hint for the person who is asked; this may take long."""

    def evaluation(self) -> tuple[float, str] | None:
        """Return Player 1's value, from -1 to 1, and a text; None while something is secret."""

    def save(self, name: str = "") -> str:
        """Save the game; return a text with its path."""

    def series_to_review(self) -> Series:
        """Return the games to review; this may take long."""

    def close(self) -> str:
        """Save the game and close its players; return a text that says how to continue it."""
