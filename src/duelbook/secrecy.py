"""What follows from `view`: what is typed without echo, and which moves a seat may know of.

Three words are used throughout:

- A *secret* is something that one seat knows and the other may not know yet. A game keeps secrets
  if its `view` leaves anything out for either seat.
- *Hidden* is what a view leaves out; `HIDDEN` stands in its place.
- A move is *sealed* from when it is made until it is revealed: it is typed without echo, and
  whoever may not know it sees `?` for it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import islice

from duelbook.growing import GrowingTuple
from duelbook.position import CHANCE, HIDDEN, Position, is_plain

SEALED_MARK = "?"
MOST_WORLDS = 10_000
MOST_STEPS = 10
"""A limit on the moves that are tried for one move allows so many times as many for a secret."""
Moves = GrowingTuple[str]
NO_MOVES = Moves()


def keeps_secrets(game: type[Position]) -> bool:
    """Whether a game hides anything from anyone."""
    return game.view is not Position.view


def public_view(position: Position) -> Position:
    """Return the position with everything hidden that either seat may not know."""
    return position.view(0).view(1)


def has_hand(position: Position, seat: int) -> bool:
    """Whether a seat knows something that the public view does not show."""
    return position.view(seat) != public_view(position)


def known_to_both(
    known: tuple[Sequence[str], Sequence[str]], movers: Sequence[int]
) -> tuple[str, ...]:
    """Return each move as the opponent of its player knows it; of chance, what both seats know."""
    return tuple(
        common((known[0][at], known[1][at])) if mover == CHANCE else known[1 - mover][at]
        for at, mover in enumerate(movers)
    )


def hidden_from_mover(position: Position) -> bool:
    """Whether the player to move must choose without knowing something; chance knows all."""
    if has_hidden(position):
        return True
    return position.to_move != CHANCE and position.view(position.to_move) != position


def has_hidden(position: Position) -> bool:
    """Whether something is hidden in the position itself, as in a view."""
    return any(_hides(getattr(position, field.name)) for field in fields(position))


def _hides(value: object) -> bool:
    return value is HIDDEN or (isinstance(value, tuple) and any(map(_hides, value)))


def is_sealed(position: Position, words: tuple[str, ...]) -> bool:
    """Whether a move that starts with these words is sealed: the other seat may not see it yet.

    It is if the other seat will not know it, or if it answers a sealed move, which is revealed to
    its player together with the answer. A hand that stays hidden seals no move.
    """
    if not keeps_secrets(type(position)) or position.to_move == CHANCE:
        return False
    if has_hidden(position):
        return True
    return _answers_in_the_dark(position) or _is_unseen(position, words)


def _answers_in_the_dark(position: Position) -> bool:
    me = position.to_move
    return position.view(me) != position and all(
        (after := position.apply(move)).view(me) == after for move in position.moves()
    )


def _is_unseen(position: Position, words: tuple[str, ...]) -> bool:
    ahead = _ahead(position, words)
    if position.view(1 - position.to_move) == position:
        return any(look != after for _, after, look in ahead)
    return len({look for *_, look in ahead}) < len(ahead)


def is_unseen_move(before: Position, move: str, after: Position) -> bool:
    """Whether a player's move is one that the other seat has not seen."""
    if before.to_move == CHANCE:
        return False
    other = 1 - before.to_move
    look = after.view(other)
    if look == after:
        return False
    return before.view(other) == before or any(
        before.apply(one).view(other) == look for one in before.moves() if one != move
    )


def is_secret_word(position: Position, words: tuple[str, ...]) -> bool:
    """Whether the next word itself must be typed without echo.

    It must when something is hidden from the player, whose answer is revealed together with it,
    or when the opponent's view will not tell this word from another.
    """
    if not is_sealed(position, words):
        return False
    word_of: dict[Position, str] = {}
    return (
        has_hidden(position)
        or _answers_in_the_dark(position)
        or any(word_of.setdefault(look, word) != word for word, _, look in _ahead(position, words))
    )


def _ahead(position: Position, words: tuple[str, ...]) -> list[tuple[str, Position, Position]]:
    """Return for each move from these words its next word, the position after it, and the
    opponent's view of that.
    """
    here, other = len(words), 1 - position.to_move
    moves = [(move, move.split()) for move in position.moves()]
    after = [
        (spelled[here], position.apply(move))
        for move, spelled in moves
        if tuple(spelled[:here]) == words and len(spelled) > here
    ]
    return [(word, position, position.view(other)) for word, position in after]


@dataclass(frozen=True, slots=True)
class Memory:
    """What a seat knows of the moves so far; it grows with each move.

    A world is a position that the game may be in, as far as the seat knows from its views and
    from what was told. A move is known when all worlds agree on it. Memories of one game share
    what they have in common, so that the one before each move can be kept.
    """

    seat: int
    worlds: frozenset[tuple[Position, Moves]]
    """The worlds, each with the moves that led to it; none if there are too many to follow."""
    certain: Moves = NO_MOVES
    """The moves that all worlds share at the start."""
    uncertain: Moves = NO_MOVES
    """The views and texts of each move since then."""
    public: Moves = NO_MOVES
    """Every move as it was known when it was made."""
    followed: int = 0
    """How many worlds there were after each of the uncertain moves, in all."""

    @classmethod
    def begin(cls, start: Position, seat: int) -> Memory:
        """Return the memory of a seat at the start."""
        return cls(seat, frozenset({(start, NO_MOVES)}))

    def after(
        self, before: Position, move: str, after: Position, *, most: int | None = None
    ) -> Memory:
        """Return the memory after one more move; `most` limits the moves that are tried for it."""
        seat, look = self.seat, after.view(self.seat)
        known = before.to_move == seat or (
            look == after and before.view(seat) == before and not hidden_from_mover(before)
        )
        if known and len(self.worlds) == 1:
            certain, public = self.certain.plus(move), self.public.plus(move)
            return Memory(seat, frozenset({(after, NO_MOVES)}), certain, NO_MOVES, public)
        followed = self.worlds if most is None or self._is_within(most, known) else frozenset()
        seen = known or (not followed and is_plain(before.view(seat), move, look, seat))
        # Those who stop following know as much as until now.
        past = Moves(self.moves()) if self.worlds and not followed else self.public
        public = past.plus(move if seen else SEALED_MARK)
        told = before.tell(move, after)
        possible = (
            (world, past.plus(other))
            for position, past in followed
            for other in position.moves()
            if (other == move or not known)
            and (world := position.apply(other)).view(seat) == look
            and position.tell(other, world) == told
        )
        worlds = frozenset(islice(possible, MOST_WORLDS + 1))
        if len(worlds) == 1:
            ((_, past),) = worlds
            certain = self.certain.plus(*past)
            return Memory(seat, frozenset({(after, NO_MOVES)}), certain, NO_MOVES, public)
        if len(worlds) > MOST_WORLDS:
            worlds = frozenset()
        uncertain = self.uncertain.plus(f"{before.view(seat)} {public[-1]} {told!r}")
        tried = self.followed + len(worlds)
        return Memory(seat, worlds, self.certain, uncertain, public, tried)

    def _is_within(self, most: int, known: bool) -> bool:
        """Whether the next move can be followed in all worlds, if so many moves may be tried."""
        if self.followed > MOST_STEPS * most:
            return False
        tries = (1 if known else len(position.moves()) for position, _ in self.worlds)
        return sum(tries) <= most

    def moves(self) -> tuple[str, ...]:
        """Return the moves as the seat may know them: `attack ?` while the rest is sealed."""
        if not self.worlds:  # then return less than the seat may know, never more
            return tuple(self.public)
        pasts = (past for _, past in self.worlds)
        return (*self.certain, *map(common, zip(*pasts, strict=True)))

    def information(self, look: Position) -> str:
        """Return the information state: equal exactly where the seat cannot tell the difference."""
        return " | ".join((*self.certain, *self.uncertain, repr(look)))


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """What a seat has seen and heard in a game: all that its choices may depend on."""

    seat: int
    start: Position
    """Its view of the start."""
    steps: tuple[tuple[str, str, Position], ...] = ()
    """For each move: the move if it was the seat's own, what was told, and its view after it."""

    @property
    def view(self) -> Position:
        """The seat's current view."""
        return self.steps[-1][2] if self.steps else self.start

    def continues(self, earlier: SeatRecord) -> bool:
        """Whether it goes on from an earlier one, with no takeback or new game between."""
        known = len(earlier.steps)
        same = (self.seat, self.start) == (earlier.seat, earlier.start)
        return same and len(self.steps) > known and self.steps[:known] == earlier.steps

    def after(self, before: Position, move: str, after: Position) -> SeatRecord:
        """Return the record after one more move."""
        own = move if before.to_move == self.seat else ""
        step = own, before.tell(move, after), after.view(self.seat)
        return SeatRecord(self.seat, self.start, (*self.steps, step))


def record_of(seat: int, positions: Sequence[Position], moves: Sequence[str]) -> SeatRecord:
    """Return what a seat has seen and heard."""
    record = SeatRecord(seat, positions[0].view(seat))
    for step in zip(positions, moves, positions[1:], strict=False):
        record = record.after(*step)
    return record


def seen_by(seat: int, positions: Sequence[Position], moves: Sequence[str]) -> tuple[str, ...]:
    """Return the moves as a seat may know them: see `Memory`."""
    if not keeps_secrets(type(positions[0])):
        return tuple(moves)
    memory = Memory.begin(positions[0], seat)
    for before, move, after in zip(positions, moves, positions[1:], strict=False):
        memory = memory.after(before, move, after)
    return memory.moves()


def common(moves: tuple[str, ...]) -> str:
    """Return the common first words of these moves."""
    if len(set(moves)) == 1:
        return moves[0]
    shared = []
    for words in zip(*(move.split() for move in moves), strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return " ".join([*shared, SEALED_MARK])
