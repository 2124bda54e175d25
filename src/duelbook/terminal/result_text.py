"""Texts about results for the people at this terminal; the only person is `you`."""

from __future__ import annotations

from duelbook.listener import COMPUTER, Listener
from duelbook.play.match import Match
from duelbook.play.names import PLAYERS
from duelbook.play.rules_page import clause
from duelbook.play.series import PERSON, Series


def listener_at(series: Series, seat: int | None) -> Listener:
    """Return the listener at this terminal; `seat` is the only person's seat, or None for two."""
    called = [
        COMPUTER if who != PERSON and name == usual else usual
        for who, name, usual in zip(series.players, series.names, PLAYERS, strict=True)
    ]
    return Listener((called[0], called[1]), seat)


def result(match: Match, listener: Listener) -> str:
    """Return a text about the winner, the reason, and the ruling if the book is silent."""
    outcome, why = match.outcome(), match.end_reason(listener)
    if outcome is None:
        return "The game is not over."
    ruling = clause(match.position.rules_page(), match.position.ruling())
    return f"{why} The ruling: {ruling}" if outcome.by == "ruling" and ruling else why
