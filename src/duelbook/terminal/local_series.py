"""A sitting: a series at one terminal, its computer players and its file; it prints nothing.

Line mode and the table both play through it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from duelbook import chance, secrecy
from duelbook.play.draws import kept
from duelbook.play.series import PERSON, Series
from duelbook.play.sitting import move_seed, take_back
from duelbook.position import Position, next_words

if TYPE_CHECKING:
    from pathlib import Path

    from duelbook.players import Player


class Sitting:
    """A series as it goes on, with whoever the computer plays, and the file that it is saved to."""

    def __init__(self, series: Series, file: Path | None = None) -> None:
        self.series = series
        self.file = file
        self.computers = _computers(series)
        people = [seat for seat in (0, 1) if seat not in self.computers]
        self.alone = people[0] if len(people) == 1 else None
        """The seat of the only person, who may always see what it sees."""
        self._undone = 0

    @property
    def position(self) -> Position:
        """The current position."""
        return self.series.match.position

    def seen_by(self, seat: int | None) -> Position:
        """Return the position as a seat sees it; None stands for both at a shared screen."""
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

    def chance_falls(self) -> str:
        """Return chance's move, drawn from the seed, so that the same choices meet the same
        chance.
        """
        seed = self.series.seed_of_draws(len(self.series.matches) - 1)
        return chance.draw_from_seed(self.position, seed, len(self.series.match.moves))

    def computed_move(self, seat: int) -> str:
        """Let the computer choose from what its seat knows, or raise why it did not."""
        from random import Random  # slow to import, and not needed for two people

        match = self.series.match
        turn = len(self.series.matches), len(match.moves), self._undone
        random = Random(move_seed(self.series.seed, *turn))
        return self.computers[seat].choose_from_record(match.record(seat), random)

    def undo(self) -> tuple[str, ...]:
        """Take back the last choice of whoever is asked; return the moves as they are known."""
        before = take_back(self.series.match, self.alone)
        while is_played_unasked(before.position) and before.moves:
            before = take_back(before, self.alone)
        taken = self.known_to(self.alone)[len(before.moves) :]
        self._undone += 1
        self.series = self.series.with_match(before)
        return taken

    def resign(self, seat: int | None = None) -> None:
        """Give the current game up for a seat, by default the one to move."""
        self.series = self.series.with_match(self.series.match.resign(seat))

    # The computer -----------------------------------------------------------------------------

    def replace(self, seat: int, name: str) -> None:
        """Give the computer's seat to another player, or refuse one that cannot play."""
        from duelbook.players.external.opponents import check, opponent  # as below

        check(name, self.series.game)
        self.dismiss(seat)
        self.computers[seat] = opponent(name)
        self.series = self.series.with_player(seat, name)

    def dismiss(self, seat: int) -> None:
        """End what a computer player has started, such as a program."""
        self.computers[seat].close()

    def close(self) -> None:
        """End what all computer players have started."""
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

    def kept_moves(self) -> tuple[str, ...]:
        """Return the moves of the current game that a save holds."""
        return kept(self.series.match, self.series.seed_of_draws(len(self.series.matches) - 1))

    def left_out(self) -> str:
        """Say whether a save leaves a secret choice out; empty if it does not."""
        secrets = len(self.series.match.moves) - len(self.kept_moves())
        return " A choice that is still secret is left out." if secrets else ""

    def options_to_resume(self) -> list[str]:
        """Return the option that names an external player: a save runs nobody's code."""
        if not self.computers:
            return []
        from duelbook.players.external.opponents import is_external  # as below

        external = filter(is_external, (self.series.players[seat] for seat in self.computers))
        return [word for name in external for word in ("--vs", name)]


def _computers(series: Series) -> dict[int, Player]:
    """Return the seats that the computer plays."""
    if series.players == (PERSON, PERSON):
        return {}
    from duelbook.players.external.opponents import (
        opponent,  # slow to import, and not needed for two people
    )

    return {seat: opponent(name) for seat, name in enumerate(series.players) if name != PERSON}


def is_played_unasked(position: Position) -> bool:
    """Whether the only move would be made again at once, so that undoing it is no use."""
    words: tuple[str, ...] = ()
    while len(options := next_words(position.moves(), words)) == 1:
        if position.ask(words):
            return False
        words = (*words, *options)
    return " ".join(words) in position.moves()
