"""Check whether the chance outcomes of a game on a server follow from the promised seed.

`fairness.js` does the same for the page, without the rules.
"""

from __future__ import annotations

from duelbook import chance
from duelbook.catalog.registry import find
from duelbook.position import CHANCE
from duelbook.secrecy import HIDDEN_MARK
from duelbook.web import protocol as p


def fairness(snapshot: p.Snapshot, promised: str) -> str:
    """Say whether the chance outcomes of a finished game follow from the seed.

    The sentence is empty if the game has no chance outcomes.
    """
    draws = snapshot.status.draws
    if draws is None:
        return ""
    if draws.commitment != promised:
        return _unfair("the server has replaced the seed of the chance outcomes during the game.")
    if chance.commitment(draws.seed) != promised:
        return _unfair("the seed of the chance outcomes is not the one that the server promised.")
    position, checked = find(snapshot.book).start(snapshot.first), 0
    for turn, seen in enumerate(snapshot.moves):
        move = seen
        if position.to_move == CHANCE and turn >= draws.since:
            move = chance.draw_from_seed(position, draws.seed, turn)
            checked += 1
            if not _fits(seen, move):
                return _unfair(f"move {turn + 1}, {seen}, does not follow from the seed.")
        if move not in position.moves():
            break  # a hidden choice: the rest is unknown
        position = position.apply(move)
    drawn = sum(mover == CHANCE for mover in snapshot.movers[draws.since :])
    return _fair(checked, drawn) if drawn else ""


def _fits(seen: str, move: str) -> bool:
    """Return whether a move agrees with what the client saw of it, which may end in `?`."""
    if seen.endswith(HIDDEN_MARK):
        return move.startswith(seen.removesuffix(HIDDEN_MARK).strip())
    return move == seen


def _fair(checked: int, drawn: int) -> str:
    if checked < drawn:
        result = f"{checked} of {drawn} could be checked here, and follow"
    else:
        result = "the only one follows" if drawn == 1 else f"all {drawn} follow"
    promised = "the seed that the server promised before the game"
    return f"The chance outcomes were fair: {result} from {promised}."


def _unfair(why: str) -> str:
    return f"Warning, the chance outcomes were not fair: {why}"
