"""The messages between server and clients; the OpenAPI schema is generated from them.

Seats are counted from 0. The lines of the books call the players `Player 1` and `Player 2`, for
clients that print them and put the names in. Every `said` and `why` is for the receiver:
it says `you`, `the computer` or a name. A client is sent what its seat may know, and nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from duelbook.players.levels import Level

Seat = Annotated[int, Meta(ge=0, le=1)]
Mover = Annotated[int, Meta(ge=0, le=2)]
"""Who moves: a seat, or chance (2)."""
Name = Annotated[str, Meta(max_length=24)]
Move = Annotated[str, Meta(max_length=200)]
MAX_HELD_SEATS = 20
"""The most games that one request may ask about."""
Opponent = Literal[Level, "mcts", "minimax", "greedy", "random", "guide"]
"""Who can play for the computer: the levels, players for games that no level can play, and the
opponent of a guided first game."""
Code = Literal[
    "invalid",
    "illegal",
    "stale",
    "turn",
    "over",
    "seat",
    "secret",
    "unknown",
    "limit",
    "busy",
    "later",
    "level",
]
"""Why a command is refused, as a code for programs."""


class Close(IntEnum):
    """Why the server closes a WebSocket."""

    INVALID = 4400
    SECRET = 4401
    UNKNOWN = 4404
    LIMIT = 4429
    RESTART = 1012


CLOSES: Mapping[Close, str] = {
    Close.INVALID: "No hello came, or something that is no message.",
    Close.SECRET: "No seat of this game has this secret.",
    Close.UNKNOWN: "There is no such game.",
    Close.LIMIT: "Too many connections.",
    Close.RESTART: "The server restarts: connect again.",
}
FATAL: Mapping[int, Code] = {
    Close.INVALID: "invalid",
    Close.SECRET: "secret",
    Close.UNKNOWN: "unknown",
}
"""Close codes that are final, and the refusal that each stands for."""


class Message(Struct, omit_defaults=True, repr_omit_defaults=True):
    """A value that the server sends; fields with their default value are left out."""


class Strict(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A value that a client sends; unknown fields are refused."""


# Books and games --------------------------------------------------------------------------------


class Effort(Message):
    """What a game asks of its players, measured from games of the computer against itself."""

    moves: int
    """The moves of both players in a game of the level medium: the median."""
    mistakes: float
    """The share of mistakes among moves that are made at random."""
    beats_perfect: Literal["", "first", "second", "either", "nobody"] = ""
    """Who can beat perfect play: the first to move, the second, either with chance, or nobody."""


class Book(Message):
    """A game that can be played, with the picture of its start."""

    slug: str
    title: str
    about: str
    scene: list[dict[str, Any]]
    player_1_starts: bool = False
    secrets: bool = False
    effort: Effort | None = None
    """If it has been measured."""
    first_game: bool = False
    """Whether its rules page has a guided first game."""


class CoachedMove(Message):
    """A move of a guided first game, why it is a good one, and what the opponent replies."""

    move: str
    why: str
    replies: list[str]


class Rules(Message):
    """A rules page, as HTML that is safe to show."""

    title: str
    html: str
    """`data-picture` of an element is the number of the picture that belongs there."""
    pictures: list[list[dict[str, Any]]] = []
    """Scenes."""
    first_game: list[CoachedMove] = []
    """The guided first game: against `guide`, as Player 1, who begins."""
    short: list[str] = []
    """The rules in a few lines."""


class TimeControl(Strict):
    """A clock for each seat: initial time and increment."""

    seconds: Annotated[int, Meta(ge=5, le=6 * 3600)]
    increment: Annotated[int, Meta(ge=0, le=300)] = 0


class NewGame(Strict):
    """A request for a new game, and for a seat in it."""

    book: Annotated[str, Meta(max_length=100)] = ""
    """The slug of the game; not needed with `save`."""
    mode: Literal["friend", "computer", "device"] = "friend"
    seat: Seat = 0
    """Your seat; with `device` you hold both."""
    first: Seat = 0
    name: Name = ""
    other: Name = ""
    """The name of the other player at this device."""
    level: Opponent = "medium"
    clock: TimeControl | None = None
    help: bool = False
    """Whether you allow hints and the evaluation bar; both sides must."""
    save: Annotated[str, Meta(max_length=200_000)] | None = None
    """The text of a saved game to continue, or to review if it is over."""


class SitDown(Strict):
    """A request for the open seat of a game."""

    name: Name = ""
    help: bool = False


class Seated(Message):
    """Your seats, and the secret that proves it: keep it to yourself."""

    id: str
    seats: list[Seat]
    secret: str


class HeldSeat(Strict):
    """A seat that someone holds, and the proof."""

    id: Annotated[str, Meta(max_length=100)]
    secret: Annotated[str, Meta(max_length=100)]


class HeldSeats(Strict):
    """A question about games that someone holds seats of."""

    games: Annotated[list[HeldSeat], Meta(max_length=MAX_HELD_SEATS)]


# What is seen of a game -------------------------------------------------------------------------


class View(Message):
    """A position as the receiver may see it, and what the receiver may do there."""

    position: dict[str, Any]
    to_move: Mover
    """A seat, or 2 where a die falls or a card is dealt."""
    board: str
    scene: list[dict[str, Any]]
    turn: str = ""
    """The words that open this turn."""
    legal: list[str] = []
    """The legal moves, if the receiver is to move."""
    questions: dict[str, str] = {}
    """The book's question after the words of a move so far, for each beginning that has one."""
    asked: dict[str, str] = {}
    """The same questions to the player who reads them, where the words differ."""
    aliases: dict[str, str] = {}
    """Other answers to the book's questions, and the words that they mean."""
    heard: dict[str, str] = {}
    """What the book says to the words of a move so far."""
    sealed: bool = False
    """Whether the move here is sealed: the other player must not see it."""
    private: bool = False
    """Whether the player to move, at a device of two, must ask (`Look`) to see their own hand."""


class Chair(Message):
    """A seat: a person or the computer sits there, or it is open."""

    kind: Literal["person", "computer", "open"]
    name: str
    level: str = ""


class Clocks(Message):
    """The remaining time of each seat in milliseconds, when this was sent."""

    left: list[int]
    increment: int = 0
    running: Seat | None = None


class Result(Message):
    """How a game ended; a draw has no winner, and an aborted game has none either."""

    winner: Seat | None
    by: Literal["play", "resignation", "time", "left", "draw", "agreement", "cut", "aborted"]
    payoffs: list[float] | None = None
    """What each seat is paid, if the game has scores."""
    why: str = ""
    """Who has won and why, or why nobody has: one sentence for the receiver."""


class Draws(Message):
    """What binds the server's draws: a hash of their seed, and after the game the seed."""

    commitment: str
    """The SHA-256 of the seed, in hexadecimal digits."""
    seed: str = ""
    """The seed, once the game is over."""
    since: int = 0
    """The number of moves that came with a saved game: earlier draws are not the server's."""


class Status(Message):
    """Everything about a game but its position."""

    chairs: list[Chair]
    help: list[bool]
    """Which sides allow hints and the evaluation bar."""
    rematch: list[bool]
    """Which sides want another game."""
    takeback: Seat | None = None
    """The seat that asks to take its last move back."""
    next: str | None = None
    """The id of the game that follows this one."""
    result: Result | None = None
    clocks: Clocks | None = None
    draws: Draws | None = None
    """For a game with chance."""
    failed: str = ""
    """Why the computer cannot go on, if it cannot: another level can take over."""


class Standing(Message):
    """How a game stands that the receiver holds seats of."""

    id: str
    book: str
    title: str
    seats: list[Seat]
    """The receiver's."""
    to_move: Mover
    status: Status


class Snapshot(Message, tag="snapshot"):
    """The current state of a game."""

    id: str
    book: str
    title: str
    welcome: str
    first: Seat
    seq: int
    """The number of events so far."""
    turn: int
    """The number that a move must answer: it changes whenever the position does."""
    seats: list[Seat]
    """The receiver's; none for a spectator."""
    moves: list[str]
    """The moves as the receiver may know them: `attack ?` while the rest is secret."""
    movers: list[Mover]
    """Who made each move: a seat, or 2 for chance."""
    told: list[str]
    """The book's lines after each move."""
    said: list[str]
    """What each move did, to the receiver; nothing if there is nothing to say."""
    status: Status
    view: View


class Update(Message, tag="update"):
    """The changes since the last message; what is missing has not changed."""

    seq: int
    turn: int
    kept: int
    """How many of the moves known so far still stand; the following ones come after them."""
    moves: list[str] = []
    movers: list[Mover] = []
    told: list[str] = []
    said: list[str] = []
    reply: int | None = None
    """The number of the receiver's own message that this answers."""
    status: Status | None = None
    view: View | None = None


class Overdue(Message):
    """What the player who waits may do about a player to move who does not begin, or has left."""

    may: Literal["abort", "claim"]
    after: int
    """In how many milliseconds, when this was sent."""


class Presence(Message, tag="presence"):
    """Who is here: which seats are connected, and how many watch."""

    seats: list[bool]
    watching: int
    preparing: bool = False
    """Whether the computer still prepares for this game."""
    overdue: Overdue | None = None
    """If the player to move must make a first move in time, or has left."""


class Evaluation(Message, tag="evaluation"):
    """Who is winning, from 1 (Player 1) to -1 (Player 2)."""

    turn: int
    value: float
    said: str


class Hint(Message, tag="hint"):
    """A hint, to the receiver alone."""

    turn: int
    move: str
    """The best move; in a lost position, the one that sets the opponent the hardest task."""
    said: str
    """Why."""
    lost: bool
    """Whether every move loses against best play."""
    reply: int | None = None


class Looked(Message, tag="looked"):
    """The private view of the player to move, at a device of two."""

    turn: int
    view: View
    reply: int | None = None


class Refused(Message, tag="refused"):
    """A refusal: nothing has changed."""

    code: Code
    why: str
    reply: int | None = None


class Pong(Message, tag="pong"):
    """The answer to a ping."""

    reply: int | None = None


ToClient = Snapshot | Update | Presence | Evaluation | Hint | Looked | Refused | Pong

# What a client says -----------------------------------------------------------------------------

Number = Annotated[int, Meta(ge=0, le=2**31)]


class Hello(Strict, tag="hello"):
    """The first message of a connection: the secret of a seat, or none to watch."""

    secret: Annotated[str, Meta(max_length=100)] | None = None


class Play(Strict, tag="play"):
    """A move, and the turn number that it answers."""

    move: Move
    answers: Number
    number: Number | None = None


class Resign(Strict, tag="resign"):
    """Give the game up."""

    answers: Number
    number: Number | None = None


class Abort(Strict, tag="abort"):
    """End a game without a winner: the player to move is overdue with the first move, or nobody has
    accepted the invitation.
    """

    answers: Number
    number: Number | None = None


class Claim(Strict, tag="claim"):
    """Claim the victory, or a draw, over a player to move who has left."""

    result: Literal["victory", "draw"]
    answers: Number
    number: Number | None = None


class TakeBack(Strict, tag="takeback"):
    """Ask to take your last move back."""

    answers: Number
    number: Number | None = None


class Agree(Strict, tag="agree"):
    """Let the other side take its last move back, as it asks."""

    answers: Number
    number: Number | None = None


class Decline(Strict, tag="decline"):
    """Decline the other side's request, or withdraw your own."""

    number: Number | None = None


class AllowHelp(Strict, tag="help"):
    """Allow hints and the evaluation bar, or allow them no longer."""

    on: bool
    number: Number | None = None


class Rematch(Strict, tag="rematch"):
    """Ask for another game with seats swapped, or agree to one."""

    number: Number | None = None


class TakeOver(Strict, tag="level"):
    """Let another level play for a computer that cannot go on."""

    level: Opponent
    number: Number | None = None


class Look(Strict, tag="look"):
    """Ask for the private view of the player to move, at a device of two."""

    number: Number | None = None


class AskHint(Strict, tag="hint"):
    """Ask for the best move here."""

    number: Number | None = None


class Ping(Strict, tag="ping"):
    """Ask whether anyone is there."""

    number: Number | None = None


Answer = Play | Resign | Abort | Claim | TakeBack | Agree
"""What answers a turn, and is stale after it."""
Command = (
    Play | Resign | Abort | Claim | TakeBack | Agree | Decline | AllowHelp | Rematch | TakeOver
)
"""What changes a game."""
FromClient = Hello | Command | AskHint | Look | Ping

# After a game -----------------------------------------------------------------------------------


class Step(Message):
    """A position of a game: the move that led to it, and how it looks."""

    board: str
    scene: list[dict[str, Any]]
    move: str = ""
    seat: Mover | None = None
    told: str = ""


class Steps(Message):
    """A game from its start, position by position."""

    steps: list[Step]


class Heard(Message):
    """What a seat heard of a move, and its view after it."""

    told: str
    view: dict[str, Any]
    own: str = ""
    """The move, if it was the seat's own."""


class Record(Message):
    """What a seat has seen and heard: all that the choice of its player may depend on."""

    turn: int
    seat: Seat
    start: dict[str, Any]
    """Its view of the start."""
    steps: list[Heard]
    """One for each move."""


class Drawn(Message):
    """What could fall at a draw: after how many moves, the moves of chance, and their weights."""

    turn: int
    moves: list[str]
    weights: list[int]


class Judgement(Message):
    """A move judged by what its player could know."""

    number: int
    seat: Seat
    move: str
    mark: Literal["best", "good", "mistake"]
    best: list[str]
    said: str


class Analysis(Message):
    """The analysis of a finished game: who was winning before each move, and the mistakes."""

    curve: list[float]
    moves: list[Judgement]
    accuracy: list[float | None]
    decided_by: int | None = None
    why_not: str = ""
    """Why the game cannot be explained, if it cannot."""


class Problem(Message):
    """Why a request was refused."""

    code: str
    why: str
