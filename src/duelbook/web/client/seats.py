"""Taking a seat at a game on a server, whose secret is kept here, and beginning a game there."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from duelbook.catalog.registry import find
from duelbook.errors import DuelbookError, UnknownGame
from duelbook.position import Position
from duelbook.web import protocol as p
from duelbook.web.client import credentials
from duelbook.web.client.game_client import GameClient, Server, ServerError, address

PATIENCE = 600.0
"""Seconds for which it retries when the server goes away."""
Arrive = Callable[[p.Snapshot, type[Position]], str]
"""Looks at a game before the seat is taken; returns the name to sit down with, or refuses."""


def take_seat(url: str, arrive: Arrive, *, help: bool) -> GameClient:  # noqa: A002 # the word on the wire
    """Take the open seat of a game, or the one that was taken here before."""
    server, id = address(url)  # noqa: A001 # what everyone calls it
    where = f"{server.url}/g/{id}"
    if secret := credentials.held(where):
        return _back(where, secret)
    found = server.request(f"/api/games/{id}", p.Snapshot)
    name = arrive(found, _rules_of(found))
    credentials.prepare(where)
    try:
        game = GameClient.join(where, name, help=help, patience=PATIENCE)
    except DuelbookError:
        credentials.forget(where)
        raise
    credentials.keep(where, str(game.secret))
    return game


def _back(where: str, secret: str) -> GameClient:
    """Return to a seat; a secret that opens none any more is forgotten."""
    try:
        game = GameClient(where, secret, patience=PATIENCE)
    except ServerError as error:
        if error.code in ("unknown", "secret"):
            credentials.forget(where)
        raise
    try:
        _rules_of(game.snapshot)
    except DuelbookError:
        game.close()
        raise
    return game


def _rules_of(found: p.Snapshot) -> type[Position]:
    try:
        return find(found.book)
    except UnknownGame as error:
        raise DuelbookError(
            f"{error} If it is your own game, give its file with --game."
        ) from error


@dataclass(frozen=True)
class InvitationTerms:
    """On which terms somebody is invited to a game."""

    seat: int = 0
    """The seat of whoever invites."""
    first: int = 0
    name: str = ""
    clock: tuple[int, int] | None = None
    """The seconds of each player, and those for each move."""
    help: bool = False


def invite(server: Server, game: type[Position], terms: InvitationTerms) -> GameClient:
    """Begin a game for a friend on a server, and keep the secret of the seat."""
    clock = p.TimeControl(*terms.clock) if terms.clock else None
    wish = p.NewGame(
        game.slug,
        seat=terms.seat,
        first=terms.first,
        name=terms.name,
        clock=clock,
        help=terms.help,
    )
    begun = server.create(wish, patience=PATIENCE)
    credentials.keep(begun.url, str(begun.secret))
    return begun


def check_offered(server: Server, game: type[Position], how_to_serve: str) -> None:
    """Refuse a game that a server does not have."""
    offered = server.books()
    if all(book.slug != game.slug for book in offered):
        titles = ", ".join(book.title for book in offered)
        raise DuelbookError(
            f"The server at {server.url} does not offer {game.title}. It offers {titles}. A server"
            f" that does is started with: {how_to_serve}"
        )
