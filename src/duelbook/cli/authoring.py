"""Commands for authors of games: new, check."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import click

from duelbook import conformance
from duelbook.catalog.registry import load
from duelbook.cli.options import game_argument, json_option
from duelbook.templates.new_game import PARTS, write
from duelbook.terminal.console.progress import Counter
from duelbook.terminal.usage import how_to


@click.command()
@click.argument("name")
@click.option(
    "--with",
    "parts",
    type=click.Choice(PARTS),
    multiple=True,
    help="Start from a game with chance, private cards or draws; may be repeated.",
)
def new(name: str, parts: tuple[str, ...]) -> None:
    """Create a small game called NAME, and its test."""
    game, test = write(name, Path(), parts)
    click.echo(f"Wrote {game} and {test}.")
    click.echo(f"Play it with: {how_to('play', f'./{game}')}")


@click.command()
@game_argument
@click.option(
    "--positions",
    type=click.IntRange(1),
    help="Examine at most this many positions, then play random games.",
)
@click.option("--seed", type=int, default=0, help="Random seed.")
@json_option
def check(game: str, positions: int | None, seed: int, *, as_json: bool) -> None:
    """Check that GAME meets the requirements for a game class.

    Prints the moves that lead to each breach.
    """
    game_class = load(game)
    limit = positions or conformance.MAX_POSITIONS
    with Counter("positions") as counter:
        report = conformance.check(game_class, max_positions=limit, seed=seed, progress=counter)
    if as_json:
        click.echo(json.dumps(conformance.as_data(report), indent=2))
    else:
        click.echo(conformance.as_text(report))
    if report.breaches:
        sys.exit(1)
