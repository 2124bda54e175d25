"""The rules and the text of Island Conquest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import Listener, Position, count, player, put
from duelbook.scene import Gauge, Scene, Stack

ISLAND = 30
TOKENS = 2
FORTIFICATION = 2
RISES = range(1, 6)
HIGHEST_SEA = 20  # an island sinks before the sea can rise further


@dataclass(frozen=True, slots=True)
class IslandConquest(Position):
    """Raise the sea until only your island is above water."""

    title = "Island Conquest"
    player_1_starts = True
    ACTIONS = (*(f"rise {n}" for n in RISES), *(f"fortify {n}" for n in RISES))
    ALIASES = {"yes": "fortify", "no": "rise"}
    RANGES = {
        "islands": range(ISLAND + 1),
        "sea": range(1, HIGHEST_SEA + 1),
        "tokens": range(TOKENS + 1),
    }

    islands: tuple[int, int] = (ISLAND, ISLAND)
    sea: int = 1
    tokens: tuple[int, int] = (TOKENS, TOKENS)

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        rises = [f"rise {n}" for n in RISES]
        return [*rises, *(f"fortify {n}" for n in RISES)] if self.tokens[self.to_move] else rises

    def apply(self, move: str) -> Self:
        me, opponent = self.to_move, 1 - self.to_move
        choice, amount = move.split()
        fortified = choice == "fortify"
        sea = self.sea + int(amount)
        my_impact = max(0, sea - FORTIFICATION) if fortified else sea
        # Islands stop at 0 (IC-R2).
        islands = put(self.islands, me, max(0, self.islands[me] - my_impact))
        islands = put(islands, opponent, max(0, self.islands[opponent] - sea))
        tokens = put(self.tokens, me, self.tokens[me] - fortified)
        return replace(self, to_move=opponent, islands=islands, sea=sea, tokens=tokens)

    def winner(self) -> int | None:
        if self.islands == (0, 0):
            return self.to_move  # both islands sank: the player who moved loses (IC-R1)
        return 1 - self.islands.index(0) if 0 in self.islands else None

    def ruling(self) -> str:
        return "IC-R1" if self.islands == (0, 0) else ""

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return (
            "Welcome to Island Conquest!\n"
            f"Both players start with {ISLAND} island units.\n"
            f"Sea level starts at {count(self.sea, 'unit')}."
        )

    def turn(self) -> str:
        tokens = count(self.tokens[self.to_move], "defense token")
        return f"{player(self.to_move)}:\nYou have {tokens}."

    def ask(self, words: tuple[str, ...]) -> str:
        if words:
            return f"Choose sea level rise amount ({RISES[0]}-{RISES[-1]}):\n> "
        if self.tokens[self.to_move]:
            return "Do you want to use a defense token? (yes/no)\n> "
        return ""  # without a token, nothing is asked (IC-R3)

    def tell(self, move: str, after: Self) -> str:
        lines = [f"Sea level increased to {after.sea} units."]
        lines += [f"{player(s)} island units reduced to {after.islands[s]}." for s in (0, 1)]
        if move.startswith("fortify"):
            lines.append(f"Defense tokens remaining: {after.tokens[self.to_move]}")
        lines += [f"{player(s)}'s island has sunk!" for s in (0, 1) if after.islands[s] == 0]
        if (winner := after.winner()) is not None:
            lines.append(f"{player(winner)} wins!")
        return "\n".join(lines)

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        me, opponent = listener.who(self.to_move), listener.who(1 - self.to_move)
        my_island, other_island = after.islands[self.to_move], after.islands[1 - self.to_move]
        raises = f"the sea to {count(after.sea, 'unit')}"
        if move.startswith("fortify"):
            text = f"With a defense token, {me.does('raise')} {raises}"
        else:
            text = f"{me.opens('raise')} {raises}"
        left = f"{me.does('have')} {count(my_island, 'island unit')} left"
        return f"{text}: {left}, {opponent.does('have')} {other_island}."

    def why_won(self, listener: Listener, winner: int) -> str:
        so, loser = f"so {listener.who(winner).does('win')}", listener.who(1 - winner)
        if self.islands == (0, 0):
            return f"Both islands sank on {loser.whose} move, {so}."
        return f"{loser.opens_whose()} island has sunk, {so}."

    def why_not(self, words: tuple[str, ...]) -> str:
        return "You have no defense tokens left."

    def board(self) -> str:
        return "\n".join(
            [
                f"Sea level: {count(self.sea, 'unit')}",
                *(
                    f"{player(s)}: {count(self.islands[s], 'island unit')}, "
                    f"{count(self.tokens[s], 'defense token')}"
                    for s in (0, 1)
                ),
            ]
        )

    def scene(self) -> Scene:
        fortify = put(("", ""), self.to_move, "fortify")
        return (
            *(Gauge("island", self.islands[s], ISLAND, s, form="island") for s in (0, 1)),
            *(
                Stack("defense", self.tokens[s], s, "shields", fortify[s], does="Fortify")
                for s in (0, 1)
            ),
            Stack(
                *("Sea level", self.sea, None, "sea", "rise", HIGHEST_SEA, "raise it by"),
                amounts=("fortify",),
            ),
        )
