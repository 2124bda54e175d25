"""The tutorial's pieces: the file that it builds, and what it shows on the way."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paths import ROOT

PAGE = ROOT / "docs" / "your-own-game.md"
BLOCK = re.compile(
    r"(?:^<!-- typed: (?P<typed>.*?) -->\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
RULES = "fist.md"


@dataclass(frozen=True)
class Block:
    """Something to run, with the game's file as it is by then."""

    kind: str
    text: str
    typed: str
    source: str
    rules: str

    def write(self, folder: Path) -> Path:
        """Write the files so far, and return the game's."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "fist.py"
        file.write_text(self.source)
        if self.rules:
            (folder / RULES).write_text(self.rules)
        return file


def blocks() -> Iterator[Block]:
    """Return what the page runs, in its order."""
    source = rules = ""
    for found in BLOCK.finditer(PAGE.read_text()):
        kind, text = found["kind"], found["text"]
        if kind == "python" and not text.startswith(">>>"):
            source += text
        elif kind == "markdown":
            rules = text
        typed = "".join(f"{line}\n" for line in (found["typed"] or "").split())
        yield Block(kind, text, typed, source, rules)


def write(folder: Path) -> Path:
    """Write the finished game with its rules page."""
    *_, last = blocks()
    return last.write(folder)
