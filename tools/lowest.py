"""Print the requirements of a server at the lowest versions that `pyproject.toml` allows."""

from __future__ import annotations

import re
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).parent.parent
EXTRAS = ("web", "hosts")


def lowest_requirements(text: str) -> list[str]:
    """Return the requirements of a server with each lower bound as the exact version."""
    project = tomllib.loads(text)["project"]
    extras = project["optional-dependencies"]
    lines = [*project["dependencies"], *(line for extra in EXTRAS for line in extras[extra])]
    return [
        re.sub(r">=([^,;\s]+)[^;]*", r"==\1", line) for line in lines if "duelbook[" not in line
    ]


if __name__ == "__main__":
    sys.stdout.write(
        "\n".join(lowest_requirements((ROOT / "pyproject.toml").read_text(encoding="utf-8"))) + "\n"
    )
