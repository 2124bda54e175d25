"""What the server and its clients say to each other; the documented schema is made from this.

Seats are counted from 0. Texts call the players `Player 1` and `Player 2`: whoever shows them puts
the names in. Whatever a client is sent is what its seat may know, and nothing more.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from duelbook.players.levels import Level

Seat = Annotated[int, Meta(ge=0, le=1)]
Name = Annotated[str, Meta(max_length=24)]
Move = Annotated[str, Meta(max_length=200)]
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
]
"""Why something is refused, in a word for programs."""


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
    Close.LIMIT: "Too many messages or connections.",
    Close.RESTART: "The server restarts: connect again.",
}
FATAL: Mapping[int, Code] = {
    Close.INVALID: "invalid",
    Close.SECRET: "secret",
    Close.UNKNOWN: "unknown",
}
"""The codes with which a server closes for good, and the refusals that they stand for."""


class Message(Struct, omit_defaults=True):
    """A value on the wire; what has its default value is left out."""


class Strict(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A value that a client sends; a field that nobody knows is a mistake worth telling."""


# Books and games --------------------------------------------------------------------------------


class Book(Message):
    """A game that can be played, with the picture of its start."""

    slug: str
    title: str
    about: str
    scene: list[dict[str, Any]]
    player_1_starts: bool = False
    secrets: bool = False


class Rules(Message):
    """A rules page, as HTML that is safe to show."""

    title: str
    html: str


class TimeControl(Strict):
    """A clock for each seat: the time to start with, and what each move adds."""

    seconds: Annotated[int, Meta(ge=5, le=6 * 3600)]
    increment: Annotated[int, Meta(ge=0, le=300)] = 0


class NewGame(Strict):
    """What a game is to be, and where whoever asks for it sits."""

    book: Annotated[str, Meta(max_length=100)] = ""
    """The slug of its book; a saved game says it itself."""
    mode: Literal["friend", "computer", "device"] = "friend"
    seat: Seat = 0
    """Where you sit; with `device` you hold both seats."""
    first: Seat = 0
    name: Name = ""
    other: Name = ""
    """What the other player at this device is called."""
    level: Level = "medium"
    clock: TimeControl | None = None
    help: bool = False
    """Whether you allow hints and the evaluation bar; they come when both sides do."""
    save: Annotated[str, Meta(max_length=200_000)] | None = None
    """The text of a saved game to go on with, or to look at if it is over."""


class SitDown(Strict):
    """A wish for the open seat of a game."""

    name: Name = ""
    help: bool = False


class Seated(Message):
    """The seats that you hold from now on, and the secret that proves it: keep it to yourself."""

    id: str
    seats: list[Seat]
    secret: str


# What is seen of a game -------------------------------------------------------------------------


class View(Message):
    """A position as the receiver may see it, and what the receiver may do there."""

    position: dict[str, Any]
    to_move: Seat
    board: str
    scene: list[dict[str, Any]]
    turn: str = ""
    """The words that open this turn."""
    legal: list[str] = []
    """The legal moves, if the receiver is to move."""
    questions: dict[str, str] = {}
    """The book's question after the words of a move so far, for each beginning that has one."""
    aliases: dict[str, str] = {}
    """Other answers to the book's questions, and the words that they mean."""
    heard: dict[str, str] = {}
    """What the book says to the words of a move so far."""
    sealed: bool = False
    """Whether the choice here must not be seen by the other player."""


class Chair(Message):
    """A seat: a person or the computer sits there, or it is open."""

    kind: Literal["person", "computer", "open"]
    name: str
    level: str = ""


class Clocks(Message):
    """The time that is left to each seat in milliseconds, when this was sent."""

    left: list[int]
    increment: int = 0
    running: Seat | None = None


class Result(Message):
    """How a game ended; nobody has won a draw, nor a game that is stuck."""

    winner: Seat | None
    by: Literal["play", "resignation", "time", "draw"]


class Table(Message):
    """All that is to be known around a position."""

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


class Snapshot(Message, tag="snapshot"):
    """A game as it stands."""

    id: str
    book: str
    title: str
    welcome: str
    first: Seat
    seq: int
    """How many things have happened in this game."""
    turn: int
    """The number that a move must answer: it changes whenever the position does."""
    seats: list[Seat]
    """The receiver's; none for a spectator."""
    moves: list[str]
    """The moves as the receiver may know them: `attack ?` while the rest is secret."""
    movers: list[Seat]
    """Who made each move."""
    told: list[str]
    """What was told after each move."""
    table: Table
    view: View


class Update(Message, tag="update"):
    """What has happened since the number before; what is missing has not changed."""

    seq: int
    turn: int
    kept: int
    """How many of the moves known so far still stand; the following ones come after them."""
    moves: list[str] = []
    movers: list[Seat] = []
    told: list[str] = []
    reply: int | None = None
    """The number of the receiver's own message that this answers."""
    table: Table | None = None
    view: View | None = None


class Presence(Message, tag="presence"):
    """Who is here: which seats are connected, and how many watch."""

    seats: list[bool]
    watching: int


class Evaluation(Message, tag="evaluation"):
    """Who is winning: 1 is Player 1, -1 is Player 2, and what lies between is between."""

    turn: int
    value: float
    said: str


class Hint(Message, tag="hint"):
    """Advice to the receiver alone."""

    turn: int
    said: str
    reply: int | None = None


class Refused(Message, tag="refused"):
    """Nothing has changed, for the reason given."""

    code: Code
    why: str
    reply: int | None = None


class Pong(Message, tag="pong"):
    """The answer to a ping."""

    reply: int | None = None


ToClient = Snapshot | Update | Presence | Evaluation | Hint | Refused | Pong

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


class TakeBack(Strict, tag="takeback"):
    """Ask to take your last move back."""

    answers: Number
    number: Number | None = None


class Agree(Strict, tag="agree"):
    """Let the other side take its last move back, as it asks."""

    answers: Number
    number: Number | None = None


class Decline(Strict, tag="decline"):
    """Refuse what the other side asks, or ask no longer."""

    number: Number | None = None


class AllowHelp(Strict, tag="help"):
    """Allow hints and the evaluation bar, or allow them no longer."""

    on: bool
    number: Number | None = None


class Rematch(Strict, tag="rematch"):
    """Ask for another game with seats swapped, or agree to one."""

    number: Number | None = None


class AskHint(Strict, tag="hint"):
    """Ask for the best move here."""

    number: Number | None = None


class Ping(Strict, tag="ping"):
    """Ask whether anyone is there."""

    number: Number | None = None


Command = Play | Resign | TakeBack | Agree | Decline | AllowHelp | Rematch
"""What changes a game."""
FromClient = Hello | Command | AskHint | Ping

# After a game -----------------------------------------------------------------------------------


class Step(Message):
    """A position on the way of a game: how it was reached, and how it looks."""

    board: str
    scene: list[dict[str, Any]]
    move: str = ""
    seat: Seat | None = None
    told: str = ""


class Steps(Message):
    """A game from its start, position by position."""

    steps: list[Step]


class Judgement(Message):
    """A move judged by what its player could know."""

    number: int
    seat: Seat
    move: str
    mark: Literal["best", "good", "mistake"]
    best: list[str]
    said: str


class Analysis(Message):
    """A finished game explained: who was winning before each move, and which were mistakes."""

    curve: list[float]
    moves: list[Judgement]
    accuracy: list[float | None]
    decided_by: int | None = None


class Problem(Message):
    """Why a request was refused."""

    code: str
    why: str
