"""The code blocks of the tutorial, and the game that they build."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from paths import ROOT

PAGE = ROOT / "docs" / "tutorials" / "your-own-game.md"
BLOCK = re.compile(
    r"(?:^<!-- typed: (?P<typed>.*?) -->\n\n)?^```(?P<kind>\w+)\n(?P<text>.*?)^```$",
    re.MULTILINE | re.DOTALL,
)
RULES = "fist.md"


@dataclass(frozen=True)
class Block:
    """A block of the page, and the game's file up to it."""

    kind: str
    text: str
    typed: str
    source: str
    rules: str

    def write(self, folder: Path) -> Path:
        """Write the files so far, and return the game's file."""
        folder.mkdir(parents=True, exist_ok=True)
        file = folder / "fist.py"
        file.write_text(self.source)
        if self.rules:
            (folder / RULES).write_text(self.rules)
        return file


def blocks() -> Iterator[Block]:
    """Yield the blocks of the page in order."""
    source = rules = ""
    for block in BLOCK.finditer(PAGE.read_text()):
        kind, text = block["kind"], block["text"]
        if kind == "python" and not text.startswith(">>>"):
            source += text
        elif kind == "markdown":
            rules = text
        typed = "".join(f"{line}\n" for line in (block["typed"] or "").split())
        yield Block(kind, text, typed, source, rules)


def write(folder: Path) -> Path:
    """Write the finished game with its rules page."""
    *_, last = blocks()
    return last.write(folder)
