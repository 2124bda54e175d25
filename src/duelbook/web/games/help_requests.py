"""Hints, looks at private cards, and analyses, on request."""

from __future__ import annotations

from duelbook.analysis.hint import MoveHint
from duelbook.compute.engines import Engines
from duelbook.compute.shared_jobs import SharedJobs
from duelbook.errors import DuelbookError
from duelbook.play.match import check_hint
from duelbook.position import CHANCE
from duelbook.system.json_logs import LOG
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal, refused_if_unavailable
from duelbook.web.games.presence import LiveRoom, room_of
from duelbook.web.games.state.room import Room, Seats
from duelbook.web.games.state.views import encode, encode_analysis, has_private_cards, view


class Explanations:
    """Explains games to their players; equal requests share one job."""

    def __init__(self, engines: Engines) -> None:
        self._engines = engines
        self._hints, self._analyses = SharedJobs[MoveHint](), SharedJobs[bytes]()

    async def hint(self, live: LiveRoom, seats: Seats) -> p.Hint:
        """Return a hint to the holder of these seats."""
        room = room_of(live)
        if not room.allows_help:
            raise Refusal("turn", "Hints need the consent of both players.")
        if room.over:
            raise Refusal("over", "The game is over.")
        mover = room.position.to_move
        if mover not in seats:
            raise Refusal("turn", "A hint is for the player to move.")
        if len(seats) > 1 and has_private_cards(room.position):
            raise Refusal("turn", "A hint about private cards would be visible to both of you.")
        try:
            check_hint(room.position, shared=len(seats) > 1)
        except DuelbookError as error:
            raise Refusal("turn", str(error)) from error
        with refused_if_unavailable():
            hint = await self._hints.get(
                (live.id, room.turn, mover), lambda: self._engines.hint(room.match.record(mover))
            )
        return p.Hint(room.turn, hint.move, hint.text, hint.lost)

    def look(self, live: LiveRoom, seats: Seats) -> p.PrivateView:
        """Return the view of the player to move, for the holder of both seats."""
        room = room_of(live)
        mover = room.position.to_move
        if len(seats) < 2 or room.over or mover == CHANCE:
            raise Refusal("turn", "There are no private cards to look at.")
        return p.PrivateView(room.turn, view(room.position, frozenset({mover}), over=False))

    async def analyse(self, live: LiveRoom) -> bytes:
        """Return the analysis of a finished game, encoded."""
        room = room_of(live)
        if not room.over:
            raise Refusal("turn", "The analysis is available after the game.")
        if live.analysis is None:
            live.analysis = await self._analyses.get(live.id, lambda: self._analyse(room))
        return live.analysis

    async def _analyse(self, room: Room) -> bytes:
        try:
            with refused_if_unavailable():
                return await self._engines.analyse(room.without_secrets(), encode_analysis)
        except Refusal:
            raise
        except DuelbookError as error:
            why = str(error)
        except Exception:  # a solver or a custom game may raise anything
            LOG.exception("failed: analysis")
            why = "This game cannot be analysed."
        return encode(p.Analysis([], [], [None, None], why_not=why))
