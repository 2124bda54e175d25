"""What a screen of the table asks of the program around it."""

from __future__ import annotations

from textual.app import App

from duelbook.table.local import LocalGame


class Host(App[str]):
    """Shows screens, and knows what comes after a game."""

    pace: float
    """Seconds before a move of the computer is shown."""

    def after_game(self, game: LocalGame, what: str) -> None:
        """Do what people chose after a game, or instead of it."""
        raise NotImplementedError

    def toggle_look(self) -> None:
        """Change between dark and light."""
        raise NotImplementedError
