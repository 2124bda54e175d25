"""Print what the packages of the base install take on disk, in a new environment each."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import venv
from pathlib import Path

SETS = ("click", "click numpy", "click numpy scipy", "click numpy scipy textual")


def megabytes(packages: str) -> float:
    """Return the size of an environment with these packages, in megabytes."""
    with tempfile.TemporaryDirectory() as folder:
        venv.create(folder)
        python = str(Path(folder) / "bin" / "python")
        command = [sys.executable, "-m", "pip", "--python", python, "install", "--quiet", "--quiet"]
        subprocess.run([*command, *packages.split()], check=True)  # noqa: S603 # our own arguments
        return sum(file.lstat().st_size for file in Path(folder).rglob("*")) / 1e6


if __name__ == "__main__":
    for packages in SETS:
        sys.stdout.write(f"{packages}: {megabytes(packages):.0f} MB\n")
