"""Kuhn Poker: three cards, one bet, and a reason to bluff."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import (
    CHANCE,
    HIDDEN,
    Hidden,
    Listener,
    Position,
    count,
    player,
    put,
    value_text,
)
from duelbook.scene import Scene, Slot, Slots, Stack

CARDS = ("jack", "queen", "king")
OPEN = ("", "pass", "bet", "pass bet")  # the words so far, while the betting continues
SHOWDOWN = {
    "pass pass": 1,
    "bet bet": 2,
    "pass bet bet": 2,
}  # the chips of each player
FOLDED = {"bet pass": 0, "pass bet pass": 1}  # the seat that did not fold
Card = str | Hidden | None


@dataclass(frozen=True, slots=True)
class KuhnPoker(Position):
    """Each player antes one chip and gets one of three cards; one bet of one chip is allowed."""

    player_1_starts = True
    largest_payoff = 2
    ACTIONS = ("pass", "bet")
    CHANCE_MOVES = tuple(f"deal {card}" for card in CARDS)
    ALIASES = {"p": "pass", "b": "bet"}
    RANGES = {"cards": (None, HIDDEN, *CARDS), "said": (*OPEN, *SHOWDOWN, *FOLDED)}

    to_move: int = CHANCE
    cards: tuple[Card, Card] = (None, None)
    said: str = ""  # the players' words in turn, such as "pass bet"

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.to_move == CHANCE:
            return [f"deal {card}" for card in CARDS if card not in self.cards]
        return ["pass", "bet"] if self.said in OPEN else []

    def apply(self, move: str) -> Self:
        if self.to_move != CHANCE:
            return replace(self, to_move=1 - self.to_move, said=f"{self.said} {move}".strip())
        seat = self.cards.index(None)
        cards = put(self.cards, seat, move.removeprefix("deal "))
        return replace(self, to_move=CHANCE if seat == 0 else 0, cards=cards)

    def payoff(self) -> int | None:
        if self.said in SHOWDOWN:
            first, second = (CARDS.index(str(card)) for card in self.cards)
            return SHOWDOWN[self.said] if first > second else -SHOWDOWN[self.said]
        if self.said in FOLDED:
            return 1 if FOLDED[self.said] == 0 else -1
        return None

    def view(self, seat: int) -> Self:
        if self.said in SHOWDOWN:
            return self
        other = 1 - seat
        return replace(self, cards=put(self.cards, other, self.cards[other] and HIDDEN))

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return (
            "Welcome to Kuhn Poker!\nEach player antes one chip. A king beats a queen beats a jack."
        )

    def turn(self) -> str:
        return "" if self.to_move == CHANCE or self.said else "The cards are dealt."

    def ask(self, words: tuple[str, ...]) -> str:
        return f"{player(self.to_move)}, pass or bet? "

    def tell(self, move: str, after: Self) -> str:
        if self.to_move == CHANCE:
            return f"{player(self.cards.index(None))} gets a card."
        answers = self.said.endswith("bet")
        verbs = {"pass": "folds" if answers else "passes", "bet": "calls" if answers else "bets"}
        text = f"{player(self.to_move)} {verbs[move]}."
        paid = after.payoff()
        if paid is None:
            return text
        if after.said in SHOWDOWN:
            text += "\n" + " ".join(f"{player(s)} shows the {after.cards[s]}." for s in (0, 1))
        return f"{text}\n{player(0 if paid > 0 else 1)} wins {count(abs(paid), 'chip')}!"

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        if self.to_move == CHANCE:
            seat = self.cards.index(None)
            card = f"the {after.cards[seat]}" if seat == listener.seat else "a card"
            return f"{listener.who(seat).opens('get')} {card}."
        answers = self.said.endswith("bet")
        verbs = {"pass": "fold" if answers else "pass", "bet": "call" if answers else "bet"}
        text = f"{listener.who(self.to_move).opens(verbs[move])}."
        if after.said not in SHOWDOWN:
            return text
        shows = (f"{listener.who(s).opens('show')} the {after.cards[s]}." for s in (0, 1))
        return " ".join([text, *shows])

    def why_won(self, listener: Listener, winner: int) -> str:
        won, chips = listener.who(winner), count(SHOWDOWN.get(self.said, 1), "chip")
        if self.said in SHOWDOWN:
            return f"{won.opens('win')} {chips} with the higher card."
        return f"{listener.who(1 - winner).opens('fold')}, so {won.does('win')} {chips}."

    def board(self) -> str:
        cards = "\n".join(f"{player(seat)}: {value_text(self.cards[seat])}" for seat in (0, 1))
        return f"{cards}\nSaid: {self.said.replace(' ', ', ') or 'nothing yet'}"

    def scene(self) -> Scene:
        return (
            *(Slots("card", (Slot(value_text(self.cards[seat])),), seat) for seat in (0, 1)),
            Stack("Pot", 2 + self.said.count("bet"), form="coins"),
            Slots("Say", tuple(Slot(move, says=move) for move in self.ACTIONS)),
        )
