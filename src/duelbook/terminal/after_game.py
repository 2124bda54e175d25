"""After a game: play again, swap seats, analyse, replay, or return to the menu."""

from __future__ import annotations

import os
from dataclasses import replace

from duelbook.errors import DuelbookError
from duelbook.play.names import PLAYERS
from duelbook.play.series import Series
from duelbook.terminal.console.keyboard import Keyboard
from duelbook.terminal.console.pager import show
from duelbook.terminal.console.progress import waiting
from duelbook.terminal.console.screen import Screen
from duelbook.terminal.console.signals import LeaveSession
from duelbook.terminal.replay import replay

QUESTION = "What next: again, swap seats, analyse, replay, menu or quit? "
ANSWERS = ("again", "swap seats", "analyse", "replay", "menu", "quit", "exit")


def again(series: Series, *, swapped: bool = False) -> Series:
    """Return a new series on the same terms with a new seed; `swapped` exchanges the seats."""
    fresh = Series.begin(
        series.game,
        first=series.matches[0].first,
        names=series.names,
        best_of=series.best_of,
        players=series.players,
        seed=int.from_bytes(os.urandom(6)),
    )
    if not swapped:
        return fresh
    names = series.names if series.names == PLAYERS else series.names[::-1]
    return replace(fresh, names=names, players=series.players[::-1])


def offer(series: Series, screen: Screen, keyboard: Keyboard) -> Series | None:
    """Ask what comes next; return the series to play, or None for the menu."""
    screen.print()
    while True:
        screen.ask(QUESTION)
        try:
            answer = keyboard.line().strip().casefold()
        except EOFError:
            raise LeaveSession from None
        matching = [name for name in ANSWERS if answer and name.startswith(answer)]
        try:
            match matching[0] if len(matching) == 1 else "":
                case "again":
                    return again(series)
                case "swap seats":
                    return again(series, swapped=True)
                case "menu":
                    return None
                case "quit" | "exit":
                    raise LeaveSession
                case "analyse":
                    _analyse(series, screen)
                case "replay":
                    _replay(series, screen, keyboard)
                case _:
                    screen.refuse("Type again, swap, analyse, replay, menu or quit.")
        except DuelbookError as refusal:
            screen.refuse(str(refusal))


def _analyse(series: Series, screen: Screen) -> None:
    from duelbook.analysis.game_analysis import as_text  # slow to import
    from duelbook.players.levels import oracle_for

    with waiting(f"Studying {series.game.title}"):
        oracle = oracle_for(series.game)
        texts = [as_text(oracle, match, series.names) for match in series.matches]
    show("\n\n".join(texts), screen)


def _replay(series: Series, screen: Screen, keyboard: Keyboard) -> None:
    def wait_for_enter() -> None:
        screen.ask("\nPress Enter for the next move. ")
        keyboard.line()

    try:
        replay(series, screen, wait_for_enter)
    except EOFError:
        raise LeaveSession from None
