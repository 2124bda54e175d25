"""Check that every method for texts and pictures runs without an error."""

from __future__ import annotations

from collections.abc import Iterable

from duelbook.conformance.breach_log import BreachLog, Node
from duelbook.position import BOOK, CHANCE, Listener, next_words

LISTENERS = (Listener(seat=0), Listener(seat=1))


def check_pictures(log: BreachLog, node: Node, moves: list[str], after: list[Node]) -> None:
    """Run the methods for the pictures and texts of a position, a move and a result."""
    position = node.position
    if node.parent is None:
        log.call(node, position.welcome)
    views = [log.call(node, position.view, seat) for seat in (0, 1)]
    for view in (*views, log.call(node, views[0].view, 1)):
        log.call(node, view.board)
        log.call(node, view.scene)
        if moves:
            log.call(node, view.turn)
    for child in after:
        texts_of(log, node, child, (*LISTENERS, BOOK))
    winner = None if moves else log.call(node, position.winner)
    if winner in (0, 1):
        for view, listener in zip(views, LISTENERS, strict=True):
            log.call(node, view.why_won, listener, winner)


def prompts_of(log: BreachLog, node: Node, moves: list[str]) -> list[str]:
    """Return all texts for the player to move: questions, replies and reasons."""
    position = node.position
    if not moves or position.to_move == CHANCE:
        return []
    texts = [log.call(node, position.turn)]
    for words in _prefixes(moves):
        texts.append(log.call(node, position.ask, words))
        texts.append(log.call(node, position.question, words))
        if words:
            texts.append(log.call(node, position.hear, words))
    legal, listener = set(moves), LISTENERS[position.to_move]
    texts += [
        log.call(node, position.why_not_to, listener, tuple(move.split()))
        for move in position.ACTIONS
        if move not in legal
    ]
    return texts


def texts_of(
    log: BreachLog, node: Node, child: Node, listeners: Iterable[Listener]
) -> tuple[str, ...]:
    """Return the texts of a move: the book's lines, and the text for each listener."""
    position, move = node.position, child.move
    texts = (
        log.call(node, position.tell_to, listener, move, child.position) for listener in listeners
    )
    return (log.call(node, position.tell, move, child.position), *texts)


def _prefixes(moves: list[str]) -> list[tuple[str, ...]]:
    """Return all proper prefixes of these moves, word by word."""
    prefixes: list[tuple[str, ...]] = [()]
    for words in prefixes:  # the list grows in the loop
        longer = [(*words, word) for word in next_words(moves, words)]
        prefixes += [prefix for prefix in longer if " ".join(prefix) not in moves]
    return prefixes
