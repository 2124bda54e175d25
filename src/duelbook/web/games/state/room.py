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
from duelbook.web.games.state.move_sentences import MoveSentence, listener_of
from duelbook.web.games.state.seat_memories import Memories
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
    texts: tuple[str, ...] = ()
    """The book's lines after each move."""
    sentences: tuple[MoveSentence, ...] = ()
    names: tuple[str, str] = PLAYERS
    secret_hashes: tuple[str, str] = ("", "")
    """The hash of each seat's secret."""
    seq: int = 0
    at: int = 0
    """The time of the last event."""
    turn: int = 0
    help: Pair = NEITHER
    rematch: Pair = NEITHER
    takeback: int | None = None
    next: str | None = None
    time_left: tuple[int, int] = (0, 0)
    time_left_before: tuple[tuple[int, int], ...] = ()
    """The time left to each seat before each move, if there are clocks."""
    clock_since: int | None = None
    """The time at which the clock of the player to move started, if it runs."""
    turn_since: int = 0
    """The time since which both players are seated and wait for the current move."""
    over: bool = False
    """True if the game is over."""
    status_seq: int = 0
    """The number of the last event that changed the status."""
    players: tuple[str, str] = (PERSON, PERSON)
    """The player at each seat: as in the terms, unless another level has taken over."""
    failure: str = ""
    """The reason why the computer cannot continue, or an empty string."""
    saved_moves: int = 0
    """The number of moves from a saved game that are not taken back."""
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
            time_left=(time, time),
            over=not match.position.moves(),
            players=terms.players,
            saved_moves=terms.saved_moves,
        )

    # Queries ----------------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The current position."""
        return self.match.position

    @property
    def open_seats(self) -> list[int]:
        """The seats that wait for a person."""
        if self.secret_hashes[0] and self.secret_hashes[1]:
            return []  # the usual case
        return [s for s in (0, 1) if self.players[s] == PERSON and not self.secret_hashes[s]]

    @property
    def computer(self) -> int | None:
        """The seat of the computer, if it plays."""
        if self.players == PEOPLE:
            return None
        return next((seat for seat in (0, 1) if self.players[seat] != PERSON), None)

    @property
    def computer_to_move(self) -> str | None:
        """The level of the computer, if the computer is to move and can."""
        if self.position.to_move == CHANCE or self.over or self.failure:
            return None
        name = self.players[self.position.to_move]
        return None if name == PERSON or self.open_seats else name

    @property
    def chance_to_move(self) -> bool:
        """Return whether chance is to move and no seat is open."""
        return self.position.to_move == CHANCE and not self.over and not self.open_seats

    @property
    def has_committed_draws(self) -> bool:
        """Return whether all draws come from the seed of this game, and none from a saved game."""
        saved = self.match.positions[: self.saved_moves]
        return bool(self.terms.draws) and all(before.to_move != CHANCE for before in saved)

    @property
    def allows_help(self) -> bool:
        """Return whether the server may give hints and evaluations."""
        return all(self.help) or self.over

    def has_moved(self, seat: int) -> bool:
        """Return whether a seat has made a move that is not taken back."""
        return any(position.to_move == seat for position in self.match.positions[:-1])

    def deadline(self) -> int | None:
        """Return the time at which the player to move runs out of time; None if no clock runs."""
        if self.clock_since is None:
            return None
        return self.clock_since + self.time_left[self.position.to_move]

    def time_left_at(self, now: int) -> tuple[int, int]:
        """Return the time left to each seat."""
        if self.clock_since is None:
            return self.time_left
        mover, used = self.position.to_move, max(0, now - self.clock_since)
        return put(self.time_left, mover, max(0, self.time_left[mover] - used))

    def seen_by(self, seats: frozenset[int]) -> tuple[str, ...]:
        """Return the moves as the holder of these seats may know them."""
        return self.memories.seen_by(seats, self.match) if self.memories else self.match.moves

    def listener(self, seats: frozenset[int]) -> Listener:
        """Return the listener at these seats."""
        return listener_of(self.names, self.players, seats)

    def without_secrets(self) -> Match:
        """Return the match up to the first hidden move; all of it if the game is over."""
        return self.match.without_secrets(self.seen_by(frozenset()))

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
                room = replace(self, help=_with_answer(self.help, event.seat, event.text == "on"))
            case "rematch":
                room = replace(self, rematch=_with_answer(self.rematch, event.seat, True))
            case "next":
                room = replace(self, next=event.text)
            case "resume":
                room = self._resume(event)
            case "fail":
                left = self.time_left_at(event.at)
                room = replace(self, failure=event.text, time_left=left, clock_since=None)
            case "level":
                room = self._take_over(event)
            case _:
                raise ValueError(event.kind)
        requests = _requests_after(self, event)
        return replace(room, seq=number, at=event.at, status_seq=number, requests=requests)

    def _sit(self, event: GameEvent) -> Room:
        assert event.seat is not None  # noqa: S101 # `sit` sets it
        data = json.loads(event.text)
        seat = event.seat
        room = replace(
            self,
            names=put(self.names, seat, data["name"]),
            secret_hashes=put(self.secret_hashes, seat, data["holder"]),
            help=put(self.help, seat, data["help"]),
            turn_since=event.at,
        )
        return replace(room, clock_since=room._clock_start(event.at, room.match))  # noqa: SLF001 # a room's own

    def _move(self, event: GameEvent, number: int) -> Room:
        before, match = self.position, self.match
        after, text, over, sentence = event.result or step(before, event.text)
        changes_status = over or self.takeback is not None or self.terms.clock
        match = Match(match.positions + (after,), match.moves + (event.text,))  # noqa: RUF005 # faster
        return replace(
            self,
            match=match,
            memories=self.memories and self.memories.after(before, event.text, after),
            texts=self.texts + (text,),  # noqa: RUF005 # see above
            sentences=self.sentences + (sentence,),  # noqa: RUF005 # see above
            over=over,
            seq=number,
            at=event.at,
            turn=number,
            status_seq=number if changes_status else self.status_seq,
            takeback=None,
            time_left=self._time_left_after_move(event.at),
            time_left_before=(*self.time_left_before, self.time_left) if self.terms.clock else (),
            clock_since=self._clock_start(event.at, match),
            turn_since=event.at,
        )

    def _time_left_after_move(self, at: int) -> tuple[int, int]:
        if self.terms.clock is None:
            return self.time_left
        left, mover = self.time_left_at(at), self.position.to_move
        if mover == CHANCE or len(self.match.moves) < self.saved_moves:
            return left
        return put(left, mover, left[mover] + self.terms.clock[1])

    def _clock_start(self, at: int, match: Match) -> int | None:
        """Return when the next clock starts; each player's first move costs no time."""
        if not self.terms.clock or self.open_seats or self.failure:
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
            time_left=self.time_left_at(event.at),
            clock_since=None,
            over=True,
            takeback=None,
            turn=self.seq + 1,
        )

    def _take_back(self, event: GameEvent) -> Room:
        match = self.match.take_back(event.seat)
        length = len(match.moves)
        room = replace(
            self,
            match=match,
            memories=self.memories and self.memories.up_to(match),
            texts=self.texts[:length],
            sentences=self.sentences[:length],
            over=False,
            takeback=None,
            failure="",  # in another position the computer may have a move
            time_left=_time_left_after_takeback(self, match, event),
            time_left_before=self.time_left_before[: len(match.moves)],
            turn_since=event.at,
            turn=self.seq + 1,
            saved_moves=min(self.saved_moves, length),
        )
        return replace(room, clock_since=room._clock_start(event.at, match))  # noqa: SLF001 # a room's own

    def _take_over(self, event: GameEvent) -> Room:
        """Return the room after another level took the computer's seat."""
        assert event.seat is not None  # noqa: S101 # `_take_over` sets it
        room = replace(
            self,
            players=put(self.players, event.seat, event.text),
            names=put(self.names, event.seat, computer_name(event.text)),
            failure="",
        )
        return replace(room, clock_since=room._clock_start(event.at, room.match))  # noqa: SLF001 # a room's own

    def _resume(self, event: GameEvent) -> Room:
        """Return the room after a time without a server, which costs no player time."""
        if not event.text:  # an older server started the turn again
            return self if self.clock_since is None else replace(self, clock_since=event.at)
        lost = int(event.text)
        since = None if self.clock_since is None else self.clock_since + lost
        return replace(self, clock_since=since, turn_since=self.turn_since + lost)


@lru_cache(maxsize=20_000)
def step(position: Position, move: str) -> Step:
    """Return the result of a move, or raise an error if it is not legal.

    Results are cached, because many games reach the same positions.
    """
    after = position.play(move)
    return after, position.tell(move, after), not after.moves(), MoveSentence(position, move, after)


def _with_answer(pair: Pair, seat: int | None, answer: bool) -> Pair:
    """Return both answers after a seat, or both seats (None), gave one."""
    return (answer, answer) if seat is None else put(pair, seat, answer)


def _requests_after(room: Room, event: GameEvent) -> tuple[int, int]:
    """Return the number of requests; a reply counts for the seat that asked."""
    if event.kind not in REQUESTS:
        return room.requests
    requester = room.takeback if event.kind == "decline" else event.seat
    first, second = (n + (requester in (None, seat)) for seat, n in enumerate(room.requests))
    return first, second


def _time_left_after_takeback(room: Room, match: Match, event: GameEvent) -> tuple[int, int]:
    """Return the time left to each seat after moves were taken back.

    The side that asked has used its time, and gets no increment for the moves taken back. The
    other side has the time that it had when the position first arose.
    """
    length = len(match.moves)
    if room.terms.clock is None or length == len(room.match.moves):
        return room.time_left_at(event.at)
    increment, before = room.terms.clock[1], room.time_left_before[length]
    left = list(room.time_left_at(event.at))
    movers = [position.to_move for position in room.match.positions[length:-1]]
    for seat in (0, 1):
        if event.seat in (None, seat):  # the side that asked; None stands for both at one device
            left[seat] -= movers.count(seat) * increment
            # Leave at least the increment, or the earlier time if that was less.
            left[seat] = max(left[seat], min(before[seat], increment))
        else:
            left[seat] = before[seat]
    return left[0], left[1]
