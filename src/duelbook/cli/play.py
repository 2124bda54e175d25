"""Commands for players: play, resume, replay, games, rules."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from duelbook.catalog.registry import load
from duelbook.cli.options import (
    assumptions_of,
    file_argument,
    game_argument,
    game_source_option,
    plain_option,
    tui_option,
)
from duelbook.cli.tui import can_show_tui, check_tui, play_in_tui, wants_tui
from duelbook.errors import DuelbookError
from duelbook.play.names import LEVELS, PLAYERS
from duelbook.play.series import PERSON, Series
from duelbook.position import check_first
from duelbook.terminal.console.keyboard import Keyboard
from duelbook.terminal.console.screen import Screen, wants_colour
from duelbook.terminal.console.signals import LeaveSession
from duelbook.terminal.session import Session
from duelbook.terminal.usage import how_to

if TYPE_CHECKING:
    from pathlib import Path

    from duelbook.cli.tui import CreateSeries
    from duelbook.position import Position


@click.command()
@click.argument("game", required=False)
@click.option("--first", type=click.Choice(["1", "2", "random"]), help="Who makes the first move.")
@click.option("--names", nargs=2, metavar="ANN BO", help="The names of the two players.")
@click.option(
    "--best-of", type=int, default=1, metavar="N", help="Play a series: best of N games, N odd."
)
@click.option(
    "--vs",
    metavar="PLAYER",
    help=f"Play against the computer: {', '.join(LEVELS)}, …, or a class, a saved policy, a program"
    " (cmd:./bot), a language model (llm:MODEL@URL).",
)
@click.option(
    "--as",
    "seat",
    type=click.Choice(["1", "2"]),
    help="Which player you are against the computer; 1 by default.",
)
@click.option(
    "--seed", type=int, help="Random seed of the chance events and of the computer's moves."
)
@tui_option
@plain_option
def play(  # noqa: PLR0913, PLR0917 # one argument per option
    game: str | None,
    first: str | None,
    names: tuple[str, str] | None,
    best_of: int,
    vs: str | None,
    seat: str | None,
    seed: int | None,
    *,
    tui: bool | None,
    plain: bool,
) -> None:
    """Play GAME.

    GAME is a name, any unique part of one, a Python file, or module:Class.
    """
    if seat and not vs:
        raise DuelbookError("--as needs --vs.")

    def create(
        game_class: type[Position], level: str | None, chosen_seat: str | None = None
    ) -> Series:
        check_first(game_class, 0 if first in (None, "1") else 1)  # before a random choice
        return Series.begin(
            game_class,
            first=_first_seat(first, seed),
            names=names or PLAYERS,
            best_of=best_of,
            players=_players(game_class, level, chosen_seat or seat),
            seed=_new_seed() if seed is None else seed,
        )

    if wants_tui(tui, plain=plain):
        play_in_tui(create, create(load(game), vs) if game is not None else None)
        return
    if game is not None and not _play_series(create(load(game), vs), plain=plain):
        return
    _open_menu(
        lambda game_class, level, seat=None: create(game_class, level or vs, seat), plain=plain
    )


def _open_menu(create: CreateSeries, *, plain: bool) -> None:
    from duelbook.terminal import menu  # not before the first prompt

    screen = Screen(colour=wants_colour(plain=plain))
    menu.choose(
        screen,
        Keyboard(screen),
        play=lambda game_class, level: _play_series(create(game_class, level), plain=plain),
        resume=lambda: _resume(None, plain=plain),
        open_tui=(lambda: play_in_tui(create)) if can_show_tui(plain=plain) else None,
    )


def _create(game_class: type[Position], level: str | None, seat: str | None = None) -> Series:
    """Return a new series on the default terms."""
    players = _players(game_class, level, seat)
    return Series.begin(game_class, players=players, seed=_new_seed())


def _players(game: type[Position], level: str | None, seat: str | None) -> tuple[str, str]:
    """Return the players of both seats: two people, or a person and the computer."""
    if level is None:
        return PERSON, PERSON
    _check_player(game, level)
    return (level, PERSON) if seat == "2" else (PERSON, level)


def _check_player(game: type[Position], name: str) -> None:
    """Refuse a computer player that is unknown or cannot play the game."""
    from duelbook.players.external.opponents import check  # two people do not need it
    from duelbook.terminal.console.progress import waiting

    with waiting(f"The computer studies {game.title}"):
        check(name, game)


def _new_seed() -> int:
    """Return a seed that nobody can guess, because the chance outcomes depend on it."""
    return int.from_bytes(os.urandom(6))


def _first_seat(first: str | None, seed: int | None) -> int:
    if first != "random":
        return int(first or "1") - 1
    from random import Random  # slow to import

    return Random(seed).randrange(2)


@click.command()
@file_argument
@game_source_option
@click.option("--vs", metavar="PLAYER", help="Replace the computer player.")
@tui_option
@plain_option
def resume(file: str | None, vs: str | None, *, tui: bool | None, plain: bool) -> None:
    """Continue a saved game: FILE, or the newest unfinished one."""
    if wants_tui(tui, plain=plain):
        play_in_tui(_create, *_saved(file, vs))
    elif _resume(file, vs, plain=plain):
        _open_menu(_create, plain=plain)


def _resume(name: str | None, vs: str | None = None, *, plain: bool) -> bool:
    series, file = _saved(name, vs)
    return _play_series(series, plain=plain, file=file)


def _saved(name: str | None, vs: str | None) -> tuple[Series, Path]:
    """Return a saved series that is not over, and its file."""
    from duelbook.play import saves
    from duelbook.system import files  # a new game does not need it

    file = files.path(name) if name else saves.newest(unfinished=True)
    series = saves.read(file)
    if series.is_over:
        again = how_to("replay", file, game=series.game)
        raise DuelbookError(f"That game is over. See it again with: {again}")
    return _with_computer(series, vs, file), file


def _with_computer(series: Series, vs: str | None, file: Path) -> Series:
    """Return the series with its computer player, or with `vs`; check that it can play."""
    seats = [seat for seat, name in enumerate(series.players) if name != PERSON]
    if vs and len(seats) != 1:
        raise DuelbookError("--vs is for a game of one person against the computer.")
    for seat in seats:
        _check_player(series.game, vs or _named_in_save(series, seat, file))
    return series.with_player(seats[0], vs) if vs else series


def _named_in_save(series: Series, seat: int, file: Path) -> str:
    """Return the computer player of a save; refuse an external player, whose code would run."""
    from duelbook.players.external.opponents import is_external  # two people do not need it

    name = series.players[seat]
    if not is_external(name):
        return name
    again = how_to("resume", file, "--vs", name, game=series.game)
    raise DuelbookError(
        f"The other player is {name!r:.200}. Duelbook does not run code that a save names: if you "
        f"trust this player, name it yourself, as in: {again}"
    )


@click.command()
@file_argument
@game_source_option
@click.option("--step", is_flag=True, help="Wait for Enter before each move.")
@click.option(
    "--tui",
    is_flag=True,
    help="Review the game in the full-screen interface, with evaluations and better moves.",
)
@plain_option
def replay(file: str | None, *, step: bool, tui: bool, plain: bool) -> None:
    """Show a saved game move by move: FILE, or the newest one.

    For a finished game with chance, checks whether the chance outcomes follow from their seed. The
    exit code is 1 if they do not.
    """
    from duelbook.play import saves
    from duelbook.system import files  # a new game does not need it
    from duelbook.terminal.replay import check_draws
    from duelbook.terminal.replay import replay as show

    series = saves.read(files.path(file) if file else saves.newest())
    if tui:
        check_tui()
        play_in_tui(_create, series, review=True)
    printed = Screen(colour=wants_colour(plain=plain), names=series.names)
    keyboard = Keyboard(printed)

    def wait_for_enter() -> None:
        printed.ask("\nPress Enter for the next move. ")
        keyboard.line()

    try:
        show(series, printed, wait_for_enter if step else lambda: None)
    except EOFError:
        return
    if not check_draws(series, printed):
        sys.exit(1)


@click.command()
@plain_option
def games(*, plain: bool) -> None:
    """List the games."""
    from duelbook.terminal import menu  # a game does not need it

    menu.list_games(Screen(colour=wants_colour(plain=plain)), numbered=False)


@click.command()
@game_argument
@click.option("--clauses", is_flag=True, help="Include the clause numbers and the claims.")
def rules(game: str, *, clauses: bool) -> None:
    """Show the rules of GAME."""
    from duelbook.play.rules_page import for_terminal  # a game does not need it
    from duelbook.terminal.console.pager import show as show_page

    game_class = load(game)
    page = for_terminal(game_class.rules_page(), clauses=clauses)
    show_page("\n".join([page, *assumptions_of(game_class)]), Screen())


def _play_series(series: Series, *, plain: bool, file: Path | None = None) -> bool:
    """Play series in line mode until the people stop; return whether to open the menu.

    Leaving a game ends the program.
    """
    current: Series | None = series
    try:
        while current:
            screen = Screen(colour=wants_colour(plain=plain), names=current.names)
            session = Session(current, screen, Keyboard(screen), file)
            session.play()
            if not screen.is_interactive:
                return False
            from duelbook.terminal.after_game import offer  # not before the first prompt

            current, file = offer(session.series, screen, session.keyboard), None
    except LeaveSession:
        sys.exit(0)
    return True
