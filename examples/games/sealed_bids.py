"""Sealed Bids: four lots, four cards each, and both players bid at once."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import HIDDEN, Hidden, Listener, Position, count, player, put
from duelbook.ranges import OWNER, Subset
from duelbook.scene import Gauge, Scene, Slot, Slots, Stack

CARDS = range(1, 5)
LOTS = (3, 1, 2, 5)  # their values, in order
TO_WIN = sum(LOTS) // 2 + 1


@dataclass(frozen=True, slots=True)
class SealedBids(Position):
    """Bid a card for each lot, both at once, and take more than half of the points."""

    player_1_starts = True
    ACTIONS = tuple(f"bid {card}" for card in CARDS)
    RANGES = {
        "cards": Subset(CARDS),
        "points": range(sum(LOTS) + 1),
        "hammer": OWNER,
        "bid": (None, HIDDEN, CARDS),
    }

    cards: tuple[tuple[int, ...], tuple[int, ...]] = (tuple(CARDS), tuple(CARDS))
    points: tuple[int, int] = (0, 0)
    hammer: int = 1  # the seat that takes the lot when bids are equal
    bid: int | Hidden | None = None  # the first bid, hidden until the second

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        return [f"bid {card}" for card in self.cards[self.to_move]]

    def apply(self, move: str) -> Self:
        me, other, mine = self.to_move, 1 - self.to_move, int(move.removeprefix("bid "))
        if self.bid is None:
            return replace(self, to_move=other, bid=mine)
        if not isinstance(self.bid, int):
            raise TypeError("Bids cannot be compared while one is hidden.")
        taker = self.hammer if mine == self.bid else me if mine > self.bid else other
        spent = {me: mine, other: self.bid}
        first, second = (tuple(c for c in self.cards[s] if c != spent[s]) for s in (0, 1))
        return replace(
            self,
            to_move=other,
            cards=(first, second),
            points=put(self.points, taker, self.points[taker] + self._lot()),
            hammer=1 - self.hammer if mine == self.bid else self.hammer,
            bid=None,
        )

    def _lot(self) -> int:
        """Return the value of the current lot."""
        return LOTS[len(LOTS) - len(self.cards[0])]

    def winner(self) -> int | None:
        return next((seat for seat in (0, 1) if self.points[seat] >= TO_WIN), None)

    def view(self, seat: int) -> Self:
        answering = self.bid is not None and seat == self.to_move
        return replace(self, bid=HIDDEN) if answering else self

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return (
            "---- Sealed Bids ----\n"
            f"The lots are worth {', '.join(map(str, LOTS))}. {TO_WIN} points win."
        )

    def turn(self) -> str:
        hammer = f"{player(self.hammer)} holds the hammer."
        return "" if self.bid is not None else f"Up now: {count(self._lot(), 'point')}. {hammer}"

    def ask(self, words: tuple[str, ...]) -> str:
        cards = ", ".join(map(str, self.cards[self.to_move]))
        return f"{player(self.to_move)}, your bid ({cards}): " if words else ""

    def tell(self, move: str, after: Self) -> str:
        if self.bid is None:
            return ""  # both bids are revealed together
        taker = 0 if after.points[0] > self.points[0] else 1
        bids = put((self.bid, self.bid), self.to_move, int(move.removeprefix("bid ")))
        text = f"{player(0)} bids {bids[0]}, {player(1)} bids {bids[1]}.\n"
        text += f"The lot goes to {player(taker)}, who has {count(after.points[taker], 'point')}."
        if after.hammer != self.hammer:
            text += f"\nThe bids were equal: the hammer goes to {player(after.hammer)}."
        winner = after.winner()
        return text if winner is None else f"{text}\n{player(winner)} wins!"

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        if self.bid is None:
            return super(SealedBids, self).tell_to(listener, move, after)
        taker = 0 if after.points[0] > self.points[0] else 1
        bids = put((self.bid, self.bid), self.to_move, int(move.removeprefix("bid ")))
        both = f"{listener.who(0).opens('bid')} {bids[0]}, {listener.who(1).does('bid')} {bids[1]}"
        return f"{both}: the lot goes to {listener.who(taker)}."

    def why_won(self, listener: Listener, winner: int) -> str:
        return f"{listener.who(winner).opens('win')} with {count(self.points[winner], 'point')}."

    def why_not(self, words: tuple[str, ...]) -> str:
        return "You have spent that card."

    def board(self) -> str:
        lines = [
            f"{player(s)}: {count(self.points[s], 'point')}, cards {', '.join(map(str, cards))}"
            for s, cards in enumerate(self.cards)
        ]
        pending = [] if self.bid is None else [f"{player(1 - self.to_move)} has chosen a card."]
        return "\n".join([*lines, f"{player(self.hammer)} holds the hammer.", *pending])

    def scene(self) -> Scene:
        bid = () if self.bid is None else (Stack("bid", self.bid, 1 - self.to_move),)
        return (
            *(Gauge("points", self.points[s], TO_WIN, s) for s in (0, 1)),
            *(Slots("cards", self._cards(s), s) for s in (0, 1)),
            *bid,
        )

    def _cards(self, seat: int) -> tuple[Slot, ...]:
        says, left = "bid {}" if seat == self.to_move else "", self.cards[seat]
        return tuple(Slot(str(n), spent=n not in left, says=says.format(n)) for n in CARDS)
