"""Check each claim of a rule book against every position of the game."""

from __future__ import annotations

import re
from dataclasses import asdict, dataclass, replace
from textwrap import fill
from typing import Any

import numpy as np

from duelbook.analysis.claim_checks import CHECKS
from duelbook.analysis.metrics import compute_metrics, describe_metrics
from duelbook.analysis.verdict import verdict
from duelbook.errors import DuelbookError
from duelbook.play.match import Match
from duelbook.position import Position
from duelbook.solver import cache
from duelbook.solver.enumeration.interface import Progress
from duelbook.solver.solve import AnySolution, solve_table
from duelbook.solver.stored_tables import stored_table
from duelbook.solver.tables.array_rules import DRAWN
from duelbook.solver.tables.position_table import Table

CACHE_NAME = "proof1"
"""The name in the cache; Player 1 moves first."""
CLAIM = re.compile(r"- ([A-Z]+-C\d+) +(.+?) `([^`]+)`")


@dataclass(frozen=True)
class BookClaim:
    """A sentence that a rule book asserts, and the check that decides it."""

    number: str
    text: str
    check: str


@dataclass(frozen=True)
class Finding:
    """The result of a check: whether the claim holds, the reason, and an example game."""

    claim: BookClaim
    holds: bool
    reason: str
    witness: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Proof:
    """The findings, the solution and the metrics of a game."""

    game: type[Position]
    table: Table
    solution: AnySolution
    findings: tuple[Finding, ...]
    metrics: dict[str, str]
    readings: dict[str, str]
    """The verdict under each reading of the ruling that decides some terminal positions."""

    def as_data(self) -> dict[str, Any]:
        """Return the findings as JSON values."""
        return {
            "game": self.game.slug,
            "findings": [asdict(finding) for finding in self.findings],
            "numbers": compute_metrics(self.table, self.solution),
            "measures": self.metrics,
            "readings": self.readings,
            "assumptions": list(self.game.assumptions),
        }


def claims(game: type[Position]) -> list[BookClaim]:
    """Return the claims in a game's rules page; each is a line that ends in its check."""
    listed = []
    for line in game.rules_page().splitlines():
        if re.match(r"- [A-Z]+-C\d", line):
            match = CLAIM.fullmatch(line.rstrip())
            if not match:
                raise DuelbookError(f"A claim must be one line that ends in its check: {line}")
            listed.append(BookClaim(*match.groups()))
    return listed


def prove(game: type[Position], progress: Progress | None = None) -> Proof:
    """Enumerate and solve a game, check its claims and measure it."""
    table = stored_table(game, progress=progress)
    solution = solve_table(table, stored=True)
    claimed = claims(game)
    cached = _read(game, claimed)
    if cached is not None:
        return Proof(game, table, solution, *cached)
    findings = tuple(_check(claim, table, solution) for claim in claimed)
    metrics, readings = describe_metrics(table, solution), _readings(table, solution)
    proof = Proof(game, table, solution, findings, metrics, readings)
    _write(proof)
    return proof


def _read(
    game: type[Position], claimed: list[BookClaim]
) -> tuple[tuple[Finding, ...], dict[str, str], dict[str, str]] | None:
    """Return the findings on these claims, the metrics and the readings from the cache."""
    cached = cache.read(game, CACHE_NAME, __name__)
    if cached is None:
        return None
    findings = tuple(
        Finding(BookClaim(**claim), holds, reason, None if moves is None else tuple(moves))
        for claim, holds, reason, moves in cached.data["findings"]
    )
    if [finding.claim for finding in findings] != claimed:  # the rules page has changed
        return None
    return findings, cached.data["measures"], cached.data["readings"]


def _write(proof: Proof) -> None:
    """Store the findings in the cache, if the game is large."""
    if len(proof.table) >= cache.MIN_STORED_POSITIONS:
        findings = [list(asdict(finding).values()) for finding in proof.findings]
        data = {"findings": findings, "measures": proof.metrics, "readings": proof.readings}
        cache.write(proof.game, CACHE_NAME, __name__, {}, data)


def witness(game: type[Position], finding: Finding) -> Match:
    """Return the game that demonstrates a finding, as a match."""
    match = Match.begin(game)
    for move in finding.witness or ():
        match = match.play(move)
    return match


def _check(claim: BookClaim, table: Table, solution: AnySolution) -> Finding:
    name, *words = claim.check.split()
    if name not in CHECKS:
        raise DuelbookError(f"{claim.number} names an unknown check: {claim.check}.")
    try:
        holds, reason, game = CHECKS[name](table, solution, *words)
    except (TypeError, ValueError, AttributeError) as error:
        raise DuelbookError(f"{claim.number} cannot be checked: {claim.check}.") from error
    return Finding(claim, holds, reason, None if game is None else tuple(game))


def _readings(table: Table, solution: AnySolution) -> dict[str, str]:
    """Return the verdicts under each possible reading of the ruling, if there is one."""
    if not table.ruled.any():
        return {}
    start = table.positions[0]
    ruling = table.positions[int(np.flatnonzero(table.ruled)[0])].ruling()
    other = np.where(table.ruled, 1 - table.winner, table.winner).astype(np.int8)
    nobody = np.where(table.ruled, DRAWN, table.winner).astype(np.int8)
    return {
        f"under {ruling}": verdict(solution, start),
        "if the other player won those positions": verdict(
            solve_table(replace(table, winner=other)), start
        ),
        "if those positions were draws": verdict(
            solve_table(replace(table, winner=nobody)), start, undecided="nobody wins"
        ),
    }


def as_text(proof: Proof) -> str:
    """Return all findings as text."""
    lines = ["What the book claims:"] if proof.findings else ["The rules page makes no claims."]
    for finding in proof.findings:
        state = "holds" if finding.holds else "refuted"
        lines.append(f"  {finding.claim.number}  {finding.claim.text}")
        lines.append(f"         {state}: {finding.reason}.")
        if finding.witness is not None:
            game = ", ".join(finding.witness)
            shown = f"Example game: {game}."
            lines.append(fill(shown, 78, initial_indent=" " * 9, subsequent_indent=" " * 9))
    lines.append("\nMeasurements:")
    lines += [f"  {name}: {value}" for name, value in proof.metrics.items()]
    if proof.readings:
        lines.append("\nOther readings of the ruling:")
        lines += [f"  {name}: {value}" for name, value in proof.readings.items()]
    return "\n".join(lines)
