"""A room is a game on the server: its terms, and a fold of its events."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache, reduce
from itertools import islice

from msgspec import Struct
from msgspec.structs import replace

from duelbook import secrecy
from duelbook.play.match import LostBy, Match, checked
from duelbook.play.names import PLAYERS
from duelbook.play.series import PERSON
from duelbook.play.sitting import take_back
from duelbook.position import LUCK, Position, put
from duelbook.secrecy import Memory, Record


@dataclass(frozen=True, slots=True)
class Terms:
    """What is fixed when a game is created; times are in milliseconds."""

    id: str
    game: type[Position]
    first: int = 0
    players: tuple[str, str] = (PERSON, PERSON)
    seed: int = 0
    clock: tuple[int, int] | None = None
    """The initial time of each seat, and the increment."""
    created: int = 0
    draws: str = ""
    """The seed of the draws, for a game with luck: a secret until the game is over."""
    brought: int = 0
    """How many moves the game began with, if it continues a saved one."""


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened in a game, and when."""

    kind: str
    seat: int | None = None
    text: str = ""
    at: int = 0


Pair = tuple[bool, bool]
NEITHER: Pair = (False, False)
MOST_TRIED = 2_000
"""The moves that are tried to find out which hidden ones a seat may know; the others stay `?`."""


class Room(Struct, frozen=True):
    """The state of a game after its events. It is immutable: `after` returns another room."""

    terms: Terms
    match: Match
    memories: tuple[Memory, ...] = ()
    """What each seat knows of the moves, if the game keeps secrets."""
    told: tuple[str, ...] = ()
    names: tuple[str, str] = PLAYERS
    holders: tuple[str, str] = ("", "")
    """The hash of each seat's secret."""
    seq: int = 0
    turn: int = 0
    help: Pair = NEITHER
    rematch: Pair = NEITHER
    takeback: int | None = None
    next: str | None = None
    left: tuple[int, int] = (0, 0)
    since: int | None = None
    """When the clock of the player to move started, if it runs."""
    over: bool = False
    """Whether the game is over: someone has won, or there is no move."""
    noted: int = 0
    """The number of the last event that changed anything but the position."""
    players: tuple[str, str] = (PERSON, PERSON)
    """Who sits where: as the terms say, unless another level has taken over."""
    failed: str = ""
    """Why the computer cannot go on, if it cannot."""
    brought: int = 0
    """How many of the moves were not drawn or played here, but came with a saved game."""

    @classmethod
    def begin(cls, terms: Terms) -> Room:
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
            _memories(match),
            names=(names[0], names[1]),
            help=(computers[0], computers[1]),
            rematch=(computers[0], computers[1]),
            left=(time, time),
            over=not match.position.moves(),
            players=terms.players,
            brought=terms.brought,
        )

    # What can be asked of it ------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The current position."""
        return self.match.position

    @property
    def open_seats(self) -> list[int]:
        """The seats that wait for a person."""
        return [s for s in (0, 1) if self.players[s] == PERSON and not self.holders[s]]

    @property
    def computer(self) -> int | None:
        """The seat of the computer, if it plays."""
        return next((seat for seat in (0, 1) if self.players[seat] != PERSON), None)

    @property
    def computer_to_move(self) -> str | None:
        """The level of the computer that is to move, if one is and can."""
        if self.position.to_move == LUCK or self.over or self.failed:
            return None
        name = self.players[self.position.to_move]
        return None if name == PERSON or self.open_seats else name

    @property
    def luck_to_move(self) -> bool:
        """Whether luck is to move, and everybody is there."""
        return self.position.to_move == LUCK and not self.over and not self.open_seats

    @property
    def promises_draws(self) -> bool:
        """Whether all draws come from the seed of this game, and none from an earlier one."""
        brought = self.match.positions[: self.brought]
        return bool(self.terms.draws) and all(before.to_move != LUCK for before in brought)

    @property
    def gives_help(self) -> bool:
        """Whether hints and evaluations may be given."""
        return all(self.help) or self.over

    def deadline(self) -> int | None:
        """Return when the player to move runs out of time, if the clock runs; luck has none."""
        return None if self.since is None else self.since + self.left[self.position.to_move]

    def left_at(self, now: int) -> tuple[int, int]:
        """Return the time left to each seat."""
        if self.since is None:
            return self.left
        mover = self.position.to_move
        return put(self.left, mover, max(0, self.left[mover] - (now - self.since)))

    def seen_by(self, seats: frozenset[int]) -> tuple[str, ...]:
        """Return the moves as the holder of these seats may know them."""
        if not self.memories:
            return self.match.moves
        if len(seats) == 1:
            return self.memories[min(seats)].moves()
        known = self.memories[0].moves(), self.memories[1].moves()
        movers = [position.to_move for position in self.match.positions[:-1]]
        return secrecy.known_to_both(known, movers)

    def record(self, seat: int) -> Record:
        """Return what a seat has seen and heard."""
        positions, moves = self.match.positions, self.match.moves
        steps = tuple(
            (move if before.to_move == seat else "", told, after.view(seat))
            for before, move, told, after in zip(
                positions, moves, self.told, positions[1:], strict=False
            )
        )
        return Record(seat, positions[0].view(seat), steps)

    # What happens to it -----------------------------------------------------------------------

    def after(self, event: Event) -> Room:  # noqa: C901, PLR0912 # one a kind
        """Return the room after an event."""
        number = self.seq + 1
        match event.kind:
            case "move":
                return self._move(event, number)
            case "sit":
                room = self._sit(event)
            case "resign" | "time":
                room = self._lose(event)
            case "draw":
                match = self.match.draw("cut" if event.text == "cut" else "agreement")
                room = replace(self, match=match, since=None, over=True, turn=number)
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
        return replace(room, seq=number, noted=number)

    def _sit(self, event: Event) -> Room:
        assert event.seat is not None  # noqa: S101 # as `sit` writes it
        data = json.loads(event.text)
        seat = event.seat
        room = replace(
            self,
            names=put(self.names, seat, data["name"]),
            holders=put(self.holders, seat, data["holder"]),
            help=put(self.help, seat, data["help"]),
        )
        return replace(room, since=room._runs_from(event.at, room.match))  # noqa: SLF001 # a room's own

    def _move(self, event: Event, number: int) -> Room:
        before, match = self.position, self.match
        after, told, over = step(before, event.text)
        is_noted = over or self.takeback is not None or self.terms.clock
        match = Match((*match.positions, after), (*match.moves, event.text))
        return replace(
            self,
            match=match,
            memories=tuple(
                m.after(before, event.text, after, most=MOST_TRIED) for m in self.memories
            ),
            told=(*self.told, told),
            over=over,
            seq=number,
            turn=number,
            noted=number if is_noted else self.noted,
            takeback=None,
            left=self._left_after_move(event.at),
            since=self._runs_from(event.at, match),
        )

    def _left_after_move(self, at: int) -> tuple[int, int]:
        if self.terms.clock is None:
            return self.left
        left, mover = self.left_at(at), self.position.to_move
        if mover == LUCK:
            return left
        return put(left, mover, left[mover] + self.terms.clock[1])

    def _runs_from(self, at: int, match: Match) -> int | None:
        """Return when the next clock starts; each player's first move is free."""
        if not self.terms.clock or self.open_seats or self.failed:
            return None
        if match.position.to_move == LUCK:
            return None
        chosen = (position for position in match.positions[:-1] if position.to_move != LUCK)
        runs = len(list(islice(chosen, 2))) == 2
        return at if runs and match.position.moves() else None

    def _lose(self, event: Event) -> Room:
        by: LostBy = "time" if event.kind == "time" else "resignation"
        return replace(
            self,
            match=self.match.resign(event.seat, by),
            left=self.left_at(event.at),
            since=None,
            over=True,
            takeback=None,
            turn=self.seq + 1,
        )

    def _take_back(self, event: Event) -> Room:
        match = take_back(self.match, event.seat)
        room = replace(
            self,
            match=match,
            memories=_memories(match),
            told=self.told[: len(match.moves)],
            over=False,
            takeback=None,
            failed="",  # elsewhere the computer may know what to do
            left=self.left_at(event.at),
            turn=self.seq + 1,
            brought=min(self.brought, len(match.moves)),
        )
        return replace(room, since=room._runs_from(event.at, match))  # noqa: SLF001 # a room's own

    def _take_over(self, event: Event) -> Room:
        """Return the room after another level took the computer's seat."""
        assert event.seat is not None  # noqa: S101 # as `take_over` writes it
        room = replace(
            self,
            players=put(self.players, event.seat, event.text),
            names=put(self.names, event.seat, computer_name(event.text)),
            failed="",
        )
        return replace(room, since=room._runs_from(event.at, room.match))  # noqa: SLF001 # a room's own

    def _resume(self, event: Event) -> Room:
        return self if self.since is None else replace(self, since=event.at)


@lru_cache(maxsize=20_000)
def step(position: Position, move: str) -> tuple[Position, str, bool]:
    """Return the position after a move, its text, and whether the game is over; or refuse it.

    It is cached: games pass through the same positions again and again.
    """
    after = checked(position, move)
    return after, position.tell(move, after), not after.moves()


def fold(room: Room, events: Iterable[Event]) -> Room:
    """Return the room after all these events."""
    return reduce(Room.after, events, room)


def computer_name(level: str) -> str:
    """Return what the computer is called."""
    return f"Computer ({level})"


def _said(pair: Pair, seat: int | None, word: bool) -> Pair:
    """Return both answers after one side, or both (None), gave one."""
    return (word, word) if seat is None else put(pair, seat, word)


def _memories(match: Match) -> tuple[Memory, ...]:
    if not secrecy.keeps_secrets(type(match.position)):
        return ()
    memories = [Memory.begin(match.positions[0], seat) for seat in (0, 1)]
    for before, move, after in zip(match.positions, match.moves, match.positions[1:], strict=False):
        memories = [memory.after(before, move, after, most=MOST_TRIED) for memory in memories]
    return tuple(memories)
