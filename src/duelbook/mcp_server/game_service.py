"""Run the games of agents: moves, replies of the computer, waiting, help."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import TypeVar

from duelbook.catalog.registry import find
from duelbook.compute.engines import MAX_CRASHES, Engines
from duelbook.errors import DuelbookError
from duelbook.mcp_server.agent_game import SEAT, AgentGame
from duelbook.mcp_server.game_registry import GameRegistry, RegisteredGame
from duelbook.mcp_server.tool_results import CreatedGame, GameView, JoinedGame, PositionValue
from duelbook.players import names
from duelbook.position import Position

CALL_TIMEOUT_SECONDS = 50  # many hosts time out after a minute
PROGRESS_SECONDS = 1.0  # between two reports of progress
LOG = logging.getLogger("duelbook.mcp_server")
T = TypeVar("T")
Progress = Callable[[float, str], Awaitable[None]]
"""A callback that receives the seconds so far and a description of the work, each second."""


class GameService:
    """The registered games, and the worker processes of the computer players."""

    def __init__(self, engines: Engines, games: GameRegistry | None = None) -> None:
        self.engines, self.games = engines, games or GameRegistry()

    def close(self) -> None:
        """Remove the games, and end the processes."""
        self.games.close()
        self.engines.close()

    async def begin(  # noqa: PLR0913 # the options of a game
        self,
        name: str,
        opponent: str,
        *,
        seat: int,
        first: int,
        help: bool | None,  # noqa: A002 # the word that agents use
        progress: Progress,
    ) -> CreatedGame:
        """Create a game; by default, help is allowed in games against the computer."""
        game_class = find(name)
        opponent = self._opponent(opponent)
        self.games.make_room()  # refuse before the computer prepares
        if opponent != SEAT:
            await self._check(game_class, opponent, progress)
        allowed = opponent != SEAT if help is None else help
        game = AgentGame.create(
            game_class,
            seat=seat,
            opponent=opponent,
            first=first,
            seed=self.games.token(),
            help=allowed,
        )
        entry, handle, invitation = self.games.add(game, seat)
        await self._reply(entry, progress)
        return CreatedGame(handle=handle, invitation=invitation, look=entry.game.view_of(seat))

    def join(self, invitation: str) -> JoinedGame:
        """Take the second seat of a game."""
        entry, seat, handle = self.games.join(invitation)
        return JoinedGame(handle=handle, look=entry.game.view_of(seat))

    async def look(self, handle: str, wait: float, progress: Progress) -> GameView:
        """Return the view of a seat; wait at most `wait` seconds until it can act."""
        entry, seat = self.games.find(handle)

        def can_act(game: AgentGame) -> bool:
            return game.over or bool(game.failed) or game.position.to_move == seat

        await until(entry, can_act, wait, progress)
        return entry.game.view_of(seat)

    async def move(self, handle: str, move: str, turn: int | None, progress: Progress) -> GameView:
        """Make a move, let the computer reply, and return the view of the seat."""
        entry, seat = self.games.find(handle)
        entry.change(entry.game.play(seat, move, turn))
        await self._reply(entry, progress)
        return entry.game.view_of(seat)

    def resign(self, handle: str) -> GameView:
        """Resign the game for a seat."""
        entry, seat = self.games.find(handle)
        entry.change(entry.game.resign(seat))
        return entry.game.view_of(seat)

    async def worth(self, handle: str, progress: Progress) -> PositionValue:
        """Return the value of the position for a seat, without hidden information."""
        entry, seat = self.games.find(handle)
        game = entry.game
        game.check_help(seat)
        task = f"Studying {game.position.title}"
        hint = await within_limit(self.engines.hint(game.match.record(seat)), task, progress)
        position = game.open_position(seat)
        if position is None:
            return PositionValue(move=hint.move, hint=hint.text, standing="", value=None)
        value, (standing,) = await within_limit(self.engines.evaluate(position), task, progress)
        own_value = (-value if seat else value) + 0.0
        return PositionValue(move=hint.move, hint=hint.text, standing=standing, value=own_value)

    # The computer ---------------------------------------------------------------------------

    def _opponent(self, name: str) -> str:
        known = [SEAT, *names()]
        if name.strip().lower() not in known:
            listed = ", ".join(known)
            raise DuelbookError(f"There is no opponent {name!r:.40}. The opponents are: {listed}.")
        return name.strip().lower()

    async def _check(self, game: type[Position], opponent: str, progress: Progress) -> None:
        task = f"Preparing {opponent} for {game.title}"
        why = await within_limit(self.engines.why_not(game, opponent), task, progress)
        if why:
            raise DuelbookError(why)

    async def _reply(self, entry: RegisteredGame, progress: Progress) -> None:
        """Let the computer move, and wait for it until the call times out."""
        if entry.game.computer_to_move and (entry.reply is None or entry.reply.done()):
            entry.reply = asyncio.create_task(self._think(entry))
        await until(entry, lambda game: not game.computer_to_move, CALL_TIMEOUT_SECONDS, progress)

    async def _think(self, entry: RegisteredGame) -> None:
        failures = 0
        while name := entry.game.computer_to_move:
            game = entry.game
            seat = game.position.to_move
            try:
                record = game.match.record(seat)
                move = await self.engines.choose(record, name, game.seed_of_move)
                after = game.play(seat, move)
            except DuelbookError as refusal:  # its process ended or is overloaded
                failures += 1
                after = game if failures < MAX_CRASHES else game.with_failure(str(refusal))
            except Exception:  # an author's game or player may raise anything
                LOG.exception("%s cannot continue %s", name, game.position.slug)
                after = game.with_failure("It failed.")
            if entry.game is game:  # nobody resigned in the meantime
                entry.change(after)


async def until(
    entry: RegisteredGame,
    condition: Callable[[AgentGame], bool],
    seconds: float,
    progress: Progress,
) -> None:
    """Wait until a condition holds, for at most `seconds`."""
    clock = asyncio.get_running_loop().time
    began = clock()
    while not condition(entry.game) and (left := began + seconds - clock()) > 0:
        with suppress(TimeoutError):
            await asyncio.wait_for(entry.changed.wait(), min(left, PROGRESS_SECONDS))
        await progress(clock() - began, "Waiting for the opponent")


async def within_limit(work: Awaitable[T], task_name: str, progress: Progress) -> T:
    """Return the result of work in another process; refuse it after the timeout of a call.

    The preparation of a computer player continues, so that a later call finds its result.
    """
    task, clock = asyncio.ensure_future(work), asyncio.get_running_loop().time
    began = clock()
    try:
        while (seconds := clock() - began) < CALL_TIMEOUT_SECONDS:
            done, _ = await asyncio.wait({task}, timeout=PROGRESS_SECONDS)
            if done:
                return task.result()
            await progress(seconds, task_name)
    finally:
        task.cancel()
    raise DuelbookError(
        f"{task_name} takes longer than {CALL_TIMEOUT_SECONDS} s. A later call may succeed."
    )
