"""Reports of an audit: text, JSON, CSV, and a self-contained HTML page."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter
from collections.abc import Callable
from dataclasses import asdict
from html import escape
from importlib.resources import files
from string import Template

from duelbook.audit.audit_record import EXAMINED, TOO_LARGE, AuditLimits, AuditRecord
from duelbook.audit.audit_run import AuditRow
from duelbook.catalog.faults import printable


def _positions(record: AuditRecord) -> str:
    if record.positions is None:
        return ""
    return f"{record.positions:,}" if record.complete else f"over {record.positions:,}"


COLUMNS: dict[str, Callable[[AuditRecord], object]] = {
    "outcome": lambda r: r.outcome,
    "kind": lambda r: r.kind,
    "positions": _positions,
    "ends": lambda r: {None: "", True: "always", False: "not always"}[r.ends],
    "stuck": lambda r: r.stuck,
    "draws": lambda r: r.draws,
    "turns": lambda r: r.turns,
    "invalid move": lambda r: r.invalid,
    "breaches": lambda r: ", ".join(b["kind"] for b in r.breaches) or ("none" * r.checked),
    "winner": lambda r: r.winner,
    "plies": lambda r: r.plies,
    "branching": lambda r: None if r.branching is None else f"{r.branching:.2f}",
    "seconds": lambda r: f"{r.seconds:.1f}",
}
"""The columns of the table, after the file's name, and the value of each."""


def _cells(row: AuditRow) -> list[str]:
    shown = (show(row.record) for show in COLUMNS.values())
    return [printable(row.file), *("" if value is None else str(value) for value in shown)]


def as_text(rows: list[AuditRow]) -> str:
    """Return a table, the problems of each file, and the number of files by outcome."""
    table = [["file", *COLUMNS], *map(_cells, rows)]
    widths = [max(map(len, column)) for column in zip(*table, strict=True)]
    lines = [
        "  ".join(f"{cell:<{width}}" for cell, width in zip(line, widths, strict=True)).rstrip()
        for line in table
    ]
    problems = [
        f"{printable(row.file)}: {sentence}" for row in rows for sentence in sentences(row.record)
    ]
    outcomes = Counter(row.record.outcome for row in rows)
    summary = ", ".join(f"{number} {outcome}" for outcome, number in outcomes.most_common())
    last = [f"{len(rows)} files: {summary}.", *_warning(rows)]
    return "\n".join([*lines, "", *problems, *([""] if problems else []), *last])


def _warning(rows: list[AuditRow]) -> list[str]:
    """Return a warning if files ran without namespaces."""
    exposed = sum(row.record.without_namespaces for row in rows)
    warning = "Without namespaces, {:,} of them could reach your other files and processes."
    return [warning.format(exposed)] if exposed else []


def sentences(record: AuditRecord) -> list[str]:
    """Return sentences about the problems of a file, with example games."""
    problems = [] if record.outcome in (EXAMINED, TOO_LARGE) else [record.reason]
    if record.ends is False:
        problems.append(f"Play can be endless: {_game(record.endless_witness)}.")
    if record.stuck:
        problems.append(f"There is neither a move nor a result: {_game(record.stuck_witness)}.")
    if record.invalid_witness:
        problems.append(
            f"After an invalid move it {record.invalid}: {_game(record.invalid_witness)}."
        )
    problems += [f"{b['kind']}: {b['text']} Example: {_game(b['moves'])}." for b in record.breaches]
    return problems + list(record.notes)


def _game(moves: list[str] | tuple[str, ...]) -> str:
    return ", ".join(moves) or "the start"


def as_json(rows: list[AuditRow], limits: AuditLimits) -> str:
    """Return all records as JSON."""
    data = [{"file": row.file, **asdict(row.record)} for row in rows]
    return json.dumps({"limits": asdict(limits), "files": data}, indent=2) + "\n"


def as_csv(rows: list[AuditRow], limits: AuditLimits) -> str:  # noqa: ARG001 # as FORMATS says
    """Return one line per file; example games are moves separated by commas."""
    out = io.StringIO()
    names = list(asdict(AuditRecord()))
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(["file", *names])
    for row in rows:
        record = asdict(row.record) | {"breaches": [b["kind"] for b in row.record.breaches]}
        writer.writerow([printable(row.file), *(_flat(record[name]) for name in names)])
    return out.getvalue()


def _flat(value: object) -> object:
    return ", ".join(map(str, value)) if isinstance(value, (list, tuple)) else value


def as_html(rows: list[AuditRow], limits: AuditLimits) -> str:
    """Return an HTML page with the table, and a script that sorts and filters it."""
    head = "".join(f"<th><button>{name}</button></th>" for name in ["file", *COLUMNS])
    template = files("duelbook.audit").joinpath("audit.html").read_text(encoding="utf-8")
    return Template(template).substitute(
        head=head,
        body="\n".join(_html_row(row) for row in rows),
        count=f"{len(rows):,}",
        limits=f"{limits.time:g} s, {limits.memory:,} MiB and {limits.positions:,} positions",
    )


def _html_row(row: AuditRow) -> str:
    first, *cells = map(escape, _cells(row))
    problems = "".join(f"<li>{escape(text)}</li>" for text in sentences(row.record))
    assumed = "".join(f"<li>{escape(text)}</li>" for text in row.record.assumptions)
    more = f"<ul>{problems}</ul>" if problems else ""
    more += f"<p>Assumptions:</p><ul>{assumed}</ul>" if assumed else ""
    name = f"<details><summary>{first}</summary>{more}</details>" if more else first
    mark = "fine" if row.record.outcome == EXAMINED and not problems else "odd"
    data = "".join(f"<td>{cell}</td>" for cell in cells)
    return f'<tr class={mark}><td data-key="{first}">{name}</td>{data}</tr>'


FORMATS: dict[str, Callable[[list[AuditRow], AuditLimits], str]] = {
    "json": as_json,
    "csv": as_csv,
    "html": as_html,
}
"""The formats of report files."""
