"""Tables in the cache: a slow enumeration runs once; later runs read its table from disk."""

from __future__ import annotations

from typing import Any

from duelbook.catalog.registry import game_of
from duelbook.errors import DuelbookError
from duelbook.position import Position, check_first, player
from duelbook.solver import cache
from duelbook.solver.enumeration import enumerator
from duelbook.solver.enumeration.checkpoints import Checkpoints
from duelbook.solver.enumeration.interface import Progress, report
from duelbook.solver.resources import PLAIN, Resources
from duelbook.solver.tables.array_rules import vectors_of
from duelbook.solver.tables.packing import Packing
from duelbook.solver.tables.position_table import Coding, PositionIndex, Table, VectorCoding

POSITIONS = ("codes", "order")
ARRAYS = ("mover", "winner", "rows", "actions", "after", "ruled", "weights", "paid")


def table_of(game: Table | type[Position] | str, first: int | None = None) -> Table:
    """Return the table of a game with this seat to move first; return a table unchanged."""
    if isinstance(game, Table):
        if first not in (None, game.first):
            raise DuelbookError(f"In this table {player(game.first)} moves first.")
        return game
    chosen = game_of(game)
    check_first(chosen, first or 0)
    return stored_table(chosen, first=first or 0)


def stored_table(
    game: type[Position],
    *,
    first: int = 0,
    max_positions: int | None = None,
    progress: Progress | None = None,
    resources: Resources = PLAIN,
) -> Table:
    """Return the table of a game from the cache, or enumerate the game and store its table."""
    stored = read_table(game, first)
    if stored is not None:
        report(
            len(stored), game.max_positions if max_positions is None else max_positions, progress
        )
        return stored
    checkpoints = Checkpoints(game, first, enumerator.__name__)
    table = enumerator.enumerate_game(
        game,
        first=first,
        max_positions=max_positions,
        progress=progress,
        resources=resources,
        checkpoints=checkpoints,
    )
    if write_table(table):
        checkpoints.delete()
    return table


def read_table(game: type[Position], first: int) -> Table | None:
    """Return the table of a game from the cache, or None if it is not there."""
    stored = cache.read(game, _name(first), enumerator.__name__)
    if stored is None:
        return None
    try:
        positions, arrays = _positions(game, first, stored), stored.arrays(*ARRAYS)
    except cache.DamagedError:
        return None
    layers, steps_forward = stored.data["layers"], stored.data["steps_forward"]
    return Table(
        game, first, positions, layers=tuple(layers), steps_forward=steps_forward, **arrays
    )


def read_positions(game: type[Position], first: int) -> PositionIndex | None:
    """Return the positions of a table from the cache, or None if they are not there."""
    stored = cache.read(game, _name(first), enumerator.__name__)
    try:
        return None if stored is None else _positions(game, first, stored)
    except cache.DamagedError:
        return None


def write_table(table: Table) -> bool:
    """Store a table, if it has enough positions; return whether it is stored."""
    if len(table) < cache.MIN_STORED_POSITIONS:
        return False
    coding = table.positions.coding
    try:
        packing = coding.to_data() if isinstance(coding, Packing) else None
    except TypeError:  # a field with a class that JSON cannot express
        return False
    by_name: dict[str, Any] = {name: getattr(table, name) for name in ARRAYS}
    arrays = {name: array for name, array in by_name.items() if array is not None}
    data = {"packing": packing, "layers": table.layers, "steps_forward": table.steps_forward}
    positions: dict[str, Any] = {
        "codes": table.positions.codes,
        "order": table.positions.order,
    }
    contents = positions | arrays
    return cache.write(table.game, _name(table.first), enumerator.__name__, contents, data)


def _positions(game: type[Position], first: int, stored: cache.StoredResult) -> PositionIndex:
    arrays, data = stored.arrays(*POSITIONS), stored.data["packing"]
    vectors = vectors_of(game)
    if data is not None:
        coding: Coding = Packing.from_data(game, data)
    elif vectors is not None:
        coding = VectorCoding(vectors, first)
    else:
        raise cache.DamagedError("The codes of this table mean nothing.")
    return PositionIndex(coding, arrays["codes"], arrays["order"])


def _name(first: int) -> str:
    return f"table{first + 1}"
