"""The schedule: the games of a tournament; the id of a game is a hash of its settings."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from itertools import combinations
from typing import Any

from duelbook.arena.tournament.openings import Moves
from duelbook.arena.tournament.tournament_file import Tournament, TournamentPlayer


@dataclass(frozen=True, slots=True)
class GameTask:
    """A game to play."""

    id: str
    pair: str
    """The id of the two games of this opening with swapped seats and the same chance outcomes."""
    game: str
    book: str
    """The hash of the rules."""
    opening: Moves
    round: int
    players: tuple[str, str]
    """The labels of the players, by seat."""


@dataclass(frozen=True, slots=True)
class ScheduledGame:
    """A game of the tournament: its slug, the hash of its rules, and its openings."""

    slug: str
    hash: str
    openings: tuple[Moves, ...]


def schedule(
    tournament: Tournament, books: Iterable[ScheduledGame], prompt: Mapping[str, Any]
) -> Iterator[GameTask]:
    """Yield all games of a tournament; the two games of a pair are consecutive.

    `prompt` identifies the prompt for language models.
    """
    identities = {player.label: _identity(player, prompt) for player in tournament.players}
    pairs = list(pairings(tournament))
    for book in books:
        for number in range(tournament.rounds):
            for opening in book.openings:
                for first, second in pairs:
                    yield from _pair(tournament, book, opening, number, (first, second), identities)


def pairings(tournament: Tournament) -> Iterator[tuple[str, str]]:
    """Yield the pairings: all pairs of players, or in a gauntlet the first with each other."""
    labels = [player.label for player in tournament.players]
    if tournament.pairings == "gauntlet":
        yield from ((labels[0], other) for other in labels[1:])
    else:
        yield from combinations(labels, 2)


def _pair(  # noqa: PLR0913, PLR0917 # everything that identifies two games
    tournament: Tournament,
    book: ScheduledGame,
    opening: Moves,
    number: int,
    pairing: tuple[str, str],
    identities: Mapping[str, Any],
) -> Iterator[GameTask]:
    terms = {
        "seed": tournament.seed,
        "game": book.slug,
        "book": book.hash,
        "opening": opening,
        "round": number,
        "limits": [tournament.limits.plies, tournament.limits.seconds],
    }
    pair = digest(
        {**terms, "players": sorted(map(digest, (identities[label] for label in pairing)))}
    )
    for players in (pairing, pairing[::-1]):
        id = digest({"pair": pair, "players": [identities[label] for label in players]})  # noqa: A001 # the usual name
        yield GameTask(id, pair, book.slug, book.hash, opening, number, players)


def _identity(player: TournamentPlayer, prompt: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that identify a player; for a language model, also the prompt."""
    identity: dict[str, Any] = {"player": player.name, "settings": dict(player.settings)}
    if player.name.startswith("llm:"):
        identity["prompt"] = dict(prompt)
    return identity


def digest(data: object) -> str:
    """Return a short hash of JSON values."""
    text = json.dumps(data, sort_keys=True, separators=(",", ":"), default=str)
    return sha256(text.encode()).hexdigest()[:24]


def shard(tasks: Iterable[GameTask], number: int, of: int) -> Iterator[GameTask]:
    """Yield the share of one machine; both games of a pair are in the same share."""
    return (task for task in tasks if int(task.pair[:12], 16) % of == number)
