"""The costliest mistakes of a tournament, each with the board and what its player said."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from duelbook.arena.measures.regret import Turn, judge
from duelbook.arena.run.game_record import GameRecord
from duelbook.arena.tournament.folder import Folder
from duelbook.catalog.registry import find
from duelbook.position import CHANCE, Position
from duelbook.solver.oracle import VALUE_TOLERANCE


@dataclass(frozen=True)
class Mistake:
    """A move that gave something away."""

    player: str
    opponent: str
    title: str
    seat: int
    number: int
    move: str
    regret: float
    best: tuple[str, ...]
    board: str
    """The position as its player saw it."""
    said: str
    """What a language model answered, or nothing."""


def costliest(folder: Folder, players: Iterable[str], most: int = 12) -> list[Mistake]:
    """Return the costliest mistakes: of each player in each game first one, then a second one."""
    wanted = set(players)
    by_whom: dict[tuple[str, str], list[LoggedMistake]] = {}
    for one in _mistakes(folder, wanted):
        mine = by_whom.setdefault((one.player, one.game["game"]), [])
        mine.append(one)
        mine.sort(key=lambda found: found.rank)
        del mine[most:]
    in_turn = sorted(
        ((nth, one) for mine in by_whom.values() for nth, one in enumerate(mine)),
        key=lambda pair: (pair[0], pair[1].rank),
    )
    found = [one for _, one in in_turn[:most]]
    calls = _said(folder, {call for one in found for call in _calls(one.game, one.turn)})
    return [_told(one.turn, one.game, calls) for one in found]


@dataclass(frozen=True, slots=True)
class LoggedMistake:
    """A mistake in the log."""

    player: str
    regret: float
    turn: Turn
    game: GameRecord

    @property
    def rank(self) -> tuple[float, int, str]:
        """The costliest first, and of these the earliest."""
        return -self.regret, self.turn.ply, str(self.game["id"])


def _mistakes(folder: Folder, players: set[str]) -> Iterator[LoggedMistake]:
    """Yield every mistake; of the same mistake of a player, only the first."""
    seen: set[tuple[str, str, str, int]] = set()
    for game in folder.games():
        if not players & set(game["players"]):
            continue
        kind = find(game["game"])
        moves = [*game["opening"], *game["moves"]]
        for turn in judge(kind).turns(moves)[len(game["opening"]) :]:
            if turn.seat == CHANCE or turn.is_best:
                continue
            who = game["players"][turn.seat]
            key = who, game["game"], turn.move, turn.ply
            if who in players and key not in seen:
                seen.add(key)
                yield LoggedMistake(who, turn.regret / kind.largest_payoff, turn, game)


def _calls(game: GameRecord, turn: Turn) -> list[str]:
    ply = turn.ply - len(game["opening"])
    return [call for one in game["turns"] if one["ply"] == ply for call in one["calls"]]


def _said(folder: Folder, wanted: set[str]) -> dict[str, str]:
    return {call["id"]: str(call["said"]) for call in folder.calls() if call["id"] in wanted}


def _told(turn: Turn, game: GameRecord, calls: dict[str, str]) -> Mistake:
    kind: Any = find(game["game"])
    positions: list[Position] = [kind.start()]
    moves = [*game["opening"], *game["moves"]][: turn.ply]
    for move in moves:
        positions.append(positions[-1].apply(move))
    values = judge(kind).move_values(positions, moves)
    best = tuple(
        move for move, value in values.items() if value >= max(values.values()) - VALUE_TOLERANCE
    )
    return Mistake(
        game["players"][turn.seat],
        game["players"][1 - turn.seat],
        kind.title,
        turn.seat,
        turn.ply + 1,
        turn.move,
        turn.regret / kind.largest_payoff,
        best,
        positions[-1].view(turn.seat).board(),
        "\n\n".join(calls[call] for call in _calls(game, turn) if call in calls),
    )
