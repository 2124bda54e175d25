"""The rules and the text of Galaxy Conquest."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Self

from duelbook.position import BOOK, Listener, Position, player, put
from duelbook.ranges import OWNER, Subset
from duelbook.scene import Scene, Slot, Slots

NUMBERS = range(1, 8)  # a planet's number is its defense, a ship's number is its power
PLANETS_TO_WIN = 4


@dataclass(frozen=True, slots=True)
class GalaxyConquest(Position):
    """Attack planets with seven ships; conquer four to win."""

    title = "Galaxy Conquest"
    vectors = "duelbook.games.vectors.galaxy_conquest"
    ACTIONS = tuple(f"planet {n // 7 + 1} ship {n % 7 + 1}" for n in range(49))
    RANGES = {"planets": OWNER, "ships": Subset(NUMBERS)}

    planets: tuple[int | None, ...] = (None,) * 7  # the owners of planets 1 to 7
    ships: tuple[tuple[int, ...], tuple[int, ...]] = (tuple(NUMBERS), tuple(NUMBERS))

    # Rules ----------------------------------------------------------------------------------

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        return [
            f"planet {planet} ship {ship}"
            for planet in NUMBERS
            if self.planets[planet - 1] is None
            for ship in self.ships[self.to_move]
        ]

    def apply(self, move: str) -> Self:
        me = self.to_move
        planet, ship = _numbers(move)
        planets = self.planets
        if ship >= planet:
            planets = (*planets[: planet - 1], me, *planets[planet:])
        ships = put(self.ships, me, tuple(number for number in self.ships[me] if number != ship))
        return replace(self, to_move=1 - me, planets=planets, ships=ships)

    def winner(self) -> int | None:
        conquests = self.planets.count(0), self.planets.count(1)
        for seat in (0, 1):
            if conquests[seat] >= PLANETS_TO_WIN:
                return seat
        if self.ships != ((), ()):
            return None
        if conquests[0] != conquests[1]:  # all ships are expended: more planets win (GC-R1)
            return 0 if conquests[0] > conquests[1] else 1
        return 1 - self.to_move  # equal: the player who moved second wins (GC-R1)

    def ruling(self) -> str:
        won = any(self.planets.count(seat) >= PLANETS_TO_WIN for seat in (0, 1))
        return "GC-R1" if self.ships == ((), ()) and not won else ""

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        return f"Welcome to Galaxy Conquest!\n\n{self.board()}"

    def turn(self) -> str:
        return f"{player(self.to_move)}'s Turn:"

    def ask(self, words: tuple[str, ...]) -> str:
        if words == ("planet",):
            return "Enter the planet number to attack: "
        return "Enter the ship number to deploy: " if words[2:] == ("ship",) else ""

    def tell(self, move: str, after: Self) -> str:
        me = player(self.to_move)
        planet, ship = _numbers(move)
        if ship >= planet:
            text = f"Attack successful! Planet {planet} is now conquered by {me}."
        else:
            text = (
                f"Attack failed! Ship {ship} is expended and Planet {planet} remains unconquered."
            )
        winner = after.winner()
        if winner is None:
            return text
        end = "!" if after.planets.count(winner) >= PLANETS_TO_WIN else "."
        return f"{text}\n\n{player(winner)} wins the game by {after._how_won(winner)}{end}"

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        me, (planet, ship) = listener.who(self.to_move), _numbers(move)
        if ship >= planet:
            return f"{me.opens('conquer')} planet {planet} with ship {ship}."
        return f"{me.opens('attack')} planet {planet} with ship {ship}, and it is expended in vain."

    def why_won(self, listener: Listener, winner: int) -> str:
        return f"{listener.who(winner).opens('win')} by {self._how_won(winner)}."

    def _how_won(self, winner: int) -> str:
        planets, rest = self.planets.count(winner), self.planets.count(1 - winner)
        if planets >= PLANETS_TO_WIN:
            return "conquering four planets"
        if planets > rest:
            return f"conquering {planets} planets to {rest}: all ships are expended"
        return "moving second: all ships are expended and the planets are equal"

    def why_not(self, words: tuple[str, ...]) -> str:
        return self.why_not_to(BOOK, words)

    def why_not_to(self, listener: Listener, words: tuple[str, ...]) -> str:
        planet = int(words[1])
        owner = self.planets[planet - 1]
        if owner is not None:
            return f"Planet {planet} is already conquered by {listener.who(owner)}."
        return f"Your ship {words[3]} is already expended."

    def board(self) -> str:
        states = [
            "Unconquered" if owner is None else f"Conquered by {player(owner)}"
            for owner in self.planets
        ]
        planets = "  ".join(f"[{n}] {state}" for n, state in zip(NUMBERS, states, strict=True))
        fleets = [
            f"{player(s)} Ships Available: {', '.join(map(str, self.ships[s])) or 'none'}"
            for s in (0, 1)
        ]
        return "\n".join(["Planets:", planets, "", *fleets])

    def scene(self) -> Scene:
        planets = (Slot(str(n), self.planets[n - 1], says=f"planet {n}") for n in NUMBERS)
        fleets = (Slots("ships", self._fleet(s), s, "ships", does="send one") for s in (0, 1))
        return Slots("Planets", tuple(planets), form="planets", does="attack one"), *fleets

    def _fleet(self, seat: int) -> tuple[Slot, ...]:
        says = "ship {}" if seat == self.to_move else ""
        left = self.ships[seat]
        return tuple(Slot(str(n), spent=n not in left, says=says.format(n)) for n in NUMBERS)


def _numbers(move: str) -> tuple[int, int]:
    """Return the planet and the ship of a move."""
    _, planet, _, ship = move.split()
    return int(planet), int(ship)
