"""Large tables: positions as codes, tables on disk; every enumeration gives the same table."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from dataclasses import dataclass
from itertools import islice, pairwise
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import duelbook
from duelbook import Position
from duelbook.catalog.registry import load
from duelbook.solver import cache
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.resources import Resources
from duelbook.solver.solve import solve_positions
from duelbook.solver.stored_tables import read_table, stored_table
from duelbook.solver.tables import packing
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.numbering import Numbering, find_row
from duelbook.solver.tables.packing import Packing, UnknownValueError
from large_games import (
    assert_same_solution,
    assert_same_table,
    game_that_kills_workers,
    several_games,
    small_blocks,
    write_page_files,
)
from random_games import Graph, graphs

GAMES = [game for game in duelbook.list_games() if not game.vectors]


pytestmark = pytest.mark.usefixtures("no_loaded_games")


@pytest.fixture
def store_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cache, "MIN_STORED_POSITIONS", 0)


# Codes ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Anything(Position):
    """A game whose fields hold any value."""

    ACTIONS = ("go",)
    one: Any = 0
    two: Any = ()


atoms = st.none() | st.booleans() | st.integers(-3, 300) | st.sampled_from(["a", "absent", ""])
values = st.recursive(atoms, lambda inner: st.lists(inner, max_size=4).map(tuple), max_leaves=6)
positions = st.lists(st.builds(Anything, st.integers(0, 1), values, values), min_size=1)


@given(positions, st.lists(st.integers(0, 3)), st.sampled_from([2, packing.MANY]))
def test_each_position_has_one_code_for_any_field_values(
    samples: list[Anything], cuts: list[int], many: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "MANY", many)  # a low limit, so that items are numbered
        learned = Packing(Anything)
        for at in range(0, len(samples), 3):  # a few at a time, as a search does
            before, learned = learned, learned.learned(samples[at : at + 3])
            if at and learned.writes_as(before):
                assert learned.encode(samples[:at]).tolist() == before.encode(samples[:at]).tolist()
            else:  # a new shape must learn all positions again
                learned = learned.learned(samples[: at + 3])
    codes = learned.encode(samples)
    assert learned.decode(codes) == samples
    pairs = zip(samples, map(tuple, codes.tolist()), strict=True)
    assert len(set(pairs)) == len(set(samples)) == len(set(map(tuple, codes.tolist())))
    again = Packing.from_data(Anything, learned.to_data())
    assert np.array_equal(again.encode(samples), codes)
    assert again.decode(codes) == samples


def test_true_and_1_have_the_same_code() -> None:
    learned = Packing(Anything).learned([Anything(one=1), Anything(one=0)])
    assert (
        learned.encode([Anything(one=True)]).tolist() == learned.encode([Anything(one=1)]).tolist()
    )


def test_unknown_value_has_no_code() -> None:
    with pytest.raises(UnknownValueError):
        Packing(Anything).learned([Anything()]).encode([Anything(one="new")])


def test_large_fields_take_several_words() -> None:
    rows = np.random.default_rng(1).integers(0, 200, (300, 40)).tolist()
    samples = [Anything(two=tuple(row)) for row in rows]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(packing, "MANY", 10)
        learned = Packing(Anything).learned(samples)
    assert learned.words > 1
    assert learned.decode(learned.encode(samples)) == samples


@given(st.lists(st.tuples(st.integers(-4, 4), st.integers(0, 2)), min_size=1), st.integers(1, 9))
def test_codes_are_numbered_in_order_of_discovery(rows: list[tuple[int, int]], size: int) -> None:
    numbering, known = Numbering(2, ArrayStorage()), dict[tuple[int, int], int]()
    for at in range(0, len(rows), size):
        codes = np.array(rows[at : at + size], np.int64)
        before = len(known)
        expected = [known.setdefault(row, len(known)) for row in rows[at : at + size]]
        numbers, new = numbering.number(codes)
        assert numbers.tolist() == expected
        assert list(map(tuple, new.tolist())) == list(known)[before:]
    codes = np.array(list(known), np.int64)
    order = numbering.order(codes)
    assert [list(known)[row] for row in order] == sorted(known)
    assert [find_row(codes, order, code) for code in codes.tolist()] == list(range(len(codes)))
    assert find_row(codes, order, [5, 0]) is None


# Enumeration ------------------------------------------------------------------------------------


def by_the_book(game: type[Position]) -> dict[Position, list[Position]]:
    """Enumerate a game with a dictionary and a queue."""
    after: dict[Position, list[Position]] = {}
    queue = deque([game.start()])
    while queue:
        position = queue.popleft()
        if position not in after:
            after[position] = [position.play(move) for move in position.moves()]
            queue += after[position]
    return after


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_positions_are_numbered_by_distance_and_discovery(game: type[Position]) -> None:
    table, after = enumerate_game(game), by_the_book(game)
    positions = list(table.positions)
    assert positions == list(after)
    for number, position in enumerate(positions):
        reached = table.after[table.rows[number] : table.rows[number + 1]]
        assert [positions[index] for index in reached] == after[position]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_small_blocks_and_disk_storage_give_the_same_table(
    game: type[Position], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = enumerate_game(game)
    solved = solve_positions(plain).scores
    small_blocks(monkeypatch)
    on_disk = enumerate_game(game, resources=Resources(disk=tmp_path / "arrays"))
    assert_same_table(plain, on_disk)
    assert np.array_equal(solve_positions(on_disk).scores, solved)
    monkeypatch.setattr("duelbook.solver.tables.position_table.MAX_DECODED_POSITIONS", 10)
    for number in range(0, len(plain), 7):
        assert on_disk.positions.find(plain.positions[number]) == number
    assert not list((tmp_path / "arrays").iterdir())  # the files have no names


@given(graphs())
def test_random_games_give_the_same_table_on_disk(game: type[Graph]) -> None:
    plain = enumerate_game(game)
    with pytest.MonkeyPatch.context() as patch, TemporaryDirectory() as folder:
        small_blocks(patch)
        patch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 2)
        on_disk = enumerate_game(game, resources=Resources(disk=Path(folder)))
        assert_same_table(plain, on_disk)
        assert_same_solution(plain, on_disk)


@pytest.mark.slow
@pytest.mark.integration
def test_worker_processes_give_the_same_table(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    games = several_games(tmp_path)
    tables = [enumerate_game(game) for game in games]
    small_blocks(monkeypatch)
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 50)
    monkeypatch.setattr("duelbook.solver.backends.process_backend.MIN_SLICES", 1)
    for plain in tables:
        beside = enumerate_game(plain.game, resources=Resources(processes=2))
        assert_same_table(plain, beside)
        assert_same_solution(plain, beside)


@pytest.mark.integration
def test_a_dead_process_is_reported_and_the_search_resumes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, store_everything: None
) -> None:
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 1)
    monkeypatch.setattr("duelbook.solver.backends.process_backend.MIN_SLICES", 1)
    dies = game_that_kills_workers(tmp_path)
    with pytest.raises(duelbook.DuelbookError, match="has died"):
        stored_table(dies, resources=Resources(processes=2))
    assert [entry.name for entry in cache.entries()] == ["dies-search1"]
    assert_same_table(stored_table(dies, resources=Resources(processes=2)), enumerate_game(dies))


# Interrupted searches ---------------------------------------------------------------------------


def test_an_interrupted_search_resumes(
    home: Path, monkeypatch: pytest.MonkeyPatch, store_everything: None
) -> None:
    game = load("token-tactics")
    plain = enumerate_game(game)
    small_blocks(monkeypatch)
    for begin, stop in pairwise((0, 500, 1000, 2500)):

        def interrupt(number: int, begin: int = begin, stop: int = stop) -> None:
            assert number > begin  # it did not start from the beginning
            if number > stop:
                raise KeyboardInterrupt

        with pytest.raises(KeyboardInterrupt):
            stored_table(game, progress=interrupt)
        assert [entry.name for entry in cache.entries()] == ["token-tactics-search1"]
    assert_same_table(stored_table(game), plain)
    assert [entry.name for entry in cache.entries()] == ["token-tactics-table1"]


def test_an_interrupted_search_over_arrays_resumes(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch, store_everything: None
) -> None:
    write_page_files(tmp_path)
    game = load(str(tmp_path / "stones.py"))
    os.utime(tmp_path / "stones.py", (0, 0))  # files newer than this process are not cached
    os.utime(tmp_path / "stones_vectors.py", (0, 0))
    monkeypatch.setattr(
        "duelbook.solver.enumeration.enumerator.DENSE", 0
    )  # as if codes were larger
    plain = enumerate_game(game)
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 5)
    progress: list[int] = []

    def interrupt(number: int) -> None:
        progress.append(number)
        if number > len(plain) // 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        stored_table(game, progress=interrupt)
    reached = progress[-1]
    assert_same_table(stored_table(game, progress=progress.append), plain)
    assert progress[progress.index(reached) + 1] >= reached


KILLED = """
import sys
from duelbook.catalog.registry import load
from duelbook.solver import cache
from duelbook.solver.enumeration import breadth_first, checkpoints
from duelbook.solver.stored_tables import stored_table
cache.MIN_STORED_POSITIONS = 0
checkpoints.INTERVAL_SECONDS, checkpoints.WRITE_TIME_FACTOR, breadth_first.BLOCK = 0, 0, 100
stored_table(load("token-tactics"), progress=lambda positions: print(positions, flush=True))
print("done", flush=True)
"""


@pytest.mark.slow
@pytest.mark.integration
def test_a_search_that_is_killed_repeatedly_ends_with_the_same_table(
    home: Path, monkeypatch: pytest.MonkeyPatch, store_everything: None
) -> None:
    random, killed = Random(1), 0
    while True:
        command = [sys.executable, "-c", KILLED]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 # our own code
            assert process.stdout
            lines = list(islice(process.stdout, random.randrange(1, 12)))
            if "done\n" in lines or not lines:
                break
            process.kill()
            killed += 1
    assert killed > 3
    stored = read_table(load("token-tactics"), 0)
    assert stored
    assert_same_table(stored, enumerate_game(load("token-tactics")))
    cache.clear("nothing")  # also deletes the files of a killed process
    assert [entry.name for entry in cache.entries()] == ["token-tactics-table1"]
    assert len(list((home / "cache").iterdir())) == 1


def test_full_disk_is_reported_before_writing(tmp_path: Path) -> None:
    with pytest.raises(duelbook.DuelbookError, match="has no room for"):
        ArrayStorage(tmp_path).empty((1 << 50,), np.int64)


# Tables on disk ---------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.slug)
def test_stored_table_is_read_back_unchanged(game: type[Position], store_everything: None) -> None:
    computed = stored_table(game)
    stored = read_table(game, 0)
    assert stored is not None
    assert_same_table(computed, stored)
    assert stored.positions.find(game()) == 0


def test_any_changed_byte_of_a_table_is_detected(home: Path, store_everything: None) -> None:
    game = duelbook.load("capture")
    computed = stored_table(game)
    (file,) = (home / "cache").iterdir()
    content = file.read_bytes()
    wrong = []
    for at in range(0, len(content), 97):
        file.write_bytes(content[:at] + bytes([content[at] ^ 4]) + content[at + 1 :])
        stored = read_table(game, 0)
        if stored is not None:  # the byte is in the padding between arrays
            assert_same_table(computed, stored)
            wrong.append(at)
    assert len(wrong) < len(range(0, len(content), 97)) / 10
    file.write_bytes(b"")
    assert_same_table(computed, stored_table(game))
    assert file.read_bytes() == content


def test_oldest_results_are_deleted_when_the_cache_is_full(
    home: Path, monkeypatch: pytest.MonkeyPatch, store_everything: None
) -> None:
    monkeypatch.setattr(cache, "limit", lambda: 60_000)
    for slug in ("capture", "tower", "capture"):
        stored_table(duelbook.load(slug))
    assert [entry.name for entry in cache.entries()] == [
        "capture-and-conquer-table1",
        "tower-defense-duel-table1",
    ]
    stored_table(duelbook.load("island"))  # larger than the free space
    names = [entry.name for entry in cache.entries()]
    assert "island-conquest-table1" not in names or "tower-defense-duel-table1" not in names
    assert sum(entry.size for entry in cache.entries()) <= 60_000
