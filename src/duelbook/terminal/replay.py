"""Print a saved game move by move."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from duelbook.play.chance_seeds import seed_fault
from duelbook.play.match import Match
from duelbook.play.series import Series
from duelbook.position import Position, player
from duelbook.secrecy import public_view
from duelbook.terminal.console.screen import Screen


def replay(series: Series, screen: Screen, pause: Callable[[], object]) -> None:
    """Print each game of a series; call `pause` before every move."""
    for number, match in enumerate(series.matches, start=1):
        if series.best_of > 1:
            screen.heading(f"{'' if number == 1 else chr(10)}Game {number}\n")
        _replay_game(match, screen, pause)
    if series.best_of > 1:
        screen.heading(f"\n{series.standing()}")


def _replay_game(match: Match, screen: Screen, pause: Callable[[], object]) -> None:
    positions, moves = _public(match)
    screen.print(positions[0].welcome())
    screen.picture(positions[0].scene())
    steps = zip(match.positions, moves, match.move_texts(), positions[1:], strict=False)
    for number, (before, move, text, after) in enumerate(steps, start=1):
        pause()
        screen.heading(f"\n{number}. {player(before.to_move)}: {move}")
        if text:
            screen.print(text.lstrip("\n"))
        screen.picture(after.scene())
    if ending := match.ending():
        screen.print(f"\n{ending}")
    elif match.outcome() is None:
        screen.print("\nThe game continues from here.")


def _public(match: Match) -> tuple[Sequence[Position], Sequence[str]]:
    """Return the positions and moves; only their public parts before the rules end the game."""
    if match.position.outcome() is not None:
        return match.positions, match.moves
    return [public_view(position) for position in match.positions], match.seen_by_everyone()


def check_draws(series: Series, screen: Screen) -> bool:
    """Print whether the chance outcomes follow from the promised seed; return False if not."""
    commitments = [(at, draws) for at, draws in enumerate(series.draws) if draws]
    faults = [
        (at, reason)
        for at, draws in commitments
        if draws.seed and (reason := seed_fault(series.matches[at], draws))
    ]
    for at, reason in faults:
        screen.refuse(f"\nGame {at + 1}: {reason}" if series.best_of > 1 else f"\n{reason}")
    if not all(draws.seed for _, draws in commitments):
        screen.print("\nThe seed of the chance outcomes is not known, so they cannot be checked.")
    elif commitments and not faults:
        screen.print("\nThe chance outcomes follow from the seed that was promised.")
    return not faults
