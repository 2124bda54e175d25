"""Reads and validates the results of an examiner; the examined file may have forged them."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, field
from typing import Any, NoReturn

from duelbook.audit.audit_record import (
    CRASHED,
    DONE,
    ENDED,
    INVALID_RESULTS,
    MAX_LIST_LENGTH,
    OUT_OF_MEMORY,
    OUT_OF_TIME,
    STAGES,
    TOO_MANY_PROCESSES,
    AuditLimits,
    valid,
)
from duelbook.audit.sandbox import supervisor
from duelbook.audit.sandbox.supervisor import ProcessReport

TIME_SIGNALS = {getattr(signal, name, None) for name in ("SIGALRM", "SIGXCPU")}


@dataclass
class ExaminerResults:
    """The facts that an examiner sent, the stage that it reached, and the first fault."""

    facts: dict[str, Any] = field(default_factory=dict)
    stage: str = ""
    fault: str = ""


def record_fields(report: ProcessReport, limits: AuditLimits) -> dict[str, Any]:
    """Return the fields of a record: the facts, if they are valid, and the outcome."""
    if report.reason == supervisor.RESULT_LIMIT:
        reason = f"It sends more than {supervisor.MAX_RESULT_BYTES >> 20} MiB of results."
        return {"outcome": INVALID_RESULTS, "reason": reason}
    results = read(report.results)
    if results.fault:
        reason = f"It sends results of its own: {results.fault}."
        return {"outcome": INVALID_RESULTS, "reason": reason}
    return results.facts | _outcome(results, report, limits)


def read(content: bytes) -> ExaminerResults:
    """Return the results in complete lines, up to the last stage or the first invalid line."""
    results = ExaminerResults()
    *lines, _ = content.split(b"\n")  # the last part is an incomplete line
    for number, line in enumerate(lines, start=1):
        try:
            _add(results, json.loads(line, parse_constant=_refuse))
        except (ValueError, RecursionError) as error:
            results.fault = f"line {number}: {_fault_text(error)}"
            break
        if results.stage == DONE:
            break
    return results


def _add(results: ExaminerResults, data: object) -> None:
    stage = data.pop("stage", results.stage) if isinstance(data, dict) else ""
    facts = valid(data)
    if stage and stage not in STAGES:
        raise ValueError("its stage is not valid")
    results.stage = stage
    if "notes" in facts:
        facts["notes"] = (*results.facts.get("notes", ()), *facts["notes"])[:MAX_LIST_LENGTH]
    results.facts |= facts


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _fault_text(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return "it is not JSON"
    return str(error)


def _outcome(
    results: ExaminerResults, report: ProcessReport, limits: AuditLimits
) -> dict[str, Any]:
    """Return the outcome and its reason, unless the facts already contain them."""
    stage, code = results.stage, report.code
    when = {"": "before it loads", DONE: "without a result"}.get(stage, f"while {stage}")
    exceeded = {
        supervisor.PROCESS_LIMIT: (
            TOO_MANY_PROCESSES,
            f"It starts more than {limits.processes} processes.",
        ),
        supervisor.MEMORY_LIMIT: (OUT_OF_MEMORY, f"It needs more than {limits.memory:,} MiB."),
    }
    if report.reason in exceeded:
        outcome, reason = exceeded[report.reason]
        return {"outcome": outcome, "reason": reason}
    if stage == DONE and "outcome" in results.facts:
        return {}
    if report.reason == supervisor.TIME_LIMIT or -code in TIME_SIGNALS:
        slow = f"It takes more than {limits.time:g} s, and is stopped {when}."
        if "outcome" in results.facts:  # only the last stage is missing
            return {"notes": (*results.facts.get("notes", ()), slow)}
        return {"outcome": OUT_OF_TIME, "reason": slow}
    if code < 0:
        return {"outcome": CRASHED, "reason": f"It crashes ({_signal_name(-code)}) {when}."}
    return {"outcome": ENDED, "reason": f"It ends the program (code {code}) {when}."}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
