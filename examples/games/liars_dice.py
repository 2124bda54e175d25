"""Liar's Dice: one hidden die each, and rising bids until one is called a lie."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import CHANCE, HIDDEN, Hidden, Listener, Position, player, put, value_text
from duelbook.ranges import Subset
from duelbook.scene import Scene, Slot, Slots

PIPS = range(1, 7)
WILD = 6
BIDS = tuple(10 * number + pips for number in (1, 2) for pips in PIPS)  # 14 is one 4, 26 two 6s
Die = int | Hidden | None


@dataclass(frozen=True, slots=True)
class LiarsDice(Position):
    """Bid how many dice show a number, or call the last bid a lie; a 6 counts as any number."""

    title = "Liar's Dice"
    player_1_starts = True
    ACTIONS = (*(f"bid {bid // 10} {bid % 10}" for bid in BIDS), "liar")
    CHANCE_MOVES = tuple(f"die {pips}" for pips in PIPS)
    RANGES = {"dice": (None, HIDDEN, PIPS), "bids": Subset(range(11, 27)), "called": range(2)}

    to_move: int = CHANCE
    dice: tuple[Die, Die] = (None, None)
    bids: tuple[int, ...] = ()  # all bids, by the players in turn; each is higher than the last
    called: bool = False

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.to_move == CHANCE:
            return list(self.CHANCE_MOVES)
        if self.called:
            return []
        last = self.bids[-1] if self.bids else 0
        higher = [f"bid {bid // 10} {bid % 10}" for bid in BIDS if bid > last]
        return [*higher, "liar"] if self.bids else higher

    def apply(self, move: str) -> Self:
        word, *numbers = move.split()
        if word == "die":
            seat = self.dice.index(None)
            dice = put(self.dice, seat, int(numbers[0]))
            return replace(self, to_move=CHANCE if seat == 0 else 0, dice=dice)
        if word == "liar":
            return replace(self, to_move=1 - self.to_move, called=True)
        return replace(self, to_move=1 - self.to_move, bids=(*self.bids, int("".join(numbers))))

    def winner(self) -> int | None:
        if not self.called:
            return None
        number, pips = divmod(self.bids[-1], 10)
        is_true = sum(die in (pips, WILD) for die in self.dice) >= number
        return self.to_move if is_true else 1 - self.to_move  # the last bidder is to move

    def view(self, seat: int) -> Self:
        if self.called:
            return self
        other = 1 - seat
        return replace(self, dice=put(self.dice, other, self.dice[other] and HIDDEN))

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return "Welcome to Liar's Dice!\nEach player rolls a die under a cup. A 6 is any number."

    def turn(self) -> str:
        return "" if self.to_move == CHANCE else f"{player(self.to_move)}'s turn."

    def ask(self, words: tuple[str, ...]) -> str:
        if not words:
            return "Bid, or call the liar? " if self.bids else ""
        return "Of which number? " if len(words) == 2 else "How many dice (1 or 2)? "

    def tell(self, move: str, after: Self) -> str:
        if self.to_move == CHANCE:
            return f"{player(self.dice.index(None))} rolls and looks under the cup."
        if move != "liar":
            return f"{player(self.to_move)} bids {_bid_text(after.bids[-1])}."
        winner = after.winner()
        return (
            f"{player(self.to_move)} calls {player(1 - self.to_move)} a liar.\n"
            f"The dice show {after.dice[0]} and {after.dice[1]}, and the bid was "
            f"{_bid_text(self.bids[-1])}.\n{player(0 if winner == 0 else 1)} wins!"
        )

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        if self.to_move == CHANCE:
            seat = self.dice.index(None)
            die = f"a {after.dice[seat]}" if seat == listener.seat else "a die"
            return f"{listener.who(seat).opens('roll')} {die} under the cup."
        me, other = listener.who(self.to_move), listener.who(1 - self.to_move)
        if move != "liar":
            return f"{me.opens('bid')} {_bid_text(after.bids[-1])}."
        dice, bid = f"the dice show {after.dice[0]} and {after.dice[1]}", _bid_text(self.bids[-1])
        return f"{me.opens('call')} {other} a liar: {dice}, and the bid was {bid}."

    def why_not(self, words: tuple[str, ...]) -> str:
        return "A bid must be higher than the last one." if self.bids else "Nobody has bid yet."

    def board(self) -> str:
        dice = "\n".join(f"{player(seat)}'s die: {value_text(self.dice[seat])}" for seat in (0, 1))
        return f"{dice}\nBids: {', '.join(map(_bid_text, self.bids)) or 'none'}"

    def scene(self) -> Scene:
        last = self.bids[-1] if self.bids else 0
        return (
            *(Slots("die", (Slot(value_text(self.dice[seat])),), seat) for seat in (0, 1)),
            *(
                Slots(
                    "One die" if number == 1 else "Two dice",
                    tuple(
                        Slot(
                            str(pips), spent=10 * number + pips <= last, says=f"bid {number} {pips}"
                        )
                        for pips in PIPS
                    ),
                )
                for number in (1, 2)
            ),
            Slots("Or call", (Slot("liar", says="liar"),)),
        )


def _bid_text(bid: int) -> str:
    """Return a bid in words: `one 4` or `two 4s`."""
    return f"{'one' if bid < 20 else 'two'} {bid % 10}{'s' if bid > 20 else ''}"
