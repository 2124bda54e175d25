"""The application: its screens, its theme and its end."""

from __future__ import annotations

import asyncio
import os
import signal
from collections.abc import Callable
from functools import partial
from threading import Timer
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.binding import Binding, BindingType

from duelbook.catalog import registry
from duelbook.errors import DuelbookError
from duelbook.play import saves
from duelbook.play.names import LEVELS
from duelbook.play.series import PERSON, Series
from duelbook.terminal.after_game import again
from duelbook.terminal.preferences import remember
from duelbook.tui.dialogs import ListDialog
from duelbook.tui.drawing.palette import theme_for
from duelbook.tui.games.game_screen import GameScreen
from duelbook.tui.games.local_game import LocalGame
from duelbook.tui.games.local_screen import LocalScreen
from duelbook.tui.games.tui_game import TuiGame
from duelbook.tui.host import Host
from duelbook.tui.key_commands import Item
from duelbook.tui.review import ReviewScreen

if TYPE_CHECKING:
    from pathlib import Path

    from duelbook.position import Position
    from duelbook.tui.games.online_game import OnlineGame

Begin = Callable[["type[Position]", str | None, str | None], Series]
"""A function that creates a series from a game, the computer's level and the person's seat.

For two people, the level and the seat are None.
"""
MOVE_DELAY_SECONDS = 0.7
"""Seconds before a move of the computer appears, so that people see their own move first."""
HUNG_UP = 129
"""The exit status after the terminal was closed."""


class TuiApp(Host):
    """The TUI, with a game or with the list of games; `run` returns a text to print at the end."""

    CSS_PATH = "tui.tcss"
    TITLE = "Duelbook"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("ctrl+c", "interrupt", show=False, priority=True),
        Binding("ctrl+q", "leave", show=False, priority=True),
        Binding("ctrl+z", "suspend_process", show=False, priority=True),
    ]

    def __init__(  # noqa: PLR0913 # one argument per option
        self,
        begin: Begin | None,
        series: Series | None = None,
        file: Path | None = None,
        *,
        move_delay: float = MOVE_DELAY_SECONDS,
        look: str = "",
        review: bool = False,
        online: OnlineGame | None = None,
    ) -> None:
        # Without colour, the terminal's own black and white are better than shades of grey.
        super().__init__(ansi_color=True if "NO_COLOR" in os.environ else None)
        self.begin, self.move_delay = begin, move_delay
        self.reviewed = series if review else None
        local = LocalGame(series, file) if series and not review else None
        self.playing: LocalGame | OnlineGame | None = online or local
        self.interrupted = False
        self.theme = theme_for(look, self.console.color_system)

    def on_mount(self) -> None:
        """Show the game, or ask for one; handle stop signals, which save the game first."""
        if not self.is_headless:
            self._handle_signals()
        if self.reviewed:
            self.push_screen(ReviewScreen(self.reviewed), lambda _: self.exit(""))
        elif isinstance(self.playing, LocalGame):
            self.push_screen(LocalScreen(self.playing))
        elif self.playing:
            from duelbook.tui.games.online_screen import OnlineScreen  # needs the extra `web`

            self.push_screen(OnlineScreen(self.playing))
        else:
            self._choose_game()

    # Choosing a game --------------------------------------------------------------------------

    def _choose_game(self) -> None:
        games = registry.list_games()
        items = [Item(game.slug, f"{game.title}\n{_about(game)}") for game in games]
        more = [Item("resume", "Resume a saved game"), Item("leave", "Leave")]

        def chosen(slug: str | None) -> None:
            if slug == "resume":
                self._resume()
            elif slug and slug != "leave":
                self._choose_opponent(registry.find(slug))
            else:
                self.exit("")

        self.push_screen(ListDialog("Duelbook: games for two", [*items, *more]), chosen)

    def _choose_opponent(self, game: type[Position]) -> None:
        items = [Item(level, f"The computer, {level}") for level in LEVELS]
        people = Item(PERSON, "Two people at this screen")

        def chosen(who: str | None) -> None:
            if not who:
                self._choose_game()
            elif who == PERSON:
                self._begin(game, None, None)
            else:
                self._choose_seat(game, who)

        self.push_screen(ListDialog(game.title, [people, *items]), chosen)

    def _choose_seat(self, game: type[Position], level: str) -> None:
        items = [Item("1", "You are Player 1"), Item("2", "You are Player 2")]

        def chosen(seat: str | None) -> None:
            if seat:
                self._begin(game, level, seat)
            else:
                self._choose_opponent(game)

        self.push_screen(ListDialog(f"{game.title}, against {level}", items), chosen)

    def _begin(self, game: type[Position], level: str | None, seat: str | None) -> None:
        assert self.begin is not None  # noqa: S101 # an online game does not offer another game
        try:
            self.show(LocalGame(self.begin(game, level, seat)))
        except DuelbookError as refusal:
            self.notify(str(refusal), severity="warning")
            self._choose_game()

    def _resume(self) -> None:
        try:
            file = saves.newest(unfinished=True)
            series = saves.read(file)
            self.show(LocalGame(series, file))
        except DuelbookError as refusal:
            self.notify(str(refusal), severity="warning")
            self._choose_game()

    def show(self, game: LocalGame) -> None:
        """Show a game."""
        if self.playing and self.playing is not game:
            self.playing.close()
        self.playing = game
        if isinstance(self.screen, GameScreen):
            self.switch_screen(LocalScreen(game))
        else:
            self.push_screen(LocalScreen(game))

    def after_game(self, game: TuiGame, what: str) -> None:
        """Carry out the choice of the people after a game, or instead of one."""
        match what:
            case "again" | "swap" if isinstance(game, LocalGame):
                self.show(LocalGame(again(game.series, swapped=what == "swap")))
            case "review":
                self._review(game)
            case "other":
                self._close_game()
                self.pop_screen()
                self._choose_game()
            case "leave":
                self.action_leave()

    @work(thread=True, exclusive=True, group="review")
    def _review(self, game: TuiGame) -> None:
        try:
            series = game.series_to_review()
        except DuelbookError as refusal:
            self.call_later(partial(self.notify, str(refusal), severity="warning"))
        else:
            self.call_later(self.push_screen, ReviewScreen(series))

    # Theme ------------------------------------------------------------------------------------

    def toggle_look(self) -> None:
        """Change between dark and light, and store the choice."""
        dark = self.current_theme.dark
        remember("look", "light" if dark else "dark")
        self.theme = theme_for("light" if dark else "dark", self.console.color_system)

    # Leaving ----------------------------------------------------------------------------------

    def action_leave(self) -> None:
        """Save and leave."""
        self.exit(self._close_game())

    def action_interrupt(self) -> None:
        """Save and leave, as after Ctrl-C."""
        self.interrupted = True
        self.action_leave()

    def _handle_signals(self) -> None:
        loop = asyncio.get_running_loop()
        for name in ("SIGTERM", "SIGQUIT"):
            if hasattr(signal, name):  # `_stop` runs in the event loop, never during a write
                signal.signal(
                    getattr(signal, name), lambda *_: loop.call_soon_threadsafe(self._stop)
                )
        if hasattr(signal, "SIGHUP"):
            signal.signal(signal.SIGHUP, lambda *_: self._hang_up())

    def _stop(self) -> None:
        self.exit(self._close_game())

    def _hang_up(self) -> None:
        """Save the game and exit at once, because writing to a closed terminal could block."""
        Timer(5, os._exit, [HUNG_UP]).start()
        self._close_game()
        os._exit(HUNG_UP)

    def _close_game(self) -> str:
        """Save the game on the screen; return a text that says how to continue it."""
        game, self.playing = self.playing, None
        return game.close() if game else ""


def _about(game: type[Position]) -> str:
    return " ".join((game.__doc__ or "").split())
