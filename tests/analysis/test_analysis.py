from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Self

import pytest
from conftest import Run, Terminal

import duelbook
from duelbook import DuelbookError, Match, Position
from duelbook.analysis import claims, game_analysis
from duelbook.analysis.metrics import describe_metrics
from duelbook.analysis.paths import longest_game, shortest_cycle
from duelbook.analysis.verdict import full_verdict
from duelbook.games.token_tactics import TokenTactics
from duelbook.play import saves
from duelbook.players import make
from duelbook.players.levels import oracle_for
from duelbook.players.play_out import play_out
from duelbook.position import put
from duelbook.secrecy import hidden_from_mover
from duelbook.solver import cache
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.solve import AnySolution
from duelbook.solver.tables.position_table import Table
from shared_solutions import shared_table
from strategies import LARGE_IS_SLOW

pytestmark = pytest.mark.integration

# Analysis ---------------------------------------------------------------------------------------

TOWER_GAME = (
    "build 4, build 4, build 4, attack, build 2, build 4, "
    "attack, build 2, build 4, build 4, build 4"
)


def played(slug: str, moves: str) -> Match:
    match = Match.begin(duelbook.load(slug))
    for move in moves.split(", "):
        match = match.play(move)
    return match


def test_the_sample_game_of_a_book_is_judged() -> None:
    match = played("tower", TOWER_GAME)
    judged = game_analysis.judge(oracle_for(type(match.position)), match)
    assert [move.number for move in judged if move.mark == "mistake"] == [7, 8]
    attack = judged[6]
    assert (attack.move, attack.before, attack.after, attack.best) == (
        "attack",
        1,
        -1,
        ("build 4",),
    )
    decisive = game_analysis.decided_by(judged, match.winner())
    assert decisive
    assert (decisive.number, decisive.move, decisive.best) == (8, "build 2", ("build 4",))
    assert game_analysis.accuracy(judged, 0) == pytest.approx(5 / 6)
    assert game_analysis.curve(oracle_for(type(match.position)), match) == [1] * 7 + [-1] + [1] * 4


@pytest.mark.integration
def test_a_judgement_is_the_change_in_value() -> None:
    for slug in ["tower", "island", "capture", "galaxy"]:
        game = duelbook.load(slug)
        oracle, position, match = oracle_for(game), game(), Match.begin(game)
        while position.winner() is None and len(match.moves) < 12:
            match = match.play(position.moves()[-1])
            position = match.position
        for move, after in zip(
            game_analysis.judge(oracle, match), match.positions[1:], strict=True
        ):
            preserves_value = (
                oracle.value(after) * (1 if after.to_move == move.seat else -1) >= move.before
            )
            assert (move.mark != "mistake") == preserves_value


def test_a_hidden_choice_is_judged_by_the_information_of_its_player() -> None:
    match = played("token", "fortify, attack 3, defend 2")
    judged = game_analysis.judge(oracle_for(TokenTactics), match)
    assert [move.mark for move in judged] == ["best", "mistake", "mistake"]
    assert judged[2].does == "gambles needlessly"
    assert judged[2].after == -1  # the actual result
    # The judgement of an answer does not depend on the hidden choice.
    other = game_analysis.judge(
        oracle_for(TokenTactics), played("token", "fortify, attack 7, defend 2")
    )
    assert other[2].mark == judged[2].mark
    assert other[2].best == judged[2].best


def test_analyse_explains_a_saved_game(run: Run) -> None:
    run("play", "tower", "--names", "Ann", "Bo", typed=TOWER_GAME.replace(", ", "\n") + "\n")
    text = run("analyse").stdout
    assert "  1. Ann  build 4  good     wins in 23 turns; best: build 2, which wins in 21" in text
    assert (
        "  7. Ann  attack   mistake  loses in 16 turns; best: build 4, which wins in 9 turns"
        in text
    )
    assert "Who was winning, move by move: 1 1 1 1 1 1 1 2 1 1 1 1" in text
    assert "83% of Ann's moves were not mistakes." in text
    assert "Move 8 decided the game: Bo played build 2 instead of build 4." in text
    data = json.loads(run("analyse", "--json").stdout)
    (game,) = data["games"]
    assert game["decided_by"] == 8
    assert [move["mark"] for move in game["moves"]].count("mistake") == 2
    assert game["winner"] == 1


def test_a_resignation_is_judged_too(run: Run) -> None:
    run("play", "tower", typed="build 2\nbuild 1\nresign\n")
    assert "Player 1 resigned a won position." in run("analyse").stdout
    (game,) = json.loads(run("analyse", "--json").stdout)["games"]
    assert game["by_resignation"]
    assert game["decided_by"] is None


def test_analyse_accepts_unfinished_and_empty_games(run: Run) -> None:
    run("play", "capture", typed="2\n")
    assert "move 2" in run("analyse").stdout
    run("play", "capture", typed="")
    assert run("analyse").exit_code == 0


# Proof ------------------------------------------------------------------------------------------

FINDINGS = {
    "capture-and-conquer": {"CC-C1": True, "CC-C2": True, "CC-C3": False, "CC-C4": True},
    "galaxy-conquest": {"GC-C1": False, "GC-C2": True, "GC-C3": True, "GC-C4": False},
    "island-conquest": {"IC-C1": False, "IC-C2": True, "IC-C3": True, "IC-C4": False},
    "token-tactics": {"TT-C1": False, "TT-C2": False, "TT-C3": False, "TT-C4": False},
    "tower-defense-duel": {"TD-C1": True, "TD-C2": True, "TD-C3": False, "TD-C4": False},
}


@pytest.fixture(scope="module", params=LARGE_IS_SLOW, ids=lambda game: str(game.slug))
def proven(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> claims.Proof:
    game: type[Position] = request.param
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("DUELBOOK_HOME", str(tmp_path_factory.mktemp("home")))
        patch.setattr(claims, "stored_table", lambda game, **_: shared_table(game))
        return claims.prove(game)


def test_every_claim_is_proved_or_refuted(proven: claims.Proof) -> None:
    results = {finding.claim.number: finding.holds for finding in proven.findings}
    assert results == FINDINGS[proven.game.slug]


def test_every_refutation_has_an_example_game_if_possible(proven: claims.Proof) -> None:
    for finding in proven.findings:
        if finding.holds:
            continue
        check = finding.claim.check.split()[0]
        if check == "reaches":  # no single game can show that nothing reaches a number
            assert finding.witness is None
            continue
        match = claims.witness(proven.game, finding)
        assert match.moves == finding.witness
        if check == "no-draws":
            assert match.position.ruling()
        elif check == "ends":
            assert match.positions.index(match.position) < len(match.moves)
        elif check == "balanced":
            assert match.winner() == (0 if proven.solution.value(proven.game()) > 0 else 1)
            assert len(match.moves) == proven.solution.distance(proven.game())
        else:
            pytest.fail(f"no witness is known for {check}")


WITNESSES = {
    "TD-C3": ("build 4", "attack", "build 2", "attack"),
    "TT-C1": ("attack 10", "defend 10"),
    "TT-C3": ("fortify", "attack 1", "defend 0"),
}


def test_witnesses_have_minimal_length(proven: claims.Proof) -> None:
    for finding in proven.findings:
        if finding.claim.number in WITNESSES:
            assert finding.witness == WITNESSES[finding.claim.number]


MEASURES = {
    "capture-and-conquer": ("9 turns", "endless", "181, 18 of them terminal"),
    "galaxy-conquest": ("7 turns", "14 turns", "4,259,398, 389,475 of them terminal"),
    "island-conquest": ("3 turns", "7 turns", "1,960, 444 of them terminal"),
    "token-tactics": ("2 turns", "endless", "4,078, 60 of them terminal"),
    "tower-defense-duel": ("7 turns", "endless", "558, 114 of them terminal"),
}


def test_metrics(proven: claims.Proof) -> None:
    shortest, longest, positions = MEASURES[proven.game.slug]
    assert proven.metrics["shortest game"] == shortest
    assert proven.metrics["longest game"] == longest
    assert proven.metrics["positions"] == positions


def test_a_proof_lists_other_readings_of_a_ruling(proven: claims.Proof) -> None:
    verdicts = [re.sub(r"; .*|:.*", "", text) for text in proven.readings.values()]
    known = {
        "island-conquest": [
            "With best play Player 1 wins in 4 turns",
            "With best play Player 1 wins in 5 turns",
            "With best play the game is a draw",
        ],
        "token-tactics": [
            "With best play Player 2 wins in 12 turns",
            "With best play Player 1 wins in 2 turns",
            "With best play the game is a draw",
        ],
        "galaxy-conquest": ["With best play Player 1 wins in 7 turns"] * 3,
    }
    assert verdicts == known.get(proven.game.slug, [])


def test_longest_game_agrees_with_recursion() -> None:
    game = duelbook.load("island")
    known: dict[Position, int] = {}

    def longest(position: Position) -> int:
        if position not in known:
            reached = [position.play(move) for move in position.moves()]
            known[position] = max((longest(after) + 1 for after in reached), default=0)
        return known[position]

    assert longest_game(enumerate_game(game)) == longest(game()) == 7


@dataclass(frozen=True, slots=True)
class Race(Position):
    """First to three: a step of 2 is at least as good as a step of 1, and 0 is never best."""

    ACTIONS = ("go 0", "go 1", "go 2")
    steps: tuple[int, int] = (0, 0)

    def moves(self) -> list[str]:
        return [] if max(self.steps) >= 3 else list(self.ACTIONS)

    def apply(self, move: str) -> Self:
        further = self.steps[self.to_move] + int(move.split()[1])
        steps = put(self.steps, self.to_move, further)
        return replace(self, to_move=1 - self.to_move, steps=steps)

    def winner(self) -> int | None:
        return next((seat for seat in (0, 1) if self.steps[seat] >= 3), None)


def test_dominated_moves_are_named() -> None:
    measured = claims.prove(Race).metrics
    assert measured["never best"] == "no move"  # in a lost position all moves are equal
    assert measured["dominated"] == "go 0 (by go 1), go 1 (by go 2)"


def test_a_proof_is_cached_until_the_claims_change_or_the_file_is_damaged(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("duelbook.solver.cache.MIN_STORED_POSITIONS", 0)
    measured: list[Table] = []

    def watched(table: Table, solution: AnySolution) -> dict[str, str]:
        measured.append(table)
        return describe_metrics(table, solution)

    monkeypatch.setattr(claims, "describe_metrics", watched)
    game = duelbook.load("tower")
    proof, again = claims.prove(game), claims.prove(game)
    assert again.as_data() == proof.as_data()
    assert again.findings == proof.findings
    assert len(measured) == 1

    file = cache.file_for(game, "proof1", claims.__name__)
    assert file
    content = file.read_bytes()
    file.write_bytes(content.replace(b"attack", b"attach"))
    assert claims.prove(game).findings == proof.findings
    assert len(measured) == 2
    assert file.read_bytes() == content

    line = "- TD-C1 Towers are low. `at-most towers 1`"
    monkeypatch.setattr(game, "rules_page", classmethod(lambda _: line))
    (other,) = claims.prove(game).findings
    assert (other.claim.text, other.holds) == ("Towers are low.", False)
    assert len(measured) == 3


@dataclass(frozen=True, slots=True)
class Maze(Position):
    """Rooms and doors: a cycle of three at the start, and a room that leads to itself."""

    ACTIONS = ("on", "in", "round", "out")
    room: int = 0
    DOORS = {0: {"on": 1, "in": 3}, 1: {"on": 2}, 2: {"on": 0}, 3: {"round": 3, "out": 4}, 4: {}}

    def moves(self) -> list[str]:
        return list(self.DOORS[self.room])

    def apply(self, move: str) -> Self:
        return replace(self, room=self.DOORS[self.room][move])

    def winner(self) -> int | None:
        return 0 if self.room == 4 else None


def test_shortest_cycle() -> None:
    assert shortest_cycle(enumerate_game(Maze)) == (["in"], ["round"])


@dataclass(frozen=True, slots=True)
class Stuck(Position):
    """Three steps, and then neither a move nor a winner.

    - ST-C1 There is always a move. `always-a-move`
    """

    ACTIONS = ("step",)
    steps: int = 0

    def moves(self) -> list[str]:
        return ["step"] if self.steps < 3 else []

    def apply(self, move: str) -> Self:
        return replace(self, steps=self.steps + 1, to_move=1 - self.to_move)

    def winner(self) -> int | None:
        return None

    @classmethod
    def rules_page(cls) -> str:
        return "- ST-C1 There is always a move. `always-a-move`\n- ST-C2 Few. `at-most steps 2`\n"


def test_a_dead_end_has_an_example_game() -> None:
    proof = claims.prove(Stuck)
    assert [f.holds for f in proof.findings] == [False, False]
    assert proof.findings[0].witness == ("step", "step", "step")
    assert proof.metrics["shortest game"] == "none"
    assert "A line of best play" in full_verdict(proof.solution, Stuck())
    pair = make("random"), make("perfect")
    assert play_out(Stuck, pair, Random(1), limit=100).winner() is None


@pytest.mark.parametrize(
    "line",
    ["- XX-C1 No check here.", "- XX-C1 So. `at-most steps`", "- XX-C1 So. `at-most nope 3`"],
)
def test_malformed_claims_are_refused(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Stuck, "rules_page", classmethod(lambda _: line))
    with pytest.raises(DuelbookError, match="XX-C1"):
        claims.prove(Stuck)


def test_verify_prints_and_saves_games_that_replay(run: Run, tmp_path: Path) -> None:
    text = run("verify", "tower", "--save", "games").stdout
    assert "refuted: the starting position comes back 4 turns later." in text
    assert "won by the player to move: 62.2% of positions with a player to move" in text
    replayed = run("replay", str(tmp_path / "games" / "TD-C3.json")).stdout
    assert "4. Player 2: attack" in replayed
    match = saves.read(tmp_path / "games" / "TD-C4.json").match
    assert match.winner() == 0
    data = json.loads(run("verify", "capture", "--json").stdout)
    assert [f["holds"] for f in data["findings"]] == [True, True, False, True]
    assert data["numbers"]["positions"] == 181
    assert data["numbers"]["shortest_game"] == 9
    assert data["numbers"]["longest_game"] is None


def test_a_claim_with_an_unknown_check_is_refused(
    monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    monkeypatch.setattr(Position, "rules_page", classmethod(lambda _: "- XX-C1 So. `magic`"))
    assert "XX-C1 names an unknown check: magic." in run("verify", "tower").output


# Commands ---------------------------------------------------------------------------------------


def test_solve_prints_the_verdict_the_openings_and_a_line(run: Run) -> None:
    text = run("solve", "token").stdout
    assert "With best play Player 2 wins in 12 turns; Player 1 moves first." in text
    assert "  fortify    loses in 12 turns  best" in text
    assert "  attack 10  loses in 2 turns" in text
    assert text.rstrip().endswith("Player 2: defend 15")
    other = run("solve", "tower", "--first", "2").stdout
    assert "With best play Player 2 wins in 21 turns; Player 2 moves first." in other
    assert run("solve", "token", "--first", "2").exit_code == 2


def test_strength_prints_a_table(run: Run) -> None:
    text = run("strength", "tower", "--games", "20").stdout
    assert (
        len(re.findall(r"^(medium|hard|perfect) v\. \w+ +\d+ +\d+ +\d+", text, re.MULTILINE)) == 6
    )
    assert text == run("strength", "tower", "--games", "20").stdout


@pytest.mark.integration
def test_a_report_is_self_contained(run: Run, tmp_path: Path) -> None:
    assert "Wrote page.html" in run("report", "token", "-o", "page.html", "--games", "10").stdout
    page = (tmp_path / "page.html").read_text()
    assert "http" not in page
    assert "src=" not in page
    for text in [
        "With best play Player 2 wins",
        "TT-C2",
        "refuted",
        "<svg",
        "prefers-color-scheme",
    ]:
        assert text in page
    assert page.count("<rect") > 200  # a square for each pair of reserves, and bars


def test_best_line_of_a_game_with_secrets() -> None:
    position: Position = TokenTactics()
    oracle = oracle_for(TokenTactics)
    dark = 0
    while position.winner() is None:
        dark += hidden_from_mover(position)
        position = position.play(oracle.best_moves(position.view(position.to_move))[0])
    assert dark == 1
    assert position.winner() == 1


@pytest.mark.parametrize(
    "command", [("report", "galaxy"), ("solve", "galaxy"), ("verify", "galaxy")]
)
def test_interrupting_long_work_leaves_no_broken_file(
    command: tuple[str, str], terminal: Callable[..., Terminal], home: Path, tmp_path: Path
) -> None:
    screen = terminal(*command)
    screen.child.expect("positions")  # the count on the screen: work is under way
    screen.child.sendintr()
    assert "Traceback" not in screen.end()
    assert screen.child.exitstatus == 130
    files = [file for file in tmp_path.rglob("*") if file.is_file()]
    assert files == []
