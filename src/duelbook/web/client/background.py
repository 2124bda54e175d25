"""`Background`: a game on a server in a thread; commands and news pass without blocking."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from concurrent.futures import CancelledError, Future
from dataclasses import dataclass
from queue import Empty, Queue
from threading import Event, Thread
from time import monotonic
from typing import Any, TypeVar

import msgspec

from duelbook.errors import DuelbookError
from duelbook.web import protocol as p
from duelbook.web.client import credentials
from duelbook.web.client.game_client import GameClient
from duelbook.web.client.server import NoServerError, ServerError

T = TypeVar("T")
POLL_SECONDS = 0.05
"""The seconds to wait for a message before the next look at the requests."""
CLOSE_TIMEOUT_SECONDS = 3.0


@dataclass(frozen=True)
class News:
    """The state of a game, as this client knows it."""

    snapshot: p.Snapshot
    url: str
    at: float
    """The time of the snapshot on the monotonic clock; the players' clocks run since then."""
    presence: p.Presence | None = None
    overdue_at: float | None = None
    """The time from which the opponent is overdue, on the same clock."""
    evaluation: p.Evaluation | None = None
    commitment: str = ""
    """The commitment that the server first gave to the chance outcomes."""
    is_lost: bool = False
    """True while the connection is lost and the client tries to reconnect."""
    refusal: str = ""
    """The reason why the server refused the last command, if it did."""
    end: str = ""
    """The reason why these are the last news; empty otherwise."""


class Background:
    """Play a game in a separate thread, which calls `on_news` with all news."""

    def __init__(self, game: GameClient) -> None:
        self._game = game
        self._requests: Queue[tuple[Callable[[GameClient], Any], Future[Any]]] = Queue()
        self._closed = Event()
        self._on_news: Callable[[News], object] = lambda _: None
        self._thread = Thread(target=self._run, name=f"game {game.id}", daemon=True)
        self._clean: p.Snapshot | None = None
        self._known: p.Snapshot | None = None
        self._at = monotonic()
        self._evaluation: p.Evaluation | None = None
        self._rematch = False
        self.first = self._news()
        """The news before the thread starts."""

    def start(self, on_news: Callable[[News], object]) -> None:
        """Start the thread; it calls `on_news` with all news."""
        self._on_news = on_news
        self._game.when_lost = self._lost
        self._thread.start()

    def ask(self, request: Callable[[GameClient], T]) -> Future[T]:
        """Call a function with the game in the thread, as soon as the game is connected."""
        future: Future[T] = Future()
        self._requests.put((request, future))
        if self._closed.is_set():
            future.cancel()
        return future

    def send(self, command: p.Command) -> None:
        """Send a command; the news contain the reason if the server refuses it."""
        self.ask(lambda game: game.send(command)).add_done_callback(self._sent)

    def rematch(self) -> None:
        """Ask for another game, or agree to one, and continue with it once it exists."""
        self.ask(self._ask_rematch).add_done_callback(self._sent)

    def close(self) -> None:
        """Disconnect; the seat stays taken."""
        self._closed.set()
        self._game.give_up()
        if self._thread.is_alive():
            self._thread.join(CLOSE_TIMEOUT_SECONDS)
        else:
            self._game.close()

    # In the thread ----------------------------------------------------------------------------

    def _run(self) -> None:
        try:
            while not self._closed.is_set():
                self._do_next()
                if self._rematch and self._game.snapshot.status.next:
                    self._follow()
                if (message := self._game.receive(timeout=POLL_SECONDS)) is not None:
                    if isinstance(message, p.Evaluation):
                        self._evaluation = message
                    self._on_news(self._news())
        except DuelbookError as error:
            if not self._closed.is_set():
                self._on_news(self._news(end=str(error)))
        finally:
            self._closed.set()
            self._game.close()
            while not self._requests.empty():
                self._requests.get()[1].cancel()

    def _do_next(self) -> None:
        try:
            request, future = self._requests.get_nowait()
        except Empty:
            return
        if not future.set_running_or_notify_cancel():
            return
        try:
            future.set_result(request(self._game))
        except ServerError as refusal:
            future.set_exception(refusal)
        except DuelbookError as error:
            future.set_exception(error)
            raise

    def _sent(self, future: Future[Any]) -> None:
        refusal = None if future.cancelled() else future.exception()
        if refusal is None or isinstance(refusal, ServerError):
            self._on_news(self._news(refusal=str(refusal or "")))

    def _ask_rematch(self, game: GameClient) -> None:
        self._rematch = True
        if game.snapshot.status.next is None:
            game.send(p.Rematch())

    def _follow(self) -> None:
        """Continue with the game that follows this one."""
        old, url = self._game, f"{self._game.server.url}/g/{self._game.snapshot.status.next}"
        try:
            new = GameClient(url, old.secret, reconnect_seconds=old.reconnect_seconds)
        except NoServerError:
            return  # `_run` tries again
        credentials.store(new.url, str(new.secret))
        new.when_lost, self._game, self._rematch = self._lost, new, False
        self._evaluation = None
        old.close()
        self._on_news(self._news())

    def _lost(self) -> None:
        self._on_news(self._news(is_lost=True))

    def _news(self, *, is_lost: bool = False, refusal: str = "", end: str = "") -> News:
        game, now = self._game, monotonic()
        if game.snapshot is not self._known or self._clean is None:
            self._known, self._clean, self._at = game.snapshot, clean_snapshot(game.snapshot), now
        late = game.overdue_in()
        return News(
            self._clean,
            game.url,
            self._at,
            presence=game.presence,
            overdue_at=None if late is None else now + late,
            evaluation=self._evaluation,
            commitment=game.commitment,
            is_lost=is_lost,
            refusal=clean(refusal),
            end=clean(end),
        )


def result_of(future: Future[T]) -> T:
    """Return the result of a request; raise an error if there is none."""
    try:
        return future.result()
    except CancelledError as error:
        raise NoServerError("The connection was lost.") from error


# Texts of the server ----------------------------------------------------------------------------


def clean_snapshot(snapshot: p.Snapshot) -> p.Snapshot:
    """Return a snapshot whose texts have no control characters for a terminal."""
    return msgspec.convert(_clean_all(msgspec.to_builtins(snapshot)), p.Snapshot)


def _clean_all(value: Any) -> Any:  # noqa: ANN401 # JSON
    match value:
        case str():
            return clean(value)
        case list():
            return [_clean_all(item) for item in value]
        case dict():
            return {key: _clean_all(item) for key, item in value.items()}
    return value


def clean(text: str) -> str:
    """Return a text with control characters replaced, except line ends."""
    if text.isprintable():
        return text
    return "".join(
        "\N{REPLACEMENT CHARACTER}"
        if letter != "\n" and unicodedata.category(letter) in ("Cc", "Cs")
        else letter
        for letter in text
    )
