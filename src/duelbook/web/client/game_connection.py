"""`GameConnection`: the WebSocket of a game, which reconnects and sends each command once."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from contextlib import ExitStack
from random import uniform
from threading import Event
from typing import TYPE_CHECKING, Any, Self

import msgspec
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from duelbook.web import protocol as p
from duelbook.web.client.server import (
    ANSWER_TIMEOUT_SECONDS,
    RECONNECT_SECONDS,
    NoServerError,
    ServerError,
    address,
    reason_of,
)

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

DECODER: msgspec.json.Decoder[p.ToClient] = msgspec.json.Decoder(p.ToClient)
MAX_MESSAGE_BYTES = 64 * 2**20
MAX_PAUSE_SECONDS = 5.0
"""The longest pause between two attempts to reconnect."""
RETRY_CODES = ("limit", "busy", "later")
"""The codes of refusals after which the client tries again."""


class GameConnection:
    """A connection to a game on a server, for a seat or for a spectator.

    `snapshot` is the last known state. `presence` says who is connected, once it is known.
    `commitment` is the server's first commitment to the chance outcomes of a game.
    """

    snapshot: p.Snapshot

    def __init__(
        self, url: str, secret: str | None = None, *, reconnect_seconds: float = RECONNECT_SECONDS
    ) -> None:
        """Resume the seats that belong to a secret; without a secret, watch the game."""
        self.server, self.id = address(url)
        self.url = f"{self.server.url}/g/{self.id}"
        self.secret, self.reconnect_seconds = secret, reconnect_seconds
        self.presence: p.Presence | None = None
        self._presence_turn, self._presence_at = 0, 0.0
        self.commitment = ""
        self._unread: deque[p.ToClient] = deque(maxlen=1000)
        self._number = 0
        self._open = ExitStack()
        self._gave_up = Event()
        self.when_lost: Callable[[], None] = lambda: None
        """A function to call when the connection is lost, before the first attempt to reconnect."""
        self._connect()

    @property
    def result(self) -> p.Result | None:
        """The result of the game, or None while it continues."""
        return self.snapshot.status.result

    # Commands ---------------------------------------------------------------------------------

    def send(self, command: p.Command | p.AskHint) -> p.Hint | None:
        """Send a command, which the server carries out once; raise `ServerError` if it refuses."""
        self._number += 1
        command = msgspec.structs.replace(command, number=self._number)
        before, again, late = self.snapshot, False, time.monotonic() + self.reconnect_seconds
        while True:
            try:
                self._socket.send(msgspec.json.encode(command).decode())
                answer = self._answer(self._number)
            except (ConnectionClosed, TimeoutError) as error:
                self._reconnect(error)
                again = True
                continue
            if not isinstance(answer, p.Refused):
                return answer
            if answer.code in RETRY_CODES and time.monotonic() < late:
                self._gave_up.wait(uniform(0.5, 1.5))
                again = True  # the server may have stored the command nevertheless
            elif again and answer.code in ("stale", "over") and self._has_effect(command, before):
                return None  # the server received it before the connection broke
            else:
                raise ServerError(answer.code, answer.why)

    def _answer(self, number: int) -> p.Refused | p.Hint | None:
        """Wait for the answer to a command; return it if it is a refusal or a hint."""
        while True:
            message = self._next(ANSWER_TIMEOUT_SECONDS)
            match message:
                case p.Update(reply=reply) if reply == number:
                    self._unread.append(message)
                    return None
                case p.Hint(reply=reply) if reply == number:
                    return message
                case p.Refused(reply=reply) if reply in (number, None):  # None: not readable
                    return message
                case _:
                    self._unread.append(message)

    def _has_effect(self, command: p.Command | p.AskHint, before: p.Snapshot) -> bool:
        """Return whether the state of the game shows the effect of a command."""
        if isinstance(command, p.Abort | p.Claim):
            return self.result is not None and self.result.by in ("aborted", "left")
        if not isinstance(command, p.Play):
            return True
        since = self.snapshot.moves[len(before.moves) :]
        return bool(since) and (len(before.seats) > 1 or since[0] == command.move)

    # Messages ---------------------------------------------------------------------------------

    def receive(self, timeout: float | None = None) -> p.ToClient | None:
        """Return the next message, or None if none arrives in time.

        After a lost connection, the next message is a `Snapshot`.
        """
        if self._unread:
            return self._unread.popleft()
        try:
            return self._next(timeout)
        except TimeoutError:
            return None
        except ConnectionClosed as error:
            self._reconnect(error)
            return self._unread.popleft()

    def _next(self, timeout: float | None) -> p.ToClient:
        """Return the next message, and update the snapshot with it."""
        while True:
            text = self._socket.recv(timeout)
            try:
                message = DECODER.decode(text)
            except msgspec.ValidationError:
                continue  # from a newer server
            match message:
                case p.Snapshot(status=p.Status(draws=draws)):
                    self.snapshot = message
                    self.commitment = self.commitment or (draws.commitment if draws else "")
                case p.Update():
                    self.snapshot = after(self.snapshot, message)
                case p.Presence():
                    self.presence = message
                    self._presence_turn = self.snapshot.turn
                    self._presence_at = time.monotonic()
                case p.Refused(code="unknown", why=why, reply=None):
                    raise ServerError("unknown", why)
            return message

    # The connection ---------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect; the seat stays taken, and the secret can resume it."""
        self._open.close()

    def give_up(self) -> None:
        """Make an attempt to reconnect in another thread fail at once."""
        self._gave_up.set()

    def _connect(self) -> None:
        """Connect, and wait for a snapshot."""
        self._open.close()
        url = f"ws{self.server.url.removeprefix('http')}/api/games/{self.id}/live"
        nobody = f"There is no server at {self.server.url}"
        try:
            opened = connect(url, max_size=MAX_MESSAGE_BYTES, max_queue=1000, close_timeout=2)
            self._socket: ClientConnection = self._open.enter_context(opened)
            self._socket.send(msgspec.json.encode(p.Hello(self.secret)).decode())
            while not isinstance(self._next(ANSWER_TIMEOUT_SECONDS), p.Snapshot):
                pass
        except ConnectionClosed as error:
            raise _why_closed(error) from error
        except (OSError, WebSocketException, ValueError) as error:
            raise NoServerError(f"{nobody}: {reason_of(error)}.") from error

    def _reconnect(self, error: Exception) -> None:
        """Reconnect as soon as the server answers."""
        late, pause = time.monotonic() + self.reconnect_seconds, 0.05
        if isinstance(error, ConnectionClosed):
            why = _why_closed(error)
            if isinstance(why, ServerError):
                raise why from error
            if _code(error) == p.Close.LIMIT:
                pause = 1.0
        self.when_lost()
        while True:
            if self._gave_up.wait(pause * uniform(0.5, 1.5)):
                raise NoServerError("The connection was lost.") from error
            try:
                self._connect()
            except NoServerError:
                if time.monotonic() > late:
                    raise
            else:
                self._unread.append(self.snapshot)
                return
            pause = min(2 * pause, MAX_PAUSE_SECONDS)


def after(snapshot: p.Snapshot, update: p.Update) -> p.Snapshot:
    """Return the state of a game after an update."""
    if update.seq <= snapshot.seq:
        return snapshot
    changes: dict[str, Any] = {"seq": update.seq, "turn": update.turn}
    changes["moves"] = snapshot.moves[: update.kept] + update.moves
    changes["movers"] = snapshot.movers[: update.kept] + update.movers
    changes["told"] = snapshot.told[: update.kept] + update.told
    changes["said"] = snapshot.said[: update.kept] + update.said
    if update.status is not None:
        changes["status"] = update.status
    if update.view is not None:
        changes["view"] = update.view
    return msgspec.structs.replace(snapshot, **changes)


def _code(closed: ConnectionClosed) -> int:
    return closed.rcvd.code if closed.rcvd else 1006


def _why_closed(closed: ConnectionClosed) -> ServerError | NoServerError:
    why = closed.rcvd.reason if closed.rcvd else ""
    if code := p.FATAL_CLOSES.get(_code(closed)):
        return ServerError(code, why or "The server refuses the connection.")
    return NoServerError(why or "The connection was lost.")
