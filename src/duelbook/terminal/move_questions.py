"""Ask a person for a move, word by word, in the words of the book."""

from __future__ import annotations

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.play import move_input
from duelbook.position import Position, next_words
from duelbook.terminal.answer_hints import in_short, unnamed_answers
from duelbook.terminal.console.echo import echo_for
from duelbook.terminal.console.keyboard import Echo, echo_all
from duelbook.terminal.local_console import LocalConsole
from duelbook.terminal.session_commands import COMMANDS, SessionCommands


class MoveQuestions:
    """The questions of the book, asked until the answers spell a move."""

    def __init__(self, console: LocalConsole, commands: SessionCommands) -> None:
        self.console, self.commands = console, commands
        self.screen = console.screen
        self._answers_printed = False

    def ask_move(self) -> str | None:
        """Ask word by word, and return the move; return None if a command changed the game."""
        position, answered = self.console.position, False
        look = position.view(position.to_move)
        words: tuple[str, ...] = ()
        legal = position.moves()
        while True:
            words = self._fill_in(position, words, answered=answered)
            if " ".join(words) in legal:
                return " ".join(words)
            question = look.ask(words) or "Enter your move: "
            self._print_answers(question, words)
            self.screen.ask(question)
            typed = self.console.keyboard.line(self._echo(position, words))
            command, _, rest = typed.strip().partition(" ")
            options = next_words(legal, words)
            if command.casefold() in COMMANDS and command.casefold() not in options:
                if command.casefold() == "undo" and answered:
                    words, answered = (), False
                elif command.casefold() == "hint" and not rest:
                    self.commands.hint(words if answered else ())
                elif self.commands.run_command(command.casefold(), rest.strip()):
                    return None
                continue
            try:
                aloud = self._echo(position, words) is echo_all
                longer = move_input.read(look, words, typed, quote=aloud)
            except DuelbookError as refusal:
                self.screen.refuse(str(refusal))
                continue
            self._acknowledge(position, words, longer)
            words, answered = longer, True

    def _print_answers(self, question: str, words: tuple[str, ...]) -> None:
        """Print the possible answers before the first question that does not name them."""
        if self._answers_printed or not (
            self.screen.is_interactive or self.console.local.computers
        ):
            return
        if unnamed_answers(self.console.position, question, words):
            self._answers_printed = True
            self.screen.print(f"({in_short(self.console.position, words)}; help for more)")

    def _echo(self, position: Position, words: tuple[str, ...]) -> Echo:
        """Return the part of an answer to echo: all of it if the screen is cleared afterwards."""
        if self.console.privacy.seat is not None and self.screen.can_clear:
            return echo_all
        return echo_for(position, words, COMMANDS)

    def _acknowledge(
        self, position: Position, before: tuple[str, ...], words: tuple[str, ...]
    ) -> None:
        """Print the book's answer to each new word."""
        known = len(before) if words[: len(before)] == before else 0
        for count_of_words in range(known + 1, len(words) + 1):
            if heard := position.hear(words[:count_of_words]):
                self.screen.print(heard)

    def _fill_in(
        self, position: Position, words: tuple[str, ...], *, answered: bool
    ) -> tuple[str, ...]:
        """Return the words with forced words added; never answer the first question of a turn."""
        while len(options := next_words(position.moves(), words)) == 1:
            question = position.view(position.to_move).ask(words)
            if question and not answered:
                break
            if question:
                self.screen.print(
                    question + ("" if secrecy.is_hidden_choice(position, words) else options[0])
                )
            words = (*words, *options)
        return words
