"""One game of a tournament: played from its opening, within limits, into a line of the log."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from random import Random
from time import perf_counter
from typing import Any

from duelbook.arena.tournament.schedule import GameTask
from duelbook.arena.tournament.tournament_file import GameLimits
from duelbook.chance import draw_from_seed
from duelbook.errors import IllegalMove, InvalidMove
from duelbook.outcome import Outcome
from duelbook.play.playthrough import Playthrough
from duelbook.players import Player
from duelbook.players.asking import answer
from duelbook.players.failures import Failure
from duelbook.position import CHANCE, Position

GameRecord = dict[str, Any]
"""A line of `games.jsonl`."""
Watch = Callable[[int | None, Sequence[str]], None]
"""Is told which seat begins to think after which moves, and None when it has moved."""
MAX_REPLY_LENGTH = 2_000
"""The characters that are kept of what a player said when it failed."""


class SeatTimes:
    """The time of each seat, and the turns for which language models were called."""

    def __init__(self) -> None:
        self.seconds = [0.0, 0.0]
        self.turns: list[dict[str, Any]] = []

    @contextmanager
    def turn(self, ply: int, seat: int, player: Player) -> Iterator[None]:
        """Note the time of a turn, and the calls that the player made for it."""
        calls = player.calls
        before, began = len(calls), perf_counter()
        try:
            yield
        finally:
            took = perf_counter() - began
            self.seconds[seat] += took
            if made := calls[before:]:
                turn = {"ply": ply, "seat": seat, "ms": round(took * 1000)}
                self.turns.append(turn | _usage(made))


def play_game(
    game: type[Position],
    task: GameTask,
    players: tuple[Player, Player],
    limits: GameLimits,
    watch: Watch = lambda *_: None,
) -> GameRecord:
    """Play a game to its end, a limit or a forfeit; an error of a provider passes through."""
    playthrough = Playthrough(game.start(), task.opening)
    moves = playthrough.moves
    random = Random(f"{task.id} 0"), Random(f"{task.id} 1")
    clock, forfeit = SeatTimes(), None
    while len(moves) < limits.plies and playthrough.position.moves():
        seat = playthrough.position.to_move
        if seat == CHANCE:
            playthrough.play(draw_from_seed(playthrough.position, task.pair, len(moves)))
            continue
        player = players[seat]
        try:
            watch(seat, moves)
            with clock.turn(len(moves) - len(task.opening), seat, player):
                record = playthrough.record(seat, remembers=player.remembers)
                move = answer(player, record, random[seat])
            watch(None, moves)
            _play(playthrough, move)
        except Failure as failure:
            watch(None, moves)
            forfeit = {"seat": seat, "kind": failure.kind, "said": failure.said[:MAX_REPLY_LENGTH]}
            break
    outcome = playthrough.position.outcome()
    return line(task, moves[len(task.opening) :], clock, outcome, forfeit)


def _play(playthrough: Playthrough, move: str) -> None:
    """Play a player's move; an illegal one is the player's failure."""
    try:
        playthrough.play(move)
    except (IllegalMove, InvalidMove) as error:
        raise Failure("ILLEGAL", f"{move!r:.80}: {error}") from error


def line(
    task: GameTask,
    moves: Sequence[str],
    clock: SeatTimes,
    outcome: Outcome | None,
    forfeit: Mapping[str, Any] | None,
) -> GameRecord:
    """Return the record of a game that ended by the rules, by a forfeit, or at the limit."""
    end, winner, payoffs = "cut", None, [0.0, 0.0]
    if forfeit:
        winner = 1 - forfeit["seat"]
        end, payoffs = "forfeit", [1.0, -1.0] if winner == 0 else [-1.0, 1.0]
    elif outcome:
        end, winner, payoffs = "rules", outcome.winner, list(outcome.payoffs)
    return {
        "id": task.id,
        "pair": task.pair,
        "game": task.game,
        "book": task.book,
        "opening": list(task.opening),
        "round": task.round,
        "players": list(task.players),
        "moves": list(moves),
        "end": end,
        "winner": winner,
        "payoffs": payoffs,
        "forfeit": forfeit,
        "ms": [round(one * 1000) for one in clock.seconds],
        "turns": clock.turns,
    }


def _usage(calls: Sequence[Any]) -> dict[str, Any]:
    costs = [call.cost for call in calls]
    return {
        "tries": len(calls),
        "calls": [call.id for call in calls],
        "tokens_in": sum(call.tokens_in for call in calls),
        "tokens_out": sum(call.tokens_out for call in calls),
        "reasoning": sum(call.reasoning for call in calls),
        "cost": None if None in costs else sum(costs),
    }
