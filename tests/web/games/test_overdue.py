"""Opponents who do not begin, and opponents who leave: what the player who waits may do."""

from __future__ import annotations

import json
import math
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

import duelbook
from duelbook.compute.engines import Engines
from duelbook.play.match import DRAWN_BY
from duelbook.play.series import PERSON
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal, decide, sit_event
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import (
    UNTIMED_AWAY_FACTOR,
    Connection,
    LiveRoom,
    OverdueState,
    OverdueTimeouts,
    overdue,
    room_of,
)
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.views import status
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.store.game_events import GameEvent, GameTerms
from duelbook.web.store.pubsub import NoPubSub, Notice
from duelbook.web.store.store import Store
from paths import ROOT

pytestmark = pytest.mark.integration

TOWERS = duelbook.load("tower-defense-duel")
FIRST, SECOND = frozenset({0}), frozenset({1})
CLOCK = (600_000, 0)
WAITS = OverdueTimeouts(60_000, 60_000)
HERE = (None, None)


def begun(
    *moves: str,
    clock: tuple[int, int] | None = CLOCK,
    players: tuple[str, str] = (PERSON, PERSON),
    secret_hashes: tuple[str, str] = ("Ann's", "Bo's"),
) -> Room:
    """A room in which the players sat down at 1,000, and a move was made every second since."""
    room = Room.begin(GameTerms("a game", TOWERS, players=players, clock=clock))
    for seat in (0, 1):
        if players[seat] == PERSON:
            name, holder = ("Ann", "Bo")[seat], secret_hashes[seat]
            room = room.after(sit_event(room, seat, name, holder, help=False, now=1_000))
    for number, move in enumerate(moves, start=2):
        room = room.after(GameEvent("move", room.position.to_move, move, number * 1_000))
    return room


def end(
    room: Room,
    seats: frozenset[int],
    command: p.Command,
    now: int,
    away: tuple[int | None, int | None] = HERE,
) -> Room:
    """The room after a command."""
    return room.after(decide(room, seats, command, now, overdue(room, WAITS, away)))


# A first move -----------------------------------------------------------------------------------


def test_opponent_may_abort_after_a_minute_without_a_first_move() -> None:
    room = begun()
    abort = p.Abort(room.turn)
    with pytest.raises(Refusal, match="Give the other player 1 second more"):
        end(room, SECOND, abort, 60_001)
    aborted = end(room, SECOND, abort, 61_000)
    assert status(aborted, 61_000).result == p.Result(None, "aborted", why=DRAWN_BY["aborted"])
    assert aborted.over


def test_first_move_of_each_player_has_a_limit() -> None:
    room = begun("build 1")
    assert overdue(room, WAITS, HERE) == OverdueState(62_000, "abort")
    with pytest.raises(Refusal, match="your turn"):
        end(room, SECOND, p.Abort(room.turn), 62_000)
    assert end(room, FIRST, p.Abort(room.turn), 62_000).over


def test_abort_is_refused_after_both_first_moves() -> None:
    room = begun("build 1", "build 1")
    assert overdue(room, WAITS, HERE) is None
    with pytest.raises(Refusal, match="The other player is connected"):
        end(room, SECOND, p.Abort(room.turn), 500_000)


def test_first_move_without_a_clock_has_no_limit() -> None:
    room = begun(clock=None)
    with pytest.raises(Refusal, match="The other player is connected"):
        end(room, SECOND, p.Abort(room.turn), 10**9)


def test_stale_abort_is_refused() -> None:
    room = begun()
    late = p.Abort(room.turn)
    room = room.after(decide(room, FIRST, p.Play("build 1", room.turn), 61_000))
    with pytest.raises(Refusal) as refused:
        end(room, SECOND, late, 61_000)
    assert refused.value.code == "stale"


def test_game_against_a_stuck_computer_can_be_aborted() -> None:
    room = begun(players=("hard", PERSON))
    assert end(room, SECOND, p.Abort(room.turn), 61_000).over


def test_shared_device_has_no_overdue_limit() -> None:
    room = begun(secret_hashes=("theirs", "theirs"))
    assert overdue(room, WAITS, HERE) is None


def test_server_downtime_extends_the_limit() -> None:
    room = begun().after(GameEvent("resume", text="3600000", at=3_602_000))
    assert overdue(room, WAITS, HERE) == OverdueState(3_661_000, "abort")


def test_clock_starts_at_each_players_second_move() -> None:
    """Also where a player moves twice in a row, and the other one has not moved at all."""
    pig = duelbook.load(str(ROOT / "examples" / "games" / "pig.py"))
    room = Room.begin(GameTerms("a game", pig, clock=CLOCK, draws="0"))
    for seat in (0, 1):
        room = room.after(sit_event(room, seat, "AB"[seat], "AB"[seat], help=False, now=0))
    assert room.clock_since is None
    for event in (GameEvent("move", 0, "roll", 1_000), GameEvent("move", 2, "die 4", 1_000)):
        room = room.after(event)
    assert room.position.to_move == 0
    assert room.clock_since == 1_000
    room = room.after(GameEvent("move", 0, "hold", 2_000))
    assert room.clock_since is None  # the other player's first move


# Leaving ----------------------------------------------------------------------------------------


def test_game_can_be_claimed_from_an_absent_player() -> None:
    room = begun("build 1", "build 1")
    away = (10_000, None)
    with pytest.raises(Refusal, match="Give the other player 30 seconds more"):
        end(room, SECOND, p.Claim("victory", room.turn), 40_000, away)
    won = end(room, SECOND, p.Claim("victory", room.turn), 70_000, away)
    result = status(won, 70_000).result
    assert result == p.Result(1, "left", why="Player 1 has left the game, so Player 2 wins.")
    assert won.deadline() is None
    drawn = end(room, SECOND, p.Claim("draw", room.turn), 70_000, away)
    assert status(drawn, 70_000).result == p.Result(None, "left", why=DRAWN_BY["left"])


def test_absence_counts_only_on_the_players_own_turn() -> None:
    room = begun("build 1", "build 1")
    with pytest.raises(Refusal, match="your turn"):
        end(room, FIRST, p.Claim("victory", room.turn), 500_000, (None, 10_000))
    room = room.after(GameEvent("move", 0, "build 1", 500_000))
    assert overdue(room, WAITS, (None, 10_000)) == OverdueState(560_000, "claim")


def test_claim_against_a_connected_player_is_refused() -> None:
    room = begun("build 1", "build 1")
    with pytest.raises(Refusal, match="The other player is connected"):
        end(room, SECOND, p.Claim("victory", room.turn), 500_000)


def test_absence_limit_without_a_clock_is_ten_times_longer() -> None:
    room = begun("build 1", "build 1", clock=None)
    assert overdue(room, WAITS, (10_000, None)) == OverdueState(
        10_000 + UNTIMED_AWAY_FACTOR * 60_000, "claim"
    )


def test_claim_before_the_first_move_is_refused() -> None:
    for clock, minutes in ((CLOCK, 1), (None, 10)):
        room = begun("build 1", clock=clock)
        now = 2_000 + minutes * 60_000
        with pytest.raises(Refusal, match="you can only abort"):
            end(room, FIRST, p.Claim("victory", room.turn), now, (None, 0))
        assert end(room, FIRST, p.Abort(room.turn), now, (None, 0)).match.winner() is None


def test_spectators_cannot_end_a_game() -> None:
    room = begun("build 1", "build 1")
    for command in (p.Abort(room.turn), p.Claim("draw", room.turn)):
        with pytest.raises(Refusal, match="watching"):
            end(room, frozenset(), command, 10**6, (0, 0))


# What is told -----------------------------------------------------------------------------------


class Clock:
    """A clock that goes when it is told to."""

    now = 1_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
async def store(tmp_path: Path) -> AsyncIterator[Store]:
    store = Store(f"sqlite:///{tmp_path / 'games.db'}")
    await store.open()
    yield store
    await store.close()


@pytest.fixture(autouse=True)
def told_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Who is here is told at every change, and not only twice a second."""
    monkeypatch.setattr("duelbook.web.games.broadcast.PRESENCE_INTERVAL_SECONDS", 0.0)


@pytest.fixture
async def hub(store: Store, clock: Clock) -> AsyncIterator[Hub]:
    hub = Hub(store, Engines(), NoPubSub(), Metrics(), clock)
    yield hub
    await hub.close()


def last_presence(connection: Connection) -> dict[str, Any]:
    """What a connection was told last about who is here."""
    messages = [json.loads(frame) for frame in connection.frames]
    return next(message for message in reversed(messages) if message["type"] == "presence")


async def sit(hub: Hub, *, timed: bool = True) -> tuple[LiveRoom, list[Connection], list[str]]:
    seconds = p.TimeControl(600) if timed else None
    seat = await hub.create(p.NewGame(TOWERS.slug, clock=seconds, name="Ann"))
    yours = await hub.sit(seat.id, p.JoinGame("Bo"))
    connections, secrets = [Connection(), Connection()], [seat.secret, yours.secret]
    for connection, secret in zip(connections, secrets, strict=True):
        live = await hub.connect(seat.id, secret, connection)
    return live, connections, secrets


async def act(hub: Hub, live: LiveRoom, connection: Connection, command: p.Command) -> None:
    await hub.execute(live, connection.seats, command, connection)


async def play(hub: Hub, live: LiveRoom, *connections: Connection) -> None:
    for connection in connections:
        await act(hub, live, connection, p.Play("build 1", room_of(live).turn))


@pytest.mark.anyio
async def test_presence_contains_the_first_move_limit(hub: Hub, clock: Clock) -> None:
    live, (ann, bo), _ = await sit(hub)
    assert last_presence(bo)["overdue"] == {"may": "abort", "after": 60_000}
    clock.now += 5_000
    await play(hub, live, ann)
    assert last_presence(ann)["overdue"] == {"may": "abort", "after": 60_000}
    await play(hub, live, bo)
    assert "overdue" not in last_presence(ann)
    messages = len(ann.frames)
    await play(hub, live, ann)
    assert len(ann.frames) == messages + 1  # the move, and nothing about who is here


@pytest.mark.anyio
async def test_opponent_sees_a_player_leave_and_return(hub: Hub, clock: Clock) -> None:
    live, (ann, bo), secrets = await sit(hub)
    await play(hub, live, ann, bo)
    hub.disconnect(live, ann)
    clock.now += 10_000
    watching = Connection()
    await hub.connect(live.id, None, watching)
    assert last_presence(bo)["overdue"] == {"may": "claim", "after": 50_000}
    ann = Connection()
    await hub.connect(live.id, secrets[0], ann)
    assert "overdue" not in last_presence(bo)
    clock.now += 500_000
    with pytest.raises(Refusal, match="The other player is connected"):
        await act(hub, live, bo, p.Claim("victory", room_of(live).turn))
    hub.disconnect(live, ann)
    clock.now += 60_000
    await act(hub, live, bo, p.Claim("victory", room_of(live).turn))
    status = json.loads(bo.frames[-2])["status"]
    assert (status["result"]["winner"], status["result"]["by"]) == (1, "left")
    assert "overdue" not in last_presence(bo)


@pytest.mark.anyio
async def test_player_is_absent_after_the_last_connection_closes(hub: Hub, clock: Clock) -> None:
    live, (ann, bo), secrets = await sit(hub, timed=False)
    await play(hub, live, ann, bo)
    again = Connection()
    await hub.connect(live.id, secrets[0], again)
    hub.disconnect(live, ann)
    assert "overdue" not in last_presence(bo)
    hub.disconnect(live, again)
    assert last_presence(bo)["overdue"] == {"may": "claim", "after": 600_000}


@pytest.mark.anyio
async def test_absence_limit_starts_with_the_opponents_move(hub: Hub, clock: Clock) -> None:
    live, (ann, bo), _ = await sit(hub)
    await play(hub, live, ann, bo)
    hub.disconnect(live, bo)
    assert "overdue" not in last_presence(ann)  # it is Ann's own turn
    clock.now += 100_000
    await play(hub, live, ann)
    assert last_presence(ann)["overdue"] == {"may": "claim", "after": 60_000}


# Several servers --------------------------------------------------------------------------------


class Station:
    """One server's end of a wire."""

    shared = True

    def __init__(self, server: str) -> None:
        self.server, self.reached = server, math.inf
        self.published: list[Notice] = []
        self.publish = self.published.append

    def connected_for(self) -> float:
        return self.reached


@pytest.mark.anyio
async def test_connection_to_another_server_counts_as_present(store: Store, clock: Clock) -> None:
    station = Station("A")
    hub = Hub(store, Engines(), station, Metrics(), clock)  # type: ignore[arg-type]
    live, (ann, bo), _ = await sit(hub)
    await play(hub, live, ann, bo)
    hub.disconnect(live, ann)
    await hub.notices.receive(Notice(live.id, "B", [1, 0], 0))
    assert "overdue" not in last_presence(bo)
    clock.now += 100_000
    with pytest.raises(Refusal, match="The other player is connected"):
        await act(hub, live, bo, p.Claim("victory", room_of(live).turn))
    await hub.notices.receive(Notice(live.id, "B", [0, 0], 0))
    assert last_presence(bo)["overdue"] == {"may": "claim", "after": 60_000}
    await hub.close()


@pytest.mark.anyio
async def test_claim_is_refused_while_servers_are_disconnected(store: Store, clock: Clock) -> None:
    station = Station("A")
    hub = Hub(store, Engines(), station, Metrics(), clock)  # type: ignore[arg-type]
    live, (ann, bo), _ = await sit(hub)
    await play(hub, live, ann, bo)
    hub.disconnect(live, ann)
    clock.now += 100_000
    station.reached = 0.0
    with pytest.raises(Refusal, match="60 seconds more"):
        await act(hub, live, bo, p.Claim("victory", room_of(live).turn))
    station.reached = 70.0
    await act(hub, live, bo, p.Claim("victory", room_of(live).turn))
    await hub.close()
