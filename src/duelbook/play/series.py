"""`Series`: the games that two players play in a row, best of one or more."""

from __future__ import annotations

from dataclasses import dataclass, replace
from time import gmtime, strftime

from duelbook.errors import DuelbookError
from duelbook.play.chance_seeds import SeedCommitment, follows_seed, seed_of_game
from duelbook.play.match import Match
from duelbook.play.names import PLAYERS, check_names, tidy
from duelbook.position import Position, check_first

PERSON = "person"


@dataclass(frozen=True)
class Series:
    """The games so far; the last one is the current game, and the first move alternates.

    `players` has the player of each seat: a person, or the name of a computer player. `seed` is the
    random seed of the computer's choices and of chance. `draws` may name another seed for a game.
    """

    matches: tuple[Match, ...]
    names: tuple[str, str] = PLAYERS
    best_of: int = 1
    started: str = ""
    players: tuple[str, str] = (PERSON, PERSON)
    seed: int = 0
    draws: tuple[SeedCommitment | None, ...] = ()
    """The commitment to the chance outcomes of each game, if a server draws them."""

    @classmethod
    def begin(  # noqa: PLR0913 # all terms of a series
        cls,
        game: type[Position],
        *,
        first: int = 0,
        names: tuple[str, str] = PLAYERS,
        best_of: int = 1,
        players: tuple[str, str] = (PERSON, PERSON),
        seed: int = 0,
    ) -> Series:
        """Return a new series; refuse invalid terms."""
        names = tidy(names[0]), tidy(names[1])
        check_names(names)
        check_first(game, first)
        if best_of < 1 or best_of % 2 == 0:
            raise DuelbookError(f"A series is best of an odd number of games, not of {best_of}.")
        return cls((Match.begin(game, first),), names, best_of, now(), players, seed)

    @property
    def game(self) -> type[Position]:
        """The class of the game."""
        return type(self.match.position)

    @property
    def match(self) -> Match:
        """The current game."""
        return self.matches[-1]

    def with_match(self, match: Match) -> Series:
        """Return the series with the current game replaced."""
        return replace(self, matches=(*self.matches[:-1], match))

    def with_player(self, seat: int, name: str) -> Series:
        """Return the series with another player in a seat."""
        ours, theirs = self.players
        return replace(self, players=(ours, name) if seat else (name, theirs))

    def next_game(self) -> Series:
        """Return the series with a new game, which the other player starts."""
        return replace(self, matches=(*self.matches, self.next_after(self.match)))

    def next_after(self, match: Match) -> Match:
        """Return the start of the game after `match`; the other seat moves first."""
        return Match.begin(self.game, 1 - match.first)

    def seed_of_draws(self, at: int) -> str:
        """Return the seed of a game's chance outcomes; empty while a server keeps it secret."""
        commitment = self.draws[at] if at < len(self.draws) else None
        if commitment is None:
            return seed_of_game(self.seed, at + 1)
        return commitment.seed if self.matches[at].outcome() is not None else ""

    def draws_of(self, at: int) -> SeedCommitment | None:
        """Return the commitment to a game's chance outcomes, with their seed after the game."""
        commitment = self.draws[at] if at < len(self.draws) else None
        seed = self.seed_of_draws(at)
        if commitment is not None:
            return SeedCommitment(commitment.commitment, seed) if commitment.commitment else None
        match = self.matches[at]
        return (
            SeedCommitment.from_seed(seed)
            if match.outcome() and follows_seed(match, seed)
            else None
        )

    def score(self) -> tuple[float, float]:
        """Return the points of each seat: 1 for a win, 1/2 for a draw, 0 for an aborted game."""
        return self._scores()[-1]

    def _scores(self) -> list[tuple[float, float]]:
        """Return the score at the start and after each finished game."""
        scores = [(0.0, 0.0)]
        for outcome in filter(None, (match.outcome() for match in self.matches)):
            draw = 0.0 if outcome.by == "aborted" else 0.5
            points = [draw if outcome.winner is None else outcome.winner == seat for seat in (0, 1)]
            scores.append((scores[-1][0] + points[0], scores[-1][1] + points[1]))
        return scores

    def standing(self) -> str:
        """Return a text with the score and, at the end, the winner of the series."""
        ours, theirs = self.score()
        score = f"Score: {PLAYERS[0]} has {_points(ours)}, {PLAYERS[1]} has {_points(theirs)}."
        if not self.is_over:
            return score
        winner = self.winner()
        result = f"{_points(max(ours, theirs))} to {_points(min(ours, theirs))}"
        if winner is None:
            return f"{score}\nThe series is drawn {result}."
        return f"{score}\n{PLAYERS[winner]} wins the series {result}."

    @property
    def is_over(self) -> bool:
        """Return whether a seat has more than half of the points, or all games have been played."""
        return self.decided_after() is not None

    def decided_after(self) -> int | None:
        """Return the number of games after which the series was over, or None if it is not over.

        An aborted game counts as a game, but gives nobody points.
        """
        ends = (
            number
            for number, score in enumerate(self._scores())
            if number >= self.best_of or max(score) > self.best_of / 2
        )
        return next(ends, None)

    def winner(self) -> int | None:
        """Return the seat that has won the series; None if nobody has, or if it is not over."""
        ours, theirs = self.score()
        return None if ours == theirs or not self.is_over else int(theirs > ours)


def _points(number: float) -> str:
    """Return points as text, such as `1½`."""
    whole, half = int(number), number % 1
    return f"{whole or ''}½" if half else str(whole)


def move_seed(seed: int, *turn: int) -> str:
    """Return the seed of the computer's choice: the same game and turn give the same move.

    The turn must differ after a takeback. Otherwise the computer would reveal its hidden choice.
    """
    return " ".join(map(str, (seed, *turn)))


def now() -> str:
    """Return the current time in the format of saved games."""
    return strftime("%Y-%m-%dT%H:%M:%SZ", gmtime())
