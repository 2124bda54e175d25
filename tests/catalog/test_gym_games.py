"""Gym-style files as games: rules, assumptions and refusals."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from conftest import Run, Terminal

import duelbook
from duelbook.catalog.gym import snapshots
from duelbook.catalog.gym.gym_stub import Discrete, with_gym_stub
from duelbook.errors import DuelbookError, UnknownGame
from duelbook.solver.enumeration.enumerator import enumerate_game
from gym_files import race

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("no_loaded_games")]

Write = Callable[..., Path]


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def write(source: str, name: str = "race.py") -> Path:
        file = tmp_path / name
        file.write_text(source)
        return file

    return write


@pytest.mark.parametrize("gym", ["gym", "gymnasium"])
def test_a_file_is_a_game(gym: str, write: Write) -> None:
    game = duelbook.load(str(write(race(gym=gym))))
    assert (game.title, game.slug) == ("Race", "race")
    assert game.ACTIONS == ("move 0", "move 1")
    start = game()
    assert (start.moves(), start.to_move, start.board()) == (["move 0", "move 1"], 0, "Total: 0")
    after = start.play("move 1")
    assert (after.to_move, after.board()) == (1, "Total: 2")
    assert start.board() == "Total: 0"
    assert duelbook.load(str(write(race(gym=gym)))) is game


def test_it_is_solved_like_any_other(write: Write) -> None:
    game = duelbook.load(str(write(race())))
    solution = duelbook.solve(game)
    assert solution.value(game()) == 1  # leave the opponent a multiple of 3
    assert solution.best_moves(game()) == ["move 0"]
    assert solution.distance(game()) == 5
    assert duelbook.solve(game, first=1).value(game.start(1)) == 1


def test_a_position_is_hashable_and_survives_json(write: Write) -> None:
    game = duelbook.load(str(write(race())))
    first = game().play("move 0").play("move 1")
    second = game().play("move 1").play("move 0")
    assert first == second
    assert hash(first) == hash(second)
    assert game.from_json(json.loads(json.dumps(first.to_json()))) == first
    assert len(enumerate_game(game)) == 14


@pytest.mark.parametrize(
    ("start", "switch"),
    [("0", "1 - {}"), ("1", "-{}"), ("1", "3 - {}"), ("'X'", "'O' if {} == 'X' else 'X'")],
)
def test_players_go_by_any_pair_of_values(start: str, switch: str, write: Write) -> None:
    source = race(switch=f"self.current_player = {switch.format('self.current_player')}")
    source = source.replace("self.current_player = 1\n", f"self.current_player = {start}\n")
    position = duelbook.load(str(write(source)))()
    movers = []
    for _ in range(4):
        movers.append(position.to_move)
        position = position.play("move 0")
    assert movers == [0, 1, 0, 1]


def test_a_third_player_is_one_too_many(write: Write) -> None:
    game = duelbook.load(str(write(race(switch="self.current_player += 1"))))
    with pytest.raises(DuelbookError, match="current_player is 3"):
        enumerate_game(game)


def test_the_commands_take_it_and_say_what_they_assume(write: Write, run: Run) -> None:
    file = str(write(race()))
    for command in ("rules", "solve", "verify"):
        done = run(command, file)
        assert done.exit_code == 0
        assert "Assumptions:\n  - current_player says who is to move" in done.stdout
    assert "ENV-C3  No game is endless.\n         holds" in run("verify", file).stdout
    assert json.loads(run("verify", file, "--json").stdout)["assumptions"]


def test_it_is_played_at_the_terminal(write: Write, terminal: Callable[..., Terminal]) -> None:
    game = terminal("play", str(write(race(goal="2"))), "--vs", "random")
    game.wait_for("Total: 0")
    game.wait_for("Enter your move (0, 1): ")
    game.type("0")
    game.wait_for("wins!")
    game.end()


def test_a_draw_ends_the_sitting(write: Write, run: Run) -> None:
    file = str(write(race(goal="2", prize="0")))
    done = run("play", file, typed="1\n")
    assert "The game is a draw." in done.stdout
    assert duelbook.solve(duelbook.load(file)).value(duelbook.load(file)()) == 0


def test_a_negative_reward_at_the_end_is_read_as_a_loss(write: Write, run: Run) -> None:
    file = str(write(race(prize="-1")))
    assert duelbook.solve(duelbook.load(file)).value(duelbook.load(file)()) == -1
    text = run("verify", file).stdout
    assert "under the reading of a negative reward as a loss" in text


def test_moves_are_named_by_a_file_beside(write: Write) -> None:
    write("add One\nadd two\n", "race.moves.txt")
    assert duelbook.load(str(write(race()))).ACTIONS == ("add one", "add two")


@pytest.mark.parametrize("names", ["a\n", "a\na b\n", "a\na\n", "a\nb\nc\n"])
def test_invalid_names_are_refused_with_the_reason(names: str, write: Write) -> None:
    write(names, "race.moves.txt")
    with pytest.raises(UnknownGame, match="must name 2 moves"):
        duelbook.load(str(write(race())))


def test_a_generic_class_name_is_replaced_by_the_file_name(write: Write) -> None:
    assert duelbook.load(str(write(race(name="CustomEnv"), "env_352.py"))).slug == "env-352"


def test_chance_has_one_outcome_and_says_so(write: Write) -> None:
    added = "self.total[0] += random.randrange(2); self.total[0] = min(self.total[0], 7)"
    game = duelbook.load(str(write(race(top="import random", added=added))))
    random.seed(5)
    state = random.getstate()
    assert game().play("move 0") == game().play("move 0")
    assert random.getstate() == state
    assert any("random" in sentence for sentence in game.assumptions)


def test_the_output_of_the_class_is_suppressed(
    write: Write, capsys: pytest.CaptureFixture[str]
) -> None:
    game = duelbook.load(str(write(race(step="print('noise')", render="print('Total')"))))
    assert game().play("move 0").board() == "Total"
    assert capsys.readouterr().out == ""


def test_too_many_positions_are_refused_with_the_reason(
    write: Write, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = duelbook.load(str(write(race(goal="1000"))))
    monkeypatch.setattr(game, "max_positions", 500)
    with pytest.raises(DuelbookError, match="more than 500 positions"):
        duelbook.solve(game)


@pytest.mark.parametrize(
    ("source", "reason"),
    [
        (race(reset="raise ValueError('no board')"), r"RaceEnv\(\) raises ValueError: no board"),
        (race(name="A") + race(name="B"), "more than one game in .*: A, B"),
        (race(reset="self.log = (x for x in ())"), "attribute log cannot be copied"),
        (race().replace("spaces.Discrete(2)", "spaces.MultiDiscrete([2, 2])"), "not a Discrete"),
        (
            race(top="made = []", step="made.append(1)", added="self.total[0] += len(made) > 3"),
            "a copy plays differently from the original",
        ),
        (race(added="self.x = []\n        for _ in range(9999): self.x = [self.x]"), "too deeply"),
    ],
)
def test_an_unplayable_class_is_refused_with_the_reason(
    source: str, reason: str, write: Write
) -> None:
    with pytest.raises(DuelbookError, match=reason) as refused:
        enumerate_game(duelbook.load(str(write(source))))
    assert "\n" not in str(refused.value)


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("raise ValueError('broken')", r"step\(0\) raises ValueError: broken"),
        ("import sys; sys.exit(1)", r"step\(0\) raises SystemExit: 1"),
        ("return 3", r"step\(0\) raises TypeError"),
    ],
)
def test_an_error_in_a_move_is_reported_in_a_sentence(line: str, reason: str, write: Write) -> None:
    game = duelbook.load(str(write(race(step=line))))
    with pytest.raises(DuelbookError, match=reason):
        game().play("move 0")


# Snapshots --------------------------------------------------------------------------------------

HELPER = """
from enum import Enum

class Colour(Enum):
    RED = 1

class Piece:
    def __init__(self, at):
        self.at, self.me = at, self
"""


def test_a_snapshot_holds_what_plain_objects_hold() -> None:
    module = ModuleType("helper")
    exec(HELPER, vars(module))  # noqa: S102 # our own
    shared = [1, 2]
    piece = module.Piece((1, 2))
    held = {
        "array": np.array([[1, 2], [3, 4]], np.int8),
        "scalar": np.float32(0.5),
        "dict": {(0, 1): shared, "k": {3, 1, 2}, 4: frozenset({"a"})},
        "again": shared,
        "colour": module.Colour.RED,
        "piece": piece,
        "none": [None, True, 1.5, "text"],
        "chance": random.Random(3),
    }
    text = snapshots.to_text(held, module)
    back = snapshots.from_text(text, module)
    assert snapshots.to_text(back, module) == text
    assert (back["array"] == held["array"]).all()
    assert back["array"].dtype == np.int8
    assert back["dict"] == held["dict"]
    assert back["dict"][0, 1] is back["again"]
    assert back["colour"] is module.Colour.RED
    assert back["piece"].me is back["piece"]
    assert back["piece"].at == (1, 2)


def test_equal_objects_have_equal_snapshots() -> None:
    module = ModuleType("helper")
    first = {"d": {"a": [1], "b": [1]}, "s": {1, 2, 3}}
    second = {"s": {3, 2, 1}, "d": {"b": [1], "a": [1]}}
    assert snapshots.to_text(first, module) == snapshots.to_text(second, module)


def test_gym_stands_in_only_while_a_file_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.catalog.gym.gym_stub._is_installed", lambda name: False)
    source = "import gym\nfrom gym import spaces\nfrom gym.spaces import Box\nimport gym.spaces"
    names: dict[str, object] = {}
    with with_gym_stub(source):
        exec(source, names)  # noqa: S102 # our own
    assert names["spaces"].Discrete(3).n == 3  # type: ignore[attr-defined]
    assert names["spaces"].Discrete is Discrete  # type: ignore[attr-defined]
    with pytest.raises(ModuleNotFoundError):
        __import__("gym")
