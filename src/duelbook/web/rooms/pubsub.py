"""How the processes that serve one database tell each other that a game has news.

Only ids and counts are told: what has happened is read from the database, so that nothing is
lost when a notice is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from secrets import token_hex
from typing import Protocol

import msgspec

from duelbook.errors import DuelbookError

CHANNEL = "duelbook"
SILENCE = 5.0
"""Seconds without a notice after which the database is looked at: perhaps Redis has stopped."""
PAUSE = 1.0
"""Seconds between looks at the database while nobody can be heard."""


class Notice(msgspec.Struct):
    """A notice between servers: a game has news, and these are at it here."""

    game: str
    server: str
    seats: list[int]
    watching: int


class Listener(Protocol):
    """Whoever wants to hear of news."""

    async def received(self, notice: Notice) -> None:
        """Hear a notice of another server."""

    async def poll(self) -> None:
        """Look at the database: something may have been missed."""


class NoPubSub:
    """There is no other server."""

    server = ""
    shared = False

    def publish(self, notice: Notice) -> None:
        """Say it to nobody."""

    async def open(self, listener: Listener) -> None:
        """Listen to nobody."""

    async def close(self) -> None:
        """Stop listening."""


def check_redis(address: str) -> None:
    """Refuse what is not the address of a Redis."""
    from redis.asyncio import from_url

    try:
        from_url(address)
    except ValueError as error:
        raise DuelbookError("This is not the address of a Redis: redis://… is one.") from error


class RedisPubSub:
    """Other servers are reached through Redis; while it is away, everyone looks for themselves."""

    shared = True

    def __init__(self, url: str, failed: Callable[[str], None]) -> None:
        """Prepare; `failed` hears why Redis cannot be reached, once each time."""
        from redis.asyncio import from_url

        self.server = token_hex(8)
        self._client = from_url(url, socket_connect_timeout=2)
        self._failed = failed
        self._notices: dict[str, Notice] = {}
        self._wake = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self._up = True

    def publish(self, notice: Notice) -> None:
        """Say a notice as soon as it can be said; a later one about the same game replaces it."""
        self._notices[notice.game] = notice
        self._wake.set()

    async def open(self, listener: Listener) -> None:
        """Listen from now on."""
        loops = (self._listen(listener), self._speak())
        self._tasks = [asyncio.create_task(loop) for loop in loops]

    async def close(self) -> None:
        """Stop listening."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self._client.aclose()

    async def _listen(self, listener: Listener) -> None:
        decode = msgspec.json.Decoder(Notice).decode

        async def listen() -> None:
            async with self._client.pubsub() as channel:
                await channel.subscribe(CHANNEL)
                await listener.poll()
                self._up = True
                while True:
                    message = await channel.get_message(timeout=SILENCE)
                    if message is None:
                        await listener.poll()
                    elif message["type"] == "message":
                        notice = decode(message["data"])
                        if notice.server != self.server:
                            await listener.received(notice)

        while True:
            await self._trying(listen)
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
            self._wake.set()  # what was not said is still to be said

    async def _trying(self, work: Callable[[], Awaitable[None]]) -> None:
        from redis.exceptions import RedisError

        try:
            with suppress(asyncio.IncompleteReadError):
                await work()
        except (RedisError, OSError, DuelbookError, msgspec.DecodeError) as error:
            if self._up:
                self._failed(str(error))
            self._up = False
