"""Writes a small working game, and a test for it."""

from __future__ import annotations

import keyword
import re
from pathlib import Path

from duelbook.errors import DuelbookError


def write(name: str, folder: Path) -> tuple[Path, Path]:
    """Write a game with this name and its test into a folder; return the two files."""
    words = re.findall(r"[A-Za-z0-9]+", re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", name))
    title = " ".join(word[0].upper() + word[1:] for word in words)
    module = "_".join(word.lower() for word in words)
    if not module.isidentifier() or keyword.iskeyword(module):
        raise DuelbookError(
            f"The name of a game must be words and begin with a letter, not {name!r:.40}."
        )
    files = folder / f"{module}.py", folder / f"test_{module}.py"
    for file in files:
        if file.exists():
            raise DuelbookError(f"The file {file} already exists; it was not changed.")
    names = {"TITLE": title, "CLASS": title.replace(" ", ""), "MODULE": module}
    for file, template in zip(files, ("game", "test"), strict=True):
        text = Path(__file__).with_name(f"{template}.txt").read_text("utf-8")
        for mark, value in names.items():
            text = text.replace(f"{{{mark}}}", value)
        file.write_text(text, encoding="utf-8")
    return files
