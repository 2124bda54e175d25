"""The menu: people choose a game by its number or a part of its name."""

from __future__ import annotations

from collections.abc import Callable

from duelbook.catalog import registry
from duelbook.errors import DuelbookError
from duelbook.play.names import LEVELS
from duelbook.play.rules_page import for_terminal
from duelbook.position import Position
from duelbook.terminal.console.keyboard import Keyboard
from duelbook.terminal.console.pager import show
from duelbook.terminal.console.screen import Screen
from duelbook.terminal.preferences import remember


def list_games(screen: Screen, *, numbered: bool) -> None:
    """Print the games, each with the docstring of its class."""
    games = registry.list_games()
    width = max(len(game.title if numbered else game.slug) for game in games)
    for number, game in enumerate(games, start=1):
        name = f"{number}  {game.title:<{width}}" if numbered else f"{game.slug:<{width}}"
        screen.print(f"  {name}  {' '.join((game.__doc__ or '').split())}")


def choose(
    screen: Screen,
    keyboard: Keyboard,
    play: Callable[[type[Position], str | None], object],
    resume: Callable[[], object],
    open_tui: Callable[[], object] | None = None,
) -> None:
    """Play one game after another until the people quit or the input ends.

    `open_tui` opens the full-screen interface. It is None if the terminal cannot show it.
    """
    games = registry.list_games()
    *weaker, strongest = LEVELS
    levels = ", ".join(weaker)
    while True:
        screen.heading("Duelbook: games for two\n")
        list_games(screen, numbered=True)
        screen.ask(
            f"\nChoose a game (1-{len(games)}), also against the computer (1 vs {levels}"
            f"\nor {strongest}; 1 vs guide to learn it), or: rules GAME, resume, "
            f"{'tui, ' if open_tui else ''}quit\n> "
        )
        try:
            answer = keyboard.line().strip()
        except EOFError:
            return
        except KeyboardInterrupt:
            screen.print()
            raise
        if answer.casefold() in ("quit", "exit"):
            return
        try:
            if answer.casefold() == "resume":
                resume()
            elif answer.casefold() == "tui" and open_tui:
                remember("tui", "yes")
                open_tui()
            elif answer.casefold().startswith("rules "):
                _show_rules(answer[6:].strip(), games, screen)
            elif answer.casefold() in ("help", "rules", ""):
                screen.refuse("Type a number, or words such as: rules 1.")
            else:
                game, _, level = f"{answer} ".partition(" vs ")
                play(_named(game.strip(), games), level.strip() or None)
        except DuelbookError as refusal:
            screen.refuse(str(refusal))
        screen.print()


def _show_rules(request: str, games: tuple[type[Position], ...], screen: Screen) -> None:
    name = request.removesuffix("--clauses").rstrip()
    page = _named(name, games).rules_page()
    show(for_terminal(page, clauses=name != request), screen)


def _named(answer: str, games: tuple[type[Position], ...]) -> type[Position]:
    if answer in {str(number + 1) for number in range(len(games))}:
        return games[int(answer) - 1]
    return registry.load(answer)
