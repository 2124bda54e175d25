"""`Session`: people at one keyboard play a series in line mode, in the words of the book."""

from __future__ import annotations

import re
import textwrap
from contextlib import nullcontext
from typing import TYPE_CHECKING

from duelbook import secrecy
from duelbook.errors import DuelbookError, SaveError
from duelbook.play.series import PERSON, Series
from duelbook.position import CHANCE, count, player
from duelbook.terminal.console.keyboard import Keyboard
from duelbook.terminal.console.screen import Screen
from duelbook.terminal.console.signals import LeaveSession, first_signal_raises, ignore_signals
from duelbook.terminal.local_console import LocalConsole
from duelbook.terminal.move_questions import MoveQuestions
from duelbook.terminal.privacy import public_part
from duelbook.terminal.session_commands import (
    ABOUT_PRIVATE_CARDS,
    COMMANDS,
    NOT_FOR_OTHERS,
    WIDTH,
    SessionCommands,
)
from duelbook.terminal.usage import how_to

if TYPE_CHECKING:
    from pathlib import Path


SPEAKS_TO_MOVER = re.compile(r"\b(you|your|opponent)\b", re.IGNORECASE)
"""Words that a book says to the player who moves. After a computer's move, `you` is the person."""


class Session:
    """Play a series: ask for moves, print their effects, and save the game at any kind of end."""

    def __init__(
        self, series: Series, screen: Screen, keyboard: Keyboard, file: Path | None = None
    ) -> None:
        self.console = LocalConsole(series, screen, keyboard, file)
        self.screen, self.keyboard = screen, keyboard
        self.local, self.privacy = self.console.local, self.console.privacy
        self.computers, self.only_person = self.local.computers, self.local.only_person
        self.commands = SessionCommands(self.console)
        self.questions = MoveQuestions(self.console, self.commands)
        self._board_shown = ""

    @property
    def series(self) -> Series:
        """The current state of the series."""
        return self.local.series

    def play(self) -> None:
        """Play the series to its end, or save it when someone leaves."""
        secrets = secrecy.keeps_secrets(self.series.game)
        with first_signal_raises():
            try:
                try:
                    with self.keyboard.guarded() if secrets else nullcontext():
                        self._play()
                finally:
                    ignore_signals()  # the save must not be interrupted
                    self.privacy.end()
                    self.local.close()
            except (LeaveSession, EOFError):
                self._save_and_leave()
                raise LeaveSession from None
            except KeyboardInterrupt:
                self.screen.print()
                self._save_and_leave()
                raise
            except Exception:  # such as a closed terminal
                self.local.save()
                raise
            if self._save_or_show_moves():
                again = how_to("replay", self.local.file, game=self.series.game)
                self.screen.note(f"\nSee it again with: {again}")

    def _play(self) -> None:
        self._open_game()
        while True:
            while self.series.match.outcome() is None and self.console.position.moves():
                self._take_turn()
            self.privacy.end()
            self.console.draw()
            self._print_result()
            self._print_score()
            if self.series.is_over or self.series.best_of == 1:
                return
            self.local.series = self.series.next_game()
            self._open_game()

    # The texts around a game ------------------------------------------------------------------

    def _open_game(self) -> None:
        match = self.series.match
        if self.series.best_of > 1:
            number = f"Game {len(self.series.matches)}, best of {self.series.best_of}."
            self.screen.heading(f"{number} {player(match.first)} starts.\n")
        for seat, name in enumerate(self.series.players):
            if name != PERSON:
                about = f"You are {player(1 - seat)}, and the computer ({name}) is {player(seat)}."
                self.screen.heading(f"{about}\n")
        if match.moves:
            if self.series.best_of > 1:
                self.screen.print(f"{self.series.standing()}\n")
            self.screen.heading(
                f"{self.series.game.title}, after {count(len(match.moves), 'move')}."
            )
            self.screen.print(self.console.shown.board())
        else:
            self.screen.print(self.console.shown.welcome())

    def _print_result(self) -> None:
        """Print the winner and the reason, on a terminal or against the computer."""
        if self.screen.is_interactive or self.computers:
            from duelbook.terminal.result_text import (  # not before the first prompt
                listener_at,
                result,
            )

            listener = listener_at(self.series, self.only_person)
            self.screen.heading(f"\n{result(self.series.match, listener)}")

    def _print_score(self) -> None:
        if self.series.best_of == 1:
            return
        self.screen.heading(f"\n{self.series.standing()}")
        if not self.series.is_over:
            self.screen.print()

    # A turn -----------------------------------------------------------------------------------

    def _take_turn(self) -> None:
        seat = self.console.position.to_move
        if not self.privacy.fits(self.console.position):
            self.privacy.end()
        if seat == CHANCE:
            self._play_chance()
            return
        has_private_cards = seat not in self.computers and secrecy.has_private_information(
            self.console.position, seat
        )
        screen_given = has_private_cards and self.console.viewer is None
        if screen_given and not self._give_screen_to(seat):
            return
        self.privacy.catch_up()
        if seat in self.computers:
            self._let_computer_move(seat)
            return
        opening = self.console.shown.turn()
        if opening or screen_given:
            self.console.draw()
            self.screen.print(f"\n{opening}" if opening else "")
        if has_private_cards:
            self._show_private_cards(again=screen_given)
        self._coach(seat)
        move = self.questions.ask_move()
        if move is None:
            return
        if self.privacy.seat is not None:
            self.privacy.store_move_for_other(self.console.position, move)
        self._play_move(move)

    def _coach(self, seat: int) -> None:
        """Print the advice of an opponent that guides a first game."""
        for computer in self.computers.values():
            if step := computer.advice(self.series.match.record(seat)):
                self.screen.note(textwrap.fill(f"Guide: {step.move}. {step.why}", WIDTH))

    def _let_computer_move(self, seat: int) -> None:
        """Play and print a move of the computer, without the book's questions."""
        before, move = self.console.position, self._computed_move(seat)
        if move is None:
            return
        text_of_move = self.local.play(move).lstrip("\n")
        sentence = public_part(before, move)
        if SPEAKS_TO_MOVER.search(text_of_move):
            from duelbook.terminal.result_text import listener_at  # not before the first prompt

            text_of_move = before.tell_to(
                listener_at(self.series, self.only_person), move, self.console.position
            )
            sentence = ""
        elif text_of_move.startswith(player(seat)) or sentence.rstrip(".") in text_of_move:
            sentence = ""
        self.screen.print("\n" + "\n".join(filter(None, [sentence, text_of_move])))

    def _play_chance(self) -> None:
        """Play and print a chance outcome."""
        if opening := self.local.seen_by(self.only_person).turn():
            self.privacy.show_to_both(f"\n{opening}")
        self._play_move(self.local.chance_move())

    def _play_move(self, move: str) -> None:
        if text_of_move := self.local.play(move):
            self.privacy.show_to_both(text_of_move)

    def _give_screen_to(self, seat: int) -> bool:
        """Give the screen to a player with private cards; return False if the game changes."""
        self.screen.print()
        self.keyboard.forget_typed_ahead()  # an early Enter could show cards to the wrong player
        while True:
            self.screen.ask(
                f"{player(1 - seat)} looks away. {player(seat)}, press Enter when you are alone. "
            )
            command, _, rest = self.keyboard.line().strip().partition(" ")
            if not command:
                self.privacy.begin(seat)
                return True
            if command.casefold() not in COMMANDS or command.casefold() in ABOUT_PRIVATE_CARDS:
                self.screen.refuse("Press only Enter first.")
            elif self.commands.run_command(command.casefold(), rest.strip()):
                return False

    def _show_private_cards(self, *, again: bool) -> None:
        """Show the position as the player with private cards sees it, if it has changed."""
        board = self.console.shown.board()
        if again or board != self._board_shown:
            self.screen.print(board)
        self._board_shown = board

    def _computed_move(self, seat: int) -> str | None:
        """Return the move of the computer; None if it failed and a command changed the game."""
        from duelbook.terminal.console.progress import waiting  # not before the first prompt

        while True:
            try:
                with waiting("The computer thinks"):
                    return self.local.computed_move(seat)
            except DuelbookError as failure:
                name, why = self.series.players[seat], getattr(failure, "reason", failure)
                self.screen.refuse(f"The computer ({name}) did not move. {why}")
                if not self._retry_after_failure(seat):
                    return None

    def _retry_after_failure(self, seat: int) -> bool:
        """Let the person retry or replace the player; return False if the game changes."""
        while True:
            self.screen.ask("Press Enter to ask it again, or name another player: ")
            typed = self.keyboard.line().strip()
            command, _, rest = typed.partition(" ")
            if not typed:
                return True
            try:
                if command.casefold() in COMMANDS:
                    if command.casefold() in NOT_FOR_OTHERS:
                        raise DuelbookError("It is not your turn.")
                    if self.commands.run_command(command.casefold(), rest.strip()):
                        return False
                else:
                    self._replace(seat, typed)
                    return True
            except DuelbookError as refusal:
                self.screen.refuse(str(refusal))

    def _replace(self, seat: int, name: str) -> None:
        """Give the computer's seat to another player."""
        from duelbook.terminal.console.progress import waiting  # not before the first prompt

        with waiting(f"The computer studies {self.series.game.title}"):
            self.local.replace(seat, name)

    # Saving -----------------------------------------------------------------------------------

    def _save_and_leave(self) -> None:
        if self._save_or_show_moves():
            self.screen.print(f"Game saved.{self.local.left_out_note()}")
            words = ["resume", self.local.file, *self.local.options_to_resume()]
            self.screen.note(f"Continue with: {how_to(*words, game=self.series.game)}")

    def _save_or_show_moves(self) -> bool:
        """Save the game; if that fails, print the moves so that they are not lost."""
        try:
            self.local.save()
        except SaveError as refusal:
            self.screen.note(str(refusal))
            moves = self.local.saved_moves()
            self.screen.print(f"The moves were: {', '.join(moves) or 'none'}.")
            return False
        return True
