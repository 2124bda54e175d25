"""Kuhn poker: three cards, one bet, and the smallest game in which it pays to bluff."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import HIDDEN, LUCK, Hidden, Position

CARDS = ("jack", "queen", "king")


@dataclass(frozen=True, slots=True)
class KuhnPoker(Position):
    """Each player antes one chip and gets one of three cards; one bet of one chip is allowed."""

    ACTIONS = ("pass", "bet")
    CHANCES = tuple(f"deal {card}" for card in CARDS)
    player_1_starts = True
    largest_payoff = 2

    to_move: int = LUCK
    cards: tuple[str | Hidden | None, str | Hidden | None] = (None, None)
    said: tuple[str, ...] = ()

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.to_move == LUCK:
            return [f"deal {card}" for card in CARDS if card not in self.cards]
        return [] if self.payoff() is not None else ["pass", "bet"]

    def play(self, move: str) -> Self:
        if self.to_move == LUCK:
            card = move.removeprefix("deal ")
            if self.cards[0] is None:
                return replace(self, cards=(card, None))
            return replace(self, to_move=0, cards=(self.cards[0], card))
        return replace(self, to_move=1 - self.to_move, said=(*self.said, move))

    def payoff(self) -> int | None:
        match self.said:
            case ("pass", "pass"):
                return self._showdown(1)
            case (*_, "bet", "bet"):
                return self._showdown(2)
            case ("bet", "pass"):
                return 1
            case ("pass", "bet", "pass"):
                return -1
        return None

    def _showdown(self, chips: int) -> int:
        ours, theirs = (CARDS.index(str(card)) for card in self.cards)
        return chips if ours > theirs else -chips

    def view(self, seat: int) -> Self:
        if self.said[-2:] in (("pass", "pass"), ("bet", "bet")):
            return self
        ours, theirs = self.cards
        hidden = (ours, theirs and HIDDEN) if seat == 0 else (ours and HIDDEN, theirs)
        return replace(self, cards=hidden)
