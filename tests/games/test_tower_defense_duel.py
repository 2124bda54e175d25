from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Run, Terminal

from duelbook import IllegalMove, Match
from duelbook.games.tower_defense_duel import TowerDefenseDuel

WORKED_GAME = [
    ("build 4", (4, 0)),
    ("build 4", (4, 4)),
    ("build 4", (8, 4)),
    ("attack", (5, 4)),
    ("build 2", (7, 4)),
    ("build 4", (7, 8)),
    ("attack", (7, 5)),
    ("build 2", (7, 7)),
    ("build 4", (11, 7)),
    ("build 4", (11, 11)),
    ("build 4", (15, 11)),
]


@pytest.mark.clause("TD-1", "TD-4", "TD-5", "TD-7")
def test_the_worked_game_turn_by_turn() -> None:
    match = Match.begin(TowerDefenseDuel)
    assert match.position == TowerDefenseDuel(towers=(0, 0))
    for move, towers in WORKED_GAME:
        assert match.winner() is None
        match = match.play(move)
        assert match.position.to_json()["towers"] == list(towers)
    assert match.winner() == 0
    assert match.position.moves() == []


@pytest.mark.clause("TD-2", "TD-3")
def test_turns_alternate_from_either_start() -> None:
    for first in (0, 1):
        position = TowerDefenseDuel.start(first)
        assert position.to_move == first
        assert position.play("build 4").to_move == 1 - first
        assert position.play("build 4").play("attack").to_move == first
    assert set(TowerDefenseDuel.ACTIONS) == {"build 1", "build 2", "build 4", "attack"}


@pytest.mark.clause("TD-6")
@pytest.mark.parametrize("height", range(15))
def test_an_attack_needs_three_units(height: int) -> None:
    position = TowerDefenseDuel(towers=(0, height))
    assert ("attack" in position.moves()) == (height >= 3)
    if height < 3:
        with pytest.raises(IllegalMove, match="you must build"):
            Match((position,)).play("attack")
    else:
        assert position.play("attack").towers == (0, height - 3)


@pytest.mark.clause("TD-8", "TD-R1")
@pytest.mark.parametrize("seat", [0, 1])
@pytest.mark.parametrize("height", [12, 13, 14])
def test_overshooting_is_legal_and_loses_at_once(seat: int, height: int) -> None:
    towers = (height, 0) if seat == 0 else (0, height)
    position = TowerDefenseDuel(to_move=seat, towers=towers)
    assert "build 4" in position.moves()
    after = position.play("build 4")
    assert after.winner() == 1 - seat
    assert after.moves() == []
    assert "collapses" in position.tell("build 4", after)


SAMPLE = """\
Player 1, it's your turn.
Your tower height: 5
Opponent's tower height: 8
Enter your move: «build 4»
Player 1 builds 4 units.
Your tower height is now 9.
"""

WORKED_SCREEN = """\
Welcome to Tower Defense Duel!
Build your tower to exactly 15 units. Overshooting loses.

Player 1, it's your turn.
Your tower height: 0
Opponent's tower height: 0
Enter your move: «build 4»
Player 1 builds 4 units.
Your tower height is now 4.

Player 2, it's your turn.
Your tower height: 0
Opponent's tower height: 4
Enter your move: «build 4»
Player 2 builds 4 units.
Your tower height is now 4.

Player 1, it's your turn.
Your tower height: 4
Opponent's tower height: 4
Enter your move: «build 4»
Player 1 builds 4 units.
Your tower height is now 8.

Player 2, it's your turn.
Your tower height: 4
Opponent's tower height: 8
Enter your move: «attack»
Player 2 attacks and removes 3 units.
Opponent's tower height is now 5.

Player 1, it's your turn.
Your tower height: 5
Opponent's tower height: 4
Enter your move: «build 2»
Player 1 builds 2 units.
Your tower height is now 7.

Player 2, it's your turn.
Your tower height: 4
Opponent's tower height: 7
Enter your move: «build 4»
Player 2 builds 4 units.
Your tower height is now 8.

Player 1, it's your turn.
Your tower height: 7
Opponent's tower height: 8
Enter your move: «attack»
Player 1 attacks and removes 3 units.
Opponent's tower height is now 5.

Player 2, it's your turn.
Your tower height: 5
Opponent's tower height: 7
Enter your move: «build 2»
Player 2 builds 2 units.
Your tower height is now 7.

Player 1, it's your turn.
Your tower height: 7
Opponent's tower height: 7
Enter your move: «build 4»
Player 1 builds 4 units.
Your tower height is now 11.

Player 2, it's your turn.
Your tower height: 7
Opponent's tower height: 11
Enter your move: «build 4»
Player 2 builds 4 units.
Your tower height is now 11.

Player 1, it's your turn.
Your tower height: 11
Opponent's tower height: 11
Enter your move: «build 4»
Player 1 builds 4 units.
Your tower height is now 15.
Player 1's tower is now exactly 15 units tall.
Player 1 wins!
"""


def test_the_worked_game_on_the_screen(terminal: Callable[..., Terminal]) -> None:
    screen = terminal("play", "tower-defense-duel")
    screen.follow(WORKED_SCREEN)
    screen.end()


def test_the_sample_turn_on_the_screen(terminal: Callable[..., Terminal]) -> None:
    screen = terminal("play", "tower-defense-duel")
    for move in ["build 1", "build 4", "build 4", "build 4"]:
        screen.wait_for("Enter your move: ")
        screen.type(move)
    screen.wait_for("Your tower height is now 8.\r\n\r\n")
    screen.follow(SAMPLE)


@pytest.mark.clause("TD-3")
@pytest.mark.parametrize("passing", ["pass", "skip", "", "build", "build 0", "build 3"])
def test_nothing_but_a_build_or_an_attack_is_a_move(run: Run, passing: str) -> None:
    screen = run("play", "tower", typed=f"{passing}\nquit\n").stdout
    assert "Player 2" not in screen
