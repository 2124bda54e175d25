"""Goofspiel: four cards each, to bid for four prizes that turn up in any order."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.default_scene import in_words
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
)
from duelbook.ranges import Subset
from duelbook.scene import Gauge, Scene, Slot, Slots, Stack

CARDS = range(1, 5)
Hand = tuple[int, ...]


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
    prizes: Hand = tuple(CARDS)  # those that have not turned up
    prize: int | None = None  # the one that has, until it is won
    cards: tuple[Hand, Hand] = (tuple(CARDS), tuple(CARDS))
    points: tuple[int, int] = (0, 0)
    bid: int | Hidden | None = None  # the first bid, until the second is made

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
            raise TypeError("Bids cannot be compared while one is unknown.")
        after = self.settled(self.bid, number)
        if len(after.prizes) > 1:
            return after
        (prize,), ((mine,), (theirs,)) = after.prizes, after.cards  # no choice is left
        return replace(after, prize=prize, prizes=()).settled(mine, theirs)

    def settled(self, first: int, second: int) -> Self:
        """Return the position after both bids for the prize; equal bids win nothing."""
        points, prize = self.points, self.prize or 0
        if first != second:
            taker = 0 if first > second else 1
            points = put(points, taker, points[taker] + prize)
        hands = _without(self.cards[0], first), _without(self.cards[1], second)
        mover = CHANCE if self.prizes else 0
        return replace(self, to_move=mover, prize=None, cards=hands, points=points, bid=None)

    def winner(self) -> int | Draw | None:
        if self.cards[1]:
            return None
        mine, theirs = self.points
        return DRAW if mine == theirs else 0 if mine > theirs else 1

    def view(self, seat: int) -> Self:
        answering = self.bid is not None and seat == self.to_move
        return replace(self, bid=HIDDEN) if answering else self

    # Words ----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return "Welcome to Goofspiel!\nBid for the prizes. Whoever has more points at the end wins."

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
            return ""  # both bids are shown together
        told, winner = self._bids(BOOK, self.bid, number), after.winner()
        if winner is None:
            return told
        told += f"\n{after.board()}"
        return f"{told}\n{'The game is a draw.' if winner is DRAW else f'{player(winner)} wins!'}"

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
        """Say who bids what, and who gets the prize, and the last one if no choice is left."""
        told = _told(listener, first, second)
        if len(self.prizes) > 1:
            return told
        (last,), hands = self.prizes, self.cards
        (mine,), (theirs,) = _without(hands[0], first), _without(hands[1], second)
        return f"{told} The last prize: {count(last, 'point')}. {_told(listener, mine, theirs)}"

    def why_not(self, words: tuple[str, ...]) -> str:
        return "You have spent that card."

    def board(self) -> str:
        held = [
            f"{player(s)}: {count(self.points[s], 'point')}, cards {in_words(self.cards[s])}"
            for s in (0, 1)
        ]
        prize = [] if self.prize is None else [f"The prize: {count(self.prize, 'point')}"]
        return "\n".join([*held, f"Prizes to come: {in_words(self.prizes)}", *prize])

    def scene(self) -> Scene:
        bid = () if self.bid is None else (Stack("bid", self.bid, 0, "envelope"),)
        return (
            *(Gauge("points", self.points[s], sum(CARDS), s) for s in (0, 1)),
            *(Slots("cards", self._hand(s), s) for s in (0, 1)),
            Stack("The prize", self.prize or 0, limit=CARDS[-1]),
            *bid,
        )

    def _hand(self, seat: int) -> tuple[Slot, ...]:
        says, left = "bid {}" if seat == self.to_move else "", self.cards[seat]
        return tuple(Slot(str(n), spent=n not in left, says=says.format(n)) for n in CARDS)


def _without(cards: Hand, spent: int) -> Hand:
    return tuple(card for card in cards if card != spent)


def _told(listener: Listener, first: int, second: int) -> str:
    """Say who bids what, and who gets the prize."""
    one, two = listener.who(0), listener.who(1)
    taker = one if first > second else two if second > first else "nobody"
    return f"{one.opens('bid')} {first}, {two.does('bid')} {second}: it goes to {taker}."
