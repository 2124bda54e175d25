"""The view of a game: the board, the log, the question, the players and their clocks."""

from __future__ import annotations

from time import monotonic
from typing import TYPE_CHECKING, Generic, TypeVar

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.screen import Screen

from duelbook.errors import DuelbookError
from duelbook.play.names import named
from duelbook.position import player
from duelbook.terminal.console.wrapping import shown_width, wrapped
from duelbook.tui.choices import Choice
from duelbook.tui.drawing.canvas import clipped
from duelbook.tui.drawing.palette import styles_of
from duelbook.tui.key_commands import Item
from duelbook.tui.widgets import Bar, Board, Buttons, Words

if TYPE_CHECKING:
    from collections.abc import Sequence

    from duelbook.tui.games.tui_game import TuiGame
    from duelbook.tui.host import Host

AnyGame = TypeVar("AnyGame", bound="TuiGame")


class BaseGameScreen(Screen[None], Generic[AnyGame]):
    """The display of a game and of a choice in progress; `GameScreen` handles the input."""

    app: Host

    def __init__(self, game: AnyGame) -> None:
        super().__init__()
        self.game = game
        self.choice = Choice(())
        self.typed = ""
        self.note = ""
        self.shows_bar = False
        self._clocks = [0.0, 0.0]
        self._since = monotonic()
        self._runs: int | None = None

    # Layout -----------------------------------------------------------------------------------

    def compose(self) -> ComposeResult:
        """Create the widgets."""
        yield Words(id="head")
        with Horizontal(id="middle"):
            yield Board()
            with VerticalScroll(id="log"):
                yield Words(id="said")
        yield Bar()
        yield Words(id="question")
        yield Buttons("choices")
        yield Words(id="note")
        yield Buttons("commands")

    def on_resize(self, event: events.Resize) -> None:
        """Hide the log if there is no room for it beside the board."""
        self.set_class(event.size.width < 70, "narrow")
        self.set_class(event.size.width >= 110, "wide")
        self._show_head()
        self.call_after_refresh(self._show_log)

    # Show ------------------------------------------------------------------------------------

    def _offer(self, items: Sequence[Item]) -> None:
        """Show buttons to choose from."""
        self.query_one("#choices", Buttons).set_items(tuple(items))

    def _show_board(self, *, move: bool) -> None:
        game = self.game
        self.query_one(Board).show(game.shown.scene(), game.scene_before, game.names, move=move)

    def _evaluate(self) -> None:
        if self.shows_bar:
            self._study()

    @work(thread=True, exclusive=True, group="bar")
    def _study(self) -> None:
        number, value, words = self.game.number, None, ""
        try:
            evaluation = self.game.evaluation()
            value, words = evaluation or (None, "There is no evaluation while a choice is hidden.")
        except DuelbookError as refusal:
            words = str(refusal)

        def show() -> None:
            if self.game.number == number:
                self.query_one(Bar).show(value, words, self.game.names)

        self.app.show_from_thread(self, show)

    def _show_log(self) -> None:
        """Show the log, with long lines broken between items."""
        log = self.query_one("#log")
        width = max(10, log.content_size.width - 1)
        entries = [wrapped(text, width) for text in self.game.log()]
        self.query_one("#said", Words).show(_log_text(entries))
        log.scroll_end(animate=False)

    def _show_words(self) -> None:
        """Show the question or the result, the typed text, and the last note."""
        game = self.game
        question = self.query_one("#question", Words)
        if game.is_over:
            question.show(Text(game.result(), "bold"))
        elif game.asked_seat is None:
            question.show(Text(named(f"{game.waits_for()} …", game.names)))
        else:
            words, _ = self.choice.next_question()
            question.show(Text(self._question(words)))
        lines = filter(None, (game.notice(), self._typed_so_far() or self.note))
        self.query_one("#note", Words).show(Text("\n".join(lines)))
        commands = self.query_one("#commands", Buttons)
        if commands.items != tuple(game.commands()):
            commands.set_items(tuple(game.commands()))
        self._show_head()

    def _question(self, words: tuple[str, ...]) -> str:
        game = self.game
        look = game.shown
        prompt = look.ask(words) if self.choice.pieces == () else ""
        mover = player(game.asked_seat or 0)
        text = " ".join(prompt.replace(">", "").split()) or "Choose:"
        turn = "" if mover in text else f"{mover}: "
        pieces = f" ({', '.join(self.choice.pieces)})" if self.choice.pieces else ""
        return named(f"{turn}{text}{pieces}", game.names)

    def _typed_so_far(self) -> str:
        """Return a text about incomplete input, without the input of a hidden choice."""
        if not self.typed:
            return ""
        unseen = self.game.is_unseen(self.choice.next_question()[0])
        return f"Typed {'text is hidden' if unseen else self.typed}. Enter accepts it."

    def _tick(self) -> None:
        """Add the elapsed time to the clock of the player whose time runs."""
        now = monotonic()
        if self._runs in (0, 1):
            self._clocks[self._runs] += now - self._since
        self._since = now

    def _show_head(self) -> None:
        """Show the title, the player to move, and the time of each player."""
        self._tick()
        game, width = self.game, self.size.width
        names = game.names
        sides = []
        for seat in (0, 1):
            turn = "▶ " if self._runs == seat else "  "
            left = game.time_left(seat)
            minutes, seconds = divmod(int(self._clocks[seat] if left is None else left), 60)
            sides.append(f"{turn}{names[seat]} {minutes}:{seconds:02}")
        title = game.title
        right = "   ".join(sides)
        room = max(0, width - shown_width(right) - 3)
        text = Text(no_wrap=True, end="")
        title = clipped(title, room)
        text.append(f" {title}", "bold")
        text.append(" " * max(1, width - shown_width(title) - shown_width(right) - 2))
        styles = styles_of(self.app.theme)
        for seat in (0, 1):
            text.append("   " * seat)
            text.append(sides[seat], styles[f"seat-{seat}"] + " bold" * (self._runs == seat))
        self.query_one("#head", Words).show(text, layout=False)


def _log_text(entries: list[str]) -> Text:
    """Return the log, with the last entry in bold."""
    text = Text()
    for at, entry in enumerate(entries):
        if at:
            text.append("\n\n")
        text.append(entry, "bold" if at == len(entries) - 1 and at else "")
    return text
