"""Write docs/findings.md: solve, check and measure every game."""

from __future__ import annotations

import sys
from pathlib import Path

import duelbook
from duelbook.study import proof, strength
from duelbook.study.verdict import in_full

INTRODUCTION = """\
# Findings

Results for the five games, computed over all their positions: who wins, which of each
book's claims hold, and how the levels score against each other. `make findings`
writes this page; `duelbook solve`, `verify` and `strength` print its parts.

A move that "keeps the game even" leads to a position in which neither side can force a
win. A move is "dominated" if another move is never worse where both are legal, and
sometimes better. The p-value is the probability that the stronger level would win at
least as many games if both levels were equally strong.
"""


def section(game: type[duelbook.Position]) -> str:
    """Return the findings about one game."""
    found = proof.prove(game)
    scores = strength.round_robin(game, found.solution)
    solved = in_full(found.solution, game())
    parts = [proof.in_words(found), solved, f"How the levels score:\n{strength.in_words(scores)}"]
    text = "\n\n".join(parts)
    return f"\n## {game.title}\n\n```text\n{text}\n```\n"


if __name__ == "__main__":
    pages = [section(game) for game in duelbook.games()]
    Path(sys.argv[1]).write_text(INTRODUCTION + "".join(pages), encoding="utf-8")
