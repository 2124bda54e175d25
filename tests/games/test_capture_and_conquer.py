from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Run, Terminal

from duelbook import IllegalMove, Match
from duelbook.games.capture_and_conquer import CaptureAndConquer

WORKED_GAME = [
    ("move 2", (2, 10)),
    ("move 2", (2, 8)),
    ("move 1", (3, 8)),
    ("move 1", (3, 7)),
    ("move 2", (5, 7)),
    ("move 2", (0, 5)),  # the battle at 5
    ("move 2", (2, 5)),
]


@pytest.mark.clause("CC-1", "CC-3", "CC-5", "CC-R1")
def test_the_worked_game_as_far_as_it_follows_the_rules() -> None:
    match = Match.begin(CaptureAndConquer)
    assert match.position == CaptureAndConquer(0, (0, 10))
    for number, (move, units) in enumerate(WORKED_GAME, start=1):
        match = match.play(move)
        assert match.position == CaptureAndConquer(number % 2, units)
    # The eighth move as printed takes Player 2 from 5 to 7, away from Player 1's base.
    ahead = {match.play(move).position.to_json()["units"][1] for move in match.position.moves()}
    assert ahead == {4, 3}


@pytest.mark.clause("CC-2")
@pytest.mark.parametrize("first", [0, 1])
def test_turns_alternate_from_either_start(first: int, run: Run) -> None:
    start = CaptureAndConquer.start(first)
    assert start.to_move == first
    assert start.play("move 1").to_move == 1 - first
    screen = run("play", "capture", "--first", str(first + 1)).stdout
    assert f"\nPlayer {first + 1} starts first.\n" in screen


@pytest.mark.clause("CC-2")
def test_a_seed_repeats_the_random_start(run: Run) -> None:
    def player_1_starts(seed: int) -> bool:
        screen = run("play", "capture", "--first", "random", "--seed", str(seed)).stdout
        return "Player 1 starts first." in screen

    starts = [player_1_starts(seed) for seed in range(8)]
    assert starts == [player_1_starts(seed) for seed in range(8)]
    assert set(starts) == {True, False}


@pytest.mark.clause("CC-3", "CC-R1")
def test_units_only_move_forward() -> None:
    for first in range(1, 9):
        for second in range(2, 10):
            if first == second:
                continue
            for seat, direction in ((0, 1), (1, -1)):
                units = (first, second) if seat == 0 else (second, first)
                before = CaptureAndConquer(to_move=seat, units=units)
                steps = {before.play(m).units[seat] - first for m in before.moves()}
                assert steps <= {direction, 2 * direction}
                assert direction in steps


@pytest.mark.clause("CC-4", "CC-R2")
@pytest.mark.parametrize(("seat", "units"), [(0, (9, 4)), (1, (4, 1))])
def test_no_unit_moves_past_the_base(seat: int, units: tuple[int, int]) -> None:
    position = CaptureAndConquer(to_move=seat, units=units)
    assert position.moves() == ["move 1"]
    with pytest.raises(IllegalMove, match=r"beyond the board.*you can only move 1"):
        Match((position,)).play("move 2")


@pytest.mark.clause("CC-5")
@pytest.mark.parametrize("attacker", [0, 1])
def test_the_unit_that_lands_on_the_other_sends_it_home(attacker: int) -> None:
    units = (4, 6)
    after = CaptureAndConquer(to_move=attacker, units=units).play("move 2")
    assert after.units == ((6, 10) if attacker == 0 else (0, 4))
    assert after.winner() is None


@pytest.mark.clause("CC-6", "CC-R3")
@pytest.mark.parametrize("home", [10, 7])
def test_reaching_the_base_wins_even_if_a_unit_is_there(home: int) -> None:
    before = CaptureAndConquer(units=(8, home))
    after = before.play("move 2")
    assert after.winner() == 0
    assert after.moves() == []
    assert "Battle" not in before.tell("move 2", after)


@pytest.mark.clause("CC-7")
def test_match_play_keeps_score_and_alternates_who_starts(run: Run) -> None:
    win_first = "2\n1\n2\n1\n2\n1\n2\n1\n2\n"  # the first player runs to the base
    screen = run("play", "capture", "--best-of", "3", typed=win_first * 3).stdout
    assert "Game 1, best of 3. Player 1 starts." in screen
    assert "Score: Player 1 has 1, Player 2 has 0." in screen
    assert "Game 2, best of 3. Player 2 starts." in screen
    assert "Score: Player 1 has 1, Player 2 has 1." in screen
    assert "Game 3, best of 3. Player 1 starts." in screen
    assert "Player 1 wins the series 2 to 1." in screen


BOOK_SCREEN = """\
Welcome to Capture and Conquer!

Player 1's base is at position 0.
Player 2's base is at position 10.

Player 1 starts first.

Positions: [0 P1][1][2][3][4][5][6][7][8][9][10 P2]

Player 1's turn.
Enter your move (1 or 2 positions forward): «2»

Player 1 moves to position 2.
Positions: [0][1][2 P1][3][4][5][6][7][8][9][10 P2]

Player 2's turn.
Enter your move (1 or 2 positions forward): «2»

Player 2 moves to position 8.
Positions: [0][1][2 P1][3][4][5][6][7][8 P2][9][10]

Player 1's turn.
Enter your move (1 or 2 positions forward): «1»

Player 1 moves to position 3.
Positions: [0][1][2][3 P1][4][5][6][7][8 P2][9][10]

Player 2's turn.
Enter your move (1 or 2 positions forward): «1»

Player 2 moves to position 7.
Positions: [0][1][2][3 P1][4][5][6][7 P2][8][9][10]

Player 1's turn.
Enter your move (1 or 2 positions forward): «2»

Player 1 moves to position 5.
Positions: [0][1][2][3][4][5 P1][6][7 P2][8][9][10]

Player 2's turn.
Enter your move (1 or 2 positions forward): «2»

Player 2 moves to position 5.
Battle occurs at position 5!
Player 2 wins the battle.
Player 1's unit is sent back to base.

Positions: [0 P1][1][2][3][4][5 P2][6][7][8][9][10]

Player 1's turn.
Enter your move (1 or 2 positions forward): «2»

Player 1 moves to position 2.
Positions: [0][1][2 P1][3][4][5 P2][6][7][8][9][10]
"""

# The book's next moves break its rules. These moves follow the rules, to the book's ending.
RULES_SCREEN = """
Player 2's turn.
Enter your move (1 or 2 positions forward): «1»

Player 2 moves to position 4.
Positions: [0][1][2 P1][3][4 P2][5][6][7][8][9][10]

Player 1's turn.
Enter your move (1 or 2 positions forward): «1»

Player 1 moves to position 3.
Positions: [0][1][2][3 P1][4 P2][5][6][7][8][9][10]

Player 2's turn.
Enter your move (1 or 2 positions forward): «2»

Player 2 moves to position 2.
Positions: [0][1][2 P2][3 P1][4][5][6][7][8][9][10]

Player 1's turn.
Enter your move (1 or 2 positions forward): «2»

Player 1 moves to position 5.
Positions: [0][1][2 P2][3][4][5 P1][6][7][8][9][10]

Player 2's turn.
Enter your move (1 or 2 positions forward): «1»

Player 2 moves to position 1.
Positions: [0][1 P2][2][3][4][5 P1][6][7][8][9][10]

Player 1's turn.
Enter your move (1 or 2 positions forward): «1»

Player 1 moves to position 6.
Positions: [0][1 P2][2][3][4][5][6 P1][7][8][9][10]

Player 2's turn.
Enter your move (1 or 2 positions forward): «2»
Position -1 is beyond the board: from position 1 you can only move 1.
Enter your move (1 or 2 positions forward): «1»

Player 2 moves to position 0.
Player 2 has reached Player 1's base!
Player 2 wins the game!

Final Positions: [0 P2][1][2][3][4][5][6 P1][7][8][9][10]
"""


@pytest.mark.clause("CC-R1", "CC-R2")
def test_the_sample_on_the_screen(terminal: Callable[..., Terminal]) -> None:
    screen = terminal("play", "capture-and-conquer")
    screen.follow(BOOK_SCREEN + RULES_SCREEN)
    screen.end()
