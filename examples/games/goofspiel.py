"""Goofspiel: bid four cards for four prizes that turn up in random order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import (
    BOOK,
    CHANCE,
    DRAW,
    HIDDEN,
    Draw,
    Hidden,
    Listener,
    Position,
    count,
    player,
    put,
    value_text,
)
from duelbook.ranges import Subset
from duelbook.scene import Gauge, Scene, Slot, Slots, Stack

CARDS = range(1, 5)
Cards = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Goofspiel(Position):
    """Bid a card for each prize, both at once, and win more than the other player."""

    player_1_starts = True
    ACTIONS = tuple(f"bid {card}" for card in CARDS)
    CHANCE_MOVES = tuple(f"prize {card}" for card in CARDS)
    RANGES = {
        "prizes": Subset(CARDS),
        "prize": (None, CARDS),
        "cards": Subset(CARDS),
        "points": range(sum(CARDS) + 1),
        "bid": (None, HIDDEN, CARDS),
    }

    to_move: int = CHANCE
    prizes: Cards = tuple(CARDS)  # the prizes that have not turned up
    prize: int | None = None  # the prize that has turned up, until it is won
    cards: tuple[Cards, Cards] = (tuple(CARDS), tuple(CARDS))
    points: tuple[int, int] = (0, 0)
    bid: int | Hidden | None = None  # the first bid, hidden until the second

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.to_move == CHANCE:
            return [f"prize {prize}" for prize in self.prizes]
        return [f"bid {card}" for card in self.cards[self.to_move]]

    def apply(self, move: str) -> Self:
        number = int(move.split()[1])
        if self.to_move == CHANCE:
            return replace(self, to_move=0, prize=number, prizes=_without(self.prizes, number))
        if self.bid is None:
            return replace(self, to_move=1, bid=number)
        if not isinstance(self.bid, int):
            raise TypeError("Bids cannot be compared while one is hidden.")
        after = self.after_bids(self.bid, number)
        if len(after.prizes) > 1:
            return after
        (prize,), ((mine,), (theirs,)) = after.prizes, after.cards  # no choice is left
        return replace(after, prize=prize, prizes=()).after_bids(mine, theirs)

    def after_bids(self, first: int, second: int) -> Self:
        """Return the position after both bids for the prize; equal bids win nothing."""
        points, prize = self.points, self.prize or 0
        if first != second:
            taker = 0 if first > second else 1
            points = put(points, taker, points[taker] + prize)
        cards = _without(self.cards[0], first), _without(self.cards[1], second)
        mover = CHANCE if self.prizes else 0
        return replace(self, to_move=mover, prize=None, cards=cards, points=points, bid=None)

    def winner(self) -> int | Draw | None:
        if self.cards[1]:
            return None
        mine, theirs = self.points
        return DRAW if mine == theirs else 0 if mine > theirs else 1

    def view(self, seat: int) -> Self:
        answering = self.bid is not None and seat == self.to_move
        return replace(self, bid=HIDDEN) if answering else self

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return "Welcome to Goofspiel!\nBid for the prizes. More points at the end win."

    def turn(self) -> str:
        return "Both players bid." if self.to_move == 0 else ""

    def ask(self, words: tuple[str, ...]) -> str:
        cards = ", ".join(map(str, self.cards[self.to_move]))
        return f"{player(self.to_move)}, your bid ({cards}): " if words else ""

    def tell(self, move: str, after: Self) -> str:
        number = int(move.split()[1])
        if self.to_move == CHANCE:
            return f"The next prize: {count(number, 'point')}."
        if not isinstance(self.bid, int):
            return ""  # both bids are revealed together
        text, winner = self._bids(BOOK, self.bid, number), after.winner()
        if winner is None:
            return text
        text += f"\n{after.board()}"
        return f"{text}\n{'The game is a draw.' if winner is DRAW else f'{player(winner)} wins!'}"

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        if self.to_move == CHANCE:
            return self.tell(move, after)
        if not isinstance(self.bid, int):
            return super(Goofspiel, self).tell_to(listener, move, after)
        return self._bids(listener, self.bid, int(move.split()[1]))

    def why_won(self, listener: Listener, winner: int) -> str:
        mine, other = self.points[winner], self.points[1 - winner]
        return f"{listener.who(winner).opens('win')} by {count(mine, 'point')} to {other}."

    def _bids(self, listener: Listener, first: int, second: int) -> str:
        """Return the bids and the taker of the prize, and the same for a forced last bid."""
        text = _bids_text(listener, first, second)
        if len(self.prizes) > 1:
            return text
        (mine,), (theirs,) = _without(self.cards[0], first), _without(self.cards[1], second)
        prize = count(self.prizes[0], "point")
        return f"{text} The last prize: {prize}. {_bids_text(listener, mine, theirs)}"

    def why_not(self, words: tuple[str, ...]) -> str:
        return "You have spent that card."

    def board(self) -> str:
        lines = [
            f"{player(s)}: {count(self.points[s], 'point')}, cards {value_text(self.cards[s])}"
            for s in (0, 1)
        ]
        prize = [] if self.prize is None else [f"The prize: {count(self.prize, 'point')}"]
        return "\n".join([*lines, f"Prizes to come: {value_text(self.prizes)}", *prize])

    def scene(self) -> Scene:
        bid = () if self.bid is None else (Stack("bid", self.bid, 0, "envelope"),)
        return (
            *(Gauge("points", self.points[s], sum(CARDS), s) for s in (0, 1)),
            *(Slots("cards", self._cards(s), s) for s in (0, 1)),
            Stack("The prize", self.prize or 0, limit=CARDS[-1]),
            *bid,
        )

    def _cards(self, seat: int) -> tuple[Slot, ...]:
        says, left = "bid {}" if seat == self.to_move else "", self.cards[seat]
        return tuple(Slot(str(n), spent=n not in left, says=says.format(n)) for n in CARDS)


def _without(cards: Cards, spent: int) -> Cards:
    return tuple(card for card in cards if card != spent)


def _bids_text(listener: Listener, first: int, second: int) -> str:
    """Return the bids and the taker of the prize."""
    bidder, other = listener.who(0), listener.who(1)
    taker = bidder if first > second else other if second > first else "nobody"
    return f"{bidder.opens('bid')} {first}, {other.does('bid')} {second}: it goes to {taker}."
