"""The check of a game in a file: the allowed files, and the result for agents."""

from __future__ import annotations

from pathlib import Path

from duelbook.audit.audit_record import EXAMINED, TOO_LARGE, AuditLimits, AuditRecord
from duelbook.audit.sandbox.isolation import COMPANION_SUFFIXES, Source
from duelbook.errors import DuelbookError
from duelbook.mcp_server.tool_results import CheckedFile, ReportedBreach

LIMITS = AuditLimits(time=30.0, memory=1024, positions=100_000)
MAX_FILE_BYTES = 1_000_000
MAX_BREACHES = 20


def source_in(folder: Path, name: str) -> Source:
    """Return the source in a file of a folder; refuse other places."""
    inside = folder.resolve()
    try:
        file = (inside / name).resolve()
        if not file.is_relative_to(inside):
            raise DuelbookError(f"{name!r:.80} is outside the folder of games, {inside}.")
        if file.suffix != ".py" or not file.is_file():
            raise DuelbookError(f"There is no Python file {name!r:.80} in {inside}.")
        files = [file, *(file.with_suffix(suffix) for suffix in COMPANION_SUFFIXES)]
        if any(path.stat().st_size > MAX_FILE_BYTES for path in files if path.is_file()):
            raise DuelbookError(
                f"{name!r:.80} is too large: the limit is {MAX_FILE_BYTES:,} bytes."
            )
        return Source.read(file)
    except (OSError, ValueError) as error:
        if isinstance(error, DuelbookError):
            raise
        raise DuelbookError(f"{name!r:.80} cannot be read.") from error


def checked_file(record: AuditRecord) -> CheckedFile:
    """Return the result of an examined file for agents."""
    breaches = [
        ReportedBreach(kind=breach["kind"], said=breach["text"], moves=list(breach["moves"]))
        for breach in record.breaches[:MAX_BREACHES]
    ]
    return CheckedFile(
        follows_the_rules=record.checked
        and not record.breaches
        and record.outcome in (EXAMINED, TOO_LARGE),
        outcome=record.outcome,
        reason=record.reason,
        title=record.title,
        breaches=breaches,
        positions=record.positions if record.complete else None,
        winner=record.winner,
        notes=[*record.assumptions, *record.notes],
    )
