"""Helpers for tests of large tables: games of all kinds, and comparisons of tables."""

from __future__ import annotations

import os
import re
from functools import partial
from inspect import getsource
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings

from duelbook import Position
from duelbook.catalog.registry import load
from duelbook.solver.solution import Solution
from duelbook.solver.solve import solve_table
from duelbook.solver.tables.array_storage import ArrayStorage
from duelbook.solver.tables.position_table import Table
from paths import ROOT
from random_games import Graph, graphs
from short_games import write_short

PAGE = ROOT / "docs" / "how-to" / "vectors.md"
ARRAYS = ("mover", "winner", "rows", "actions", "after", "ruled", "weights", "paid")


def assert_same_table(first: Table, second: Table) -> None:
    """Assert that two tables have equal positions and arrays; their codes may differ."""
    assert list(first.positions) == list(second.positions)
    assert (first.layers, first.steps_forward) == (second.layers, second.steps_forward)
    for name in ARRAYS:
        assert np.array_equal(getattr(first, name), getattr(second, name)), name


def small_blocks(monkeypatch: pytest.MonkeyPatch) -> None:
    """Reduce the sizes of blocks, so that small games use the code for large ones."""
    monkeypatch.setattr("duelbook.solver.tables.packing.MANY", 3)
    monkeypatch.setattr("duelbook.solver.tables.packing.BLOCK", 30)
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.BLOCK", 30)
    monkeypatch.setattr("duelbook.solver.enumeration.breadth_first.CHUNK", 90)
    monkeypatch.setattr("duelbook.solver.tables.numbering._BLOCK", 40)
    monkeypatch.setattr("duelbook.solver.values.backward_induction.MAX_SLICE", 30)
    monkeypatch.setattr("duelbook.solver.resources.ArrayStorage", partial(ArrayStorage, small=500))


def assert_same_solution(first: Table, second: Table) -> None:
    """Assert that two tables have exactly the same solution."""
    solved, again = solve_table(first), solve_table(second)
    assert isinstance(solved, Solution)
    assert isinstance(again, Solution)
    assert np.array_equal(solved.scores, again.scores)
    assert np.array_equal(solved.values, again.values)


def write_game(game: type[Graph], file: Path) -> type[Position]:
    """Write a random game to a file, so that other processes find it."""
    names = ("movers", "edges", "weights", "leaves", "largest_payoff")
    title = file.stem.title()
    constants = "\n".join(f"{title}.{name} = {getattr(game, name)!r}" for name in names)
    file.write_text(
        "from dataclasses import dataclass, replace\nfrom typing import ClassVar, Self\n"
        "from duelbook.position import CHANCE, Position\n\n"
        f"{getsource(Graph).replace('class Graph', f'class {title}')}\n{constants}\n"
    )
    return load(str(file))


BOOKS = ["pig", "pawn_rush"]
ENUM_GAME = """
from dataclasses import dataclass, replace
from enum import Enum
from duelbook.position import Position

class Colour(Enum):
    RED = 1
    BLUE = 2

@dataclass(frozen=True, slots=True)
class Painting(Position):
    ACTIONS = ("red", "blue")
    strokes: tuple[Colour, ...] = ()

    def moves(self):
        return ["red", "blue"] if len(self.strokes) < 8 else []

    def apply(self, move):
        return replace(
            self, to_move=1 - self.to_move, strokes=(*self.strokes, Colour[move.upper()])
        )

    def winner(self):
        return self.strokes.count(Colour.RED) % 2 if len(self.strokes) == 8 else None
"""


def several_games(folder: Path) -> list[type[Position]]:
    """Return games with secrets, with chance and with enums, and some random games."""
    books = [load("token-tactics"), *(load(str(write_short(name, folder))) for name in BOOKS)]
    (folder / "painting.py").write_text(ENUM_GAME)
    books.append(load(str(folder / "painting.py")))
    random_games: list[type[Graph]] = []

    # Each run tries the same two games, with every backend: this collects games, it tests nothing.
    @settings(max_examples=2, database=None, derandomize=True)
    @given(graphs().filter(lambda game: len(game.start().moves()) > 1))
    def collect(game: type[Graph]) -> None:
        random_games.append(game)

    collect()
    files = [folder / f"graph{at}.py" for at in range(len(random_games))]
    return books + [write_game(game, file) for game, file in zip(random_games, files, strict=True)]


KILLING_GAME = """
import os, signal
from duelbook.position import Position
from dataclasses import dataclass, replace

@dataclass(frozen=True, slots=True)
class Dies(Position):
    ACTIONS = ("one", "two")
    number: int = 0

    def moves(self):
        return ["one", "two"] if self.number < 40 else []

    def apply(self, move):
        if self.number == 20 and os.getpid() != {parent} and not os.path.exists({flag!r}):
            os.mkdir({flag!r})
            os.kill(os.getpid(), signal.SIGKILL)
        return replace(self, to_move=1 - self.to_move, number=self.number + 1 + (move == "two"))

    def winner(self):
        return 1 - self.to_move if self.number >= 40 else None
"""


def game_that_kills_workers(folder: Path) -> type[Position]:
    """Return a game whose rules kill the process that calls them, once, except this process."""
    file = folder / "dies.py"
    file.write_text(KILLING_GAME.format(parent=os.getpid(), flag=str(folder / "died")))
    os.utime(file, (0, 0))  # a file newer than this process may differ from the loaded code
    return load(str(file))


def page_blocks(kind: str) -> list[str]:
    """Return the code blocks in one language on the page about rules over arrays."""
    return re.findall(rf"^```{kind}\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def write_page_files(folder: Path) -> None:
    """Write the Python files of the page about rules over arrays into a folder."""
    for text in page_blocks("python"):
        name = text.split("\n", 1)[0].removeprefix("# ")
        (folder / name).write_text(text)
