"""The games that are held: a handle for each seat that nobody can guess, and limits."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from duelbook.errors import DuelbookError
from duelbook.mcp_server.agent_game import AgentGame

MAX_GAMES = 200
IDLE = 2 * 60 * 60
"""Seconds after which a game that nobody asks for is dropped."""


def new_token() -> str:
    """Return a text that nobody can guess, nor derive from another one."""
    return secrets.token_urlsafe(24)


@dataclass(eq=False)
class Held:
    """A game that is held, as it is now."""

    game: AgentGame
    used: float
    """When it was last asked for."""
    tokens: list[str] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """Set when the game changes; the next change has another event."""
    reply: asyncio.Task[None] | None = None
    """The computer's thinking."""

    def change(self, game: AgentGame) -> None:
        """Go on to another state of the game, and wake up who waits for one."""
        self.game = game
        self.changed.set()
        self.changed = asyncio.Event()


class Games:
    """All games, by the handles of their seats and by their invitations."""

    def __init__(
        self, token: Callable[[], str] = new_token, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.token, self._clock = token, clock
        self._held: list[Held] = []
        self._seats: dict[str, tuple[Held, int]] = {}
        self._invitations: dict[str, tuple[Held, int]] = {}

    def make_room(self) -> None:
        """Drop idle games and, if there are too many, the oldest finished one; or refuse."""
        self._drop_idle()
        if len(self._held) < MAX_GAMES:
            return
        finished = [held for held in self._held if held.game.over]
        if not finished:
            raise DuelbookError(
                f"There are {MAX_GAMES} games already: resign one of yours, or try again later."
            )
        self._drop(min(finished, key=lambda held: held.used))

    def hold(self, game: AgentGame, seat: int) -> tuple[Held, str, str]:
        """Keep a game; return it with the handle of this seat and an invitation to the other."""
        self.make_room()
        held = Held(game, self._clock())
        self._held.append(held)
        handle = self._new(self._seats, held, seat)
        invitation = self._new(self._invitations, held, 1 - seat) if game.is_open else ""
        return held, handle, invitation

    def join(self, invitation: str) -> tuple[Held, int, str]:
        """Take the seat of an invitation, which nobody can take again; return it and its handle."""
        held, seat = self._invitations.get(invitation, (None, 0))
        if held is None or held.game.over:
            raise DuelbookError("There is no such invitation, or its seat is taken already.")
        del self._invitations[invitation]
        held.used = self._clock()
        held.change(held.game.joined())
        return held, seat, self._new(self._seats, held, seat)

    def find(self, handle: str) -> tuple[Held, int]:
        """Return the game and the seat of a handle."""
        self._drop_idle()
        if handle not in self._seats:
            hours = IDLE // 3600
            raise DuelbookError(
                f"There is no game with this handle. A game is dropped when nobody asks for it for "
                f"{hours} hours, and when the server ends."
            )
        held, seat = self._seats[handle]
        held.used = self._clock()
        return held, seat

    def close(self) -> None:
        """Drop all games."""
        for held in list(self._held):
            self._drop(held)

    def _new(self, where: dict[str, tuple[Held, int]], held: Held, seat: int) -> str:
        token = self.token()
        where[token] = held, seat
        held.tokens.append(token)
        return token

    def _drop_idle(self) -> None:
        now = self._clock()
        for held in [one for one in self._held if now - one.used > IDLE]:
            self._drop(held)

    def _drop(self, held: Held) -> None:
        if held.reply:
            held.reply.cancel()
        self._held.remove(held)
        for token in held.tokens:
            self._seats.pop(token, None)
            self._invitations.pop(token, None)
