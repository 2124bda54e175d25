"""What the built-in games ask of their players, as `make efforts` measured it."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

PACKAGE = "duelbook.games"
FILE = "efforts.json"


@cache
def measured_efforts() -> dict[str, dict[str, Any]]:
    """Return the fields of each game's `Effort` by slug: see `analysis/effort`."""
    found: dict[str, dict[str, Any]] = json.loads(
        files(PACKAGE).joinpath(FILE).read_text(encoding="utf-8")
    )
    return found
