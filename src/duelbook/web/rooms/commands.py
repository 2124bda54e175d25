"""Decide what a client's command does to a room, or why it is refused."""

from __future__ import annotations

import json

from duelbook.errors import DuelbookError, IllegalMove, InvalidMove
from duelbook.luck import draw_from_seed
from duelbook.play.names import check_names, tidy
from duelbook.play.sitting import take_back
from duelbook.position import LUCK, player
from duelbook.web import protocol as p
from duelbook.web.rooms.room import Event, Room, step


class Refusal(DuelbookError):  # noqa: N818 # an answer, not an error
    """A command that is refused: a sentence for people, and a code for programs."""

    def __init__(self, code: p.Code, why: str) -> None:
        super().__init__(why)
        self.code = code


Seats = frozenset[int]
MOST_MOVES = 2_000
"""The most moves of a game: storage and messages grow with them, and some games never end."""
MOST_EVENTS = 5 * MOST_MOVES


def decide(room: Room, seats: Seats, command: p.Command, now: int) -> Event:  # noqa: C901, PLR0911 # one a command
    """Return the event that a command of the holder of these seats causes, or refuse it."""
    if not seats:
        raise Refusal("seat", "You are watching: only the players can do this.")
    if flagged := out_of_time(room, now):
        return flagged
    if room.seq >= MOST_EVENTS and not isinstance(command, p.Resign):
        raise Refusal(
            "limit", "This game has reached its limit of events: it can only be resigned."
        )
    match command:
        case p.Play(move, answers):
            return _play(room, seats, move, answers, now)
        case p.Resign(answers):
            _must_go_on(room)
            _must_answer(room, answers)
            return Event("resign", _who_plays(room) if len(seats) > 1 else min(seats), at=now)
        case p.TakeBack(answers):
            _must_go_on(room)
            _must_answer(room, answers)
            return _take_back(room, seats, now)
        case p.Agree(answers):
            _must_go_on(room)
            _must_answer(room, answers)
            return Event("takeback", _asked_by_other(room, seats), at=now)
        case p.Decline():
            if room.takeback is None:
                raise Refusal("stale", "There is no request to answer.")
            return Event("decline", min(seats), at=now)
        case p.AllowHelp(on):
            return _allow_help(room, seats, on, now)
        case p.Rematch():
            return _rematch(room, seats, now)
        case p.TakeOver(level):
            return _take_over(room, level, now)


def draw(room: Room, now: int) -> Event:
    """Return the event that is luck's move."""
    if not room.luck_to_move:
        raise Refusal("stale", "Luck has moved already.")
    if room.seq >= MOST_EVENTS:
        raise Refusal("limit", "This game has reached its limit of events.")
    move = draw_from_seed(room.position, room.terms.draws, len(room.match.moves))
    return Event("move", LUCK, move, now)


def fail(room: Room, level: str, why: str, now: int) -> Event:
    """Return the event that says why the computer cannot go on."""
    if room.over or room.failed or room.computer is None or room.players[room.computer] != level:
        raise Refusal("stale", "That has passed.")
    return Event("fail", room.computer, why, now)


def out_of_time(room: Room, now: int) -> Event | None:
    """Return the event that ends a game whose player to move has no time left."""
    deadline = room.deadline()
    if deadline is None or now < deadline or room.over:
        return None
    return Event("time", room.position.to_move, at=deadline)


def sit(room: Room, name: str, holder: str, *, help: bool, now: int) -> Event:  # noqa: A002 # the word on the wire
    """Return the event that gives someone the open seat, or refuse it."""
    if not room.open_seats:
        raise Refusal("seat", "Both seats are taken: you can watch.")
    return seat_event(room, room.open_seats[0], name, holder, help=help, now=now)


def seat_event(  # noqa: PLR0913 # all that is to be known of who sits down
    room: Room,
    seat: int,
    name: str,
    holder: str,
    *,
    help: bool,  # noqa: A002 # the word on the wire
    now: int,
) -> Event:
    """Return the event that seats someone of this name, or refuse the name."""
    name = tidy(name) or player(seat)
    names = (name, room.names[1]) if seat == 0 else (room.names[0], name)
    try:
        check_names(names)
    except DuelbookError as error:
        raise Refusal("invalid", str(error)) from error
    text = json.dumps({"name": name, "holder": holder, "help": help})
    return Event("sit", seat, text, now)


def _play(room: Room, seats: Seats, move: str, answers: int, now: int) -> Event:
    _must_go_on(room)
    _must_answer(room, answers)
    if room.open_seats:
        raise Refusal("turn", "The other player is not here yet.")
    if len(room.match.moves) >= MOST_MOVES:
        raise Refusal("limit", f"A game has at most {MOST_MOVES:,} moves here.")
    mover = room.position.to_move
    if mover not in seats:
        raise Refusal("turn", "It is not your turn.")
    try:
        step(room.position, move)
    except InvalidMove as error:
        raise Refusal("invalid", str(error)) from error
    except IllegalMove as error:
        raise Refusal("illegal", str(error)) from error
    return Event("move", mover, move, now)


def _take_back(room: Room, seats: Seats, now: int) -> Event:
    asker = _who(seats)
    if room.takeback is not None:
        mine = room.takeback == asker
        said = (
            "You have already asked."
            if mine
            else "Answer your opponent's request first: agree or decline."
        )
        raise Refusal("stale", said)
    try:
        take_back(room.match, asker)
    except DuelbookError as error:
        raise Refusal("invalid", str(error)) from error
    at_once = asker is None or room.computer is not None
    return Event("takeback" if at_once else "offer", asker, at=now)


def _asked_by_other(room: Room, seats: Seats) -> int:
    """Return the seat whose takeback request these seats can answer."""
    if room.takeback is None or room.takeback in seats:
        raise Refusal("stale", "There is no request to answer.")
    return room.takeback


def _allow_help(room: Room, seats: Seats, on: bool, now: int) -> Event:
    if all(room.help[seat] == on for seat in seats):
        raise Refusal("stale", "That is already set.")
    return Event("help", _who(seats), "on" if on else "off", now)


def _rematch(room: Room, seats: Seats, now: int) -> Event:
    if not room.over:
        raise Refusal("turn", "The game goes on: a rematch comes after it.")
    if room.open_seats:
        raise Refusal("turn", "There is no other player to play again.")
    if room.next is not None or all(room.rematch[seat] for seat in seats):
        raise Refusal("stale", "You have already asked.")
    return Event("rematch", _who(seats), at=now)


def _take_over(room: Room, level: str, now: int) -> Event:
    _must_go_on(room)
    if room.computer is None or not room.failed:
        raise Refusal("turn", "Another level takes over only when the computer cannot go on.")
    return Event("level", room.computer, level, now)


def _who_plays(room: Room) -> int:
    """Return the seat to move; where luck is, the one that moved last."""
    turns = (position.to_move for position in reversed(room.match.positions))
    return next((seat for seat in turns if seat != LUCK), room.match.first)


def _who(seats: Seats) -> int | None:
    """Return the one seat, or None for a holder of both."""
    return None if len(seats) > 1 else min(seats)


def _must_go_on(room: Room) -> None:
    if room.over:
        raise Refusal("over", "The game is over.")


def _must_answer(room: Room, answers: int) -> None:
    if answers != room.turn:
        raise Refusal("stale", "The game has moved on since.")
