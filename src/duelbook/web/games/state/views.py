"""Views: the messages about a room to a player or a spectator."""

from __future__ import annotations

from collections.abc import Generator
from functools import lru_cache
from typing import Any

import msgspec

from duelbook import chance, secrecy
from duelbook.listener import BOOK, Listener
from duelbook.play.series import PERSON
from duelbook.position import CHANCE, Position, next_words, without_prompt
from duelbook.web import protocol as p
from duelbook.web.games.commands import Refusal
from duelbook.web.games.state.move_sentences import end_reason
from duelbook.web.games.state.room import Room, Seats
from duelbook.web.scene_json import picture

WATCHING: Seats = frozenset()
RECEIVERS: tuple[Seats, ...] = (WATCHING, frozenset({0}), frozenset({1}), frozenset({0, 1}))
encode = msgspec.json.Encoder().encode


def snapshot(room: Room, seats: Seats, now: int) -> p.Snapshot:
    """Return a snapshot of a room."""
    listener = room.listener(seats)
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
        told=list(room.texts),
        said=sentences(room, listener),
        status=status(room, now, listener),
        view=view(room.position, seats, over=room.over),
    )


def update(before: Room, room: Room, seats: Seats, now: int) -> p.Update:
    """Return the changes between two states of a room."""
    message = _update_without_view(before, room, seats, now)
    message.said = sentences(room, room.listener(seats), message.kept)
    if room.turn != before.turn:
        message.view = view(room.position, seats, over=room.over)
    return message


class UpdateFrames:
    """The encoded updates about one change; the receivers share most of their bytes."""

    def __init__(self, before: Room, room: Room, now: int) -> None:
        self._before, self._room, self._now = before, room, now
        self._prefixes: dict[Seats, bytes] = {}
        self._frames: dict[Seats, bytes] = {}
        self._kept: dict[Seats, int] = {}
        self._views = _encoded_views(room.position, room.over) if room.turn != before.turn else None

    def frame(self, seats: Seats, reply: int | None = None) -> bytes:
        """Return the encoded result of `update`."""
        if reply is not None:
            return self._encoded(seats, b',"reply":%d}' % reply)
        frame = self._frames.get(seats)
        if frame is None:
            frame = self._frames[seats] = self._encoded(seats, b"}")
        return frame

    def _encoded(self, seats: Seats, end: bytes) -> bytes:
        room = self._room
        # Without secrets all receivers know the same moves; only the result depends on the seat.
        audience = seats if room.memories or room.over else WATCHING
        prefix = self._prefixes.get(audience)
        if prefix is None:
            message = _update_without_view(self._before, room, seats, self._now)
            self._kept[audience] = message.kept
            prefix = self._prefixes[audience] = encode(message)[:-1]
        parts = [prefix]
        if texts := sentences(room, room.listener(seats), self._kept[audience]):
            parts += (b',"said":', encode(texts))
        if self._views is not None:
            encoded_view = self._views.get(seats)
            if encoded_view is None:
                encoded_view = encode(view(room.position, seats, over=room.over))
                self._views[seats] = encoded_view
            parts += (b',"view":', encoded_view)
        parts.append(end)
        return b"".join(parts)


def _update_without_view(before: Room, room: Room, seats: Seats, now: int) -> p.Update:
    message = p.Update(seq=room.seq, turn=room.turn, kept=len(room.match.moves))
    renamed = room.names is not before.names and room.listener(seats) != before.listener(seats)
    if room.turn != before.turn or renamed:
        known, moves = before.seen_by(seats), room.seen_by(seats)
        if renamed:  # the sentences about all moves change with the names
            message.kept = 0
        elif room.memories:
            message.kept = _common_length(known, moves)
        else:  # without secrets, moves only come and go at the end
            message.kept = min(len(known), len(moves))
        message.moves = list(moves[message.kept :])
        message.movers = movers(room, message.kept)
        message.told = list(room.texts[message.kept :])
    if room.status_seq != before.status_seq:
        message.status = status(room, now, room.listener(seats))
    return message


def movers(room: Room, after: int = 0) -> list[int]:
    """Return the mover of each move after the first `after` moves."""
    positions = room.match.positions
    if len(positions) == after + 2:  # the usual case
        return [positions[after].to_move]
    return [position.to_move for position in positions[after:-1]]


def _common_length(before: tuple[str, ...], after: tuple[str, ...]) -> int:
    """Return the length of the common prefix of two lists of moves."""
    if after[: len(before)] == before:  # the usual case
        return len(before)
    pairs = enumerate(zip(before, after, strict=False))
    return next((at for at, (old, new) in pairs if old != new), min(len(before), len(after)))


def sentences(room: Room, listener: Listener, after: int = 0) -> list[str]:
    """Return the sentence about each move after the first `after` moves, for a listener."""
    if len(room.sentences) == after + 1:  # the usual case
        return [room.sentences[after].text(listener)]
    return [sentence.text(listener) for sentence in room.sentences[after:]]


def status(room: Room, now: int, listener: Listener = BOOK) -> p.Status:
    """Return the status of a game: everything except its position and moves."""
    clocks = None
    if room.terms.clock:
        running = None if room.clock_since is None else room.position.to_move
        clocks = p.Clocks(list(room.time_left_at(now)), room.terms.clock[1], running)
    return p.Status(
        chairs=[_chair(room, seat) for seat in (0, 1)],
        help=list(room.help),
        rematch=list(room.rematch),
        takeback=room.takeback,
        next=room.next,
        result=_result(room, listener),
        clocks=clocks,
        draws=_draws(room),
        failed=room.failure,
    )


def _chair(room: Room, seat: int) -> p.Chair:
    level = room.players[seat]
    if level != PERSON:
        return p.Chair("computer", room.names[seat], level)
    return p.Chair("open" if seat in room.open_seats else "person", room.names[seat])


def _result(room: Room, listener: Listener) -> p.Result | None:
    if not room.over:
        return None
    winner, outcome = room.match.winner(), room.match.outcome()
    why = end_reason(room.match, listener)
    if room.match.resigned is not None:
        return p.Result(winner, room.match.lost_by, why=why)
    if room.match.drawn_by is not None:
        return p.Result(None, room.match.drawn_by, why=why)
    scores = outcome and outcome.paid is not None and list(outcome.payoffs)
    return p.Result(winner, "play" if winner is not None else "draw", scores or None, why)


def _draws(room: Room) -> p.Draws | None:
    """Return the commitment to the chance outcomes, and after the game the seed that proves it."""
    seed = room.terms.draws
    if not seed:
        return None
    return p.Draws(chance.commitment(seed), seed if room.over else "", room.saved_moves)


# A position -------------------------------------------------------------------------------------


def view(position: Position, seats: Seats, *, over: bool) -> p.View:
    """Return a position as the holder of these seats may see it."""
    look = position.view(min(seats)) if len(seats) == 1 else secrecy.public_view(position)
    view_message = p.View(
        position=look.to_json(),
        to_move=position.to_move,
        board=look.board(),
        scene=picture(look),
        turn="" if over else look.turn(),
    )
    if not over and position.to_move in seats:
        if len(seats) > 1 and has_private_cards(position):
            view_message.private = True
            return view_message
        own_view = position.view(position.to_move)
        view_message.legal = own_view.moves()
        questions = _questions(own_view, view_message.legal)
        view_message.questions, view_message.asked, view_message.heard = questions
        view_message.aliases = dict(position.ALIASES)
        view_message.sealed = secrecy.is_hidden_choice(position, ())
    return view_message


def has_private_cards(position: Position) -> bool:
    """Return whether the player to move has private information."""
    mover = position.to_move
    return mover != CHANCE and secrecy.has_private_information(position, mover)


def _questions(position: Position, legal: list[str]) -> tuple[dict[str, str], ...]:
    """Return the questions of the book, the questions to a reader, and the book's replies.

    The key of each is the beginning of a move: its words so far.
    """
    questions, reader_questions, replies = {}, {}, {}
    beginnings = {tuple(move.split()[:n]): None for move in legal for n in range(len(move.split()))}
    for words in beginnings:
        if len(next_words(legal, words)) > 1 and (question := position.ask(words)):
            questions[" ".join(words)] = question
            if (to_reader := position.question(words)) != without_prompt(question):
                reader_questions[" ".join(words)] = to_reader
        if reply := position.hear(words):
            replies[" ".join(words)] = reply
    return questions, reader_questions, replies


@lru_cache(maxsize=10_000)
def _encoded_views(position: Position, over: bool) -> dict[Seats, bytes]:  # noqa: ARG001 # the key
    """Return the cached views of a position as JSON; callers add those that are missing.

    The cache saves time, because many games reach the same positions.
    """
    return {}


# A whole game -----------------------------------------------------------------------------------
#
# These functions take long for a long game, so they run in time slices.


def steps(room: Room) -> Generator[None, None, p.Steps]:
    """Return the positions of a game as the public may see them now."""
    match, steps = room.without_secrets(), list[p.Step]()
    for number, position in enumerate(match.positions):
        public = position if room.over else secrecy.public_view(position)
        step = p.Step(public.board(), picture(public))
        if number:
            mover = match.positions[number - 1].to_move
            step.move, step.seat, step.told = match.moves[number - 1], mover, room.texts[number - 1]
        steps.append(step)
        yield
    return p.Steps(steps)


def record(room: Room, seats: Seats) -> Generator[None, None, p.Record]:
    """Return the record of a seat; refuse it to the holder of both seats or of none."""
    if len(seats) != 1:
        raise Refusal("seat", "Only the holder of one seat has a record.")
    known, heard = room.match.record(min(seats)), list[p.RecordStep]()
    for own_move, text, seen in known.steps:
        heard.append(p.RecordStep(text, seen.to_json(), own_move))
        yield
    return p.Record(room.turn, known.seat, known.start.to_json(), heard)


def encode_analysis(data: dict[str, Any], largest_payoff: float) -> bytes:
    """Encode the analysis of a game; a worker process calls this."""
    judgements = [
        p.Judgement(
            move["number"],
            move["player"] - 1,
            move["move"],
            move["mark"],
            move["best"],
            move["does"]
            if move["mark"] == "best"
            else f"{move['does']}; the best {move['should']}",
        )
        for move in data["moves"]
    ]
    curve = [value / largest_payoff for value in data["value_to_player_1"]]
    return encode(p.Analysis(curve, judgements, data["accuracy"], data["decided_by"]))


def chance_draws(room: Room) -> Generator[None, None, list[p.ChanceDraw]]:
    """Return the chance outcomes of each draw of this server, so that anyone can check it."""
    if not room.over:
        raise Refusal("turn", "The chance outcomes can be checked after the game.")
    draws = []
    for turn in range(room.saved_moves, len(room.match.moves)):
        position = room.match.positions[turn]
        if position.to_move == CHANCE:
            odds = position.odds()
            draws.append(p.ChanceDraw(turn, list(odds), list(odds.values())))
        yield
    return draws
