"""`LocalSeries`: a series at one terminal, with its computer players and its file.

It prints nothing. Line mode and the TUI both play through it.
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

    from duelbook.play.first_game import CoachedMove


class ComputerPlayer(Protocol):
    """A player that a local series asks for moves."""

    def choose_from_record(self, record: secrecy.SeatRecord, random: Random) -> str:
        """Return a legal move, given everything that the seat has seen and heard."""

    def coached(self, record: secrecy.SeatRecord) -> CoachedMove | None:
        """Return the move that the player advises its opponent to make, if it gives advice."""

    def close(self) -> None:
        """End the processes that the player has started."""


class PlayerSource(Protocol):
    """What a local series needs to know about computer players."""

    def create(self, name: str) -> ComputerPlayer:
        """Return the player of a name."""

    def check(self, name: str, game: type[Position]) -> None:
        """Refuse a player that cannot play a game."""

    def is_external(self, name: str) -> bool:
        """Return whether a name stands for the code of others."""


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
        self.alone = people[0] if len(people) == 1 else None
        """The seat of the only person, who may always see what this seat sees."""
        self._undo_count = 0

    @property
    def position(self) -> Position:
        """The current position."""
        return self.series.match.position

    def seen_by(self, seat: int | None) -> Position:
        """Return the position as a seat sees it; None means both players at a shared screen."""
        return secrecy.public_view(self.position) if seat is None else self.position.view(seat)

    def known_to(self, seat: int | None) -> tuple[str, ...]:
        """Return the moves as a seat knows them, or as both do."""
        match = self.series.match
        return match.seen_by_everyone() if seat is None else match.seen_by(seat)

    # Moves ------------------------------------------------------------------------------------

    def play(self, move: str) -> str:
        """Play a move; return the book's words about it."""
        before = self.position
        self.series = self.series.with_match(self.series.match.play(move))
        return before.tell(move, self.position)

    def chance_move(self) -> str:
        """Return the move of chance, drawn from the seed: the same choices get the same chance."""
        from duelbook import chance  # slow to import, and few games need it

        seed = self.series.seed_of_draws(len(self.series.matches) - 1)
        return chance.draw_from_seed(self.position, seed, len(self.series.match.moves))

    def computed_move(self, seat: int) -> str:
        """Let the computer choose from what its seat knows, or raise why it did not."""
        from random import Random  # slow to import; two people do not need it

        match = self.series.match
        turn = len(self.series.matches), len(match.moves), self._undo_count
        random = Random(move_seed(self.series.seed, *turn))
        return self.computers[seat].choose_from_record(match.record(seat), random)

    def undo(self) -> tuple[str, ...]:
        """Take back the last choice of a person; return the moves that were taken back."""
        before = self.series.match.take_back(self.alone)
        while is_forced_without_question(before.position) and before.moves:
            before = before.take_back(self.alone)
        taken = self.known_to(self.alone)[len(before.moves) :]
        self._undo_count += 1
        self.series = self.series.with_match(before)
        return taken

    def resign(self, seat: int | None = None) -> None:
        """Give the current game up for a seat, by default the one to move."""
        self.series = self.series.with_match(self.series.match.resign(seat))

    # The computer -----------------------------------------------------------------------------

    def replace(self, seat: int, name: str) -> None:
        """Give the computer's seat to another player, or refuse one that cannot play."""
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
        """Save the series under a name, or to its file, which the first call creates."""
        from duelbook import files  # a new game need not wait for pathlib and JSON
        from duelbook.play import saves

        if name:
            file = files.free(files.path(name), ours=self.file)
        else:
            file = self.file or saves.new_file(self.series)
        saves.write(self.series, file)
        self.file = file

    def saved_moves(self) -> tuple[str, ...]:
        """Return the moves of the current game that a save holds."""
        return moves_to_save(
            self.series.match, self.series.seed_of_draws(len(self.series.matches) - 1)
        )

    def left_out_note(self) -> str:
        """Return a note if a save leaves out a hidden choice, or an empty string."""
        secrets = len(self.series.match.moves) - len(self.saved_moves())
        return " A choice that is still secret is left out." if secrets else ""

    def options_to_resume(self) -> list[str]:
        """Return the options that name external players: a save runs nobody's code."""
        names = (self.series.players[seat] for seat in self.computers)
        external = filter(self._source.is_external, names)
        return [word for name in external for word in ("--vs", name)]


def is_forced_without_question(position: Position) -> bool:
    """Return whether the only move would be played again without a question."""
    words: tuple[str, ...] = ()
    while len(options := next_words(position.moves(), words)) == 1:
        if position.ask(words):
            return False
        words = (*words, *options)
    return " ".join(words) in position.moves()
