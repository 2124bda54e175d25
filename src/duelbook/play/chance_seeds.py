"""The chance outcomes of a game: their seed, and a check that they follow from it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from duelbook.play.match import Match
from duelbook.position import CHANCE
from duelbook.secrecy import HIDDEN_MARK, keeps_secrets


@dataclass(frozen=True)
class SeedCommitment:
    """The commitment to the chance outcomes of a game: the hash of a seed, and later the seed."""

    commitment: str
    seed: str = ""
    """Empty until the seed is revealed."""

    @classmethod
    def from_seed(cls, seed: str) -> SeedCommitment:
        """Return the commitment to a seed, together with the seed."""
        from duelbook import chance  # slow to import, and few games need it

        return cls(chance.commitment(seed), seed)


UNKNOWN = SeedCommitment("")
"""The mark of chance outcomes that follow from no known seed, not even that of the series."""


def seed_of_game(seed: int, number: int) -> str:
    """Return the seed of a game's chance outcomes, for the seed of the series."""
    return f"{seed} {number}"


def seed_fault(match: Match, draws: SeedCommitment) -> str:
    """Return the reason why the chance outcomes break the commitment, or an empty string."""
    from duelbook import chance  # as above

    if chance.commitment(draws.seed) != draws.commitment:
        return "The seed of the chance outcomes is not the one that was promised."
    wrong = chance.first_false_draw(match.positions, match.moves, draws.seed)
    if wrong is None:
        return ""
    move = f"Move {wrong + 1}, {match.moves[wrong]}"
    return f"{move}, does not follow from the seed of the chance outcomes."


def follows_seed(match: Match, seed: str) -> bool:
    """Return whether chance has moved in a game and all its outcomes follow from the seed."""
    drawn = any(position.to_move == CHANCE for position in match.positions[: len(match.moves)])
    if not drawn:
        return False
    from duelbook import chance  # as above

    return chance.first_false_draw(match.positions, match.moves, seed) is None


def moves_to_save(match: Match, seed: str, seen: Sequence[str] | None = None) -> tuple[str, ...]:
    """Return the moves that a file may hold: all, once the rules have ended the game.

    Replace a hidden chance outcome by `?` if it follows from the seed. Omit the first other hidden
    move and all moves after it. `seen` is the result of `seen_by_everyone`, if the caller has it.
    """
    if match.position.outcome() is not None or not keeps_secrets(type(match.position)):
        return match.moves
    return _known_moves(match, seed) if seen is None else _open_moves(match, seed, seen)


@lru_cache(maxsize=2)  # `seen_by_everyone` may take a second
def _known_moves(match: Match, seed: str) -> tuple[str, ...]:
    return _open_moves(match, seed, match.seen_by_everyone())


def _open_moves(match: Match, seed: str, seen: Sequence[str]) -> tuple[str, ...]:
    moves: list[str] = []
    for turn, (move, known) in enumerate(zip(match.moves, seen, strict=True)):
        if known != move and not _follows_from_seed(match, turn, seed):
            break
        moves.append(move if known == move else HIDDEN_MARK)
    return tuple(moves)


def _follows_from_seed(match: Match, turn: int, seed: str) -> bool:
    position = match.positions[turn]
    if not seed or position.to_move != CHANCE:
        return False
    from duelbook import chance  # as above

    return chance.draw_from_seed(position, seed, turn) == match.moves[turn]
