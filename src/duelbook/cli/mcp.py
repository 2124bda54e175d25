"""The command for agents: mcp."""

from __future__ import annotations

import click

from duelbook.mcp_server.run_mcp import run
from duelbook.system import files


@click.command()
@click.option(
    "--http",
    "port",
    type=click.IntRange(0, 65535),
    metavar="PORT",
    help="Serve over HTTP at this local port instead of standard input and output.",
)
@click.option(
    "--game", multiple=True, metavar="GAME", help="A game of your own to offer; repeatable."
)
@click.option(
    "--folder",
    default=".",
    metavar="FOLDER",
    help="The folder with the files that the tool `check` reads.",
)
def mcp(port: int | None, game: tuple[str, ...], folder: str) -> None:
    """Serve the games to agents over the Model Context Protocol."""
    run(game, files.path(folder), port, lambda line: click.echo(line, err=True))
