"""Worker processes that end with their parent, even if the parent is killed."""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """End this worker process when its parent ends, even during a job.

    A killed parent cannot end its workers. A closed pipe would show its end, but other workers may
    keep the pipe open.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()


def _exit_after(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(0)
