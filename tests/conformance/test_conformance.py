"""`duelbook check`: every breach is found, with the shortest game that shows it."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from conftest import Run

import duelbook
from duelbook import Outcome, Position
from duelbook.conformance import Breach, as_text, check
from duelbook.secrecy import keeps_secrets
from duelbook.solver.enumeration.enumerator import enumerate_game
from paths import TESTS
from strategies import LARGE_IS_SLOW

pytestmark = pytest.mark.usefixtures("no_loaded_games")

BROKEN = sorted((TESTS / "broken").glob("*.py"))
# The kind of the breach in a file, if it differs from the name of the file.
KINDS = {"words": "raises", "prompts": "reveals"}
# The length of the shortest game that leads to the breach, in plies.
PLIES = {
    "stuck": 2,
    "over": 2,
    "action": 0,
    "ambiguous": 0,
    "twice": 0,
    "spelling": 0,
    "seats": 3,
    "apply": 1,
    "changes": 1,
    "unhashable": 1,
    "json": 0,
    "range": 3,
    "raises": 2,
    "words": 1,
    "legality": 1,
    "reveals": 0,
    "prompts": 1,
    "view": 1,
    "vectors": 5,
    "moves": 0,
    "chance": 0,
}


def found_in(file: Path) -> tuple[type[Position], Breach]:
    game = duelbook.load(str(file))
    breaches = {breach.kind: breach for breach in check(game).breaches}
    return game, breaches[KINDS.get(file.stem, file.stem)]


@pytest.mark.parametrize("file", BROKEN, ids=lambda file: str(file.stem))
def test_a_breach_is_found_and_its_witness_replays(file: Path) -> None:
    game, breach = found_in(file)
    assert len(breach.moves) == PLIES[file.stem], breach
    position = game.start(breach.first)
    for move in breach.moves:
        assert move in position.moves()
        position = position.play(move)


def test_a_position_without_moves_and_winner_is_a_breach() -> None:
    game, breach = found_in(TESTS / "broken" / "stuck.py")
    position = game.start(breach.first)
    for move in breach.moves:
        position = position.play(move)
    assert position.moves() == []
    assert position.winner() is None
    assert repr(position) in breach.text


def test_an_exception_is_shown_with_the_authors_own_line() -> None:
    _, breach = found_in(TESTS / "broken" / "raises.py")
    assert "apply('take 1') raises KeyError: 'the last stone'" in breach.text
    assert 'raise KeyError("the last stone")' in breach.text
    assert "heap=1" in breach.text


@pytest.mark.parametrize("game", LARGE_IS_SLOW, ids=lambda game: str(game.slug))
def test_the_games_of_the_books_conform(game: type[Position]) -> None:
    report = check(game, max_positions=3000)
    assert report.breaches == ()
    assert report.complete == (len(game.ACTIONS) not in (32, 49))


def test_the_report_says_whether_it_saw_everything(run: Run) -> None:
    assert "checked all 558 positions" in run("check", "tower").stdout
    some = run("check", "tower", "--positions", "100").stdout
    assert "positions, not all: those nearest to the start" in some
    assert "There are no breaches." in some


def test_the_command_fails_when_something_is_wrong(run: Run) -> None:
    file = str(TESTS / "broken" / "stuck.py")
    done = run("check", file)
    assert done.exit_code == 1
    assert "stuck: there is no move, and winner() is None" in done.stdout
    assert "example: take 2, take 2" in done.stdout
    data = json.loads(run("check", file, "--json").stdout)
    assert data["breaches"][0]["kind"] == "stuck"
    assert data["breaches"][0]["moves"] == ["take 2", "take 2"]


@pytest.mark.integration
@pytest.mark.parametrize(
    ("parts", "tests"),
    [
        ((), 2),
        (("draws",), 2),
        (("chance",), 4),
        (("chance", "draws"), 4),
        (("private-cards",), 4),
        (("private-cards", "draws"), 5),
        (("chance", "private-cards", "draws"), 5),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_a_new_game_conforms_and_its_test_passes(
    parts: tuple[str, ...], tests: int, run: Run
) -> None:
    import subprocess
    import sys

    options = [word for part in parts for word in ("--with", part)]
    done = run("new", "Heap of stones", *options)
    assert "Wrote heap_of_stones.py and test_heap_of_stones.py." in done.stdout
    shown = subprocess.run(  # our own code
        [sys.executable, "-m", "pytest", "-q", "test_heap_of_stones.py"],
        env=os.environ | {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"},  # they take longer than the test
        capture_output=True,
        text=True,
        check=False,
    )
    assert f"{tests} passed" in shown.stdout
    game = duelbook.load("./heap_of_stones.py")
    assert game.title == "Heap Of Stones"
    assert bool(game.CHANCE_MOVES) == ("chance" in parts or "private-cards" in parts)
    assert keeps_secrets(game) == ("private-cards" in parts)
    assert (0.0 in {o.payoffs[0] for o in outcomes(game)}) == ("draws" in parts)
    assert as_text(check(game)).endswith("There are no breaches.")
    assert 35 <= len(Path("heap_of_stones.py").read_text().splitlines()) <= 80


def outcomes(game: type[Position]) -> list[Outcome]:
    """Return the possible outcomes of the game."""
    outcomes = [position.outcome() for position in enumerate_game(game).positions]
    return [outcome for outcome in outcomes if outcome is not None]


@pytest.mark.parametrize("name", ["7up", "", "class", "!?"])
def test_an_invalid_game_name_is_refused(name: str, run: Run) -> None:
    assert "The name of a game must be words and begin with a letter" in run("new", name).stderr


def test_new_writes_over_nothing(run: Run) -> None:
    Path("test_stones.py").write_text("mine")
    assert "it was not changed" in run("new", "stones").stderr
    assert Path("test_stones.py").read_text() == "mine"
    assert not Path("stones.py").exists()
