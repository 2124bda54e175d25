"""The status of several games for the holder of their seats, in one response."""

from __future__ import annotations

from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import room_of
from duelbook.web.games.state.views import status


async def seat_statuses(hub: Hub, held: list[p.HeldSeat]) -> list[p.SeatStatus]:
    """Return the status of each game; leave out deleted games and games whose secret is wrong."""
    games = [await _seat_status(hub, seat) for seat in held]
    return [game for game in games if game is not None]


async def _seat_status(hub: Hub, held: p.HeldSeat) -> p.SeatStatus | None:
    try:
        live = await hub.live_game(held.id)
        seats = hub.seats_of(live, held.secret)
    except Refusal as refusal:
        if refusal.code in ("unknown", "secret"):
            return None
        raise
    room = room_of(live)
    return p.SeatStatus(
        held.id,
        room.terms.game.slug,
        room.terms.game.title,
        sorted(seats),
        room.position.to_move,
        status(room, hub.now()),
    )
