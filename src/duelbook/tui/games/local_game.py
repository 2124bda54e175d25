"""A game at this terminal: two people, or one against the computer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from duelbook import secrecy
from duelbook.analysis.hint import hint
from duelbook.analysis.score_texts import describe_evaluation
from duelbook.errors import DuelbookError, SaveError
from duelbook.play.local_series import LocalSeries
from duelbook.play.match import check_hint
from duelbook.play.names import PLAYERS, check_names, named, tidy
from duelbook.play.series import PERSON, Series
from duelbook.players.levels import oracle_for
from duelbook.position import CHANCE, Position, player
from duelbook.scene import Scene
from duelbook.terminal.computer_players import ComputerPlayers
from duelbook.terminal.result_text import listener_at, result
from duelbook.terminal.usage import how_to
from duelbook.tui.key_commands import KEYS, MENU, Item, buttons

if TYPE_CHECKING:
    from pathlib import Path


class LocalGame:
    """A game at this terminal; a `TuiGame`."""

    keys = KEYS

    def __init__(self, series: Series, file: Path | None = None) -> None:
        self.local = LocalSeries(series, ComputerPlayers(), file)
        self.viewer = self.local.only_person
        """The only seat that looks at the screen; None if both players look at it."""
        self.save_error = ""
        """The reason why the last automatic save failed; empty if it succeeded."""

    # State ------------------------------------------------------------------------------------

    @property
    def series(self) -> Series:
        """The current state of the series."""
        return self.local.series

    @property
    def game(self) -> type[Position]:
        """The class of the game."""
        return self.series.game

    @property
    def title(self) -> str:
        """The title of the game, and its number in a series."""
        series = self.series
        which = f", game {len(series.matches)} of {series.best_of}" if series.best_of > 1 else ""
        return self.game.title + which

    @property
    def names(self) -> tuple[str, str]:
        """The names of the players; the name of the computer includes its level."""
        ours, theirs = (
            f"Computer ({who})" if who != PERSON and name in PLAYERS else name
            for who, name in zip(self.series.players, self.series.names, strict=True)
        )
        return ours, theirs

    @property
    def shown(self) -> Position:
        """The position as the people at the screen may see it."""
        return self.local.seen_by(self.viewer)

    @property
    def look(self) -> Position:
        """The position as the player to move may see it."""
        position = self.local.position
        return position.view(position.to_move)

    @property
    def scene_before(self) -> Scene:
        """The scene before the last move, as seen from the same seat."""
        positions = self.series.match.positions
        if len(positions) < 2:
            return self.shown.scene()
        earlier = positions[-2]
        seen = secrecy.public_view(earlier) if self.viewer is None else earlier.view(self.viewer)
        return seen.scene()

    @property
    def number(self) -> int:
        """The number of moves so far."""
        return len(self.series.match.moves)

    @property
    def is_over(self) -> bool:
        """Return whether the current game is over."""
        return self.series.match.outcome() is not None or not self.local.position.moves()

    @property
    def asked_seat(self) -> int | None:
        """The seat of the person who is to move, or None."""
        seat = self.local.position.to_move
        return None if self.is_over or seat == CHANCE or seat in self.local.computers else seat

    @property
    def running(self) -> int | None:
        """The seat whose time runs, if one does."""
        seat = self.local.position.to_move
        return None if self.is_over or seat == CHANCE else seat

    @property
    def can_resign(self) -> bool:
        """Return whether somebody here can resign now."""
        return self.asked_seat is not None

    def time_left(self, seat: int) -> float | None:  # noqa: ARG002 # there are no clocks here
        """Return None: a game at this terminal has no clocks."""
        return None

    def legal(self) -> tuple[str, ...]:
        """Return the moves to choose from."""
        return tuple(self.local.position.moves())

    def waits_for(self) -> str:
        """Return a text about the player who thinks; empty if a person is asked."""
        if self.is_over or self.asked_seat is not None:
            return ""
        seat = self.local.position.to_move
        return "Chance" if seat == CHANCE else f"{player(seat)} thinks"

    def needs_curtain(self, words: tuple[str, ...]) -> bool:
        """Return whether the other player must look away before the choice of the next word."""
        seat = self.asked_seat
        if seat is None or self.local.only_person is not None or self.viewer == seat:
            return False
        position = self.local.position
        return secrecy.has_private_information(position, seat) or secrecy.is_secret_word(
            position, words
        )

    def is_unseen(self, words: tuple[str, ...]) -> bool:
        """Return whether the screen must not show the next word."""
        return secrecy.is_secret_word(self.local.position, words)

    def log(self) -> list[str]:
        """Return the texts of the book: the welcome, then the text of each move."""
        match = self.series.match
        start = match.positions[0]
        first = secrecy.public_view(start) if self.viewer is None else start.view(self.viewer)
        texts = [first.welcome()]
        known = self.local.known_to(self.viewer)
        steps = zip(match.positions, known, match.move_texts(), strict=False)
        for number, (before, move, text) in enumerate(steps, start=1):
            heading = f"{number}. {player(before.to_move)}: {move}"
            texts.append("\n".join(filter(None, [heading, text.strip("\n")])))
        if ending := match.ending():
            texts.append(ending)
        return [named(text, self.names) for text in texts]

    def result(self) -> str:
        """Return a text about the winner and the score of the series."""
        lines = [result(self.series.match, listener_at(self.series, self.local.only_person))]
        if self.series.best_of > 1:
            lines.append(self.series.standing())
        return named("\n".join(lines), self.names)

    def notice(self) -> str:
        """Return the reason why the last automatic save failed, or an empty string."""
        return self.save_error

    def commands(self) -> tuple[Item, ...]:
        """Return the buttons at the bottom."""
        hint = () if self.is_over else ("hint",)
        return buttons("menu", "keys", *hint, "undo", "bar", "save", "leave")

    def menu(self) -> list[Item]:
        """Return the lines of the menu."""
        left_out = {"hint", "resign"} if self.is_over else set[str]()
        if self.local.only_person is None:
            left_out.add("level")
        return [Item(name, line) for name, line in MENU.items() if name not in left_out]

    def offers(self) -> tuple[Item, ...]:
        """Return the buttons after the game."""
        following = ("next",) if self.has_next_game else ("again", "swap")
        return buttons(*following, "review", "other", "leave", leave="Leave")

    @property
    def has_next_game(self) -> bool:
        """Return whether the series continues after the current game."""
        return self.series.best_of > 1 and not self.series.is_over

    # Commands ---------------------------------------------------------------------------------

    def play_automatic_move(self) -> None:
        """Play a chance outcome or a move of the computer; this may take long."""
        seat = self.local.position.to_move
        chance = seat == CHANCE
        self.local.play(self.local.chance_move() if chance else self.local.computed_move(seat))
        self._autosave()

    def play(self, move: str) -> None:
        """Play a move of the person who is asked."""
        self.local.play(move)
        self.viewer = self.local.only_person
        self._autosave()

    def undo(self) -> str:
        """Take back the last choice; return a note to show."""
        if self.waits_for():
            raise DuelbookError("Wait until it is your turn.")
        self.local.undo()
        self.viewer = self.local.only_person
        self._autosave()
        return "Taken back."

    def resign(self) -> None:
        """Resign the current game."""
        self.local.resign(
            self.asked_seat if self.local.only_person is None else self.local.only_person
        )
        self.viewer = self.local.only_person
        self._autosave()

    def next_game(self) -> None:
        """Begin the next game of the series."""
        self.local.series = self.series.next_game()
        self._autosave()

    def hint(self) -> str:
        """Return a hint for the person who is asked."""
        position = self.local.position
        check_hint(position, shared=self.viewer is None)
        record = self.series.match.record(position.to_move)
        return named(hint(oracle_for(self.game), record.view, record).text, self.names)

    def evaluation(self) -> tuple[float, str] | None:
        """Return Player 1's value, from -1 to 1, and a text; None while something is secret."""
        position = self.local.position
        if self.series.match.outcome() is not None:
            winner = self.series.match.winner()
            return (0.0 if winner is None else 1.0 - 2 * winner), ""
        if secrecy.public_view(position) != position:
            return None
        oracle = oracle_for(self.game)
        value = oracle.value_for(0, position) / self.game.largest_payoff
        return value, named(describe_evaluation(oracle, position), self.names)

    def rename(self, names: tuple[str, str]) -> None:
        """Change the names of the players; refuse invalid names."""
        names = tidy(names[0]), tidy(names[1])
        check_names(names)
        self.local.series = replace(self.series, names=names)
        self._autosave()

    def replace_computer(self, level: str) -> None:
        """Play against another computer player from now on."""
        for seat in self.local.computers:
            self.local.replace(seat, level)
        self._autosave()

    def save(self, name: str = "") -> str:
        """Save the game; return a text with its path."""
        self.local.save(name)
        return f"Saved to {self.local.file}.{self.local.left_out_note()}"

    def _autosave(self) -> None:
        """Save the game after a change, so that a closed window loses nothing."""
        try:
            self.local.save()
        except SaveError as refusal:
            self.save_error = str(refusal)
        else:
            self.save_error = ""

    def series_to_review(self) -> Series:
        """Return the games to review."""
        return self.series

    def close(self) -> str:
        """Save the game and close the computer players; return how to continue it, as text."""
        try:
            self.local.save()
        except DuelbookError as refusal:
            moves = ", ".join(self.local.saved_moves()) or "none"
            return f"{refusal}\nThe moves were: {moves}."
        finally:
            self.local.close()
        over = self.series.is_over
        words = ["replay" if over else "resume", self.local.file]
        words += [] if over else self.local.options_to_resume()
        again = how_to(*words, game=self.game)
        if over:
            return f"See it again with: {again}"
        return f"Game saved.{self.local.left_out_note()}\nContinue with: {again}"
