"""The example games and the tutorial's game: every feature accepts them without special code."""

from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run, Terminal

import duelbook
import tutorial
from duelbook import Position, conformance
from duelbook.solver.search import Search
from paths import ROOT

pytestmark = [pytest.mark.integration, pytest.mark.usefixtures("no_loaded_games")]

EXAMPLES = sorted((ROOT / "examples" / "games").glob("*.py"))
SMALL = ["four_boxes", "goofspiel", "hexapawn", "kuhn_poker", "leduc_poker", "nim"]
SMALL += ["noughts_and_crosses", "sealed_bids", "two_dice_race", "fist"]
HUGE = ["connect_four", "liars_dice", "pawn_rush", "pig"]  # slow to solve
MOVES = {
    "connect_four": ["column 3", "column 3", "column 1"],
    "fist": ["hide 2", "guess 1", "hide 1", "guess 2"],
    "four_boxes": ["line 1", "line 3", "line 6", "line 4", "line 5"],
    "hexapawn": ["b1 b2", "a3 b2", "a1 b2"],
    "nim": ["heap 2 take 3", "heap 1 take 3", "heap 3 take 7"],
    "noughts_and_crosses": ["square 5", "square 1", "square 9", "square 3"],
    "pawn_rush": ["b1 b2", "b6 b5", "b2 a3"],
    "sealed_bids": ["bid 4", "bid 4", "bid 1", "bid 2"],
}
QUESTIONS = {
    "connect_four": "Which column? ",
    "fist": "(1-3)? ",
    "four_boxes": "Which line? ",
    "hexapawn": "which pawn? ",
    "nim": "from which heap",
    "noughts_and_crosses": "Which square? ",
    "pawn_rush": "Which pawn? ",
    "sealed_bids": "): ",
}
REFUTED = {
    "fist": {"FI-C4"},
    "four_boxes": {"FB-C4"},
    "goofspiel": {"GS-C2"},
    "hexapawn": {"HP-C4"},
    "kuhn_poker": {"KP-C4"},
    "leduc_poker": {"LP-C2", "LP-C4"},
    "nim": {"NI-C4"},
    "noughts_and_crosses": {"NC-C2"},
    "sealed_bids": {"SB-C4"},
    "two_dice_race": {"DR-C3", "DR-C4"},  # two players can avoid home without end
}
"""The refuted claims of the games that are solved here."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Return the files of the games by name."""
    written = tutorial.write(tmp_path_factory.mktemp("tutorial"))
    return {file.stem: file for file in [*EXAMPLES, written]}


@pytest.fixture(params=[*SMALL, *HUGE])
def file(request: pytest.FixtureRequest, files: dict[str, Path]) -> Path:
    return files[request.param]


@pytest.fixture(params=SMALL)
def small(request: pytest.FixtureRequest, files: dict[str, Path]) -> Path:
    return files[request.param]


@pytest.fixture
def game(file: Path) -> type[Position]:
    return duelbook.load(str(file))


def test_every_example_game_is_tried(files: dict[str, Path]) -> None:
    assert sorted(files) == sorted(SMALL + HUGE)
    without_chance = [
        name for name, file in files.items() if not duelbook.load(str(file)).CHANCE_MOVES
    ]
    assert sorted(without_chance) == sorted(MOVES)


def test_the_files_read_like_a_book(file: Path) -> None:
    assert 40 <= len(file.read_text().splitlines()) <= 170
    assert file.with_suffix(".md").is_file()


@pytest.mark.parametrize("name", sorted(MOVES))
def test_some_moves_at_a_terminal(
    name: str, files: dict[str, Path], terminal: Callable[..., Terminal]
) -> None:
    file = files[name]
    table = terminal("play", os.path.relpath(file))
    position = duelbook.load(str(file))()
    for move in MOVES[file.stem]:
        table.wait_for(QUESTIONS[file.stem])
        table.type(move)
        after = position.play(move)
        lines = position.tell(move, after).splitlines()
        if lines:
            table.wait_for(lines[0])
        position = after
    table.type("quit")
    assert "Game saved." in table.end()


def test_nothing_of_a_secret_is_on_the_screen(
    files: dict[str, Path], terminal: Callable[..., Terminal]
) -> None:
    table = terminal("play", str(files["sealed_bids"]))
    table.wait_for("your bid (1, 2, 3, 4): ")
    table.type("4")
    table.wait_for("Player 2, your bid (1, 2, 3, 4): ")
    assert "4" not in table.everything.split("(1, 2, 3, 4): ")[1]
    table.type("board")
    assert "4" not in table.wait_for("holds the hammer.").replace("cards 1, 2, 3, 4", "")
    table.type("4")
    table.wait_for("Player 1 bids 4, Player 2 bids 4.")


@pytest.mark.integration
def test_the_computer_plays_it_perfectly(small: Path, run: Run) -> None:
    done = run("play", str(small), "--vs", "perfect", "--as", "2", "--seed", "1", typed="")
    assert done.exit_code == 0
    assert "the computer (perfect) is Player 1" in done.stdout
    assert "Game saved." in done.stdout


def test_perfect_play_does_not_lose_what_is_won(files: dict[str, Path]) -> None:
    boxes = duelbook.load(str(files["four_boxes"]))
    assert duelbook.simulate(boxes, games=100, players=("perfect", "random")).wins[1] == 0
    pawns = duelbook.load(str(files["pawn_rush"]))
    late = pawns.from_json({"to_move": 0, "pawns": [[4, 9], [8, 13]]})
    best = Search(pawns).best_moves(late)
    assert best
    assert set(best) < set(late.moves())


@pytest.mark.integration
@pytest.mark.parametrize(
    ("name", "verdict"),
    [
        ("fist", "worth +0.067 to Player 1"),
        ("four_boxes", "Player 1 wins in 12 turns"),
        ("hexapawn", "Player 2 wins in 6 turns"),
        ("kuhn_poker", "worth -0.0556 to Player 1"),
        ("leduc_poker", "worth -0.0856 to Player 1"),
        ("nim", "Player 1 wins in 15 turns"),
        ("noughts_and_crosses", "the game is a draw"),
        ("sealed_bids", "worth +0.175 to Player 1"),
        ("two_dice_race", "worth +0.1114 to Player 1"),
    ],
)
def test_it_is_solved(name: str, verdict: str, files: dict[str, Path], run: Run) -> None:
    done = run("solve", str(files[name]))
    assert done.exit_code == 0
    assert verdict in done.stdout


@pytest.mark.integration
def test_its_claims_are_checked(small: Path, run: Run) -> None:
    done = run("verify", str(small), "--json")
    assert done.exit_code == 0
    data = json.loads(done.stdout)
    refuted = {finding["claim"]["number"] for finding in data["findings"] if not finding["holds"]}
    assert refuted == REFUTED[small.stem]


def test_it_is_described(file: Path, game: type[Position], run: Run) -> None:
    done = run("describe", str(file))
    assert done.exit_code == 0
    assert f"Actions: {len(game.ACTIONS)}" in done.stdout
    assert all(line.split(maxsplit=1)[1] in game.ACTIONS for line in _actions(done.stdout))


def _actions(text: str) -> list[str]:
    return text.split("\nActions: ")[1].splitlines()[1:]


def test_every_field_has_a_range(game: type[Position]) -> None:
    assert sorted(game.RANGES) == sorted(set(game().to_json()) - {"to_move"})


def test_a_seat_may_move_twice_in_a_row(files: dict[str, Path]) -> None:
    position = duelbook.load(str(files["four_boxes"]))()
    movers = []
    for move in ["line 1", "line 3", "line 4", "line 6", "line 2"]:
        movers.append(position.to_move)
        position = position.play(move)
    assert movers == [0, 1, 0, 1, 1]


def test_nothing_is_wrong_with_it(small: Path) -> None:
    assert conformance.check(duelbook.load(str(small)), max_positions=5000).breaches == ()


@pytest.mark.parametrize("name", ["pawn_rush", "connect_four", "liars_dice"])
def test_nothing_near_the_start_is_wrong_with_a_large_one(
    name: str, files: dict[str, Path]
) -> None:
    game = duelbook.load(str(files[name]))
    assert conformance.check(game, max_positions=2000).breaches == ()
