"""Decide which event a client's command causes in a room, or refuse the command."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager

from duelbook.chance import draw_from_seed
from duelbook.compute.worker_pool import UnavailableError
from duelbook.errors import DuelbookError, IllegalMove, InvalidMove
from duelbook.play.names import check_names, is_computer_name, tidy
from duelbook.position import CHANCE, count, player
from duelbook.web import protocol as p
from duelbook.web.games.presence import OverdueState
from duelbook.web.games.state.room import Room, Seats, step
from duelbook.web.store.game_events import GameEvent


class Refusal(DuelbookError):  # noqa: N818 # an answer, not an error
    """The refusal of a command: a sentence for people, and a code for programs."""

    def __init__(self, code: p.Code, why: str) -> None:
        super().__init__(why)
        self.code = code


@contextmanager
def refused_if_unavailable() -> Iterator[None]:
    """Turn the error of an unavailable worker process into a refusal."""
    try:
        yield
    except UnavailableError as error:
        raise Refusal(error.code, str(error)) from error


MAX_MOVES = 2_000
"""The maximum number of moves of a game.

Some games never end, and each move makes the stored game and its messages longer.
"""
MAX_REQUESTS = 500
"""The maximum number of requests of a seat. A request is a stored event that is not a move."""


def decide(
    room: Room, seats: Seats, command: p.Command, now: int, overdue: OverdueState | None = None
) -> GameEvent:
    """Return the event that a command of the holder of these seats causes, or refuse it.

    `overdue` is the state of the player to move, if they are overdue now or will be later.
    """
    if not seats:
        raise Refusal("seat", "You are watching: only the players can do this.")
    if event := ending(room, now):
        return event
    match command:
        case p.Decline():
            if room.takeback is None:
                raise Refusal("stale", "There is no request to answer.")
            return GameEvent("decline", min(seats), at=now)
        case p.AllowHelp(on):
            return _allow_help(room, seats, on, now)
        case p.Rematch():
            return _rematch(room, seats, now)
        case p.TakeOver(level):
            return _take_over(room, level, now)
        case _:
            _check_not_over(room)
            _check_turn(room, command.answers)
            return _decide_turn_command(room, seats, command, now, overdue)


def _decide_turn_command(
    room: Room, seats: Seats, command: p.TurnCommand, now: int, overdue: OverdueState | None
) -> GameEvent:
    match command:
        case p.Play(move):
            return _play(room, seats, move, now)
        case p.Resign():
            loser = _current_player(room) if len(seats) > 1 else min(seats)
            return GameEvent("resign", loser, at=now)
        case p.Abort():
            if not room.open_seats:  # otherwise it is an invitation, which the host may cancel
                _check_overdue(room, seats, "abort", overdue, now)
            return GameEvent("draw", min(seats), "aborted", now)
        case p.Claim(result):
            _check_overdue(room, seats, "claim", overdue, now)
            return _claim(room, seats, result, now)
        case p.TakeBack():
            return _take_back(room, seats, now)
        case p.Agree():
            return GameEvent("takeback", _takeback_requester(room, seats), at=now)


def chance_move(room: Room, now: int) -> GameEvent:
    """Return the event of a chance outcome."""
    if not room.chance_to_move:
        raise Refusal("stale", "Chance has moved already.")
    if cut := cut_off(room, now):
        return cut
    move = draw_from_seed(room.position, room.terms.draws, len(room.match.moves))
    return GameEvent("move", CHANCE, move, now)


def fail(room: Room, level: str, why: str, now: int) -> GameEvent:
    """Return the event that records why the computer cannot continue."""
    if room.over or room.failure or room.computer is None or room.players[room.computer] != level:
        raise Refusal("stale", "The computer no longer waits for this move.")
    return GameEvent("fail", room.computer, why, now)


def ending(room: Room, now: int) -> GameEvent | None:
    """Return the event that ends a game without a command, or None."""
    return cut_off(room, now) or out_of_time(room, now)


def cut_off(room: Room, now: int) -> GameEvent | None:
    """Return the event that ends a game with the maximum of moves as a draw, or None."""
    if room.over or len(room.match.moves) < MAX_MOVES:
        return None
    return GameEvent("draw", text="cut", at=now)


def out_of_time(room: Room, now: int) -> GameEvent | None:
    """Return the event that ends a game whose player to move is out of time, or None."""
    deadline = room.deadline()
    if deadline is None or now < deadline or room.over:
        return None
    return GameEvent("time", room.position.to_move, at=deadline)


def sit(room: Room, name: str, holder: str, *, help: bool, now: int) -> GameEvent:  # noqa: A002 # the word on the wire
    """Return the event that gives someone the open seat, or refuse it."""
    if room.over and room.open_seats:
        raise Refusal("over", "This game is over: nobody can sit down any more.")
    if not room.open_seats:
        raise Refusal("seat", "Both seats are taken: you can watch.")
    check_chosen_name(name)
    return sit_event(room, room.open_seats[0], name, holder, help=help, now=now)


def check_chosen_name(name: str) -> None:
    """Refuse a name that a person chooses if it looks like the computer's."""
    if is_computer_name(name):
        raise Refusal("invalid", f"Only the computer can be called {name}.")


def sit_event(  # noqa: PLR0913 # the data of a player who sits down
    room: Room,
    seat: int,
    name: str,
    holder: str,
    *,
    help: bool,  # noqa: A002 # the word on the wire
    now: int,
) -> GameEvent:
    """Return the event that seats a player with this name, or refuse the name."""
    name = tidy(name) or player(seat)
    names = (name, room.names[1]) if seat == 0 else (room.names[0], name)
    try:
        check_names(names)
    except DuelbookError as error:
        raise Refusal("invalid", str(error)) from error
    text = json.dumps({"name": name, "holder": holder, "help": help})
    return GameEvent("sit", seat, text, now)


def _play(room: Room, seats: Seats, move: str, now: int) -> GameEvent:
    if room.open_seats:
        raise Refusal("turn", "The other player is not here yet.")
    mover = room.position.to_move
    if mover not in seats:
        raise Refusal("turn", "It is not your turn.")
    try:
        result = step(room.position, move)
    except InvalidMove as error:
        raise Refusal("invalid", str(error)) from error
    except IllegalMove as error:
        why = room.position.why_not_to(room.listener(seats), tuple(move.split()))
        raise Refusal("illegal", why) from error
    return GameEvent("move", mover, move, now, result)


def _take_back(room: Room, seats: Seats, now: int) -> GameEvent:
    requester = _requester(seats)
    if room.takeback is not None:
        if room.takeback == requester:
            raise Refusal("stale", "You have already asked.")
        raise Refusal("stale", "Answer your opponent's request first: agree or decline.")
    _check_request_limit(room, requester)
    try:
        room.match.take_back(requester)
    except DuelbookError as error:
        raise Refusal("invalid", str(error)) from error
    at_once = requester is None or room.computer is not None
    return GameEvent("takeback" if at_once else "offer", requester, at=now)


def _claim(room: Room, seats: Seats, result: str, now: int) -> GameEvent:
    if result == "draw":
        return GameEvent("draw", min(seats), "left", now)
    return GameEvent("left", room.position.to_move, at=now)


def _check_overdue(
    room: Room, seats: Seats, action: str, overdue: OverdueState | None, now: int
) -> None:
    """Refuse to end a game whose player to move is not overdue."""
    if room.position.to_move in seats:
        raise Refusal("turn", "It is your turn: you can move, or resign.")
    if overdue is None:
        raise Refusal("turn", "The other player is connected: wait for their move.")
    if action != overdue.action:
        has_moved = "The other player has moved before: claim the victory or a draw."
        has_not = "The other player has not made a first move: you can only abort the game."
        raise Refusal("turn", has_moved if overdue.action == "claim" else has_not)
    if now < overdue.at:
        seconds = -(-(overdue.at - now) // 1000)
        raise Refusal("turn", f"Give the other player {count(seconds, 'second')} more.")


def _takeback_requester(room: Room, seats: Seats) -> int:
    """Return the seat whose takeback request these seats can answer."""
    if room.takeback is None or room.takeback in seats:
        raise Refusal("stale", "There is no request to answer.")
    return room.takeback


def _allow_help(room: Room, seats: Seats, on: bool, now: int) -> GameEvent:
    if all(room.help[seat] == on for seat in seats):
        raise Refusal("stale", "That is already set.")
    _check_request_limit(room, _requester(seats))
    return GameEvent("help", _requester(seats), "on" if on else "off", now)


def _rematch(room: Room, seats: Seats, now: int) -> GameEvent:
    if not room.over:
        raise Refusal("turn", "The game is not over: a rematch comes after it.")
    if room.open_seats:
        raise Refusal("turn", "There is no other player to play again.")
    if room.next is not None or all(room.rematch[seat] for seat in seats):
        raise Refusal("stale", "You have already asked.")
    return GameEvent("rematch", _requester(seats), at=now)


def _take_over(room: Room, level: str, now: int) -> GameEvent:
    _check_not_over(room)
    if room.computer is None or not room.failure:
        raise Refusal("turn", "Another level takes over only if the computer cannot continue.")
    _check_request_limit(room, room.computer)
    return GameEvent("level", room.computer, level, now)


def _current_player(room: Room) -> int:
    """Return the seat to move, or the seat that moved last if chance is to move."""
    turns = (position.to_move for position in reversed(room.match.positions))
    return next((seat for seat in turns if seat != CHANCE), room.match.first)


def _requester(seats: Seats) -> int | None:
    """Return the seat of the holder; None for the holder of both."""
    return None if len(seats) > 1 else min(seats)


def _check_not_over(room: Room) -> None:
    if room.over:
        raise Refusal("over", "The game is over.")


def _check_request_limit(room: Room, seat: int | None) -> None:
    """Refuse a request if its seat has reached the maximum; None stands for both seats."""
    seats = (0, 1) if seat is None else (seat,)
    if any(room.requests[seat] >= MAX_REQUESTS for seat in seats):
        why = f"A player has at most {MAX_REQUESTS} requests in a game, and these are used up"
        raise Refusal("turn", f"{why}: you can still move, answer and resign.")


def _check_turn(room: Room, answers: int) -> None:
    if answers != room.turn:
        raise Refusal("stale", "The game has moved on since.")
