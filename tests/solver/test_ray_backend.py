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

from duelbook.catalog import registry
from duelbook.catalog.registry import load
from duelbook.errors import DuelbookError
from duelbook.solver import cache
from duelbook.solver.backends.ray_backend import PackedRules, RayBackend
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.resources import Resources
from duelbook.solver.solution import Solution, read_solution, solve_positions
from duelbook.solver.solve import solve_table
from duelbook.solver.stored_tables import read_table
from duelbook.solver.tables.packing import Packing
from duelbook.solver.tables.position_table import VectorCoding
from large_games import (
    a_game_that_kills,
    assert_same,
    assert_same_solution,
    several_games,
    small_blocks,
    write_the_page,
)

Ray = Any
"""A module without types."""


@pytest.fixture(autouse=True)
def forget(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that one test loads are unknown to the next."""
    monkeypatch.setattr(registry, "_loaded", {})


@pytest.fixture(scope="module")
def cluster() -> Iterator[Ray]:
    """Yield Ray with a cluster of several workers, for all tests of this section."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'duelbook[cluster]'")
    ray.init(address="local", num_cpus=3, include_dashboard=False, log_to_driver=False)
    yield ray
    ray.shutdown()


@pytest.mark.slow
def test_a_cluster_gives_the_same_tables_and_solutions(
    cluster: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [enumerate_game(game) for game in several_games(tmp_path)]
    solutions = [solve_table(table) for table in tables]
    small_blocks(monkeypatch)
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 200)
    monkeypatch.setattr("duelbook.solver.values.scoring.PART", 300)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 1)
    monkeypatch.setattr("duelbook.solver.backends.ray_scoring.MIN_SLICES", 1)
    resources = Resources(ray="local", disk=tmp_path / "arrays")
    for plain, solved in zip(tables, solutions, strict=True):
        there = enumerate_game(plain.game, resources=resources)
        assert_same(plain, there)
        again = solve_table(there, resources=resources)
        assert isinstance(solved, Solution)
        assert isinstance(again, Solution)
        assert np.array_equal(solved.scores, again.scores)
        assert np.array_equal(solved.values, again.values)


@pytest.mark.slow
def test_a_cluster_gives_the_same_by_rules_over_arrays(
    cluster: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    write_the_page(tmp_path)
    game = load(str(tmp_path / "stones.py"))
    monkeypatch.setattr(
        "duelbook.solver.enumeration.enumerator.DENSE", 0
    )  # as if codes were larger
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 20)
    plain = enumerate_game(game)
    assert isinstance(plain.positions.coding, VectorCoding)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 1)
    assert_same(plain, enumerate_game(game, resources=Resources(ray="local")))


@pytest.mark.slow
def test_a_cluster_gives_the_same_although_a_worker_is_killed(
    cluster: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 1)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 1)
    dies = a_game_that_kills(tmp_path)
    there, here = enumerate_game(dies, resources=Resources(ray="local")), enumerate_game(dies)
    assert (tmp_path / "died").exists()
    assert_same(there, here)
    assert_same_solution(there, here)


@pytest.mark.slow
def test_a_cluster_gives_the_same_although_partitions_are_killed(
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

    def kill(found: int) -> None:
        if found // 1000 > len(killed):
            part = workers[0].actors[len(killed) % 2]
            process = cluster.get(part.__ray_call__.remote(lambda _: os.getpid()))
            os.kill(process, signal.SIGKILL)
            killed.add(process)

    there = enumerate_game(game, resources=Resources(ray="local"), progress=kill)
    assert len(killed) > 2
    assert_same(plain, there)


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
    # Two neighbours wait for each other, so they have to be asked about at the same time.
    os.makedirs(os.path.join({folder!r}, str(number)), exist_ok=True)
    end = time.monotonic() + 120
    while not os.path.exists(os.path.join({folder!r}, str(number ^ 1))):
        assert time.monotonic() < end, "nobody came"
        time.sleep(0.01)
"""


@pytest.mark.slow
def test_workers_are_asked_at_the_same_time(
    cluster: Ray, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "meets.py"
    file.write_text(MEETS.format(here=os.getpid(), folder=str(tmp_path / "met")))
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 1)
    monkeypatch.setattr("duelbook.solver.backends.ray_backend.MIN_SLICES", 2)
    game = load(str(file))
    assert_same(enumerate_game(game, resources=Resources(ray="local")), enumerate_game(game))
    assert len(list((tmp_path / "met").iterdir())) == 60


def test_other_rules_on_a_machine_are_refused() -> None:
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
from duelbook.solver.values import scoring
from duelbook.solver.resources import Resources
from duelbook.solver.tables.packing import Packing
from duelbook.solver.solve import solve
cache.MIN_STORED_POSITIONS = 0
checkpoints.INTERVAL_SECONDS, checkpoints.WRITE_TIME_FACTOR, breadth_first.BLOCK = 0, 0, 200
ray_backend.MIN_SLICES = ray_scoring.MIN_SLICES = 1
scoring.PART = 300
try:
    solve(
        load("token-tactics"),
        progress=lambda found: print(found, flush=True),
        resources=Resources(ray=sys.argv[1]),
    )
except KeyboardInterrupt:
    sys.exit(130)
print("done", flush=True)
"""


@pytest.mark.slow
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
            found = [line.strip() for line in islice(process.stdout, lines)]
            if stop:
                process.send_signal(stop)
        assert int(found[0]) >= reached  # it went on from where it was
        reached = int(found[-2])
    assert found[-1] == "done"
    game = load("token-tactics")
    kept, solved = read_table(game, 0), read_solution(game)
    assert kept
    assert solved
    assert_same(kept, enumerate_game(game))
    assert np.array_equal(solved.scores, solve_positions(kept).scores)
    assert {entry.name for entry in cache.entries()} == {
        "token-tactics-table1",
        "token-tactics-solution1",
    }
