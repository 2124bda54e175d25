"""Automation: computer and chance moves, clocks, rematches and evaluations."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from duelbook import secrecy
from duelbook.compute.engines import MAX_CRASHES, Engines
from duelbook.compute.worker_pool import TooSlow
from duelbook.play.names import computer_name
from duelbook.play.series import move_seed
from duelbook.position import CHANCE
from duelbook.system.json_logs import log
from duelbook.web import protocol as p
from duelbook.web.games.broadcast import Broadcast, is_evaluated
from duelbook.web.games.commands import (
    Refusal,
    chance_move,
    cut_off,
    decide,
    ending,
    fail,
    refused_if_unavailable,
)
from duelbook.web.games.commits import NOBODY, CommitPipeline
from duelbook.web.games.creation import create_rematch
from duelbook.web.games.live_games import LiveGames
from duelbook.web.games.presence import LiveRoom, room_of
from duelbook.web.games.room_tasks import TEMPORARY, RoomTasks
from duelbook.web.games.state.room import Room
from duelbook.web.games.state.views import RECEIVERS
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.store.game_events import GameEvent
from duelbook.web.store.store import Store, StoreError

PREPARING_SECONDS = 1.0
"""The time after which the players see that the computer is still preparing."""


class Automation:
    """Starts and runs the tasks that a room waits for."""

    def __init__(  # noqa: PLR0913, PLR0917 # it connects these parts
        self,
        store: Store,
        engines: Engines,
        live_games: LiveGames,
        commits: CommitPipeline,
        broadcast: Broadcast,
        tasks: RoomTasks,
        metrics: Metrics,
        now: Callable[[], int],
    ) -> None:
        self._store, self._engines, self._live_games = store, engines, live_games
        self._commits, self._broadcast, self._tasks = commits, broadcast, tasks
        self._metrics, self._now = metrics, now
        tasks.schedule = self.schedule

    def schedule(self, live: LiveRoom) -> None:
        """Start the tasks that a room waits for.

        These are chance and computer moves, the clock, the rematch and the evaluation.
        """
        room, start = room_of(live), self._tasks.start
        if live.stale:
            self._commits.read_new_events_later(live)
        if room.chance_to_move:
            start(live, "chance", self._play_chance_moves)
        if room.computer is not None and not room.over and not room.failure:
            if not self._engines.is_prepared(room.terms.game, room.players[room.computer]):
                start(live, "prepare", self._prepare)
            elif room.computer_to_move:
                start(live, "move", self._think)
        if room.over and all(room.rematch) and room.next is None:
            start(live, "next", self._create_rematch)
        if live.timer:
            live.timer.cancel()
            live.timer = None
        if cut_off(room, room.at):
            start(live, "cut", self._call_time)
        deadline = room.deadline()
        if deadline is not None and not room.over:
            delay = max(0, deadline - self._now()) / 1000
            loop = asyncio.get_running_loop()
            live.timer = loop.call_later(delay, start, live, "time", self._call_time)
        if live.connections and _needs_evaluation(live):
            start(live, "evaluation", self._evaluate)

    async def _think(self, live: LiveRoom) -> None:
        """Make the computer's move."""
        room = room_of(live)
        level, seat = room.computer_to_move, room.position.to_move
        if level is None:
            return
        seed = move_seed(room.terms.seed, room.turn)
        try:
            with refused_if_unavailable():
                move = await self._engines.choose(room.match.record(seat), level, seed)
            live.crashes = 0
            command, seats = p.Play(move, room.turn), frozenset({seat})
            await self._commits.commit_command(
                live, lambda room, now: decide(room, seats, command, now), NOBODY
            )
        except StoreError:
            raise
        except TooSlow:
            await self._fail(live, level, f"{computer_name(level)} took too long for its move.")
        except Refusal as refusal:
            live.crashes += refusal.code == "later"
            if refusal.code in TEMPORARY and live.crashes < MAX_CRASHES:
                raise
            await self._fail(live, level, str(refusal) if refusal.code == "limit" else refusal)
        except Exception as error:  # a player or a game may raise anything
            await self._fail(live, level, error)

    async def _fail(self, live: LiveRoom, level: str, error: Exception | str) -> None:
        """Commit that the computer cannot continue.

        Players see a string as the reason, but not the text of an exception, which may contain a
        secret.
        """
        live.crashes = 0
        why = error if isinstance(error, str) else f"{computer_name(level)} failed at its move."
        log("computer failed", logging.WARNING, player=level, error=type(error).__name__)
        await self._commits.commit(live, lambda room, now: fail(room, level, why, now))

    async def _prepare(self, live: LiveRoom) -> None:
        """Let the computer prepare, and show the players if that takes more than a second."""
        room = room_of(live)
        assert room.computer is not None  # noqa: S101 # `schedule` checks it
        level = room.players[room.computer]

        def show(preparing: bool) -> None:
            if live.preparing != preparing:
                live.preparing = preparing
                self._broadcast.presence_soon(live, others=False)

        timer = asyncio.get_running_loop().call_later(PREPARING_SECONDS, show, True)
        try:
            with refused_if_unavailable():
                why = await self._engines.why_not(room.terms.game, level)
        finally:
            timer.cancel()
            show(False)
        if why:
            await self._fail(live, level, why)

    async def _play_chance_moves(self, live: LiveRoom) -> None:
        """Play chance outcomes until a player is to move."""
        while room_of(live).chance_to_move:
            await self._commits.commit(live, chance_move)

    async def _call_time(self, live: LiveRoom) -> None:
        """End a game at the maximum number of moves, or if the player to move is out of time."""

        def end(room: Room, now: int) -> GameEvent:
            event = ending(room, now)
            if event is None:
                raise Refusal("stale", "There is time left.")
            return event

        await self._commits.commit(live, end)

    async def _evaluate(self, live: LiveRoom) -> None:
        room = room_of(live)
        listeners = tuple(room.listener(seats) for seats in RECEIVERS)
        with refused_if_unavailable():
            value, texts = await self._engines.evaluate(room.position, listeners)
        live.evaluations = {
            seats: p.Evaluation(room.turn, value, text)
            for seats, text in zip(RECEIVERS, texts, strict=True)
        }
        if is_evaluated(live):
            self._broadcast.evaluations(live)

    async def _create_rematch(self, live: LiveRoom) -> None:
        """Create the rematch: the players swap seats and keep their secrets."""
        terms, events = create_rematch(room_of(live), self._now())
        await self._store.create(terms, events)
        self._live_games.add_new(terms, events, self._now())

        def link(room: Room, now: int) -> GameEvent:
            if room.next is not None:
                raise Refusal("stale", "The next game has begun already.")
            return GameEvent("next", text=terms.id, at=now)

        await self._commits.commit(live, link)
        self._metrics.games.labels(terms.game.slug, "rematch").inc()


def _needs_evaluation(live: LiveRoom) -> bool:
    room = room_of(live)
    is_allowed = all(room.help) and not room.over and not room.open_seats
    is_allowed = is_allowed and room.position.to_move != CHANCE
    return is_allowed and not is_evaluated(live) and not _has_secrets(room)


def _has_secrets(room: Room) -> bool:
    """Return whether one side knows something that the evaluation would reveal."""
    public_moves = room.seen_by(frozenset())
    return public_moves != room.match.moves or secrecy.public_view(room.position) != room.position
