"""`Match`: one game with checked moves, takebacks, texts, and the knowledge of each seat."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from duelbook import secrecy
from duelbook.errors import DuelbookError, IllegalMove
from duelbook.outcome import Outcome
from duelbook.position import CHANCE, Listener, Position, player

LostBy = Literal["resignation", "time", "left"]
LOST_BY: dict[LostBy, str] = {
    "resignation": "resigns",
    "time": "runs out of time",
    "left": "has left the game",
}
"""The reasons for a loss without a move, and the words for each."""
DrawnBy = Literal["agreement", "cut", "left", "aborted"]
DRAWN_BY: dict[DrawnBy, str] = {
    "agreement": "The players agree on a draw.",
    "cut": "The game is cut off at its limit, and is a draw.",
    "left": "A player has left the game, and it is a draw.",
    "aborted": "The game is aborted: nobody wins.",
}
"""The reasons for an end without a move and without a winner, and the text for each."""


@dataclass(frozen=True)
class Match:
    """One game: a start and the moves since; `Series` is a best-of-N.

    A match is immutable: `play` and `undo` return another match.
    """

    positions: tuple[Position, ...]
    moves: tuple[str, ...] = ()
    resigned: int | None = None
    """The seat that has lost without a move."""
    lost_by: LostBy = "resignation"
    """The reason for this loss; see `LOST_BY`."""
    drawn_by: DrawnBy | None = None
    """The reason for an end without a move and without a winner, or None; see `DRAWN_BY`."""

    @classmethod
    def begin(cls, game: type[Position], first: int = 0) -> Match:
        """Return a match at its start, with the given seat to move."""
        return cls((game.start(first),))

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    @property
    def first(self) -> int:
        """The seat that moves first; if chance moves first, the seat given to `start`."""
        start = self.positions[0]
        if start.to_move != CHANCE:
            return start.to_move
        return next((seat for seat in (0, 1) if type(start).start(seat) == start), 0)

    def outcome(self) -> Outcome | None:
        """Return the outcome, by the rules or without a move; None while the game continues."""
        if self.resigned is not None:
            return Outcome(1 - self.resigned, self.lost_by)
        if self.drawn_by is not None:
            return Outcome(None, self.drawn_by)
        return self.position.outcome()

    def winner(self) -> int | None:
        """Return the seat that has won; None if nobody has, or if the game is not over."""
        outcome = self.outcome()
        return outcome.winner if outcome else None

    # Moves ----------------------------------------------------------------------------------

    def play(self, move: str) -> Match:
        """Return the match after a move, or refuse the move with the reason."""
        self._check_not_over()
        after = self.position.play(move)
        return Match((*self.positions, after), (*self.moves, move))

    def resign(self, seat: int | None = None, by: LostBy = "resignation") -> Match:
        """Return the match after a loss of a seat; by default, the seat to move resigns."""
        self._check_not_over()
        if seat not in (None, 0, 1):
            raise DuelbookError(f"A seat is 0 or 1, not {seat!r}.")
        if by not in LOST_BY:
            raise DuelbookError(f"A game is lost by {' or '.join(LOST_BY)}, not by {by!r:.40}.")
        if seat is None:
            if self.position.to_move == CHANCE:
                raise DuelbookError("Chance is to move: name the seat that resigns.")
            seat = self.position.to_move
        return replace(self, resigned=seat, lost_by=by)

    def draw(self, by: DrawnBy = "agreement") -> Match:
        """Return the match after an end without a move and without a winner."""
        self._check_not_over()
        if by not in DRAWN_BY:
            raise DuelbookError(f"A game is drawn by {' or '.join(DRAWN_BY)}, not by {by!r:.40}.")
        return replace(self, drawn_by=by)

    def _check_not_over(self) -> None:
        if self.outcome() is not None:
            raise IllegalMove("The game is over.")

    def undo(self) -> Match:
        """Return the match before a player's last move, or before its end without a move.

        Take back the chance outcomes after the move, too. Take back together the choices that were
        revealed together; otherwise the second player would know the choice of the first.
        """
        if self.ending():
            return Match(self.positions, self.moves)
        return self._first_moves(self._before_choice(len(self.moves)))

    def take_back(self, seat: int | None) -> Match:
        """Return the match before the last choice of a seat; None means either seat."""
        if seat is None:
            return self.undo()
        if self.resigned == seat and self.lost_by == "resignation":
            return self.undo()
        length, chose = len(self.moves), False
        while not chose:
            before = self._before_choice(length)
            chose = any(position.to_move == seat for position in self.positions[before:length])
            length = before
        return self._first_moves(length)

    def _before_choice(self, length: int) -> int:
        """Return the number of moves before the last choice among the first `length` moves."""
        length -= 1
        while length >= 0 and self.positions[length].to_move == CHANCE:
            length -= 1
        if length < 0:
            raise DuelbookError("There is no move to take back.")
        while length and secrecy.is_unseen_move(
            self.positions[length - 1], self.moves[length - 1], self.positions[length]
        ):
            length -= 1
        return length

    def _first_moves(self, length: int) -> Match:
        """Return the match after its first `length` moves."""
        return Match(self.positions[: length + 1], self.moves[:length])

    # Texts and views --------------------------------------------------------------------------

    def move_texts(self) -> tuple[str, ...]:
        """Return the book's text about each move, which both seats may read."""
        steps = zip(self.positions, self.moves, self.positions[1:], strict=False)
        return tuple(before.tell(move, after) for before, move, after in steps)

    def ending(self) -> str:
        """Return the text about an end without a move and its winner; empty if there is none."""
        if self.drawn_by is not None:
            return DRAWN_BY[self.drawn_by]
        if self.resigned is None:
            return ""
        return (
            f"{player(self.resigned)} {LOST_BY[self.lost_by]}.\n{player(1 - self.resigned)} wins!"
        )

    def end_reason(self, listener: Listener) -> str:
        """Return a sentence about the result and its reason; empty if the game is not over."""
        outcome = self.outcome()
        if outcome is None:
            return ""
        if self.drawn_by is not None:
            return DRAWN_BY[self.drawn_by]
        if outcome.winner is None:
            return "The game is a draw."
        if self.resigned is None:
            seat = listener.seat
            look = secrecy.public_view(self.position) if seat is None else self.position.view(seat)
            return look.why_won(listener, outcome.winner)
        winner, loser = listener.who(outcome.winner), listener.who(self.resigned)
        lost = {
            "resignation": loser.opens("resign"),
            "time": f"{loser.opens('run')} out of time",
            "left": f"{loser.opens('have')} left the game",
        }
        return f"{lost[self.lost_by]}, so {winner.does('win')}."

    def seen_by(self, seat: int) -> tuple[str, ...]:
        """Return the moves as this seat may know them: `attack ?` while a move is hidden."""
        return secrecy.seen_by(seat, self.positions, self.moves)

    def seen_by_everyone(self) -> tuple[str, ...]:
        """Return the moves as the public may know them.

        The public knows a player's move as the opponent knows it, and a chance outcome as both
        seats know it.
        """
        known = self.seen_by(0), self.seen_by(1)
        movers = [position.to_move for position in self.positions[:-1]]
        return secrecy.known_to_both(known, movers)

    def record(self, seat: int) -> secrecy.SeatRecord:
        """Return the record of everything that a seat has seen."""
        return secrecy.record_of(seat, self.positions, self.moves)

    def without_secrets(self, seen: tuple[str, ...] | None = None) -> Match:
        """Return the match up to the first move that is still hidden, unless the game is over.

        `seen` is the result of `seen_by_everyone`, if the caller has it; computing it is slow.
        """
        if self.position.outcome() is not None:
            return self
        seen = self.seen_by_everyone() if seen is None else seen
        open_moves = [s == move for s, move in zip(seen, self.moves, strict=True)]
        length = open_moves.index(False) if False in open_moves else len(self.moves)
        return self.up_to(length)

    def up_to(self, length: int) -> Match:
        """Return the match with only its first `length` moves, but with its ending."""
        return replace(self, positions=self.positions[: length + 1], moves=self.moves[:length])


def check_hint(position: Position, *, shared: bool) -> None:
    """Refuse a hint that would show a hidden choice to the other person at a shared screen."""
    if shared and secrecy.is_hidden_choice(position, ()):
        raise DuelbookError("Both of you would see a hint about a hidden choice.")
