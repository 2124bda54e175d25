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


async def plays_on(hub: Hub, seat: p.Seated) -> None:
    live = await hub.live(seat.id)
    _, after = await hub.act(live, frozenset({0, 1}), p.Play("build 1", live.room.turn))  # type: ignore[union-attr] # it was read
    assert after.match.moves == ("build 1",)


async def test_more_games_than_the_server_keeps(store: Store) -> None:
    hub = hub_with(store, games=2)
    first, _ = await hub.create(DEVICE), await hub.create(DEVICE)
    with pytest.raises(Refusal, match="This server keeps 2 games at most") as refused:
        await hub.create(DEVICE)
    assert refused.value.code == "later"
    await plays_on(hub, first)
    await hub.close()


@pytest.mark.parametrize(
    ("size", "said"),
    [
        (Size(1, 10_000 * 2**20, 2**40), "The database has reached its limit of 10,000 MiB"),
        (Size(1, 0, 99 * 2**20), "The disk is nearly full"),
    ],
)
async def test_a_disk_that_is_full(
    store: Store, monkeypatch: pytest.MonkeyPatch, size: Size, said: str
) -> None:
    hub = hub_with(store)
    first = await hub.create(DEVICE)

    async def measured() -> Size:
        return size

    monkeypatch.setattr(store, "size", measured)
    full = hub_with(store)
    with pytest.raises(Refusal, match=said):
        await full.create(DEVICE)
    await plays_on(full, first)
    await full.close()
    await hub.close()


async def test_what_was_deleted_makes_room(store: Store) -> None:
    hub = hub_with(store)
    empty = await store.size()
    for _ in range(30):
        await hub.create(DEVICE)
    full = await store.size()
    assert full.games == 30
    assert full.used > empty.used
    await hub.sweep(hub.now() + 1000)
    assert await store.size() == empty._replace(free=ANY)
    await hub.close()


async def test_a_rematch_is_a_new_game(store: Store) -> None:
    hub = hub_with(store, games=1)
    seat = await hub.create(DEVICE)
    live, both = await hub.live(seat.id), frozenset({0, 1})
    await hub.act(live, both, p.Resign(0))
    with pytest.raises(Refusal, match="This server keeps 1 games at most"):
        await hub.act(live, both, p.Rematch())
    await hub.close()


async def test_idle_games_make_way_in_memory_and_busy_ones_do_not(store: Store) -> None:
    hub = hub_with(store, rooms=2)
    seats = [await hub.create(DEVICE) for _ in range(4)]
    for seat in seats:
        await hub.live(seat.id)
    assert len(hub.registry) <= 2
    for seat in seats[:2]:
        await hub.enter(seat.id, seat.secret, Connection())
    with pytest.raises(Refusal, match="Too many games are being played here") as refused:
        await hub.live(seats[2].id)
    assert refused.value.code == "busy"
    await hub.close()
