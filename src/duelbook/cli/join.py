"""The commands for games on a server: join and host."""

from __future__ import annotations

import re
import sys
from typing import TYPE_CHECKING

import click

from duelbook.catalog.registry import find, load, source_of
from duelbook.cli.options import game_argument, game_source_option, plain_option, tui_option
from duelbook.cli.tui import play_online_in_tui, wants_tui_online
from duelbook.errors import DuelbookError
from duelbook.position import check_first
from duelbook.terminal.console.keyboard import Keyboard
from duelbook.terminal.console.screen import Screen, wants_colour
from duelbook.terminal.join_player import join as join_with_player
from duelbook.terminal.online_session import LineGame
from duelbook.terminal.usage import how_to
from duelbook.web.client.game_client import ClaimResult, GameClient, Server
from duelbook.web.client.seats import InvitationTerms, check_offered, invite, take_seat
from duelbook.web.client.server import NoServerError

if TYPE_CHECKING:
    from duelbook.position import Position

DEFAULT_SERVER = "http://127.0.0.1:8080"
"""The default address of `duelbook serve`."""
hints_option = click.option(
    "--hints", is_flag=True, help="Allow hints and the evaluation bar, if the opponent does too."
)


@click.command()
@click.argument("url")
@click.option(
    "--player",
    metavar="PLAYER",
    help="Let this player play instead of you: perfect, mcts:1000, …, or a class, a saved policy, a"
    " program (cmd:./bot), a language model (llm:MODEL@URL).",
)
@click.option("--name", default="", help="Your name, or the player's.")
@hints_option
@click.option("--seed", type=int, help="Random seed of PLAYER.")
@click.option("--rematches", is_flag=True, help="Let PLAYER accept every rematch.")
@click.option(
    "--claim",
    type=click.Choice(["victory", "draw"]),
    help="What PLAYER claims if the opponent leaves. PLAYER aborts a game that the opponent"
    " does not start.",
)
@game_source_option
@tui_option
@plain_option
def join(  # noqa: PLR0913 # one argument per option
    url: str,
    player: str | None,
    name: str,
    seed: int | None,
    claim: ClaimResult | None,
    *,
    hints: bool,
    rematches: bool,
    tui: bool | None,
    plain: bool,
) -> None:
    """Join the game at URL, yourself or with a computer player.

    You play in the full-screen interface, or in line mode if you chose --no-tui or the terminal
    cannot show it. With --player, a computer player takes the seat and prints what happens. If the
    connection is lost, the command retries for ten minutes. The same command resumes the same
    seat.
    """
    if player is not None:
        say = Screen().note
        join_with_player(url, player, say, name=name, seed=seed, rematches=rematches, claim=claim)
        return
    if seed is not None or rematches or claim:
        raise DuelbookError("--seed, --rematches and --claim need --player.")
    _play(take_seat(url, lambda _snapshot, _game_class: name, help=hints), tui, plain=plain)


@click.command()
@game_argument
@click.option("--server", "address", default=DEFAULT_SERVER, metavar="URL", help="The server.")
@click.option("--name", default="", help="Your name.")
@click.option(
    "--as", "seat", type=click.Choice(["1", "2"]), default="1", help="Which player you are."
)
@click.option(
    "--first", type=click.Choice(["1", "2"]), default="1", help="Who makes the first move."
)
@click.option("--clock", metavar="MINUTES+SECONDS", help="Clocks: 5+3, or just 5; none by default.")
@hints_option
@tui_option
@plain_option
def host(  # noqa: PLR0913, PLR0917 # one argument per option
    game: str,
    address: str,
    name: str,
    seat: str,
    first: str,
    clock: str | None,
    *,
    hints: bool,
    tui: bool | None,
    plain: bool,
) -> None:
    """Create GAME on a server and invite an opponent by link.

    The link works in a browser and with `duelbook join`. Without --server, the command uses the
    server that `duelbook serve` runs on this machine. The game opens when the opponent arrives.
    """
    game_class, server = load(game), Server(address)
    check_first(game_class, int(first) - 1)
    _check_server(server, game_class)
    terms = InvitationTerms(int(seat) - 1, int(first) - 1, name, _clock(clock), help=hints)
    client = invite(server, game_class, terms)
    screen = Screen()
    try:
        screen.note(f"Send this link to the other player: {client.url}")
        if re.search(r"//(127\.|localhost|\[::1\])", client.url):
            screen.print(
                "That address works on this machine only. For others, start the server with --host"
                " and give its address with --server."
            )
        screen.print("Waiting for the other player. Ctrl-C leaves, and the seat stays yours.")
        while client.result is None and _is_open(client):
            client.receive()
    except KeyboardInterrupt:
        client.close()
        screen.note(f"\nContinue with: {how_to('join', client.url, game=game_class)}")
        sys.exit(130)
    _play(client, tui, plain=plain)


def _play(game: GameClient, tui: bool | None, *, plain: bool) -> None:
    """Play in the TUI if the terminal can show it, and otherwise in line mode."""
    if wants_tui_online(tui, plain=plain):
        play_online_in_tui(game)
        return
    screen = Screen(colour=wants_colour(plain=plain))
    lines = LineGame(game, screen, Keyboard(screen))
    try:
        lines.play()
    finally:
        if not lines.is_over:
            again = how_to("join", game.url, game=find(game.snapshot.book))
            screen.note(f"\nThe seat is still yours. Continue with: {again}")


def _check_server(server: Server, game: type[Position]) -> None:
    """Refuse a server that does not answer or does not offer the game; say how to start one."""
    source, port = source_of(game), re.search(r"//(?:127\.[\d.]+|localhost):(\d+)$", server.url)
    options = ["--port", port[1]] if port and port[1] != "8080" else []
    start = how_to("serve", *options, *(["--game", source] if source else []))
    try:
        check_offered(server, game, start)
    except NoServerError as error:
        raise DuelbookError(f"{error} Start one with: {start}") from error


def _clock(text: str | None) -> tuple[int, int] | None:
    """Return the clocks for a text such as `5+3`: minutes, and seconds for each move."""
    if text is None:
        return None
    parts = re.fullmatch(r"(\d{1,3}(?:\.\d{1,2})?)(?:\+(\d{1,3}))?", text, re.ASCII)
    seconds, increment = (round(60 * float(parts[1])), int(parts[2] or 0)) if parts else (0, 0)
    if not 5 <= seconds <= 6 * 3600 or increment > 300:
        raise DuelbookError(
            f"Write a clock as 5+3, for 5 minutes and 3 seconds for each move, not {text!r:.40}."
            " A clock has 5 seconds to 6 hours, and adds at most 300 seconds for each move."
        )
    return seconds, increment


def _is_open(game: GameClient) -> bool:
    return any(chair.kind == "open" for chair in game.snapshot.status.chairs)
