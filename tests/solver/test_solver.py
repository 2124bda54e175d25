from __future__ import annotations

import ast
import json
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from random import Random
from typing import Self

import numpy as np
import pytest

import duelbook
from duelbook import HIDDEN, DuelbookError, Position
from duelbook.analysis.hint import hint
from duelbook.analysis.verdict import full_verdict
from duelbook.games.galaxy_conquest import GalaxyConquest
from duelbook.games.token_tactics import TokenTactics
from duelbook.games.tower_defense_duel import TowerDefenseDuel
from duelbook.games.vectors import galaxy_conquest as vectors
from duelbook.hidden import Hidden
from duelbook.secrecy import hidden_from_mover
from duelbook.solver import cache
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.search import Search
from duelbook.solver.solution import Solution
from duelbook.solver.solve import solve_positions
from duelbook.solver.source_fingerprint import OUR_IMPORTS
from shared_solutions import shared_solution, shared_table, solve_by_positions

PYTHON = (sys.executable, "-B", "-c")
"""Without bytecode: rules that a test writes twice may have the same size and second."""
OPEN_AND_SMALL = ["capture-and-conquer", "island-conquest", "tower-defense-duel"]
SMALL = [*OPEN_AND_SMALL, "token-tactics"]


@pytest.fixture
def galaxy() -> Solution:
    return shared_solution(GalaxyConquest)


# A simple reference: outcomes from sets of positions, one ply at a time -------------------------


def all_positions(game: type[Position], first: int = 0) -> set[Position]:
    seen, todo = {game.start(first)}, [game.start(first)]
    while todo:
        position = todo.pop()
        fresh = {position.play(move) for move in position.moves()} - seen
        seen |= fresh
        todo += fresh
    return seen


def decided(position: Position, known: dict[Position, tuple[int, int]]) -> tuple[int, int] | None:
    """Return the winner and the plies to the end, if the known positions decide them."""
    mover = position.to_move
    if hidden_from_mover(position):
        return answered(position, known)
    after = [known.get(position.play(move)) for move in position.moves()]
    wins = [end[1] for end in after if end and end[0] == mover]
    if wins:
        return mover, min(wins) + 1
    if all(after):
        return 1 - mover, max(end[1] for end in after if end) + 1
    return None


def answered(position: Position, known: dict[Position, tuple[int, int]]) -> tuple[int, int] | None:
    """Decide a defense: an answer that beats every attack, or an attack that beats every answer."""
    assert isinstance(position, TokenTactics)
    defender, attacks = position.to_move, range(1, position.reserves[1 - position.to_move] + 1)
    table = {
        (attack, answer): known.get(replace(position, commit=attack).play(answer))
        for attack in attacks
        for answer in position.moves()
    }
    sure_answers = []
    for answer in position.moves():
        ends = [table[attack, answer] for attack in attacks]
        if all(end and end[0] == defender for end in ends):
            sure_answers.append(max(end[1] for end in ends if end))
    if sure_answers:
        return defender, min(sure_answers) + 1
    sure_attacks = []
    for attack in attacks:
        ends = [table[attack, answer] for answer in position.moves()]
        if all(end and end[0] != defender for end in ends):
            sure_attacks.append(max(end[1] for end in ends if end))
    return (1 - defender, min(sure_attacks) + 1) if sure_attacks else None


def reference(game: type[Position]) -> dict[Position, tuple[int, int]]:
    positions = all_positions(game)
    known = {p: (w, 0) for p in positions if isinstance(w := p.winner(), int)}
    while True:
        fresh = {
            position: end
            for position in positions - known.keys()
            if (end := decided(position, known)) is not None
        }
        if not fresh:
            return known
        known |= fresh


@pytest.mark.parametrize("slug", SMALL)
def test_solution_agrees_with_a_simple_reference(slug: str) -> None:
    game = duelbook.load(slug)
    solution, known = solve_by_positions(game), reference(game)
    positions = all_positions(game)
    assert len(solution.positions) == len(positions)
    for position in positions:
        end = known.get(position)
        if end is None:
            assert (solution.value(position), solution.distance(position)) == (0, None)
        else:
            assert solution.value(position) == (1 if end[0] == position.to_move else -1)
            assert solution.distance(position) == end[1]


def late(random: Random) -> Iterator[GalaxyConquest]:
    """Yield positions of Galaxy Conquest from random games, late enough for a full search."""
    for _ in range(40):
        position = GalaxyConquest()
        for _ in range(random.randrange(6, 13)):
            if not position.moves():
                break
            position = position.play(random.choice(position.moves()))
        yield position


def minimax(position: Position) -> tuple[int, int]:
    """Return the value and the plies to the end, by full search."""
    winner = position.winner()
    if winner is not None:
        return (1 if winner == position.to_move else -1), 0
    after = [minimax(position.play(move)) for move in position.moves()]
    wins = [plies for value, plies in after if value < 0]
    return (1, min(wins) + 1) if wins else (-1, max(plies for _, plies in after) + 1)


def test_galaxy_conquest_agrees_with_full_minimax_on_late_positions(galaxy: Solution) -> None:
    for position in late(Random(7)):
        if sum(map(len, position.ships)) <= 6:
            assert (galaxy.value(position), galaxy.distance(position)) == minimax(position)


@pytest.mark.integration
def test_galaxy_conquest_agrees_with_the_search(galaxy: Solution) -> None:
    search = Search(GalaxyConquest)
    for position in [GalaxyConquest(), *late(Random(8))]:
        assert galaxy.score(position) == search.score(position)
        if position.moves():
            assert galaxy.best_moves(position) == search.best_moves(position)


@pytest.mark.parametrize("slug", OPEN_AND_SMALL)
def test_search_agrees_with_every_position_of_the_table(slug: str) -> None:
    solution = solve_by_positions(duelbook.load(slug))
    search = Search(duelbook.load(slug))
    for position in solution.positions.known:
        assert search.score(position) == solution.score(position)


def test_search_at_its_node_limit_is_not_certain() -> None:
    assert Search(GalaxyConquest, nodes=50).score(GalaxyConquest()) == 0
    for nodes in (1, 50, 1000):
        search = Search(GalaxyConquest, nodes=nodes)
        assert sum(search.strategy(GalaxyConquest()).values()) == pytest.approx(1)
        assert not search.is_certain
    best = hint(Search(GalaxyConquest, nodes=50), GalaxyConquest())
    assert "within the search depth" in best.text
    with pytest.raises(DuelbookError, match="Token Tactics has secrets"):
        Search(TokenTactics)


# Values of the games ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("slug", "value", "distance", "best"),
    [
        ("capture-and-conquer", 0, None, ["move 1", "move 2"]),
        ("island-conquest", 1, 4, ["rise 4", "rise 5", "fortify 4", "fortify 5"]),
        ("token-tactics", -1, 12, ["fortify"]),
        ("tower-defense-duel", 1, 21, ["build 2"]),
    ],
)
def test_values_of_the_books_games(
    slug: str, value: int, distance: int | None, best: list[str]
) -> None:
    game = duelbook.load(slug)
    for first in (0, 1):  # the games are the same from both sides
        solution = duelbook.solve(game, first=first)
        start = game.start(first)
        assert (solution.value(start), solution.distance(start)) == (value, distance)
        assert solution.best_moves(start) == best


def test_value_of_galaxy_conquest(galaxy: Solution) -> None:
    start = GalaxyConquest()
    assert (galaxy.value(start), galaxy.distance(start)) == (1, 7)
    winning = {m for m in start.moves() if galaxy.move_score(start, m) > 0}
    # Every first conquest wins, unless ship 7 is spent on less than planet 7.
    assert winning == {
        f"planet {planet} ship {ship}"
        for planet in range(1, 8)
        for ship in range(planet, 8)
        if ship < 7 or planet == 7
    }


def test_solution_covers_the_other_first_player() -> None:
    game = duelbook.load("island")
    solution = solve_by_positions(game)
    assert solution.positions.find(game.start(1)) is None
    assert (solution.value(game.start(1)), solution.distance(game.start(1))) == (1, 4)
    with pytest.raises(DuelbookError, match="cannot be reached"):
        solve_by_positions(TowerDefenseDuel).value(TowerDefenseDuel(towers=(99, 99)))


# Tables -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", SMALL)
def test_table_agrees_with_the_rules(slug: str) -> None:
    game = duelbook.load(slug)
    table = enumerate_game(game)
    assert set(table.positions.known) == all_positions(game)
    assert table.positions[0] == game()
    for number, position in enumerate(table.positions.known):
        row = slice(table.rows[number], table.rows[number + 1])
        moves = [game.ACTIONS[action] for action in table.actions[row]]
        assert moves == position.moves()
        assert [table.positions[int(a)] for a in table.after[row]] == [
            position.play(move) for move in moves
        ]
        assert table.mover[number] == position.to_move
        winner = position.winner()
        assert table.winner[number] == (-1 if winner is None else winner)
        assert table.positions.find(position) == number


def test_information_sets_follow_from_views() -> None:
    table = enumerate_game(TokenTactics)
    groups: dict[int, set[Position]] = {}
    for number, position in enumerate(table.positions.known):
        groups.setdefault(int(table.infosets[number]), set()).add(position)
    for group in groups.values():
        assert len({p.view(p.to_move) for p in group}) == 1
    under_attack = TokenTactics().play("attack 3")
    (group_under_attack,) = [group for group in groups.values() if under_attack in group]
    assert group_under_attack == {TokenTactics().play(f"attack {n}") for n in range(1, 11)}


def test_galaxy_conquest_has_the_known_size(galaxy: Solution) -> None:
    table = shared_table(GalaxyConquest)
    assert len(table) == 4_259_398
    assert len(table.after) == 39_914_686
    assert table.steps_forward
    assert len(galaxy.positions) == len(table)


@pytest.mark.parametrize("first", [0, 1])
def test_vectors_of_galaxy_conquest_agree_with_its_rules(first: int) -> None:
    random = Random(first)
    for _ in range(60):
        position = GalaxyConquest.start(first)
        while True:
            code = vectors.pack(position)
            assert vectors.unpack(code, first) == position
            counts, actions, leads = vectors.expand(np.array([code]), first)
            moves = [GalaxyConquest.ACTIONS[action] for action in actions]
            assert counts.tolist() == [len(moves)]
            assert moves == position.moves()
            for move, lead in zip(moves, leads, strict=True):
                assert vectors.unpack(int(lead), first) == position.play(move)
            mover, winner, ruled = vectors.outcome(np.array([code]), first)
            known = position.winner()
            assert (mover[0], winner[0]) == (position.to_move, -1 if known is None else known)
            assert ruled[0] == bool(position.ruling())
            if not moves:
                break
            position = position.play(random.choice(moves))


def test_too_large_game_is_refused() -> None:
    with pytest.raises(DuelbookError, match="more than 100 positions"):
        enumerate_game(TowerDefenseDuel, max_positions=100)


# Layers, cycles and mixed choices ---------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Ladder(Position):
    """Five choices of left or right; the first player wins if the path is a multiple of 5."""

    ACTIONS = ("left", "right")
    path: tuple[int, ...] = ()

    def moves(self) -> list[str]:
        return [] if len(self.path) == 5 else list(self.ACTIONS)

    def apply(self, move: str) -> Self:
        step = self.ACTIONS.index(move)
        again = self.path[-1:] == (1,)  # after a right, the same player moves again
        mover = self.to_move if again else 1 - self.to_move
        return replace(self, to_move=mover, path=(*self.path, step))

    def winner(self) -> int | None:
        if len(self.path) < 5:
            return None
        return int(int("".join(map(str, self.path)), 2) % 5 == 0)


def test_layers_and_sweeps_agree() -> None:
    table = enumerate_game(Ladder)
    assert table.steps_forward
    by_layers = solve_positions(table)
    by_sweeps = solve_positions(replace(table, steps_forward=False))
    assert np.array_equal(by_layers.scores, by_sweeps.scores)
    assert {int(np.sign(s)) for s in by_layers.scores} == {1, -1}


@pytest.mark.parametrize("steps_forward", [True, False])
def test_game_too_long_for_scores_is_refused(
    monkeypatch: pytest.MonkeyPatch, *, steps_forward: bool
) -> None:
    monkeypatch.setattr("duelbook.solver.values.scoring.TOP", 4)
    with pytest.raises(DuelbookError, match="which scores cannot count"):
        solve_positions(replace(enumerate_game(Ladder), steps_forward=steps_forward))


@dataclass(frozen=True, slots=True)
class Shells(Position):
    """Player 1 hides a pea under one of three shells, and Player 2 has one guess."""

    ACTIONS = ("hide 1", "hide 2", "hide 3", "guess 1", "guess 2", "guess 3")
    pea: int | Hidden | None = None
    guess: int | None = None

    def moves(self) -> list[str]:
        if self.guess is not None:
            return []
        return [f"{'hide' if self.pea is None else 'guess'} {n}" for n in (1, 2, 3)]

    def apply(self, move: str) -> Self:
        number = int(move.split()[1])
        if self.pea is None:
            return replace(self, to_move=1, pea=number)
        return replace(self, guess=number)

    def winner(self) -> int | None:
        return None if self.guess is None else int(self.guess == self.pea)

    def view(self, seat: int) -> Self:
        hidden = self.pea is not None and self.guess is None and seat == 1
        return replace(self, pea=HIDDEN) if hidden else self


def test_hidden_choice_has_a_mixed_strategy() -> None:
    solution = solve_by_positions(Shells)
    start = Shells()
    assert solution.value(start) == pytest.approx(1 / 3)
    assert solution.distance(start) is None
    assert solution.strategy(start) == pytest.approx({f"hide {n}": 1 / 3 for n in (1, 2, 3)})
    hidden = start.play("hide 2")
    assert solution.value(hidden) == pytest.approx(-1 / 3)
    for look in (hidden, hidden.view(1)):
        assert solution.strategy(look) == pytest.approx({f"guess {n}": 1 / 3 for n in (1, 2, 3)})


@dataclass(frozen=True, slots=True)
class Weighted(Shells):
    """The same, but a pea under shell 1 is found only when it is guessed, and then wins twice."""

    ACTIONS = Shells.ACTIONS

    def winner(self) -> int | None:
        if self.guess is None:
            return None
        return int(self.guess == self.pea or (self.guess == 3 and self.pea == 2))


def test_asymmetric_game_has_the_right_mixed_strategy() -> None:
    # Guess 3 beats guess 2 everywhere, so shells 2 and 3 are alike: the pea is found half the time.
    solution = solve_by_positions(Weighted)
    assert solution.value(Weighted()) == pytest.approx(0, abs=1e-9)
    shares = solution.strategy(Weighted().play("hide 1").view(1))
    assert shares["guess 1"] == pytest.approx(0.5)
    assert shares["guess 3"] == pytest.approx(0.5)


def test_description_of_a_game_with_mixed_strategies() -> None:
    text = full_verdict(solve_by_positions(Shells), Shells())
    assert "is worth +0.333 to Player 1" in text
    assert "hide 2  33% of the time  best" in text
    assert (
        hint(solve_by_positions(Shells), Shells()).text
        == "No one move is best: mix hide 1 33%, hide 2 33%, hide 3 33%."
    )


@dataclass(frozen=True, slots=True)
class Nested(Shells):
    """Two hidden rounds: if the first guess is right with a pea under 1, three shells follow."""

    ACTIONS = Shells.ACTIONS
    shells: int = 0

    def moves(self) -> list[str]:
        if self.winner() is not None:
            return []
        count = self.shells or 2
        return [f"{'hide' if self.pea is None else 'guess'} {n}" for n in range(1, count + 1)]

    def apply(self, move: str) -> Self:
        number = int(move.split()[1])
        if self.pea is None:
            return replace(self, to_move=1, pea=number)
        if not self.shells:
            both = self.pea == number == 1
            return replace(self, to_move=0, pea=None, shells=3 if both else 2)
        return replace(self, guess=number)


def test_matrix_game_uses_the_values_of_later_positions() -> None:
    # Only a right guess of 1 leads to three shells, which favour Player 1: so 2 is the answer.
    solution = solve_by_positions(Nested)
    assert solution.value(Nested(shells=3)) == pytest.approx(1 / 3)
    assert solution.value(Nested(shells=2)) == pytest.approx(0, abs=1e-9)
    assert solution.strategy(Nested().play("hide 2").view(1)) == pytest.approx(
        {"guess 1": 0.0, "guess 2": 1.0}
    )


@dataclass(frozen=True, slots=True)
class Telltale(Shells):
    """The legal guesses depend on the place of the pea."""

    ACTIONS = Shells.ACTIONS

    def moves(self) -> list[str]:
        legal = Shells.moves(self)
        return legal[:2] if self.pea == 3 and self.guess is None else legal


def test_legal_moves_that_reveal_hidden_information_are_refused() -> None:
    with pytest.raises(DuelbookError, match="the legal moves reveal a secret"):
        duelbook.solve(Telltale)


def test_strategy_depends_only_on_the_view() -> None:
    solution = solve_by_positions(TokenTactics)
    for attack in range(1, 11):
        under_attack = TokenTactics().play(f"attack {attack}")
        assert solution.strategy(under_attack) == solution.strategy(under_attack.view(1))
        assert solution.value(under_attack) == solution.value(under_attack.view(1))


@dataclass(frozen=True, slots=True)
class LastingSecret(Shells):
    """The pea stays hidden through two guesses."""

    ACTIONS = Shells.ACTIONS
    wrong: int = 0

    def apply(self, move: str) -> Self:
        number = int(move.split()[1])
        if self.pea is None:
            return replace(self, to_move=1, pea=number)
        if number != self.pea and not self.wrong:
            return replace(self, wrong=number)
        return replace(self, guess=number)


def test_the_position_solver_refuses_lasting_private_information() -> None:
    with pytest.raises(DuelbookError, match="longer than one answer"):
        solve_positions(enumerate_game(LastingSecret))


# Stored solutions -------------------------------------------------------------------------------

MAKER = "duelbook.solver.solve"


@pytest.fixture
def store_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("duelbook.solver.cache.MIN_STORED_POSITIONS", 0)


@pytest.mark.parametrize("slug", SMALL)
def test_a_stored_solution_equals_the_computed_one(slug: str, store_everything: None) -> None:
    game = duelbook.load(slug)
    solved = solve_by_positions(game)
    file = cache.file_for(game, "solution1", MAKER)
    assert file
    assert file.exists()
    stored = solve_by_positions(game)
    assert stored.positions.known == solved.positions.known
    assert np.array_equal(stored.scores, solved.scores)
    assert stored.best_moves(game()) == solved.best_moves(game())


@pytest.mark.parametrize("damage", ["cut", "flip", "index", "empty", "text"])
def test_a_damaged_file_is_rebuilt(damage: str, store_everything: None) -> None:
    solved = solve_by_positions(TowerDefenseDuel)
    file = cache.file_for(TowerDefenseDuel, "solution1", MAKER)
    assert file
    content = file.read_bytes()
    damaged = {
        "cut": content[:-100],
        "flip": content[:-500] + bytes([content[-500] ^ 1]) + content[-499:],
        "index": content[:100] + bytes([content[100] ^ 1]) + content[101:],
        "empty": b"",
        "text": b"not what it was",
    }
    file.write_bytes(damaged[damage])
    again = solve_by_positions(TowerDefenseDuel)
    assert np.array_equal(again.scores, solved.scores)
    assert file.read_bytes() == content


def test_changed_rules_get_a_new_file_and_old_files_are_deleted(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, store_everything: None
) -> None:
    source = Path(sys.modules[TowerDefenseDuel.__module__].__file__ or "").read_text()
    monkeypatch.syspath_prepend(tmp_path)
    values = []
    for goal in (15, 16):
        (tmp_path / "mine.py").write_text(source.replace("GOAL = 15", f"GOAL = {goal}"))
        code = (
            "import mine, json; from duelbook.solver import cache, solve\n"
            "cache.MIN_STORED_POSITIONS = 0\n"
            "s = solve.solve(mine.TowerDefenseDuel); print(len(s.positions))"
        )
        done = subprocess.run(  # noqa: S603 # our own code
            [*PYTHON, code],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        values.append(json.loads(done.stdout))
    assert values[0] != values[1]
    assert len(list((home / "cache").iterdir())) == 2  # the table and its solution


@pytest.mark.integration
def test_concurrent_processes_leave_one_valid_file(home: Path) -> None:
    code = (
        "from duelbook.solver import cache, solve; cache.MIN_STORED_POSITIONS = 0\n"
        "from duelbook.games.tower_defense_duel import TowerDefenseDuel as Game\n"
        "print([solve.solve(Game).distance(Game()) for _ in range(20)].count(21))"
    )
    command = [*PYTHON, code]
    running = [subprocess.Popen(command, stdout=subprocess.PIPE, text=True) for _ in range(4)]  # noqa: S603 # our own code
    assert [process.communicate()[0] for process in running] == ["20\n"] * 4
    assert len(list((home / "cache").iterdir())) == 2  # the table and its solution
    from duelbook.games.tower_defense_duel import TowerDefenseDuel as Game

    assert cache.read(Game, "solution1", MAKER) is not None


def test_solving_works_with_an_unwritable_cache_folder(home: Path, store_everything: None) -> None:
    home.write_text("in the way")
    assert solve_by_positions(TowerDefenseDuel).distance(TowerDefenseDuel()) == 21


def test_game_defined_inside_a_function_is_not_cached() -> None:
    class Made(Ladder):
        pass

    assert cache.file_for(Made, "x", MAKER) is None


def test_inherited_rules_are_part_of_the_fingerprint(tmp_path: Path, home: Path) -> None:
    source = Path(sys.modules[TowerDefenseDuel.__module__].__file__ or "").read_text()
    (tmp_path / "child.py").write_text(
        "from dataclasses import dataclass\nfrom base import TowerDefenseDuel\n"
        "@dataclass(frozen=True, slots=True)\nclass Child(TowerDefenseDuel):\n    pass\n"
    )
    code = (
        "import child; from duelbook.solver import cache, solve\n"
        "cache.MIN_STORED_POSITIONS = 0\n"
        "print(len(solve.solve(child.Child).positions))"
    )
    sizes = set()
    for goal in (15, 16):
        (tmp_path / "base.py").write_text(source.replace("GOAL = 15", f"GOAL = {goal}"))
        # Python would reuse the bytecode of a source with the same size and second.
        command = [*PYTHON, code]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=True)  # noqa: S603 # our own code
        sizes.add(done.stdout)
    assert len(sizes) == 2


def test_another_process_reads_the_stored_solution(home: Path) -> None:
    code = (
        "from duelbook.solver import cache, solve; cache.MIN_STORED_POSITIONS = 0\n"
        "from duelbook.games.tower_defense_duel import TowerDefenseDuel as Game\n"
        "solve.solve(Game)\n"
        "solve.stored_table = None  # from now on only the stored solution is available\n"
        "print(solve.solve(Game).distance(Game()))"
    )
    done = subprocess.run([*PYTHON, code], capture_output=True, text=True, check=True)  # noqa: S603 # our own code
    assert done.stdout == "21\n"


GOAL_ELSEWHERE = """\
from dataclasses import dataclass, replace
from typing import Self
from duelbook.position import Position
from {module} import goal


@dataclass(frozen=True, slots=True)
class Count(Position):
    ACTIONS = ("one", "two")
    total: int = 0

    def moves(self) -> list[str]:
        return [] if self.total >= goal() else ["one", "two"]

    def apply(self, move: str) -> Self:
        return replace(self, to_move=1 - self.to_move, total=self.total + 1 + (move == "two"))

    def winner(self) -> int | None:
        return 1 - self.to_move if self.total >= goal() else None
"""


@pytest.mark.parametrize(
    ("helper", "is_stored"),
    [
        ("def goal() -> int:\n    return {goal}\n", True),
        ("from deeper import GOAL\n\n\ndef goal() -> int:\n    return GOAL\n", True),
        ("def goal() -> int:\n    return int(open('goal.txt').read())\n", False),
    ],
)
def test_change_in_an_imported_file_invalidates_the_solution(
    tmp_path: Path, home: Path, helper: str, is_stored: bool
) -> None:
    (tmp_path / "counting.py").write_text(GOAL_ELSEWHERE.format(module="helper"))
    code = (
        "import counting; from duelbook.solver import cache, solve\n"
        "cache.MIN_STORED_POSITIONS = 0\n"
        "print(solve.solve(counting.Count).distance(counting.Count()))"
    )
    distances = []
    for goal in (7, 10):
        (tmp_path / "helper.py").write_text(helper.format(goal=goal))
        (tmp_path / "deeper.py").write_text(f"GOAL = {goal}\n")
        (tmp_path / "goal.txt").write_text(str(goal))
        done = subprocess.run(  # noqa: S603 # our own code
            [*PYTHON, code],
            cwd=tmp_path,
            capture_output=True,
            text=True,
            check=True,
        )
        distances.append(int(done.stdout))
    assert distances[0] != distances[1]
    assert (home / "cache").exists() == is_stored


def test_game_without_a_source_file_is_not_cached() -> None:
    assert cache.file_for(type("Typed", (Ladder,), {"__module__": "nowhere"}), "x", MAKER) is None


def test_import_pattern_finds_every_import_of_our_source() -> None:
    def imports(source: bytes) -> list[str]:
        nodes = ast.walk(ast.parse(source))
        return sorted(ast.dump(n) for n in nodes if isinstance(n, (ast.Import, ast.ImportFrom)))

    for file in Path(duelbook.__file__).parent.rglob("*.py"):
        source = file.read_bytes()
        assert imports(b"\n".join(OUR_IMPORTS.findall(source))) == imports(source), file
