"""Notices from other servers: the changes of games, and the connections there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from duelbook.web.games.broadcast import Broadcast
from duelbook.web.games.commits import CommitPipeline
from duelbook.web.games.live_games import LiveGames
from duelbook.web.games.presence import LiveRoom, note_away, presence
from duelbook.web.store.pubsub import Notice
from duelbook.web.store.store import Store, StoreError


class ServerNotices:
    """Handles the notices of other servers."""

    def __init__(
        self,
        store: Store,
        registry: LiveGames,
        commits: CommitPipeline,
        broadcast: Broadcast,
        now: Callable[[], int],
    ) -> None:
        self._store, self._registry, self._commits = store, registry, commits
        self._broadcast, self._now = broadcast, now

    async def received(self, notice: Notice) -> None:
        """Handle a notice of another server: a change of a game or of its connections there."""
        live = self._registry.get(notice.game)
        if live is None:
            return
        before, known = presence(live), live.elsewhere.pop(notice.server, None)
        if any(notice.seats) or notice.watching:
            live.elsewhere[notice.server] = notice, time.monotonic()
            if known is None:
                self._broadcast.notify_servers(live)  # a new server needs the presence here
        if live.room and presence(live) != before:
            self._presence_changed(live)
        await self._read_news([live])

    async def poll(self) -> None:
        """Read the changes of other servers whose notices are lost."""
        games = self._registry.all()
        lengths = await self._store.lengths([live.id for live in games]) if games else {}
        behind = [live for live in games if live.room and live.room.seq < lengths.get(live.id, 0)]
        await self._read_news(behind)

    def forget_silent_servers(self, live: LiveRoom, before: float) -> None:
        """Stop counting the connections of servers without a notice since a time."""
        silent = [server for server, (_, at) in live.elsewhere.items() if at < before]
        for server in silent:
            del live.elsewhere[server]
        if silent and live.room:
            self._presence_changed(live)

    def _presence_changed(self, live: LiveRoom) -> None:
        note_away(live, self._now())
        self._broadcast.presence_soon(live, others=False)

    async def _read_news(self, games: Iterable[LiveRoom]) -> None:
        for live in games:
            try:
                await self._commits.read_news(live)
            except StoreError:
                self._commits.read_news_later(live)
