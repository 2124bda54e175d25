"""GameSessions at which honest players play one game after another while the servers have faults.

The players remember each acknowledged move. When they reconnect, they compare these moves with the
server's moves. `trouble` lists all violations.
"""

from __future__ import annotations

import asyncio
import random
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field

import httpx
from sqlalchemy import text
from sqlalchemy.engine import make_url
from sqlalchemy.ext.asyncio import create_async_engine
from websockets.exceptions import ConnectionClosed, InvalidHandshake

import duelbook
from duelbook import Match
from duelbook.catalog.registry import find
from duelbook.web.protocol import Close
from online import Live, live
from servers import TIMEOUT_SECONDS, Server, is_listening

BOOKS = [game.slug for game in duelbook.list_games()]
DRIVERS = {"sqlite": "sqlite+aiosqlite", "postgresql": "postgresql+asyncpg"}
CONNECTION_ERRORS = (OSError, EOFError, ConnectionClosed, InvalidHandshake, httpx.TransportError)
"""The errors of an unreachable server or a lost connection."""
RETRY_CODES = ("later", "busy", "stale", "turn", "over")
"""The codes of refusals after which a player reconnects: the move may be stored."""
LOST_CODES = (Close.UNKNOWN, Close.SECRET)
"""The close codes for an unknown game or a errors secret."""
GAMES_PER_ADDRESS = 50
"""The games of a table at one address; the server's limit is 120 new games an hour."""


@dataclass
class Game:
    """A game as its players remember it."""

    book: str
    id: str
    secrets: list[str]
    acknowledged: list[str] = field(default_factory=list)
    offered: list[str] = field(default_factory=list)
    """The moves that were sent at this turn and may or may not be stored."""

    def acknowledge(self, move: str) -> None:
        """Note a move that the server has stored."""
        self.acknowledged.append(move)
        self.offered.clear()


class Trouble(Exception):  # noqa: N818 # the complaint of a player
    """Something that must not happen to an honest player."""


class GameSessions:
    """GameSessions at which one game follows another until `finish` is called."""

    def __init__(
        self,
        servers: Sequence[Server],
        count: int,
        seed: int,
        *,
        with_two: int,
        pace: float = 0.0,
        addresses: Callable[[int, int], str] = lambda _, __: "127.0.0.1",
    ) -> None:
        """Prepare the tables.

        The first `with_two` tables have a connection for each seat, the others one for both seats.
        `pace` is the average time between two moves, in seconds. `addresses` returns the address of
        a table from its number and the number of its changes of address.
        """
        self.servers, self.count, self.with_two = servers, count, with_two
        self.pace, self.addresses = pace, addresses
        self.random = random.Random(seed)
        self.games: list[Game] = []
        self.trouble: list[str] = []
        self.waits: list[tuple[float, float]] = []
        """The time of each acknowledgement, and the seconds that the move took."""
        self.slowest = 0.0
        """The longest time until an answer to a move, including refusals."""
        self.moved = [0.0] * count
        """The time of the last acknowledged move of each table."""
        self.connections: set[Live] = set()
        self.is_finishing = self.is_leaving = False
        self._available = {server: asyncio.Event() for server in servers}
        for event in self._available.values():
            event.set()
        self._awaited = (0, asyncio.Event())

    async def play(self) -> None:
        """Play at all tables until `finish` is called and the current games have ended."""
        async with asyncio.TaskGroup() as tables:
            for number in range(self.count):
                tables.create_task(self._table(number))

    def finish(self) -> None:
        """Let the players finish their games, and start no new ones."""
        self.is_finishing = True

    def leave(self) -> None:
        """Let the players leave after their current moves."""
        self.is_finishing = self.is_leaving = True

    async def moves(self, count: int) -> None:
        """Wait until `count` more moves have been acknowledged."""
        self._awaited = (len(self.waits) + count, asyncio.Event())
        await self._awaited[1].wait()

    async def all_move(self, since: float, timeout: float = TIMEOUT_SECONDS) -> list[int]:
        """Wait until every table has moved since a moment; return the tables that did not."""
        deadline = time.monotonic() + timeout
        while late := [n for n in range(self.count) if self.moved[n] < since]:
            if time.monotonic() > deadline:
                break
            await asyncio.sleep(0.05)
        return late

    @asynccontextmanager
    async def without(self, server: Server) -> AsyncIterator[None]:
        """Keep the players away from a server that the block stops and starts."""
        self._available[server].clear()
        yield
        async with asyncio.timeout(
            TIMEOUT_SECONDS
        ):  # only one client polls, so that the server can start undisturbed
            while not is_listening(server.port):
                assert server.runs(), server.log_text()
                await asyncio.sleep(0.01)
        self._available[server].set()

    # One table --------------------------------------------------------------------------------

    async def _table(self, number: int) -> None:
        game, begun = None, 0
        while game or not self.is_finishing:
            address = self.addresses(number, begun // GAMES_PER_ADDRESS)
            try:
                if game is None:
                    begun += 1
                    game = await self._begin(number, address)
                    self.games.append(game)
                await self._continue(number, game, address)
                game = None
            except Trouble as trouble:
                self.trouble.append(f"table {number}: {trouble}")
                game = None  # otherwise the same trouble would repeat
            except TimeoutError:
                self.trouble.append(f"table {number}: no answer for {TIMEOUT_SECONDS:.0f} s")
            except CONNECTION_ERRORS as error:
                if (
                    isinstance(error, ConnectionClosed)
                    and error.rcvd
                    and error.rcvd.code in LOST_CODES
                ):
                    self.trouble.append(f"table {number}: a game is lost: {error}")
                    game = None
                await asyncio.sleep(self.pace * self.random.random() / 4)
            except _Reconnect:
                await asyncio.sleep(self.pace * self.random.random() / 4)

    async def _server(self) -> Server:
        """Wait for an available server, and return it."""
        while True:
            available = [server for server in self.servers if self._available[server].is_set()]
            if available:
                return self.random.choice(available)
            waits = [asyncio.create_task(event.wait()) for event in self._available.values()]
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
            for wait in waits:
                wait.cancel()

    async def _begin(self, number: int, address: str) -> Game:
        """Create a game with a secret for each seat, or with one for both."""
        book = BOOKS[number % len(BOOKS)]
        mode = "friend" if number < self.with_two else "device"
        async with httpx.AsyncClient(
            base_url=(await self._server()).url,
            timeout=TIMEOUT_SECONDS,
            transport=httpx.AsyncHTTPTransport(verify=False, local_address=address),  # no TLS
        ) as http:
            creator = _checked_body(
                await http.post("/api/games", json={"book": book, "mode": mode})
            )
            game = Game(book, creator["id"], [creator["secret"]])
            if mode == "friend":
                invited = _checked_body(await http.post(f"/api/games/{game.id}/seats", json={}))
                game.secrets.append(invited["secret"])
        return game

    async def _continue(self, number: int, game: Game, address: str) -> None:
        """Play a game until the game or the connection ends."""
        async with AsyncExitStack() as stack:
            seats = []
            for secret in game.secrets:
                connection = live(await self._server(), game.id, secret, address)
                seats.append(await stack.enter_async_context(connection))
            self.connections.update(seats)
            stack.callback(self.connections.difference_update, seats)
            latest = max(seat.turn for seat in seats)
            for seat in seats:  # a move may arrive between their snapshots
                await seat.until_turn(latest)
            compare_moves(game, seats)
            while not seats[0].result and not self.is_leaving:
                mover = seats[seats[0].game["view"]["to_move"] % len(seats)]
                move = self.random.choice(mover.legal)
                game.offered.append(move)
                sent_at = time.monotonic()
                answer = await mover.play(move)
                self.slowest = max(self.slowest, time.monotonic() - sent_at)
                if answer["type"] != "update":
                    if answer["code"] not in RETRY_CODES:
                        raise Trouble(f"{move} was refused: {answer}")
                    raise _Reconnect
                game.acknowledge(move)
                self._note_acknowledgement(number, sent_at)
                for seat in seats:
                    await seat.until_turn(mover.turn)
                if self.pace:
                    await asyncio.sleep(self.pace * (0.5 + self.random.random()))
            compare_moves(game, seats)

    def _note_acknowledgement(self, number: int, sent_at: float) -> None:
        """Note the time of an acknowledged move."""
        now = self.moved[number] = time.monotonic()
        self.waits.append((now, now - sent_at))
        if len(self.waits) >= self._awaited[0]:
            self._awaited[1].set()


class _Reconnect(Exception):  # noqa: N818 # not an error
    """The player must reconnect and read the game again."""


def _checked_body(answer: httpx.Response) -> dict[str, str]:
    """Return the body of a successful answer; raise `_Reconnect` for a 503."""
    if answer.status_code == 503:
        raise _Reconnect
    if not answer.is_success:
        raise Trouble(f"{answer.request.url.path}: {answer.status_code} {answer.text}")
    body: dict[str, str] = answer.json()
    return body


def compare_moves(game: Game, seats: list[Live]) -> None:
    """Compare the moves that the server shows with the moves that it acknowledged."""
    known = len(game.acknowledged)
    if len(seats[0].moves) == known + 1:  # one more is stored without an answer
        last = [seat.moves[-1] for seat in seats]
        candidates = [move for move in game.offered if all(agrees(seen, move) for seen in last)]
        if candidates:  # if several moves are possible, only their common part is known
            game.acknowledge(candidates[0] if len(set(candidates)) == 1 else max(last, key=len))
    for seat in seats:
        same_length = len(seat.moves) == len(game.acknowledged)
        if not same_length or not all(map(agrees, seat.moves, game.acknowledged)):
            raise Trouble(f"a move was lost: {game.acknowledged} became {seat.moves}")


def agrees(seen: str, move: str) -> bool:
    """Return whether two moves are equal, or agree in the visible part of one of them."""
    if move.endswith("?"):
        seen, move = move, seen
    return seen == move or (seen.endswith("?") and move.startswith(seen[:-1]))


async def check_stored_games(database: str, played: list[Game]) -> list[str]:
    """Replay every game from the database by its rules; return the errors."""
    url = make_url(database)
    engine = create_async_engine(url.set(drivername=DRIVERS[url.drivername]))
    errors = []
    async with engine.connect() as connection:
        games = await connection.execute(text("SELECT id, book FROM games"))
        books = {row.id: row.book for row in games}
        rows = await connection.execute(
            text("SELECT game, seq, kind, text FROM events ORDER BY game, seq")
        )
        events: defaultdict[str, list[tuple[str, str]]] = defaultdict(list)
        for game, seq, kind, words in rows:
            if seq != len(events[game]):
                errors.append(f"{game}: event {len(events[game])} is missing")
            events[game].append((kind, words))
    await engine.dispose()
    for game in played:
        moves = [words for kind, words in events[game.id] if kind == "move"]
        same_length = len(moves) == len(game.acknowledged)
        if not same_length or not all(map(agrees, game.acknowledged, moves)):
            errors.append(f"{game.id}: {game.acknowledged} became {moves}")
        match = Match.begin(find(books[game.id]))
        for move in moves:
            match = match.play(move)
    return errors
