"""External players at the terminal and in simulations: programs, classes, saved policies."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import pytest
from conftest import Run, Terminal

from duelbook.catalog.registry import find
from duelbook.play import saves
from duelbook.players.external.opponents import ExternalPlayer, short_name
from duelbook.players.failures import Failure
from duelbook.research.saved_policies import save_policy
from duelbook.secrecy import SeatRecord, record_of
from mock_model import MockModel

TOWER = "tower-defense-duel"
BOTS = """
class First:
    def choose(self, view, random):
        return view.moves()[0]

class Never(First):
    def choose(self, view, random):
        raise RuntimeError("no \\x1b[31midea")

class Cheats(First):
    def choose(self, view, random):
        return "build 9"
"""
PROGRAM = f"""#!{sys.executable}
import json, os, sys
print(os.getpid(), file=open("pids", "a"), flush=True)
for line in sys.stdin:
    if os.path.exists("broken"):
        sys.exit(3)
    print(json.loads(line)["legal"][0], flush=True)
"""


@pytest.fixture(autouse=True)
def bots(tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOTS)
    (tmp_path / "bot").write_text(PROGRAM)
    (tmp_path / "bot").chmod(0o755)


def saved_players(home: Path) -> list[str]:
    (file,) = (home / "saves").iterdir()
    players: list[str] = json.loads(file.read_text())["players"]
    return players


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}/cmdline").exists()


def test_a_program_plays_at_the_terminal_and_ends_with_the_game(
    terminal: Callable[..., Terminal], home: Path, tmp_path: Path
) -> None:
    screen = terminal("play", TOWER, "--vs", "cmd:./bot")
    screen.wait_for("the computer (cmd:./bot) is Player 2")
    screen.wait_for("Enter your move: ")
    screen.type("build 1")
    screen.wait_for("Enter your move: ")
    (pid,) = map(int, (tmp_path / "pids").read_text().split())
    assert is_running(pid)
    screen.type("quit")
    assert "--vs cmd:./bot" in screen.end()
    assert not is_running(pid)
    assert saved_players(home) == ["person", "cmd:./bot"]


def test_a_program_that_fails_can_be_asked_again_or_replaced(run: Run, home: Path) -> None:
    Path("broken").touch()
    typed = "build 1\nnobody\nresign\nboard\nundo\nbuild 2\nperfect\nquit\n"
    result = run("play", TOWER, "--vs", "cmd:./bot", typed=typed).output
    failed = "The computer (cmd:./bot) did not move. The program ended with status 3."
    assert result.count(failed) == 2  # once after build 1, once after build 2
    assert "There is no player 'nobody'." in result
    assert "It is not your turn." in result
    assert "Taken back: build 1." in result
    assert saved_players(home) == ["person", "perfect"]
    assert "resume" in result
    assert "--vs" not in result  # a built-in player need not be named again
    (file,) = (home / "saves").iterdir()
    assert saves.read(file).match.moves[0] == "build 2"
    assert len(saves.read(file).match.moves) == 2


def test_a_fixed_program_continues_the_game(
    terminal: Callable[..., Terminal], tmp_path: Path
) -> None:
    (tmp_path / "broken").touch()
    screen = terminal("play", TOWER, "--vs", "cmd:./bot")
    screen.wait_for("Enter your move: ")
    screen.type("build 1")
    screen.wait_for("or name another player: ")
    (tmp_path / "broken").unlink()
    screen.type("")
    screen.wait_for("Enter your move: ")


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("Never", "RuntimeError: no \ufffd[31midea"),
        ("Cheats", "'build 9' is not a move of Tower Defense Duel."),
    ],
)
def test_a_failing_class_is_reported_with_the_reason(run: Run, name: str, said: str) -> None:
    result = run("play", TOWER, "--vs", f"bots.py:{name}", typed="build 1\nquit\n").output
    assert f"The computer (bots.py:{name}) did not move. {said}" in result
    assert "Game saved." in result


def test_a_save_runs_no_code_until_its_player_is_named_again(run: Run, home: Path) -> None:
    run("play", TOWER, "--vs", "cmd:./bot", "--as", "2", typed="build 1\nquit\n")
    Path("pids").unlink()
    refused = run("resume")
    assert refused.exit_code == 2
    assert "does not run code that a save names" in refused.output
    assert "--vs cmd:./bot" in refused.output
    assert not Path("pids").exists()
    on = run("resume", "--vs", "cmd:./bot", typed="build 1\nquit\n")
    assert on.exit_code == 0
    assert Path("pids").exists()
    other = run("resume", "--vs", "bots.py:First", typed="quit\n")
    assert "the computer (bots.py:First) is Player 1" in other.output
    assert saved_players(home) == ["bots.py:First", "person"]
    two = run("play", TOWER, typed="build 1\nquit\n")
    assert two.exit_code == 0
    assert "--vs is for a game of one person" in run("resume", "--vs", "easy").output


def test_a_saved_policy_plays_only_its_game(run: Run) -> None:
    save_policy("policy.npz", TOWER, "perfect")
    result = run("play", TOWER, "--vs", "policy.npz", typed="build 1\nquit\n")
    assert result.exit_code == 0
    assert "did not move" not in result.output
    refused = run("play", "island", "--vs", "policy.npz")
    assert refused.exit_code == 2
    assert "policy.npz cannot play Island Conquest: This policy is for" in refused.output


def test_a_tournament_player_keeps_its_settings_at_the_terminal(run: Run) -> None:
    Path("tournament.toml").write_text(
        f"games = ['{TOWER}']\nlimits = {{seconds = 0.2}}\n"
        "players = [{player = 'cmd:sleep 60', label = 'slow one'}]\n"
    )
    result = run("play", TOWER, "--vs", "tournament.toml:slow one", typed="build 1\nquit\n").output
    assert "No move came within 0.2 s." in result
    assert "only: slow one, random" in run("play", TOWER, "--vs", "tournament.toml:quick").output


def test_policies_and_classes_are_simulated_and_programs_refused(run: Run) -> None:
    save_policy("policy.npz", TOWER, "random")
    command = ("simulate", TOWER, "--games", "300", "--players")
    result = run(*command, "policy.npz", "bots.py:First")
    assert result.exit_code == 0, result.output
    plain = run(*command, "random", "bots.py:First").output
    assert result.output.replace("policy.npz", "random").split() == plain.split()
    for name in ("cmd:./bot", "llm:model@http://127.0.0.1:1/v1"):
        refused = run(*command, name, "random")
        assert refused.exit_code == 2
        assert "cannot be simulated" in refused.output
    assert (
        "games that Player 1 starts" in run(*command, "policy.npz", "random", "--first", "2").output
    )


def test_replies_of_external_players_stay_private_in_games_with_secrets() -> None:
    view = find("token-tactics").start().view(0)
    with pytest.raises(Failure) as failed:
        ExternalPlayer("bots.py:Cheats").choose_from_record(SeatRecord(0, view), Random(1))
    assert failed.value.kind == "ILLEGAL"
    assert "build" not in str(failed.value)


def test_a_program_restarts_for_a_new_game_and_after_a_takeback(tmp_path: Path) -> None:
    game, player = find(TOWER), ExternalPlayer("cmd:./bot")
    positions, moves, started = [game.start()], list[str](), []
    for at in (0, 2, 4, 2, 0):  # the moves before each question; then two taken back, a new game
        while len(moves) < at:
            moves.append(positions[-1].moves()[0])
            positions.append(positions[-1].play(moves[-1]))
        player.choose_from_record(record_of(0, positions[: at + 1], moves[:at]), Random(1))
        started.append(len((tmp_path / "pids").read_text().split()))
    player.close()
    assert started == [1, 1, 1, 2, 3]


def test_a_language_model_plays_at_the_terminal(run: Run, home: Path) -> None:
    with MockModel("I would rather talk.", "Let us talk.") as model:
        typed = "build 1\n\nbuild 1\nquit\n"
        result = run("play", TOWER, "--vs", model.name, typed=typed).output
    assert f"({model.name}) did not move. The answer names no move: Let us talk." in result
    assert len(model.requests) == 4  # two answers without a move, then a move for each of mine
    assert "Game saved." in result
    (file,) = (home / "saves").iterdir()
    assert len(saves.read(file).match.moves) == 4


def test_an_unreachable_model_can_be_replaced(run: Run, home: Path) -> None:
    Path("tournament.toml").write_text(
        f"games = ['{TOWER}']\n"
        "players = [{player = 'llm:m@http://127.0.0.1:1/v1', label = 'away', retries = 0}]\n"
    )
    typed = "build 1\ngreedy\nquit\n"
    result = run("play", TOWER, "--vs", "tournament.toml:away", typed=typed).output
    assert "The computer (tournament.toml:away) did not move." in result
    assert saved_players(home) == ["person", "greedy"]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("mcts:100", "mcts:100"),
        ("cmd:/home/ann/bots/shark --fast", "shark"),
        ("llm:org/model-7b@http://127.0.0.1:8080/v1", "model-7b"),
        ("/home/ann/bots.py:First", "First"),
        ("runs/policy.npz", "policy"),
        ("tournament.toml:slow one", "slow one"),
    ],
)
def test_the_short_name_has_no_path_and_no_address(name: str, short: str) -> None:
    assert short_name(name) == short
