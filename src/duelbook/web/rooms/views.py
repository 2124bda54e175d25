"""Views: what a player or a spectator is sent about a room."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from duelbook import luck, secrecy
from duelbook.play.series import PERSON
from duelbook.position import LUCK, Position, next_words
from duelbook.web import protocol as p
from duelbook.web.rooms.commands import Refusal
from duelbook.web.rooms.room import Room
from duelbook.web.rooms.scene_json import picture

Seats = frozenset[int]
WATCHING: Seats = frozenset()
encode = msgspec.json.Encoder().encode


def snapshot(room: Room, seats: Seats, now: int) -> p.Snapshot:
    """Return a snapshot of a room."""
    return p.Snapshot(
        id=room.terms.id,
        book=room.terms.game.slug,
        title=room.terms.game.title,
        welcome=secrecy.public_view(room.match.positions[0]).welcome(),
        first=room.match.first,
        seq=room.seq,
        turn=room.turn,
        seats=sorted(seats),
        moves=list(room.seen_by(seats)),
        movers=movers(room),
        told=list(room.told),
        status=status(room, now),
        view=view(room.position, seats, over=room.over),
    )


def update(before: Room, room: Room, seats: Seats, now: int) -> p.Update:
    """Return the changes between two states of a room."""
    message = _update_but_for_view(before, room, seats, now)
    if room.turn != before.turn:
        message.view = view(room.position, seats, over=room.over)
    return message


class UpdateFrames:
    """The updates about one change, encoded: most of each is the same for everyone."""

    def __init__(self, before: Room, room: Room, now: int) -> None:
        self._before, self._room, self._now = before, room, now
        self._begun: dict[Seats, bytes] = {}

    def frame(self, seats: Seats, reply: int | None = None) -> str:
        """Return what `update` would, as text."""
        room, before = self._room, self._before
        who = seats if room.memories else WATCHING  # without secrets everyone knows the same
        begun = self._begun.get(who)
        if begun is None:
            message = _update_but_for_view(before, room, seats, self._now)
            begun = self._begun[who] = encode(message)[:-1]
        end = b"}" if reply is None else b',"reply":%d}' % reply
        if room.turn != before.turn:
            end = b',"view":%b%b' % (_encoded_view(room.position, seats, room.over), end)
        return (begun + end).decode()


def _update_but_for_view(before: Room, room: Room, seats: Seats, now: int) -> p.Update:
    message = p.Update(seq=room.seq, turn=room.turn, kept=len(room.match.moves))
    if room.turn != before.turn:
        known, moves = before.seen_by(seats), room.seen_by(seats)
        if room.memories:
            message.kept = _shared(known, moves)
        else:  # without secrets, moves only come and go at the end
            message.kept = min(len(known), len(moves))
        message.moves = list(moves[message.kept :])
        message.movers = movers(room, message.kept)
        message.told = list(room.told[message.kept :])
    if room.noted != before.noted:
        message.status = status(room, now)
    return message


def movers(room: Room, after: int = 0) -> list[int]:
    """Return who made each move, from a number on."""
    return [position.to_move for position in room.match.positions[after:-1]]


def _shared(some: tuple[str, ...], others: tuple[str, ...]) -> int:
    """Return the length of the common prefix of two lists of moves."""
    if others[: len(some)] == some:  # as nearly always
        return len(some)
    pairs = enumerate(zip(some, others, strict=False))
    return next((at for at, (one, other) in pairs if one != other), min(len(some), len(others)))


def status(room: Room, now: int) -> p.Status:
    """Return everything about the game but its position."""
    clocks = None
    if room.terms.clock:
        running = None if room.since is None else room.position.to_move
        clocks = p.Clocks(list(room.left_at(now)), room.terms.clock[1], running)
    return p.Status(
        chairs=[_chair(room, seat) for seat in (0, 1)],
        help=list(room.help),
        rematch=list(room.rematch),
        takeback=room.takeback,
        next=room.next,
        result=_result(room),
        clocks=clocks,
        draws=_draws(room),
        failed=room.failed,
    )


def _chair(room: Room, seat: int) -> p.Chair:
    level = room.players[seat]
    if level != PERSON:
        return p.Chair("computer", room.names[seat], level)
    return p.Chair("open" if seat in room.open_seats else "person", room.names[seat])


def _result(room: Room) -> p.Result | None:
    if not room.over:
        return None
    winner, outcome = room.match.winner(), room.match.outcome()
    if room.match.resigned is not None:
        return p.Result(winner, room.match.lost_by)
    if room.match.drawn_by is not None:
        return p.Result(None, room.match.drawn_by)
    scores = outcome and outcome.paid is not None and list(outcome.payoffs)
    return p.Result(winner, "play" if winner is not None else "draw", scores or None)


def _draws(room: Room) -> p.Draws | None:
    """Return the promise that binds the draws, and after the game the seed that shows it kept."""
    seed = room.terms.draws
    if not seed:
        return None
    return p.Draws(luck.commitment(seed), seed if room.over else "", room.brought)


def record(room: Room, seats: Seats) -> p.Record:
    """Return what a seat has seen and heard; who holds both seats or none has no record."""
    if len(seats) != 1:
        raise Refusal("seat", "Only the holder of one seat has a record.")
    found = room.record(min(seats))
    steps = [p.Heard(told, view.to_json(), own) for own, told, view in found.steps]
    return p.Record(room.turn, found.seat, found.start.to_json(), steps)


def drawn(room: Room) -> list[p.Drawn]:
    """Return what could fall at each draw of this server, so that anyone can check what fell."""
    positions = room.match.positions[room.brought : -1]
    return [
        p.Drawn(turn, list(odds := position.odds()), list(odds.values()))
        for turn, position in enumerate(positions, start=room.brought)
        if position.to_move == LUCK
    ]


# A position -------------------------------------------------------------------------------------


def view(position: Position, seats: Seats, *, over: bool) -> p.View:
    """Return a position as the holder of these seats may see it."""
    look = position.view(min(seats)) if len(seats) == 1 else secrecy.public_view(position)
    shown = p.View(
        position=look.to_json(),
        to_move=position.to_move,
        board=look.board(),
        scene=picture(look),
        turn="" if over else look.turn(),
    )
    if not over and position.to_move in seats:
        if len(seats) > 1 and has_hand(position):
            shown.private = True
            return shown
        mine = position.view(position.to_move)
        shown.legal = mine.moves()
        shown.questions, shown.heard = _questions(mine, shown.legal)
        shown.aliases = dict(position.ALIASES)
        shown.sealed = secrecy.is_sealed(position, ())
    return shown


def has_hand(position: Position) -> bool:
    """Whether the player to move knows something that the public does not."""
    mover = position.to_move
    return mover != LUCK and secrecy.has_hand(position, mover)


def _questions(position: Position, legal: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """Return what the book asks, and what it says, after each beginning of a move."""
    asked, heard = {}, {}
    beginnings = {tuple(move.split()[:n]): None for move in legal for n in range(len(move.split()))}
    for words in beginnings:
        if len(next_words(legal, words)) > 1 and (question := position.ask(words)):
            asked[" ".join(words)] = question
        if said := position.hear(words):
            heard[" ".join(words)] = said
    return asked, heard


@lru_cache(maxsize=20_000)
def _encoded_view(position: Position, seats: Seats, over: bool) -> bytes:
    """Return a view as JSON, cached: games pass through the same positions again and again."""
    return encode(view(position, seats, over=over))


# A game step by step ----------------------------------------------------------------------------


def steps(room: Room) -> p.Steps:
    """Return the positions of a game as the public may see them now."""
    match = room.match.without_secrets()
    shown = [one if room.over else secrecy.public_view(one) for one in match.positions]
    movers = [position.to_move for position in match.positions]
    found = [_step(shown[0])]
    for number, move in enumerate(match.moves, start=1):
        step = _step(shown[number])
        step.move, step.seat, step.told = move, movers[number - 1], room.told[number - 1]
        found.append(step)
    return p.Steps(found)


def _step(position: Position) -> p.Step:
    return p.Step(position.board(), picture(position))
