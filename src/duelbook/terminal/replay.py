"""Showing a saved game again, move by move."""

from __future__ import annotations

from collections.abc import Callable

from duelbook.play.match import Match
from duelbook.play.series import Series
from duelbook.position import player
from duelbook.terminal.screen import Screen


def replay(series: Series, screen: Screen, pause: Callable[[], object]) -> None:
    """Print each game of a series; `pause` is called before every move."""
    for number, match in enumerate(series.matches, start=1):
        if series.best_of > 1:
            screen.heading(f"{'' if number == 1 else chr(10)}Game {number}\n")
        _replay_game(match, screen, pause)
    if series.best_of > 1:
        screen.heading(f"\n{series.standing()}")


def _replay_game(match: Match, screen: Screen, pause: Callable[[], object]) -> None:
    screen.say(match.positions[0].welcome())
    screen.picture(match.positions[0].scene())
    steps = zip(match.positions, match.moves, match.told(), match.positions[1:], strict=False)
    for number, (before, move, told, after) in enumerate(steps, start=1):
        pause()
        screen.heading(f"\n{number}. {player(before.to_move)}: {move}")
        if told:
            screen.say(told.lstrip("\n"))
        screen.picture(after.scene())
    if match.resigned is not None:
        screen.say(f"\n{match.ending()}")
    elif match.outcome() is None:
        screen.say("\nThe game goes on from here.")
