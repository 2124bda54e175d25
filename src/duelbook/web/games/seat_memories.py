"""The memories of both seats: the knowledge of each about the moves of a game with secrets.

Computing a memory from the start takes long, and storing every memory takes much space. So a room
stores the last memories, and every 32nd of the earlier ones. A takeback finds the memory that it
needs, or one shortly before it.
"""

from __future__ import annotations

from msgspec import Struct

from duelbook import secrecy
from duelbook.growing_tuple import GrowingTuple
from duelbook.play.match import Match
from duelbook.position import Position
from duelbook.secrecy import Memory

MAX_MOVES_TRIED = 1_000
"""The maximum number of moves tried to find the hidden moves that a seat may know."""
BLOCK = 32
"""Keep every 32nd memory, and all of the last 32 to 64."""
Both = tuple[Memory, Memory]


class Memories(Struct, frozen=True):
    """The memories of both seats; a seat knows a hidden move once no other move is possible."""

    firsts: GrowingTuple[Both]
    """The memories before each block of moves."""
    last: tuple[Both, ...]
    """The memories of the last moves: those of this block and usually of the previous block."""

    @classmethod
    def begin(cls, start: Position) -> Memories | None:
        """Return the memories at the start of a game; None for a game without secrets."""
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
        """Return the memories at the end of a match that is a prefix of this one."""
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
        """Return the moves as the holder of these seats may know them.

        The holder of both seats, or of none, gets what both seats know.
        """
        if len(seats) == 1:
            return self.now[min(seats)].moves()
        certain = min(len(memory.certain) for memory in self.now)
        known = self.now[0].moves()[certain:], self.now[1].moves()[certain:]
        movers = [position.to_move for position in match.positions[certain:-1]]
        return match.moves[:certain] + secrecy.known_to_both(known, movers)


def _after(both: Both, before: Position, move: str, after: Position) -> Both:
    first, second = (
        memory.after(before, move, after, max_tries=MAX_MOVES_TRIED) for memory in both
    )
    return first, second
