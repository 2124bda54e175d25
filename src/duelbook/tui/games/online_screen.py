"""The screen of a game on a server: it follows the server's updates."""

from __future__ import annotations

from dataclasses import dataclass

from textual import work
from textual.message import Message

from duelbook.errors import DuelbookError
from duelbook.tui.games.game_screen import GameScreen
from duelbook.tui.games.online_game import OnlineGame
from duelbook.web.client.background import News


class OnlineScreen(GameScreen[OnlineGame]):
    """The screen of a game on a server, from one seat."""

    @dataclass
    class Heard(Message):
        """The message with news from the server."""

        news: News

    def on_mount(self) -> None:
        """Listen to the server; update clocks and claims every second."""
        self.game.listen(lambda news: self.post_message(self.Heard(news)))
        self.set_interval(1.0, self._show_words)

    def on_online_screen_heard(self, event: Heard) -> None:
        """Show the changes; a choice in progress stays unless the position has changed."""
        before, known = self.game.news, self._known()
        self.game.take(event.news)
        if event.news.snapshot.id != before.snapshot.id:
            self._clocks, self.note = [0.0, 0.0], ""
        if event.news.refusal:
            self.note = event.news.refusal
        if self._known() != known:
            self.note = event.news.refusal
            self._advance(move=event.news.snapshot.id == before.snapshot.id)
            return
        if event.news.evaluation is not before.evaluation:
            self._evaluate()
        self._show_words()

    def _known(self) -> tuple[object, ...]:
        """Return the values that determine the possible choices."""
        game = self.game
        return game.news.snapshot.id, game.number, game.is_over, game.names, game.waits_for()

    def _run_special_command(self, name: str) -> None:
        """Carry out a command that only a game on a server has."""
        self.note = self.game.run_command(name)
        self._show_words()

    def _save(self) -> None:
        self._save_copy()

    @work(thread=True, exclusive=True, group="save")
    def _save_copy(self) -> None:
        try:
            note = self.game.save()
        except DuelbookError as refusal:
            note = f"Not saved. {refusal}"

        def show() -> None:
            self.note = note
            self._show_words()

        self.app.show_from_thread(self, show)
