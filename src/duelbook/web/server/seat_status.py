"""The standings of several games for the holder of their seats, in one response."""

from __future__ import annotations

from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import room_of
from duelbook.web.games.views import status


async def standings(hub: Hub, held: list[p.HeldSeat]) -> list[p.Standing]:
    """Return the standings; leave out deleted games and games whose secret is wrong."""
    games = [await _standing(hub, seat) for seat in held]
    return [game for game in games if game is not None]


async def _standing(hub: Hub, held: p.HeldSeat) -> p.Standing | None:
    try:
        live = await hub.live(held.id)
        seats = hub.seats_of(live, held.secret)
    except Refusal as refusal:
        if refusal.code in ("unknown", "secret"):
            return None
        raise
    room = room_of(live)
    return p.Standing(
        held.id,
        room.terms.game.slug,
        room.terms.game.title,
        sorted(seats),
        room.position.to_move,
        status(room, hub.now()),
    )
