"""A game at this terminal: two people, or one against the computer."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from duelbook import secrecy
from duelbook.errors import DuelbookError, SaveError
from duelbook.play.local_series import LocalSeries
from duelbook.play.match import check_hint
from duelbook.play.names import PLAYERS, check_names, named, tidy
from duelbook.play.series import PERSON, Series
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
        self.eyes = self.local.alone
        """Whose eyes the screen is for; None if both players look at it."""
        self.trouble = ""
        """Why the game could not be saved by itself, if it could not."""

    # How it stands ----------------------------------------------------------------------------

    @property
    def series(self) -> Series:
        """The series as it stands."""
        return self.local.series

    @property
    def game(self) -> type[Position]:
        """The game that is played."""
        return self.series.game

    @property
    def title(self) -> str:
        """What is played, and which game of a match it is."""
        series = self.series
        which = f", game {len(series.matches)} of {series.best_of}" if series.best_of > 1 else ""
        return self.game.title + which

    @property
    def names(self) -> tuple[str, str]:
        """What the players are called; the computer has its level in its name."""
        ours, theirs = (
            f"Computer ({who})" if who != PERSON and name in PLAYERS else name
            for who, name in zip(self.series.players, self.series.names, strict=True)
        )
        return ours, theirs

    @property
    def shown(self) -> Position:
        """The position as the people at the screen may see it."""
        return self.local.seen_by(self.eyes)

    @property
    def look(self) -> Position:
        """The position as the player to choose may see it."""
        position = self.local.position
        return position.view(position.to_move)

    @property
    def scene_before(self) -> Scene:
        """The scene before the last move, as the same eyes saw it."""
        positions = self.series.match.positions
        if len(positions) < 2:
            return self.shown.scene()
        earlier = positions[-2]
        seen = secrecy.public_view(earlier) if self.eyes is None else earlier.view(self.eyes)
        return seen.scene()

    @property
    def number(self) -> int:
        """How many moves have been made."""
        return len(self.series.match.moves)

    @property
    def is_over(self) -> bool:
        """Return whether the current game is over."""
        return self.series.match.outcome() is not None or not self.local.position.moves()

    @property
    def asked_seat(self) -> int | None:
        """The person who is to choose here, or None."""
        seat = self.local.position.to_move
        return None if self.is_over or seat == CHANCE or seat in self.local.computers else seat

    @property
    def running(self) -> int | None:
        """The seat whose time runs, if one does."""
        seat = self.local.position.to_move
        return None if self.is_over or seat == CHANCE else seat

    @property
    def can_resign(self) -> bool:
        """Return whether somebody here can give the game up now."""
        return self.asked_seat is not None

    def time_left(self, seat: int) -> float | None:  # noqa: ARG002 # there are no clocks here
        """Return nothing: at this terminal nobody runs out of time."""
        return None

    def legal(self) -> tuple[str, ...]:
        """Return the moves to choose from."""
        return tuple(self.local.position.moves())

    def waits_for(self) -> str:
        """Say who thinks; empty if a person is asked."""
        if self.is_over or self.asked_seat is not None:
            return ""
        seat = self.local.position.to_move
        return "Chance" if seat == CHANCE else f"{player(seat)} thinks"

    def needs_curtain(self, words: tuple[str, ...]) -> bool:
        """Return whether the other player must look away before the next word is chosen."""
        seat = self.asked_seat
        if seat is None or self.local.alone is not None or self.eyes == seat:
            return False
        position = self.local.position
        return secrecy.has_private_information(position, seat) or secrecy.is_secret_word(
            position, words
        )

    def is_unseen(self, words: tuple[str, ...]) -> bool:
        """Return whether the next word is typed without being shown."""
        return secrecy.is_secret_word(self.local.position, words)

    def log(self) -> list[str]:
        """Return what has been said, in the book's words: the welcome, then move by move."""
        match = self.series.match
        start = match.positions[0]
        first = secrecy.public_view(start) if self.eyes is None else start.view(self.eyes)
        texts = [first.welcome()]
        known = self.local.known_to(self.eyes)
        steps = zip(match.positions, known, match.told(), strict=False)
        for number, (before, move, told) in enumerate(steps, start=1):
            heading = f"{number}. {player(before.to_move)}: {move}"
            texts.append("\n".join(filter(None, [heading, told.strip("\n")])))
        if ending := match.ending():
            texts.append(ending)
        return [named(text, self.names) for text in texts]

    def result(self) -> str:
        """Say who has won, and how the match stands."""
        lines = [result(self.series.match, listener_at(self.series, self.local.alone))]
        if self.series.best_of > 1:
            lines.append(self.series.standing())
        return named("\n".join(lines), self.names)

    def notice(self) -> str:
        """Say why the game could not be saved by itself, if it could not."""
        return self.trouble

    def commands(self) -> tuple[Item, ...]:
        """Return the buttons at the bottom."""
        hint = () if self.is_over else ("hint",)
        return buttons("menu", "keys", *hint, "undo", "bar", "save", "leave")

    def menu(self) -> list[Item]:
        """Return the lines of the menu."""
        left_out = {"hint", "resign"} if self.is_over else set[str]()
        if self.local.alone is None:
            left_out.add("level")
        return [Item(name, line) for name, line in MENU.items() if name not in left_out]

    def offers(self) -> tuple[Item, ...]:
        """Return what people can do after the game."""
        goes_on = ("next",) if self.has_next_game else ("again", "swap")
        return buttons(*goes_on, "review", "other", "leave", leave="Leave")

    @property
    def has_next_game(self) -> bool:
        """Return whether the match continues after the game that is over."""
        return self.series.best_of > 1 and not self.series.is_over

    # What can be done -------------------------------------------------------------------------

    def go_on(self) -> None:
        """Let chance fall or the computer move; takes as long as it takes."""
        seat = self.local.position.to_move
        chance = seat == CHANCE
        self.local.play(self.local.chance_move() if chance else self.local.computed_move(seat))
        self._keep()

    def play(self, move: str) -> None:
        """Play a move of the person who is asked."""
        self.local.play(move)
        self.eyes = self.local.alone
        self._keep()

    def undo(self) -> str:
        """Take back the last choice; return what to say."""
        if self.waits_for():
            raise DuelbookError("Wait until it is your turn.")
        self.local.undo()
        self.eyes = self.local.alone
        self._keep()
        return "Taken back."

    def resign(self) -> None:
        """Give the current game up."""
        self.local.resign(self.asked_seat if self.local.alone is None else self.local.alone)
        self.eyes = self.local.alone
        self._keep()

    def next_game(self) -> None:
        """Begin the next game of the match."""
        self.local.series = self.series.next_game()
        self._keep()

    def hint(self) -> str:
        """Return a hint for the person who is asked."""
        from duelbook.analysis.hint import hint
        from duelbook.players.levels import oracle_for  # slow to import

        position = self.local.position
        check_hint(position, shared=self.eyes is None)
        record = self.series.match.record(position.to_move)
        return named(hint(oracle_for(self.game), record.view, record).text, self.names)

    def evaluation(self) -> tuple[float, str] | None:
        """Return Player 1's value from -1 to 1, in words too; None while something is secret."""
        from duelbook.analysis.score_texts import describe_evaluation
        from duelbook.players.levels import oracle_for  # slow to import

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
        """Call the players otherwise, or refuse the names."""
        names = tidy(names[0]), tidy(names[1])
        check_names(names)
        self.local.series = replace(self.series, names=names)
        self._keep()

    def replace_computer(self, level: str) -> None:
        """Play against another computer player from now on."""
        for seat in self.local.computers:
            self.local.replace(seat, level)
        self._keep()

    def save(self, name: str = "") -> str:
        """Save the game; return where it is."""
        self.local.save(name)
        return f"Saved to {self.local.file}.{self.local.left_out_note()}"

    def _keep(self) -> None:
        """Save after every change, so that a closed window loses nothing."""
        try:
            self.local.save()
        except SaveError as refusal:
            self.trouble = str(refusal)
        else:
            self.trouble = ""

    def reviewed(self) -> Series:
        """Return what has been played, to step through."""
        return self.series

    def put_away(self) -> str:
        """Save the game and close the computer players; return how to continue it."""
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
