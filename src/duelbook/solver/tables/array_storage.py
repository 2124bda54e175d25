"""Storage for arrays: memory, or files in a folder for large arrays."""

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
    """Allocates arrays in memory; with a folder, arrays above `small` bytes are files in it.

    The files have no names, so the system deletes them when the process ends.
    """

    folder: Path | None = None
    small: int = 1 << 24

    def empty(self, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """Return an array with undefined content."""
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

    def row(self, size: int, dtype: DTypeLike) -> NDArray[Any]:
        """Return an array of one axis, for the caller to fill; in memory, it has ordinary pages."""
        return plain_zeros(size, dtype) if self.folder is None else self.empty((size,), dtype)


def plain_zeros(size: int, dtype: DTypeLike) -> NDArray[Any]:
    """Return zeros in memory pages of the ordinary size.

    NumPy requests huge pages. If the system has none ready, as in a new virtual machine, their
    creation takes longer than filling them.
    """
    return np.frombuffer(bytearray(size * np.dtype(dtype).itemsize), dtype)


def _reserve(descriptor: int, size: int) -> None:
    """Reserve disk space now if the system can, so that a full disk raises an error at once."""
    if hasattr(os, "posix_fallocate"):
        os.posix_fallocate(descriptor, 0, size)
    else:
        os.ftruncate(descriptor, size)


class GrowableArray:
    """An array that grows at its end.

    With `in_place`, an array in memory grows without a copy. This invalidates the arrays that `all`
    returned before.
    """

    def __init__(
        self,
        storage: ArrayStorage,
        dtype: DTypeLike,
        width: int | None = None,
        *,
        in_place: bool = False,
    ) -> None:
        self._storage = storage
        self._in_place = in_place and storage.folder is None
        self._tail = () if width is None else (width,)
        self._memory: NDArray[Any] = np.zeros((1024, *self._tail), dtype)
        self._used = 0

    def __len__(self) -> int:
        return self._used

    def add(self, values: NDArray[Any]) -> None:
        """Append values."""
        end = self._used + len(values)
        if end > len(self._memory):
            self._grow(end)
        self._memory[self._used : end] = values
        self._used = end

    def _grow(self, size: int) -> None:
        """Make room for this many values."""
        if self._in_place:
            longer = max(size, len(self._memory) * 5 // 4)
            self._memory.resize((longer, *self._tail), refcheck=False)
            return
        shape = (max(size, len(self._memory) * 2), *self._tail)
        larger = self._storage.empty(shape, self._memory.dtype)
        larger[: self._used] = self.all
        self._memory = larger

    @property
    def all(self) -> NDArray[Any]:
        """All values so far."""
        return self._memory[: self._used]
