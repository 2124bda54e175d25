"""The measured length and difficulty of the built-in games; `make efforts` updates them."""

from __future__ import annotations

import json
from functools import cache
from importlib.resources import files
from typing import Any

PACKAGE = "duelbook.games"
FILE = "efforts.json"


@cache
def measured_efforts() -> dict[str, dict[str, Any]]:
    """Return the fields of each game's `GameEffort` by slug: see `analysis/game_effort`."""
    efforts: dict[str, dict[str, Any]] = json.loads(
        files(PACKAGE).joinpath(FILE).read_text(encoding="utf-8")
    )
    return efforts
