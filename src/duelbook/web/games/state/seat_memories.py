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
BLOCK_MOVES = 32
"""Keep every 32nd memory, and all of the last 32 to 64."""
MemoryPair = tuple[Memory, Memory]


class Memories(Struct, frozen=True):
    """The memories of both seats; a seat knows a hidden move once no other move is possible."""

    block_starts: GrowingTuple[MemoryPair]
    """The memories before each block of moves."""
    recent: tuple[MemoryPair, ...]
    """The memories of the last moves: those of this block and usually of the previous block."""

    @classmethod
    def begin(cls, start: Position) -> Memories | None:
        """Return the memories at the start of a game; None for a game without secrets."""
        if not secrecy.keeps_secrets(type(start)):
            return None
        pair = Memory.begin(start, 0), Memory.begin(start, 1)
        return cls(GrowingTuple([pair]), (pair,))

    @property
    def now(self) -> MemoryPair:
        """The memories after the last move."""
        return self.recent[-1]

    def after(self, before: Position, move: str, after: Position) -> Memories:
        """Return the memories after one more move."""
        pair = _after(self.now, before, move, after)
        if len(pair[0].public) % BLOCK_MOVES:
            return Memories(self.block_starts, (*self.recent, pair))
        return Memories(self.block_starts.plus(pair), (*self.recent[-BLOCK_MOVES:], pair))

    def up_to(self, match: Match) -> Memories:
        """Return the memories at the end of a match that is a prefix of this one."""
        moves = len(match.moves)
        first_recent = len(self.now[0].public) + 1 - len(self.recent)
        block_starts = self.block_starts.up_to(moves // BLOCK_MOVES + 1)
        if moves >= first_recent:
            return Memories(block_starts, self.recent[: moves - first_recent + 1])
        recent = [block_starts[-1]]
        for at in range(moves - moves % BLOCK_MOVES, moves):
            recent.append(
                _after(recent[-1], match.positions[at], match.moves[at], match.positions[at + 1])
            )
        return Memories(block_starts, tuple(recent))

    def seen_by(self, seats: frozenset[int], match: Match) -> tuple[str, ...]:
        """Return the moves as the holder of these seats may know them.

        The holder of both seats, or of none, gets what pair seats know.
        """
        if len(seats) == 1:
            return self.now[min(seats)].moves()
        certain = min(len(memory.certain) for memory in self.now)
        known = self.now[0].moves()[certain:], self.now[1].moves()[certain:]
        movers = [position.to_move for position in match.positions[certain:-1]]
        return match.moves[:certain] + secrecy.known_to_both(known, movers)


def _after(pair: MemoryPair, before: Position, move: str, after: Position) -> MemoryPair:
    first, second = (
        memory.after(before, move, after, max_tries=MAX_MOVES_TRIED) for memory in pair
    )
    return first, second
