"""The example games; games with too many positions for a test have smaller numbers."""

from __future__ import annotations

from pathlib import Path

from paths import ROOT

EXAMPLES = ROOT / "examples" / "games"
SHORTER = {
    "pig": ("goal = 100", "goal = 9"),
    "connect_four": ("width, height = 5, 4", "width, height = 3, 4"),
    "liars_dice": ("PIPS = range(1, 7)", "PIPS = range(4, 7)"),
    "pawn_rush": ("FILES, RANKS = 3, 6", "FILES, RANKS = 3, 4"),
    "two_dice_race": ("HOME = 0, 24", "HOME = 0, 14"),
}
"""The text to replace in a large game, and its replacement."""


def write_short(name: str, folder: Path) -> Path:
    """Write an example game and its rules page into a folder, shorter if it is large."""
    source = (EXAMPLES / f"{name}.py").read_text()
    long, short = SHORTER.get(name, ("", ""))
    assert long in source
    file = folder / f"{name}.py"
    file.write_text(source.replace(long, short) if long else source)
    file.with_suffix(".md").write_text((EXAMPLES / f"{name}.md").read_text())
    return file
