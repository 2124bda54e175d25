"""`LocalConsole`: a series at this terminal, with its screen and its keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook.play.local_series import LocalSeries
from duelbook.play.series import Series
from duelbook.position import Position
from duelbook.terminal.computer_players import ComputerPlayers
from duelbook.terminal.console.keyboard import Keyboard
from duelbook.terminal.console.screen import Screen
from duelbook.terminal.privacy import Privacy

if TYPE_CHECKING:
    from pathlib import Path


class LocalConsole:
    """A series in line mode, with the seat that may look at the screen now."""

    def __init__(
        self, series: Series, screen: Screen, keyboard: Keyboard, file: Path | None = None
    ) -> None:
        self.local = LocalSeries(series, ComputerPlayers(), file)
        self.screen = screen
        self.keyboard = keyboard
        self.privacy = Privacy(screen)

    @property
    def series(self) -> Series:
        """The current state of the series."""
        return self.local.series

    @property
    def position(self) -> Position:
        """The current position."""
        return self.local.position

    @property
    def viewer(self) -> int | None:
        """The only seat that looks at the screen; None if both players look at it."""
        return self.privacy.seat if self.local.only_person is None else self.local.only_person

    @property
    def shown(self) -> Position:
        """The current position as the people at the screen may see it."""
        return self.local.seen_by(self.viewer)

    def draw(self) -> None:
        """Draw the current position."""
        self.screen.picture(self.shown.scene())
