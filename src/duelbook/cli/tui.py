"""Decide whether to use the full-screen interface (TUI), and open it.

Only the functions that open it import Textual.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

import click

from duelbook.terminal.console.screen import can_clear

if TYPE_CHECKING:
    from pathlib import Path

    from duelbook.play.series import Series
    from duelbook.position import Position
    from duelbook.tui.tui_app import TuiApp
    from duelbook.web.client import GameClient


class CreateSeries(Protocol):
    """A function that creates a series: for two people, or for a person in `seat` and a level."""

    def __call__(
        self, game_class: type[Position], level: str | None, seat: str | None = None, /
    ) -> Series:
        """Return the series."""


def can_show_tui(*, plain: bool) -> bool:
    """Return whether the terminal can show the TUI."""
    return not plain and can_clear() and sys.stdin.isatty()


def wants_tui(requested: bool | None, *, plain: bool) -> bool:
    """Return whether to use the TUI: as requested, or as remembered if the terminal can show it."""
    if requested is not None:
        from duelbook.terminal.preferences import remember  # imports pathlib

        if requested and not can_show_tui(plain=plain):
            raise click.UsageError(_why_not(plain=plain))
        remember("tui", "yes" if requested else "no")
        return requested
    if not can_show_tui(plain=plain):
        return False
    from duelbook.terminal.preferences import preferred  # imports pathlib

    return preferred().get("tui") == "yes"


def wants_tui_online(requested: bool | None, *, plain: bool) -> bool:
    """Return whether to use the TUI for a game on a server: by default, if it can be shown.

    Updates arrive at any time, and the TUI has a place for them.
    """
    if requested is not None:
        return wants_tui(requested, plain=plain)
    if not can_show_tui(plain=plain):
        return False
    from duelbook.terminal.preferences import preferred  # imports pathlib

    return preferred().get("tui") != "no"


def check_tui() -> None:
    """Refuse a command that needs the TUI if the terminal cannot show it."""
    if not can_show_tui(plain=False):
        raise click.UsageError(_why_not(plain=False))


def _why_not(*, plain: bool) -> str:
    if plain:
        return "--tui and --plain exclude each other."
    return "The full-screen interface needs a terminal, and TERM must not be dumb."


def play_in_tui(
    create: CreateSeries,
    series: Series | None = None,
    file: Path | None = None,
    *,
    review: bool = False,
) -> None:
    """Open the TUI with a game, with the list of games, or with the review of a game."""
    from duelbook.tui.tui_app import TuiApp  # imports Textual

    _run(TuiApp(create, series, file, look=_look(), review=review))


def play_online_in_tui(game: GameClient) -> None:
    """Open the TUI with a seat at a game on a server."""
    from duelbook.tui.games.online_game import OnlineGame  # imports Textual
    from duelbook.tui.tui_app import TuiApp

    _run(TuiApp(None, online=OnlineGame(game), look=_look()))


def _look() -> str:
    from duelbook.terminal.preferences import preferred  # imports pathlib

    return preferred().get("look", "")


def _run(app: TuiApp) -> None:
    farewell = app.run()
    if farewell:
        click.echo(farewell)
    if app.return_code:
        sys.exit(app.return_code)
    sys.exit(130 if app.interrupted else 0)
