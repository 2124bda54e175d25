"""Check that views are consistent, and that moves and texts do not reveal hidden values."""

from __future__ import annotations

from dataclasses import dataclass, field

from duelbook.conformance.breach_log import BreachLog, Node
from duelbook.conformance.text_checks import LISTENERS, texts_of
from duelbook.position import BOOK, CHANCE, Position


@dataclass
class InformationSets:
    """The moves and texts of each information set; all positions of a set must share them."""

    log: BreachLog
    first_seen: dict[object, tuple[Node, list[str]]] = field(default_factory=dict)

    def compare(self, kind: str, noun: str, node: Node, values: list[str]) -> None:
        """Record a difference between positions of one information set."""
        position = node.position
        key = (noun, position.to_move, position.view(position.to_move))
        first, first_values = self.first_seen.setdefault(key, (node, values))
        if first_values != values:
            self.log.add(
                kind,
                f"{position!r} and {first.position!r} look the same to the player to move, "
                f"but have different {noun}.",
                node,
            )


def check_views(
    log: BreachLog, sets: InformationSets, node: Node, moves: list[str], after: list[Node]
) -> None:
    """Check the views of a position and of its successors."""
    position, mover = node.position, node.position.to_move
    _check_repeated_views(log, node)
    if mover != CHANCE:
        view = position.view(mover)
        if log.call(node, view.moves) != moves:
            text = f"the view of the player to move has different legal moves: {view!r}."
            log.add("legality", text, node)
        sets.compare("legality", "moves", node, moves)
    for seat in (0, 1):
        if seat != mover:
            _check_revealed_moves(log, node, after, seat)


def _check_repeated_views(log: BreachLog, node: Node) -> None:
    """Check that repeated views do not change, and that the order of seats does not matter."""
    views = [log.call(node, node.position.view, seat) for seat in (0, 1)]
    for seat, view in enumerate(views):
        if log.call(node, view.view, seat) != view:
            log.add("view", f"viewing a view again changes it: {view!r}.", node)
    public = [log.call(node, views[seat].view, 1 - seat) for seat in (0, 1)]
    if public[0] != public[1]:
        text = "what both seats see depends on whose view is taken first"
        log.add("view", f"{text}: {public[0]} and {public[1]}.", node)


def _check_revealed_moves(log: BreachLog, node: Node, after: list[Node], seat: int) -> None:
    """Check that moves with the same view for a seat have the same texts."""
    first_texts: dict[Position, tuple[str, tuple[str, ...]]] = {}
    audience = "a player" if node.position.to_move == CHANCE else "the opponent"
    for child in after:
        view = log.call(child, child.position.view, seat)
        if view == child.position:
            continue
        texts = texts_of(log, node, child, (LISTENERS[seat], BOOK))
        other_move, other_texts = first_texts.setdefault(view, (child.move, texts))
        if texts != other_texts:
            method = "tell" if texts[0] != other_texts[0] else "tell_to"
            pair = f"{other_move!r} and {child.move!r} look the same to {audience}"
            log.add("reveals", f"{pair}, but {method} says which it was.", node)
