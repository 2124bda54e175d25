"""Notices from other servers: the changes of games, and the connections there."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from duelbook.web.games.broadcast import Broadcast
from duelbook.web.games.commits import CommitPipeline
from duelbook.web.games.live_games import LiveGames
from duelbook.web.games.presence import LiveRoom, presence, update_away
from duelbook.web.store.pubsub import Notice
from duelbook.web.store.store import Store, StoreError


class ServerNotices:
    """Handles the notices of other servers."""

    def __init__(
        self,
        store: Store,
        live_games: LiveGames,
        commits: CommitPipeline,
        broadcast: Broadcast,
        now: Callable[[], int],
    ) -> None:
        self._store, self._live_games, self._commits = store, live_games, commits
        self._broadcast, self._now = broadcast, now

    async def receive(self, notice: Notice) -> None:
        """Handle a notice of another server: a change of a game or of its connections there."""
        live = self._live_games.get(notice.game)
        if live is None:
            return
        before, known = presence(live), live.remote_notices.pop(notice.server, None)
        if any(notice.seats) or notice.watching:
            live.remote_notices[notice.server] = notice, time.monotonic()
            if known is None:
                self._broadcast.notify_servers(live)  # a new server needs the presence here
        if live.room and presence(live) != before:
            self._presence_changed(live)
        await self._read_new_events([live])

    async def poll(self) -> None:
        """Read the changes of other servers whose notices are lost."""
        games = self._live_games.all()
        lengths = await self._store.lengths([live.id for live in games]) if games else {}
        behind = [live for live in games if live.room and live.room.seq < lengths.get(live.id, 0)]
        await self._read_new_events(behind)

    def forget_silent_servers(self, live: LiveRoom, before: float) -> None:
        """Stop counting the connections of servers without a notice since a time."""
        silent = [server for server, (_, at) in live.remote_notices.items() if at < before]
        for server in silent:
            del live.remote_notices[server]
        if silent and live.room:
            self._presence_changed(live)

    def _presence_changed(self, live: LiveRoom) -> None:
        update_away(live, self._now())
        self._broadcast.presence_soon(live, others=False)

    async def _read_new_events(self, games: Iterable[LiveRoom]) -> None:
        for live in games:
            try:
                await self._commits.read_new_events(live)
            except StoreError:
                self._commits.read_new_events_later(live)
