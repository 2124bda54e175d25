"""How the games stand that someone holds seats of: one answer for all of them."""

from __future__ import annotations

from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import room_of
from duelbook.web.games.views import status


async def standings(hub: Hub, held: list[p.HeldSeat]) -> list[p.Standing]:
    """Return how the games stand; those that are gone, or whose secret is wrong, are left out."""
    found = [await _standing(hub, one) for one in held]
    return [one for one in found if one is not None]


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
