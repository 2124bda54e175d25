"""The methods of the application that a screen of the TUI calls."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import App
from textual.screen import Screen

from duelbook.tui.games.tui_game import TuiGame


class Host(App[str]):
    """The application as its screens see it."""

    move_delay: float
    """Seconds before a move of the computer appears."""

    def show_from_thread(self, screen: Screen[None], show: Callable[[], None]) -> None:
        """Show the result of a thread on a screen, unless people have left the screen meanwhile."""

        def show_if_there() -> None:
            if self.is_running and screen in self.screen_stack:
                show()

        self.call_from_thread(show_if_there)

    def after_game(self, game: TuiGame, what: str) -> None:
        """Carry out the choice of the people after a game, or instead of one."""
        raise NotImplementedError

    def toggle_look(self) -> None:
        """Change between dark and light."""
        raise NotImplementedError
