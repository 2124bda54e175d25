"""Reads and judges what a file's process sends; the file may have written it itself."""

from __future__ import annotations

import json
import signal
from dataclasses import dataclass, field
from typing import Any, NoReturn

from duelbook.audit.records import (
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
from duelbook.audit.sandbox import keeper
from duelbook.audit.sandbox.keeper import Answer

TIME_SIGNALS = {getattr(signal, name, None) for name in ("SIGALRM", "SIGXCPU")}


@dataclass
class Results:
    """The facts that a process sent, the stage that it reached, and what is wrong with it all."""

    facts: dict[str, Any] = field(default_factory=dict)
    stage: str = ""
    fault: str = ""


def judged(answer: Answer, limits: AuditLimits) -> dict[str, Any]:
    """Return the fields of a record: the facts, if they are valid, and the outcome."""
    if answer.why == keeper.RESULTS:
        most = f"It sends more than {keeper.MAX_RESULT_BYTES >> 20} MiB of results."
        return {"outcome": INVALID_RESULTS, "reason": most}
    found = read(answer.results)
    if found.fault:
        reason = f"It sends results of its own: {found.fault}."
        return {"outcome": INVALID_RESULTS, "reason": reason}
    return found.facts | _how_it_ended(found, answer, limits)


def read(content: bytes) -> Results:
    """Return the results in complete lines, up to the last stage or the first invalid line."""
    results = Results()
    *lines, _ = content.split(b"\n")  # what follows the last line break was interrupted
    for number, line in enumerate(lines, start=1):
        try:
            _add(results, json.loads(line, parse_constant=_refuse))
        except (ValueError, RecursionError) as error:
            results.fault = f"line {number}: {_what_is_wrong(error)}"
            break
        if results.stage == DONE:
            break
    return results


def _add(results: Results, told: object) -> None:
    stages = told.pop("stage", results.stage) if isinstance(told, dict) else ""
    facts = valid(told)
    if stages and stages not in STAGES:
        raise ValueError("its stage is not valid")
    results.stage = stages
    if "notes" in facts:
        facts["notes"] = (*results.facts.get("notes", ()), *facts["notes"])[:MAX_LIST_LENGTH]
    results.facts |= facts


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is not a number")


def _what_is_wrong(error: Exception) -> str:
    if isinstance(error, RecursionError):
        return "it is nested too deeply"
    if isinstance(error, json.JSONDecodeError | UnicodeDecodeError):
        return "it is not JSON"
    return str(error)


def _how_it_ended(found: Results, answer: Answer, limits: AuditLimits) -> dict[str, Any]:
    stage, code = found.stage or "it begins", answer.code
    beyond = {
        keeper.PROCESSES: (
            TOO_MANY_PROCESSES,
            f"It starts more than {limits.processes} processes.",
        ),
        keeper.MEMORY: (OUT_OF_MEMORY, f"It needs more than {limits.memory:,} MiB."),
    }
    if answer.why in beyond:
        outcome, reason = beyond[answer.why]
        return {"outcome": outcome, "reason": reason}
    if stage == DONE and "outcome" in found.facts:
        return {}
    if answer.why == keeper.TIME or -code in TIME_SIGNALS:
        slow = f"It takes more than {limits.time:g} s {stage}."
        if "outcome" in found.facts:  # only the last stage is missing
            return {"notes": (*found.facts.get("notes", ()), slow)}
        return {"outcome": OUT_OF_TIME, "reason": slow}
    if code < 0:
        return {"outcome": CRASHED, "reason": f"It crashes ({_signal_name(-code)}) {stage}."}
    return {"outcome": ENDED, "reason": f"It ends the program (code {code}) {stage}."}


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
