"""Pub/sub through Redis, for several servers with one database."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from secrets import token_hex

import msgspec
from redis.asyncio import from_url
from redis.exceptions import RedisError

from duelbook.errors import DuelbookError
from duelbook.web.restart_tasks import cancel_and_wait, supervise
from duelbook.web.store.pubsub import Notice, NoticeListener

CHANNEL = "duelbook"
POLL_SECONDS = 3.0
"""The time between polls of the database: a server may end before it sends a notice."""
PAUSE = 1.0
"""Seconds between polls of the database while Redis cannot be reached."""


def check_redis(address: str) -> None:
    """Refuse a URL that is not a Redis URL."""
    try:
        from_url(address)
    except ValueError as error:
        raise DuelbookError("This is not a Redis URL, such as redis://localhost.") from error


class RedisPubSub:
    """Sends notices through Redis; polls the database while Redis cannot be reached."""

    shared = True

    def __init__(self, url: str, failed: Callable[[str], None]) -> None:
        """Create the client; it calls `failed` with the reason each time it loses Redis."""
        self.server = token_hex(8)
        self._client = from_url(url, socket_connect_timeout=2, socket_timeout=2)
        self._failed = failed
        self._notices: dict[str, Notice] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._up = True
        self._connected: float | None = None  # the time of the subscription

    def connected_for(self) -> float:
        """Return the number of seconds since this server started to receive notices."""
        return 0.0 if self._connected is None else time.monotonic() - self._connected

    def publish(self, notice: Notice) -> None:
        """Send a notice as soon as possible; a later one about the same game replaces it."""
        self._notices[notice.game] = notice
        self._wake.set()

    async def open(self, listener: NoticeListener) -> None:
        """Start listening."""
        self._tasks = [
            supervise("listener", lambda: self._listen(listener)),
            supervise("speaker", self._speak),
        ]

    async def close(self) -> None:
        """Stop listening."""
        await cancel_and_wait(*self._tasks)
        await self._client.aclose()

    async def _listen(self, listener: NoticeListener) -> None:
        decode = msgspec.json.Decoder(Notice).decode

        async def listen() -> None:
            async with self._client.pubsub() as channel:
                await channel.subscribe(CHANNEL)
                await listener.poll()
                polled = self._connected = time.monotonic()
                self._up = True
                while True:
                    if time.monotonic() - polled >= POLL_SECONDS:
                        await listener.poll()
                        polled = time.monotonic()
                    message = await channel.get_message(timeout=POLL_SECONDS)
                    if message and message["type"] == "message":
                        notice = decode(message["data"])
                        if notice.server != self.server:
                            await listener.receive(notice)

        while True:
            try:
                await self._trying(listen)
            finally:
                self._connected = None
            await self._trying(listener.poll)
            await asyncio.sleep(PAUSE)

    async def _speak(self) -> None:
        async def speak() -> None:
            while True:
                await self._wake.wait()
                self._wake.clear()
                notices = list(self._notices.values())
                if not notices:
                    continue
                async with self._client.pipeline(transaction=False) as pipeline:
                    for notice in notices:
                        pipeline.publish(CHANNEL, msgspec.json.encode(notice))
                    await pipeline.execute()
                for notice in notices:
                    if self._notices.get(notice.game) is notice:
                        del self._notices[notice.game]

        while True:
            await self._trying(speak)
            await asyncio.sleep(PAUSE)
            self._wake.set()  # try the unsent notices again

    async def _trying(self, work: Callable[[], Awaitable[None]]) -> None:
        try:
            with suppress(asyncio.IncompleteReadError):
                await work()
        except (RedisError, OSError, DuelbookError, msgspec.DecodeError) as error:
            if self._up:
                self._failed(str(error))
            self._up = False
