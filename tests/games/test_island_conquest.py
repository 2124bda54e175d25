from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Run, Terminal

from duelbook import IllegalMove, Match
from duelbook.games.island_conquest import IslandConquest

WORKED_GAME = [
    ("rise 3", (26, 26), 4, (2, 2)),
    ("fortify 5", (17, 19), 9, (2, 1)),
    ("fortify 4", (6, 6), 13, (1, 1)),
    ("rise 5", (0, 0), 18, (1, 1)),
]


@pytest.mark.clause("IC-1", "IC-4", "IC-5", "IC-6", "IC-R1")
def test_the_worked_game_turn_by_turn() -> None:
    match = Match.begin(IslandConquest)
    assert match.position == IslandConquest(0, (30, 30), 1, (2, 2))
    for number, (move, islands, sea, tokens) in enumerate(WORKED_GAME, start=1):
        assert match.winner() is None
        match = match.play(move)
        assert match.position == IslandConquest(number % 2, islands, sea, tokens)
    assert match.winner() == 0


@pytest.mark.clause("IC-2")
def test_player_1_starts_and_the_command_line_says_so(run: Run) -> None:
    assert IslandConquest().to_move == 0
    refused = run("play", "island", "--first", "2")
    assert refused.exit_code == 2
    assert "In Island Conquest the rules say that Player 1 starts." in refused.output
    assert run("play", "island", "--first", "random").exit_code == 2
    assert "Player 1:" in run("play", "island", "--first", "1").output


@pytest.mark.clause("IC-3")
def test_two_tokens_a_game_and_none_need_be_used() -> None:
    position = IslandConquest(islands=(99, 99))
    for left in (1, 0):
        position = position.play("fortify 1").play("rise 1")
        assert position.tokens == (left, 2)
    assert position.moves() == [f"rise {n}" for n in range(1, 6)]
    with pytest.raises(IllegalMove, match="You have no defense tokens left"):
        Match((position,)).play("fortify 1")


@pytest.mark.clause("IC-6")
def test_fortifying_relieves_only_the_player_who_does() -> None:
    assert IslandConquest().play("fortify 4").islands == (30 - 3, 30 - 5)
    assert IslandConquest(to_move=1).play("fortify 4").islands == (30 - 5, 30 - 3)
    assert IslandConquest(sea=0).play("fortify 1").islands == (30, 29)  # no impact below zero


@pytest.mark.clause("IC-4")
@pytest.mark.parametrize("answer", ["0", "6", "-1", "2.5", "three"])
def test_the_sea_rises_by_one_to_five(run: Run, answer: str) -> None:
    screen = run("play", "island", typed=f"no\n{answer}\n").stdout
    assert "type a number from 1 to 5." in screen
    assert screen.count("Choose sea level rise amount (1-5):") == 2


@pytest.mark.clause("IC-8")
@pytest.mark.parametrize("seat", [0, 1])
def test_the_island_that_still_stands_wins(seat: int) -> None:
    islands = (3, 20) if seat == 1 else (20, 3)
    after = IslandConquest(to_move=1, islands=islands, sea=4).play("rise 1")
    assert after.winner() == seat
    assert after.moves() == []


@pytest.mark.clause("IC-R1")
@pytest.mark.parametrize("mover", [0, 1])
def test_when_both_islands_sink_the_player_who_moved_loses(mover: int) -> None:
    after = IslandConquest(to_move=mover, islands=(6, 6), sea=13).play("rise 5")
    assert after.islands == (0, 0)
    assert after.winner() == 1 - mover


@pytest.mark.clause("IC-7", "IC-R2")
def test_a_sunken_island_shows_zero() -> None:
    before = IslandConquest(to_move=1, islands=(6, 6), sea=13, tokens=(1, 1))
    after = before.play("rise 5")
    assert min(after.islands) == 0
    assert before.tell("rise 5", after) == (
        "Sea level increased to 18 units.\n"
        "Player 1 island units reduced to 0.\n"
        "Player 2 island units reduced to 0.\n"
        "Player 1's island has sunk!\n"
        "Player 2's island has sunk!\n"
        "Player 1 wins!"
    )


@pytest.mark.clause("IC-R3")
def test_a_player_without_tokens_is_told_and_not_asked(run: Run) -> None:
    spend = "yes\n1\nyes\n1\n"
    screen = run("play", "island", typed=spend * 2 + "1\n").stdout
    last_turn = screen.rpartition("Player 1:\n")[2]
    assert last_turn.startswith("You have 0 defense tokens.\nChoose sea level rise amount (1-5):\n")


SCREEN = """\
Welcome to Island Conquest!
Both players start with 30 island units.
Sea level starts at 1 unit.

Player 1:
You have 2 defense tokens.
Do you want to use a defense token? (yes/no)
> «no»
Choose sea level rise amount (1-5):
> «3»
Sea level increased to 4 units.
Player 1 island units reduced to 26.
Player 2 island units reduced to 26.

Player 2:
You have 2 defense tokens.
Do you want to use a defense token? (yes/no)
> «yes»
Choose sea level rise amount (1-5):
> «5»
Sea level increased to 9 units.
Player 1 island units reduced to 17.
Player 2 island units reduced to 19.
Defense tokens remaining: 1

Player 1:
You have 2 defense tokens.
Do you want to use a defense token? (yes/no)
> «yes»
Choose sea level rise amount (1-5):
> «4»
Sea level increased to 13 units.
Player 1 island units reduced to 6.
Player 2 island units reduced to 6.
Defense tokens remaining: 1

Player 2:
You have 1 defense token.
Do you want to use a defense token? (yes/no)
> «no»
Choose sea level rise amount (1-5):
> «5»
Sea level increased to 18 units.
Player 1 island units reduced to 0.
Player 2 island units reduced to 0.
Player 1's island has sunk!
Player 2's island has sunk!
Player 1 wins!
"""


@pytest.mark.clause("IC-R2")
def test_the_sample_on_the_screen(terminal: Callable[..., Terminal]) -> None:
    screen = terminal("play", "island-conquest")
    screen.follow(SCREEN)
    screen.end()
