"""The time of the games: steps of the clock on the wall, restarts, outages, several servers."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from duelbook.compute.engines import Engines
from duelbook.web import protocol as p
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import Connection, LiveRoom, room_of
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.store.clock import Clock, Period, time_lost
from duelbook.web.store.pubsub import NoPubSub
from duelbook.web.store.store import Store, StoreError
from duelbook.web.store.uptime import Uptime
from servers import PostgreSQL

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

TOWER = "tower-defense-duel"
HOUR = 3_600_000


class Times:
    """Clocks that go when they are told to: the one on the wall, and a steady one."""

    def __init__(self) -> None:
        self.wall, self.steady = 1_700_000_000_000, 5_000

    def pass_(self, milliseconds: int) -> None:
        self.wall += milliseconds
        self.steady += milliseconds


@pytest.fixture
def times() -> Times:
    return Times()


@pytest.fixture
async def store(
    tmp_path: Path, times: Times, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    await store.open()
    monkeypatch.setattr("duelbook.web.store.store.wall_clock", lambda: times.wall)
    yield store
    await store.close()


async def started(store: Store, times: Times) -> Hub:
    """A server that has just started."""
    hub = Hub(store, Engines(), NoPubSub(), Metrics(), lambda: times.steady)
    await hub.uptime.begin()
    return hub


async def live_on(hub: Hub, times: Times, milliseconds: int) -> None:
    """Let time pass while a server is there, and says so every five seconds."""
    for _ in range(milliseconds // 5_000):
        times.pass_(5_000)
        await hub.commits.note_uptime()
    times.pass_(milliseconds % 5_000)


async def stop(hub: Hub) -> None:
    await hub.uptime.note()
    await hub.close()


async def begin(hub: Hub) -> tuple[LiveRoom, p.SeatCredentials]:
    """Begin a game in which the clock of the first seat runs, with a minute left."""
    seated = await hub.create(p.NewGame(TOWER, clock=p.TimeControl(60)))
    other = await hub.sit(seated.id, p.JoinGame("Bo"))
    live = await hub.live_game(seated.id)
    for secret in (seated.secret, other.secret):
        await play(hub, live, secret)
    return live, seated


async def play(hub: Hub, live: LiveRoom, secret: str) -> None:
    await hub.execute(live, hub.seats_of(live, secret), p.Play("build 1", room_of(live).turn))


async def left(hub: Hub, id: str) -> list[int]:  # noqa: A002 # what everyone calls it
    clocks = (await hub.snapshot(id, None)).status.clocks
    assert clocks is not None
    return clocks.left


# The clock on the wall --------------------------------------------------------------------------


@pytest.mark.parametrize("step", [HOUR, -HOUR])
async def test_wall_clock_change_does_not_change_game_time(
    step: int, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With the machine's own clocks, as a server has them."""
    hub = Hub(store, Engines(), NoPubSub(), Metrics())
    live, seated = await begin(hub)
    real = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: real() + step * 1_000_000)
    assert 30_000 < (await left(hub, seated.id))[0] <= 60_000
    await play(hub, live, seated.secret)
    assert not room_of(live).over
    await hub.close()


@pytest.mark.parametrize("step", [HOUR, -HOUR])
async def test_wall_clock_change_is_not_downtime(step: int, store: Store, times: Times) -> None:
    hub = await started(store, times)
    live, _ = await begin(hub)
    times.wall += step
    times.pass_(10_000)
    await hub.commits.note_uptime()
    assert await left(hub, live.id) == [50_000, 60_000]
    await stop(hub)
    times.pass_(HOUR)
    hub = await started(store, times)
    assert await left(hub, live.id) == [50_000, 60_000]
    await hub.close()


def test_the_clock_never_goes_backwards() -> None:
    steady = 0
    clock = Clock(lambda: steady)
    clock.set(1_000)
    assert clock() == 1_000
    clock.set(900)
    assert clock() == 1_000
    steady = 50
    assert clock() == 1_000
    steady = 150
    assert clock() == 1_050


# Restarts ---------------------------------------------------------------------------------------


async def test_restart_returns_only_the_downtime(store: Store, times: Times) -> None:
    hub = await started(store, times)
    live, seated = await begin(hub)
    await live_on(hub, times, 20_000)
    await stop(hub)
    times.pass_(HOUR)
    hub = await started(store, times)
    assert await left(hub, live.id) == [40_000, 60_000]
    times.pass_(5_000)
    assert await left(hub, live.id) == [35_000, 60_000]
    live = await hub.live_game(live.id)
    await play(hub, live, seated.secret)
    assert room_of(live).time_left == (35_000, 60_000)
    await hub.close()


async def test_several_downtimes_are_returned_together(store: Store, times: Times) -> None:
    hub = await started(store, times)
    live, _ = await begin(hub)
    for used in (20_000, 4_000, 6_000):
        await live_on(hub, times, used)
        await stop(hub)
        times.pass_(HOUR)
        hub = await started(store, times)
    assert await left(hub, live.id) == [30_000, 60_000]
    await hub.close()
    hub = await started(store, times)
    assert await left(hub, live.id) == [30_000, 60_000]
    await hub.close()


async def test_kill_returns_at_most_the_time_since_the_last_heartbeat(
    store: Store, times: Times
) -> None:
    hub = await started(store, times)
    live, _ = await begin(hub)
    await live_on(hub, times, 24_999)
    await hub.close()  # without a note
    times.pass_(HOUR)
    hub = await started(store, times)
    assert await left(hub, live.id) == [40_000, 60_000]
    await hub.close()


async def test_wall_clock_set_back_during_downtime(store: Store, times: Times) -> None:
    hub = await started(store, times)
    live, _ = await begin(hub)
    await live_on(hub, times, 20_000)
    await stop(hub)
    times.wall -= HOUR
    hub = await started(store, times)
    assert await left(hub, live.id) == [40_000, 60_000]
    times.pass_(1_000)
    assert await left(hub, live.id) == [39_000, 60_000]
    await hub.close()


async def test_clock_runs_out_without_connections(store: Store, times: Times) -> None:
    """A game leaves the memory, but its clock goes on while there is a server."""
    hub = await started(store, times)
    live, seated = await begin(hub)
    await live_on(hub, times, 75_000)
    await hub.close()
    hub = await started(store, times)
    shown = await hub.live_game(live.id)
    with pytest.raises(Exception, match="The time had run out"):
        await play(hub, shown, seated.secret)
    await hub.close()


# A database that is away ------------------------------------------------------------------------


async def test_database_outage_costs_no_clock_time(
    store: Store, times: Times, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub = await started(store, times)
    live, seated = await begin(hub)
    connection = Connection()
    await hub.connect(seated.id, seated.secret, connection)
    times.pass_(10_000)
    await hub.commits.note_uptime()

    async def fail(*_: object) -> bool:
        raise StoreError("The database cannot be reached: try again.")

    with monkeypatch.context() as away:
        away.setattr(store, "append", fail)
        away.setattr(store, "note_uptime", fail)
        times.pass_(HOUR)
        with pytest.raises(StoreError):
            await play(hub, live, seated.secret)
    await play(hub, live, seated.secret)
    assert room_of(live).time_left == (50_000, 60_000)
    await hub.close()


async def test_connected_clients_receive_the_returned_time(store: Store, times: Times) -> None:
    hub = await started(store, times)
    live, seated = await begin(hub)
    connection = Connection()
    await hub.connect(seated.id, seated.secret, connection)
    times.pass_(HOUR)  # the process was stopped
    await hub.commits.note_uptime()
    await live.tasks["resume"]
    assert room_of(live).time_left_at(hub.now()) == (60_000, 60_000)
    assert b'"left":[60000,60000]' in connection.frames[-1]
    await hub.close()


# Several servers --------------------------------------------------------------------------------


class Machine:
    """A server with a steady clock of its own, and the database's time."""

    def __init__(self, store: Store, times: Times, steady: int) -> None:
        self.times, self.ahead = times, steady - times.steady
        self.clock = Clock(lambda: self.times.steady + self.ahead)
        self.uptime = Uptime(store, self.clock, shared=True)


async def servers(store: Store, times: Times, *steady: int) -> list[Machine]:
    machines = [Machine(store, times, clock) for clock in steady]
    for machine in machines:
        await machine.uptime.begin()
    return machines


def clocks(machines: list[Machine]) -> list[int]:
    return [machine.clock() for machine in machines]


async def pass_with_notes(times: Times, machines: list[Machine], notes: int) -> list[bool]:
    """Let time pass, with a note of each server every five seconds."""
    paused = []
    for _ in range(notes):
        for machine in machines:
            times.pass_(5_000 // len(machines))
            paused.append(await machine.uptime.note())
    return paused


async def test_servers_share_the_database_clock(store: Store, times: Times) -> None:
    machines = await servers(store, times, 0, 77_000_000)
    assert clocks(machines) == [times.wall, times.wall]
    machines[0].ahead += 400  # its steady clock is fast
    assert not any(await pass_with_notes(times, machines, 1))
    assert clocks(machines)[1] == times.wall
    assert abs(clocks(machines)[0] - times.wall) <= 400  # it stands still until it is right
    await pass_with_notes(times, machines, 1)
    assert clocks(machines) == [times.wall, times.wall]


@pytest.mark.parametrize("step", [HOUR, -HOUR])
async def test_database_clock_change_does_not_change_game_time(
    step: int, store: Store, times: Times
) -> None:
    machines = await servers(store, times, 0, 77_000_000)
    before = times.wall
    times.wall += step
    assert not any(await pass_with_notes(times, machines, 2))
    assert clocks(machines) == [before + 10_000] * 2
    machines += await servers(store, times, 123)  # a newcomer does as the others
    assert clocks(machines) == [before + 10_000] * 3
    assert not any(await pass_with_notes(times, machines, 2))
    assert clocks(machines) == [times.wall - step] * 3


async def test_suspended_server_follows_the_others(store: Store, times: Times) -> None:
    machines = await servers(store, times, 0, 77_000_000)
    machines[1].ahead -= 120_000  # its machine was suspended
    assert not any(await pass_with_notes(times, machines[:1], 24))
    assert not await machines[1].uptime.note()
    assert clocks(machines) == [times.wall, times.wall]


async def test_restart_of_one_server_is_not_downtime(store: Store, times: Times) -> None:
    machines = await servers(store, times, 0, 77_000_000)
    begun = times.wall
    await pass_with_notes(times, machines[:1], 10)
    machines += await servers(store, times, 5)
    assert [machine.uptime.time_lost(begun) for machine in machines] == [0, 0, 0]


async def test_downtime_of_all_servers_is_shared(store: Store, times: Times) -> None:
    machines = await servers(store, times, 0, 77_000_000)
    begun = times.wall
    await pass_with_notes(times, machines, 2)
    times.pass_(HOUR)
    machines = await servers(store, times, 0, 0)
    assert [machine.uptime.time_lost(begun) for machine in machines] == [HOUR, HOUR]
    assert machines[0].uptime.time_lost(begun + 10_000 + HOUR // 2) == HOUR // 2
    assert machines[0].uptime.time_lost(times.wall) == 0


async def test_slow_clock_reading_is_ignored(
    store: Store, times: Times, monkeypatch: pytest.MonkeyPatch
) -> None:
    (machine,) = await servers(store, times, 0)
    times.pass_(5_000)
    answered = iter([0, 3_000])
    monkeypatch.setattr("duelbook.web.store.store.monotonic", lambda: next(answered))
    times.wall += 3_000  # what it told was right when it told it, perhaps
    await machine.uptime.note()
    assert machine.clock() == times.wall - 3_000


def test_time_lost_is_the_gap_between_periods() -> None:
    periods = [Period(0, 100, 0), Period(150, 200, 0), Period(260, 300, 0)]
    assert time_lost(periods, 0) == 110
    assert time_lost(periods, 120) == 90
    assert time_lost(periods, 210) == 50
    assert time_lost(periods, 280) == 0


async def test_servers_share_the_postgresql_clock(postgresql: PostgreSQL) -> None:
    url = postgresql.database()
    stores = [Store(url), Store(url)]
    clocks = [Clock(lambda: 0), Clock(lambda: 0)]
    uptimes = [Uptime(s, c, shared=True) for s, c in zip(stores, clocks, strict=True)]
    for store, uptime in zip(stores, uptimes, strict=True):
        await store.open()
        await uptime.begin()
    assert abs(clocks[0]() - clocks[1]()) < 60_000
    assert abs(clocks[0]() - time.time() * 1000) < 60_000
    assert [await uptime.note() for uptime in uptimes] == [False, False]
    assert len({uptime.began for uptime in uptimes}) == 1
    for store in stores:
        await store.close()
