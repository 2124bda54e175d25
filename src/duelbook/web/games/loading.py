"""Read a game from the database, page by page, in time slices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager

from duelbook.compute.client_address import CLIENT_ADDRESS
from duelbook.compute.time_slices import TimeSlices
from duelbook.errors import DuelbookError
from duelbook.web.games.commands import Refusal
from duelbook.web.games.state.room import Room
from duelbook.web.store.game_events import GameEvent
from duelbook.web.store.store import Store, StoreError

UNKNOWN_GAME = "There is no such game, or it is gone."
EVENTS_PER_PAGE = 500
"""The number of events in one query."""
MAX_LONG_GAMES = 8
"""The maximum number of games longer than a page that the server reads at the same time."""
MAX_LONG_GAMES_PER_ADDRESS = 2
"""The maximum number of long games that the server reads at the same time for one address."""


class Loader:
    """Reads games; short games never wait for long ones."""

    def __init__(self, store: Store, time_slices: TimeSlices) -> None:
        self._store, self._time_slices = store, time_slices
        self._long_games: Counter[str] = Counter()

    async def load(self, id: str) -> Room:  # noqa: A002 # the word on the wire
        """Return a game, or raise a refusal if it does not exist."""
        terms = await self._store.terms(id)
        if terms is None:
            raise Refusal("unknown", UNKNOWN_GAME)
        events = await self._store.events(id, limit=EVENTS_PER_PAGE)
        room = await self._after(Room.begin(terms), events)
        if len(events) == EVENTS_PER_PAGE:
            with self._count_long_game():
                while len(events) == EVENTS_PER_PAGE:
                    events = await self._store.events(id, room.seq, EVENTS_PER_PAGE)
                    room = await self._after(room, events)
        return room

    async def _after(self, room: Room, events: Iterable[GameEvent]) -> Room:
        try:
            return await self._time_slices.run(_fold(room, events))
        except DuelbookError as error:  # the rules have changed since the game was stored
            raise StoreError("This game cannot be read any more.") from error

    @contextmanager
    def _count_long_game(self) -> Iterator[None]:
        """Count a long game while it is read, or refuse to read one more."""
        address = CLIENT_ADDRESS.get()
        if (
            self._long_games.total() >= MAX_LONG_GAMES
            or self._long_games[address] >= MAX_LONG_GAMES_PER_ADDRESS
        ):
            raise Refusal("busy", "Too many long games are being read: try again later.")
        self._long_games[address] += 1
        try:
            yield
        finally:
            self._long_games[address] -= 1
            if not self._long_games[address]:
                del self._long_games[address]


def _fold(room: Room, events: Iterable[GameEvent]) -> Generator[None, None, Room]:
    for event in events:
        room = room.after(event)
        yield
    return room
