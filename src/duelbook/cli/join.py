"""The command for computer players on a server: join."""

from __future__ import annotations

import click

from duelbook.cli.options import own_game_option
from duelbook.terminal.screen import Screen
from duelbook.web.client.join import join as sit_and_play


@click.command()
@click.argument("url")
@click.option("--player", required=True, metavar="PLAYER", help="The player: perfect, mcts:1000, …")
@click.option("--name", default="", help="The player's name; by default PLAYER.")
@click.option("--seed", type=int, help="Random seed.")
@click.option("--rematches", is_flag=True, help="Stay, and accept every rematch.")
@own_game_option
def join(url: str, player: str, name: str, seed: int | None, *, rematches: bool) -> None:
    """Let a computer player take the open seat of the game at URL.

    It plays the game to its end. If the server goes away, it retries for ten minutes.
    """
    say = Screen().note
    sit_and_play(url, player, say, name=name, seed=seed, rematches=rematches)
