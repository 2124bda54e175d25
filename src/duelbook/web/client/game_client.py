"""`GameClient`: take a seat at a game on a server, watch it, and play.

It reconnects after any failure of the connection or the server. It plays each move only once.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from random import Random, uniform
from typing import TYPE_CHECKING, Literal, Self

from duelbook.catalog.registry import find
from duelbook.secrecy import SeatRecord, keeps_secrets
from duelbook.web import protocol as p
from duelbook.web.client.game_connection import RETRY_CODES, GameConnection
from duelbook.web.client.server import (
    RECONNECT_SECONDS,
    NoServerError,
    ServerError,
    ServerRequests,
    address,
)

if TYPE_CHECKING:
    from duelbook.players import MoveChooser, Player
    from duelbook.position import Position

ClaimResult = Literal["victory", "draw"]
"""The results that a player can claim after the opponent has left."""


class GameClient(GameConnection):
    """A game on a server, played from a seat or watched."""

    @classmethod
    def join(
        cls,
        url: str,
        name: str = "",
        *,
        help: bool = False,  # noqa: A002 # the word on the wire
        reconnect_seconds: float = RECONNECT_SECONDS,
    ) -> Self:
        """Take the open seat of a game; `help` allows hints and the evaluation bar."""
        server, id = address(url)  # noqa: A001 # the usual name
        request = p.JoinGame(name, help)
        seat = server.request(f"/api/games/{id}/seats", p.SeatCredentials, body=request)
        return cls(url, seat.secret, reconnect_seconds=reconnect_seconds)

    # State ------------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position as the seat may see it."""
        return find(self.snapshot.book).from_json(self.snapshot.view.position)

    def record(self) -> SeatRecord:
        """Return the record of everything that the seat has seen, from the server."""
        return self._turn_with_record()[1]

    def _turn_with_record(self) -> tuple[int, SeatRecord]:
        """Return the number of the turn, and the record at that turn."""
        late, game = time.monotonic() + self.reconnect_seconds, find(self.snapshot.book)
        while True:
            try:
                path = f"/api/games/{self.id}/record"
                reply = self.server.request(path, p.Record, secret=self.secret)
            except (NoServerError, ServerError) as error:
                final = isinstance(error, ServerError) and error.code not in RETRY_CODES
                if final or time.monotonic() > late:
                    raise
                time.sleep(uniform(0.5, 1.5))
            else:
                steps = tuple(
                    (step.own, step.told, game.from_json(step.view)) for step in reply.steps
                )
                return reply.turn, SeatRecord(reply.seat, game.from_json(reply.start), steps)

    @property
    def to_move(self) -> bool:
        """Return whether it is this client's turn."""
        view, status = self.snapshot.view, self.snapshot.status
        waiting = any(chair.kind == "open" for chair in status.chairs)
        return status.result is None and not waiting and view.to_move in self.snapshot.seats

    def overdue_in(self) -> float | None:
        """Return the seconds until the opponent is overdue, or None.

        An opponent who does not start, or who leaves, becomes overdue. At 0 this seat may take the
        action in `presence.overdue.may`: `abort` or `claim`.
        """
        late = self.presence.overdue if self.presence else None
        waits = self.result is None and len(self.snapshot.seats) == 1 and not self.to_move
        if late is None or not waits or self._presence_turn != self.snapshot.turn:
            return None
        return max(0.0, self._presence_at + late.after / 1000 - time.monotonic())

    # Commands ---------------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Play a move; return after the server has stored it on disk."""
        self.send(p.Play(move, self.snapshot.turn))

    def resign(self) -> None:
        """Resign the game."""
        self.send(p.Resign(self.snapshot.turn))

    def abort(self) -> None:
        """End a game without a winner if the opponent does not start."""
        self.send(p.Abort(self.snapshot.turn))

    def claim(self, result: ClaimResult = "victory") -> None:
        """Claim the victory, or a draw, over an opponent who has left."""
        self.send(p.Claim(result, self.snapshot.turn))

    def hint(self) -> p.Hint:
        """Return a hint for this seat, or raise `ServerError` with the reason."""
        hint = self.send(p.AskHint())
        if hint is None:  # the position has changed
            raise ServerError("stale", "The game has moved on since.")
        return hint

    # Playing ----------------------------------------------------------------------------------

    def play_to_the_end(self, player: MoveChooser, random: Random) -> p.Result:
        """Let a player play the game to its end; it agrees to every takeback."""
        for _ in self.playing(player, random):
            pass
        assert self.result is not None  # noqa: S101 # `playing` ends with a result
        return self.result

    def playing(
        self, player: MoveChooser, random: Random, *, claim: ClaimResult | None = None
    ) -> Iterator[p.Snapshot]:
        """Let a player play, and yield a snapshot after each change.

        If the opponent leaves, the player claims the result `claim`. It aborts a game that the
        opponent does not start. Without `claim`, it waits.
        """
        from duelbook.players.player import adapt  # imported late, for a fast start

        adapted = adapt(player)
        yield self.snapshot
        while self.result is None:
            if self._is_takeback_requested():
                self._try(p.Agree(self.snapshot.turn))
            elif self.to_move:
                self._move(adapted, random)
            elif claim and self.overdue_in() == 0:
                self._end_overdue(claim)
            else:
                self.receive(timeout=self.overdue_in() if claim else None)
            yield self.snapshot

    def _move(self, player: Player, random: Random) -> None:
        """Play the move of a player, unless the game changes first."""
        turn, record = self._record_for(player)
        if turn != self.snapshot.turn:  # the update is on its way
            self.receive(timeout=1.0)
            return
        move = player.choose_from_record(record, random)
        while self.receive(timeout=0):  # read the messages that arrived meanwhile
            pass
        if self.snapshot.turn == turn and not self._is_takeback_requested():
            self._try(p.Play(move, turn))

    def _end_overdue(self, claim: ClaimResult) -> None:
        """End the game, unless the opponent comes back or moves first."""
        turn, late = self.snapshot.turn, self.presence and self.presence.overdue
        try:
            self.send(p.Abort(turn) if late and late.may == "abort" else p.Claim(claim, turn))
        except ServerError as error:
            if error.code not in ("turn", "stale", "over"):
                raise
            self.receive(timeout=1.0)  # the update is on its way

    def _record_for(self, player: Player) -> tuple[int, SeatRecord]:
        """Return the turn and the record, without its past if the player does not need it."""
        if player.remembers or keeps_secrets(type(self.position)):
            return self._turn_with_record()
        return self.snapshot.turn, SeatRecord(self.snapshot.view.to_move, self.position)

    def _is_takeback_requested(self) -> bool:
        seat = self.snapshot.status.takeback
        return seat is not None and seat not in self.snapshot.seats

    def _try(self, command: p.Play | p.Agree) -> None:
        """Send a command; ignore a refusal if the game has changed meanwhile."""
        status = self.snapshot.status
        try:
            self.send(command)
        except ServerError:
            if self.snapshot.turn == command.answers and self.snapshot.status == status:
                raise

    def rematch(self) -> GameClient:
        """Ask for another game, and join it when the opponent agrees."""
        if self.snapshot.status.next is None:
            try:
                self.send(p.Rematch())
            except ServerError as error:
                if error.code != "stale":  # stale: the request was sent before
                    raise
        while self.snapshot.status.next is None:
            self.receive()
        url = f"{self.server.url}/g/{self.snapshot.status.next}"
        return GameClient(url, self.secret, reconnect_seconds=self.reconnect_seconds)


class Server(ServerRequests):
    """A server with an address: list its games, and create one."""

    def books(self) -> list[p.Book]:
        """Return the games that the server offers."""
        return self.request("/api/books", list[p.Book])

    def create(
        self, request: p.NewGame, *, reconnect_seconds: float = RECONNECT_SECONDS
    ) -> GameClient:
        """Create a game and take a seat at it."""
        seat = self.request("/api/games", p.SeatCredentials, body=request)
        url = f"{self.url}/g/{seat.id}"
        return GameClient(url, seat.secret, reconnect_seconds=reconnect_seconds)
