"""High Card: a game with chance, private cards, scores and draws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import CHANCE, HIDDEN, Hidden, Position, count, player, put

CARDS = range(1, 5)
Card = int | Hidden | None


@dataclass(frozen=True, slots=True)
class HighCard(Position):
    """Swap your card up to three times; the higher card wins."""

    ACTIONS = ("stay", "swap")
    CHANCE_MOVES = tuple(f"deal {card}" for card in CARDS)
    largest_payoff = 3

    to_move: int = CHANCE
    first: int = 0
    next: int | None = 0  # who gets the card that is dealt
    cards: tuple[Card, Card] = (None, None)
    stayed: int = 0
    swaps: int = 0  # of the player to move

    @classmethod
    def start(cls, first: int = 0) -> Self:
        return cls(first=first, next=first)

    def moves(self) -> list[str]:
        if self.to_move == CHANCE:
            return list(self.CHANCE_MOVES)
        if self.stayed == 2:
            return []
        return ["stay", "swap"] if self.swaps < 3 else ["stay"]

    def odds(self) -> dict[str, int]:
        return {f"deal {card}": 5 - card for card in CARDS}  # low cards are common

    def apply(self, move: str) -> Self:
        if self.to_move == CHANCE:
            dealt = 0 if self.next is None else self.next
            cards = put(self.cards, dealt, int(move.removeprefix("deal ")))
            if None in cards:
                return replace(self, cards=cards, next=1 - dealt)
            mover = 1 - self.first if self.stayed else self.first
            return replace(self, to_move=mover, cards=cards, next=None)
        if move == "swap":
            return replace(self, to_move=CHANCE, next=self.to_move, swaps=self.swaps + 1)
        return replace(self, to_move=1 - self.to_move, stayed=self.stayed + 1, swaps=0)

    def payoff(self) -> int | None:
        first, second = self.cards
        if self.stayed < 2 or not isinstance(first, int) or not isinstance(second, int):
            return None
        return first - second

    def view(self, seat: int) -> Self:
        if self.stayed == 2 or self.cards[1 - seat] is None:
            return self
        return replace(self, cards=put(self.cards, 1 - seat, HIDDEN))

    def turn(self) -> str:
        return "" if self.to_move == CHANCE or self.swaps else f"{player(self.to_move)} may swap."

    def tell(self, move: str, after: Self) -> str:
        if self.to_move == CHANCE:
            return ""
        text = f"{player(self.to_move)} {'stays' if move == 'stay' else 'swaps a card'}."
        if after.stayed < 2:
            return text
        paid = after.payoff() or 0
        shown = f"{text}\nThe cards: {after.cards[0]} and {after.cards[1]}."
        if not paid:
            return f"{shown}\nNobody wins."
        return f"{shown}\n{player(int(paid < 0))} wins {count(abs(paid), 'point')}!"

    def board(self) -> str:
        first, second = ("?" if card is HIDDEN else card or "-" for card in self.cards)
        return f"{player(0)}: card {first}. {player(1)}: card {second}."
