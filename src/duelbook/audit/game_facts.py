"""The facts about a game, recorded one by one as soon as they are known."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np

from duelbook.analysis.paths import longest_game, moves_to, shortest_cycle
from duelbook.analysis.score_texts import seat_of
from duelbook.audit.audit_record import (
    BREAKS,
    CHECKING,
    EXAMINED,
    GYM_STYLE,
    MAX_TEXT_LENGTH,
    RULES,
    TOO_LARGE,
    AuditLimits,
    texts,
)
from duelbook.catalog.faults import error_text
from duelbook.catalog.gym.gym_games import IGNORED, REFUSED, WORST_FIRST, Environment
from duelbook.conformance import check
from duelbook.errors import DuelbookError, TooLarge
from duelbook.position import CHANCE, Position, player
from duelbook.secrecy import keeps_secrets
from duelbook.solver.enumeration.enumerator import enumerate_game
from duelbook.solver.solve import solve_table
from duelbook.solver.tables.position_table import Table

Note = Callable[[dict[str, Any]], None]
MAX_TRIED_POSITIONS = 200  # in which invalid moves are tried


def note_facts(game: type[Position], limits: AuditLimits, note: Note) -> None:
    """Record all facts about a game; the slowest come last."""
    kind = GYM_STYLE if issubclass(game, Environment) else RULES
    note({"kind": kind, "title": str(game.title)[:MAX_TEXT_LENGTH]})
    note({"assumptions": texts(game.assumptions)})
    try:
        if issubclass(game, Environment):
            _note_invalid_moves(game, note)
        table = enumerate_game(game, max_positions=limits.positions)
        note({"positions": len(table), "complete": True})
        _note_table(table, note)
        _note_solution(table, note)
        note({"outcome": EXAMINED})
    except MemoryError:
        raise
    except TooLarge as error:
        note(
            {
                "outcome": TOO_LARGE,
                "reason": str(error)[:MAX_TEXT_LENGTH],
                "positions": limits.positions,
            }
        )
    except (Exception, SystemExit) as error:  # the author's code may raise anything
        reason = (
            str(error) if isinstance(error, DuelbookError) else f"It raises {error_text(error)}."
        )
        note({"outcome": BREAKS, "reason": reason[:MAX_TEXT_LENGTH]})
    note({"stage": CHECKING})
    _note_breaches(game, limits, note)


def _note_breaches(game: type[Position], limits: AuditLimits, note: Note) -> None:
    report = check(game, max_positions=limits.positions)
    note(
        {
            "checked": True,
            "breaches": [
                {
                    "kind": breach.kind,
                    "text": breach.text[:MAX_TEXT_LENGTH],
                    "moves": texts(breach.moves),
                }
                for breach in report.breaches
            ],
        }
    )


def _note_invalid_moves(game: type[Environment], note: Note) -> None:
    """Record the worst reaction to an invalid move, and the shortest game that leads to it."""
    worst = ""
    witness: tuple[str, ...] = ()
    for position, moves in _nearest(game):
        valid = set(position.valid())
        for number in (n for n in range(len(game.ACTIONS)) if n not in valid):
            answer = position.answer_to(number)
            if not worst or WORST_FIRST.index(answer) < WORST_FIRST.index(worst):
                worst, witness = answer, (*moves, game.ACTIONS[number])
    shown = () if worst in (REFUSED, IGNORED) else witness
    note({"invalid": worst or "none to try", "invalid_witness": texts(shown)})


def _nearest(game: type[Environment]) -> Iterator[tuple[Environment, tuple[str, ...]]]:
    """Yield the non-terminal positions nearest to the start, and the moves to each."""
    start = game()
    seen = {start}
    todo: deque[tuple[Environment, tuple[str, ...]]] = deque([(start, ())])
    count = 0
    while todo and count < MAX_TRIED_POSITIONS:
        position, moves = todo.popleft()
        if position.reward is not None:
            continue
        yield position, moves
        count += 1
        for move in position.moves():
            after = position.apply(move)
            if after not in seen:
                seen.add(after)
                todo.append((after, (*moves, move)))


def _note_table(table: Table, note: Note) -> None:
    choice = np.diff(table.rows)
    busy = (choice > 0) & (table.mover != CHANCE)
    draws, stuck = table.draws, table.dead_ends
    cycle = shortest_cycle(table)
    note(
        {
            "ends": cycle is None,
            "endless_witness": texts([*cycle[0], *cycle[1]] if cycle else []),
            "stuck": len(stuck),
            "stuck_witness": texts(moves_to(table, stuck[0]) if stuck else []),
            "draws": len(draws),
            "longest": longest_game(table),
            "branching": round(float(choice[busy].mean()), 3) if busy.any() else 0.0,
            **_turns(table),
        }
    )


def _turns(table: Table) -> dict[str, Any]:
    """Return the order of turns, and notes on unusual turns and terminal positions.

    A move that leads to chance changes no turn yet, so it counts for neither side.
    """
    busy = (np.diff(table.rows) > 0) & (table.mover != CHANCE)
    continues = busy[table.after] & busy[table.sources]
    same = (table.mover[table.sources] == table.mover[table.after]) & continues
    movers = set(table.mover[busy].tolist())
    notes = []
    if same.any() and len(movers) == 1:
        notes.append(f"{player(movers.pop())} makes every move.")
        turns = "never change"
    else:
        turns = "alternate" if not same.any() else "do not always change"
    won = table.winner >= 0
    is_gym_style = issubclass(table.game, Environment)
    if is_gym_style and table.ruled.any() and (table.ruled == won).all():
        notes.append("Every decisive game ends with a negative reward.")
    return {"turns": turns, "notes": notes}


def _note_solution(table: Table, note: Note) -> None:
    try:
        solution = solve_table(table)
    except DuelbookError as error:  # for example, too many histories
        note({"notes": texts([str(error)])})
        return
    start = table.positions[0]
    first = seat_of(start)
    value = solution.value_for(first, start)
    if value in (-1, 1) and table.paid is None:
        winner = player(first if value > 0 else 1 - first)
    elif not value:
        winner = "nobody"
    elif keeps_secrets(table.game):  # best play may be a mixed strategy
        winner = f"mixed ({value:+.3f} to {player(first)})"
    else:
        winner = f"value {value:+.3f} to {player(first)}"
    note({"winner": winner, "plies": solution.distance(start)})
