"""The messages between server and clients; the OpenAPI schema is generated from them.

Seats are 0 and 1. The lines of the rule books call the players `Player 1` and `Player 2`; a client
that prints them inserts the names. Every `said` and `why` addresses the receiver: it says `you`,
`the computer` or a name. The server sends a client only what its seat may know.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import IntEnum
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct

from duelbook.players.levels import Level

Seat = Annotated[int, Meta(ge=0, le=1)]
Mover = Annotated[int, Meta(ge=0, le=2)]
"""The player to move: a seat, or 2 for chance."""
Name = Annotated[str, Meta(max_length=24)]
Move = Annotated[str, Meta(max_length=200)]
MAX_HELD_SEATS = 20
"""The maximum number of games in one request."""
Opponent = Literal[Level, "mcts", "minimax", "greedy", "random", "guide"]
"""The computer players: the levels, players for games that no level can play, and the opponent of
a guided first game."""
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
"""The reason for a refusal, as a code for programs."""


class Close(IntEnum):
    """The codes with which the server closes a WebSocket."""

    INVALID = 4400
    SECRET = 4401
    UNKNOWN = 4404
    LIMIT = 4429
    RESTART = 1012


CLOSE_REASONS: Mapping[Close, str] = {
    Close.INVALID: "The first message was not a hello, or a message was not valid.",
    Close.SECRET: "No seat of this game has this secret.",
    Close.UNKNOWN: "There is no such game.",
    Close.LIMIT: "Too many connections.",
    Close.RESTART: "The server restarts: connect again.",
}
FATAL_CLOSES: Mapping[int, Code] = {
    Close.INVALID: "invalid",
    Close.SECRET: "secret",
    Close.UNKNOWN: "unknown",
}
"""The close codes after which a client must not reconnect, and the refusal that each means."""


class ServerStruct(Struct, omit_defaults=True, repr_omit_defaults=True):
    """A value that the server sends, without the fields that have their default value."""


class ClientStruct(Struct, forbid_unknown_fields=True, omit_defaults=True):
    """A value that a client sends; the server refuses unknown fields."""


# Books and games --------------------------------------------------------------------------------


class Effort(ServerStruct):
    """The length and difficulty of a game, measured in games between computer players."""

    moves: int
    """The median number of moves of both players in a game at level medium."""
    mistakes: float
    """The share of mistakes among random moves."""
    beats_perfect: Literal["", "first", "second", "either", "nobody"] = ""
    """The players who can beat perfect play: the first to move, the second, either (if chance
    helps), or nobody."""


class Book(ServerStruct):
    """A game that the server offers, with the picture of its start."""

    slug: str
    title: str
    about: str
    scene: list[dict[str, Any]]
    player_1_starts: bool = False
    secrets: bool = False
    effort: Effort | None = None
    """The measured effort, if any."""
    first_game: bool = False
    """True if the rules page has a guided first game."""


class CoachedMove(ServerStruct):
    """A move of a guided first game, the reason why it is good, and the opponent's replies."""

    move: str
    why: str
    replies: list[str]


class Rules(ServerStruct):
    """A rules page, as HTML that is safe to show."""

    title: str
    html: str
    """The attribute `data-picture` of an element is the number of its picture."""
    pictures: list[list[dict[str, Any]]] = []
    """The scenes of the pictures."""
    first_game: list[CoachedMove] = []
    """The guided first game: the reader is Player 1, moves first and plays against `guide`."""
    short: list[str] = []
    """The rules in a few lines."""


class TimeControl(ClientStruct):
    """The clock of each seat: initial time and increment, in seconds."""

    seconds: Annotated[int, Meta(ge=5, le=6 * 3600)]
    increment: Annotated[int, Meta(ge=0, le=300)] = 0


class NewGame(ClientStruct):
    """A request for a new game and a seat at it."""

    book: Annotated[str, Meta(max_length=100)] = ""
    """The slug of the game; not needed with `save`."""
    mode: Literal["friend", "computer", "device"] = "friend"
    seat: Seat = 0
    """Your seat; with `device` you have both."""
    first: Seat = 0
    name: Name = ""
    other: Name = ""
    """The name of the second player at this device."""
    level: Opponent = "medium"
    clock: TimeControl | None = None
    help: bool = False
    """True if you allow hints and the evaluation bar; they need the consent of both players."""
    save: Annotated[str, Meta(max_length=200_000)] | None = None
    """The text of a saved game, to continue it, or to review it if it is over."""


class JoinGame(ClientStruct):
    """A request for the open seat of a game."""

    name: Name = ""
    help: bool = False


class SeatCredentials(ServerStruct):
    """Your seats, and the secret that proves that they are yours."""

    id: str
    seats: list[Seat]
    secret: str


class HeldSeat(ClientStruct):
    """A game, and the secret of a seat at it."""

    id: Annotated[str, Meta(max_length=100)]
    secret: Annotated[str, Meta(max_length=100)]


class HeldSeats(ClientStruct):
    """A request for the state of several games, with the secret of a seat at each."""

    games: Annotated[list[HeldSeat], Meta(max_length=MAX_HELD_SEATS)]


# The state of a game ----------------------------------------------------------------------------


class View(ServerStruct):
    """A position as the receiver may see it, and the receiver's legal moves."""

    position: dict[str, Any]
    to_move: Mover
    """A seat, or 2 at a chance node."""
    board: str
    scene: list[dict[str, Any]]
    turn: str = ""
    """The text at the start of this turn."""
    legal: list[str] = []
    """The legal moves, if the receiver is to move."""
    questions: dict[str, str] = {}
    """The book's question after each incomplete move; the key holds the words so far."""
    asked: dict[str, str] = {}
    """The same questions, addressed to the receiver, where the text differs."""
    aliases: dict[str, str] = {}
    """Alternative answers to the book's questions, and the words that they mean."""
    heard: dict[str, str] = {}
    """The book's reply after each incomplete move; the key holds the words so far."""
    sealed: bool = False
    """True at a hidden choice: the opponent must not see the move."""
    private: bool = False
    """True if two players share the device and the player to move has private information, which
    `Look` requests."""


class Chair(ServerStruct):
    """The player at a seat: a person or the computer; or the seat is open."""

    kind: Literal["person", "computer", "open"]
    name: str
    level: str = ""


class Clocks(ServerStruct):
    """The remaining milliseconds of each seat when the server sent this."""

    left: list[int]
    increment: int = 0
    running: Seat | None = None


class Result(ServerStruct):
    """The result of a game; a draw and an aborted game have no winner."""

    winner: Seat | None
    by: Literal["play", "resignation", "time", "left", "draw", "agreement", "cut", "aborted"]
    payoffs: list[float] | None = None
    """The payoff of each seat, if the game has scores."""
    why: str = ""
    """One sentence for the receiver that says who won and why, or why nobody won."""


class Draws(ServerStruct):
    """The server's commitment to its chance outcomes: a hash of the seed, later the seed itself."""

    commitment: str
    """The SHA-256 of the seed, in hexadecimal digits."""
    seed: str = ""
    """The seed, once the game is over."""
    since: int = 0
    """The number of moves from a saved game; the server did not draw their chance outcomes."""


class Status(ServerStruct):
    """The state of a game apart from its position."""

    chairs: list[Chair]
    help: list[bool]
    """For each seat, whether the player allows hints and the evaluation bar."""
    rematch: list[bool]
    """For each seat, whether the player wants another game."""
    takeback: Seat | None = None
    """The seat that asks to take its last move back."""
    next: str | None = None
    """The id of the game that follows this one."""
    result: Result | None = None
    clocks: Clocks | None = None
    draws: Draws | None = None
    """The commitment to the chance outcomes, if the game has chance."""
    failed: str = ""
    """The reason why the computer cannot continue, if any; another level can take over."""


class SeatStatus(ServerStruct):
    """The state of a game in which the receiver has seats."""

    id: str
    book: str
    title: str
    seats: list[Seat]
    """The receiver's seats."""
    to_move: Mover
    status: Status


class Snapshot(ServerStruct, tag="snapshot"):
    """The current state of a game."""

    id: str
    book: str
    title: str
    welcome: str
    first: Seat
    seq: int
    """The number of events so far."""
    turn: int
    """The turn number that a move must repeat; it changes with every new position."""
    seats: list[Seat]
    """The receiver's seats; empty for a spectator."""
    moves: list[str]
    """The moves as the receiver may see them: `attack ?` while the rest is hidden."""
    movers: list[Mover]
    """The mover of each move: a seat, or 2 for chance."""
    told: list[str]
    """The book's lines after each move."""
    said: list[str]
    """A sentence for the receiver about each move; it may be empty."""
    status: Status
    view: View


class Update(ServerStruct, tag="update"):
    """The changes since the last message; a missing field has not changed."""

    seq: int
    turn: int
    kept: int
    """The number of earlier moves that remain; `moves` follow them."""
    moves: list[str] = []
    movers: list[Mover] = []
    told: list[str] = []
    said: list[str] = []
    reply: int | None = None
    """The number of the receiver's message that this answers."""
    status: Status | None = None
    view: View | None = None


class Overdue(ServerStruct):
    """The action that a player may take if the opponent does not start, or has left."""

    may: Literal["abort", "claim"]
    after: int
    """The milliseconds until then, from the time when the server sent this."""


class Presence(ServerStruct, tag="presence"):
    """The connected seats, and the number of spectators."""

    seats: list[bool]
    watching: int
    preparing: bool = False
    """True while the computer prepares for this game."""
    overdue: Overdue | None = None
    """Set if the player to move has a time limit for the first move, or has left."""


class Evaluation(ServerStruct, tag="evaluation"):
    """The value of a position, from 1 (Player 1 wins) to -1 (Player 2 wins)."""

    turn: int
    value: float
    said: str


class Hint(ServerStruct, tag="hint"):
    """A hint for the receiver only."""

    turn: int
    move: str
    """The best move; in a lost position, the move that is hardest to answer."""
    said: str
    """The reason."""
    lost: bool
    """True if every move loses against best play."""
    reply: int | None = None


class PrivateView(ServerStruct, tag="looked"):
    """The private view of the player to move, if two players share the device."""

    turn: int
    view: View
    reply: int | None = None


class Refused(ServerStruct, tag="refused"):
    """A refusal of a message, which changed nothing."""

    code: Code
    why: str
    reply: int | None = None


class Pong(ServerStruct, tag="pong"):
    """The answer to a ping."""

    reply: int | None = None


ToClient = Snapshot | Update | Presence | Evaluation | Hint | PrivateView | Refused | Pong

# Messages of a client ---------------------------------------------------------------------------

Number = Annotated[int, Meta(ge=0, le=2**31)]


class Hello(ClientStruct, tag="hello"):
    """The first message of a connection: the secret of a seat, or no secret to watch."""

    secret: Annotated[str, Meta(max_length=100)] | None = None


class Play(ClientStruct, tag="play"):
    """Play a move; `answers` is the turn number that it answers."""

    move: Move
    answers: Number
    number: Number | None = None


class Resign(ClientStruct, tag="resign"):
    """Resign the game."""

    answers: Number
    number: Number | None = None


class Abort(ClientStruct, tag="abort"):
    """End a game without a winner if nobody joins, or the opponent's first move is overdue."""

    answers: Number
    number: Number | None = None


class Claim(ClientStruct, tag="claim"):
    """Claim victory or a draw after the player to move has left."""

    result: Literal["victory", "draw"]
    answers: Number
    number: Number | None = None


class TakeBack(ClientStruct, tag="takeback"):
    """Ask to take your last move back."""

    answers: Number
    number: Number | None = None


class Agree(ClientStruct, tag="agree"):
    """Agree to the opponent's request to take a move back."""

    answers: Number
    number: Number | None = None


class Decline(ClientStruct, tag="decline"):
    """Decline the opponent's request, or withdraw your own."""

    number: Number | None = None


class AllowHelp(ClientStruct, tag="help"):
    """Allow hints and the evaluation bar, or disallow them."""

    on: bool
    number: Number | None = None


class Rematch(ClientStruct, tag="rematch"):
    """Ask for another game with seats swapped, or agree to one."""

    number: Number | None = None


class TakeOver(ClientStruct, tag="level"):
    """Let another level take over from a computer player that cannot continue."""

    level: Opponent
    number: Number | None = None


class Look(ClientStruct, tag="look"):
    """Request the private view of the player to move, if two players share the device."""

    number: Number | None = None


class AskHint(ClientStruct, tag="hint"):
    """Request a hint for the current position."""

    number: Number | None = None


class Ping(ClientStruct, tag="ping"):
    """Check that the server is still connected."""

    number: Number | None = None


TurnCommand = Play | Resign | Abort | Claim | TakeBack | Agree
"""The commands that answer a turn; they are stale after it."""
Command = (
    Play | Resign | Abort | Claim | TakeBack | Agree | Decline | AllowHelp | Rematch | TakeOver
)
"""The commands that change a game."""
FromClient = Hello | Command | AskHint | Look | Ping

# After a game -----------------------------------------------------------------------------------


class Step(ServerStruct):
    """A position of a game, with its picture and the move that led to it."""

    board: str
    scene: list[dict[str, Any]]
    move: str = ""
    seat: Mover | None = None
    told: str = ""


class Steps(ServerStruct):
    """All positions of a game, from its start."""

    steps: list[Step]


class RecordStep(ServerStruct):
    """The text that a seat received about a move, and the seat's view after it."""

    told: str
    view: dict[str, Any]
    own: str = ""
    """The move, if it was the seat's own."""


class Record(ServerStruct):
    """The observation history of a seat, which is all that its player may base a choice on."""

    turn: int
    seat: Seat
    start: dict[str, Any]
    """The seat's view of the start."""
    steps: list[RecordStep]
    """One for each move."""


class ChanceDraw(ServerStruct):
    """The possible outcomes of a draw with their weights; `turn` counts the moves before it."""

    turn: int
    moves: list[str]
    weights: list[int]


class Judgement(ServerStruct):
    """The judgement of a move, from the information that its player had."""

    number: int
    seat: Seat
    move: str
    mark: Literal["best", "good", "mistake"]
    best: list[str]
    said: str


class Analysis(ServerStruct):
    """The analysis of a finished game: its value before each move, and the mistakes."""

    curve: list[float]
    moves: list[Judgement]
    accuracy: list[float | None]
    decided_by: int | None = None
    why_not: str = ""
    """The reason why the game cannot be analysed, if any."""


class Problem(ServerStruct):
    """The reason why a request was refused."""

    code: str
    why: str
