"""The load generator: games over each server's own protocol, without pauses between moves.

Players attack more often than at random. So games are long (about 300 moves), and moves dominate
the measurement. When a game ends, the same two players start another.
"""

from __future__ import annotations

import asyncio
import http.client
import json
import random
from secrets import token_hex
from time import perf_counter
from typing import Any

import msgspec
from sockets import Socket

BOOK = "tower-defense-duel"
ATTACK = 3  # the units that an attack needs and removes
AcknowledgedMoves = dict[tuple[str, int], str]


class Load:
    """Many games on one server, and their measurements."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.random = random.Random(1)
        self.playing = False
        self.waits: list[float] = []
        """The time from each move to its acknowledgement."""
        self.trouble: list[str] = []
        self.sockets: set[Socket] = set()
        self.seats: list[Seat] = []
        """The players at the start."""
        self.ready = asyncio.Semaphore(0)

    async def open(self, games: int) -> None:
        """Open games, ready for the first move."""
        for _ in range(games):
            await self.pair()
        for _ in range(2 * games):
            async with asyncio.timeout(30):
                await self.ready.acquire()

    async def pair(self) -> None:
        """Open a game for two players."""
        raise NotImplementedError

    def start(self) -> None:
        """Let all players move."""
        self.playing = True
        self.seats = [socket for socket in self.sockets if isinstance(socket, Seat)]
        for seat in self.seats:
            seat.resume()

    def stop(self) -> None:
        """Leave all games, and report players that never moved."""
        self.playing = False
        still = sum(not seat.moved for seat in self.seats)
        if still:
            self.trouble.append(f"{still} of {len(self.seats)} players never moved.")
        for socket in self.sockets:
            socket.close()

    def choose(self, legal: list[str]) -> str:
        """Return a move."""
        attack = legal[-1] == "attack" and self.random.random() < 0.5
        return "attack" if attack else self.random.choice(legal)


class Seat(Socket):
    """A player on a server."""

    def __init__(self, load: Load) -> None:
        super().__init__()
        self.load = load
        self.sent_at = 0.0
        self.moved = False
        load.sockets.add(self)

    def resume(self) -> None:
        """Make a move if it is this player's turn."""

    def made(self) -> None:
        """Record the acknowledgement of the move."""
        self.moved = True
        self.load.waits.append(perf_counter() - self.sent_at)

    def lost(self, why: str) -> None:
        """Record an error."""
        if self.load.playing:
            self.load.trouble.append(why)


# Duelbook ---------------------------------------------------------------------------------------


class Look(msgspec.Struct):
    """The fields of a view that a player needs."""

    legal: list[str] = []


class Around(msgspec.Struct):
    """The fields of the status that a player needs."""

    result: dict[str, Any] | None = None
    next: str | None = None


class Heard(msgspec.Struct):
    """The fields of a message that a player needs."""

    type: str
    seq: int = 0
    turn: int = 0
    reply: int | None = None
    view: Look | None = None
    status: Around | None = None
    why: str = ""


class DuelbookLoad(Load):
    """Games on a Duelbook server, in the mode `friend`."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.acknowledged: AcknowledgedMoves = {}
        """Every acknowledged move, by game and number."""
        self.opening: set[asyncio.Task[None]] = set()
        self._http = http.client.HTTPConnection("127.0.0.1", port, timeout=30)

    async def pair(self) -> None:
        """Open a game for two players."""
        first_seat = self._post("/api/games", {"book": BOOK})
        second_seat = self._post(f"/api/games/{first_seat['id']}/seats", {})
        for secret in (first_seat["secret"], second_seat["secret"]):
            await DuelbookSeat(self, first_seat["id"], secret).enter()

    def _post(self, path: str, wish: dict[str, str]) -> dict[str, Any]:
        self._http.request("POST", path, json.dumps(wish), {"Content-Type": "application/json"})
        with self._http.getresponse() as response:
            answer: dict[str, Any] = json.load(response)
        if response.status != 201:
            raise SystemExit(f"The server refused a game: {answer}")
        return answer

    def follow(self, seat: DuelbookSeat) -> None:
        """Move a player to the next game."""
        task = asyncio.create_task(seat.enter())
        self.opening.add(task)
        task.add_done_callback(self.opening.discard)


class DuelbookSeat(Seat):
    """A player with the secret of a seat."""

    decode = msgspec.json.Decoder(Heard).decode

    def __init__(self, load: DuelbookLoad, game: str, secret: str) -> None:
        super().__init__(load)
        self.at, self.game, self.secret = load, game, secret
        self.legal: list[str] = []
        self.move, self.turn, self.number = "", 0, 0
        self.seen = False

    async def enter(self) -> None:
        """Connect to the game."""
        await self.connect(self.load.port, f"/api/games/{self.game}/live")

    def opened(self) -> None:
        """Send the hello message."""
        self.send(b'{"type":"hello","secret":"%b"}' % self.secret.encode())

    def heard(self, text: bytes) -> None:
        """Continue the game, or start the next one."""
        message = self.decode(text)
        if message.type not in ("update", "snapshot"):
            if message.type == "refused":
                self.load.trouble.append(message.why)
            return
        if message.reply is not None and message.reply == self.number and self.move:
            self.made()
            self.at.acknowledged[self.game, message.seq - 1] = self.move
            self.move = ""
        self.turn = message.turn
        if message.view:
            self.legal = message.view.legal
            self.resume()
        if message.type == "snapshot" and not self.seen:
            self.seen = True
            self.load.ready.release()
        if message.status and message.status.next:
            self._follow(message.status.next)
        elif message.status and message.status.result and not self.legal and self.seen:
            self._play_again()

    def resume(self) -> None:
        """Make a move if it is this player's turn."""
        if self.legal and self.load.playing:
            self.number += 1
            self.move = self.load.choose(self.legal)
            self.legal = []
            self.sent_at = perf_counter()
            words = self.move.encode(), self.turn, self.number
            self.send(b'{"type":"play","move":"%b","answers":%d,"number":%d}' % words)

    def _play_again(self) -> None:
        self.seen = False  # one request is enough
        self.send(b'{"type":"rematch"}')

    def _follow(self, game: str) -> None:
        self.close()
        self.load.sockets.discard(self)
        self.at.follow(DuelbookSeat(self.at, game, self.secret))


# boardgame.io -----------------------------------------------------------------------------------


class Towers(msgspec.Struct):
    """The state of the game itself."""

    towers: list[int]


class Context(msgspec.Struct):
    """The player to move, and whether the game is over."""

    current_player: str = msgspec.field(name="currentPlayer")
    gameover: dict[str, int] | None = None


class State(msgspec.Struct):
    """The fields of a state that a player needs."""

    G: Towers
    ctx: Context
    number: int = msgspec.field(name="_stateID")


class Sync(msgspec.Struct):
    """The answer to a player who joins a match."""

    state: State


class BoardgameLoad(Load):
    """Matches over socket.io."""

    def __init__(self, port: int) -> None:
        super().__init__(port)
        self.matches = 0
        self.name = token_hex(4)  # separates these matches from those of an earlier run

    async def pair(self) -> None:
        """Open a match for two players."""
        first, second = BoardgameSeat(self, 0), BoardgameSeat(self, 1)
        first.other, second.other = second, first
        for seat in (first, second):
            await seat.connect(self.port, "/socket.io/?EIO=4&transport=websocket")
        first.begin()


class BoardgameSeat(Seat):
    """A player over socket.io's protocol, as far as boardgame.io uses it."""

    decode_sync = msgspec.json.Decoder(tuple[str, str, Sync]).decode
    decode_update = msgspec.json.Decoder(tuple[str, str, State, Any]).decode

    def __init__(self, load: BoardgameLoad, player: int) -> None:
        super().__init__(load)
        self.at, self.player = load, player
        self.other = self
        self.match = ""
        self.state: State | None = None
        self.waiting = False
        self.inside = False
        self.joined = False

    def begin(self) -> None:
        """Move both players to a new match; this player goes first, because joining creates it."""
        self.at.matches += 1
        self.match = self.other.match = f"{self.at.name}-{self.at.matches}"
        self.inside = self.other.inside = False
        self.state = self.other.state = None
        if self.joined:
            self.sync()

    def sync(self) -> None:
        """Join the match."""
        self.send(b'42/tower,["sync","%b","%d",null,2]' % (self.match.encode(), self.player))

    def heard(self, text: bytes) -> None:
        """Continue the match, or start the next one."""
        if text.startswith(b'42/tower,["update"'):
            _, match, state, _ = self.decode_update(text[9:])
            if match == self.match:
                self._look(state)
        elif text.startswith(b'42/tower,["sync"'):
            self._come_in(self.decode_sync(text[9:])[2].state)
        elif text.startswith(b"0"):
            self.send(b"40/tower,")
        elif text.startswith(b"40/tower"):
            self.joined = True
            if (self.player == 0 and self.match) or self.other.inside:
                self.sync()
        elif text == b"2":
            self.send(b"3")
        elif not text.startswith(b'42/tower,["matchData"'):
            self.load.trouble.append(text.decode()[:200])

    def _come_in(self, state: State) -> None:
        self.state, self.inside = state, True
        self.load.ready.release()
        if self.player == 0:
            if self.other.joined:
                self.other.sync()
        else:
            self.other.resume()

    def _look(self, state: State) -> None:
        if self.waiting:
            self.waiting = False
            self.made()
        self.state = state
        if state.ctx.gameover is None:
            self.resume()
        elif self.other.state is None or self.other.state.number == state.number:
            first = self if self.player == 0 else self.other
            first.begin()

    def resume(self) -> None:
        """Make a move if it is this player's turn."""
        state = self.state
        ready = self.load.playing and self.inside and self.other.inside and state is not None
        if not ready or state is None or int(state.ctx.current_player) != self.player:
            return
        legal = ["build 1", "build 2", "build 4"]
        if state.G.towers[1 - self.player] >= ATTACK:
            legal.append("attack")
        kind, _, units = self.load.choose(legal).partition(" ")
        self.waiting = True
        self.sent_at = perf_counter()
        words = kind.encode(), units.encode(), self.player, state.number, self.match.encode()
        self.send(
            b'42/tower,["update",{"type":"MAKE_MOVE","payload":{"type":"%b","args":[%b],'
            b'"playerID":"%d"}},%d,"%b","%d"]' % (*words, self.player)
        )


# Echo -------------------------------------------------------------------------------------------


class EchoLoad(Load):
    """Messages that the echo server sends back."""

    async def pair(self) -> None:
        """Open two connections that take turns."""
        first, second = EchoSeat(self), EchoSeat(self)
        first.other, second.other, first.mine = second, first, True
        for seat in (first, second):
            await seat.connect(self.port, "/")


class EchoSeat(Seat):
    """One of two players who send alternately."""

    def __init__(self, load: Load) -> None:
        super().__init__(load)
        self.other = self
        self.mine = False

    def opened(self) -> None:
        """Count as ready."""
        self.load.ready.release()

    def heard(self, text: bytes) -> None:  # noqa: ARG002 # the message that was sent
        """Let the other player send."""
        self.made()
        self.mine, self.other.mine = False, True
        self.other.resume()

    def resume(self) -> None:
        """Send a message if it is this player's turn."""
        if self.mine and self.load.playing:
            move = self.load.choose(["build 1", "build 2", "build 4", "attack"])
            self.sent_at = perf_counter()
            self.send(b'{"type":"play","move":"%b","answers":3,"number":1}' % move.encode())
