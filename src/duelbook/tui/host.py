"""The methods of the application that a screen of the TUI calls."""

from __future__ import annotations

from collections.abc import Callable

from textual.app import App
from textual.screen import Screen

from duelbook.tui.games.tui_game import TuiGame


class Host(App[str]):
    """Shows screens, and knows what comes after a game."""

    pace: float
    """Seconds before a move of the computer is shown."""

    def show_from_thread(self, screen: Screen[None], show: Callable[[], None]) -> None:
        """Let a screen show what was found in a thread, unless people have left it meanwhile."""

        def show_if_there() -> None:
            if self.is_running and screen in self.screen_stack:
                show()

        self.call_from_thread(show_if_there)

    def after_game(self, game: TuiGame, what: str) -> None:
        """Do what people chose after a game, or instead of it."""
        raise NotImplementedError

    def toggle_look(self) -> None:
        """Change between dark and light."""
        raise NotImplementedError
