"""`check` finds faults of chance, scores and private cards, each with an example game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from math import nan
from typing import Self, TypeVar

import pytest

from duelbook import Position
from duelbook.conformance import check
from duelbook.position import CHANCE, HIDDEN, Hidden, Listener

Game = TypeVar("Game", bound=type[Position])
CARDS = ("low", "high")
PLANTED: list[tuple[type[Position], str, int]] = []
"""The games with a planted fault, its kind, and the plies of the shortest game that shows it."""


@dataclass(frozen=True, slots=True)
class Showdown(Position):
    """Each player gets a private card, and stays or folds; the higher card takes the stakes."""

    ACTIONS = ("stay", "fold", "peek")  # nobody may peek
    CHANCE_MOVES = tuple(f"deal {card}" for card in CARDS)
    RANGES = {"cards": (None, HIDDEN, *CARDS), "stays": range(3), "folded": (None, range(2))}
    player_1_starts = True
    largest_payoff = 2

    to_move: int = CHANCE
    cards: tuple[str | Hidden | None, str | Hidden | None] = (None, None)
    stays: int = 0
    folded: int | None = None

    def moves(self) -> list[str]:
        if self.to_move == CHANCE:
            return list(self.CHANCE_MOVES)
        return [] if self.payoff() is not None else ["stay", "fold"]

    def odds(self) -> Mapping[str, int]:
        return {"deal low": 3, "deal high": 1}

    def apply(self, move: str) -> Self:
        if self.to_move == CHANCE:
            card = move.removeprefix("deal ")
            if self.cards[0] is None:
                return replace(self, cards=(card, None))
            return replace(self, to_move=0, cards=(self.cards[0], card))
        if move == "fold":
            return replace(self, folded=self.to_move)
        return replace(self, to_move=1 - self.to_move, stays=self.stays + 1)

    def payoff(self) -> float | None:
        if self.folded is not None:
            return 2 * self.folded - 1
        if self.stays < 2:
            return None
        first, second = (CARDS.index(str(card)) for card in self.cards)
        return 2 * (first - second)

    def view(self, seat: int) -> Self:
        if self.stays == 2:
            return self
        first, second = self.cards
        hidden = (first, second and HIDDEN) if seat == 0 else (first and HIDDEN, second)
        return replace(self, cards=hidden)


def planted(kind: str, plies: int) -> Callable[[Game], Game]:
    """Return a decorator for a game with a planted fault."""

    def plant(game: Game) -> Game:
        PLANTED.append((game, kind, plies))
        return game

    return plant


def test_the_game_without_a_fault_conforms() -> None:
    report = check(Showdown)
    assert report.complete
    assert report.breaches == ()


# Chance ---------------------------------------------------------------------------------------


@planted("odds", 0)
class NeverFalls(Showdown):
    """A weight is 0."""

    def odds(self) -> Mapping[str, int]:
        return {"deal low": 1, "deal high": 0}


@planted("odds", 0)
class Fraction(Showdown):
    """Weights are probabilities."""

    def odds(self) -> Mapping[str, int]:
        return {"deal low": 0.75, "deal high": 0.25}  # type: ignore[dict-item] # the fault


@planted("odds", 0)
class Forgotten(Showdown):
    """A move has no weight."""

    def odds(self) -> Mapping[str, int]:
        return {"deal low": 1}


@planted("odds", 0)
class NoOdds(Showdown):
    """The odds are a list."""

    def odds(self) -> Mapping[str, int]:
        return [1, 1]  # type: ignore[return-value] # the fault


ASKED: list[int] = []


@planted("odds", 0)
class Loaded(Showdown):
    """The odds change from call to call."""

    def odds(self) -> Mapping[str, int]:
        ASKED.append(1)
        return {"deal low": 1 + len(ASKED) % 2, "deal high": 1}


@planted("action", 0)
class NotListed(Showdown):
    """A chance outcome is not in CHANCE_MOVES."""

    CHANCE_MOVES = ("deal low",)

    def moves(self) -> list[str]:
        return ["deal low", "deal high"] if self.to_move == CHANCE else Showdown.moves(self)


@planted("action", 0)
class Undeclared(Showdown):
    """Chance moves, and CHANCE_MOVES is empty."""

    CHANCE_MOVES = ()

    def moves(self) -> list[str]:
        return ["deal low", "deal high"] if self.to_move == CHANCE else Showdown.moves(self)


@planted("overlap", 0)
class Shared(Showdown):
    """A move is in ACTIONS and in CHANCE_MOVES."""

    ACTIONS = ("stay", "fold", "deal low")


@planted("chance", 2)
class Shuffled(Showdown):
    """A player's move draws a card by itself."""

    def apply(self, move: str) -> Self:
        if move != "stay":
            return Showdown.apply(self, move)
        ASKED.append(1)
        after = Showdown.apply(self, move)
        return replace(after, cards=(CARDS[len(ASKED) % 2], after.cards[1]))


@planted("over", 4)
class NobodysTurn(Showdown):
    """Chance is to move in a terminal position."""

    def apply(self, move: str) -> Self:
        after = Showdown.apply(self, move)
        return replace(after, to_move=CHANCE) if after.stays == 2 else after

    def moves(self) -> list[str]:
        return [] if self.payoff() is not None else Showdown.moves(self)


@planted("start", 0)
class NobodyFirst(Showdown):
    """Either player may move first, but the start is the same for both."""

    player_1_starts = False


# Scores -------------------------------------------------------------------------------------


@planted("payoff", 3)
class WrongSign(Showdown):
    """The winner pays."""

    def winner(self) -> int | None:
        return None if self.payoff() is None else 0


@planted("payoff", 4)
class TooMuch(Showdown):
    """A payoff is larger than `largest_payoff`."""

    largest_payoff = 1


@planted("payoff", 3)
class NotANumber(Showdown):
    """A fold pays something that is not a number."""

    def payoff(self) -> float | None:
        return nan if self.folded is not None else Showdown.payoff(self)


@planted("payoff", 3)
class Unpaid(Showdown):
    """A player has won, and the payoff is None."""

    def winner(self) -> int | None:
        return 0 if self.stays else None

    def moves(self) -> list[str]:
        return [] if self.stays else Showdown.moves(self)


# Private cards ------------------------------------------------------------------------------------


@planted("reveals", 0)
class Announced(Showdown):
    """The deal of a hidden card names it."""

    def tell(self, move: str, after: Self) -> str:
        return f"{move.capitalize()}." if self.to_move == CHANCE else "Somebody moves."


@planted("reveals", 0)
class Whispered(Showdown):
    """The words for a listener name a card that the listener may not see."""

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:  # to anyone
        return f"{move.capitalize()}." if self.to_move == CHANCE else "Somebody moves."

    def tell(self, move: str, after: Self) -> str:  # nothing
        return ""


@planted("legality", 2)
class Betrayed(Showdown):
    """The legal moves depend on the card of the opponent."""

    def moves(self) -> list[str]:
        legal = Showdown.moves(self)
        if self.to_move == CHANCE or not legal:
            return legal
        return ["stay"] if self.cards[1 - self.to_move] == "low" else legal


@planted("reveals", 2)
class Asked(Showdown):
    """The question depends on the card of the opponent."""

    def ask(self, words: tuple[str, ...]) -> str:
        return f"Against {self.cards[1 - self.to_move]}? "


@planted("reveals", 2)
class Reasons(Showdown):
    """A refusal depends on the card of the opponent."""

    def why_not(self, words: tuple[str, ...]) -> str:
        return f"They have {self.cards[1 - self.to_move]}."


@planted("raises", 0)
class Unseen(Showdown):
    """`view` raises while chance is to move."""

    def view(self, seat: int) -> Self:
        if self.to_move == CHANCE:
            raise ValueError("The cards are in the air.")
        return Showdown.view(self, seat)


@planted("view", 2)
class WhoeverLooksFirst(Showdown):
    """The public view depends on the order of the seats."""

    def view(self, seat: int) -> Self:
        if HIDDEN in self.cards:
            return self
        return Showdown.view(self, seat)


@pytest.mark.parametrize(
    ("game", "kind", "plies"), PLANTED, ids=[game.__name__ for game, *_ in PLANTED]
)
def test_a_planted_fault_is_found(game: type[Position], kind: str, plies: int) -> None:
    breaches = {breach.kind: breach for breach in check(game).breaches}
    assert kind in breaches, breaches
    breach = breaches[kind]
    assert len(breach.moves) == plies, breach
    position = game.start(breach.first)
    for move in breach.moves:
        assert move in position.moves()
        position = position.play(move)
