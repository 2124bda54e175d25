"""Options and output that several commands share."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, TypeVar

import click

from duelbook.catalog.registry import load

if TYPE_CHECKING:
    from duelbook.position import Position

Command = TypeVar("Command", bound=Callable[..., object])
plain_option = click.option(
    "--plain",
    is_flag=True,
    help="Plain text: no colour, no pictures.",
    callback=lambda ctx, _, value: value or bool(ctx.obj),  # or before the command
)
tui_option = click.option(
    "--tui/--no-tui",
    default=None,
    help="Use the full-screen interface, or not; the choice is remembered.",
)
file_argument = click.argument("file", required=False)
game_argument = click.argument("game")
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON instead of text.")
first_option = click.option(
    "--first", type=click.Choice(["1", "2"]), default="1", help="Which player moves first."
)


def output_option(default: str) -> Callable[[Command], Command]:
    """Return the option for the file of a report; `default` describes the default file."""
    return click.option(
        "-o", "--output", metavar="FILE", help=f"The file to write; by default {default}."
    )


def _load_game(_: click.Context, __: click.Parameter, name: str | None) -> None:
    """Load the game of a save, so that the registry finds it by its slug."""
    if name:
        load(name)


game_source_option = click.option(
    "--game",
    metavar="GAME",
    expose_value=False,
    callback=_load_game,
    help="The file or class of a game that is not installed.",
)


def assumptions_of(game: type[Position]) -> list[str]:
    """Return lines with the assumptions behind the output."""
    if not game.assumptions:
        return []
    return ["", "Assumptions:", *(f"  - {sentence}" for sentence in game.assumptions)]


def print_assumptions(game: type[Position]) -> None:
    """Print the assumptions behind the output."""
    for line in assumptions_of(game):
        click.echo(line)
