"""A server that is full refuses new games with a sentence, and goes on with the others."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from unittest.mock import ANY

import pytest

from duelbook.compute.engines import Engines
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal
from duelbook.web.games.hub import Hub
from duelbook.web.games.live_games import Caps
from duelbook.web.games.presence import Connection
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.store.pubsub import NoPubSub
from duelbook.web.store.store import Size, Store

pytestmark = pytest.mark.anyio
DEVICE = p.NewGame("tower-defense-duel", mode="device")


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    await store.open()
    yield store
    await store.close()


def hub_with(store: Store, **caps: int) -> Hub:
    return Hub(store, Engines(), NoPubSub(), Metrics(), caps=Caps(**caps))


async def assert_game_continues(hub: Hub, seat: p.SeatCredentials) -> None:
    live = await hub.live_game(seat.id)
    _, after = await hub.execute(live, frozenset({0, 1}), p.Play("build 1", live.room.turn))  # type: ignore[union-attr] # it was read
    assert after.match.moves == ("build 1",)


async def test_new_games_are_refused_above_the_maximum(store: Store) -> None:
    hub = hub_with(store, games=2)
    first, _ = await hub.create(DEVICE), await hub.create(DEVICE)
    with pytest.raises(Refusal, match="This server stores at most 2 games") as refused:
        await hub.create(DEVICE)
    assert refused.value.code == "later"
    await assert_game_continues(hub, first)
    await hub.close()


@pytest.mark.parametrize(
    ("size", "message"),
    [
        (Size(1, 10_000 * 2**20, 2**40), "The database has reached its limit of 10,000 MiB"),
        (Size(1, 0, 99 * 2**20), "The disk is nearly full"),
    ],
)
async def test_a_disk_that_is_full(
    store: Store, monkeypatch: pytest.MonkeyPatch, size: Size, message: str
) -> None:
    hub = hub_with(store)
    first = await hub.create(DEVICE)

    async def measured() -> Size:
        return size

    monkeypatch.setattr(store, "size", measured)
    full = hub_with(store)
    with pytest.raises(Refusal, match=message):
        await full.create(DEVICE)
    await assert_game_continues(full, first)
    await full.close()
    await hub.close()


async def test_deleted_games_free_space(store: Store) -> None:
    hub = hub_with(store)
    empty = await store.size()
    for _ in range(30):
        await hub.create(DEVICE)
    full = await store.size()
    assert full.games == 30
    assert full.used > empty.used
    await hub.delete_inactive_games(hub.now() + 1000)
    assert await store.size() == empty._replace(free=ANY)
    await hub.close()


async def test_rematch_counts_as_a_new_game(store: Store) -> None:
    hub = hub_with(store, games=1)
    seat = await hub.create(DEVICE)
    live, both = await hub.live_game(seat.id), frozenset({0, 1})
    await hub.execute(live, both, p.Resign(0))
    with pytest.raises(Refusal, match="This server stores at most 1 games"):
        await hub.execute(live, both, p.Rematch())
    await hub.close()


async def test_only_idle_games_are_dropped_from_memory(store: Store) -> None:
    hub = hub_with(store, rooms=2)
    seats = [await hub.create(DEVICE) for _ in range(4)]
    for seat in seats:
        await hub.live_game(seat.id)
    assert len(hub.live_games) <= 2
    for seat in seats[:2]:
        await hub.connect(seat.id, seat.secret, Connection())
    with pytest.raises(Refusal, match="Too many games are being played here") as refused:
        await hub.live_game(seats[2].id)
    assert refused.value.code == "busy"
    await hub.close()
