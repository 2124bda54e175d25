"""A session: people at one keyboard play a series, in the words of the book."""

from __future__ import annotations

import re
import textwrap
from contextlib import nullcontext
from typing import TYPE_CHECKING

from duelbook import secrecy
from duelbook.errors import DuelbookError, SaveError
from duelbook.play import entry
from duelbook.play.local_series import LocalSeries
from duelbook.play.match import check_hint
from duelbook.play.series import PERSON, Series
from duelbook.position import CHANCE, Position, count, next_words, player
from duelbook.terminal.answer_hints import grouped, in_short, unnamed_answers
from duelbook.terminal.computer_players import ComputerPlayers
from duelbook.terminal.console.echo import what_may_be_seen
from duelbook.terminal.console.keyboard import Keyboard, Shown, everything
from duelbook.terminal.console.screen import Screen
from duelbook.terminal.console.signals import Leave, first_signal_raises, ignore_signals
from duelbook.terminal.privacy import Privacy, public_part
from duelbook.terminal.usage import how_to

if TYPE_CHECKING:
    from pathlib import Path


WIDTH = 78
CLAUSES = "--clauses"
SPEAKS_TO_MOVER = re.compile(r"\b(you|your|opponent)\b", re.IGNORECASE)
"""A book that says `you` means whoever moves; said of the computer, it would mean the person."""
COMMANDS = {
    "help": "this list",
    "rules": "the rules of the game; rules --clauses has the numbers and claims",
    "moves": "what you can play, and what has been played",
    "board": "the position",
    "hint": "the best move here, and what it achieves",
    "undo": "take back an answer, or else the last move",
    "save": "save the game, also as: save FILE",
    "resign": "give this game up",
    "quit": "save the game and leave",
}
ABOUT_A_HAND = ("moves", "hint")
"""The commands whose answer depends on what the player to move knows."""
NOT_FOR_OTHERS = (*ABOUT_A_HAND, "resign")
"""The commands that are for the player to move alone."""


class Session:
    """Plays a series: asks for moves, tells what they do, and saves the game whatever happens."""

    def __init__(
        self, series: Series, screen: Screen, keyboard: Keyboard, file: Path | None = None
    ) -> None:
        self.local = LocalSeries(series, ComputerPlayers(), file)
        self.screen = screen
        self.keyboard = keyboard
        self.computers, self.alone = self.local.computers, self.local.alone
        self.privacy = Privacy(screen)
        self._board_shown = ""
        self._answers_told = False

    @property
    def series(self) -> Series:
        """The series as it stands."""
        return self.local.series

    @property
    def position(self) -> Position:
        """The current position."""
        return self.local.position

    @property
    def eyes(self) -> int | None:
        """The seat for whose eyes the screen is; None if both players look at it."""
        return self.privacy.seat if self.alone is None else self.alone

    @property
    def shown(self) -> Position:
        """The current position as whoever looks at the screen may see it."""
        return self.local.seen_by(self.eyes)

    def play(self) -> None:
        """Play the series to its end, or save it when someone leaves."""
        secrets = secrecy.keeps_secrets(self.series.game)
        with first_signal_raises():
            try:
                try:
                    with self.keyboard.guarded() if secrets else nullcontext():
                        self._play()
                finally:
                    ignore_signals()  # a signal that comes before this still gets us to save
                    self.privacy.end()
                    self.local.close()
            except (Leave, EOFError):
                self._save_and_leave()
                raise Leave from None
            except KeyboardInterrupt:
                self.screen.say()
                self._save_and_leave()
                raise
            except Exception:  # such as a closed terminal
                self.local.save()
                raise
            if self._save_at_last():
                again = how_to("replay", self.local.file, game=self.series.game)
                self.screen.note(f"\nSee it again with: {again}")

    def _play(self) -> None:
        self._open_game()
        while True:
            while self.series.match.outcome() is None and self.position.moves():
                self._take_turn()
            self.privacy.end()
            self._draw()
            self._tell_result()
            self._tell_score()
            if self.series.is_over or self.series.best_of == 1:
                return
            self.local.series = self.series.next_game()
            self._open_game()

    def _draw(self) -> None:
        self.screen.picture(self.shown.scene())

    # The words around a game ------------------------------------------------------------------

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
                self.screen.say(f"{self.series.standing()}\n")
            self.screen.heading(
                f"{self.series.game.title}, after {count(len(match.moves), 'move')}."
            )
            self.screen.say(self.shown.board())
        else:
            self.screen.say(self.shown.welcome())

    def _tell_result(self) -> None:
        """Say who has won and why, to people who would not read it out of the book's words."""
        if self.screen.is_interactive or self.computers:
            from duelbook.terminal.result_text import (  # the first prompt goes first
                listener_at,
                result,
            )

            listener = listener_at(self.series, self.alone)
            self.screen.heading(f"\n{result(self.series.match, listener)}")

    def _tell_score(self) -> None:
        if self.series.best_of == 1:
            return
        self.screen.heading(f"\n{self.series.standing()}")
        if not self.series.is_over:
            self.screen.say()

    # A turn -----------------------------------------------------------------------------------

    def _take_turn(self) -> None:
        seat = self.position.to_move
        if not self.privacy.fits(self.position):
            self.privacy.end()
        if seat == CHANCE:
            self._let_it_fall()
            return
        with_hand = seat not in self.computers and secrecy.has_private_information(
            self.position, seat
        )
        handed_over = with_hand and self.eyes is None
        if handed_over and not self._hand_over(seat):
            return
        self.privacy.catch_up()
        if seat in self.computers:
            self._let_computer_move(seat)
            return
        opening = self.shown.turn()
        if opening or handed_over:
            self._draw()
            self.screen.say(f"\n{opening}" if opening else "")
        if with_hand:
            self._show_hand(again=handed_over)
        self._coach(seat)
        move = self._ask_move()
        if move is None:
            return
        if self.privacy.seat is not None:
            self.privacy.tell_the_other_of(self.position, move)
        self._play_move(move)

    def _coach(self, seat: int) -> None:
        """Say what to play in a first game, where the opponent guides it."""
        for computer in self.computers.values():
            if step := computer.coached(self.series.match.record(seat)):
                self.screen.note(textwrap.fill(f"Guide: {step.move}. {step.why}", WIDTH))

    def _let_computer_move(self, seat: int) -> None:
        """Tell what the computer does; nothing is asked that it would answer."""
        before, move = self.position, self._computes_move(seat)
        if move is None:
            return
        told = self.local.play(move).lstrip("\n")
        said = public_part(before, move)
        if SPEAKS_TO_MOVER.search(told):
            from duelbook.terminal.result_text import listener_at  # as above

            told = before.tell_to(listener_at(self.series, self.alone), move, self.position)
            said = ""
        elif told.startswith(player(seat)) or said.rstrip(".") in told:
            said = ""
        self.screen.say("\n" + "\n".join(filter(None, [said, told])))

    def _let_it_fall(self) -> None:
        """Draw chance's move from the seed, so that the same choices meet the same chance."""
        if opening := self.local.seen_by(self.alone).turn():
            self.privacy.tell_both(f"\n{opening}")
        self._play_move(self.local.chance_move())

    def _play_move(self, move: str) -> None:
        if told := self.local.play(move):
            self.privacy.tell_both(told)

    def _hand_over(self, seat: int) -> bool:
        """Give the screen to a player with a hand; False if a command changed the game instead."""
        self.screen.say()
        self.keyboard.forget_typed_ahead()  # or it could show a hand to the wrong player
        while True:
            self.screen.ask(
                f"{player(1 - seat)} looks away. {player(seat)}, press Enter to see your hand. "
            )
            command, _, rest = self.keyboard.line().strip().partition(" ")
            if not command:
                self.privacy.begin(seat)
                return True
            if command.casefold() not in COMMANDS or command.casefold() in ABOUT_A_HAND:
                self.screen.refuse("Press just Enter first.")
            elif self._obey(command.casefold(), rest.strip()):
                return False

    def _show_hand(self, *, again: bool) -> None:
        """Show the position as the player with a hand sees it, if it has changed."""
        board = self.shown.board()
        if again or board != self._board_shown:
            self.screen.say(board)
        self._board_shown = board

    def _computes_move(self, seat: int) -> str | None:
        """Let the computer choose from what its seat knows.

        None when it failed, and a command changed the game.
        """
        from duelbook.terminal.console.progress import waiting

        while True:
            try:
                with waiting("The computer thinks"):
                    return self.local.computed_move(seat)
            except DuelbookError as failure:
                name, why = self.series.players[seat], getattr(failure, "said", failure)
                self.screen.refuse(f"The computer ({name}) did not move. {why}")
                if not self._goes_on_after_failure(seat):
                    return None

    def _goes_on_after_failure(self, seat: int) -> bool:
        """Let the person ask the computer again, or another one; False if the game has changed."""
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
                    if self._obey(command.casefold(), rest.strip()):
                        return False
                else:
                    self._replace(seat, typed)
                    return True
            except DuelbookError as refusal:
                self.screen.refuse(str(refusal))

    def _replace(self, seat: int, name: str) -> None:
        """Give the computer's seat to another player."""
        from duelbook.terminal.console.progress import waiting

        with waiting(f"The computer studies {self.series.game.title}"):
            self.local.replace(seat, name)

    def _ask_move(self) -> str | None:
        """Ask word by word until the words spell a move; None when a command changed the game."""
        position, answered = self.position, False
        look = position.view(position.to_move)
        words: tuple[str, ...] = ()
        legal = position.moves()
        while True:
            words = self._fill_in(position, words, answered=answered)
            if " ".join(words) in legal:
                return " ".join(words)
            question = look.ask(words) or "Enter your move: "
            self._tell_answers(question, words)
            self.screen.ask(question)
            typed = self.keyboard.line(self._echo(position, words))
            command, _, rest = typed.strip().partition(" ")
            options = next_words(legal, words)
            if command.casefold() in COMMANDS and command.casefold() not in options:
                if command.casefold() == "undo" and answered:
                    words, answered = (), False
                elif command.casefold() == "hint" and not rest:
                    self._hint(words if answered else ())
                elif self._obey(command.casefold(), rest.strip()):
                    return None
                continue
            try:
                aloud = self._echo(position, words) is everything
                longer = entry.read(look, words, typed, quote=aloud)
            except DuelbookError as refusal:
                self.screen.refuse(str(refusal))
                continue
            self._acknowledge(position, words, longer)
            words, answered = longer, True

    def _tell_answers(self, question: str, words: tuple[str, ...]) -> None:
        """Say which words a question takes that does not name them, the first time."""
        if self._answers_told or not (self.screen.is_interactive or self.computers):
            return
        if unnamed_answers(self.position, question, words):
            self._answers_told = True
            self.screen.say(f"({in_short(self.position, words)}; help for more)")

    def _echo(self, position: Position, words: tuple[str, ...]) -> Shown:
        """Return how much of an answer is seen: all of it on a screen that will be cleared."""
        if self.privacy.seat is not None and self.screen.can_clear:
            return everything
        return what_may_be_seen(position, words, COMMANDS)

    def _acknowledge(
        self, position: Position, before: tuple[str, ...], words: tuple[str, ...]
    ) -> None:
        """Print the book's answer to each new word."""
        known = len(before) if words[: len(before)] == before else 0
        for count_of_words in range(known + 1, len(words) + 1):
            if heard := position.hear(words[:count_of_words]):
                self.screen.say(heard)

    def _fill_in(
        self, position: Position, words: tuple[str, ...], *, answered: bool
    ) -> tuple[str, ...]:
        """Add the words that leave no choice, but never answer the first question of a turn."""
        while len(options := next_words(position.moves(), words)) == 1:
            question = position.view(position.to_move).ask(words)
            if question and not answered:
                break
            if question:
                self.screen.say(
                    question + ("" if secrecy.is_hidden_choice(position, words) else options[0])
                )
            words = (*words, *options)
        return words

    # Commands ---------------------------------------------------------------------------------

    def _obey(self, command: str, rest: str) -> bool:
        """Carry out a command; True if the position has changed."""
        if rest and command != "save" and (command, rest) != ("rules", CLAUSES):
            self.screen.refuse(f"Type just {command}, with nothing after it.")
            return False
        match command:
            case "help":
                self.screen.say("Answer the question, or type one of these:")
                for name, meaning in COMMANDS.items():
                    self.screen.say(f"  {name:<7} {meaning}")
            case "rules":
                self._show_rules(clauses=rest == CLAUSES)
            case "moves":
                self._list_moves()
            case "board":
                self.screen.say(self.shown.board())
                self._draw()
            case "undo":
                return self._undo()
            case "save":
                self._save_on_request(rest)
            case "resign":
                self.local.resign()
                self.privacy.tell_both(self.series.match.ending())
                return True
            case "quit":
                raise Leave
        return False

    def _show_rules(self, *, clauses: bool) -> None:
        from duelbook.play.rules_page import for_terminal  # only this needs them
        from duelbook.terminal.console.pager import show

        show(for_terminal(self.position.rules_page(), clauses=clauses), self.screen)

    def _list_moves(self) -> None:
        self.screen.say("You can play:")
        for start, lasts in grouped(self.position.moves()).items():
            self.screen.say(f"  {start} {', '.join(lasts)}" if start else f"  {', '.join(lasts)}")
        if played := self.local.known_to(self.eyes):
            self.screen.say(textwrap.fill(f"Played so far: {', '.join(played)}.", WIDTH))

    def _hint(self, words: tuple[str, ...]) -> None:
        """Print a hint, also in the middle of a move."""
        seat = self.position.to_move
        from duelbook.analysis.hint import hint
        from duelbook.players.levels import oracle_for
        from duelbook.terminal.console.progress import waiting

        try:
            check_hint(self.position, shared=self.eyes is None)
            with waiting(f"Studying {self.series.game.title}"):
                record = self.series.match.record(seat)
                best = hint(oracle_for(self.series.game), record.view, record)
            begun = best.move.split()[: len(words)] != list(words)
            self.screen.say(f"{best.text} Type undo first." if begun else best.text)
        except DuelbookError as refusal:
            self.screen.refuse(str(refusal))

    def _undo(self) -> bool:
        try:
            taken = self.local.undo()
        except DuelbookError as refusal:
            self.screen.refuse(str(refusal))
            return False
        self.privacy.tell_both(f"Taken back: {', '.join(taken)}.")
        self.privacy.tell_both(self.local.seen_by(self.alone).board())
        return True

    # Saving -----------------------------------------------------------------------------------

    def _save_on_request(self, name: str) -> None:
        try:
            self.local.save(name)
        except SaveError as refusal:
            self.screen.note(f"Not saved. {refusal}")
        else:
            self.screen.note(f"Saved to {self.local.file}.{self.local.left_out_note()}")

    def _save_and_leave(self) -> None:
        if self._save_at_last():
            self.screen.say(f"Game saved.{self.local.left_out_note()}")
            words = ["resume", self.local.file, *self.local.options_to_resume()]
            self.screen.note(f"Continue with: {how_to(*words, game=self.series.game)}")

    def _save_at_last(self) -> bool:
        """Save, or show the moves so that they are not lost."""
        try:
            self.local.save()
        except SaveError as refusal:
            self.screen.note(str(refusal))
            moves = self.local.saved_moves()
            self.screen.say(f"The moves were: {', '.join(moves) or 'none'}.")
            return False
        return True
