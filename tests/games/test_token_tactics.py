from __future__ import annotations

from collections.abc import Callable

import pytest
from conftest import Run, Terminal

from duelbook import HIDDEN, IllegalMove, Match
from duelbook.games.token_tactics import TokenTactics

WORKED_GAME = [
    (["fortify"], (11, 10)),
    (["attack 3", "defend 2"], (8, 8)),
    (["attack 5", "defend 4"], (4, 3)),
    (["attack 3", "defend 0"], (1, 3)),
    (["fortify"], (2, 3)),
    (["attack 3", "defend 2"], (0, 1)),
]


@pytest.mark.clause("TT-1", "TT-2", "TT-3", "TT-7", "TT-8", "TT-9", "TT-10", "TT-11", "TT-R2")
def test_the_worked_game_turn_by_turn() -> None:
    match = Match.begin(TokenTactics)
    assert match.position == TokenTactics(0, (10, 10), None)
    for number, (moves, reserves) in enumerate(WORKED_GAME, start=1):
        assert match.winner() is None
        for move in moves:
            match = match.play(move)
        assert match.position == TokenTactics(number % 2, reserves, None)
    assert match.winner() == 1


@pytest.mark.clause("TT-2")
def test_player_1_starts_and_the_command_line_says_so(run: Run) -> None:
    refused = run("play", "token", "--first", "2")
    assert refused.exit_code == 2
    assert "Player 1 starts" in refused.output


@pytest.mark.clause("TT-4")
def test_fortifying_adds_one_up_to_fifteen() -> None:
    assert TokenTactics(reserves=(14, 1)).play("fortify").reserves == (15, 1)
    full = TokenTactics(reserves=(15, 1))
    assert "fortify" not in full.moves()
    with pytest.raises(IllegalMove, match="nobody can fortify beyond 15"):
        Match((full,)).play("fortify")


@pytest.mark.clause("TT-5")
def test_an_attack_commits_one_to_all() -> None:
    moves = TokenTactics(reserves=(4, 9)).moves()
    assert moves == ["fortify", "attack 1", "attack 2", "attack 3", "attack 4"]
    with pytest.raises(IllegalMove, match="You have only 4 tokens"):
        Match((TokenTactics(reserves=(4, 9)),)).play("attack 5")


@pytest.mark.clause("TT-6")
def test_a_defense_commits_none_to_all() -> None:
    under_attack = TokenTactics(reserves=(4, 3)).play("attack 2")
    assert under_attack.to_move == 1
    assert under_attack.moves() == ["defend 0", "defend 1", "defend 2", "defend 3"]
    with pytest.raises(IllegalMove, match="you must defend"):
        Match((under_attack,)).play("fortify")
    with pytest.raises(IllegalMove, match="no attack"):
        Match((TokenTactics(),)).play("defend 2")


@pytest.mark.clause("TT-7")
@pytest.mark.parametrize(
    ("attack", "defense", "reserves"),
    [(5, 2, (8, 5)), (2, 5, (5, 8)), (4, 4, (6, 6)), (1, 0, (10, 9)), (10, 10, (0, 0))],
)
def test_the_larger_commit_wins_and_equal_ones_defend(
    attack: int, defense: int, reserves: tuple[int, int]
) -> None:
    # The winner gets the difference, then each pays its own commit:
    # 10 - 5 + 3 = 8 and 10 - 2 - 3 = 5 in the first case.
    after = TokenTactics().play(f"attack {attack}").play(f"defend {defense}")
    assert after.reserves == reserves
    assert after.to_move == 1


@pytest.mark.clause("TT-R1")
@pytest.mark.parametrize("attacker", [0, 1])
def test_the_defender_wins_if_both_reserves_are_empty(attacker: int) -> None:
    before = TokenTactics(to_move=attacker, reserves=(6, 6)).play("attack 6")
    after = before.play("defend 6")
    assert after.reserves == (0, 0)
    assert after.winner() == 1 - attacker
    assert f"Player {2 - attacker} defended and wins." in before.tell("defend 6", after)


@pytest.mark.clause("TT-R2", "TT-10")
def test_the_winner_takes_at_most_what_the_loser_holds() -> None:
    # 3 held against a difference of 10: all 3 change hands, then the attacker pays 10 of 13.
    after = TokenTactics(reserves=(10, 3)).play("attack 10").play("defend 0")
    assert after.reserves == (3, 0)
    # The attacker holds 2, stakes both and loses 4 more: 2 change hands, none is left to pay.
    after = TokenTactics(reserves=(2, 9)).play("attack 2").play("defend 6")
    assert after.reserves == (0, 9 + 2 - 6)


@pytest.mark.clause("TT-6", "TT-R3")
def test_only_the_attacker_sees_the_commit() -> None:
    under_attack = TokenTactics().play("attack 7")
    assert under_attack.view(0).commit == 7
    assert under_attack.view(1).commit is HIDDEN
    assert under_attack.view(1) == TokenTactics().play("attack 2").view(1)
    assert "7" not in under_attack.board()
    assert under_attack.play("defend 0").view(1).commit is None


def test_the_text_of_a_defenders_victory_follows_the_book() -> None:
    before = TokenTactics().play("attack 2")
    text = before.tell("defend 5", before.play("defend 5"))
    assert "Defender wins the battle!\nPlayer 2 takes 3 tokens from Player 1.\n" in text


SCREEN = """\
---- Token Tactics ----
Player 1 Tokens: 10
Player 2 Tokens: 10

Player 1's Turn:
Choose an action: (1) Fortify, (2) Attack
> «1»
You chose to Fortify.
Player 1 adds 1 token to their reserve.

Player 2's Turn:
Choose an action: (1) Fortify, (2) Attack
> «2»
You chose to Attack.
Enter the number of tokens to commit (1-10):
> ‹3›
Player 1, enter the number of tokens to defend with (0-11):
> ‹2›
Reveal:
- Attacker committed 3 tokens.
- Defender committed 2 tokens.
Attacker wins the battle!
Player 2 takes 1 token from Player 1.

Updated Reserves:
- Player 1 Tokens: 8
- Player 2 Tokens: 8

Player 1's Turn:
Choose an action: (1) Fortify, (2) Attack
> «2»
You chose to Attack.
Enter the number of tokens to commit (1-8):
> ‹5›
Player 2, enter the number of tokens to defend with (0-8):
> ‹4›
Reveal:
- Attacker committed 5 tokens.
- Defender committed 4 tokens.
Attacker wins the battle!
Player 1 takes 1 token from Player 2.

Updated Reserves:
- Player 1 Tokens: 4
- Player 2 Tokens: 3

Player 2's Turn:
Choose an action: (1) Fortify, (2) Attack
> «2»
You chose to Attack.
Enter the number of tokens to commit (1-3):
> ‹3›
Player 1, enter the number of tokens to defend with (0-4):
> ‹0›
Reveal:
- Attacker committed 3 tokens.
- Defender committed 0 tokens.
Attacker wins the battle!
Player 2 takes 3 tokens from Player 1.

Updated Reserves:
- Player 1 Tokens: 1
- Player 2 Tokens: 3

Player 1's Turn:
Choose an action: (1) Fortify, (2) Attack
> «1»
You chose to Fortify.
Player 1 adds 1 token to their reserve.

Player 2's Turn:
Choose an action: (1) Fortify, (2) Attack
> «2»
You chose to Attack.
Enter the number of tokens to commit (1-3):
> ‹3›
Player 1, enter the number of tokens to defend with (0-2):
> ‹2›
Reveal:
- Attacker committed 3 tokens.
- Defender committed 2 tokens.
Attacker wins the battle!
Player 2 takes 1 token from Player 1.

Updated Reserves:
- Player 1 Tokens: 0
- Player 2 Tokens: 1

Game Over!
Player 2 wins by capturing all of Player 1's tokens.
"""


@pytest.mark.clause("TT-R3")
def test_the_sample_on_the_screen(terminal: Callable[..., Terminal]) -> None:
    screen = terminal("play", "token-tactics")
    screen.follow(SCREEN)
    screen.end()
