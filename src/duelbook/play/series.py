"""`Series`: the games that two people play in one sitting, best of one or more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import gmtime, strftime

from duelbook.errors import DuelbookError
from duelbook.play.match import Match
from duelbook.play.names import PLAYERS, check_names, tidy
from duelbook.position import Position, check_first

PERSON = "person"


@dataclass(frozen=True)
class Series:
    """The games so far, the last one being the current one; the first move alternates.

    `players` says who sits where: a person, or a computer player by its name. `seed` is the
    random seed of the computer's choices.
    """

    matches: tuple[Match, ...]
    names: tuple[str, str] = PLAYERS
    best_of: int = 1
    started: str = ""
    players: tuple[str, str] = (PERSON, PERSON)
    seed: int = 0

    @classmethod
    def begin(  # noqa: PLR0913 # all that can be said before a game
        cls,
        game: type[Position],
        *,
        first: int = 0,
        names: tuple[str, str] = PLAYERS,
        best_of: int = 1,
        players: tuple[str, str] = (PERSON, PERSON),
        seed: int = 0,
    ) -> Series:
        """Return a new series, or refuse its terms."""
        names = tidy(names[0]), tidy(names[1])
        check_names(names)
        check_first(game, first)
        if best_of < 1 or best_of % 2 == 0:
            raise DuelbookError(f"A match is best of an odd number of games, not of {best_of}.")
        return cls((Match.begin(game, first),), names, best_of, now(), players, seed)

    @property
    def game(self) -> type[Position]:
        """The game that is played."""
        return type(self.match.position)

    @property
    def match(self) -> Match:
        """The current game."""
        return self.matches[-1]

    def with_match(self, match: Match) -> Series:
        """Return the series with the current game replaced."""
        return replace(self, matches=(*self.matches[:-1], match))

    def next_game(self) -> Series:
        """Return the series with a new game, which the other player starts."""
        return replace(self, matches=(*self.matches, Match.begin(self.game, 1 - self.match.first)))

    def score(self) -> tuple[int, int]:
        """Return how many games each seat has won."""
        winners = [match.winner() for match in self.matches]
        return winners.count(0), winners.count(1)

    def standing(self) -> str:
        """Say who has won how many games, and who has won the match."""
        ours, theirs = self.score()
        score = f"Score: {PLAYERS[0]} has {ours}, {PLAYERS[1]} has {theirs}."
        winner = self.winner()
        if winner is None:
            return score
        won = f"{PLAYERS[winner]} wins the match {max(ours, theirs)} to {min(ours, theirs)}."
        return f"{score}\n{won}"

    def winner(self) -> int | None:
        """Return the seat that has won more than half of the games, if any has yet."""
        needed = self.best_of // 2 + 1
        return next((seat for seat in (0, 1) if self.score()[seat] >= needed), None)


def now() -> str:
    """Return the time as saved games write it."""
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
