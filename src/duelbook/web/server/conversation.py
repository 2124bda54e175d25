"""A conversation: it receives the messages of a client and sends the changes of its game."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from contextvars import copy_context
from functools import partial
from typing import Any, Protocol

import msgspec

from duelbook.compute.client_address import CLIENT_ADDRESS
from duelbook.errors import DuelbookError
from duelbook.system.json_logs import LOG
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import Connection, LiveRoom
from duelbook.web.games.state.views import encode
from duelbook.web.store.store import StoreError

DECODER: msgspec.json.Decoder[p.FromClient] = msgspec.json.Decoder(p.FromClient)
ASIDES = (p.Hello, p.Ping, p.AskHint, p.Look)
INTERNAL_ERROR = 1011


class Socket(Protocol):
    """The part of a WebSocket that a conversation uses."""

    def send(self, message: bytes) -> None:
        """Send a message."""

    def close(self, code: int, why: str = "") -> None:
        """Close the connection."""

    def hold(self) -> None:
        """Pass on no more messages."""

    def release(self) -> None:
        """Pass on messages again."""


class Conversation(Connection):
    """Answers the messages of one client, one after the other."""

    __slots__ = (
        *(
            "_context",
            "_game",
            "_hint",
            "_hub",
            "_is_disconnected",
            "_live",
            "_hello_timer",
            "_socket",
        ),
        "_tasks",
    )

    def __init__(  # noqa: PLR0913 # a conversation connects all of them
        self,
        socket: Socket,
        hub: Hub,
        game: str,
        address: str,
        *,
        hello_timeout: float,
        tasks: set[asyncio.Task[None]],
    ) -> None:
        """Start a conversation about a game; the client must send `Hello` within the timeout."""
        super().__init__()
        self._socket, self._hub, self._game, self._tasks = socket, hub, game, tasks
        self._live: LiveRoom | None = None
        self._is_disconnected = False
        self._hint: asyncio.Task[None] | None = None
        self._context = copy_context()
        self._context.run(CLIENT_ADDRESS.set, address)
        self._hello_timer = asyncio.get_running_loop().call_later(
            hello_timeout, socket.close, p.Close.INVALID, "You did not say hello."
        )

    # Called by the hub ------------------------------------------------------------------------

    def send(self, frame: bytes) -> None:
        """Send a message."""
        self._socket.send(frame)

    def close(self, code: p.Close, why: str) -> None:
        """Close the connection of the client."""
        self._socket.close(code, why)

    # Called by the WebSocket ------------------------------------------------------------------

    def receive(self, text: str) -> None:
        """Take a message; a command or the first `Hello` holds back the next one until it ends."""
        try:
            message = _parse(text)
        except Refusal as refusal:
            if self._live is None:
                self._socket.close(p.Close.INVALID, str(refusal))
            else:
                self._refuse(refusal, None)
            return
        if self._live is not None:
            self._answer(self._live, message)
        elif isinstance(message, p.Hello):
            self._hello_timer.cancel()
            self._start(self._enter(message.secret))
        else:
            self._socket.close(p.Close.INVALID, "The first message must be hello.")

    def disconnect(self) -> None:
        """Leave the game; a move that is already on its way to the database still counts."""
        self._hello_timer.cancel()
        self._is_disconnected = True
        if self._hint:
            self._hint.cancel()
        if self._live:
            self._hub.disconnect(self._live, self)

    # Answers ----------------------------------------------------------------------------------

    async def _enter(self, secret: str | None) -> None:
        try:
            live = await self._hub.connect(self._game, secret, self)
        except Refusal as refusal:
            codes = {"unknown": p.Close.UNKNOWN, "secret": p.Close.SECRET}
            self._socket.close(codes.get(refusal.code, p.Close.RESTART), str(refusal))
        except StoreError as error:
            self._socket.close(p.Close.RESTART, str(error))
        else:
            self._live = live
            if self._is_disconnected:  # the client disconnected in the meantime
                self._hub.disconnect(live, self)

    def _answer(self, live: LiveRoom, message: p.FromClient) -> None:
        if isinstance(message, ASIDES):
            self._answer_aside(live, message)
        else:
            self._socket.hold()
            self._hub.submit(live, self, message, partial(self._finish_command, message.number))

    def _answer_aside(self, live: LiveRoom, message: p.Hello | p.Ping | p.AskHint | p.Look) -> None:
        """Answer a message that changes nothing in the game."""
        match message:
            case p.Hello():
                self._refuse(Refusal("invalid", "You have said hello already."), None)
            case p.Ping(number):
                self.send(encode(p.Pong(number)))
            case p.AskHint(number):
                if self._hint and not self._hint.done():
                    self._refuse(Refusal("busy", "A hint is already being computed."), number)
                else:  # the server answers other messages in the meantime
                    hinting = self._send_hint(live, number)
                    self._hint = asyncio.create_task(hinting, context=self._context)
            case p.Look(number):
                try:
                    looked = self._hub.explanations.look(live, self.seats)
                except Refusal as refusal:
                    self._refuse(refusal, number)
                else:
                    looked.reply = number
                    self.send(encode(looked))

    def _finish_command(self, number: int | None, error: Exception | None) -> None:
        """Answer a command that failed, and let the next message through."""
        if isinstance(error, Refusal):
            self._refuse(error, number)
        elif isinstance(error, StoreError):
            self._refuse(Refusal("later", str(error)), number)
        elif error:
            self._failed(error)
        self._socket.release()

    async def _send_hint(self, live: LiveRoom, number: int | None) -> None:
        """Send a hint once it is computed."""
        try:
            hint = await self._hub.explanations.hint(live, self.seats)
        except Refusal as refusal:
            self._refuse(refusal, number)
        except DuelbookError as error:
            self._refuse(Refusal("later", str(error)), number)
        except Exception:  # a solver or a custom game may raise anything
            LOG.exception("failed: hint")
            self._refuse(Refusal("later", "There is no hint here."), number)
        else:
            hint.reply = number
            self.send(encode(hint))

    def _refuse(self, refusal: Refusal, number: int | None) -> None:
        self._hub.metrics.refused.labels(refusal.code).inc()
        self.send(encode(p.Refused(refusal.code, str(refusal), number)))

    # Long work --------------------------------------------------------------------------------

    def _start(self, work: Coroutine[Any, Any, None]) -> None:
        """Start a task for the client, and hold back its next message until the task ends."""
        self._socket.hold()
        task = asyncio.create_task(work, context=self._context)
        self._tasks.add(task)
        task.add_done_callback(self._finished)

    def _finished(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()):
            self._failed(error)
        self._socket.release()

    def _failed(self, error: BaseException) -> None:
        LOG.error("failed: message", exc_info=error)
        self._socket.close(INTERNAL_ERROR, "The server failed at this message.")


def _parse(text: str) -> p.FromClient:
    try:
        return DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Refusal("invalid", f"This is not a message: {error}.") from error
