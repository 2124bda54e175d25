"""Sentences for each listener: about each move, and about the end of a game."""

from __future__ import annotations

from functools import lru_cache

from duelbook.listener import COMPUTER, Listener
from duelbook.play.match import Match
from duelbook.play.series import PERSON
from duelbook.position import Position
from duelbook.system.json_logs import LOG

PLACEHOLDERS = ("\ue000", "\ue001")
"""Placeholders for the players' names; no name contains these characters."""


class MoveSentence:
    """A move, and its sentence for each kind of listener.

    Games that reach the same position share a `MoveSentence`. Its sentences have placeholders for
    the names, and each is computed once for each kind of listener.
    """

    __slots__ = ("_step", "_texts")

    def __init__(self, before: Position, move: str, after: Position) -> None:
        self._step = before, move, after
        self._texts: dict[tuple[int | None, bool, bool], str] = {}

    def __eq__(self, other: object) -> bool:
        return isinstance(other, MoveSentence) and self._step == other._step

    def __hash__(self) -> int:
        return hash(self._step)

    def text(self, listener: Listener) -> str:
        """Return the sentence about the move, as this listener may know it."""
        first, second = listener.names
        kind = listener.seat, first == COMPUTER, second == COMPUTER
        text = self._texts.get(kind)
        if text is None:
            text = self._texts[kind] = self._template(*kind)
        return text % {"first": first, "second": second}

    def _template(self, seat: int | None, *computers: bool) -> str:
        """Return the sentence as a template for `%`, with a placeholder for each name."""
        first, second = (
            COMPUTER if computer else placeholder
            for placeholder, computer in zip(PLACEHOLDERS, computers, strict=True)
        )
        text = self._sentence(Listener((first, second), seat)).replace("%", "%%")
        return text.replace(PLACEHOLDERS[0], "%(first)s").replace(PLACEHOLDERS[1], "%(second)s")

    def _sentence(self, listener: Listener) -> str:
        before, move, after = self._step
        try:
            return before.tell_to(listener, move, after)
        except Exception:  # a custom game may raise anything, but the move stands and must be sent
            LOG.exception("failed: tell_to of %s", before.slug)
            return Position.tell_to(before, listener, move, after)


@lru_cache(maxsize=10_000)
def listener_of(
    names: tuple[str, str], players: tuple[str, str], seats: frozenset[int]
) -> Listener:
    """Return the listener at these seats; only the holder of a single seat is called `you`."""
    names_heard = (
        names[0] if players[0] == PERSON else COMPUTER,
        names[1] if players[1] == PERSON else COMPUTER,
    )
    return Listener(names_heard, min(seats) if len(seats) == 1 else None)


def end_reason(match: Match, listener: Listener) -> str:
    """Return a sentence about why a game is over."""
    try:
        return match.end_reason(listener)
    except Exception:  # a custom game may raise anything
        LOG.exception("failed: why_won of %s", match.position.slug)
        winner = match.winner()
        return "" if winner is None else Position.why_won(match.position, listener, winner)
