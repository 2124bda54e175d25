from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Terminal

from duelbook import IllegalMove, Match
from duelbook.games.galaxy_conquest import GalaxyConquest

ALL = (1, 2, 3, 4, 5, 6, 7)
WORKED_GAME = [7, 6, 5, 4, 3, 2, 1]  # the ship of the same number conquers each planet


def owners(position: GalaxyConquest) -> dict[int, int]:
    return {n: owner for n, owner in enumerate(position.planets, start=1) if owner is not None}


@pytest.mark.clause("GC-1", "GC-2", "GC-6", "GC-8", "GC-9")
def test_the_worked_game_turn_by_turn() -> None:
    match = Match.begin(GalaxyConquest)
    conquered: dict[int, int] = {}
    for turn, planet in enumerate(WORKED_GAME):
        if turn == 3:  # the invalid move of the book's sample
            with pytest.raises(IllegalMove, match="Planet 5 is already conquered by Player 1"):
                match.play("planet 5 ship 5")
        assert match.winner() is None
        match = match.play(f"planet {planet} ship {planet}")
        conquered[planet] = turn % 2
        position = match.position
        assert isinstance(position, GalaxyConquest)
        assert owners(position) == conquered
        assert planet not in position.ships[turn % 2]
    assert match.winner() == 0
    assert {n for n, owner in conquered.items() if owner == 0} == {7, 5, 3, 1}


@pytest.mark.clause("GC-6", "GC-8")
def test_the_example_turn() -> None:
    after = GalaxyConquest().play("planet 4 ship 5")
    assert owners(after) == {4: 0}
    assert after.ships == ((1, 2, 3, 4, 6, 7), ALL)


@pytest.mark.clause("GC-3")
@pytest.mark.parametrize("first", [0, 1])
def test_turns_alternate_from_either_start(first: int) -> None:
    after = GalaxyConquest.start(first).play("planet 4 ship 5")
    assert after.to_move == 1 - first
    assert owners(after) == {4: first}


@pytest.mark.clause("GC-4")
def test_a_conquered_planet_is_out_of_play() -> None:
    after = GalaxyConquest().play("planet 4 ship 5")
    assert not [move for move in after.moves() if move.startswith("planet 4 ")]
    assert len(after.moves()) == 6 * 7


@pytest.mark.clause("GC-5", "GC-8")
def test_a_ship_flies_once() -> None:
    match = Match.begin(GalaxyConquest).play("planet 4 ship 5").play("planet 1 ship 1")
    with pytest.raises(IllegalMove, match="Your ship 5 is already expended"):
        match.play("planet 7 ship 5")


@pytest.mark.clause("GC-6", "GC-7", "GC-8")
@pytest.mark.parametrize("planet", ALL)
@pytest.mark.parametrize("ship", ALL)
def test_power_must_reach_defense(planet: int, ship: int) -> None:
    before = GalaxyConquest()
    move = f"planet {planet} ship {ship}"
    after = before.play(move)
    assert owners(after) == ({planet: 0} if ship >= planet else {})
    assert ship not in after.ships[0]
    text = before.tell(move, after)
    assert text.startswith("Attack successful!" if ship >= planet else "Attack failed!")


def spent(planets: tuple[int | None, ...], last_mover: int) -> GalaxyConquest:
    return GalaxyConquest(to_move=1 - last_mover, planets=planets, ships=((), ()))


@pytest.mark.clause("GC-R1")
@pytest.mark.parametrize("first", [0, 1])
def test_spent_fleets_are_decided_by_planets_then_by_moving_second(first: int) -> None:
    second = 1 - first
    some = (0, 0, None, 1, None, None, None)
    assert spent(some, last_mover=second).winner() == 0
    assert spent((1, 1, 1, 0, 0, None, None), last_mover=second).winner() == 1
    assert spent((0, 1, None, None, None, None, None), last_mover=second).winner() == second
    assert spent((None,) * 7, last_mover=second).winner() == second


@pytest.mark.clause("GC-R1")
def test_a_game_can_end_with_spent_fleets() -> None:
    match = Match.begin(GalaxyConquest)
    for ship in (1, 2, 3, 4, 5, 6):
        match = match.play(f"planet 7 ship {ship}").play(f"planet 7 ship {ship}")
    match = match.play("planet 1 ship 7").play("planet 2 ship 7")
    assert match.winner() == 1
    assert match.move_texts()[-1].endswith(
        "Player 2 wins the game by moving second: all ships are expended and the planets are equal."
    )


PLANETS = "  ".join(f"[{n}] Unconquered" for n in ALL)
SCREEN = f"""\
Welcome to Galaxy Conquest!

Planets:
{PLANETS}

Player 1 Ships Available: 1, 2, 3, 4, 5, 6, 7
Player 2 Ships Available: 1, 2, 3, 4, 5, 6, 7

Player 1's Turn:
Enter the planet number to attack: «7»
Enter the ship number to deploy: «7»
Attack successful! Planet 7 is now conquered by Player 1.

Player 2's Turn:
Enter the planet number to attack: «6»
Enter the ship number to deploy: «6»
Attack successful! Planet 6 is now conquered by Player 2.

Player 1's Turn:
Enter the planet number to attack: «5»
Enter the ship number to deploy: «5»
Attack successful! Planet 5 is now conquered by Player 1.

Player 2's Turn:
Enter the planet number to attack: «5»
Planet 5 is already conquered by Player 1.
Enter the planet number to attack: «4»
Enter the ship number to deploy: «4»
Attack successful! Planet 4 is now conquered by Player 2.

Player 1's Turn:
Enter the planet number to attack: «3»
Enter the ship number to deploy: «3»
Attack successful! Planet 3 is now conquered by Player 1.

Player 2's Turn:
Enter the planet number to attack: «2»
Enter the ship number to deploy: «2»
Attack successful! Planet 2 is now conquered by Player 2.

Player 1's Turn:
Enter the planet number to attack: «1»
Enter the ship number to deploy: «1»
Attack successful! Planet 1 is now conquered by Player 1.

Player 1 wins the game by conquering four planets!
"""


@pytest.mark.clause("GC-4", "GC-9")
def test_the_sample_on_the_screen(terminal: Callable[..., Terminal]) -> None:
    screen = terminal("play", "galaxy-conquest")
    screen.follow(SCREEN)
    screen.end()
