"""The command for computer players on a server: join."""

from __future__ import annotations

import click

from duelbook.cli.options import own_game_option
from duelbook.terminal.screen import Screen
from duelbook.web.client.game import Claimed
from duelbook.web.client.join import join as sit_and_play


@click.command()
@click.argument("url")
@click.option(
    "--player",
    required=True,
    metavar="PLAYER",
    help="The player: perfect, mcts:1000, …, or a class, a saved policy, a program (cmd:./bot), a"
    " language model (llm:MODEL@URL).",
)
@click.option("--name", default="", help="The player's name; by default PLAYER's.")
@click.option("--seed", type=int, help="Random seed.")
@click.option("--rematches", is_flag=True, help="Stay, and accept every rematch.")
@click.option(
    "--claim",
    type=click.Choice(["victory", "draw"]),
    help="What to claim if the opponent leaves; a game that they do not begin is aborted.",
)
@own_game_option
def join(  # noqa: PLR0913 # one argument per option
    url: str,
    player: str,
    name: str,
    seed: int | None,
    claim: Claimed | None,
    *,
    rematches: bool,
) -> None:
    """Let a computer player take the open seat of the game at URL.

    It plays the game to its end. If the server goes away, it retries for ten minutes.
    """
    say = Screen().note
    sit_and_play(url, player, say, name=name, seed=seed, rematches=rematches, claim=claim)
