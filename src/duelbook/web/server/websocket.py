"""The WebSocket endpoint: messages of a client in, changes of its game out."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from starlette.types import Receive, Scope, Send

from duelbook.errors import DuelbookError
from duelbook.web import protocol as p
from duelbook.web.logs import LOG
from duelbook.web.rooms.commands import Refusal
from duelbook.web.rooms.hub import Hub
from duelbook.web.rooms.presence import Connection, LiveRoom
from duelbook.web.rooms.store import StoreError
from duelbook.web.rooms.views import encode
from duelbook.web.server.limits import Limiter
from duelbook.web.server.middleware import address, from_here

DECODER: msgspec.json.Decoder[p.FromClient] = msgspec.json.Decoder(p.FromClient)
MOST_STRIKES = 100
"""Messages over the limit that are answered before the connection is closed."""
SILENCE = 20
"""Seconds within which a new connection must say hello."""


class Closed(Exception):  # noqa: N818 # an end, not an error
    """The connection is closed with a code and a reason."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


class WebSocketEndpoint:
    """Serves the WebSockets of a hub."""

    def __init__(self, hub: Hub, limiter: Limiter, origins: tuple[str, ...] = ()) -> None:
        self.hub, self.limiter, self.origins = hub, limiter, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection to its end."""
        await receive()  # the connect message
        if not from_here(scope, self.origins):
            await send({"type": "websocket.close", "code": 1008})  # refused before it is open
            return
        await send({"type": "websocket.accept"})
        where = address(scope)
        try:
            if not self.limiter.enter(where):
                raise Closed(p.Close.LIMIT, "Too many connections from your address.")
            try:
                self.hub.metrics.connections.inc()
                await self._converse(scope["path_params"]["id"], receive, send)
            finally:
                self.hub.metrics.connections.dec()
                self.limiter.leave(where)
        except Closed as end:
            with suppress(OSError, RuntimeError):  # it may be gone already
                why = str(end)[:120]
                await send({"type": "websocket.close", "code": end.code, "reason": why})

    async def _converse(self, id: str, receive: Receive, send: Send) -> None:  # noqa: A002 # what everyone calls it
        connection, hello = Connection(), await _hello(receive)
        try:
            live = await self.hub.enter(id, hello.secret, connection)
        except Refusal as refusal:
            code = p.Close.UNKNOWN if refusal.code == "unknown" else p.Close.SECRET
            raise Closed(code, str(refusal)) from refusal
        except StoreError as error:
            raise Closed(p.Close.RESTART, str(error)) from error
        speaker = asyncio.create_task(_speak(connection, send))
        listener = asyncio.create_task(self._listen(live, connection, receive))
        try:
            done, _ = await asyncio.wait({speaker, listener}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self.hub.leave(live, connection)
            speaker.cancel()
            async with connection.acting:  # a move on its way to the disk is still sent
                listener.cancel()
            await asyncio.gather(speaker, listener, return_exceptions=True)

    async def _listen(self, live: LiveRoom, connection: Connection, receive: Receive) -> None:
        messages, strikes = self.limiter.messages(), 0
        while True:
            text = await _text(receive)
            if not messages.allows(self.limiter.clock()):
                strikes += 1
                if strikes > MOST_STRIKES:
                    raise Closed(p.Close.LIMIT, "Too many messages.")
                self._refuse(connection, Refusal("limit", "That is too fast: wait a moment."), None)
                continue
            try:
                message = _read(text)
            except Refusal as refusal:
                self._refuse(connection, refusal, None)
                continue
            try:
                async with connection.acting:
                    await self._answer(live, connection, message)
            except Refusal as refusal:
                self._refuse(connection, refusal, getattr(message, "number", None))
            except StoreError as error:
                number = getattr(message, "number", None)
                self._refuse(connection, Refusal("later", str(error)), number)

    async def _answer(self, live: LiveRoom, connection: Connection, message: p.FromClient) -> None:
        match message:
            case p.Hello():
                raise Refusal("invalid", "You have said hello already.")
            case p.Ping(number):
                connection.send(encode(p.Pong(number)).decode())
            case p.AskHint(number):
                if connection.hint and not connection.hint.done():
                    raise Refusal("busy", "A hint is already being computed.")
                connection.hint = asyncio.create_task(self._hint(live, connection, number))
            case p.Look(number):
                looked = self.hub.look(live, connection.seats)
                looked.reply = number
                connection.send(encode(looked).decode())
            case _:
                await self.hub.act(live, connection.seats, message, connection)

    async def _hint(self, live: LiveRoom, connection: Connection, number: int | None) -> None:
        """Send a hint once it is computed; other messages are answered meanwhile."""
        try:
            hint = await self.hub.hint(live, connection.seats)
        except Refusal as refusal:
            self._refuse(connection, refusal, number)
        except DuelbookError as error:
            self._refuse(connection, Refusal("later", str(error)), number)
        except Exception:  # of a solver, or of a game of one's own
            LOG.exception("failed: hint")
            self._refuse(connection, Refusal("later", "There is no hint here."), number)
        else:
            hint.reply = number
            connection.send(encode(hint).decode())

    def _refuse(self, connection: Connection, refusal: Refusal, number: int | None) -> None:
        self.hub.metrics.refused.labels(refusal.code).inc()
        connection.send(encode(p.Refused(refusal.code, str(refusal), number)).decode())


async def _hello(receive: Receive) -> p.Hello:
    """Return the first message, which must be hello."""
    try:
        async with asyncio.timeout(SILENCE):
            hello = _read(await _text(receive))
    except TimeoutError as error:
        raise Closed(p.Close.INVALID, "You did not say hello.") from error
    except Refusal as refusal:
        raise Closed(p.Close.INVALID, str(refusal)) from refusal
    if not isinstance(hello, p.Hello):
        raise Closed(p.Close.INVALID, "The first message must be hello.")
    return hello


async def _speak(connection: Connection, send: Send) -> None:
    """Send the queued frames as they come."""
    while True:
        await connection.news()
        if connection.closed:
            raise Closed(p.Close.LIMIT, "Your connection is too slow.")
        while connection.frames:
            try:
                await send({"type": "websocket.send", "text": connection.frames.popleft()})
            except (OSError, RuntimeError):  # it is gone
                return
        if connection.game_deleted:
            raise Closed(p.Close.UNKNOWN, "This game was deleted because it was inactive.")


async def _text(receive: Receive) -> str:
    message = await receive()
    if message["type"] == "websocket.disconnect":
        raise Closed(1000, "")
    text = message.get("text")
    if text is None:
        raise Closed(p.Close.INVALID, "A message is JSON in text.")
    return str(text)


def _read(text: str) -> p.FromClient:
    try:
        return DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Refusal("invalid", f"This is not a message: {error}.") from error
