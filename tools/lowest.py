"""Prints the lowest versions of what a server needs, as `pyproject.toml` allows them."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXTRAS = ("web", "hosts")


def lowest(text: str) -> list[str]:
    """Return the requirements of a server with each lower bound as the exact version."""
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    wanted = [*project["dependencies"], *(one for extra in EXTRAS for one in extras[extra])]
    return [re.sub(r">=([^,;\s]+)[^;]*", r"==\1", one) for one in wanted if "duelbook[" not in one]


if __name__ == "__main__":
    sys.stdout.write(
        "\n".join(lowest((ROOT / "pyproject.toml").read_text(encoding="utf-8"))) + "\n"
    )
