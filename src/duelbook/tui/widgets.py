"""The widgets of the TUI: texts, the board, rows of buttons, and the evaluation bar."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from rich.text import Text
from textual import events
from textual.message import Message
from textual.widget import Widget
from textual.widgets import Static

from duelbook.play.names import PLAYERS
from duelbook.scene import Scene
from duelbook.terminal.console.wrapping import shown_width
from duelbook.tui.drawing.board import draw
from duelbook.tui.drawing.canvas import Canvas, Spot
from duelbook.tui.drawing.motion import between
from duelbook.tui.drawing.palette import styles_of
from duelbook.tui.key_commands import Item

FRAMES = 6
FRAME_SECONDS = 0.06


def painted(canvas: Canvas, theme: str) -> Text:
    """Return the characters of a canvas as a text with the styles of a theme."""
    styles_by_name = styles_of(theme)
    text = Text(no_wrap=True, end="")
    for number, (letters, styles) in enumerate(zip(canvas.letters, canvas.styles, strict=True)):
        if number:
            text.append("\n")
        cells = zip(letters, styles, strict=True)
        for style, run in groupby(cells, key=lambda cell: cell[1]):
            rich = " ".join(styles_by_name[name] for name in style.split())
            text.append("".join(letter for letter, _ in run), rich)
    return text


class Words(Static):
    """A text that redraws itself only if it has changed, because a comparison is much faster."""

    def show(self, text: Text, *, layout: bool = True) -> None:
        """Show a text; `layout` says whether its height may change."""
        shown = self.content
        if not (isinstance(shown, Text) and shown == text and shown.style == text.style):
            self.update(text, layout=layout)


class Board(Widget):
    """The picture of the position; a click on a shape enters the words of that shape."""

    @dataclass
    class Pointed(Message):
        """The message after a click on a shape with words of a move."""

        says: str

    def __init__(self) -> None:
        super().__init__(id="board")
        self.names = PLAYERS
        self._scene: Scene = ()
        self._before: Scene = ()
        self._frame = FRAMES
        self._canvas = Canvas(1, 1)

    def show(self, scene: Scene, before: Scene, names: tuple[str, str], *, move: bool) -> None:
        """Show a scene; after a move, animate the change from the scene before it."""
        self.names, self._before = names, before
        moves = move and scene != self._scene and self.app.animation_level != "none"
        self._scene, self._frame = scene, 0 if moves else FRAMES
        if moves:
            self.set_timer(FRAME_SECONDS, self._step)
        self.refresh()

    def places(self) -> list[Spot]:
        """Return the rectangles that a click can select."""
        return self._canvas.spots

    def _step(self) -> None:
        if self._frame < FRAMES:
            self._frame += 1
            self.set_timer(FRAME_SECONDS, self._step)
            self.refresh()

    def render(self) -> Text:
        """Draw the scene at the largest size that fits."""
        on_its_way = self._frame < FRAMES
        scene = (
            between(self._before, self._scene, self._frame / FRAMES) if on_its_way else self._scene
        )
        size = self.content_size
        self._canvas = draw(scene, self._before, size.width, size.height, self.names)
        return painted(self._canvas, self.app.theme)

    def on_click(self, event: events.Click) -> None:
        """Post the words of the shape under the mouse."""
        place = event.get_content_offset(self)
        if place and (says := self._canvas.at(place.x, place.y)):
            self.post_message(self.Pointed(says))


class Buttons(Widget):
    """Lines of buttons for arrows, keys and the mouse; at most one button is highlighted."""

    @dataclass
    class Pressed(Message):
        """The message after a click on a button."""

        buttons: Buttons
        name: str

    def __init__(self, id: str) -> None:  # noqa: A002 # the name that Textual uses
        super().__init__(id=id)
        self.items: tuple[Item, ...] = ()
        self.highlighted: int | None = None
        self._canvas = Canvas(1, 1)

    def set_items(self, items: tuple[Item, ...]) -> None:
        """Replace the buttons, and highlight none of them."""
        changed, self.items, self.highlighted = items != self.items, items, None
        self.refresh(layout=changed)

    def move(self, step: int) -> None:
        """Highlight the next button (`step` 1) or the previous one (`step` -1)."""
        if self.items:
            first = 0 if step > 0 else len(self.items) - 1
            at = self.highlighted
            self.highlighted = first if at is None else (at + step) % len(self.items)
            self.refresh()

    def move_line(self, step: int) -> None:
        """Highlight the button in the line above or below; in a single line, the next button."""
        places = self._places(self.size.width)
        if self.highlighted is None or len({y for _, y in places}) < 2:
            self.move(step)
            return
        x, y = places[self.highlighted]
        lines = max(y for _, y in places) + 1
        target_line = (y + step) % lines
        line = [at for at, place in enumerate(places) if place[1] == target_line]
        self.highlighted = min(line, key=lambda at: abs(places[at][0] - x))
        self.refresh()

    def highlight(self, name: str | None) -> None:
        """Highlight the button with this name, or no button."""
        names = [item.name for item in self.items]
        self.highlighted = names.index(name) if name in names else None
        self.refresh()

    @property
    def chosen(self) -> str | None:
        """The name of the highlighted button, or None."""
        return None if self.highlighted is None else self.items[self.highlighted].name

    def _places(self, width: int) -> list[tuple[int, int]]:
        x = y = 0
        places = []
        for item in self.items:
            wide = shown_width(item.label) + 2
            if x and x + wide > width:
                x, y = 0, y + 1
            places.append((x, y))
            x += wide + 1
        return places

    def places(self) -> list[Spot]:
        """Return the rectangles of the buttons."""
        return self._canvas.spots

    def get_content_height(self, container: object, viewport: object, width: int) -> int:  # noqa: ARG002 # as Textual calls it
        """Return the number of lines that the buttons need."""
        return max((y for _, y in self._places(width)), default=0) + 1

    def render(self) -> Text:
        """Draw the buttons."""
        size = self.content_size
        self._canvas = canvas = Canvas(max(1, size.width), max(1, size.height))
        for at, (item, (x, y)) in enumerate(zip(self.items, self._places(size.width), strict=True)):
            style = "mark bold" if at == self.highlighted else "bold"
            end = canvas.put(x, y, f"[{item.label}]", style)
            canvas.spot(x, y, end - x, 1, item.name)
        return painted(canvas, self.app.theme)

    def on_click(self, event: events.Click) -> None:
        """Press the button under the mouse."""
        place = event.get_content_offset(self)
        if place and (name := self._canvas.at(place.x, place.y)):
            self.post_message(self.Pressed(self, name))


class Bar(Widget):
    """The evaluation of the position, as a bar between the players and in words."""

    def __init__(self) -> None:
        super().__init__(id="bar")
        self.names = PLAYERS
        self.value: float | None = None
        self.words = ""

    def show(self, value: float | None, words: str, names: tuple[str, str]) -> None:
        """Show Player 1's value, from -1 to 1."""
        self.value, self.words, self.names = value, words, names
        self.refresh()

    def render(self) -> Text:
        """Draw the bar: Player 1 from the left, Player 2 from the right."""
        text = Text(no_wrap=True, overflow="ellipsis", end="")
        styles = styles_of(self.app.theme)
        room = max(8, min(30, self.size.width // 3))
        if self.value is None:
            text.append("░" * room, "dim")
        else:
            ours = round((1 + max(-1.0, min(1.0, self.value))) / 2 * room)
            text.append("█" * ours, styles["seat-0"])
            text.append("▒" * (room - ours), styles["seat-1"])
        text.append(f"  {self.words}")
        return text
