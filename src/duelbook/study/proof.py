"""Proof: what a rule book claims, checked against every position of the game."""

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
from duelbook.study.paths import longest_game, moves_to, nearest_end, shortest_circle
from duelbook.study.verdict import verdict

CLAIM = re.compile(r"- ([A-Z]+-C\d+) +(.+?) `([^`]+)`")


@dataclass(frozen=True)
class Claim:
    """A sentence that a book stands by, and the check that it amounts to."""

    number: str
    text: str
    check: str


@dataclass(frozen=True)
class Finding:
    """Whether a claim holds; if not, a shortest game that shows it, where a game can."""

    claim: Claim
    holds: bool
    reason: str
    witness: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Proof:
    """All that is found about a game."""

    game: type[Position]
    table: Table
    solution: Solution
    findings: tuple[Finding, ...]
    measures: dict[str, str]
    readings: dict[str, str]
    """The verdict if a ruling had gone the other way."""

    def numbers(self) -> dict[str, float | None]:
        """Return the measures that are numbers; `None` plies are those of a game without end."""
        choice = np.diff(self.table.rows)
        busy = choice > 0
        values = self.solution.values[busy]
        return {
            "positions": len(self.table),
            "ends": int((~busy).sum()),
            "moves": len(self.table.after),
            "mean_choice": float(choice[busy].mean()),
            "most_choice": int(choice.max()),
            "shortest_game": nearest_end(self.table),
            "longest_game": longest_game(self.table),
            "won_by_mover": float((values > 0).mean()),
            "lost_by_mover": float((values < 0).mean()),
            "held_by_both": float((values == 0).mean()),
        }

    def as_data(self) -> dict[str, Any]:
        """Return the findings as values that JSON can hold."""
        return {
            "game": self.game.slug,
            "findings": [asdict(finding) for finding in self.findings],
            "numbers": self.numbers(),
            "measures": self.measures,
            "readings": self.readings,
            "assumptions": list(self.game.assumptions),
        }


def claims(game: type[Position]) -> list[Claim]:
    """Return the claims in a game's rules page, one a line, each with its check."""
    listed = []
    for line in game.rules_page().splitlines():
        if re.match(r"- [A-Z]+-C\d", line):
            found = CLAIM.fullmatch(line.rstrip())
            if not found:
                raise DuelbookError(f"A claim is one line that ends in its check, unlike: {line}")
            listed.append(Claim(*found.groups()))
    return listed


def prove(game: type[Position], progress: Progress | None = None) -> Proof:
    """Check everything there is to check about a game."""
    table = enumerate_game(game, progress=progress)
    solution = solve_table(table)
    findings = tuple(_check(claim, table, solution) for claim in claims(game))
    proof = Proof(game, table, solution, findings, {}, _readings(table))
    return replace(proof, measures=_measures(proof))


def witness(game: type[Position], finding: Finding) -> Match:
    """Return a finding's game, played by the rules."""
    match = Match.begin(game)
    for move in finding.witness or ():
        match = match.play(move)
    return match


# Checks -----------------------------------------------------------------------------------------


def _check(claim: Claim, table: Table, solution: Solution) -> Finding:
    name, *words = claim.check.split()
    if name not in CHECKS:
        raise DuelbookError(f"{claim.number} asks for a check that is not there: {claim.check}.")
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
    or_else = "is an end" if table.dead_ends else "a winner"
    return True, f"every one of {len(table):,} positions has a move or {or_else}", None


def _no_draws(table: Table, _: Solution) -> Answer:
    ruled = np.flatnonzero(table.ruled)
    if len(ruled):
        end = table.positions[int(ruled[0])]
        reason = f"{len(ruled):,} ends leave it open who wins, and only {end.ruling()} decides them"
        return False, reason, moves_to(table, int(ruled[0]))
    draws = [number for number in table.dead_ends if table.positions[number].is_draw()]
    if draws:
        return False, f"{len(draws):,} ends have no winner", moves_to(table, draws[0])
    ends = int((table.winner >= 0).sum())
    return True, f"each of {ends:,} ends has a winner by the book's own rules", None


def _ends(table: Table, _: Solution) -> Answer:
    circle = shortest_circle(table)
    if circle is None:
        return True, f"no game lasts longer than {count(longest_game(table), 'turn')}", None
    there, around = circle
    reason = f"after {count(len(there), 'turn')}, {count(len(around), 'turn')} lead back again"
    return False, reason, there + around


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
    """Return the largest value of a field, or of a pair's two, in each position."""
    values = [getattr(position, name) for position in table.positions]
    return np.array([max(v) if isinstance(v, tuple) else v for v in values], np.int64)


def _reaches(table: Table, _: Solution, name: str, number: str) -> Answer:
    values = _values(table, name)
    over = np.flatnonzero(values >= int(number))
    if len(over):
        at = int(over[0])
        return True, f"{name} can be {values[at]}", moves_to(table, at)
    return False, f"in no position is any of the {name} above {values.max()}", None


def _at_most(table: Table, _: Solution, name: str, number: str) -> Answer:
    values = _values(table, name)
    over = np.flatnonzero(values > int(number))
    if len(over):
        return False, f"{name} can be {values[over[0]]}", moves_to(table, int(over[0]))
    return True, f"in no position is any of the {name} above {values.max()}", None


CHECKS: dict[str, Callable[..., Answer]] = {
    "always-a-move": _always_a_move,
    "no-draws": _no_draws,
    "ends": _ends,
    "balanced": _balanced,
    "reaches": _reaches,
    "at-most": _at_most,
}


# Measures ---------------------------------------------------------------------------------------


def _measures(proof: Proof) -> dict[str, str]:
    table, solution, numbers = proof.table, proof.solution, proof.numbers()
    shortest, longest = nearest_end(table), longest_game(table)
    undecided = "the positions that are no ends"
    measured = {
        "best play": verdict(solution, table.positions[0]),
        "positions": f"{numbers['positions']:,}, of them {numbers['ends']:,} ends",
        "moves": f"{numbers['moves']:,}",
        "choice": f"{numbers['mean_choice']:.2f} moves on average, "
        f"{numbers['most_choice']} at most",
        "shortest game": "none" if shortest is None else count(shortest, "turn"),
        "longest game": "endless" if longest is None else count(longest, "turn"),
        "won by the player to move": f"{numbers['won_by_mover']:.1%} of {undecided}",
        "lost by the player to move": f"{numbers['lost_by_mover']:.1%} of {undecided}",
        "held by both": f"{numbers['held_by_both']:.1%} of {undecided}",
    }
    if secrecy.keeps_secrets(table.game):
        measured["never best"] = _listed(_never_best_in_secret(table, solution))
    else:
        worth = _worths(table, solution)
        measured["never best"] = _listed(_never_best(table, solution, worth))
        measured["never better than another"] = _listed(_dominated(table, worth))
    return measured


def _listed(moves: list[str]) -> str:
    return ", ".join(moves) or "no move"


def _never_best_in_secret(table: Table, solution: Solution) -> list[str]:
    best = {move for position in table.positions for move in solution.best_moves(position)}
    return [move for move in table.game.ACTIONS if move not in best]


def _worths(table: Table, solution: Solution) -> NDArray[np.int16]:
    """Return the score of every move in the table to its player."""
    worth: NDArray[np.int16] = table.to_movers(solution.scores)
    return worth - np.sign(worth)


def _never_best(table: Table, solution: Solution, worth: NDArray[np.int16]) -> list[str]:
    score = np.repeat(solution.scores, np.diff(table.rows))
    used = set(np.unique(table.actions[worth == score]).tolist())
    return [move for number, move in enumerate(table.game.ACTIONS) if number not in used]


def _dominated(table: Table, worth: NDArray[np.int16]) -> list[str]:
    """Return the moves that another does as well wherever they are legal, and somewhere better."""
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
    return [f"{named[one]} ({named[found[one]]} does as well)" for one in sorted(found)]


def _readings(table: Table) -> dict[str, str]:
    """Return the verdicts if the ends that a ruling decides had been decided otherwise."""
    if not table.ruled.any():
        return {}
    start = table.positions[0]
    ruling = table.positions[int(np.flatnonzero(table.ruled)[0])].ruling()
    other = np.where(table.ruled, 1 - table.winner, table.winner).astype(np.int8)
    nobody = np.where(table.ruled, -1, table.winner).astype(np.int8)
    return {
        f"as {ruling} has it": verdict(solve_table(table), start),
        "if the other player won such an end": verdict(
            solve_table(replace(table, winner=other)), start
        ),
        "if such an end were a draw": verdict(
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
            shown = f"A game that shows it: {game}."
            lines.append(fill(shown, 78, initial_indent=" " * 9, subsequent_indent=" " * 9))
    lines.append("\nWhat is so:")
    lines += [f"  {name}: {value}" for name, value in proof.measures.items()]
    if proof.readings:
        lines.append("\nUnder other readings:")
        lines += [f"  {name}: {value}" for name, value in proof.readings.items()]
    return "\n".join(lines)
