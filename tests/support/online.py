"""A small client for tests: connections to games, and all messages that they received."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import httpx
from websockets.asyncio.client import ClientConnection, connect
from websockets.protocol import State

from servers import TIMEOUT_SECONDS, Server

Data = dict[str, Any]
UNLIMITED = ("--rate", "1000000", "--connections", "10000", "--games", "1000000")


class Live:
    """A connection to a game, and the state of the game according to its messages."""

    def __init__(self, socket: ClientConnection) -> None:
        self.socket = socket
        self.frames: list[str] = []
        self.received: list[Data] = []
        self.game: Data = {}
        self.presence: Data = {}
        self._number = 0

    async def receive(self) -> Data:
        """Return the next message, and apply its changes to the game."""
        async with asyncio.timeout(TIMEOUT_SECONDS):
            frame = await self.socket.recv(decode=True)
        self.frames.append(str(frame))
        message: Data = json.loads(frame)
        self.received.append(message)
        self._apply(message)
        return message

    def _apply(self, message: Data) -> None:
        match message["type"]:
            case "snapshot":
                self.game = dict(message)
            case "update":
                assert message["kept"] <= len(self.moves)
                for key in ("moves", "movers", "told", "said"):
                    self.game[key] = self.game[key][: message["kept"]] + message.get(key, [])
                for key in {"seq", "turn", "status", "view"} & message.keys():
                    self.game[key] = message[key]
            case "presence":
                self.presence = message

    async def wait_for(self, **values: object) -> Data:
        """Return the next message that contains these values."""
        while True:
            message = await self.receive()
            if values.items() <= message.items():
                return message

    async def until_turn(self, turn: int) -> None:
        """Receive messages until the game has reached a turn number."""
        while self.turn < turn:
            await self.receive()

    async def until_moves(self, *moves: str) -> None:
        """Receive messages until the game has exactly these moves."""
        while self.moves != list(moves):
            await self.receive()

    async def send(self, **message: object) -> None:
        """Send a message."""
        await self.socket.send(json.dumps(message))

    async def request(self, **message: object) -> Data:
        """Send a message with a number, and return the answer."""
        self._number += 1
        await self.send(**message, number=self._number)
        return await self.wait_for(reply=self._number)

    async def play(self, move: str, **options: object) -> Data:
        """Play a move at the current turn, and return the answer."""
        return await self.request(**{"type": "play", "move": move, "answers": self.turn} | options)

    async def catch_up(self) -> None:
        """Receive all messages that the server sent before now."""
        await self.request(type="ping")

    @property
    def moves(self) -> list[str]:
        """The moves that this connection knows."""
        return list(self.game["moves"])

    @property
    def turn(self) -> int:
        """The number that a move must answer."""
        return int(self.game["turn"])

    @property
    def legal(self) -> list[str]:
        """The legal moves of this connection."""
        return list(self.game["view"].get("legal", []))

    @property
    def status(self) -> Data:
        """The status of the game: everything except the position and the moves."""
        status: Data = self.game["status"]
        return status

    @property
    def result(self) -> Data | None:
        """The result of the game, or None before its end."""
        result: Data | None = self.status.get("result")
        return result


@asynccontextmanager
async def live(
    server: Server, game: str, secret: str | None = None, address: str = "127.0.0.1"
) -> AsyncIterator[Live]:
    """Connect to a game with a secret, or as a spectator, and disconnect after the block."""
    socket = await connect(
        server.live(game),
        open_timeout=TIMEOUT_SECONDS,
        max_queue=None,  # unread messages must not block the close frame
        proxy=None,
        local_addr=(address, 0),
    )
    try:
        connection = Live(socket)
        hello = {"type": "hello"} if secret is None else {"type": "hello", "secret": secret}
        await connection.send(**hello)
        await connection.wait_for(type="snapshot")
        yield connection
    finally:
        # A lost connection with unsent bytes has no event loop any more: do not close it again.
        if socket.state is not State.CLOSED:
            await socket.close()


def begin(http: httpx.Client, book: str = "tower-defense-duel", **terms: object) -> Data:
    """Create a game; return its id, and the seats and the secret of its creator."""
    answer = http.post("/api/games", json={"book": book, **terms})
    assert answer.is_success, answer.text
    seated: Data = answer.json()
    return seated


def sit(http: httpx.Client, game: str, **profile: object) -> Data:
    """Take the open seat of a game."""
    answer = http.post(f"/api/games/{game}/seats", json=profile)
    assert answer.is_success, answer.text
    seated: Data = answer.json()
    return seated


def bearer(secret: str) -> dict[str, str]:
    """Return the header with the secret of a seat."""
    return {"Authorization": f"Bearer {secret}"}


class DeviceGame:
    """A game at one device, over plain requests."""

    def __init__(self, server: Server) -> None:
        self.server = server
        self.moves: list[str] = []
        """The moves that the server acknowledged."""
        self.http = httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS)
        seated = begin(self.http, "island-conquest", mode="device")
        self.id, self.secret = seated["id"], seated["secret"]

    def show(self) -> httpx.Response:
        """Request the game."""
        return self.http.get(f"/api/games/{self.id}", headers=bearer(self.secret))

    def move(self) -> httpx.Response:
        """Play the first legal move; return the answer, or the error if the game is not shown."""
        shown = self.show()
        if not shown.is_success:
            return shown
        turn, move = shown.json()["turn"], shown.json()["view"]["legal"][0]
        command = {"type": "play", "move": move, "answers": turn}
        where = f"/api/games/{self.id}/commands"
        answer = self.http.post(where, json=command, headers=bearer(self.secret))
        if answer.is_success:
            self.moves.append(move)
        return answer
