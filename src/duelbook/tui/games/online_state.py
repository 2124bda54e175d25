"""The state of a game on a server, as the TUI shows it, derived from the server's news."""

from __future__ import annotations

from time import monotonic

from duelbook import secrecy
from duelbook.catalog.registry import find
from duelbook.errors import DuelbookError
from duelbook.play.names import named
from duelbook.position import CHANCE, Position, count, player
from duelbook.scene import Scene
from duelbook.tui.key_commands import MENU, ONLINE_KEYS, Item, buttons
from duelbook.web import protocol as p
from duelbook.web.client.background import News
from duelbook.web.client.fairness import fairness

LINES = {
    "undo": "Ask to take your last move back",
    "allow": "Allow hints and the bar (both players must)",
    "forbid": "Stop allowing hints and the bar",
    "link": "The address of this game",
    "save": "Save a copy here",
    "leave": "Leave; the seat stays yours",
}
"""The lines of the menu that differ from a game at this terminal."""
CLAIM = "F5 claims the victory, F9 a draw"
NOTICE_SECONDS = 20
"""The notice about a deadline appears this number of seconds before it."""


class OnlineState:
    """The state of a game on a server, from one seat, according to the server's news."""

    keys = ONLINE_KEYS

    def __init__(self, news: News) -> None:
        self.news = news
        (self.seat,) = news.snapshot.seats
        self.viewer: int | None = self.seat
        self._look = self._read()
        self._before = self._look
        self._sent: int | None = None
        """The turn of a command that the server has not answered yet."""

    def take(self, news: News) -> None:
        """Update the state from news."""
        before, self.news = self.news.snapshot, news
        if (news.snapshot.id, news.snapshot.turn) != (before.id, before.turn):
            self._before, self._look = self._look, self._read()
        if news.snapshot.id != before.id:
            (self.seat,) = news.snapshot.seats
            self.viewer, self._before = self.seat, self._look
        if news.refusal or news.end or news.snapshot.turn != self._sent or self.is_over:
            self._sent = None

    def _read(self) -> Position:
        snapshot = self.news.snapshot
        try:
            return find(snapshot.book).from_json(snapshot.view.position)
        except (ValueError, TypeError, KeyError) as error:
            raise DuelbookError(
                f"The server has other rules of {snapshot.title} than this program: {error}"
            ) from error

    # State ------------------------------------------------------------------------------------

    @property
    def _status(self) -> p.Status:
        return self.news.snapshot.status

    @property
    def _other(self) -> str:
        return self.names[1 - self.seat]

    @property
    def game(self) -> type[Position]:
        """The class of the game."""
        return find(self.news.snapshot.book)

    @property
    def title(self) -> str:
        """The title of the game."""
        return self.game.title

    @property
    def names(self) -> tuple[str, str]:
        """The names of the players."""
        return self._status.chairs[0].name, self._status.chairs[1].name

    @property
    def shown(self) -> Position:
        """The position as this seat may see it."""
        return self._look

    look = shown

    @property
    def scene_before(self) -> Scene:
        """The scene before the last move."""
        return self._before.scene()

    @property
    def number(self) -> int:
        """A number that changes whenever the position does."""
        return self.news.snapshot.turn

    @property
    def is_over(self) -> bool:
        """Return whether the game is over."""
        return self._status.result is not None

    @property
    def _is_open(self) -> bool:
        return any(chair.kind == "open" for chair in self._status.chairs)

    @property
    def asked_seat(self) -> int | None:
        """The seat here, if it is to move and the connection works; else None."""
        is_own_turn = self.news.snapshot.view.to_move == self.seat and not self._is_open
        away = self.is_over or self._sent is not None or self.news.is_lost or self.news.end
        return self.seat if is_own_turn and not away else None

    @property
    def running(self) -> int | None:
        """The seat whose time runs, if one does."""
        seat = self.news.snapshot.view.to_move
        return None if self.is_over or self._is_open or seat == CHANCE else seat

    @property
    def can_resign(self) -> bool:
        """Return whether the game and the news about it continue."""
        return not self.is_over and not self.news.end

    def time_left(self, seat: int) -> float | None:
        """Return the seconds on a player's clock, if there are clocks."""
        clocks = self._status.clocks
        if clocks is None:
            return None
        runs = clocks.running == seat and not self.is_over
        since = monotonic() - self.news.at if runs else 0.0
        return max(0.0, clocks.left[seat] / 1000 - since)

    def legal(self) -> tuple[str, ...]:
        """Return the moves to choose from."""
        return tuple(self.news.snapshot.view.legal)

    def waits_for(self) -> str:
        """Return the reason for waiting; empty if this player is asked."""
        if self.is_over or self.asked_seat is not None:
            return ""
        if self.news.end:
            return "This game has ended for this program"
        if self.news.is_lost:
            return "The connection is lost. Trying to reconnect"
        if self._is_open:
            return f"Waiting for another player at {self.news.url}"
        if self._sent is not None:
            return "Sending"
        seat = self.news.snapshot.view.to_move
        return "Chance" if seat == CHANCE else f"{player(seat)} thinks"

    def needs_curtain(self, words: tuple[str, ...]) -> bool:  # noqa: ARG002 # nobody else is here
        """Return False: the other player does not see this screen."""
        return False

    def is_unseen(self, words: tuple[str, ...]) -> bool:
        """Return whether the screen must not show the next word."""
        return self.news.snapshot.view.sealed and secrecy.is_secret_word(self._look, words)

    def log(self) -> list[str]:
        """Return the texts of the book: the welcome, then the text of each move."""
        snapshot = self.news.snapshot
        texts = [snapshot.welcome]
        steps = zip(snapshot.movers, snapshot.moves, snapshot.told, strict=True)
        for number, (mover, move, text) in enumerate(steps, start=1):
            heading = f"{number}. {player(mover)}: {move}"
            texts.append("\n".join(filter(None, [heading, text.strip("\n")])))
        return [named(text, self.names) for text in texts]

    def result(self) -> str:
        """Return the winner, the reason, and whether the chance outcomes were fair, as text."""
        result = self._status.result
        why = result.why if result else ""
        fair = fairness(self.news.snapshot, self.news.commitment)
        return named("\n".join(filter(None, [why, fair])), self.names)

    def notice(self) -> str:
        """Return a notice for this player, with the keys that answer it; may be empty."""
        if self.news.end:
            return self.news.end
        if self.news.is_lost:
            return ""  # `waits_for` says so
        if self.is_over:
            return self._rematch_notice()
        if self._status.takeback == self.seat:
            return "You have asked to take your last move back: F9 withdraws it."
        if self._status.takeback is not None:
            return f"{self._other} asks to take the last move back: F5 agrees, F9 declines."
        return self._away_notice()

    def _rematch_notice(self) -> str:
        requests = self._status.rematch
        if requests[self.seat] and not self._status.next:
            return f"You have asked for a rematch. Waiting for {self._other}."
        return f"{self._other} wants a rematch." if requests[1 - self.seat] else ""

    def _away_notice(self) -> str:
        presence = self.news.presence
        if presence is None or self._is_open or presence.seats[1 - self.seat]:
            who = f"{self._other} does not begin"
        else:
            who = f"{self._other} is not connected"
        if may := self._may():
            does = "F5 ends the game without a winner" if may == "abort" else CLAIM
            return f"{who}: {does}."
        gone = presence and not self._is_open and not presence.seats[1 - self.seat]
        if self.news.overdue_at is not None and presence and presence.overdue:
            seconds = max(1, round(self.news.overdue_at - monotonic()))
            end = "end" if presence.overdue.may == "abort" else "claim"
            if gone or seconds <= NOTICE_SECONDS:  # a present player may think for a while
                return f"{who}. In {count(seconds, 'second')} you can {end} the game."
        return f"{who}." if gone else self._status.failed

    def _may(self) -> str:
        """Return the permitted action against an overdue opponent: `abort`, `claim` or nothing."""
        presence, late = self.news.presence, self.news.overdue_at
        if late is None or monotonic() < late or presence is None or presence.overdue is None:
            return ""
        return presence.overdue.may

    def commands(self) -> tuple[Item, ...]:
        """Return the buttons at the bottom; those that answer the other player come first."""
        asks, may = self._status.takeback, self._may()
        labels = {"undo": "F3 Take back"}
        answers: tuple[str, ...] = ()
        if self.is_over:
            return buttons("menu", "keys", "save", "leave")
        if asks is not None:
            answers = ("no",) if asks == self.seat else ("yes", "no")
            labels |= {
                "yes": "F5 Agree",
                "no": "F9 Withdraw" if asks == self.seat else "F9 Decline",
            }
        elif may:
            answers = ("yes",) if may == "abort" else ("yes", "no")
            labels |= {"yes": "F5 End" if may == "abort" else "F5 Win", "no": "F9 Draw"}
        if answers:
            return buttons(*answers, "menu", "keys", "undo", "leave", **labels)
        hint, bar = (("hint",), ("bar",)) if all(self._status.help) else ((), ())
        return buttons("menu", "keys", *hint, "undo", *bar, "resign", "leave", **labels)

    def menu(self) -> list[Item]:
        """Return the lines of the menu."""
        names = ["rules", "look", "link", "save"]
        if not self.is_over:
            helps = self._status.help
            hints = ["hint", "bar"] if all(helps) else []
            allow = "forbid" if helps[self.seat] else "allow"
            names = [*hints, "undo", "rules", allow, "look", "link", "save", "resign"]
        return [Item(name, LINES.get(name) or MENU[name]) for name in [*names, "leave"]]

    def offers(self) -> tuple[Item, ...]:
        """Return the buttons after the game."""
        if self._is_open:  # nobody has ever joined
            return buttons("leave", leave="Leave")
        return buttons("rematch", "review", "leave", leave="Leave")
