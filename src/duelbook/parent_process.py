"""Worker processes that end with the process that started them, however it ended."""

from __future__ import annotations

import multiprocessing
import os
import threading


def end_with_parent() -> None:
    """End this worker process as soon as its parent has ended, even in the middle of a job.

    A killed parent cannot end its workers, and their siblings may hold the pipe open that would
    show its end.
    """
    parent = multiprocessing.parent_process()
    if parent is not None:
        threading.Thread(target=_exit_after, args=(parent,), daemon=True).start()


def _exit_after(parent: multiprocessing.process.BaseProcess) -> None:
    parent.join()
    os._exit(0)
