"""The standings of a tournament, as text, Markdown, CSV or JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from math import isnan
from typing import Any

from duelbook.arena.measures.confidence_intervals import Interval
from duelbook.arena.measures.player_measures import (
    ALL,
    FORFEIT_POLICIES,
    Expenses,
    ForfeitPolicy,
    Measures,
    PlayerRow,
)
from duelbook.catalog.registry import find

HEAD = (
    "player",
    "games",
    "regret a move",
    "best moves",
    "when it matters",
    "wins kept",
    "losses saved",
    "score",
    "Elo",
)
"""The columns; the fifth has the best moves among the moves that mattered."""
ABOUT_MOVES, ABOUT_RESULTS = (0, 1, 2, 3, 4), (0, 5, 6, 7, 8)
"""The columns of the two narrow tables that replace a wide one at a terminal."""
MAX_LABEL_LENGTH = 22
Table = tuple[Sequence[str], list[list[str]]]


def main_table(
    measures: Measures, policy: ForfeitPolicy, game: str = ALL, *, sign: str = " %"
) -> Table:
    """Return the figures of each player, the least regret first."""
    rated = measures.ratings(policy).players if game == ALL else {}
    rows = sorted(measures.rows(policy, game), key=lambda row: (row.regret.figure, row.player))
    cells = []
    for row in rows:
        rating = rated.get(row.player)
        cells.append([*_cells(row, sign), figure(rating, "{:.0f}") if rating else "-"])
    return HEAD if rated else HEAD[:-1], [
        row_cells if rated else row_cells[:-1] for row_cells in cells
    ]


def _cells(row: PlayerRow, sign: str) -> list[str]:
    shares = (row.best, row.right, row.wins_kept, row.losses_saved, row.score)
    percents = [percent(interval, sign) for interval in shares]
    return [row.player, f"{row.games:,}", figure(row.regret, "{:.4f}"), *percents]


def percent(interval: Interval, sign: str = " %") -> str:
    """Return a share and its interval in per cent."""
    hundredths = Interval(
        *(100 * bound for bound in (interval.figure, interval.low, interval.high))
    )
    return figure(hundredths, "{:.1f}", sign)


def figure(interval: Interval, form: str, unit: str = "") -> str:
    """Return a figure and its interval, or a dash if there is none."""
    if isnan(interval.figure):
        return "-"
    between = (
        ""
        if isnan(interval.low)
        else f" [{form.format(interval.low)}, {form.format(interval.high)}]"
    )
    return f"{form.format(interval.figure)}{unit}{between}"


def expenses_table(measures: Measures) -> Table:
    """Return the expenses and forfeits of each player."""
    head = (
        "player",
        "forfeits",
        "time a move",
        "calls",
        "tokens in",
        "tokens out",
        "reasoning",
        "cost",
    )
    return head, [[player, *_spent(measures.expenses[player])] for player in measures.players]


def _spent(expenses: Expenses) -> list[str]:
    forfeits = ", ".join(f"{n} {kind}" for kind, n in sorted(expenses.forfeits.items())) or "none"
    cost = "unknown" if expenses.cost_unknown else f"{expenses.cost:.4f}" if expenses.calls else "-"
    numbers = [expenses.calls, expenses.tokens_in, expenses.tokens_out, expenses.reasoning]
    used = [f"{n:,}" if expenses.calls else "-" for n in numbers]
    return [forfeits, f"{expenses.ms / max(1, expenses.turns):.1f} ms", *used, cost]


def as_text(measures: Measures) -> str:
    """Return all tables as text for a terminal, none much wider than 90 columns."""
    parts = ["Figures are followed by their intervals of 95 %; shares are in per cent."]
    for policy, slug in _shown(measures):
        head, rows = main_table(measures, policy, slug, sign="")
        parts.append(f"{_title(slug, policy)}")
        parts += [_aligned(*_columns(head, rows, part)) for part in (ABOUT_MOVES, ABOUT_RESULTS)]
    if not measures.forfeits:
        parts.append(NO_FORFEITS)
    return "\n\n".join([*parts, "Expenses", _aligned(*expenses_table(measures))])


def as_markdown(measures: Measures) -> str:
    """Return all tables in Markdown."""
    parts = [
        f"## {_title(slug, policy)}\n\n{_piped(*main_table(measures, policy, slug))}"
        for policy, slug in _shown(measures)
    ]
    if not measures.forfeits:
        parts.append(NO_FORFEITS)
    return "\n\n".join([*parts, f"## Expenses\n\n{_piped(*expenses_table(measures))}"]) + "\n"


NO_FORFEITS = "No game was forfeited, so the tables for legal moves only are the same."


def _shown(measures: Measures) -> Iterator[tuple[ForfeitPolicy, str]]:
    """Yield the tables to show; both policies give the same tables if nobody forfeited."""
    for policy in FORFEIT_POLICIES if measures.forfeits else FORFEIT_POLICIES[:1]:
        for slug in (ALL, *(measures.slugs if len(measures.slugs) > 1 else ())):
            yield policy, slug


def _title(slug: str, policy: ForfeitPolicy) -> str:
    return f"{slug.capitalize() if slug == ALL else find(slug).title}, {policy}"


def _columns(head: Sequence[str], rows: list[list[str]], columns: Sequence[int]) -> Table:
    shown = [at for at in columns if at < len(head)]
    return [head[at] for at in shown], [[row[at] for at in shown] for row in rows]


def _aligned(head: Sequence[str], rows: list[list[str]]) -> str:
    labels = [short(row[0], MAX_LABEL_LENGTH) for row in rows]
    if len(set(labels)) == len(labels):
        rows = [[label, *row[1:]] for label, row in zip(labels, rows, strict=True)]
    widths = [max(map(len, column)) for column in zip(head, *rows, strict=True)]
    lines = [
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()
        for row in [list(head), *rows]
    ]
    return "\n".join(lines)


def short(label: str, max_length: int) -> str:
    """Return a label, shortened to a maximum length."""
    return label if len(label) <= max_length else f"{label[: max_length - 1]}…"


def _piped(head: Sequence[str], rows: list[list[str]]) -> str:
    lines = [list(head), ["---"] * len(head), *rows]
    return "\n".join(
        f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in line)} |" for line in lines
    )


def as_csv(measures: Measures) -> str:
    """Return the figures of all players and games as CSV."""
    out = io.StringIO()
    names = ("regret", "best", "right", "wins_kept", "losses_saved", "score")
    head = ["counting", "game", "player", "games"]
    writer = csv.writer(out)
    writer.writerow([*head, *(f"{n}{end}" for n in names for end in ("", "_low", "_high"))])
    for row in as_data(measures)["rows"]:
        figures = (row[n][key] for n in names for key in ("figure", "low", "high"))
        writer.writerow([*(row[key] for key in head), *figures])
    return out.getvalue()


def as_data(measures: Measures) -> dict[str, Any]:
    """Return all figures as JSON values."""
    slugs = [ALL, *measures.slugs]
    return {
        "games": measures.games,
        "cut": measures.cut,
        "rows": [
            {"counting": policy, **_plain(asdict(row))}
            for policy in FORFEIT_POLICIES
            for slug in slugs
            for row in measures.rows(policy, slug)
        ],
        "ratings": {c: _plain(asdict(measures.ratings(c))) for c in FORFEIT_POLICIES},
        "expenses": {
            # Before Python 3.12, asdict converts a counter to a wrong counter.
            player: _plain({**asdict(expenses), "forfeits": dict(expenses.forfeits)})
            for player, expenses in measures.expenses.items()
        },
    }


def as_json(measures: Measures) -> str:
    """Return all figures as JSON."""
    return json.dumps(as_data(measures), indent=2, sort_keys=True, ensure_ascii=False) + "\n"


def _plain(value: Any) -> Any:  # noqa: ANN401 # JSON values
    """Return values with None in place of NaN, which JSON does not have."""
    if isinstance(value, dict):
        return {key: _plain(item) for key, item in value.items()}
    return None if isinstance(value, float) and isnan(value) else value


FORMATS: dict[str, Callable[[Measures], str]] = {
    "text": as_text,
    "json": as_json,
    "csv": as_csv,
    "markdown": as_markdown,
}
