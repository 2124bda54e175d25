"""A move is missing from ACTIONS."""

from __future__ import annotations

from dataclasses import dataclass

from unbroken_games import Heap


@dataclass(frozen=True, slots=True)
class BrokenAction(Heap):
    """A move is missing from ACTIONS."""

    ACTIONS = ("take 1",)
