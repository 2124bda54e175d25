"""The screen of a game at this terminal, with moves of the computer, names and levels."""

from __future__ import annotations

from time import monotonic

from textual import work

from duelbook.errors import DuelbookError
from duelbook.play.names import LEVELS
from duelbook.position import player
from duelbook.tui.dialogs import ListDialog, TextDialog
from duelbook.tui.games.game_screen import GameScreen
from duelbook.tui.games.local_game import LocalGame
from duelbook.tui.key_commands import Item, buttons


class LocalScreen(GameScreen[LocalGame]):
    """The screen of a game between two people here, or against the computer."""

    def _wait(self) -> None:
        """Play a move of the computer or a chance outcome."""
        self._play_automatic_move()

    @work(thread=True, exclusive=True, group="game")
    def _play_automatic_move(self) -> None:
        """Play in a thread; show the move after at least `move_delay` seconds."""
        begun, failure = monotonic(), ""
        try:
            self.game.play_automatic_move()
        except DuelbookError as error:
            failure = str(getattr(error, "reason", error))
        pause = max(0.0, self.app.move_delay - (monotonic() - begun))
        self.app.show_from_thread(self, lambda: self._after_wait(failure, pause))

    def _after_wait(self, failure: str, pause: float) -> None:
        if not failure:
            self.note = ""
            self.set_timer(pause, self._advance) if pause else self._advance()
            return
        self.note = f"The computer did not move. {failure}"
        self._offer(
            (
                Item("retry", "Ask it again"),
                Item("level", "Another level"),
                *buttons("other", "leave", leave="Leave"),
            )
        )
        self._show_words()

    def _run_special_command(self, name: str) -> None:
        """Carry out a command that only a game at this terminal has."""
        match name:
            case "saveas":
                self.app.push_screen(TextDialog("Save to which file?"), self._save_as)
            case "names":
                self._ask_names()
            case "level":
                self._ask_level()
            case "retry":
                self._advance(move=False)
            case "next":
                self.game.next_game()
                self._clocks = [0.0, 0.0]
                self._advance(move=False)

    def _save_as(self, name: str | None) -> None:
        if name:
            try:
                self.note = self.game.save(name)
            except DuelbookError as refusal:
                self.note = f"Not saved. {refusal}"
            self._show_words()

    def _ask_names(self) -> None:
        ours, theirs = self.game.series.names

        def second(one: str | None) -> None:
            if one is None:
                return
            question = TextDialog(f"What is {player(1)} called?", theirs)
            self.app.push_screen(question, lambda two: self._rename(one, two))

        self.app.push_screen(TextDialog(f"What is {player(0)} called?", ours), second)

    def _rename(self, one: str, two: str | None) -> None:
        if two is None:
            return
        try:
            self.game.rename((one, two))
        except DuelbookError as refusal:
            self.note = str(refusal)
        self._advance(move=False)

    def _ask_level(self) -> None:
        def chosen(level: str | None) -> None:
            if level:
                self._change_level(level)

        items = [Item(level, level.capitalize()) for level in LEVELS]
        self.app.push_screen(ListDialog("Which level from now on?", items), chosen)

    @work(thread=True, exclusive=True, group="level")
    def _change_level(self, level: str) -> None:
        try:
            self.game.replace_computer(level)
            note = f"The computer plays {level} from now on."
        except DuelbookError as refusal:
            note = str(refusal)

        def show() -> None:
            self.note = note
            self._advance(move=False)

        self.app.show_from_thread(self, show)
