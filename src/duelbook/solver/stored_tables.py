"""Tables from the cache: what took long to enumerate is read back at once."""

from __future__ import annotations

from typing import Any

from duelbook.catalog.registry import game_of
from duelbook.errors import DuelbookError
from duelbook.position import Position, check_first, player
from duelbook.solver import cache
from duelbook.solver.enumeration import enumerator
from duelbook.solver.enumeration.breadth_first import Progress, report
from duelbook.solver.enumeration.checkpoints import Checkpoints
from duelbook.solver.resources import PLAIN, Resources
from duelbook.solver.tables.array_rules import vectors_of
from duelbook.solver.tables.packing import Packing
from duelbook.solver.tables.position_table import Coding, PositionIndex, Table, VectorCoding

POSITIONS = ("codes", "order")
ARRAYS = ("mover", "winner", "rows", "actions", "after", "ruled", "weights", "paid")


def table_of(game: Table | type[Position] | str, first: int | None = None) -> Table:
    """Return the table of a game with a given first seat; a table is returned as it is."""
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
    """Return the table of a game from the cache, or enumerate the game and keep its table."""
    kept = read_table(game, first)
    if kept is not None:
        report(len(kept), game.max_positions if max_positions is None else max_positions, progress)
        return kept
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
        checkpoints.forget()
    return table


def read_table(game: type[Position], first: int) -> Table | None:
    """Return the table of a game from the cache, or None if it is not there."""
    kept = cache.read(game, _name(first), enumerator.__name__)
    if kept is None:
        return None
    try:
        positions, arrays = _positions(game, first, kept), kept.arrays(*ARRAYS)
    except cache.DamagedError:
        return None
    layers, steps_forward = kept.data["layers"], kept.data["steps_forward"]
    return Table(
        game, first, positions, layers=tuple(layers), steps_forward=steps_forward, **arrays
    )


def read_positions(game: type[Position], first: int) -> PositionIndex | None:
    """Return the positions of a table from the cache, or None if they are not there."""
    kept = cache.read(game, _name(first), enumerator.__name__)
    try:
        return None if kept is None else _positions(game, first, kept)
    except cache.DamagedError:
        return None


def write_table(table: Table) -> bool:
    """Keep a table, if it took long to make; return whether it was kept."""
    if len(table) < cache.MIN_STORED_POSITIONS:
        return False
    coding = table.positions.coding
    try:
        packing = coding.to_data() if isinstance(coding, Packing) else None
    except TypeError:  # the fields of somebody else's class
        return False
    made: dict[str, Any] = {name: getattr(table, name) for name in ARRAYS}
    arrays = {name: array for name, array in made.items() if array is not None}
    data = {"packing": packing, "layers": table.layers, "steps_forward": table.steps_forward}
    positions: dict[str, Any] = {
        "codes": table.positions.codes,
        "order": table.positions.order,
    }
    whole = positions | arrays
    return cache.write(table.game, _name(table.first), enumerator.__name__, whole, data)


def _positions(game: type[Position], first: int, kept: cache.Kept) -> PositionIndex:
    arrays, data = kept.arrays(*POSITIONS), kept.data["packing"]
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
