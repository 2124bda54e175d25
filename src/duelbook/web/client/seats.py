"""Take a seat at a game on a server, or create a game there; store the secret of the seat."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from duelbook.catalog.registry import find
from duelbook.errors import DuelbookError, UnknownGame
from duelbook.position import Position
from duelbook.web import protocol as p
from duelbook.web.client import credentials
from duelbook.web.client.game_client import GameClient, Server
from duelbook.web.client.server import ServerError, address

RECONNECT_SECONDS = 600.0
"""The seconds for which a program with a person tries to reconnect."""
Arrive = Callable[[p.Snapshot, type[Position]], str]
"""A function that gets the game before the client takes the seat.

It returns the player's name, or refuses the game.
"""


def take_seat(url: str, arrive: Arrive, *, help: bool) -> GameClient:  # noqa: A002 # the word on the wire
    """Take the open seat of a game, or return to the seat that this machine took before."""
    server, id = address(url)  # noqa: A001 # the usual name
    game_url = f"{server.url}/g/{id}"
    if secret := credentials.load(game_url):
        return _return_to_seat(game_url, secret)
    snapshot = server.request(f"/api/games/{id}", p.Snapshot)
    name = arrive(snapshot, _rules_of(snapshot))
    credentials.prepare(game_url)
    try:
        game = GameClient.join(game_url, name, help=help, reconnect_seconds=RECONNECT_SECONDS)
    except DuelbookError:
        credentials.forget(game_url)
        raise
    credentials.store(game_url, str(game.secret))
    return game


def _return_to_seat(game_url: str, secret: str) -> GameClient:
    """Return to a seat; delete a secret that the server no longer accepts."""
    try:
        game = GameClient(game_url, secret, reconnect_seconds=RECONNECT_SECONDS)
    except ServerError as error:
        if error.code in ("unknown", "secret"):
            credentials.forget(game_url)
        raise
    try:
        _rules_of(game.snapshot)
    except DuelbookError:
        game.close()
        raise
    return game


def _rules_of(snapshot: p.Snapshot) -> type[Position]:
    try:
        return find(snapshot.book)
    except UnknownGame as error:
        raise DuelbookError(
            f"{error} If it is your own game, give its file with --game."
        ) from error


@dataclass(frozen=True)
class InvitationTerms:
    """The terms of an invitation to a game."""

    seat: int = 0
    """The seat of the player who invites."""
    first: int = 0
    name: str = ""
    clock: tuple[int, int] | None = None
    """The seconds for each player, and the increment in seconds for each move."""
    help: bool = False


def invite(server: Server, game: type[Position], terms: InvitationTerms) -> GameClient:
    """Create a game for two people on a server, and store the secret of the seat."""
    clock = p.TimeControl(*terms.clock) if terms.clock else None
    request = p.NewGame(
        game.slug,
        seat=terms.seat,
        first=terms.first,
        name=terms.name,
        clock=clock,
        help=terms.help,
    )
    created = server.create(request, reconnect_seconds=RECONNECT_SECONDS)
    credentials.store(created.url, str(created.secret))
    return created


def check_offered(server: Server, game: type[Position], how_to_serve: str) -> None:
    """Refuse a game that the server does not offer."""
    offered = server.books()
    if all(book.slug != game.slug for book in offered):
        titles = ", ".join(book.title for book in offered)
        raise DuelbookError(
            f"The server at {server.url} does not offer {game.title}. It offers {titles}. A server"
            f" that does is started with: {how_to_serve}"
        )
