"""Enumeration and solution on a Ray cluster, also when workers are killed and runs are stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from duelbook.catalog.registry import load
from duelbook.errors import DuelbookError
from duelbook.solver import cache
from duelbook.solver.backends.ray_backend import PackedRules, RayBackend
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.resources import Resources
from duelbook.solver.solution import Solution
from duelbook.solver.solve import read_solution, solve_positions, solve_table
from duelbook.solver.stored_tables import read_table
from duelbook.solver.tables.packing import Packing
from duelbook.solver.tables.position_table import VectorCoding
from large_games import (
    assert_same_solution,
    assert_same_table,
    game_that_kills_workers,
    several_games,
    small_blocks,
    write_page_files,
)

Ray = Any
"""A module without types."""


pytestmark = [pytest.mark.slow, pytest.mark.usefixtures("no_loaded_games")]


@pytest.fixture(scope="module")
def cluster() -> Iterator[Ray]:
    """Yield Ray with a cluster of several workers, for all tests of this section."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'duelbook[cluster]'")
    ray.init(address="local", num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.integration
def test_cluster_gives_the_same_tables_and_solutions(
    cluster: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [enumerate_game(game) for game in several_games(tmp_path)]
    solutions = [solve_table(table) for table in tables]
    small_blocks(monkeypatch)
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 200)
    monkeypatch.setattr("duelbook.solver.values.backward_induction.MAX_SLICE", 300)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 1)
    monkeypatch.setattr("duelbook.solver.backends.ray_scoring.MIN_SLICES", 1)
    resources = Resources(ray="local", disk=tmp_path / "arrays")
    for plain, solved in zip(tables, solutions, strict=True):
        there = enumerate_game(plain.game, resources=resources)
        assert_same_table(plain, there)
        again = solve_table(there, resources=resources)
        assert isinstance(solved, Solution)
        assert isinstance(again, Solution)
        assert np.array_equal(solved.scores, again.scores)
        assert np.array_equal(solved.values, again.values)


@pytest.mark.integration
def test_cluster_gives_the_same_tables_with_vectors(
    cluster: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_page_files(tmp_path)
    game = load(str(tmp_path / "stones.py"))
    monkeypatch.setattr(
        "duelbook.solver.enumeration.enumerator.DENSE", 0
    )  # as if codes were larger
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 20)
    plain = enumerate_game(game)
    assert isinstance(plain.positions.coding, VectorCoding)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 1)
    assert_same_table(plain, enumerate_game(game, resources=Resources(ray="local")))


@pytest.mark.integration
def test_cluster_recovers_from_a_killed_worker(
    cluster: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 1)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 1)
    dies = game_that_kills_workers(tmp_path)
    cluster_table, local_table = (
        enumerate_game(dies, resources=Resources(ray="local")),
        enumerate_game(dies),
    )
    assert (tmp_path / "died").exists()
    assert_same_table(cluster_table, local_table)
    assert_same_solution(cluster_table, local_table)


@pytest.mark.integration
def test_cluster_recovers_from_killed_partitions(
    cluster: Ray, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load("token-tactics")
    plain = enumerate_game(game)
    small_blocks(monkeypatch)
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 200)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 1)
    workers: list[RayBackend] = []
    make = RayBackend.__init__

    def remember(self: RayBackend, *args: Any) -> None:  # noqa: ANN401 # as it is
        make(self, *args)
        workers.append(self)

    monkeypatch.setattr(RayBackend, "__init__", remember)
    killed: set[int] = set()

    def kill(positions: int) -> None:
        if positions // 1000 > len(killed):
            part = workers[0].actors[len(killed) % 2]
            process = cluster.get(part.__ray_call__.remote(lambda _: os.getpid()))
            os.kill(process, signal.SIGKILL)
            killed.add(process)

    there = enumerate_game(game, resources=Resources(ray="local"), progress=kill)
    assert len(killed) > 2
    assert_same_table(plain, there)


MEETS = """
import os, time
from dataclasses import dataclass, replace
from duelbook.position import Position

@dataclass(frozen=True, slots=True)
class Meets(Position):
    ACTIONS = tuple(map(str, range(60)))
    number: int = -1

    def moves(self):
        if self.number >= 0 and os.getpid() != {here}:
            meet(self.number)
        return [] if self.number >= 0 else list(self.ACTIONS)

    def apply(self, move):
        return replace(self, number=int(move))

    def winner(self):
        return 0 if self.number >= 0 else None

def meet(number):
    # Two neighbours wait for each other, so two workers must expand them at the same time.
    os.makedirs(os.path.join({folder!r}, str(number)), exist_ok=True)
    end = time.monotonic() + 120
    while not os.path.exists(os.path.join({folder!r}, str(number ^ 1))):
        assert time.monotonic() < end, "nobody came"
        time.sleep(0.01)
"""


@pytest.mark.integration
def test_workers_run_in_parallel(
    cluster: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "meets.py"
    file.write_text(MEETS.format(here=os.getpid(), folder=str(tmp_path / "met")))
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 1)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 2)
    game = load(str(file))
    assert_same_table(enumerate_game(game, resources=Resources(ray="local")), enumerate_game(game))
    assert len(list((tmp_path / "met").iterdir())) == 60


def test_worker_with_other_rules_is_refused() -> None:
    game = load("token-tactics")
    rules = PackedRules.of(game, Packing(game))
    assert rules.source
    assert rules.load()[0] is game
    with pytest.raises(DuelbookError, match="other rules of Token Tactics"):
        replace(rules, source="another").load()


STOPPED = """
import sys
from duelbook.catalog.registry import load
from duelbook.solver import cache
from duelbook.solver.backends import ray_backend, ray_scoring
from duelbook.solver.enumeration import breadth_first, checkpoints
from duelbook.solver.values import backward_induction
from duelbook.solver.resources import Resources
from duelbook.solver.tables.packing import Packing
from duelbook.solver.solve import solve
cache.MIN_STORED_POSITIONS = 0
checkpoints.INTERVAL_SECONDS, checkpoints.WRITE_TIME_FACTOR, breadth_first.BLOCK = 0, 0, 200
ray_backend.MIN_SLICES = ray_scoring.MIN_SLICES = 1
backward_induction.MAX_SLICE = 300
try:
    solve(
        load("token-tactics"),
        progress=lambda positions: print(positions, flush=True),
        resources=Resources(ray=sys.argv[1]),
    )
except KeyboardInterrupt:
    sys.exit(130)
print("done", flush=True)
"""


@pytest.mark.integration
def test_an_interrupted_search_on_a_cluster_resumes(
    cluster: Ray, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "MIN_STORED_POSITIONS", 0)
    address = cluster.get_runtime_context().gcs_address
    reached = 0
    for stop, lines in ((signal.SIGKILL, 4), (signal.SIGINT, 6), (None, None)):
        command = [sys.executable, "-c", STOPPED, address]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:  # noqa: S603 # our own code
            assert process.stdout
            printed = [line.strip() for line in islice(process.stdout, lines)]
            if stop:
                process.send_signal(stop)
        assert int(printed[0]) >= reached  # it resumed
        reached = int(printed[-2])
    assert printed[-1] == "done"
    game = load("token-tactics")
    stored, solved = read_table(game, 0), read_solution(game)
    assert stored
    assert solved
    assert_same_table(stored, enumerate_game(game))
    assert np.array_equal(solved.scores, solve_positions(stored).scores)
    assert {entry.name for entry in cache.entries()} == {
        "token-tactics-table1",
        "token-tactics-solution1",
    }
