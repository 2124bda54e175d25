"""Policies in `.npz` files: a probability for each move."""

from __future__ import annotations

import zipfile
from functools import cached_property
from pathlib import Path
from random import Random

import numpy as np

from duelbook import secrecy
from duelbook.catalog.registry import game_of
from duelbook.errors import DuelbookError
from duelbook.players.player import Player
from duelbook.position import Position
from duelbook.research.imperfect_evaluation import tree_shares
from duelbook.research.policies import Policy, Shares, shares
from duelbook.secrecy import SeatRecord
from duelbook.solver.imperfect.histories import Tree
from duelbook.solver.solve import decisions_of
from duelbook.solver.stored_tables import stored_table
from duelbook.solver.tables.position_table import Table


def save_policy(file: str | Path, game: type[Position] | str, policy: Policy) -> None:
    """Save a policy for the games that Player 1 starts."""
    chosen = game_of(game)
    where = decisions_of(stored_table(chosen))
    probabilities = (
        shares(where, policy) if isinstance(where, Table) else tree_shares(where, policy)
    )
    with Path(file).open("wb") as out:  # given a name, NumPy would add a suffix
        np.savez_compressed(out, game=np.array(chosen.slug), shares=probabilities)


class SavedPolicy(Player):
    """A player that draws its moves from a saved policy."""

    def __init__(self, file: str | Path) -> None:
        try:
            with np.load(Path(file), allow_pickle=False) as arrays:
                self.game = game_of(str(arrays["game"]))
                self._array = arrays["shares"]
        except (OSError, KeyError, ValueError, zipfile.BadZipFile) as error:
            if isinstance(error, DuelbookError):
                raise
            raise DuelbookError(f"{file} is not a saved policy.") from error

    def prepare(self, game: type[Position]) -> None:
        """Refuse another game, and a policy that no longer fits the game."""
        if game is not self.game:
            raise DuelbookError(f"This policy is for {self.game.title}.")
        _ = self._shares

    @property
    def shares(self) -> Shares:
        """The probability of each move in the table; refuse a game with private information."""
        if isinstance(self._where, Table):
            return self._shares
        raise DuelbookError(
            "A policy for a game with private information has no probabilities by position."
        )

    @cached_property
    def _where(self) -> Table | Tree:
        return decisions_of(stored_table(self.game))

    @cached_property
    def _shares(self) -> Shares:
        if isinstance(self._where, Table):
            return shares(self._where, self._array)
        return tree_shares(self._where, self._array)

    @cached_property
    def _numbers(self) -> dict[Position, int]:
        """The number of a position for each view of the player to move."""
        assert isinstance(self._where, Table)  # noqa: S101 # the caller has checked it
        return {p.view(p.to_move): n for n, p in enumerate(self._where.positions) if p.moves()}

    def choose(self, view: Position, random: Random) -> str:
        """Return a move, given the view of the player to move."""
        return self.choose_from_record(SeatRecord(view.to_move, view), random)

    def choose_from_record(self, record: SeatRecord, random: Random) -> str:
        """Return a move, given the record of the seat."""
        view = record.view
        if type(view) is not self.game:
            raise DuelbookError(f"This policy is for {self.game.title}.")
        row = self._row(record)
        return random.choices(view.moves(), weights=self._shares[row].tolist())[0]

    def _row(self, record: SeatRecord) -> slice:
        where, view = self._where, record.view
        if isinstance(where, Table):
            secret = secrecy.keeps_secrets(self.game)
            number = self._numbers.get(view) if secret else where.positions.find(view)
            rows = where.rows
        else:
            number, rows = where.set_at(record), where.first_choice
        if number is None:
            raise DuelbookError("This position does not occur in games that Player 1 begins.")
        return slice(int(rows[number]), int(rows[number + 1]))
