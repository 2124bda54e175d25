"""What each seat knows of the moves of a game with secrets, now and before.

Working a memory out again from the start takes long, and keeping the one before each move takes
much room. So the last ones are kept, and of the earlier ones every thirty-second: a takeback
finds the one it needs, or one shortly before it.
"""

from __future__ import annotations

from msgspec import Struct

from duelbook import secrecy
from duelbook.growing_tuple import GrowingTuple
from duelbook.play.match import Match
from duelbook.position import Position
from duelbook.secrecy import Memory

MAX_MOVES_TRIED = 1_000
"""The moves that are tried to find out which hidden ones a seat may know; the others stay `?`."""
BLOCK = 32
"""Of so many moves one memory is kept for good, and for as many to twice as many the last ones."""
Both = tuple[Memory, Memory]


class Memories(Struct, frozen=True):
    """The memories of both seats; each knows a move when it can be nothing else."""

    firsts: GrowingTuple[Both]
    """Those before each block of moves."""
    last: tuple[Both, ...]
    """Those of the last moves, up to now: of this block, and as a rule of the one before it."""

    @classmethod
    def begin(cls, start: Position) -> Memories | None:
        """Return the memories at the start of a game with secrets, or None for another game."""
        if not secrecy.keeps_secrets(type(start)):
            return None
        both = Memory.begin(start, 0), Memory.begin(start, 1)
        return cls(GrowingTuple([both]), (both,))

    @property
    def now(self) -> Both:
        """The memories after the last move."""
        return self.last[-1]

    def after(self, before: Position, move: str, after: Position) -> Memories:
        """Return the memories after one more move."""
        both = _after(self.now, before, move, after)
        if len(both[0].public) % BLOCK:
            return Memories(self.firsts, (*self.last, both))
        return Memories(self.firsts.plus(both), (*self.last[-BLOCK:], both))

    def up_to(self, match: Match) -> Memories:
        """Return the memories at the end of a match that is the beginning of this one."""
        moves = len(match.moves)
        begun = len(self.now[0].public) + 1 - len(self.last)
        firsts = self.firsts.up_to(moves // BLOCK + 1)
        if moves >= begun:
            return Memories(firsts, self.last[: moves - begun + 1])
        last = [firsts[-1]]
        for at in range(moves - moves % BLOCK, moves):
            last.append(
                _after(last[-1], match.positions[at], match.moves[at], match.positions[at + 1])
            )
        return Memories(firsts, tuple(last))

    def seen_by(self, seats: frozenset[int], match: Match) -> tuple[str, ...]:
        """Return the moves as the holder of these seats may know them: of both, what both know."""
        if len(seats) == 1:
            return self.now[min(seats)].moves()
        certain = min(len(memory.certain) for memory in self.now)
        known = self.now[0].moves()[certain:], self.now[1].moves()[certain:]
        movers = [position.to_move for position in match.positions[certain:-1]]
        return match.moves[:certain] + secrecy.known_to_both(known, movers)


def _after(both: Both, before: Position, move: str, after: Position) -> Both:
    one, other = (memory.after(before, move, after, max_tries=MAX_MOVES_TRIED) for memory in both)
    return one, other
