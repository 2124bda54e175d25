"""The screen of a game: it accepts choices and commands by keys and mouse."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events, work

from duelbook.errors import DuelbookError
from duelbook.play.names import named
from duelbook.play.rules_page import for_terminal
from duelbook.position import player
from duelbook.tui.choices import Choice, in_book_order, type_into
from duelbook.tui.dialogs import Curtain, ListDialog, PageDialog
from duelbook.tui.drawing.canvas import clipped
from duelbook.tui.games.base_screen import AnyGame, BaseGameScreen
from duelbook.tui.key_commands import BY_KEY, BY_LETTER, Item
from duelbook.tui.widgets import Bar, Board, Buttons

if TYPE_CHECKING:
    from duelbook.tui.games.tui_game import TuiGame

MAX_LINE_LENGTH = 80


class GameScreen(BaseGameScreen[AnyGame]):
    """A game screen that accepts choices and commands."""

    def on_mount(self) -> None:
        """Show the current position."""
        self.query_one("#log").can_focus = False
        self.query_one(Bar).display = self.shows_bar
        self.set_interval(1.0, self._show_head)
        self._advance(move=False)

    # Turns ------------------------------------------------------------------------------------

    def _advance(self, *, move: bool = True) -> None:
        """Show the position; then ask a person here, or wait for the other player."""
        game = self.game
        self._show_board(move=move)
        self._show_log()
        self._tick()
        self._runs = game.running
        self._evaluate()
        self.typed = ""
        if game.is_over:
            self.choice = Choice(())
            self._offer(game.offers())
        elif game.asked_seat is None:
            self.choice = Choice(())
            self._offer(())
            self._wait()
        else:
            self.choice = Choice(game.legal())
            self._ask()
        self._show_words()

    def _wait(self) -> None:
        """Wait for a player who is not at this screen."""

    def _ask(self) -> None:
        """Ask for the next word; show a curtain first if the other player may not see it."""
        words, options = self.choice.next_question()
        seat = self.game.asked_seat
        if seat is None:
            return
        if self.game.needs_curtain(words):
            self._draw_curtain(seat)
            return
        options = in_book_order(options, self.game.look)
        labels = _labels(options, self.game)
        self._offer([Item(*pair) for pair in zip(options, labels, strict=True)])
        self._show_words()

    def _draw_curtain(self, seat: int) -> None:
        self._offer(())
        words = f"{player(1 - seat)} looks away.\n{player(seat)}, are you alone at the screen?"

        def lifted(alone: bool | None) -> None:
            if not alone:
                self._command("menu")
                return
            self.game.viewer = seat
            self._show_board(move=False)
            self._ask()

        self.app.push_screen(Curtain(named(words, self.game.names)), lifted)

    # Choosing ---------------------------------------------------------------------------------

    def _choose(self, choice: Choice) -> None:
        """Accept a choice: play it if it is a move, and otherwise ask for the next word."""
        self.typed, self.note = "", ""
        self.choice = choice
        if not choice.move:
            self._ask()
            return
        try:
            self.game.play(choice.move)
        except DuelbookError as refusal:
            self.note = str(refusal)
            self.choice = Choice(self.game.legal())
            self._ask()
            return
        self._advance()

    def on_buttons_pressed(self, event: Buttons.Pressed) -> None:
        """Accept a choice or a command from a button."""
        event.stop()
        self._press(event.name)

    def _press(self, name: str) -> None:
        if self.choice.legal and name in self.choice.next_question()[1]:
            self._choose(self.choice.add_word(name))
        else:
            self._command(name)

    def on_board_pointed(self, event: Board.Pointed) -> None:
        """Accept the words of a shape, if a legal move has them."""
        if (
            self.choice.legal
            and (pointed := self.choice.select_piece(event.says)) is not self.choice
        ):
            self._choose(pointed)

    def on_key(self, event: events.Key) -> None:
        """Choose with arrows, Enter and letters, or give a command."""
        choices = self.query_one("#choices", Buttons)
        event.stop()
        match event.key:
            case "left" | "right":
                choices.move(1 if event.key == "right" else -1)
            case "up" | "down":
                choices.move_line(1 if event.key == "down" else -1)
            case "enter":
                self._enter(choices)
            case "backspace" | "delete":
                self._back()
            case "pageup" | "pagedown":
                log = self.query_one("#log")
                log.scroll_page_up() if event.key == "pageup" else log.scroll_page_down()
            case "escape" if self.typed or self.choice.is_begun:
                self._back(whole=True)
            case key if key in BY_KEY:
                self._command(BY_KEY[key])
            case _ if event.character and event.character.isprintable():
                self._type(event.character)

    def on_paste(self, event: events.Paste) -> None:
        """Accept the first line of pasted text as typed text."""
        event.stop()
        lines = event.text.splitlines() or [""]
        if self.choice.legal and (text := lines[0][:MAX_LINE_LENGTH].strip()):
            self.typed = text
            self._read(done=False)

    def _enter(self, choices: Buttons) -> None:
        if self.typed:
            self._read(done=True)
        elif choices.chosen is not None:
            self._press(choices.chosen)

    def _back(self, *, whole: bool = False) -> None:
        """Take back the last typed character, or else the choice so far."""
        if self.typed and not whole:
            self.typed = self.typed[:-1]
            self._show_words()
        elif self.choice.is_begun or self.typed:
            self.typed = ""
            self.choice = Choice(self.choice.legal)
            self._ask()

    def _type(self, letter: str) -> None:
        if not self.choice.legal:
            self._type_offer(letter)
        elif self.typed or letter.strip():
            self.typed = (self.typed + letter)[:MAX_LINE_LENGTH]
            self._read(done=False)

    def _type_offer(self, letter: str) -> None:
        """Press the button with this first letter, or carry out the command of the letter."""
        choices = self.query_one("#choices", Buttons)
        names = [item.name for item in choices.items if item.label[0].lower() == letter.lower()]
        if names:
            self._command(names[0])
        elif letter in BY_LETTER:
            self._command(BY_LETTER[letter])

    def _read(self, *, done: bool) -> None:
        """Accept the typed text if it is complete; a letter that is no answer may be a command."""
        read = type_into(self.choice, self.game.look, self.typed, done=done)
        if isinstance(read, Choice):
            self._choose(read)
            return
        if read == "nothing":
            typed, self.typed = self.typed, ""
            if len(typed) == 1 and typed in BY_LETTER:
                self._command(BY_LETTER[typed])
                return
            secret = self.game.is_unseen(self.choice.next_question()[0])
            subject = "That" if secret else f"'{clipped(typed, 20)}'"
            self.note = f"{subject} is not one of the choices."
        self._show_words()

    # Commands ---------------------------------------------------------------------------------

    def _command(self, name: str) -> None:
        """Carry out a command."""
        try:
            self._run_command(name)
        except DuelbookError as refusal:
            self.note = str(refusal)
            self._show_words()

    def _run_command(self, name: str) -> None:
        match name:
            case "menu":
                self._open_menu()
            case "keys":
                self.app.push_screen(PageDialog(self.game.keys))
            case "rules":
                page = for_terminal(self.game.game.rules_page(), clauses=False)
                self.app.push_screen(PageDialog(page))
            case "hint":
                self._must_be_asked()
                self.note = "Studying the position …"
                self._show_words()
                self._hint()
            case "undo":
                self._undo()
            case "bar":
                self.shows_bar = not self.shows_bar
                self.query_one(Bar).display = self.shows_bar
                self.call_after_refresh(self._show_log)
                self._evaluate()
            case "save":
                self._save()
            case "resign":
                if not self.game.can_resign:
                    raise DuelbookError("It is not your turn.")
                items = (Item("no", "Continue"), Item("yes", "Resign"))
                self.app.push_screen(ListDialog("Resign this game?", items), self._resign)
            case "look":
                self.app.toggle_look()
            case "again" | "swap" | "review" | "other" | "leave":
                self.app.after_game(self.game, name)
            case _:
                self._run_special_command(name)

    def _run_special_command(self, name: str) -> None:
        """Carry out a command that only this kind of game has."""

    def _must_be_asked(self) -> None:
        if self.game.asked_seat is None:
            raise DuelbookError("It is not your turn.")

    def _open_menu(self) -> None:
        def chosen(name: str | None) -> None:
            if name:
                self._command(name)
            elif self.choice.legal:
                self._ask()

        self.app.push_screen(ListDialog(self.game.game.title, self.game.menu()), chosen)

    def _undo(self) -> None:
        if self.choice.is_begun:
            self._back(whole=True)
            return
        self.note = self.game.undo()
        self._advance()

    @work(thread=True, exclusive=True, group="hint")
    def _hint(self) -> None:
        number = self.game.number
        try:
            text = self.game.hint()
        except DuelbookError as refusal:
            text = str(refusal)

        def show() -> None:
            if self.game.number == number:
                self.note = text
                self._show_words()

        self.app.show_from_thread(self, show)

    def _save(self) -> None:
        self.note = self.game.save()
        self._show_words()

    def _resign(self, answer: str | None) -> None:
        if answer == "yes":
            self.game.resign()
            self._advance()
        elif self.choice.legal:
            self._ask()


def _labels(options: list[str], game: TuiGame) -> list[str]:
    """Return the labels of the choices: each word, with its alias if it has one."""
    names = {word: alias for alias, word in game.game.ALIASES.items()}
    return [f"{option} ({names[option]})" if option in names else option for option in options]
