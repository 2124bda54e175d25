"""Playing the games that are held: the agents' moves, the computer's replies, waiting for them."""

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
from duelbook.mcp_server.game_registry import Games, Held
from duelbook.mcp_server.tool_results import Begun, GameView, Joined, Worth
from duelbook.players import names
from duelbook.position import Position

CALL_TIMEOUT_SECONDS = 50
"""Seconds that a call may take: many hosts give up after a minute."""
TICK = 1.0
"""Seconds between two reports of progress."""
LOG = logging.getLogger("duelbook.mcp_server")
T = TypeVar("T")
Progress = Callable[[float, str], Awaitable[None]]
"""Told each second how many have passed, and what for."""


class AgentPlay:
    """The games, and the processes in which the computer thinks."""

    def __init__(self, engines: Engines, games: Games | None = None) -> None:
        self.engines, self.games = engines, games or Games()

    def close(self) -> None:
        """Drop the games, and end the processes."""
        self.games.close()
        self.engines.close()

    async def begin(  # noqa: PLR0913 # all that can be said before a game
        self,
        name: str,
        opponent: str,
        *,
        seat: int,
        first: int,
        help: bool | None,  # noqa: A002 # the word that agents use
        progress: Progress,
    ) -> Begun:
        """Begin a game; by default, help is for games against the computer."""
        book = find(name)
        opponent = self._opponent(opponent)
        self.games.make_room()  # refuse before the computer prepares
        if opponent != SEAT:
            await self._check(book, opponent, progress)
        allowed = opponent != SEAT if help is None else help
        terms = {"seat": seat, "first": first}
        game = AgentGame.begin(
            book, opponent=opponent, help=allowed, seed=self.games.token(), **terms
        )
        held, handle, invitation = self.games.hold(game, seat)
        await self._reply(held, progress)
        return Begun(handle=handle, invitation=invitation, look=held.game.look(seat))

    def join(self, invitation: str) -> Joined:
        """Take the second seat of a game."""
        held, seat, handle = self.games.join(invitation)
        return Joined(handle=handle, look=held.game.look(seat))

    async def look(self, handle: str, wait: float, progress: Progress) -> GameView:
        """Return what a seat may see; wait at most so long until it can do something."""
        held, seat = self.games.find(handle)

        def settled(game: AgentGame) -> bool:
            return game.over or bool(game.failed) or game.position.to_move == seat

        await until(held, settled, wait, progress)
        return held.game.look(seat)

    async def move(self, handle: str, move: str, turn: int | None, progress: Progress) -> GameView:
        """Make a move, let the computer reply, and return what the seat may see then."""
        held, seat = self.games.find(handle)
        held.change(held.game.play(seat, move, turn))
        await self._reply(held, progress)
        return held.game.look(seat)

    def resign(self, handle: str) -> GameView:
        """Lose the game."""
        held, seat = self.games.find(handle)
        held.change(held.game.resign(seat))
        return held.game.look(seat)

    async def worth(self, handle: str, progress: Progress) -> Worth:
        """Say what the position is worth to a seat, as far as it may know."""
        held, seat = self.games.find(handle)
        game = held.game
        game.check_help(seat)
        what = f"Studying {game.position.title}"
        hint = await within_limit(self.engines.hint(game.match.record(seat)), what, progress)
        known = game.open_position(seat)
        if known is None:
            return Worth(move=hint.move, hint=hint.said, standing="", value=None)
        value, (said,) = await within_limit(self.engines.evaluate(known), what, progress)
        mine = (-value if seat else value) + 0.0
        return Worth(move=hint.move, hint=hint.said, standing=said, value=mine)

    # The computer ---------------------------------------------------------------------------

    def _opponent(self, name: str) -> str:
        known = [SEAT, *names()]
        if name.strip().lower() not in known:
            listed = ", ".join(known)
            raise DuelbookError(f"There is no opponent {name!r:.40}. The opponents are: {listed}.")
        return name.strip().lower()

    async def _check(self, book: type[Position], opponent: str, progress: Progress) -> None:
        what = f"Preparing {opponent} for {book.title}"
        why = await within_limit(self.engines.why_not(book, opponent), what, progress)
        if why:
            raise DuelbookError(why)

    async def _reply(self, held: Held, progress: Progress) -> None:
        """Let the computer think, and wait for it as long as a call may take."""
        if held.game.computer_to_move and (held.reply is None or held.reply.done()):
            held.reply = asyncio.create_task(self._think(held))
        await until(held, lambda game: not game.computer_to_move, CALL_TIMEOUT_SECONDS, progress)

    async def _think(self, held: Held) -> None:
        failures = 0
        while name := held.game.computer_to_move:
            game = held.game
            seat = game.position.to_move
            try:
                record = game.match.record(seat)
                move = await self.engines.choose(record, name, game.seed_of_move)
                after = game.play(seat, move)
            except DuelbookError as refusal:  # its process ended, or has too much to do
                failures += 1
                after = game if failures < MAX_CRASHES else game.failing(str(refusal))
            except Exception:  # a game of one's own, or a player of others, may do anything
                LOG.exception("%s cannot go on with %s", name, game.position.slug)
                after = game.failing("It failed.")
            if held.game is game:  # nobody resigned in the meantime
                held.change(after)


async def until(
    held: Held, condition: Callable[[AgentGame], bool], seconds: float, progress: Progress
) -> None:
    """Wait until a condition holds, but not longer."""
    clock = asyncio.get_running_loop().time
    began = clock()
    while not condition(held.game) and (left := began + seconds - clock()) > 0:
        with suppress(TimeoutError):
            await asyncio.wait_for(held.changed.wait(), min(left, TICK))
        await progress(clock() - began, "Waiting for the opponent")


async def within_limit(work: Awaitable[T], what: str, progress: Progress) -> T:
    """Return the result of work in another process; refuse if it takes longer than a call may.

    The process goes on, so that asking again later finds the result.
    """
    task, clock = asyncio.ensure_future(work), asyncio.get_running_loop().time
    began = clock()
    try:
        while (seconds := clock() - began) < CALL_TIMEOUT_SECONDS:
            done, _ = await asyncio.wait({task}, timeout=TICK)
            if done:
                return task.result()
            await progress(seconds, what)
    finally:
        task.cancel()
    raise DuelbookError(f"{what} takes longer than {CALL_TIMEOUT_SECONDS} s. Try again later.")
