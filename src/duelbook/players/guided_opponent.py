"""The opponent in a guided first game."""

from __future__ import annotations

from random import Random

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.play.first_game import LEARNER, FirstGameStep, first_game, replay
from duelbook.play.match import Match
from duelbook.players.levels import level
from duelbook.players.player import Player
from duelbook.position import Position


class Guide(Player):
    """Plays the replies of the first game on the rules page; otherwise plays like `easy`."""

    def __init__(self) -> None:
        self._easy = level("easy")
        self._lines: dict[type[Position], Match] = {}

    def prepare(self, game: type[Position]) -> None:
        """Refuse a game without a first game, or a game that cannot be solved."""
        if not self._line(game).moves:
            raise DuelbookError(f"The rules page of {game.title} has no first game.")
        self._easy.prepare(game)

    def choose_from_record(self, record: secrecy.SeatRecord, random: Random) -> str:
        """Return the reply of the first game; after another move, a move of `easy`."""
        return self._next(record) or self._easy.choose_from_record(record, random)

    def advice(self, record: secrecy.SeatRecord) -> FirstGameStep | None:
        """Return the learner's next step while play follows the first game, else None."""
        move, moved = self._next(record), sum(bool(own_move) for own_move, *_ in record.steps)
        return first_game(type(record.view))[moved] if move and record.seat == LEARNER else None

    def _next(self, record: secrecy.SeatRecord) -> str:
        """Return the next move of the first game, or "" if the seat has seen another move."""
        line, count = self._line(type(record.view)), len(record.steps)
        if count >= len(line.moves):
            return ""
        so_far = secrecy.record_of(record.seat, line.positions[: count + 1], line.moves[:count])
        return line.moves[count] if so_far == record else ""

    def choose(self, view: Position, random: Random) -> str:
        """Return a move of `easy`; the view alone does not identify the first game."""
        return self._easy.choose(view, random)

    def _line(self, game: type[Position]) -> Match:
        if game not in self._lines:
            self._lines[game] = replay(game, first_game(game))
        return self._lines[game]
