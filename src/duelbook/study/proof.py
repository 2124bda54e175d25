"""Checks each claim of a rule book against every position of the game."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import asdict, dataclass, replace
from textwrap import fill
from typing import Any

import numpy as np
from numpy.typing import NDArray

from duelbook import secrecy
from duelbook.errors import DuelbookError
from duelbook.exact.enumeration import Progress, enumerate_game
from duelbook.exact.solver import Solution, solve_table
from duelbook.exact.tables import Table
from duelbook.exact.vectors import CHUNK
from duelbook.play.match import Match
from duelbook.position import Position, count, player
from duelbook.study.paths import longest_game, moves_to, shortest_cycle, shortest_game
from duelbook.study.verdict import verdict

CLAIM = re.compile(r"- ([A-Z]+-C\d+) +(.+?) `([^`]+)`")


@dataclass(frozen=True)
class Claim:
    """A sentence that a rule book asserts, and the check that decides it."""

    number: str
    text: str
    check: str


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds; if not, a shortest game that refutes it, if one game can."""

    claim: Claim
    holds: bool
    reason: str
    witness: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Proof:
    """The findings, the solution and the measurements of a game."""

    game: type[Position]
    table: Table
    solution: Solution
    findings: tuple[Finding, ...]
    measures: dict[str, str]
    readings: dict[str, str]
    """The verdict under each reading of the ruling that decides some terminal positions."""

    def numbers(self) -> dict[str, float | None]:
        """Return the measurements that are numbers; an endless game has None plies."""
        choice = np.diff(self.table.rows)
        busy = choice > 0
        values = self.solution.values[busy]
        return {
            "positions": len(self.table),
            "terminal_positions": int((~busy).sum()),
            "moves": len(self.table.after),
            "mean_choice": float(choice[busy].mean()),
            "most_choice": int(choice.max()),
            "shortest_game": shortest_game(self.table),
            "longest_game": longest_game(self.table),
            "won_by_mover": float((values > 0).mean()),
            "lost_by_mover": float((values < 0).mean()),
            "won_by_neither": float((values == 0).mean()),
        }

    def as_data(self) -> dict[str, Any]:
        """Return the findings as JSON values."""
        return {
            "game": self.game.slug,
            "findings": [asdict(finding) for finding in self.findings],
            "numbers": self.numbers(),
            "measures": self.measures,
            "readings": self.readings,
            "assumptions": list(self.game.assumptions),
        }


def claims(game: type[Position]) -> list[Claim]:
    """Return the claims in a game's rules page: one per line, each with its check."""
    listed = []
    for line in game.rules_page().splitlines():
        if re.match(r"- [A-Z]+-C\d", line):
            found = CLAIM.fullmatch(line.rstrip())
            if not found:
                raise DuelbookError(f"A claim must be one line that ends in its check: {line}")
            listed.append(Claim(*found.groups()))
    return listed


def prove(game: type[Position], progress: Progress | None = None) -> Proof:
    """Enumerate and solve a game, check its claims and measure it."""
    table = enumerate_game(game, progress=progress)
    solution = solve_table(table)
    findings = tuple(_check(claim, table, solution) for claim in claims(game))
    proof = Proof(game, table, solution, findings, {}, _readings(table))
    return replace(proof, measures=_measures(proof))


def witness(game: type[Position], finding: Finding) -> Match:
    """Return the game that demonstrates a finding, as a match."""
    match = Match.begin(game)
    for move in finding.witness or ():
        match = match.play(move)
    return match


# Checks -----------------------------------------------------------------------------------------


def _check(claim: Claim, table: Table, solution: Solution) -> Finding:
    name, *words = claim.check.split()
    if name not in CHECKS:
        raise DuelbookError(f"{claim.number} names an unknown check: {claim.check}.")
    try:
        holds, reason, game = CHECKS[name](table, solution, *words)
    except (TypeError, ValueError, AttributeError) as error:
        raise DuelbookError(f"{claim.number} cannot be checked: {claim.check}.") from error
    return Finding(claim, holds, reason, None if game is None else tuple(game))


Answer = tuple[bool, str, list[str] | None]


def _always_a_move(table: Table, _: Solution) -> Answer:
    stuck = [number for number in table.dead_ends if not table.positions[number].is_draw()]
    if stuck:
        return False, "a player can be left without a move", moves_to(table, stuck[0])
    or_else = "a result" if table.dead_ends else "a winner"
    return True, f"each of {len(table):,} positions has a move or {or_else}", None


def _terminal(number: int) -> str:
    return f"{number:,} terminal position{'s' * (number != 1)}"


def _no_draws(table: Table, _: Solution) -> Answer:
    ruled = np.flatnonzero(table.ruled)
    if len(ruled):
        end = table.positions[int(ruled[0])]
        reason = f"the book names no winner in {_terminal(len(ruled))}; {end.ruling()} decides"
        return False, reason, moves_to(table, int(ruled[0]))
    draws = [number for number in table.dead_ends if table.positions[number].is_draw()]
    if draws:
        return False, f"nobody wins in {_terminal(len(draws))}", moves_to(table, draws[0])
    ends = int((table.winner >= 0).sum())
    return True, f"the book's own rules name a winner in all {_terminal(ends)}", None


def _ends(table: Table, _: Solution) -> Answer:
    cycle = shortest_cycle(table)
    if cycle is None:
        return True, f"no game lasts longer than {count(longest_game(table), 'turn')}", None
    to_cycle, around = cycle
    reached = f"position after turn {len(to_cycle)}" if to_cycle else "starting position"
    return False, f"the {reached} comes back {count(len(around), 'turn')} later", to_cycle + around


def _balanced(table: Table, solution: Solution) -> Answer:
    start = table.positions[0]
    value = solution.value(start)
    if not value:
        return True, "neither player can force a win from the start", None
    distance = solution.distance(start)
    winner = player(start.to_move if value > 0 else 1 - start.to_move)
    if distance is None:
        return False, f"the game favours {winner}", None
    reason = f"{winner} wins by force in {count(distance, 'turn')}"
    return False, reason, _best_game(solution, start)


def _best_game(solution: Solution, position: Position) -> list[str]:
    moves = []
    while position.moves():
        moves.append(solution.best_moves(position)[0])
        position = position.play(moves[-1])
    return moves


def _values(table: Table, name: str) -> NDArray[np.int64]:
    """Return the value of a field in each position; of a tuple, its largest item."""
    values = [getattr(position, name) for position in table.positions]
    return np.array([max(v) if isinstance(v, tuple) else v for v in values], np.int64)


def _reaches(table: Table, _: Solution, name: str, number: str) -> Answer:
    values = _values(table, name)
    over = np.flatnonzero(values >= int(number))
    if len(over):
        at = int(over[0])
        return True, f"{name} can reach {values[at]}", moves_to(table, at)
    return False, f"the largest value of {name} in any position is {values.max()}", None


def _at_most(table: Table, _: Solution, name: str, number: str) -> Answer:
    values = _values(table, name)
    over = np.flatnonzero(values > int(number))
    if len(over):
        return False, f"{name} can reach {values[over[0]]}", moves_to(table, int(over[0]))
    return True, f"the largest value of {name} in any position is {values.max()}", None


CHECKS: dict[str, Callable[..., Answer]] = {
    "always-a-move": _always_a_move,
    "no-draws": _no_draws,
    "ends": _ends,
    "balanced": _balanced,
    "reaches": _reaches,
    "at-most": _at_most,
}


# Measurements -----------------------------------------------------------------------------------


def _measures(proof: Proof) -> dict[str, str]:
    table, solution, numbers = proof.table, proof.solution, proof.numbers()
    shortest, longest = shortest_game(table), longest_game(table)
    terminal, non_terminal = numbers["terminal_positions"], "non-terminal positions"
    measured = {
        "best play": verdict(solution, table.positions[0]),
        "positions": f"{numbers['positions']:,}, {terminal:,} of them terminal",
        "moves": f"{numbers['moves']:,}",
        "legal moves": f"{numbers['mean_choice']:.2f} on average, {numbers['most_choice']} at most",
        "shortest game": "none" if shortest is None else count(shortest, "turn"),
        "longest game": "endless" if longest is None else count(longest, "turn"),
        "won by the player to move": f"{numbers['won_by_mover']:.1%} of {non_terminal}",
        "lost by the player to move": f"{numbers['lost_by_mover']:.1%} of {non_terminal}",
        "won by neither side": f"{numbers['won_by_neither']:.1%} of {non_terminal}",
    }
    if secrecy.keeps_secrets(table.game):
        measured["never best"] = _listed(_never_best_in_secret(table, solution))
    else:
        worth = _worths(table, solution)
        measured["never best"] = _listed(_never_best(table, solution, worth))
        measured["dominated"] = _listed(_dominated(table, worth))
    return measured


def _listed(moves: list[str]) -> str:
    return ", ".join(moves) or "no move"


def _never_best_in_secret(table: Table, solution: Solution) -> list[str]:
    best = {move for position in table.positions for move in solution.best_moves(position)}
    return [move for move in table.game.ACTIONS if move not in best]


def _worths(table: Table, solution: Solution) -> NDArray[np.int16]:
    """Return the score of every move in the table for the player who makes it."""
    worth: NDArray[np.int16] = table.to_movers(solution.scores)
    return worth - np.sign(worth)


def _never_best(table: Table, solution: Solution, worth: NDArray[np.int16]) -> list[str]:
    score = np.repeat(solution.scores, np.diff(table.rows))
    used = set(np.unique(table.actions[worth == score]).tolist())
    return [move for number, move in enumerate(table.game.ACTIONS) if number not in used]


def _dominated(table: Table, worth: NDArray[np.int16]) -> list[str]:
    """Return the weakly dominated moves, each with a move that is never worse."""
    actions = range(len(table.game.ACTIONS))
    candidates = {(one, other) for one in actions for other in actions if one != other}
    better: set[tuple[int, int]] = set()
    nowhere = np.iinfo(np.int16).min
    for begin in range(0, len(table), CHUNK):
        rows = table.rows[begin : begin + CHUNK + 1]
        grid = np.full((len(actions), len(rows) - 1), nowhere, np.int16)
        source = np.repeat(np.arange(len(rows) - 1), np.diff(rows))
        edges = slice(rows[0], rows[-1])
        grid[table.actions[edges], source] = worth[edges]
        legal = grid > nowhere
        candidates = {
            (one, other)
            for one, other in candidates
            if not (grid[other] < grid[one])[legal[one]].any()
        }
        better |= {
            (one, other) for one, other in candidates if (grid[other] > grid[one])[legal[one]].any()
        }
    named = table.game.ACTIONS
    found = dict(sorted(candidates & better, reverse=True))
    return [f"{named[one]} (by {named[found[one]]})" for one in sorted(found)]


def _readings(table: Table) -> dict[str, str]:
    """Return the verdicts under each possible reading of the ruling, if there is one."""
    if not table.ruled.any():
        return {}
    start = table.positions[0]
    ruling = table.positions[int(np.flatnonzero(table.ruled)[0])].ruling()
    other = np.where(table.ruled, 1 - table.winner, table.winner).astype(np.int8)
    nobody = np.where(table.ruled, -1, table.winner).astype(np.int8)
    return {
        f"under {ruling}": verdict(solve_table(table), start),
        "if the other player won those positions": verdict(
            solve_table(replace(table, winner=other)), start
        ),
        "if those positions were draws": verdict(
            solve_table(replace(table, winner=nobody)), start, undecided="nobody wins"
        ),
    }


def in_words(proof: Proof) -> str:
    """Return all findings as text."""
    lines = ["What the book claims:"]
    for finding in proof.findings:
        state = "holds" if finding.holds else "refuted"
        lines.append(f"  {finding.claim.number}  {finding.claim.text}")
        lines.append(f"         {state}: {finding.reason}.")
        if finding.witness is not None:
            game = ", ".join(finding.witness)
            shown = f"Example game: {game}."
            lines.append(fill(shown, 78, initial_indent=" " * 9, subsequent_indent=" " * 9))
    lines.append("\nMeasurements:")
    lines += [f"  {name}: {value}" for name, value in proof.measures.items()]
    if proof.readings:
        lines.append("\nOther readings of the ruling:")
        lines += [f"  {name}: {value}" for name, value in proof.readings.items()]
    return "\n".join(lines)
