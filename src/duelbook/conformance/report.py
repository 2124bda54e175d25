"""The report of a conformance check."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from duelbook.position import Position


@dataclass(frozen=True)
class Breach:
    """A breach of a requirement, and the moves from the start that lead to it."""

    kind: str
    text: str
    moves: tuple[str, ...] = ()
    first: int = 0
    """The seat that moves first in that game."""


@dataclass(frozen=True)
class ConformanceReport:
    """The extent of a check, and the first breach of each kind."""

    game: type[Position]
    positions: int
    playouts: int
    """The number of random games from each start after an incomplete search."""
    breaches: tuple[Breach, ...]

    @property
    def complete(self) -> bool:
        """Return whether every position was checked."""
        return not self.playouts


def as_text(report: ConformanceReport) -> str:
    """Return the report as text."""
    extent = (
        f"all {report.positions:,} positions"
        if report.complete
        else (
            f"{report.positions:,} positions, not all: those nearest to the start, and those of "
            f"{report.playouts} random games"
        )
    )
    head = f"{report.game.title}: checked {extent}."
    if not report.breaches:
        return f"{head}\nThere are no breaches."
    lines = [head]
    for breach in report.breaches:
        first = "" if breach.first == 0 else " (Player 2 moves first)"
        lines += ["", f"{breach.kind}: {breach.text}"]
        lines.append(f"  example: {', '.join(breach.moves) or 'the start'}{first}")
    return "\n".join(lines)


def as_data(report: ConformanceReport) -> dict[str, Any]:
    """Return the report as JSON values."""
    return {
        "game": report.game.slug,
        "positions": report.positions,
        "complete": report.complete,
        "breaches": [asdict(breach) for breach in report.breaches],
    }
