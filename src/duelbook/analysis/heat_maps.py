"""Heat maps: how the result depends on the two players' counts in a field."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields
from random import Random

from duelbook.position import Position
from duelbook.secrecy import hidden_from_mover
from duelbook.solver.imperfect.equilibrium import EquilibriumSolution
from duelbook.solver.solve import AnySolution

MAX_SAMPLED_POSITIONS = 60_000


@dataclass(frozen=True)
class HeatMap:
    """The mean value for Player 1 by a pair of counts, Player 1's and Player 2's.

    A cell holds a mean from -1 to 1 and the number of its positions. Only those positions count in
    which Player 1 is to move and nothing is hidden from Player 1.
    """

    name: str
    cells: dict[tuple[int, int], tuple[float, int]]


def heat_maps(solution: AnySolution) -> list[HeatMap]:
    """Return a map for every field with a count for each player."""
    if isinstance(solution, EquilibriumSolution):  # its values depend on what a player knows
        return []
    total = len(solution.positions)
    numbers: Sequence[int] = range(total)
    if total > MAX_SAMPLED_POSITIONS:
        numbers = sorted(Random(0).sample(numbers, MAX_SAMPLED_POSITIONS))
    sums: dict[str, dict[tuple[int, int], list[float]]] = defaultdict(lambda: defaultdict(list))
    values = solution.values
    for number in numbers:
        position = solution.positions[number]
        if position.outcome() is None and position.to_move == 0 and not hidden_from_mover(position):
            value = float(values[number]) / position.largest_payoff
            for name, pair in counts(position).items():
                sums[name][pair].append(value)
    return [
        HeatMap(name, {cell: (sum(v) / len(v), len(v)) for cell, v in sorted(cells.items())})
        for name, cells in sums.items()
        if len(cells) > 3
    ]


def counts(position: Position) -> dict[str, tuple[int, int]]:
    """Return each field's counts by player: numbers, items in a tuple, or cells owned."""
    pairs = {}
    start = type(position)()
    for field in fields(position):
        value, at_first = getattr(position, field.name), getattr(start, field.name)
        if not isinstance(value, tuple) or len(value) != len(at_first or ()):
            continue  # a tuple that grows or shrinks has no item for each seat
        kinds = {type(item) for item in value}
        if len(value) == 2 and kinds == {int}:
            pairs[field.name] = (value[0], value[1])
        elif len(value) == 2 and kinds == {tuple}:
            pairs[field.name] = (len(value[0]), len(value[1]))
        elif kinds <= {int, type(None)} and set(value) <= {None, 0, 1}:
            pairs[field.name] = (value.count(0), value.count(1))
    return pairs
