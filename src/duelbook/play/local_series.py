"""`LocalSeries`: a series at one terminal, with its computer players and its file.

It prints nothing. Both line mode and the TUI use it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from duelbook import secrecy
from duelbook.play.chance_seeds import moves_to_save
from duelbook.play.series import PERSON, Series, move_seed
from duelbook.position import Position, next_words

if TYPE_CHECKING:
    from pathlib import Path
    from random import Random

    from duelbook.play.first_game import FirstGameStep


class ComputerPlayer(Protocol):
    """A player that a local series asks for moves."""

    def choose_from_record(self, record: secrecy.SeatRecord, random: Random) -> str:
        """Return a legal move, chosen from everything that the seat has seen."""

    def advice(self, record: secrecy.SeatRecord) -> FirstGameStep | None:
        """Return the move that this player recommends to its opponent, or None."""

    def close(self) -> None:
        """End the processes that the player has started."""


class PlayerSource(Protocol):
    """A source of computer players for a local series."""

    def create(self, name: str) -> ComputerPlayer:
        """Return the player with this name."""

    def check(self, name: str, game: type[Position]) -> None:
        """Refuse a player that cannot play a game."""

    def is_external(self, name: str) -> bool:
        """Return whether a name means an external player."""


class LocalSeries:
    """The current state of a series, its computer players, and the file that stores it."""

    def __init__(self, series: Series, source: PlayerSource, file: Path | None = None) -> None:
        self.series = series
        self.file = file
        self._source = source
        self.computers = {
            seat: source.create(name) for seat, name in enumerate(series.players) if name != PERSON
        }
        people = [seat for seat in (0, 1) if seat not in self.computers]
        self.only_person = people[0] if len(people) == 1 else None
        """The seat of the only person, who may see its view at any time; None for two people."""
        self._undo_count = 0

    @property
    def position(self) -> Position:
        """The current position."""
        return self.series.match.position

    def seen_by(self, seat: int | None) -> Position:
        """Return the position as a seat sees it; None means both players at a shared screen."""
        return secrecy.public_view(self.position) if seat is None else self.position.view(seat)

    def known_to(self, seat: int | None) -> tuple[str, ...]:
        """Return the moves as a seat knows them; None means the moves as everyone knows them."""
        match = self.series.match
        return match.seen_by_everyone() if seat is None else match.seen_by(seat)

    # Moves ------------------------------------------------------------------------------------

    def play(self, move: str) -> str:
        """Play a move; return the book's text about it."""
        before = self.position
        self.series = self.series.with_match(self.series.match.play(move))
        return before.tell(move, self.position)

    def chance_move(self) -> str:
        """Return the chance outcome from the seed: the same choices give the same outcomes."""
        from duelbook import chance  # slow to import, and few games need it

        seed = self.series.seed_of_draws(len(self.series.matches) - 1)
        return chance.draw_from_seed(self.position, seed, len(self.series.match.moves))

    def computed_move(self, seat: int) -> str:
        """Return the computer's move, chosen from its seat's record; raise an error if it fails."""
        from random import Random  # slow to import; two people do not need it

        match = self.series.match
        turn = len(self.series.matches), len(match.moves), self._undo_count
        random = Random(move_seed(self.series.seed, *turn))
        return self.computers[seat].choose_from_record(match.record(seat), random)

    def undo(self) -> tuple[str, ...]:
        """Take back the last choice of a person; return the moves that were taken back."""
        before = self.series.match.take_back(self.only_person)
        while is_forced_without_question(before.position) and before.moves:
            before = before.take_back(self.only_person)
        taken = self.known_to(self.only_person)[len(before.moves) :]
        self._undo_count += 1
        self.series = self.series.with_match(before)
        return taken

    def resign(self, seat: int | None = None) -> None:
        """Resign the current game for a seat, by default the seat to move."""
        self.series = self.series.with_match(self.series.match.resign(seat))

    # The computer -----------------------------------------------------------------------------

    def replace(self, seat: int, name: str) -> None:
        """Give the computer's seat to another player; refuse a player that cannot play the game."""
        self._source.check(name, self.series.game)
        self.dismiss(seat)
        self.computers[seat] = self._source.create(name)
        self.series = self.series.with_player(seat, name)

    def dismiss(self, seat: int) -> None:
        """Close a computer player, which may be a program."""
        self.computers[seat].close()

    def close(self) -> None:
        """Close all computer players."""
        for seat in self.computers:
            self.dismiss(seat)

    # Saving -----------------------------------------------------------------------------------

    def save(self, name: str = "") -> None:
        """Save the series to the file `name`, or to its own file, which the first save creates."""
        from duelbook.play import saves
        from duelbook.system import files  # imported late: pathlib and JSON delay a new game

        if name:
            file = files.free(files.path(name), ours=self.file)
        else:
            file = self.file or saves.new_file(self.series)
        saves.write(self.series, file)
        self.file = file

    def saved_moves(self) -> tuple[str, ...]:
        """Return the moves of the current game that a save contains."""
        return moves_to_save(
            self.series.match, self.series.seed_of_draws(len(self.series.matches) - 1)
        )

    def left_out_note(self) -> str:
        """Return a note if a save omits a hidden choice, or else an empty string."""
        secrets = len(self.series.match.moves) - len(self.saved_moves())
        return " It does not include a choice that is still hidden." if secrets else ""

    def options_to_resume(self) -> list[str]:
        """Return the options that name external players, because a save never runs their code."""
        names = (self.series.players[seat] for seat in self.computers)
        external = filter(self._source.is_external, names)
        return [word for name in external for word in ("--vs", name)]


def is_forced_without_question(position: Position) -> bool:
    """Return whether there is only one move, and the terminal plays it without a question."""
    words: tuple[str, ...] = ()
    while len(options := next_words(position.moves(), words)) == 1:
        if position.ask(words):
            return False
        words = (*words, *options)
    return " ".join(words) in position.moves()
