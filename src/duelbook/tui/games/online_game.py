"""`OnlineGame`: a game on a server in the TUI, and its commands to the server."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from duelbook.errors import DuelbookError
from duelbook.play import saves
from duelbook.play.names import named
from duelbook.play.series import Series
from duelbook.terminal.usage import how_to
from duelbook.tui.games.online_state import OnlineState
from duelbook.web import protocol as p
from duelbook.web.client.background import Background, News, result_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from duelbook.web.client import GameClient


class OnlineGame(OnlineState):
    """A game on a server, played from one seat; a `TuiGame`."""

    def __init__(self, game: GameClient) -> None:
        self._line = Background(game)
        super().__init__(self._line.first)

    def listen(self, tell: Callable[[News], object]) -> None:
        """Start the connection; call `tell` with news from another thread."""
        self._line.start(tell)

    # Commands ---------------------------------------------------------------------------------

    def _send(self, command: p.Command) -> None:
        self._line.send(command)

    def play(self, move: str) -> None:
        """Send a move; news arrive after the server has played it."""
        self._sent = self.number
        self._send(p.Play(move, self.number))

    def undo(self) -> str:
        """Ask the other player for a takeback of the last choice."""
        if self.is_over:
            raise DuelbookError("The game is over.")
        self._send(p.TakeBack(self.number))
        return ""

    def resign(self) -> None:
        """Resign the game."""
        self._send(p.Resign(self.number))

    def run_command(self, name: str) -> str:
        """Carry out a command that only a game on a server has; return a note to show."""
        match name:
            case "yes" | "no":
                self._answer(yes=name == "yes")
            case "allow" | "forbid":
                self._send(p.AllowHelp(name == "allow"))
            case "rematch":
                self._line.rematch()
            case "link":
                return f"This game is at {self.news.url}"
        return ""

    def _answer(self, *, yes: bool) -> None:
        """Answer a takeback request, or end the game against an overdue opponent."""
        asks, may = self._status.takeback, self._may()
        if asks is not None and not (yes and asks == self.seat):
            self._send(p.Agree(self.number) if yes else p.Decline())
        elif may == "abort" and yes:
            self._send(p.Abort(self.number))
        elif may == "claim":
            self._send(p.Claim("victory" if yes else "draw", self.number))
        else:
            raise DuelbookError("There is nothing to answer.")

    def hint(self) -> str:
        """Return a hint from the server."""
        return named(result_of(self._line.ask(lambda game: game.hint())).said, self.names)

    def evaluation(self) -> tuple[float, str] | None:
        """Return Player 1's value, from -1 to 1, and a text about it."""
        result, known = self._status.result, self.news.evaluation
        if result is not None:
            return (0.0 if result.winner is None else 1.0 - 2 * result.winner), ""
        if not all(self._status.help):
            raise DuelbookError("Both players must allow hints first (Esc: menu).")
        if known is None or known.turn != self.number:
            raise DuelbookError("There is no evaluation of this position, or not yet.")
        return known.value, named(known.said, self.names)

    def series_to_review(self) -> Series:
        """Return the game from the server's save file."""

        def fetch(game: GameClient) -> dict[str, Any]:
            return game.server.request(f"/api/games/{game.id}/save", dict[str, Any])

        text = json.dumps(result_of(self._line.ask(fetch)))
        return saves.parse(text, "The file of the server")

    def save(self, name: str = "") -> str:  # noqa: ARG002 # it has no file of its own
        """Save a copy on this machine; return a text with its path."""
        series = self.series_to_review()
        file = saves.new_file(series)
        saves.write(series, file)
        return f"Saved to {file}."

    def close(self) -> str:
        """Disconnect; return a text that says how to continue the game."""
        self._line.close()
        if self.is_over:
            return f"The game is over. It stays at {self.news.url}"
        again = how_to("join", self.news.url, game=self.game)
        return f"The seat is still yours. Continue with: {again}"
