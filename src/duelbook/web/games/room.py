"""A room is a game on the server: its terms, and its state after all events."""

from __future__ import annotations

import json
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from duelbook.listener import Listener
from duelbook.play.match import DRAWN_BY, LostBy, Match
from duelbook.play.names import PLAYERS, computer_name
from duelbook.play.series import PERSON
from duelbook.position import CHANCE, Position, put
from duelbook.secrecy import SeatRecord
from duelbook.web.games.move_sentences import MoveSentence, listener_of
from duelbook.web.games.seat_memories import Memories
from duelbook.web.store.game_events import GameEvent, GameTerms

Step = tuple[Position, str, bool, MoveSentence]
"""The position after a move, the book's lines, whether the game is over, and the sentence."""


LOSSES: dict[LostBy, str] = {"resignation": "resign", "time": "time", "left": "left"}
"""The kinds of events by which a seat loses without a move."""
REQUESTS = frozenset({"offer", "decline", "takeback", "help", "fail", "level"})
"""The kinds of events that a seat can cause repeatedly without a move."""
PEOPLE = (PERSON, PERSON)
Pair = tuple[bool, bool]
Seats = frozenset[int]
NEITHER: Pair = (False, False)


class Room(Struct, frozen=True):
    """The state of a game after its events. It is immutable: `after` returns a new room."""

    terms: GameTerms
    match: Match
    memories: Memories | None = None
    """The knowledge of each seat about the moves, if the game has secrets."""
    told: tuple[str, ...] = ()
    """The book's lines after each move."""
    said: tuple[MoveSentence, ...] = ()
    names: tuple[str, str] = PLAYERS
    holders: tuple[str, str] = ("", "")
    """The hash of each seat's secret."""
    seq: int = 0
    at: int = 0
    """The time of the last event."""
    turn: int = 0
    help: Pair = NEITHER
    rematch: Pair = NEITHER
    takeback: int | None = None
    next: str | None = None
    left: tuple[int, int] = (0, 0)
    left_before: tuple[tuple[int, int], ...] = ()
    """The time left to each seat before each move, if there are clocks."""
    since: int | None = None
    """The time at which the clock of the player to move started, if it runs."""
    asked: int = 0
    """The time since which both players are seated and the player to move is to move."""
    over: bool = False
    """True if the game is over."""
    noted: int = 0
    """The number of the last event that changed more than the position."""
    players: tuple[str, str] = (PERSON, PERSON)
    """The player at each seat: as in the terms, unless another level has taken over."""
    failed: str = ""
    """The reason why the computer cannot continue, or an empty string."""
    brought: int = 0
    """The number of moves that came with a saved game."""
    requests: tuple[int, int] = (0, 0)
    """The number of requests of each seat: events of a kind in `REQUESTS`."""

    @classmethod
    def begin(cls, terms: GameTerms) -> Room:
        """Return a room without events."""
        match = Match.begin(terms.game, terms.first)
        computers = tuple(name != PERSON for name in terms.players)
        names = tuple(
            PLAYERS[seat] if name == PERSON else computer_name(name)
            for seat, name in enumerate(terms.players)
        )
        time = terms.clock[0] if terms.clock else 0
        return cls(
            terms,
            match,
            Memories.begin(match.position),
            names=(names[0], names[1]),
            help=(computers[0], computers[1]),
            rematch=(computers[0], computers[1]),
            left=(time, time),
            over=not match.position.moves(),
            players=terms.players,
            brought=terms.brought,
        )

    # Queries ----------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The current position."""
        return self.match.position

    @property
    def open_seats(self) -> list[int]:
        """The seats that wait for a person."""
        if self.holders[0] and self.holders[1]:
            return []  # the usual case
        return [s for s in (0, 1) if self.players[s] == PERSON and not self.holders[s]]

    @property
    def computer(self) -> int | None:
        """The seat of the computer, if it plays."""
        if self.players == PEOPLE:
            return None
        return next((seat for seat in (0, 1) if self.players[seat] != PERSON), None)

    @property
    def computer_to_move(self) -> str | None:
        """The level of the computer, if the computer is to move and can."""
        if self.position.to_move == CHANCE or self.over or self.failed:
            return None
        name = self.players[self.position.to_move]
        return None if name == PERSON or self.open_seats else name

    @property
    def chance_to_move(self) -> bool:
        """Return whether chance is to move and no seat is open."""
        return self.position.to_move == CHANCE and not self.over and not self.open_seats

    @property
    def promises_draws(self) -> bool:
        """Return whether all draws come from the seed of this game, and none from a saved game."""
        brought = self.match.positions[: self.brought]
        return bool(self.terms.draws) and all(before.to_move != CHANCE for before in brought)

    @property
    def gives_help(self) -> bool:
        """Return whether the server may give hints and evaluations."""
        return all(self.help) or self.over

    def has_moved(self, seat: int) -> bool:
        """Return whether a seat has made a move that is not taken back."""
        return any(position.to_move == seat for position in self.match.positions[:-1])

    def deadline(self) -> int | None:
        """Return the time at which the player to move runs out of time; None if no clock runs."""
        return None if self.since is None else self.since + self.left[self.position.to_move]

    def left_at(self, now: int) -> tuple[int, int]:
        """Return the time left to each seat."""
        if self.since is None:
            return self.left
        mover, used = self.position.to_move, max(0, now - self.since)
        return put(self.left, mover, max(0, self.left[mover] - used))

    def seen_by(self, seats: frozenset[int]) -> tuple[str, ...]:
        """Return the moves as the holder of these seats may know them."""
        return self.memories.seen_by(seats, self.match) if self.memories else self.match.moves

    def listener(self, seats: frozenset[int]) -> Listener:
        """Return the listener at these seats."""
        return listener_of(self.names, self.players, seats)

    def without_secrets(self) -> Match:
        """Return the match up to the first hidden move; all of it if the game is over."""
        return self.match.without_secrets(self.seen_by(frozenset()))

    def record(self, seat: int) -> SeatRecord:
        """Return the record of a seat: its own moves, the texts and its views."""
        positions, moves = self.match.positions, self.match.moves
        steps = tuple(
            (move if before.to_move == seat else "", told, after.view(seat))
            for before, move, told, after in zip(
                positions, moves, self.told, positions[1:], strict=False
            )
        )
        return SeatRecord(seat, positions[0].view(seat), steps)

    # Events -----------------------------------------------------------------------------------

    def after(self, event: GameEvent) -> Room:  # noqa: C901, PLR0912 # one case for each kind
        """Return the room after an event."""
        number = self.seq + 1
        match event.kind:
            case "move":
                return self._move(event, number)
            case "sit":
                room = self._sit(event)
            case "resign" | "time" | "left":
                room = self._lose(event)
            case "draw":
                room = self._draw(event)
            case "offer":
                room = replace(self, takeback=event.seat)
            case "decline":
                room = replace(self, takeback=None)
            case "takeback":
                room = self._take_back(event)
            case "help":
                room = replace(self, help=_said(self.help, event.seat, event.text == "on"))
            case "rematch":
                room = replace(self, rematch=_said(self.rematch, event.seat, True))
            case "next":
                room = replace(self, next=event.text)
            case "resume":
                room = self._resume(event)
            case "fail":
                room = replace(self, failed=event.text, left=self.left_at(event.at), since=None)
            case "level":
                room = self._take_over(event)
            case _:
                raise ValueError(event.kind)
        requests = _requests_after(self, event)
        return replace(room, seq=number, at=event.at, noted=number, requests=requests)

    def _sit(self, event: GameEvent) -> Room:
        assert event.seat is not None  # noqa: S101 # `sit` sets it
        data = json.loads(event.text)
        seat = event.seat
        room = replace(
            self,
            names=put(self.names, seat, data["name"]),
            holders=put(self.holders, seat, data["holder"]),
            help=put(self.help, seat, data["help"]),
            asked=event.at,
        )
        return replace(room, since=room._runs_from(event.at, room.match))  # noqa: SLF001 # a room's own

    def _move(self, event: GameEvent, number: int) -> Room:
        before, match = self.position, self.match
        after, told, over, saying = event.result or step(before, event.text)
        is_noted = over or self.takeback is not None or self.terms.clock
        match = Match(match.positions + (after,), match.moves + (event.text,))  # noqa: RUF005 # faster
        return replace(
            self,
            match=match,
            memories=self.memories and self.memories.after(before, event.text, after),
            told=self.told + (told,),  # noqa: RUF005 # see above
            said=self.said + (saying,),  # noqa: RUF005 # see above
            over=over,
            seq=number,
            at=event.at,
            turn=number,
            noted=number if is_noted else self.noted,
            takeback=None,
            left=self._left_after_move(event.at),
            left_before=(*self.left_before, self.left) if self.terms.clock else (),
            since=self._runs_from(event.at, match),
            asked=event.at,
        )

    def _left_after_move(self, at: int) -> tuple[int, int]:
        if self.terms.clock is None:
            return self.left
        left, mover = self.left_at(at), self.position.to_move
        if mover == CHANCE or len(self.match.moves) < self.brought:
            return left
        return put(left, mover, left[mover] + self.terms.clock[1])

    def _runs_from(self, at: int, match: Match) -> int | None:
        """Return when the next clock starts; each player's first move costs no time."""
        if not self.terms.clock or self.open_seats or self.failed:
            return None
        if match.position.to_move == CHANCE:
            return None
        mover = match.position.to_move
        has_moved = any(position.to_move == mover for position in match.positions[:-1])
        return at if has_moved and match.position.moves() else None

    def _lose(self, event: GameEvent) -> Room:
        (by,) = (by for by, kind in LOSSES.items() if kind == event.kind)
        return self._end(self.match.resign(event.seat, by), event)

    def _draw(self, event: GameEvent) -> Room:
        (by,) = (by for by in DRAWN_BY if by == event.text)
        return self._end(self.match.draw(by), event)

    def _end(self, match: Match, event: GameEvent) -> Room:
        """Return the room after its game ended without a move."""
        return replace(
            self,
            match=match,
            left=self.left_at(event.at),
            since=None,
            over=True,
            takeback=None,
            turn=self.seq + 1,
        )

    def _take_back(self, event: GameEvent) -> Room:
        match = self.match.take_back(event.seat)
        kept = len(match.moves)
        room = replace(
            self,
            match=match,
            memories=self.memories and self.memories.up_to(match),
            told=self.told[:kept],
            said=self.said[:kept],
            over=False,
            takeback=None,
            failed="",  # in another position the computer may have a move
            left=_left_after_takeback(self, match, event),
            left_before=self.left_before[: len(match.moves)],
            asked=event.at,
            turn=self.seq + 1,
            brought=min(self.brought, kept),
        )
        return replace(room, since=room._runs_from(event.at, match))  # noqa: SLF001 # a room's own

    def _take_over(self, event: GameEvent) -> Room:
        """Return the room after another level took the computer's seat."""
        assert event.seat is not None  # noqa: S101 # `_take_over` sets it
        room = replace(
            self,
            players=put(self.players, event.seat, event.text),
            names=put(self.names, event.seat, computer_name(event.text)),
            failed="",
        )
        return replace(room, since=room._runs_from(event.at, room.match))  # noqa: SLF001 # a room's own

    def _resume(self, event: GameEvent) -> Room:
        """Return the room after a time without a server, which costs no player time."""
        if not event.text:  # an older server started the turn again
            return self if self.since is None else replace(self, since=event.at)
        lost = int(event.text)
        since = None if self.since is None else self.since + lost
        return replace(self, since=since, asked=self.asked + lost)


@lru_cache(maxsize=20_000)
def step(position: Position, move: str) -> Step:
    """Return the result of a move, or raise an error if it is not legal.

    Results are cached, because many games reach the same positions.
    """
    after = position.play(move)
    return after, position.tell(move, after), not after.moves(), MoveSentence(position, move, after)


def _said(pair: Pair, seat: int | None, word: bool) -> Pair:
    """Return both answers after a seat, or both seats (None), gave one."""
    return (word, word) if seat is None else put(pair, seat, word)


def _requests_after(room: Room, event: GameEvent) -> tuple[int, int]:
    """Return the number of requests; a reply counts for the seat that asked."""
    if event.kind not in REQUESTS:
        return room.requests
    asker = room.takeback if event.kind == "decline" else event.seat
    ours, theirs = (n + (asker in (None, seat)) for seat, n in enumerate(room.requests))
    return ours, theirs


def _left_after_takeback(room: Room, match: Match, event: GameEvent) -> tuple[int, int]:
    """Return the time left to each seat after moves were taken back.

    The side that asked has used its time, and gets no increment for the moves taken back. The
    other side has the time that it had when the position first arose.
    """
    kept = len(match.moves)
    if room.terms.clock is None or kept == len(room.match.moves):
        return room.left_at(event.at)
    increment, had, left = (
        room.terms.clock[1],
        room.left_before[kept],
        list(room.left_at(event.at)),
    )
    movers = [position.to_move for position in room.match.positions[kept:-1]]
    for seat in (0, 1):
        if event.seat in (None, seat):  # the side that asked; None stands for both at one device
            left[seat] -= movers.count(seat) * increment
            # Leave at least the increment, or the earlier time if that was less.
            left[seat] = max(left[seat], min(had[seat], increment))
        else:
            left[seat] = had[seat]
    return left[0], left[1]
