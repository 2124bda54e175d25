"""The client for programs: take a seat at a game of a server, watch it, and play.

A `GameClient` reconnects after any failure of the connection or the server, and plays a move once.
"""

from __future__ import annotations

import re
import time
import urllib.error
import urllib.request
from collections import deque
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from random import Random, uniform
from threading import Event
from typing import TYPE_CHECKING, Any, Literal, Self, TypeVar

import msgspec
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.sync.client import connect

from duelbook.catalog.registry import find
from duelbook.errors import DuelbookError
from duelbook.secrecy import SeatRecord, keeps_secrets
from duelbook.web import protocol as p

if TYPE_CHECKING:
    from websockets.sync.client import ClientConnection

    from duelbook.players import MoveChooser, Player
    from duelbook.position import Position

T = TypeVar("T")
Claimed = Literal["victory", "draw"]
"""What can be claimed from an opponent who has left."""
DECODER: msgspec.json.Decoder[p.ToClient] = msgspec.json.Decoder(p.ToClient)
RECONNECT_SECONDS = 60.0
"""Seconds for which it retries when the server goes away."""
ANSWER_TIMEOUT_SECONDS = 30.0
"""Seconds after which a server that does not answer counts as gone."""
MAX_MESSAGE_BYTES = 64 * 2**20
MAX_PAUSE_SECONDS = 5.0
LATER = ("limit", "busy", "later")


class ServerError(DuelbookError):
    """A refusal of the server: its sentence, and its `code` for programs."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class NoServerError(DuelbookError):
    """There is no server, or it does not answer."""


class Server:
    """A server by its address, such as `http://127.0.0.1:8080`."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        if not re.fullmatch(r"https?://[^/?#\s]+(/[^?#\s]*)?", self.url) or not url.isprintable():
            raise DuelbookError(f"The address of a server is http://…, not {url!r:.80}.")

    def books(self) -> list[p.Book]:
        """Return the games that can be played there."""
        return self.request("/api/books", list[p.Book])

    def create(
        self, wish: p.NewGame, *, reconnect_seconds: float = RECONNECT_SECONDS
    ) -> GameClient:
        """Create a game and take a seat at it."""
        seated = self.request("/api/games", p.Seated, body=wish)
        return GameClient(
            f"{self.url}/g/{seated.id}", seated.secret, reconnect_seconds=reconnect_seconds
        )

    def request(
        self, path: str, kind: type[T], *, body: object = None, secret: str | None = None
    ) -> T:
        """Return the server's response to a request."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        data = None
        if body is not None:
            headers["Content-Type"], data = "application/json", msgspec.json.encode(body)
        try:
            request = urllib.request.Request(self.url + path, data, headers)  # noqa: S310 # http(s), as checked
            with urllib.request.urlopen(request, timeout=ANSWER_TIMEOUT_SECONDS) as answer:  # noqa: S310 # see above
                return msgspec.json.decode(answer.read(), type=kind)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error.code, error.read()) from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise NoServerError(f"There is no server at {self.url}: {_reason(reason)}.") from error
        except msgspec.DecodeError as error:
            raise NoServerError(f"What answers at {self.url} is no Duelbook server.") from error

    def _refusal(self, status: int, body: bytes) -> DuelbookError:
        try:
            problem = msgspec.json.decode(body, type=p.Problem)
        except (msgspec.DecodeError, UnicodeError):
            return NoServerError(f"What answers at {self.url} is no Duelbook server ({status}).")
        return ServerError(problem.code, problem.why)


def address(url: str) -> tuple[Server, str]:
    """Return the server and the id in the URL of a game."""
    found = re.fullmatch(r"(https?://[^\s?#]+)/g/([\w-]+)/?([?#].*)?", url.strip(), re.ASCII)
    if found is None or not found[0].isprintable():
        raise DuelbookError(f"The address of a game is http://…/g/…, not {url!r:.80}.")
    return Server(found[1]), found[2]


class GameClient:
    """A game on a server, played from a seat or watched.

    `snapshot` is the last known state. `presence` says who is connected, once it is known.
    `promised` is the commitment that the server first gave to the draws of a game with chance.
    """

    snapshot: p.Snapshot

    def __init__(
        self, url: str, secret: str | None = None, *, reconnect_seconds: float = RECONNECT_SECONDS
    ) -> None:
        """Resume the seats that a secret holds, or watch without one."""
        self.server, self.id = address(url)
        self.url = f"{self.server.url}/g/{self.id}"
        self.secret, self.reconnect_seconds = secret, reconnect_seconds
        self.presence: p.Presence | None = None
        self._presence_turn, self._presence_at = 0, 0.0
        self.promised = ""
        self._unread: deque[p.ToClient] = deque(maxlen=1000)
        self._number = 0
        self._open = ExitStack()
        self._given_up = Event()
        self.when_lost: Callable[[], None] = lambda: None
        """Called whenever the connection is lost, before it tries to reconnect."""
        self._connect()

    @classmethod
    def join(
        cls,
        url: str,
        name: str = "",
        *,
        help: bool = False,  # noqa: A002 # the word on the wire
        reconnect_seconds: float = RECONNECT_SECONDS,
    ) -> Self:
        """Take the open seat of a game; `help` allows hints and the evaluation bar."""
        server, id = address(url)  # noqa: A001 # what everyone calls it
        wish = p.SitDown(name, help)
        seated = server.request(f"/api/games/{id}/seats", p.Seated, body=wish)
        return cls(url, seated.secret, reconnect_seconds=reconnect_seconds)

    # How it stands ----------------------------------------------------------------------------

    @property
    def position(self) -> Position:
        """The position as the seat may see it."""
        return find(self.snapshot.book).from_json(self.snapshot.view.position)

    def record(self) -> SeatRecord:
        """Return what the seat has seen and heard since the start, as the server tells it."""
        return self._recorded()[1]

    def _recorded(self) -> tuple[int, SeatRecord]:
        """Return the same, with the number of its turn."""
        late, game = time.monotonic() + self.reconnect_seconds, find(self.snapshot.book)
        while True:
            try:
                path = f"/api/games/{self.id}/record"
                told = self.server.request(path, p.Record, secret=self.secret)
            except (NoServerError, ServerError) as error:
                final = isinstance(error, ServerError) and error.code not in LATER
                if final or time.monotonic() > late:
                    raise
                time.sleep(uniform(0.5, 1.5))
            else:
                steps = tuple((one.own, one.told, game.from_json(one.view)) for one in told.steps)
                return told.turn, SeatRecord(told.seat, game.from_json(told.start), steps)

    @property
    def to_move(self) -> bool:
        """Whether it is this client's turn."""
        shown, table = self.snapshot.view, self.snapshot.status
        waiting = any(chair.kind == "open" for chair in table.chairs)
        return table.result is None and not waiting and shown.to_move in self.snapshot.seats

    @property
    def result(self) -> p.Result | None:
        """How the game ended, if it has."""
        return self.snapshot.status.result

    def overdue_in(self) -> float | None:
        """Return in how many seconds an opponent who does not begin, or left, is overdue; or None.

        At 0 this seat may do what `presence.overdue.may` says: `abort` or `claim`.
        """
        late = self.presence.overdue if self.presence else None
        waits = self.result is None and len(self.snapshot.seats) == 1 and not self.to_move
        if late is None or not waits or self._presence_turn != self.snapshot.turn:
            return None
        return max(0.0, self._presence_at + late.after / 1000 - time.monotonic())

    # What can be done -------------------------------------------------------------------------

    def play(self, move: str) -> None:
        """Play a move; when this returns, the server has it on disk."""
        self.send(p.Play(move, self.snapshot.turn))

    def resign(self) -> None:
        """Resign."""
        self.send(p.Resign(self.snapshot.turn))

    def abort(self) -> None:
        """End a game without a winner that the opponent does not begin."""
        self.send(p.Abort(self.snapshot.turn))

    def claim(self, result: Claimed = "victory") -> None:
        """Claim the victory, or a draw, over an opponent who has left."""
        self.send(p.Claim(result, self.snapshot.turn))

    def hint(self) -> p.Hint:
        """Return a hint for this seat, or raise `ServerError` with the reason."""
        hint = self.send(p.AskHint())
        if hint is None:  # what it was about has passed
            raise ServerError("stale", "The game has moved on since.")
        return hint

    def send(self, command: p.Command | p.AskHint) -> p.Hint | None:
        """Have a command carried out once, or raise `ServerError` with the reason."""
        self._number += 1
        command = msgspec.structs.replace(command, number=self._number)
        before, again, late = self.snapshot, False, time.monotonic() + self.reconnect_seconds
        while True:
            try:
                self._socket.send(msgspec.json.encode(command).decode())
                answer = self._answer(self._number)
            except (ConnectionClosed, TimeoutError) as error:
                self._mend(error)
                again = True
                continue
            if not isinstance(answer, p.Refused):
                return answer
            if answer.code in LATER and time.monotonic() < late:
                self._given_up.wait(uniform(0.5, 1.5))
                again = True  # the command may have been stored all the same
            elif again and answer.code in ("stale", "over") and self._obeyed(command, before):
                return None  # it had arrived before the connection broke
            else:
                raise ServerError(answer.code, answer.why)

    def _answer(self, number: int) -> p.Refused | p.Hint | None:
        """Wait for the answer to a command; return it if it is a refusal or a hint."""
        while True:
            message = self._next(ANSWER_TIMEOUT_SECONDS)
            match message:
                case p.Update(reply=reply) if reply == number:
                    self._unread.append(message)
                    return None
                case p.Hint(reply=reply) if reply == number:
                    return message
                case p.Refused(reply=reply) if reply in (number, None):  # None: it was not read
                    return message
                case _:
                    self._unread.append(message)

    def _obeyed(self, command: p.Command | p.AskHint, before: p.Snapshot) -> bool:
        """Whether the game is as a command wanted it."""
        if isinstance(command, p.Abort | p.Claim):
            return self.result is not None and self.result.by in ("aborted", "left")
        if not isinstance(command, p.Play):
            return True
        since = self.snapshot.moves[len(before.moves) :]
        return bool(since) and (len(before.seats) > 1 or since[0] == command.move)

    # What is heard ----------------------------------------------------------------------------

    def receive(self, timeout: float | None = None) -> p.ToClient | None:
        """Return the next message, or None if none comes in time.

        After the connection was lost this is a `Snapshot`.
        """
        if self._unread:
            return self._unread.popleft()
        try:
            return self._next(timeout)
        except TimeoutError:
            return None
        except ConnectionClosed as error:
            self._mend(error)
            return self._unread.popleft()

    def _next(self, timeout: float | None) -> p.ToClient:
        """Return the next message, and update the snapshot with it."""
        while True:
            text = self._socket.recv(timeout)
            try:
                message = DECODER.decode(text)
            except msgspec.ValidationError:
                continue  # of a newer server
            match message:
                case p.Snapshot(status=p.Status(draws=draws)):
                    self.snapshot = message
                    self.promised = self.promised or (draws.commitment if draws else "")
                case p.Update():
                    self.snapshot = after(self.snapshot, message)
                case p.Presence():
                    self.presence = message
                    self._presence_turn = self.snapshot.turn
                    self._presence_at = time.monotonic()
                case p.Refused(code="unknown", why=why, reply=None):
                    raise ServerError("unknown", why)
            return message

    # Playing ----------------------------------------------------------------------------------

    def play_to_the_end(self, player: MoveChooser, random: Random) -> p.Result:
        """Let a player play the game to its end; it agrees to every takeback."""
        for _ in self.playing(player, random):
            pass
        assert self.result is not None  # noqa: S101 # that is when playing ends
        return self.result

    def playing(
        self, player: MoveChooser, random: Random, *, claim: Claimed | None = None
    ) -> Iterator[p.Snapshot]:
        """Do the same, and yield a snapshot after each change.

        If the opponent leaves, it claims what `claim` says, and it aborts a game that the opponent
        does not begin. By default it waits.
        """
        from duelbook.players.player import adapt  # start-up need not wait for it

        adapted = adapt(player)
        yield self.snapshot
        while self.result is None:
            if self._wanted_back():
                self._try(p.Agree(self.snapshot.turn))
            elif self.to_move:
                self._move(adapted, random)
            elif claim and self.overdue_in() == 0:
                self._end_overdue(claim)
            else:
                self.receive(timeout=self.overdue_in() if claim else None)
            yield self.snapshot

    def _move(self, player: Player, random: Random) -> None:
        """Play the move of a player, unless something else happens first."""
        turn, record = self._asked(player)
        if turn != self.snapshot.turn:  # the news of it are on their way
            self.receive(timeout=1.0)
            return
        move = player.choose_from_record(record, random)
        while self.receive(timeout=0):  # what happened meanwhile
            pass
        if self.snapshot.turn == turn and not self._wanted_back():
            self._try(p.Play(move, turn))

    def _end_overdue(self, claim: Claimed) -> None:
        """End the game, unless the opponent comes back or moves first."""
        turn, late = self.snapshot.turn, self.presence and self.presence.overdue
        try:
            self.send(p.Abort(turn) if late and late.may == "abort" else p.Claim(claim, turn))
        except ServerError as error:
            if error.code not in ("turn", "stale", "over"):
                raise
            self.receive(timeout=1.0)  # the news of it are on their way

    def _asked(self, player: Player) -> tuple[int, SeatRecord]:
        """Return the turn and what the player needs to know: all of it only if it remembers."""
        if player.remembers or keeps_secrets(type(self.position)):
            return self._recorded()
        return self.snapshot.turn, SeatRecord(self.snapshot.view.to_move, self.position)

    def _wanted_back(self) -> bool:
        asks = self.snapshot.status.takeback
        return asks is not None and asks not in self.snapshot.seats

    def _try(self, command: p.Play | p.Agree) -> None:
        """Send a command, unless something else happens first."""
        table = self.snapshot.status
        try:
            self.send(command)
        except ServerError:
            if self.snapshot.turn == command.answers and self.snapshot.status == table:
                raise

    def rematch(self) -> GameClient:
        """Ask for another game, and sit down at it when the other side agrees."""
        if self.snapshot.status.next is None:
            try:
                self.send(p.Rematch())
            except ServerError as error:
                if error.code != "stale":  # it was asked for before
                    raise
        while self.snapshot.status.next is None:
            self.receive()
        url = f"{self.server.url}/g/{self.snapshot.status.next}"
        return GameClient(url, self.secret, reconnect_seconds=self.reconnect_seconds)

    # The connection ---------------------------------------------------------------------------

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Disconnect; the seat stays taken, and its secret opens it again."""
        self._open.close()

    def give_up(self) -> None:
        """Let an attempt to reconnect, in another thread, fail at once."""
        self._given_up.set()

    def _connect(self) -> None:
        """Connect, and get a snapshot."""
        self._open.close()
        url = f"ws{self.server.url.removeprefix('http')}/api/games/{self.id}/live"
        nobody = f"There is no server at {self.server.url}"
        try:
            opened = connect(url, max_size=MAX_MESSAGE_BYTES, max_queue=1000, close_timeout=2)
            self._socket: ClientConnection = self._open.enter_context(opened)
            self._socket.send(msgspec.json.encode(p.Hello(self.secret)).decode())
            while not isinstance(self._next(ANSWER_TIMEOUT_SECONDS), p.Snapshot):
                pass
        except ConnectionClosed as error:
            raise _why_closed(error) from error
        except (OSError, WebSocketException, ValueError) as error:
            raise NoServerError(f"{nobody}: {_reason(error)}.") from error

    def _mend(self, error: Exception) -> None:
        """Reconnect as soon as the server answers."""
        late, pause = time.monotonic() + self.reconnect_seconds, 0.05
        if isinstance(error, ConnectionClosed):
            why = _why_closed(error)
            if isinstance(why, ServerError):
                raise why from error
            if _code(error) == p.Close.LIMIT:
                pause = 1.0
        self.when_lost()
        while True:
            if self._given_up.wait(pause * uniform(0.5, 1.5)):
                raise NoServerError("The connection was lost.") from error
            try:
                self._connect()
            except NoServerError:
                if time.monotonic() > late:
                    raise
            else:
                self._unread.append(self.snapshot)
                return
            pause = min(2 * pause, MAX_PAUSE_SECONDS)


def after(snapshot: p.Snapshot, update: p.Update) -> p.Snapshot:
    """Return the state of a game after an update."""
    if update.seq <= snapshot.seq:
        return snapshot
    changes: dict[str, Any] = {"seq": update.seq, "turn": update.turn}
    changes["moves"] = snapshot.moves[: update.kept] + update.moves
    changes["movers"] = snapshot.movers[: update.kept] + update.movers
    changes["told"] = snapshot.told[: update.kept] + update.told
    changes["said"] = snapshot.said[: update.kept] + update.said
    if update.status is not None:
        changes["status"] = update.status
    if update.view is not None:
        changes["view"] = update.view
    return msgspec.structs.replace(snapshot, **changes)


def _code(closed: ConnectionClosed) -> int:
    return closed.rcvd.code if closed.rcvd else 1006


def _why_closed(closed: ConnectionClosed) -> ServerError | NoServerError:
    why = closed.rcvd.reason if closed.rcvd else ""
    if code := p.FATAL.get(_code(closed)):
        return ServerError(code, why or "The server refuses the connection.")
    return NoServerError(why or "The connection was lost.")


def _reason(error: object) -> str:
    """Return the reason of an error as the end of a sentence."""
    strerror = getattr(error, "strerror", None)
    return str(strerror or error or "it does not answer").rstrip(".")
