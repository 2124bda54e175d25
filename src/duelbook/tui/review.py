"""Review a game: step through its positions, with the evaluation curve and better moves."""

from __future__ import annotations

from rich.text import Text
from textual import events, work
from textual.app import ComposeResult
from textual.screen import Screen
from textual.widget import Widget
from textual.widgets import Static

from duelbook.analysis.game_analysis import curve, judge
from duelbook.errors import DuelbookError
from duelbook.play.match import Match
from duelbook.play.names import PLAYERS, named
from duelbook.play.series import Series
from duelbook.players.levels import oracle_for
from duelbook.position import Position, player
from duelbook.secrecy import public_view
from duelbook.terminal.console.wrapping import shown_width
from duelbook.tui.drawing.canvas import Canvas, clipped
from duelbook.tui.host import Host
from duelbook.tui.key_commands import Item
from duelbook.tui.widgets import Board, Buttons, painted

KEYS = (
    Item("first", "Home First"),
    Item("back", "← Back"),
    Item("on", "→ Next"),
    Item("last", "End Last"),
    Item("mistake", "m Mistake"),
    Item("game", "g Next game"),
    Item("leave", "Esc Leave"),
)
BY_KEY = {
    "home": "first",
    "left": "back",
    "up": "back",
    "right": "on",
    "down": "on",
    "space": "on",
    "enter": "on",
    "end": "last",
    "m": "mistake",
    "g": "game",
    "escape": "leave",
    "q": "leave",
}


BALANCED = "equal"
MAX_STEP_WIDTH = 6
MAX_NAME_WIDTH = 12


class Curve(Widget):
    """Player 1's value at each position, with a mark at the position on the screen."""

    def __init__(self) -> None:
        super().__init__(id="curve")
        self.values: list[float] = []
        self.names = PLAYERS
        self.at = 0

    def show(self, values: list[float], at: int, names: tuple[str, str]) -> None:
        """Show a curve with a mark at position `at`."""
        self.values, self.at, self.names = values, at, names
        self.refresh()

    def _scale(self) -> tuple[int, int, int]:
        """Return the first column, the width of a bar, and the number of the first position."""
        left = min(max(map(shown_width, (*self.names, BALANCED))), MAX_NAME_WIDTH) + 2
        room = max(1, self.content_size.width - left)
        each = max(1, min(MAX_STEP_WIDTH, room // max(1, len(self.values))))
        return left, each, max(0, self.at - room // each + 1)

    def render(self) -> Text:
        """Draw a bar for each position: upwards if Player 1 is better, downwards if Player 2 is."""
        size = self.content_size
        canvas = Canvas(max(1, size.width), max(1, size.height))
        if not self.values:
            return painted(canvas, self.app.theme)
        rows = canvas.height - 1  # the last row is for the mark
        middle = (rows - 1) // 2
        left, each, first = self._scale()
        canvas.put(0, 0, clipped(self.names[0], left - 2), "seat-0")
        canvas.put(0, middle, BALANCED, "dim")
        canvas.put(0, 2 * middle, clipped(self.names[1], left - 2), "seat-1")
        for at, value in enumerate(self.values[first:]):
            y = round(middle - value * middle)
            seat = "seat-0" if value > 0 else "seat-1" if value < 0 else "dim"
            for row in range(min(y, middle), max(y, middle) + 1):
                line = ("█" if row != middle else "━") * each
                canvas.put(left + at * each, row, line, seat)
        canvas.put(left + (self.at - first) * each, rows, "▲", "mark")
        return painted(canvas, self.app.theme)

    def on_click(self, event: events.Click) -> None:
        """Show the position under the mouse."""
        place = event.get_content_offset(self)
        if place and self.values and isinstance(self.screen, ReviewScreen):
            left, each, first = self._scale()
            if place.x >= left:
                self.screen.go_to(first + (place.x - left) // each)


class ReviewScreen(Screen[None]):
    """A screen that steps through the games of a series."""

    app: Host

    def __init__(self, series: Series) -> None:
        super().__init__()
        self.series = series
        self.number = len(series.matches) - 1
        self.at = 0
        self.judged: dict[int, str] = {}
        self.mistakes: list[int] = []
        self.values: list[float] = []
        self.error = ""

    @property
    def match(self) -> Match:
        """The game under review."""
        return self.series.matches[self.number]

    def compose(self) -> ComposeResult:
        """Create the widgets: the board, the curve and the texts."""
        yield Static(id="head")
        yield Board()
        yield Curve()
        yield Static(id="question")
        yield Static(id="note")
        keys = Buttons("commands")
        keys.set_items(tuple(item for item in KEYS if self._has(item.name)))
        yield keys

    def _has(self, name: str) -> bool:
        return name != "game" or len(self.series.matches) > 1

    def on_mount(self) -> None:
        """Show the start of the game, and judge the moves in a thread."""
        self._show(move=False)
        self._judge()

    # Positions, moves and judgements ----------------------------------------------------------

    def _positions(self) -> tuple[Position, ...]:
        """Return the positions; only their public views until the rules have ended the game."""
        positions = self.match.positions
        if self.match.position.outcome() is not None:
            return positions
        return tuple(map(public_view, positions))

    def _moves(self) -> tuple[str, ...]:
        over = self.match.position.outcome() is not None
        return self.match.moves if over else self.match.seen_by_everyone()

    @work(thread=True, exclusive=True)
    def _judge(self) -> None:
        number, match = self.number, self.match.without_secrets()
        try:
            oracle = oracle_for(self.series.game)
            largest = self.series.game.largest_payoff
            values = [value / largest for value in curve(oracle, match)]
            judged = judge(oracle, match)
        except DuelbookError as refusal:
            trouble = str(refusal)
            self.app.show_from_thread(self, lambda: self._know(number, [], {}, [], trouble))
            return
        words = {}
        for judgement in judged:
            better = f"; better: {' or '.join(judgement.best[:3])}, which {judgement.should}"
            words[judgement.number] = f"{judgement.mark}: {judgement.does}" + (
                better if judgement.mark != "best" else ""
            )
        mistakes = [judgement.number for judgement in judged if judgement.mark == "mistake"]
        self.app.show_from_thread(self, lambda: self._know(number, values, words, mistakes, ""))

    def _know(
        self,
        number: int,
        values: list[float],
        judged: dict[int, str],
        mistakes: list[int],
        trouble: str,
    ) -> None:
        if number == self.number:
            self.values, self.judged, self.mistakes = values, judged, mistakes
            self.error = trouble
            self._show(move=False)

    # Stepping ---------------------------------------------------------------------------------

    def go_to(self, at: int) -> None:
        """Show the position after `at` moves, or the nearest one."""
        before, self.at = self.at, max(0, min(at, len(self.match.moves)))
        self._show(move=self.at == before + 1)

    def on_key(self, event: events.Key) -> None:
        """Carry out the command of a key."""
        if event.key in BY_KEY:
            event.stop()
            self._step(BY_KEY[event.key])

    def on_buttons_pressed(self, event: Buttons.Pressed) -> None:
        """Carry out the command of a button."""
        self._step(event.name)

    def _step(self, name: str) -> None:
        match name:
            case "first":
                self.go_to(0)
            case "back":
                self.go_to(self.at - 1)
            case "on":
                self.go_to(self.at + 1)
            case "last":
                self.go_to(len(self.match.moves))
            case "mistake":
                later = [number for number in self.mistakes if number > self.at]
                self.go_to((later or self.mistakes or [self.at])[0])
            case "game" if len(self.series.matches) > 1:
                self.number = (self.number + 1) % len(self.series.matches)
                self.at, self.values, self.judged, self.mistakes = 0, [], {}, []
                self._show(move=False)
                self._judge()
            case "leave":
                self.dismiss()

    def _show(self, *, move: bool) -> None:
        names, positions, moves = self.series.names, self._positions(), self._moves()
        before = positions[max(0, self.at - 1)].scene()
        board = self.query_one(Board)
        board.show(positions[self.at].scene(), before, names, move=move)
        self.query_one(Curve).show(self.values, self.at, names)
        title = f" {self.series.game.title}"
        if len(self.series.matches) > 1:
            title += f", game {self.number + 1} of {len(self.series.matches)}"
        head = Text(f"{title}: position {self.at} of {len(moves)}", "bold")
        self.query_one("#head", Static).update(head)
        text, note = "The start.", ""
        if self.at:
            mover = player(self.match.positions[self.at - 1].to_move)
            text = f"{self.at}. {mover}: {moves[self.at - 1]}"
            note = self.judged.get(self.at, "")
        if self.at == len(moves) and self.match.outcome() is None:
            text += "  The game continues from here."
        self.query_one("#question", Static).update(Text(named(text, names), "bold"))
        if not self.values and not self.error and len(moves):
            note = "Judging the moves …"
        self.query_one("#note", Static).update(Text(named(note or self.error, names)))
