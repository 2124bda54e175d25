"""Write a small working game, and a test for it."""

from __future__ import annotations

import keyword
import re
from collections.abc import Collection
from pathlib import Path

from duelbook.errors import DuelbookError

PARTS = ("chance", "private-cards", "draws")
"""The features of a new game; chance deals the private cards."""
CONDITION = re.compile(r"^\[(no )?draws\](.*\n)", re.MULTILINE)
"""A line of a template that only a game with draws has, or only one without."""


def write(name: str, folder: Path, parts: Collection[str] = ()) -> tuple[Path, Path]:
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
    for file, template in zip(files, _templates(parts), strict=True):
        text = re.sub(r"\{([A-Z]+)\}", lambda match: names[match[1]], template)
        file.write_text(text, encoding="utf-8")
    return files


def _templates(parts: Collection[str]) -> tuple[str, str]:
    """Return the game and the test with these features."""
    part = next((part for part in ("private-cards", "chance", "draws") if part in parts), "")
    file = f"{part.replace('-', '_')}.txt"
    game, test = (file, f"test_{file}") if part else ("game.txt", "test.txt")
    return _read(game, "draws" in parts), _read(test, "draws" in parts)


def _read(template: str, draws: bool) -> str:
    text = Path(__file__).with_name(template).read_text("utf-8")
    return CONDITION.sub(lambda match: "" if bool(match[1]) == draws else match[2], text)
