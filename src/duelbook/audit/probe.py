"""The process that examines a file: it limits itself, and writes facts as lines of JSON."""

from __future__ import annotations

import json
import signal
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

from duelbook.audit.facts import note_facts
from duelbook.audit.records import BREAKS, DONE, LOADING, OUT_OF_MEMORY, UNLOADABLE, Limits
from duelbook.catalog.faults import raised
from duelbook.catalog.loader import load
from duelbook.errors import DuelbookError

PR_SET_PDEATHSIG = 1
GRACE = 5  # seconds after the limit at which the process ends itself


def limit(limits: Limits) -> None:
    """Set the limits of this process."""
    with suppress(ImportError, ValueError, OSError):  # not available on every system
        import resource

        size = limits.memory * 2**20
        resource.setrlimit(resource.RLIMIT_AS, (size, size))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    with suppress(OSError, AttributeError):  # on Linux: die with the parent process
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if hasattr(signal, "alarm"):
        signal.alarm(int(limits.time) + GRACE)


def main(file: str, results: str, limits: Limits) -> None:
    """Examine a file; each line of the results adds facts."""
    with Path(results).open("a", encoding="utf-8") as out:

        def note(found: dict[str, Any]) -> None:
            out.write(json.dumps(found) + "\n")
            out.flush()

        limit(limits)
        try:
            note({"stage": LOADING})
            game = load(file)
            note({"stage": "examining its positions"})
            note_facts(game, limits, note)
        except (Exception, SystemExit) as error:  # the author's code may raise anything
            if _is_memory_error(error):
                note(
                    {
                        "outcome": OUT_OF_MEMORY,
                        "reason": f"It needs more than {limits.memory:,} MiB.",
                    }
                )
            elif isinstance(error, DuelbookError):
                said = str(error).replace(file, Path(file).name)
                note({"outcome": UNLOADABLE, "reason": said})
            else:
                note({"outcome": BREAKS, "reason": f"It raises {raised(error)}."})
        note({"stage": DONE})


def _is_memory_error(error: BaseException | None) -> bool:
    return isinstance(error, MemoryError) or (
        error is not None and _is_memory_error(error.__cause__)
    )


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Limits(**json.loads(sys.argv[3])))
