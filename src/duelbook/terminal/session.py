"""A session: people at one keyboard play a series, in the words of the book."""

from __future__ import annotations

import textwrap
from contextlib import nullcontext
from typing import TYPE_CHECKING

from duelbook import luck, secrecy
from duelbook.errors import DuelbookError, SaveError
from duelbook.play import entry
from duelbook.play.draws import kept
from duelbook.play.series import PERSON, Series
from duelbook.play.sitting import check_hint, move_seed, take_back
from duelbook.position import LUCK, Position, count, next_words, player
from duelbook.terminal.echo import what_may_be_seen
from duelbook.terminal.keyboard import Keyboard, Shown, everything
from duelbook.terminal.privacy import Privacy, words_for_both
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
ABOUT_A_HAND = ("moves", "hint")
"""The commands whose answer depends on what the player to move knows."""


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
        people = [seat for seat in (0, 1) if seat not in self.computers]
        self.alone = people[0] if len(people) == 1 else None
        """The seat of the only person, who may always see what it sees."""
        self.privacy = Privacy(screen)
        self.undone = 0
        self._board_shown = ""

    @property
    def position(self) -> Position:
        """The current position."""
        return self.series.match.position

    @property
    def eyes(self) -> int | None:
        """The seat for whose eyes the screen is; None if both players look at it."""
        return self.privacy.seat if self.alone is None else self.alone

    @property
    def shown(self) -> Position:
        """The current position as whoever looks at the screen may see it."""
        return self._seen_by(self.eyes)

    def _seen_by(self, seat: int | None) -> Position:
        return secrecy.public_view(self.position) if seat is None else self.position.view(seat)

    def _known_to(self, seat: int | None) -> tuple[str, ...]:
        match = self.series.match
        return match.seen_by_everyone() if seat is None else match.seen_by(seat)

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
            self.privacy.end()
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
        seat = self.position.to_move
        if not self.privacy.fits(self.position):
            self.privacy.end()
        if seat == LUCK:
            self._let_it_fall()
            return
        with_hand = seat not in self.computers and secrecy.has_hand(self.position, seat)
        handed_over = with_hand and self.eyes is None
        if handed_over and not self._hand_over(seat):
            return
        self.privacy.catch_up()
        opening = self.shown.turn()
        if opening or handed_over:
            self._draw()
            self.screen.say(f"\n{opening}" if opening else "")
        if with_hand:
            self._show_hand(again=handed_over)
        move = self._computes_move() if seat in self.computers else self._ask_move()
        if move is None:
            return
        if self.privacy.seat is not None:
            self.privacy.tell_the_other_of(self.position, move)
        self._play_move(move)

    def _let_it_fall(self) -> None:
        """Draw luck's move from the seed, so that the same choices meet the same luck."""
        if opening := self._seen_by(self.alone).turn():
            self.privacy.tell_both(f"\n{opening}")
        seed = self.series.seed_of_draws(len(self.series.matches) - 1)
        turn = len(self.series.match.moves)
        self._play_move(luck.draw_from_seed(self.position, seed, turn))

    def _play_move(self, move: str) -> None:
        before = self.position
        self.series = self.series.with_match(self.series.match.play(move))
        if told := before.tell(move, self.position):
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

    def _computes_move(self) -> str:
        """Let the computer choose from what its seat knows, and say the public part of its move."""
        from random import Random

        from duelbook.players.asking import ask

        match, seat = self.series.match, self.position.to_move
        turn = len(self.series.matches), len(match.moves), self.undone
        random = Random(move_seed(self.series.seed, *turn))
        move = ask(self.computers[seat], match.record(seat), random)
        if said := words_for_both(self.position, move):
            self.screen.say(said)
        return move

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
            self.screen.ask(look.ask(words) or "Enter your move: ")
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
                self.privacy.tell_both(self.series.match.ending())
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
        if played := self._known_to(self.eyes):
            self.screen.say(textwrap.fill(f"Played so far: {', '.join(played)}.", WIDTH))

    def _hint(self, words: tuple[str, ...]) -> None:
        """Print a hint, also in the middle of a move."""
        seat = self.position.to_move
        from duelbook.players.levels import oracle_for
        from duelbook.study.hint import hint
        from duelbook.terminal.progress import waiting

        try:
            check_hint(self.position, shared=self.eyes is None)
            with waiting(f"Studying {self.series.game.title}"):
                record = self.series.match.record(seat)
                advice = hint(oracle_for(self.series.game), record.view, record)
            begun = words and not advice.startswith(" ".join(words))
            self.screen.say(f"{advice} Type undo first." if begun else advice)
        except DuelbookError as refusal:
            self.screen.refuse(str(refusal))

    def _undo(self) -> bool:
        match = self.series.match
        try:
            before = take_back(match, match.position.to_move if self.computers else None)
            while self._is_played_unasked(before.position) and before.moves:
                before = take_back(before, before.position.to_move if self.computers else None)
        except DuelbookError as refusal:
            self.screen.refuse(str(refusal))
            return False
        taken = self._known_to(self.alone)[len(before.moves) :]
        self.privacy.tell_both(f"Taken back: {', '.join(taken)}.")
        self.undone += 1
        self.series = self.series.with_match(before)
        self.privacy.tell_both(self._seen_by(self.alone).board())
        return True

    @staticmethod
    def _is_played_unasked(position: Position) -> bool:
        """Whether the only move would be made again at once, so that undoing it is no use."""
        words: tuple[str, ...] = ()
        while len(options := next_words(position.moves(), words)) == 1:
            if position.ask(words):
                return False
            words = (*words, *options)
        return " ".join(words) in position.moves()

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
            moves = self._kept_moves()
            self.screen.say(f"The moves were: {', '.join(moves) or 'none'}.")
            return False
        return True

    def _left_out(self) -> str:
        secrets = len(self.series.match.moves) - len(self._kept_moves())
        return " A choice that is still secret is left out." if secrets else ""

    def _kept_moves(self) -> tuple[str, ...]:
        return kept(self.series.match, self.series.seed_of_draws(len(self.series.matches) - 1))
