"""Whether to play at the full-screen table, and opening it; Textual is imported only for that."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Protocol

import click

from duelbook.terminal.console.screen import can_clear

if TYPE_CHECKING:
    from pathlib import Path

    from duelbook.play.series import Series
    from duelbook.position import Position
    from duelbook.tui.tui_app import TableApp
    from duelbook.web.client import GameClient


class Begin(Protocol):
    """Makes a series of a game: against a level of the computer, if any, from one's own seat."""

    def __call__(
        self, chosen: type[Position], level: str | None, own: str | None = None, /
    ) -> Series:
        """Return the series."""


def can_show_table(*, plain: bool) -> bool:
    """Whether this is a terminal for the table, and Textual is installed."""
    if plain or not can_clear() or not sys.stdin.isatty():
        return False
    from importlib.util import find_spec  # only people at a terminal wait for it

    return find_spec("textual") is not None


def wants_table(asked: bool | None, *, plain: bool) -> bool:
    """Whether to play at the table: as asked, or as remembered where the terminal can."""
    if asked is not None:
        from duelbook.terminal.preferences import remember

        if asked and not can_show_table(plain=plain):
            raise click.UsageError(_why_not(plain=plain))
        remember("screen", "yes" if asked else "no")
        return asked
    if plain or not can_clear() or not sys.stdin.isatty():
        return False
    from duelbook.terminal.preferences import preferred

    return preferred().get("screen") == "yes" and can_show_table(plain=plain)


def wants_table_online(asked: bool | None, *, plain: bool) -> bool:
    """Whether to play at the table on a server: wherever it can be shown, unless lines are wanted.

    News come at any time, and the table is where they have a place.
    """
    if asked is not None:
        return wants_table(asked, plain=plain)
    if not can_show_table(plain=plain):
        return False
    from duelbook.terminal.preferences import preferred

    return preferred().get("screen") != "no"


def check_table() -> None:
    """Refuse what only the table can do where there is none."""
    if not can_show_table(plain=False):
        raise click.UsageError(_why_not(plain=False))


def _why_not(*, plain: bool) -> str:
    if plain:
        return "--screen and --plain exclude each other."
    if not can_clear() or not sys.stdin.isatty():
        return "The table needs a terminal, and TERM must not be dumb."
    return "The table needs textual, which is not installed: pip install 'duelbook[screen]'."


def play_at_table(
    begin: Begin, series: Series | None = None, file: Path | None = None, *, review: bool = False
) -> None:
    """Play at the table, with a game on it or with the choice of one, or review a game."""
    from duelbook.tui.tui_app import TableApp

    _run(TableApp(begin, series, file, look=_look(), review=review))


def play_online(game: GameClient) -> None:
    """Play at the table from a seat at a game on a server."""
    from duelbook.tui.games.online_game import OnlineGame
    from duelbook.tui.tui_app import TableApp

    _run(TableApp(None, online=OnlineGame(game), look=_look()))


def _look() -> str:
    from duelbook.terminal.preferences import preferred

    return preferred().get("look", "")


def _run(app: TableApp) -> None:
    said = app.run()
    if said:
        click.echo(said)
    if app.return_code:
        sys.exit(app.return_code)
    sys.exit(130 if app.interrupted else 0)
