"""The costliest mistakes of a tournament, each with the board and the player's reply."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from duelbook.arena.measures.regret import Turn, judge
from duelbook.arena.run.game_record import GameRecord
from duelbook.arena.tournament.folder import Folder
from duelbook.catalog.registry import find
from duelbook.position import CHANCE, Position
from duelbook.solver.oracle import VALUE_TOLERANCE


@dataclass(frozen=True)
class Mistake:
    """A move with regret."""

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
    """The reply of a language model; empty for other players."""


def costliest(folder: Folder, players: Iterable[str], limit: int = 12) -> list[Mistake]:
    """Return the costliest mistakes of several players and games.

    Take the worst one of each player in each game, then the second worst, and so on up to `limit`.
    """
    labels = set(players)
    by_player_and_game: dict[tuple[str, str], list[LoggedMistake]] = {}
    for mistake in _mistakes(folder, labels):
        mistakes = by_player_and_game.setdefault((mistake.player, mistake.game["game"]), [])
        mistakes.append(mistake)
        mistakes.sort(key=lambda shown: shown.rank)
        del mistakes[limit:]
    ranked = sorted(
        (
            (nth, mistake)
            for mistakes in by_player_and_game.values()
            for nth, mistake in enumerate(mistakes)
        ),
        key=lambda pair: (pair[0], pair[1].rank),
    )
    shown = [mistake for _, mistake in ranked[:limit]]
    calls = _replies(
        folder, {call for mistake in shown for call in _calls(mistake.game, mistake.turn)}
    )
    return [_mistake(mistake.turn, mistake.game, calls) for mistake in shown]


@dataclass(frozen=True, slots=True)
class LoggedMistake:
    """A mistake in the log."""

    player: str
    regret: float
    turn: Turn
    game: GameRecord

    @property
    def rank(self) -> tuple[float, int, str]:
        """The sort key: the costliest mistake first, then the earliest."""
        return -self.regret, self.turn.ply, str(self.game["id"])


def _mistakes(folder: Folder, players: set[str]) -> Iterator[LoggedMistake]:
    """Yield every mistake; skip the same move of a player in the same view at the same ply."""
    seen: set[tuple[str, str, str, int, Position]] = set()
    for game in folder.games():
        if not players & set(game["players"]):
            continue
        kind = find(game["game"])
        moves = [*game["opening"], *game["moves"]]
        positions = _positions(kind, moves)
        for turn in judge(kind).turns(moves)[len(game["opening"]) :]:
            if turn.seat == CHANCE or turn.is_best:
                continue
            player = game["players"][turn.seat]
            view = positions[turn.ply].view(turn.seat)
            key = player, game["game"], turn.move, turn.ply, view
            if player in players and key not in seen:
                seen.add(key)
                yield LoggedMistake(player, turn.regret / kind.largest_payoff, turn, game)


def _positions(kind: type[Position], moves: Iterable[str]) -> list[Position]:
    """Return the start of a game and the position after each move."""
    positions: list[Position] = [kind.start()]
    for move in moves:
        positions.append(positions[-1].apply(move))
    return positions


def _calls(game: GameRecord, turn: Turn) -> list[str]:
    ply = turn.ply - len(game["opening"])
    return [
        call
        for model_turn in game["turns"]
        if model_turn["ply"] == ply
        for call in model_turn["calls"]
    ]


def _replies(folder: Folder, ids: set[str]) -> dict[str, str]:
    return {call["id"]: str(call["said"]) for call in folder.calls() if call["id"] in ids}


def _mistake(turn: Turn, game: GameRecord, calls: dict[str, str]) -> Mistake:
    kind = find(game["game"])
    moves = [*game["opening"], *game["moves"]][: turn.ply]
    positions = _positions(kind, moves)
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
