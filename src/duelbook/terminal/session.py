"""A session: people at one keyboard play a series, in the words of the book."""

from __future__ import annotations

import textwrap
from contextlib import nullcontext
from itertools import takewhile
from typing import TYPE_CHECKING

from duelbook import secrecy
from duelbook.errors import DuelbookError, SaveError
from duelbook.play import entry
from duelbook.play.series import PERSON, Series
from duelbook.play.sitting import check_hint, move_seed, take_back
from duelbook.position import Position, count, next_words, player
from duelbook.terminal.echo import what_may_be_seen
from duelbook.terminal.keyboard import Keyboard
from duelbook.terminal.screen import Screen
from duelbook.terminal.signals import Leave, first_signal_raises, ignore_signals
from duelbook.terminal.usage import how_to

if TYPE_CHECKING:
    from pathlib import Path

    from duelbook.players import Player

WIDTH = 78
COMMANDS = {
    "help": "this list",
    "rules": "the rules of the game",
    "moves": "what you can play, and what has been played",
    "board": "the position",
    "hint": "the best move here, and what it achieves",
    "undo": "take back an answer, or else the last move",
    "save": "save the game, also as: save FILE",
    "resign": "give this game up",
    "quit": "save the game and leave",
}


def _computers(series: Series) -> dict[int, Player]:
    """Return the seats that the computer plays."""
    if series.players == (PERSON, PERSON):
        return {}
    from duelbook.players import make

    return {seat: make(name) for seat, name in enumerate(series.players) if name != PERSON}


class Session:
    """Plays a series: asks for moves, tells what they do, and saves the game whatever happens."""

    def __init__(
        self, series: Series, screen: Screen, keyboard: Keyboard, file: Path | None = None
    ) -> None:
        self.series = series
        self.screen = screen
        self.keyboard = keyboard
        self.file = file
        self.computers = _computers(series)
        self.undone = 0

    @property
    def position(self) -> Position:
        """The current position."""
        return self.series.match.position

    @property
    def shown(self) -> Position:
        """The current position as both players may see it on one screen."""
        return secrecy.public_view(self.position)

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
            except (Leave, EOFError):
                self._save_and_leave()
                raise Leave from None
            except KeyboardInterrupt:
                self.screen.say()
                self._save_and_leave()
                raise
            except Exception:  # such as a closed terminal
                self.save()
                raise
            if self._save_at_last():
                again = how_to("replay", self.file, game=self.series.game)
                self.screen.note(f"\nSee it again with: {again}")

    def _play(self) -> None:
        self._open_game()
        while True:
            while self.series.match.outcome() is None and self.position.moves():
                self._take_turn()
            self._draw()
            self._tell_score()
            if self.series.is_over or self.series.best_of == 1:
                return
            self.series = self.series.next_game()
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

    def _tell_score(self) -> None:
        if self.series.best_of == 1:
            return
        self.screen.heading(f"\n{self.series.standing()}")
        if not self.series.is_over:
            self.screen.say()

    # A turn -----------------------------------------------------------------------------------

    def _take_turn(self) -> None:
        position = self.position
        if opening := self.shown.turn():
            self._draw()
            self.screen.say(f"\n{opening}")
        computes = position.to_move in self.computers
        move = self._computes_move() if computes else self._ask_move()
        if move is not None:
            self.series = self.series.with_match(self.series.match.play(move))
            told = position.tell(move, self.position)
            if told:
                self.screen.say(told)

    def _computes_move(self) -> str:
        """Let the computer choose from its seat's view, and say the public part of its move."""
        from random import Random

        position, match = self.position, self.series.match
        turn = len(self.series.matches), len(match.moves), self.undone
        random = Random(move_seed(self.series.seed, *turn))
        move = self.computers[position.to_move].choose(position.view(position.to_move), random)
        if secrecy.hidden_from_mover(position):
            return move
        words = tuple(move.split())
        public = takewhile(
            lambda end: not secrecy.is_secret_word(position, words[:end]), range(len(words))
        )
        heard = [position.hear(words[: end + 1]) for end in public]
        if any(heard):
            self.screen.say("\n".join(filter(None, heard)))
        elif len(heard) == len(words):
            said = f"{player(position.to_move)} plays {move}."
            if not position.tell(move, position.play(move)).startswith(
                said
            ):  # or the line would come twice
                self.screen.say(said)
        return move

    def _ask_move(self) -> str | None:
        """Ask word by word until the words spell a move; None when a command changed the game."""
        position, answered = self.position, False
        words: tuple[str, ...] = ()
        legal = position.moves()
        while True:
            words = self._fill_in(position, words, answered=answered)
            if " ".join(words) in legal:
                return " ".join(words)
            self.screen.ask(position.ask(words) or "Enter your move: ")
            typed = self.keyboard.line(what_may_be_seen(position, words, COMMANDS))
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
                aloud = not secrecy.is_sealed(position, words)
                longer = entry.read(position, words, typed, quote=aloud)
            except DuelbookError as refusal:
                self.screen.refuse(str(refusal))
                continue
            self._acknowledge(position, words, longer)
            words, answered = longer, True

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
            question = position.ask(words)
            if question and not answered:
                break
            if question:
                self.screen.say(
                    question + ("" if secrecy.is_sealed(position, words) else options[0])
                )
            words = (*words, *options)
        return words

    # Commands ---------------------------------------------------------------------------------

    def _obey(self, command: str, rest: str) -> bool:
        """Carry out a command; True if the position has changed."""
        if rest and command != "save":
            self.screen.refuse(f"Type just {command}, with nothing after it.")
            return False
        match command:
            case "help":
                self.screen.say("Answer the question, or type one of these:")
                for name, meaning in COMMANDS.items():
                    self.screen.say(f"  {name:<7} {meaning}")
            case "rules":
                self.screen.note(self.position.rules_page().rstrip())
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
                self.series = self.series.with_match(self.series.match.resign())
                self.screen.say(self.series.match.ending())
                return True
            case "quit":
                raise Leave
        return False

    def _list_moves(self) -> None:
        groups: dict[str, list[str]] = {}
        for move in self.position.moves():
            start, _, last = move.rpartition(" ")
            groups.setdefault(start, []).append(last)
        self.screen.say("You can play:")
        for start, lasts in groups.items():
            self.screen.say(f"  {start} {', '.join(lasts)}" if start else f"  {', '.join(lasts)}")
        if played := self.series.match.seen_by_everyone():
            self.screen.say(textwrap.fill(f"Played so far: {', '.join(played)}.", WIDTH))

    def _hint(self, words: tuple[str, ...]) -> None:
        """Print a hint, also in the middle of a move."""
        seat = self.position.to_move
        from duelbook.players.levels import oracle_for
        from duelbook.study.hint import hint

        try:
            check_hint(self.position, shared=not self.computers)
            advice = hint(oracle_for(self.series.game), self.position.view(seat))
            begun = words and not advice.startswith(" ".join(words))
            self.screen.say(f"{advice} Type undo first." if begun else advice)
        except DuelbookError as refusal:
            self.screen.refuse(str(refusal))

    def _undo(self) -> bool:
        match = self.series.match
        try:
            before = take_back(match, match.position.to_move if self.computers else None)
        except DuelbookError as refusal:
            self.screen.refuse(str(refusal))
            return False
        taken = match.seen_by_everyone()[len(before.moves) :]
        self.screen.say(f"Taken back: {', '.join(taken)}.")
        self.undone += 1
        self.series = self.series.with_match(before)
        self.screen.say(self.shown.board())
        return True

    # Saving -----------------------------------------------------------------------------------

    def save(self, name: str = "") -> None:
        """Save the series under a name, or to its file, which the first call creates."""
        from duelbook import files  # a new game need not wait for pathlib and JSON
        from duelbook.play import saves

        if name:
            file = files.free(files.path(name), ours=self.file)
        else:
            file = self.file or saves.new_file(self.series)
        saves.write(self.series, file)
        self.file = file

    def _save_on_request(self, name: str) -> None:
        try:
            self.save(name)
        except SaveError as refusal:
            self.screen.note(f"Not saved. {refusal}")
        else:
            self.screen.note(f"Saved to {self.file}.{self._left_out()}")

    def _save_and_leave(self) -> None:
        if self._save_at_last():
            self.screen.say(f"Game saved.{self._left_out()}")
            self.screen.note(f"Continue with: {how_to('resume', self.file, game=self.series.game)}")

    def _save_at_last(self) -> bool:
        """Save, or show the moves so that they are not lost."""
        try:
            self.save()
        except SaveError as refusal:
            self.screen.note(str(refusal))
            moves = self.series.match.without_secrets().moves
            self.screen.say(f"The moves were: {', '.join(moves) or 'none'}.")
            return False
        return True

    def _left_out(self) -> str:
        match = self.series.match
        secrets = len(match.moves) - len(match.without_secrets().moves)
        return " A choice that is still secret is left out." if secrets else ""
