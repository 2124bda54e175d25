"""PlayerFactory: the game and the players of a task, ready to play."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from duelbook import players
from duelbook.arena.tournament.schedule import GameTask
from duelbook.arena.tournament.tournament_file import Tournament
from duelbook.catalog.registry import find, load
from duelbook.players import Player
from duelbook.players.external.naming import Models, player_by_name
from duelbook.position import Position


class PlayerFactory:
    """Makes the players of each game; those without a memory of their own are made once."""

    def __init__(
        self, tournament: Tournament, sources: tuple[str, ...] = (), models: Models | None = None
    ) -> None:
        for source in sources:  # files of games, which this process may not know
            load(source)
        self._tournament, self._models = tournament, models
        self._players_by_label = {one.label: one for one in tournament.players}
        self._kept: dict[str, Player] = {}
        self._games: dict[str, type[Position]] = {}

    def game(self, task: GameTask) -> type[Position]:
        """Return the game of a task."""
        if task.game not in self._games:  # finding it takes longer than many a game
            self._games[task.game] = find(task.game)
        return self._games[task.game]

    def player(self, label: str) -> Player:
        """Return a player by its label: a fresh one, unless it cannot remember anything."""
        if label in self._kept:
            return self._kept[label]
        one = self._players_by_label[label]
        made = player_by_name(
            one.name, one.settings, limits=self._tournament.limits, models=self._models
        )
        if players.is_built_in(one.name) or one.name.endswith(".npz"):
            self._kept[label] = made
        return made

    def repeats(self, task: GameTask) -> bool:
        """Whether both players are ours, and so play the same game again."""
        names = [self._players_by_label[label].name for label in task.players]
        return all(map(players.knows, names))

    @contextmanager
    def players(self, task: GameTask) -> Iterator[tuple[Player, Player]]:
        """Seat both players, and end them after the game."""
        first, second = (self.player(label) for label in task.players)
        try:
            yield first, second
        finally:
            for one in (first, second):
                one.close()
