"""Rules over arrays: they produce the same table as the rules in Python, for every kind of game."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from conftest import Run
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

import duelbook
from duelbook import Position
from duelbook.catalog import loader, registry
from duelbook.conformance import check
from duelbook.encoding.observations import TableObserver
from duelbook.position import CHANCE
from duelbook.solver import cache
from duelbook.solver.enumeration import dense_codes
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.resources import Resources
from duelbook.solver.solve import solve_positions
from duelbook.solver.stored_tables import read_table, stored_table
from duelbook.solver.tables.array_rules import DENSE, DRAWN, ONGOING, vectors_of
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.position_table import Table, VectorCoding
from large_games import assert_same_table, page_blocks, write_page_files
from random_games import Graph, graphs

NAME = "vectors_of_a_graph"
Codes = NDArray[np.int64]


class GraphVectors:
    """A graph over arrays: a node's code is its number times a step."""

    def __init__(self, game: type[Graph], step: int = 1) -> None:
        self.__name__ = NAME
        self.game, self.step, self.SIZE = game, step, len(game.edges) * step

    def pack(self, position: Graph) -> int:
        return position.node * self.step

    def unpack(self, code: int, first: int) -> Graph:  # the node determines the mover
        return self.game(self.game.movers[code // self.step], code // self.step)

    def expand(self, codes: Codes, first: int) -> tuple[Codes, Codes, Codes]:
        nodes = (codes // self.step).tolist()
        counts = [len(self.game.edges[node]) for node in nodes]
        actions = [
            at + 3 * (self.game.movers[node] == CHANCE)
            for node in nodes
            for at in range(len(self.game.edges[node]))
        ]
        leads = [after for node in nodes for after in self.game.edges[node]]
        return np.array(counts, int), np.array(actions, int), np.array(leads, int) * self.step

    def outcome(self, codes: Codes, first: int) -> tuple[Any, Any, Any]:
        nodes = codes // self.step
        mover, leaves = np.array(self.game.movers)[nodes], np.array(self.game.leaves)[nodes]
        ends = np.array([not edges for edges in self.game.edges])[nodes]
        won = np.where(leaves > 0, 0, np.where(leaves < 0, 1, DRAWN))
        return mover, np.where(ends, won, ONGOING), np.zeros(len(codes), bool)

    def weights(self, codes: Codes, actions: Codes, first: int) -> Codes:
        pairs = zip((codes // self.step).tolist(), (actions - 3).tolist(), strict=True)
        return np.array([self.game.weights[node][at] for node, at in pairs])

    def paid(self, codes: Codes, first: int) -> NDArray[np.float64]:
        return np.array(self.game.leaves)[codes // self.step].astype(float)


STEPS = st.sampled_from([1, 1_000, DENSE, (1 << 62) // 9])


def with_vectors(game: type[Graph], vectors: object, patch: pytest.MonkeyPatch) -> type[Graph]:
    """Give rules over arrays to a game."""
    patch.setitem(sys.modules, NAME, vectors)
    patch.setattr(game, "vectors", NAME)
    return game


def by_position(table: Table) -> dict[Position, object]:
    """Return the content of a table, in an order that does not depend on its numbering."""
    positions, known = list(table.positions), dict[Position, object]()
    for number, position in enumerate(positions):
        row = slice(table.rows[number], table.rows[number + 1])
        known[position] = (
            table.mover[number],
            table.winner[number],
            table.ruled[number],
            None if table.paid is None else table.paid[number],
            None if table.weights is None else table.weights[row].tolist(),
            table.actions[row].tolist(),
            [positions[after] for after in table.after[row]],
            sum(number >= begin for begin in table.layers),
        )
    assert len(known) == len(positions)
    return known


@given(graphs(), STEPS)
def test_vectors_give_the_same_table_as_the_rules(game: type[Graph], step: int) -> None:
    plain = enumerate_game(game)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(dense_codes, "_SPARSE", 1 if step == 1 else 64)
        patch.setattr(dense_codes, "_SLICE", 2)
        fast = enumerate_game(with_vectors(game, GraphVectors(game, step), patch))
        assert isinstance(fast.positions.coding, VectorCoding)
        assert by_position(fast) == by_position(plain)
        patch.setattr("duelbook.solver.resources.ArrayStorage", partial(ArrayStorage, small=1))
        with TemporaryDirectory() as folder:
            assert_same_table(
                fast, enumerate_game(fast.game, resources=Resources(disk=Path(folder)))
            )
        assert fast.layers == plain.layers
        assert fast.steps_forward == plain.steps_forward
        for number, position in enumerate(fast.positions):
            assert fast.positions.find(position) == number
        fast_solution, plain_solution = solve_positions(fast), solve_positions(plain)
        for position in plain.positions:
            assert fast_solution.value(position) == pytest.approx(
                plain_solution.value(position), abs=1e-6
            )


@given(graphs(), STEPS)
def test_correct_vectors_pass_the_check(game: type[Graph], step: int) -> None:
    with pytest.MonkeyPatch.context() as patch:
        with_vectors(game, GraphVectors(game, step), patch)
        assert [breach for breach in check(game).breaches if breach.kind == "vectors"] == []


class Walk(Graph):
    """Seat 0 moves twice, then chance, then seat 1; one leaf is a draw, the others have payoffs."""

    movers = (0, 0, CHANCE, 1, 0, 0, 0)
    edges = ((1, 2), (2, 3), (3, 4), (4, 5, 6), (), (), ())
    weights = ((), (), (1, 3), (), (), (), ())
    leaves = (0, 0, 0, 0, 0, 2, -1)


def changed(at: int, by: int = 1) -> Callable[[Any], Any]:
    """Return a function that changes the last item of one of several arrays."""

    def change(result: Any) -> Any:  # noqa: ANN401 # what a function of vectors returns
        arrays = (
            [np.array(array) for array in result]
            if isinstance(result, tuple)
            else [np.array(result)]
        )
        if len(arrays[at]):
            arrays[at][-1] = not arrays[at][-1] if arrays[at].dtype == bool else arrays[at][-1] + by
        return tuple(arrays) if isinstance(result, tuple) else arrays[at]

    return change


FAULTS = {
    "a move too many": ("expand", changed(0), "the number of moves"),
    "another move": ("expand", changed(1, -1), "the legal moves"),
    "another position": ("expand", changed(2, -1), "the position after a move"),
    "another seat": ("outcome", changed(0), "the seat to move"),
    "another winner": ("outcome", changed(1), "the winner"),
    "a ruling": ("outcome", changed(2), "a ruling"),
    "other odds": ("weights", changed(0), "the odds"),
    "another payoff": ("paid", changed(0), "the payoff"),
    "another code": ("pack", lambda code: code + (code == 5), "the position after a move"),
    "another position of a code": ("unpack", lambda _: Walk(node=6), "the position of a code"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_a_fault_in_any_array_is_found(fault: str, monkeypatch: pytest.MonkeyPatch) -> None:
    name, change, subject = FAULTS[fault]
    vectors = GraphVectors(Walk)
    right = getattr(vectors, name)
    monkeypatch.setattr(vectors, name, lambda *arguments: change(right(*arguments)))
    with_vectors(Walk, vectors, monkeypatch)
    (breach,) = (breach for breach in check(Walk).breaches if breach.kind == "vectors")
    assert subject in breach.text


def test_codes_beyond_the_declared_size_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    vectors = GraphVectors(Walk)
    vectors.SIZE = 6
    (breach,) = check(with_vectors(Walk, vectors, monkeypatch)).breaches
    assert "the size of codes" in breach.text


def test_a_function_that_is_missing_or_fails_is_a_breach(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(GraphVectors, "weights")
    (breach,) = check(with_vectors(Walk, GraphVectors(Walk), monkeypatch)).breaches
    assert breach.text == (
        "its vectors fail: AttributeError: 'GraphVectors' object has no attribute 'weights'."
    )


def test_fields_are_compared_with_the_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Walk, "RANGES", {"node": range(7)})

    class WithFields(GraphVectors):
        shift = 0

        def fields(self, codes: Codes, first: int) -> dict[str, Any]:
            return {"to_move": np.array(Walk.movers)[codes], "node": (codes + self.shift) % 7}

    game = with_vectors(Walk, WithFields(Walk), monkeypatch)
    assert check(game).breaches == ()
    look = TableObserver(enumerate_game(game))
    monkeypatch.setattr(WithFields, "shift", 1)
    (breach,) = check(game).breaches
    assert "the fields of a position" in breach.text
    monkeypatch.delattr(WithFields, "fields")
    monkeypatch.setattr(WithFields, "shift", 0)
    numbers, seats = np.arange(7, dtype=np.int32), np.zeros(7, np.int8)
    without = TableObserver(enumerate_game(game))
    assert check(game).breaches == ()
    assert without(numbers, seats).shape == (7, 4)
    assert look is not without


# The page ---------------------------------------------------------------------------------------


@pytest.fixture
def stones(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Write the files of the page into a folder, and change to it."""
    write_page_files(tmp_path)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_loaded", {})
    before = set(sys.modules)
    yield tmp_path
    for name in set(sys.modules) - before:
        del sys.modules[name]


def test_example_of_the_documentation_page_runs(stones: Path, run: Run) -> None:
    commands = page_blocks("console")
    assert len(commands) >= 2
    for text in commands:
        command, *shown = text.splitlines()
        done = run(*command.removeprefix("$ duelbook ").split())
        assert done.exit_code == 0, done.output
        expected = [line for line in shown if line != "..."]
        assert done.stdout.splitlines()[: len(expected)] == expected
    assert "stones" not in sys.modules


def test_vectors_beside_a_game_file_give_the_same_table(
    stones: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = duelbook.load(str(stones / "stones.py"))
    fast = enumerate_game(game)
    assert isinstance(fast.positions.coding, VectorCoding)
    monkeypatch.setattr(game, "vectors", "")
    assert by_position(fast) == by_position(enumerate_game(game))


def test_a_stored_table_depends_on_the_vectors_beside_a_file(
    stones: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MIN_STORED_POSITIONS", 0)
    monkeypatch.setattr("duelbook.solver.source_fingerprint.STARTED", float("inf"))
    game = duelbook.load(str(stones / "stones.py"))
    stored_table(game)
    assert read_table(game, 0) is not None
    with (stones / "stones_vectors.py").open("a") as file:
        file.write("\n# other rules\n")
    assert read_table(game, 0) is None


def test_vectors_of_two_folders_are_separate(stones: Path, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    for name in ("stones.py", "stones_vectors.py"):
        (other / name).write_text((stones / name).read_text())
    games = [loader.load(str(folder / "stones.py")) for folder in (stones, other)]
    first, second = (vectors_of(game) for game in games)
    assert first is not second
    for game, vectors in zip(games, (first, second), strict=True):
        assert vectors is not None
        assert type(vectors.unpack(0, 0)) is game
