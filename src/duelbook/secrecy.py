"""Consequences of `view`: the words to type without echo, and the moves that a seat knows.

- A view is a position with `HIDDEN` in place of everything that a seat may not know.
- A game keeps secrets if its `view` hides anything from either seat.
- A hidden choice is a move that the other seat does not know until a later move reveals it. Its
  player types it without echo, and the other seat sees `?` in its place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from itertools import islice

from duelbook.growing_tuple import GrowingTuple
from duelbook.position import CHANCE, HIDDEN, Position, is_evident_from_views

HIDDEN_MARK = "?"
MAX_WORLDS = 10_000
SECRET_TRIES_FACTOR = 10
"""The limit on tries for one secret, as a multiple of the limit on tries for one move."""
Moves = GrowingTuple[str]
NO_MOVES = Moves()


def keeps_secrets(game: type[Position]) -> bool:
    """Return whether a game hides anything from a seat."""
    return game.view is not Position.view


def public_view(position: Position) -> Position:
    """Return the position with HIDDEN in place of everything that either seat may not know."""
    return position.view(0).view(1)


def has_private_information(position: Position, seat: int) -> bool:
    """Return whether a seat knows something that the public view does not show."""
    return position.view(seat) != public_view(position)


def known_to_both(
    known: tuple[Sequence[str], Sequence[str]], movers: Sequence[int]
) -> tuple[str, ...]:
    """Return each move as the mover's opponent knows it, and chance outcomes as both seats do."""
    return tuple(
        common((known[0][at], known[1][at])) if mover == CHANCE else known[1 - mover][at]
        for at, mover in enumerate(movers)
    )


def hidden_from_mover(position: Position) -> bool:
    """Return whether something is hidden from the player to move; nothing is hidden from chance."""
    if has_hidden(position):
        return True
    return position.to_move != CHANCE and position.view(position.to_move) != position


def has_hidden(position: Position) -> bool:
    """Return whether a field of the position holds HIDDEN, as in a view."""
    return any(_hides(getattr(position, field.name)) for field in fields(position))


def _hides(value: object) -> bool:
    return value is HIDDEN or (isinstance(value, tuple) and any(map(_hides, value)))


def is_hidden_choice(position: Position, words: tuple[str, ...]) -> bool:
    """Return whether a move that starts with these words is a hidden choice.

    A move is a hidden choice if the other seat will not know it. A move that answers a hidden
    choice is one too, because the game reveals both together. Private cards alone make no move a
    hidden choice.
    """
    if not keeps_secrets(type(position)) or position.to_move == CHANCE:
        return False
    if has_hidden(position):
        return True
    return _answers_hidden_choice(position) or _is_unseen(position, words)


def _answers_hidden_choice(position: Position) -> bool:
    me = position.to_move
    return position.view(me) != position and all(
        (after := position.apply(move)).view(me) == after for move in position.moves()
    )


def _is_unseen(position: Position, words: tuple[str, ...]) -> bool:
    continuations = _continuations(position, words)
    if position.view(1 - position.to_move) == position:
        return any(look != after for _, after, look in continuations)
    return len({look for *_, look in continuations}) < len(continuations)


def is_unseen_move(before: Position, move: str, after: Position) -> bool:
    """Return whether the other seat does not know a player's move."""
    if before.to_move == CHANCE:
        return False
    other = 1 - before.to_move
    look = after.view(other)
    if look == after:
        return False
    return before.view(other) == before or any(
        before.apply(legal).view(other) == look for legal in before.moves() if legal != move
    )


def is_secret_word(position: Position, words: tuple[str, ...]) -> bool:
    """Return whether the player must type the next word without echo.

    The player must do so if the move answers a hidden choice, or if two different words lead to the
    same view for the opponent.
    """
    if not is_hidden_choice(position, words):
        return False
    word_of: dict[Position, str] = {}
    return (
        has_hidden(position)
        or _answers_hidden_choice(position)
        or any(
            word_of.setdefault(look, word) != word
            for word, _, look in _continuations(position, words)
        )
    )


def _continuations(
    position: Position, words: tuple[str, ...]
) -> list[tuple[str, Position, Position]]:
    """Return for each legal move: its next word, the position after it, the opponent's view."""
    known, other = len(words), 1 - position.to_move
    moves = [(move, move.split()) for move in position.moves()]
    after = [
        (spelled[known], position.apply(move))
        for move, spelled in moves
        if tuple(spelled[:known]) == words and len(spelled) > known
    ]
    return [(word, position, position.view(other)) for word, position in after]


@dataclass(frozen=True, slots=True)
class Memory:
    """The moves so far, as a seat can deduce them from its views and the texts that it has read.

    A world is a position that agrees with all of these views and texts. A move is known if it is
    the same in all worlds. A memory is immutable. `after` returns the next memory, which shares
    parts with this one.
    """

    seat: int
    worlds: frozenset[tuple[Position, Moves]]
    """Each world with the uncertain moves that lead to it; empty if there are too many worlds."""
    certain: Moves = NO_MOVES
    """The known moves before the first uncertain move."""
    uncertain: Moves = NO_MOVES
    """For each move since then: the view before it, its known part and its text."""
    public: Moves = NO_MOVES
    """Every move as the seat knew it right after the move."""
    followed: int = 0
    """The sum of the numbers of worlds after each uncertain move."""

    @classmethod
    def begin(cls, start: Position, seat: int) -> Memory:
        """Return the memory of a seat at the start."""
        return cls(seat, frozenset({(start, NO_MOVES)}))

    def after(
        self, before: Position, move: str, after: Position, *, max_tries: int | None = None
    ) -> Memory:
        """Return the memory after one more move; try at most `max_tries` moves to compute it."""
        seat, look = self.seat, after.view(self.seat)
        known = before.to_move == seat or (
            look == after and before.view(seat) == before and not hidden_from_mover(before)
        )
        if known and len(self.worlds) == 1:
            certain, public = self.certain.plus(move), self.public.plus(move)
            return Memory(seat, frozenset({(after, NO_MOVES)}), certain, NO_MOVES, public)
        followed = (
            self.worlds if max_tries is None or self._is_within(max_tries, known) else frozenset()
        )
        seen = known or (
            not followed and is_evident_from_views(before.view(seat), move, look, seat)
        )
        # A memory that stops following worlds still has the moves that it knows.
        past = Moves(self.moves()) if self.worlds and not followed else self.public
        public = past.plus(move if seen else HIDDEN_MARK)
        text = before.tell(move, after)
        possible = (
            (world, past.plus(other))
            for position, past in followed
            for other in position.moves()
            if (other == move or not known)
            and (world := position.apply(other)).view(seat) == look
            and position.tell(other, world) == text
        )
        worlds = frozenset(islice(possible, MAX_WORLDS + 1))
        if len(worlds) == 1:
            ((_, past),) = worlds
            certain = self.certain.plus(*past)
            return Memory(seat, frozenset({(after, NO_MOVES)}), certain, NO_MOVES, public)
        if len(worlds) > MAX_WORLDS:
            worlds = frozenset()
        uncertain = self.uncertain.plus(f"{view_key(before.view(seat))} {public[-1]} {text!r}")
        tried = self.followed + len(worlds)
        return Memory(seat, worlds, self.certain, uncertain, public, tried)

    def _is_within(self, max_tries: int, known: bool) -> bool:
        """Return whether all worlds can be followed through the next move within the limit."""
        if self.followed > SECRET_TRIES_FACTOR * max_tries:
            return False
        tries = (1 if known else len(position.moves()) for position, _ in self.worlds)
        return sum(tries) <= max_tries

    def moves(self) -> tuple[str, ...]:
        """Return the moves as the seat may know them, with `?` for a hidden part: `attack ?`."""
        if not self.worlds:  # less than the seat may know, never more
            return tuple(self.public)
        pasts = (past for _, past in self.worlds)
        return (*self.certain, *map(common, zip(*pasts, strict=True)))

    def information(self, look: Position) -> str:
        """Return the information state: the same text exactly if the seat sees no difference."""
        return " | ".join((*self.certain, *self.uncertain, view_key(look)))


@dataclass(frozen=True, slots=True)
class SeatRecord:
    """Everything that a seat has seen in a game: its moves, the texts and its views.

    A player chooses a move from the record of its seat alone.
    """

    seat: int
    start: Position
    """The seat's view of the start."""
    steps: tuple[tuple[str, str, Position], ...] = ()
    """For each ply: the move (empty if the seat did not make it), the text, the view after it."""

    @property
    def view(self) -> Position:
        """The seat's current view."""
        return self.steps[-1][2] if self.steps else self.start

    def continues(self, earlier: SeatRecord) -> bool:
        """Return whether this record extends an earlier one, without a takeback or a new game."""
        known = len(earlier.steps)
        same = (self.seat, self.start) == (earlier.seat, earlier.start)
        return same and len(self.steps) > known and self.steps[:known] == earlier.steps

    def after(self, before: Position, move: str, after: Position) -> SeatRecord:
        """Return the record after one more move."""
        step = _record_step(self.seat, before, move, after)
        return SeatRecord(self.seat, self.start, (*self.steps, step))


def record_of(seat: int, positions: Sequence[Position], moves: Sequence[str]) -> SeatRecord:
    """Return the record of a seat."""
    plies = zip(positions, moves, positions[1:], strict=False)
    steps = tuple(_record_step(seat, *ply) for ply in plies)
    return SeatRecord(seat, positions[0].view(seat), steps)


def _record_step(
    seat: int, before: Position, move: str, after: Position
) -> tuple[str, str, Position]:
    return move if before.to_move == seat else "", before.tell(move, after), after.view(seat)


def seen_by(seat: int, positions: Sequence[Position], moves: Sequence[str]) -> tuple[str, ...]:
    """Return the moves as a seat may know them: see `Memory`."""
    if not keeps_secrets(type(positions[0])):
        return tuple(moves)
    memory = Memory.begin(positions[0], seat)
    for before, move, after in zip(positions, moves, positions[1:], strict=False):
        memory = memory.after(before, move, after)
    return memory.moves()


def view_key(view: Position) -> str:
    """Return a text that identifies a view: views have the same text exactly if they are equal."""
    return repr(view)


def common(moves: tuple[str, ...]) -> str:
    """Return the first words that these moves share, with `?` for the rest if they differ."""
    if len(set(moves)) == 1:
        return moves[0]
    shared = []
    for words in zip(*(move.split() for move in moves), strict=False):
        if len(set(words)) > 1:
            break
        shared.append(words[0])
    return " ".join([*shared, HIDDEN_MARK])
