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
from duelbook.players import Player
from duelbook.players.asking import answer
from duelbook.players.failures import Failure
from duelbook.position import CHANCE, Position
from duelbook.secrecy import SeatRecord, keeps_secrets

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
        calls: list[Any] = getattr(player, "calls", [])
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
    table = _Table(game, task, players)
    random = Random(f"{task.id} 0"), Random(f"{task.id} 1")
    clock, forfeit = SeatTimes(), None
    while len(table.moves) < limits.plies and table.position.moves():
        seat = table.position.to_move
        if seat == CHANCE:
            table.play(draw_from_seed(table.position, task.pair, len(table.moves)))
            continue
        ply = len(table.moves) - len(task.opening)
        try:
            watch(seat, table.moves)
            with clock.turn(ply, seat, players[seat]):
                move = answer(players[seat], table.record(seat), random[seat])
            watch(None, table.moves)
            table.play(move)
        except Failure as failure:
            watch(None, table.moves)
            forfeit = {"seat": seat, "kind": failure.kind, "said": failure.said[:MAX_REPLY_LENGTH]}
            break
    moves = table.moves[len(task.opening) :]
    return line(task, moves, clock, table.position.outcome(), forfeit)


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


class _Table:
    """The game so far, and what each seat has seen and heard of it."""

    def __init__(
        self, game: type[Position], task: GameTask, players: tuple[Player, Player]
    ) -> None:
        self.position = game.start()
        self.moves: list[str] = []
        self._positions = [self.position]
        self._records = [SeatRecord(seat, self.position.view(seat)) for seat in (0, 1)]
        self._remember = [keeps_secrets(game) or _remembers(player) for player in players]
        for move in task.opening:
            self.play(move)

    def play(self, move: str) -> None:
        """Make a move, or refuse it with the book's reason."""
        try:
            self.position = self.position.play(move)
        except (IllegalMove, InvalidMove) as error:
            raise Failure("ILLEGAL", f"{move!r:.80}: {error}") from error
        self.moves.append(move)
        self._positions.append(self.position)

    def record(self, seat: int) -> SeatRecord:
        """Return what a seat has seen and heard; a player that remembers nothing gets its view."""
        if not self._remember[seat]:
            return SeatRecord(seat, self.position)
        record = self._records[seat]
        for at in range(len(record.steps), len(self.moves)):
            record = record.after(self._positions[at], self.moves[at], self._positions[at + 1])
        self._records[seat] = record
        return record


def _remembers(player: Player) -> bool:
    """Whether the choices of a player may depend on more than the position."""
    return hasattr(player, "choose_from_record") and getattr(player, "remembers", True)


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
