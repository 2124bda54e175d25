"""A connection that stays open: messages of a client in, whatever happens in its game out."""

from __future__ import annotations

import asyncio
from contextlib import suppress

import msgspec
from starlette.types import Receive, Scope, Send

from duelbook.errors import DuelbookError
from duelbook.web import protocol as p
from duelbook.web.rooms.commands import Refusal
from duelbook.web.rooms.hub import Hub
from duelbook.web.rooms.presence import Guest, Live
from duelbook.web.rooms.store import StoreError
from duelbook.web.rooms.views import encode
from duelbook.web.server.limits import Gate
from duelbook.web.server.middleware import address, from_here

DECODER: msgspec.json.Decoder[p.FromClient] = msgspec.json.Decoder(p.FromClient)
NO_MESSAGE, WRONG_SECRET, NO_GAME, TOO_MUCH, RESTARTS = 4400, 4401, 4404, 4429, 1012
MOST_STRIKES = 100
"""Messages beyond the limit that are answered before the connection is closed."""
SILENCE = 20
"""Seconds in which a new connection must say who it is."""


class Closed(Exception):  # noqa: N818 # an end, not an error
    """The connection ends, for a reason that the client is told."""

    def __init__(self, code: int, why: str) -> None:
        super().__init__(why)
        self.code = code


class Connections:
    """Serves the connections of a hub."""

    def __init__(self, hub: Hub, gate: Gate, origins: tuple[str, ...] = ()) -> None:
        self.hub, self.gate, self.origins = hub, gate, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Serve one connection to its end."""
        await receive()  # that it wants to connect
        if not from_here(scope, self.origins):
            await send({"type": "websocket.close", "code": 1008})  # refused before it is open
            return
        await send({"type": "websocket.accept"})
        where = address(scope)
        try:
            if not self.gate.enter(where):
                raise Closed(TOO_MUCH, "There are too many connections from your address.")
            try:
                self.hub.metrics.connections.inc()
                await self._converse(scope["path_params"]["id"], receive, send)
            finally:
                self.hub.metrics.connections.dec()
                self.gate.leave(where)
        except Closed as end:
            with suppress(OSError, RuntimeError):  # it may be gone already
                why = str(end)[:120]
                await send({"type": "websocket.close", "code": end.code, "reason": why})

    async def _converse(self, id: str, receive: Receive, send: Send) -> None:  # noqa: A002 # what everyone calls it
        guest, hello = Guest(), await _hello(receive)
        try:
            live = await self.hub.enter(id, hello.secret, guest)
        except Refusal as refusal:
            code = NO_GAME if refusal.code == "unknown" else WRONG_SECRET
            raise Closed(code, str(refusal)) from refusal
        except StoreError as error:
            raise Closed(RESTARTS, str(error)) from error
        speaker = asyncio.create_task(_speak(guest, send))
        listener = asyncio.create_task(self._listen(live, guest, receive))
        try:
            done, _ = await asyncio.wait({speaker, listener}, return_when=asyncio.FIRST_COMPLETED)
            for task in done:
                task.result()
        finally:
            self.hub.leave(live, guest)
            speaker.cancel()
            async with guest.acting:  # a move that is on its way to the disk is still told
                listener.cancel()
            await asyncio.gather(speaker, listener, return_exceptions=True)

    async def _listen(self, live: Live, guest: Guest, receive: Receive) -> None:
        messages, strikes = self.gate.messages(), 0
        while True:
            text = await _text(receive)
            if not messages.allows(self.gate.clock()):
                strikes += 1
                if strikes > MOST_STRIKES:
                    raise Closed(TOO_MUCH, "These are too many messages.")
                self._refuse(guest, Refusal("limit", "That is too fast: wait a moment."), None)
                continue
            try:
                message = _read(text)
            except Refusal as refusal:
                self._refuse(guest, refusal, None)
                continue
            try:
                async with guest.acting:
                    await self._answer(live, guest, message)
            except Refusal as refusal:
                self._refuse(guest, refusal, getattr(message, "number", None))
            except StoreError as error:
                number = getattr(message, "number", None)
                self._refuse(guest, Refusal("later", str(error)), number)

    async def _answer(self, live: Live, guest: Guest, message: p.FromClient) -> None:
        match message:
            case p.Hello():
                raise Refusal("invalid", "You have said hello already.")
            case p.Ping(number):
                guest.send(encode(p.Pong(number)).decode())
            case p.AskHint(number):
                if guest.hint and not guest.hint.done():
                    raise Refusal("busy", "A hint is being thought of.")
                guest.hint = asyncio.create_task(self._hint(live, guest, number))
            case _:
                await self.hub.act(live, guest.seats, message, guest)

    async def _hint(self, live: Live, guest: Guest, number: int | None) -> None:
        """Send a hint when it has been thought of: meanwhile other messages are answered."""
        try:
            hint = await self.hub.hint(live, guest.seats)
        except Refusal as refusal:
            self._refuse(guest, refusal, number)
        except DuelbookError as error:
            self._refuse(guest, Refusal("later", str(error)), number)
        else:
            hint.reply = number
            guest.send(encode(hint).decode())

    def _refuse(self, guest: Guest, refusal: Refusal, number: int | None) -> None:
        self.hub.metrics.refused.labels(refusal.code).inc()
        guest.send(encode(p.Refused(refusal.code, str(refusal), number)).decode())


async def _hello(receive: Receive) -> p.Hello:
    """Wait for the first message, which says who it is."""
    try:
        async with asyncio.timeout(SILENCE):
            hello = _read(await _text(receive))
    except TimeoutError as error:
        raise Closed(NO_MESSAGE, "You did not say hello.") from error
    except Refusal as refusal:
        raise Closed(NO_MESSAGE, str(refusal)) from refusal
    if not isinstance(hello, p.Hello):
        raise Closed(NO_MESSAGE, "The first message must be hello.")
    return hello


async def _speak(guest: Guest, send: Send) -> None:
    """Send what waits, as it comes."""
    while True:
        await guest.news()
        if guest.closed:
            raise Closed(TOO_MUCH, "You do not keep up.")
        while guest.frames:
            try:
                await send({"type": "websocket.send", "text": guest.frames.popleft()})
            except (OSError, RuntimeError):  # it is gone
                return
        if guest.homeless:
            raise Closed(NO_GAME, "This game was cleaned up.")


async def _text(receive: Receive) -> str:
    message = await receive()
    if message["type"] == "websocket.disconnect":
        raise Closed(1000, "")
    text = message.get("text")
    if text is None:
        raise Closed(NO_MESSAGE, "A message is JSON in text.")
    return str(text)


def _read(text: str) -> p.FromClient:
    try:
        return DECODER.decode(text)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise Refusal("invalid", f"This is not a message: {error}.") from error
