"""Commands for players: play, resume, replay, games, rules."""

from __future__ import annotations

import os
import sys
from typing import TYPE_CHECKING

import click

from duelbook.catalog.registry import load
from duelbook.cli.options import (
    file_argument,
    game_argument,
    own_game_option,
    plain_option,
    tell_assumptions,
)
from duelbook.errors import DuelbookError
from duelbook.play.names import PLAYERS
from duelbook.play.series import PERSON, Series
from duelbook.position import check_first
from duelbook.terminal import menu
from duelbook.terminal.keyboard import Keyboard
from duelbook.terminal.replay import replay as show
from duelbook.terminal.replay import tell_of_draws
from duelbook.terminal.screen import Screen, wants_colour
from duelbook.terminal.session import Session
from duelbook.terminal.signals import Leave
from duelbook.terminal.usage import how_to

if TYPE_CHECKING:
    from pathlib import Path

    from duelbook.position import Position


@click.command()
@click.argument("game", required=False)
@click.option("--first", type=click.Choice(["1", "2", "random"]), help="Who makes the first move.")
@click.option("--names", nargs=2, metavar="ANN BO", help="The names of the two players.")
@click.option(
    "--best-of", type=int, default=1, metavar="N", help="Play a match: best of N games, N odd."
)
@click.option("--vs", metavar="PLAYER", help="Play the computer: easy, medium, hard, perfect, …")
@click.option(
    "--as",
    "seat",
    type=click.Choice(["1", "2"]),
    help="Your seat against the computer; 1 by default.",
)
@click.option(
    "--seed", type=int, help="Random seed, which fixes what falls and what the computer plays."
)
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
    plain: bool,
) -> None:
    """Play GAME.

    GAME is a name, any unique part of one, a Python file, or module:Class.
    """
    if seat and not vs:
        raise DuelbookError("--as needs --vs.")

    def begin(chosen: type[Position], level: str | None) -> Series:
        check_first(chosen, 0 if first in (None, "1") else 1)  # before a random choice
        return Series.begin(
            chosen,
            first=_first_seat(first, seed),
            names=names or PLAYERS,
            best_of=best_of,
            players=_players(chosen, level, seat),
            seed=_new_seed() if seed is None else seed,
        )

    if game is not None:
        _play_series(begin(load(game), vs), plain=plain)
        return
    screen = Screen(colour=wants_colour(plain=plain))
    menu.choose(
        screen,
        Keyboard(screen),
        play=lambda chosen, level: _play_series(begin(chosen, level or vs), plain=plain),
        resume=lambda: _resume(None, plain=plain),
    )


def _players(game: type[Position], level: str | None, seat: str | None) -> tuple[str, str]:
    """Return the players of both seats: two people, or a person and the computer."""
    if level is None:
        return PERSON, PERSON
    _check_player(game, level)
    return (level, PERSON) if seat == "2" else (PERSON, level)


def _check_player(game: type[Position], name: str) -> None:
    """Refuse before the game a computer player that is unknown or cannot play it."""
    from duelbook.players.asking import why_not  # slow to import, and not needed for two people
    from duelbook.terminal.progress import waiting

    with waiting(f"The computer studies {game.title}"):
        reason = why_not(name, game)
    if reason:
        raise DuelbookError(reason)


def _new_seed() -> int:
    """Return a seed that nobody can guess, because luck may depend on it."""
    return int.from_bytes(os.urandom(6))


def _first_seat(first: str | None, seed: int | None) -> int:
    if first != "random":
        return int(first or "1") - 1
    from random import Random  # slow to import, and rarely needed

    return Random(seed).randrange(2)


@click.command()
@file_argument
@own_game_option
@plain_option
def resume(file: str | None, *, plain: bool) -> None:
    """Continue a saved game: FILE, or the newest unfinished one."""
    _resume(file, plain=plain)


def _resume(name: str | None, *, plain: bool) -> None:
    from duelbook import files  # a new game need not wait for pathlib and JSON
    from duelbook.play import saves

    file = files.path(name) if name else saves.newest(unfinished=True)
    series = saves.read(file)
    if series.is_over:
        again = how_to("replay", file, game=series.game)
        raise DuelbookError(f"That game is over. See it again with: {again}")
    for one in series.players:
        if one != PERSON:
            _check_player(series.game, one)
    _play_series(series, plain=plain, file=file)


@click.command()
@file_argument
@own_game_option
@click.option("--step", is_flag=True, help="Wait for Enter before each move.")
@plain_option
def replay(file: str | None, *, step: bool, plain: bool) -> None:
    """Show a saved game move by move: FILE, or the newest one.

    If a game has luck and is over, says whether the draws follow from their seed. The exit code
    is 1 if they do not.
    """
    from duelbook import files  # as above
    from duelbook.play import saves

    series = saves.read(files.path(file) if file else saves.newest())
    screen = Screen(colour=wants_colour(plain=plain), names=series.names)
    keyboard = Keyboard(screen)

    def wait_for_enter() -> None:
        screen.ask("\nPress Enter for the next move. ")
        keyboard.line()

    try:
        show(series, screen, wait_for_enter if step else lambda: None)
    except EOFError:
        return
    if not tell_of_draws(series, screen):
        sys.exit(1)


@click.command()
@plain_option
def games(*, plain: bool) -> None:
    """List the games."""
    menu.list_games(Screen(colour=wants_colour(plain=plain)), numbered=False)


@click.command()
@game_argument
def rules(game: str) -> None:
    """Show the rules of GAME."""
    chosen = load(game)
    click.echo(chosen.rules_page().rstrip())
    tell_assumptions(chosen)


def _play_series(series: Series, *, plain: bool, file: Path | None = None) -> None:
    """Play a series at this terminal; leaving it ends the program."""
    screen = Screen(colour=wants_colour(plain=plain), names=series.names)
    try:
        Session(series, screen, Keyboard(screen), file).play()
    except Leave:
        sys.exit(0)
