"""A connection to a Ray cluster, for work on many machines."""

from __future__ import annotations

import logging
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from duelbook.errors import DuelbookError


def library() -> Any:  # noqa: ANN401 # a module without types
    """Return the module `ray`; raise an error if it is not installed."""
    try:
        import ray  # an optional package
    except ImportError as error:
        raise DuelbookError(
            "This needs ray, which is not installed: pip install 'duelbook[cluster]'."
        ) from error
    return ray


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """Yield the module `ray`, connected to a cluster: `auto`, `local` or an address.

    Use an existing connection if there is one, and leave it open.
    """
    ray = library()
    if ray.is_initialized():
        yield ray
        return
    os.environ.setdefault("RAY_IGNORE_UNHANDLED_ERRORS", "1")  # `result` raises the errors
    options = {"include_dashboard": False} if address == "local" else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level=logging.ERROR, **options)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise DuelbookError(f"No Ray cluster answers at {address}.") from error
    try:
        yield ray
    finally:
        ray.shutdown()


def result(ray: Any, task: Any) -> Any:  # noqa: ANN401 # as above
    """Return the result of a task, or raise its error without the traces of Ray."""
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        if isinstance(error.cause, Exception):
            raise error.cause from None
        raise


def processors(ray: Any) -> int:  # noqa: ANN401 # as above
    """Return the number of processors of a cluster."""
    return max(1, int(ray.cluster_resources().get("CPU", 1)))
