"""The process that examines a file: it limits itself, and sends facts as lines of JSON."""

from __future__ import annotations

import json
import os
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any, TextIO

from duelbook.audit.audit_record import (
    BREAKS,
    DONE,
    EXAMINING,
    LOADING,
    MAX_TEXT_LENGTH,
    OUT_OF_MEMORY,
    UNLOADABLE,
    AuditLimits,
)
from duelbook.audit.game_facts import note_facts
from duelbook.catalog.faults import error_text
from duelbook.catalog.loader import load
from duelbook.errors import DuelbookError

PR_SET_PDEATHSIG, PR_SET_NO_NEW_PRIVS = 1, 38
GRACE_SECONDS = 5  # after the time limit, the process ends itself
MAX_OPEN_FILES = 256


def limit(limits: AuditLimits, *, in_namespaces: bool) -> None:
    """Set the limits of this process and its descendants."""
    with suppress(ImportError):  # not available on every system
        import resource  # only on Unix

        maximums = {
            resource.RLIMIT_AS: limits.memory << 20,
            resource.RLIMIT_CORE: 0,
            resource.RLIMIT_CPU: int(limits.time) + GRACE_SECONDS,
            resource.RLIMIT_FSIZE: limits.disk << 20,
            resource.RLIMIT_NOFILE: MAX_OPEN_FILES,
        }
        if in_namespaces:  # without namespaces, the system counts all processes of the user
            maximums[resource.RLIMIT_NPROC] = limits.processes
        for kind, maximum in maximums.items():
            with suppress(ValueError, OSError):
                resource.setrlimit(kind, (maximum, maximum))
    with suppress(OSError, AttributeError):  # on Linux: die with the parent, gain no privileges
        import ctypes  # after the limits, so that they hold for it

        library = ctypes.CDLL(None)
        library.prctl(PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        library.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    if hasattr(signal, "alarm"):
        signal.alarm(int(limits.time) + GRACE_SECONDS)


def main(file: str, limits: AuditLimits, out: TextIO) -> None:
    """Examine a file; each line of the results adds facts."""

    def note(facts: dict[str, Any]) -> None:
        out.write(json.dumps(facts) + "\n")
        out.flush()

    try:
        note({"stage": LOADING})
        game = load(file)
        note({"stage": EXAMINING})
        note_facts(game, limits, note)
    except (Exception, SystemExit) as error:  # the author's code may raise anything
        if _is_memory_error(error):
            reason = f"It needs more than {limits.memory:,} MiB."
            note({"outcome": OUT_OF_MEMORY, "reason": reason})
        elif isinstance(error, DuelbookError):
            reason = str(error).replace(file, Path(file).name)
            note({"outcome": UNLOADABLE, "reason": reason[:MAX_TEXT_LENGTH]})
        else:
            note({"outcome": BREAKS, "reason": f"It raises {error_text(error)}."})
    note({"stage": DONE})


def _is_memory_error(error: BaseException | None) -> bool:
    return isinstance(error, MemoryError) or (
        error is not None and _is_memory_error(error.__cause__)
    )


def _results() -> TextIO:
    """Reserve standard output for the results; prints go to standard error."""
    results = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    return results


if __name__ == "__main__":
    file_limits = AuditLimits(**json.loads(sys.argv[2]))
    results = _results()
    limit(file_limits, in_namespaces=sys.argv[3] == "in-namespaces")
    main(sys.argv[1], file_limits, results)
    os._exit(0)  # run none of the author's exit handlers
