"""Space for arrays: memory, and the disk for large ones where a folder is given."""

from __future__ import annotations

import os
import tempfile
from dataclasses import dataclass
from math import prod
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from duelbook.errors import DuelbookError


@dataclass(frozen=True)
class ArrayStorage:
    """Where arrays are made: those of more than `small` bytes in files of a folder, if it is given.

    The files have no names, so nothing is left of them when the process ends.
    """

    folder: Path | None = None
    small: int = 1 << 24

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """Return an array with any content."""
        size = prod(shape) * np.dtype(dtype).itemsize
        if self.folder is None or size <= self.small:
            return np.empty(shape, dtype)
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            with tempfile.TemporaryFile(dir=self.folder) as file:
                _reserve(file.fileno(), size)
                return np.asarray(np.memmap(file, dtype, shape=shape))
        except OSError as error:
            raise DuelbookError(
                f"{self.folder} has no room for {size:,} bytes: {error.strerror}."
            ) from error


def _reserve(descriptor: int, size: int) -> None:
    """Reserve disk space now where the system can, so that a full disk is noticed at once."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
    else:
        os.ftruncate(descriptor, size)


class Column:
    """An array that grows at its end."""

    def __init__(self, space: ArrayStorage, dtype: DTypeLike, width: int | None = None) -> None:
        self._space = space
        self._tail = () if width is None else (width,)
        self._room: NDArray[Any] = np.empty((1024, *self._tail), dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, values: NDArray[Any]) -> None:
        """Append values."""
        end = self._used + len(values)
        if end > len(self._room):
            larger = self._space.empty(
                (max(end, len(self._room) * 2), *self._tail), self._room.dtype
            )
            larger[: self._used] = self.all
            self._room = larger
        self._room[self._used : end] = values
        self._used = end

    @property
    def all(self) -> NDArray[Any]:
        """What the array holds now."""
        return self._room[: self._used]
