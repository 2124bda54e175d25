"""PlayerFactory: creates the players of a task and finds its game."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from duelbook import players
from duelbook.arena.tournament.schedule import GameTask
from duelbook.arena.tournament.tournament_file import Tournament
from duelbook.catalog.registry import find, load
from duelbook.players import Player
from duelbook.players.external.player_by_name import Models, player_by_name
from duelbook.position import Position


class PlayerFactory:
    """Creates the players of each game; reuses built-in players and saved policies."""

    def __init__(
        self, tournament: Tournament, sources: tuple[str, ...] = (), models: Models | None = None
    ) -> None:
        for source in sources:  # files of games, which this process may not know
            load(source)
        self._tournament, self._models = tournament, models
        self._players_by_label = {player.label: player for player in tournament.players}
        self._reusable: dict[str, Player] = {}
        self._games: dict[str, type[Position]] = {}

    def game(self, task: GameTask) -> type[Position]:
        """Return the game of a task."""
        if task.game not in self._games:  # to find it takes longer than many games
            self._games[task.game] = find(task.game)
        return self._games[task.game]

    def player(self, label: str) -> Player:
        """Return a player by its label: a new player, unless it has no state."""
        if label in self._reusable:
            return self._reusable[label]
        entry = self._players_by_label[label]
        player = player_by_name(
            entry.name, entry.settings, limits=self._tournament.limits, models=self._models
        )
        if players.is_built_in(entry.name) or entry.name.endswith(".npz"):
            self._reusable[label] = player
        return player

    def is_reproducible(self, task: GameTask) -> bool:
        """Return whether a replay gives the same game: both players are built in or registered."""
        names = [self._players_by_label[label].name for label in task.players]
        return all(map(players.knows, names))

    @contextmanager
    def players(self, task: GameTask) -> Iterator[tuple[Player, Player]]:
        """Create both players, and close them after the game."""
        first, second = (self.player(label) for label in task.players)
        try:
            yield first, second
        finally:
            for player in (first, second):
                player.close()
