"""Play one game of a tournament from its opening, within limits, and return its record."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from random import Random
from time import perf_counter
from typing import Any

from duelbook.arena.run.game_record import Forfeit, GameRecord, ModelTurn, game_record
from duelbook.arena.tournament.schedule import GameTask
from duelbook.arena.tournament.tournament_file import GameLimits
from duelbook.chance import draw_from_seed
from duelbook.errors import IllegalMove, InvalidMove
from duelbook.play.playthrough import Playthrough
from duelbook.players import Player
from duelbook.players.asking import answer
from duelbook.players.failures import Failure
from duelbook.position import CHANCE, Position

Watch = Callable[[int | None, Sequence[str]], None]
"""Called with the seat that starts to think and the moves so far; with None after its move."""
MAX_REPLY_LENGTH = 2_000
"""The maximum number of stored characters of a failed reply."""


class SeatTimes:
    """The seconds of each seat, and the turns of language models."""

    def __init__(self) -> None:
        self.seconds = [0.0, 0.0]
        self.turns: list[ModelTurn] = []

    @contextmanager
    def turn(self, ply: int, seat: int, player: Player) -> Iterator[None]:
        """Measure the time of a turn, and store the player's calls in this turn."""
        calls = player.calls
        calls_before, start = len(calls), perf_counter()
        try:
            yield
        finally:
            seconds = perf_counter() - start
            self.seconds[seat] += seconds
            if turn_calls := calls[calls_before:]:
                self.turns.append(_model_turn(ply, seat, seconds, turn_calls))


def play_game(
    game: type[Position],
    task: GameTask,
    players: tuple[Player, Player],
    limits: GameLimits,
    watch: Watch = lambda *_: None,
) -> GameRecord:
    """Play a game to its end, a limit or a forfeit; a provider's error passes through."""
    playthrough = Playthrough(game.start(), task.opening)
    moves = playthrough.moves
    random = Random(f"{task.id} 0"), Random(f"{task.id} 1")
    times = SeatTimes()
    forfeit: Forfeit | None = None
    while len(moves) < limits.plies and playthrough.position.moves():
        seat = playthrough.position.to_move
        if seat == CHANCE:
            playthrough.play(draw_from_seed(playthrough.position, task.pair, len(moves)))
            continue
        player = players[seat]
        try:
            watch(seat, moves)
            with times.turn(len(moves) - len(task.opening), seat, player):
                record = playthrough.record(seat, remembers=player.remembers)
                move = answer(player, record, random[seat])
            watch(None, moves)
            _play(playthrough, move)
        except Failure as failure:
            watch(None, moves)
            forfeit = {
                "seat": seat,
                "kind": failure.kind,
                "said": failure.reason[:MAX_REPLY_LENGTH],
            }
            break
    outcome = playthrough.position.outcome()
    ms = [round(seconds * 1000) for seconds in times.seconds]
    return game_record(task, moves[len(task.opening) :], outcome, forfeit, ms, times.turns)


def _play(playthrough: Playthrough, move: str) -> None:
    """Play a player's move; an illegal move is the player's failure."""
    try:
        playthrough.play(move)
    except (IllegalMove, InvalidMove) as error:
        raise Failure("ILLEGAL", f"{move!r:.80}: {error}") from error


def _model_turn(ply: int, seat: int, seconds: float, calls: Sequence[Any]) -> ModelTurn:
    costs = [call.cost for call in calls]
    return {
        "ply": ply,
        "seat": seat,
        "ms": round(seconds * 1000),
        "tries": len(calls),
        "calls": [call.id for call in calls],
        "tokens_in": sum(call.tokens_in for call in calls),
        "tokens_out": sum(call.tokens_out for call in calls),
        "reasoning": sum(call.reasoning for call in calls),
        "cost": None if None in costs else sum(costs),
    }
