"""Write docs/reference/findings.md: solve, check and measure every game."""

from __future__ import annotations

import sys
from pathlib import Path

import duelbook
from duelbook.analysis import claims, strength
from duelbook.analysis.verdict import full_verdict
from duelbook.position import player

INTRODUCTION = """\
# Findings

Results for the five games, computed over all their positions: who wins, which of each
book's claims hold, and how the levels score against each other. `make findings`
writes this page; `duelbook solve`, `verify` and `strength` print its parts.

A move that "leaves no forced win" leads to a position in which neither side can force a
win. A move is "dominated" if another move is never worse where both are legal, and
sometimes better. The p-value is the probability that the stronger level would win at
least as many games if both levels were equally strong.
"""


HEAD = """
| game | positions | with best play | claims that hold |
|---|--:|---|--:|
"""


def row(proof: claims.Proof) -> str:
    """Return the line of a game in the summary, which is also in the README."""
    start = proof.table.positions[0]
    value, distance = proof.solution.value(start), proof.solution.distance(start)
    verdict = "nobody can force a win, and play never ends"
    if value:
        winner = player(start.to_move if value > 0 else 1 - start.to_move)
        verdict = f"{winner} wins in {distance} turns"
    hold = sum(finding.holds for finding in proof.findings)
    numbers = f"{len(proof.table):,} | {verdict} | {hold} of {len(proof.findings)}"
    return f"| {proof.game.title} | {numbers} |\n"


def section(proof: claims.Proof) -> str:
    """Return the findings about one game."""
    game = proof.game
    scores = strength.round_robin(game, proof.solution)
    solved = full_verdict(proof.solution, game())
    parts = [claims.as_text(proof), solved, f"How the levels score:\n{strength.as_text(scores)}"]
    text = "\n\n".join(parts)
    return f"\n## {game.title}\n\n```text\n{text}\n```\n"


if __name__ == "__main__":
    proofs = [claims.prove(game) for game in duelbook.list_games()]
    summary = HEAD + "".join(map(row, proofs))
    page = INTRODUCTION + summary + "".join(map(section, proofs))
    Path(sys.argv[1]).write_text(page, encoding="utf-8")
