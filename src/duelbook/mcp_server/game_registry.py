"""The registry of current games: secret handles for the seats, and limits."""

from __future__ import annotations

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from duelbook.errors import DuelbookError
from duelbook.mcp_server.agent_game import AgentGame

MAX_GAMES = 200
IDLE_SECONDS = 2 * 60 * 60  # an unused game is removed after this time


def new_token() -> str:
    """Return a random token that nobody can guess."""
    return secrets.token_urlsafe(24)


@dataclass(eq=False)
class RegisteredGame:
    """A game in the registry, in its current state."""

    game: AgentGame
    used: float
    """The time of the last request for the game."""
    tokens: list[str] = field(default_factory=list)
    changed: asyncio.Event = field(default_factory=asyncio.Event)
    """The event of the next change; each change has its own event."""
    reply: asyncio.Task[None] | None = None
    """The task in which the computer chooses its move."""

    def change(self, game: AgentGame) -> None:
        """Set the next state of the game, and wake up all tasks that wait for it."""
        self.game = game
        self.changed.set()
        self.changed = asyncio.Event()


class GameRegistry:
    """All games, by the handles of their seats and by their invitations."""

    def __init__(
        self, token: Callable[[], str] = new_token, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.token, self._clock = token, clock
        self._entries: list[RegisteredGame] = []
        self._seats: dict[str, tuple[RegisteredGame, int]] = {}
        self._invitations: dict[str, tuple[RegisteredGame, int]] = {}

    def make_room(self) -> None:
        """Remove idle games and, at the limit, the finished game that is unused longest.

        Raise an error if there is none.
        """
        self._remove_idle()
        if len(self._entries) < MAX_GAMES:
            return
        finished = [entry for entry in self._entries if entry.game.over]
        if not finished:
            raise DuelbookError(
                f"There are {MAX_GAMES} games already: resign one of yours, or try again later."
            )
        self._remove(min(finished, key=lambda entry: entry.used))

    def add(self, game: AgentGame, seat: int) -> tuple[RegisteredGame, str, str]:
        """Register a game; return its entry, the handle of this seat, and an invitation."""
        self.make_room()
        entry = RegisteredGame(game, self._clock())
        self._entries.append(entry)
        handle = self._add_token(self._seats, entry, seat)
        invitation = self._add_token(self._invitations, entry, 1 - seat) if game.is_open else ""
        return entry, handle, invitation

    def join(self, invitation: str) -> tuple[RegisteredGame, int, str]:
        """Take the seat of an invitation, which works once; return the entry, seat and handle."""
        entry, seat = self._invitations.get(invitation, (None, 0))
        if entry is None or entry.game.over:
            raise DuelbookError("There is no such invitation, or its seat is taken already.")
        del self._invitations[invitation]
        entry.used = self._clock()
        entry.change(entry.game.with_second_agent())
        return entry, seat, self._add_token(self._seats, entry, seat)

    def find(self, handle: str) -> tuple[RegisteredGame, int]:
        """Return the entry and the seat of a handle."""
        self._remove_idle()
        if handle not in self._seats:
            hours = IDLE_SECONDS // 3600
            raise DuelbookError(
                f"There is no game with this handle. The server removes a game that "
                f"nobody used for {hours} hours, and all games when it ends."
            )
        entry, seat = self._seats[handle]
        entry.used = self._clock()
        return entry, seat

    def close(self) -> None:
        """Remove all games."""
        for entry in list(self._entries):
            self._remove(entry)

    def _add_token(
        self, tokens: dict[str, tuple[RegisteredGame, int]], entry: RegisteredGame, seat: int
    ) -> str:
        token = self.token()
        tokens[token] = entry, seat
        entry.tokens.append(token)
        return token

    def _remove_idle(self) -> None:
        now = self._clock()
        for entry in [entry for entry in self._entries if now - entry.used > IDLE_SECONDS]:
            self._remove(entry)

    def _remove(self, entry: RegisteredGame) -> None:
        if entry.reply:
            entry.reply.cancel()
        self._entries.remove(entry)
        for token in entry.tokens:
            self._seats.pop(token, None)
            self._invitations.pop(token, None)
