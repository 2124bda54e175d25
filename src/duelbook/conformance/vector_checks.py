"""Compare a game's rules over arrays with the game's own rules."""

from __future__ import annotations

from collections.abc import Iterable

from duelbook.catalog.faults import error_text
from duelbook.conformance.breach_log import BreachLog, Node
from duelbook.encoding.observations import compare_fields
from duelbook.position import Position
from duelbook.solver.tables.array_rules import compare_vectors, vectors_of


def check_vectors(log: BreachLog, nodes: Iterable[Node]) -> None:
    """Compare both sets of rules at these positions, if the game has rules over arrays."""
    try:
        vectors = vectors_of(log.game)
    except Exception as error:  # the author's code may raise anything
        log.add("vectors", f"its vectors cannot be loaded: {error!r}.", None)
        return
    if vectors is None:
        return
    by_position: tuple[dict[Position, Node], dict[Position, Node]] = ({}, {})
    for node in nodes:
        by_position[node.first].setdefault(node.position, node)
    for first, known in enumerate(by_position):
        positions = list(known)
        try:
            difference = compare_vectors(vectors, positions, first)
            if difference is None:
                difference = compare_fields(vectors, positions, first)
        except Exception as error:  # as above
            log.add("vectors", f"its vectors fail: {error_text(error)}.", None)
            return
        if difference is not None:
            number, quantity = difference
            text = f"its vectors disagree with the rules about {quantity}."
            log.add("vectors", text, known[positions[number]])
