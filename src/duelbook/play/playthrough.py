"""A playthrough: a game in progress, with the record of each seat."""

from __future__ import annotations

from collections.abc import Iterable

from duelbook.position import Position
from duelbook.secrecy import SeatRecord, keeps_secrets


class Playthrough:
    """The positions and moves of a game so far; each move extends them."""

    def __init__(self, start: Position, moves: Iterable[str] = ()) -> None:
        self.positions = [start]
        self.moves: list[str] = []
        self._records = [SeatRecord(seat, start.view(seat)) for seat in (0, 1)]
        for move in moves:
            self.play(move)

    @property
    def position(self) -> Position:
        """The current position."""
        return self.positions[-1]

    def play(self, move: str) -> Position:
        """Play a move and return the position after it; refuse an illegal move."""
        self.positions.append(self.position.play(move))
        self.moves.append(move)
        return self.position

    def record(self, seat: int, *, remembers: bool = True) -> SeatRecord:
        """Return the record of everything that a seat has seen.

        Without `remembers`, in a game without secrets, return only the current position, which
        is faster.
        """
        if not remembers and not keeps_secrets(type(self.position)):
            return SeatRecord(seat, self.position)
        record = self._records[seat]
        for ply in range(len(record.steps), len(self.moves)):
            record = record.after(self.positions[ply], self.moves[ply], self.positions[ply + 1])
        self._records[seat] = record
        return record
