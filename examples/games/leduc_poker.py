"""Leduc Poker: six cards and two rounds of betting, with a card on the table between them."""

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

RANKS = ("jack", "queen", "king")
CARDS = tuple(f"{rank} of {suit}" for rank in RANKS for suit in ("spades", "hearts"))
ANTE, RAISES, MAX_RAISES = 1, (2, 4), 2
ROUNDS = (  # the possible words of a round
    *("", "call", "call call", "call raise", "call raise fold", "call raise call"),
    *("call raise raise", "call raise raise fold", "call raise raise call"),
    *("raise", "raise fold", "raise call", "raise raise", "raise raise fold", "raise raise call"),
)
CLOSED = " call"  # a call that is not the first word of a round ends it
Card = str | Hidden | None


@dataclass(frozen=True, slots=True)
class LeducPoker(Position):
    """Bet on your card before and after a card is turned up; a pair with it wins."""

    player_1_starts = True
    largest_payoff = ANTE + MAX_RAISES * sum(RAISES)
    ACTIONS = ("fold", "call", "raise")
    CHANCE_MOVES = (*(f"deal {card}" for card in CARDS), *(f"turn up {card}" for card in CARDS))
    ALIASES = {"f": "fold", "c": "call", "r": "raise", "check": "call"}
    RANGES = {
        "cards": (None, HIDDEN, *CARDS),
        "table": (None, *CARDS),
        "first_round": ROUNDS,
        "second_round": ROUNDS,
    }

    to_move: int = CHANCE
    cards: tuple[Card, Card] = (None, None)
    table: str | None = None
    first_round: str = ""  # the players' words in turn, such as "call raise"
    second_round: str = ""

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.to_move == CHANCE:
            deal = "deal" if None in self.cards else "turn up"
            return [f"{deal} {card}" for card in CARDS if card not in self.cards]
        if self.payoff() is not None:
            return []
        said = self._said()
        fold = ["fold"] if said.endswith("raise") else []
        return [*fold, "call", *(["raise"] if said.count("raise") < MAX_RAISES else [])]

    def _said(self) -> str:
        """Return the words of the current round."""
        return self.first_round if self.table is None else self.second_round

    def apply(self, move: str) -> Self:
        if move.startswith("turn up "):
            return replace(self, to_move=0, table=move.removeprefix("turn up "))
        if move.startswith("deal "):
            seat = self.cards.index(None)
            cards = put(self.cards, seat, move.removeprefix("deal "))
            return replace(self, to_move=CHANCE if seat == 0 else 0, cards=cards)
        said, other = f"{self._said()} {move}".strip(), 1 - self.to_move
        if self.table is not None:
            return replace(self, to_move=other, second_round=said)
        return replace(self, to_move=CHANCE if said.endswith(CLOSED) else other, first_round=said)

    def payoff(self) -> int | None:
        if self.second_round.endswith(CLOSED):
            first, second = (self._strength(card) for card in self.cards)
            return self._stake() * ((first > second) - (first < second))
        if self._said().endswith("fold"):
            return self._stake() if self.to_move == 0 else -self._stake()
        return None

    def _strength(self, card: Card) -> tuple[bool, int]:
        """Return whether a card makes a pair with the one on the table, and its rank."""
        rank, table = str(card).split()[0], str(self.table).split()[0]
        return rank == table, RANKS.index(rank)

    def _stake(self) -> int:
        """Return the chips that each player has put in; a raise counts when it is answered."""
        stake = ANTE
        for said, size in zip((self.first_round, self.second_round), RAISES, strict=True):
            stake += size * (said.count("raise") - said.endswith(("raise", "raise fold")))
        return stake

    def view(self, seat: int) -> Self:
        if self.second_round.endswith(CLOSED):
            return self
        other = 1 - seat
        return replace(self, cards=put(self.cards, other, self.cards[other] and HIDDEN))

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return "Welcome to Leduc Poker!\nEach player antes one chip. Raises are 2 chips, later 4."

    def turn(self) -> str:
        begins = self.to_move != CHANCE and not self._said()
        return f"The {'second' if self.table else 'first'} round." if begins else ""

    def ask(self, words: tuple[str, ...]) -> str:
        *others, last = self.moves()
        return f"{player(self.to_move)}, {', '.join(others)} or {last}? "

    def tell(self, move: str, after: Self) -> str:
        if move.startswith("turn up "):
            return f"On the table: the {after.table}."
        if self.to_move == CHANCE:
            return f"{player(self.cards.index(None))} gets a card."
        text, paid = f"{player(self.to_move)} {move}s.", after.payoff()
        if paid is None:
            return text
        if move != "fold":
            text += "\n" + " ".join(f"{player(s)} shows the {after.cards[s]}." for s in (0, 1))
        won = f"{player(0 if paid > 0 else 1)} wins {count(abs(paid), 'chip')}!"
        return f"{text}\n{won if paid else 'The game is a draw.'}"

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        if move.startswith("turn up "):
            return f"On the table: the {after.table}."
        if self.to_move == CHANCE:
            seat = self.cards.index(None)
            card = f"the {after.cards[seat]}" if seat == listener.seat else "a card"
            return f"{listener.who(seat).opens('get')} {card}."
        text = f"{listener.who(self.to_move).opens(move)}."
        if not after.second_round.endswith(CLOSED):
            return text
        shows = (f"{listener.who(s).opens('show')} the {after.cards[s]}." for s in (0, 1))
        return " ".join([text, *shows])

    def why_won(self, listener: Listener, winner: int) -> str:
        won, chips = listener.who(winner), count(self._stake(), "chip")
        if self._said().endswith("fold"):
            return f"{listener.who(1 - winner).opens('fold')}, so {won.does('win')} {chips}."
        pair = self._strength(self.cards[winner])[0]
        return f"{won.opens('win')} {chips} with {'a pair' if pair else 'the higher card'}."

    def why_not(self, words: tuple[str, ...]) -> str:
        return "Two raises are enough." if words == ("raise",) else "There is no raise to answer."

    def board(self) -> str:
        said = ", ".join(f"{self.first_round} {self.second_round}".split()) or "nothing yet"
        cards = "\n".join(f"{player(seat)}: {value_text(self.cards[seat])}" for seat in (0, 1))
        return f"{cards}\nOn the table: {value_text(self.table)}\nSaid: {said}"

    def scene(self) -> Scene:
        return (
            *(Slots("card", (Slot(value_text(self.cards[seat])),), seat) for seat in (0, 1)),
            Slots("On the table", (Slot(value_text(self.table)),)),
            Stack("At stake", self._stake(), form="coins", limit=self.largest_payoff),
            Slots("Say", tuple(Slot(move, says=move) for move in self.ACTIONS)),
        )
