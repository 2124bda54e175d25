"""Draw a scene on the full screen: upright shapes side by side, the others in rows below them.

The TUI draws a shape in its form if it knows the form, and as a plain shape otherwise. It marks the
changes of the last move with a difference, a ring or an arrow. Colour alone carries no information.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import assert_never

from duelbook.hidden import HIDDEN
from duelbook.play.names import named
from duelbook.scene import Gauge, Scene, Shape, Slots, Stack, Text, Track, label_of
from duelbook.terminal.console.picture import owned_label
from duelbook.terminal.console.wrapping import shown_width, wrapped
from duelbook.tui.drawing.canvas import Canvas, clipped
from duelbook.tui.drawing.upright import ROWS, scaled, style_of, upright

MIN_UPRIGHT_ROWS = 7
"""The minimum number of rows for upright shapes, with the words below them."""
MAX_SHAPE_WIDTH = 28
CHIPS = {"shields": "◆", "coins": "●"}


@dataclass(frozen=True)
class DrawnShape:
    """A shape, and the same shape before the last move; a new shape counts as unchanged."""

    shape: Shape
    was: Shape

    @property
    def is_upright(self) -> bool:
        """Return whether the shape is upright, so that others stand beside it."""
        return isinstance(self.shape, Gauge | Stack) and self.shape.form in ROWS


def draw(scene: Scene, before: Scene, width: int, height: int, names: tuple[str, str]) -> Canvas:
    """Draw a scene at the largest size that fits; `before` is the scene before the last move."""
    canvas = Canvas(max(width, 1), max(height, 1))
    shapes = [DrawnShape(shape, _earlier(shape, at, before)) for at, shape in enumerate(scene)]
    standing = [drawn for drawn in shapes if drawn.is_upright]
    rows = [drawn for drawn in shapes if not drawn.is_upright]
    drawing = Drawing(canvas, names)
    room = canvas.height - drawing.needed(rows) - bool(rows and standing)
    if room < MIN_UPRIGHT_ROWS:
        standing, rows = [], shapes
    below = drawing.draw_standing(standing, room, alone=not rows) if standing else 0
    drawing.draw_rows(rows, below)
    return canvas


def _earlier(shape: Shape, at: int, before: Scene) -> Shape:
    earlier = before[at] if at < len(before) else shape
    same = type(earlier) is type(shape) and _whose(earlier) == _whose(shape)
    return earlier if same else shape


def _whose(shape: Shape) -> tuple[str, int | None]:
    return getattr(shape, "label", ""), getattr(shape, "seat", None)


@dataclass(frozen=True)
class Drawing:
    """A canvas for shapes, with the players' names."""

    canvas: Canvas
    names: tuple[str, str]

    def needed(self, rows: list[DrawnShape]) -> int:
        """Return the number of lines that the rows need."""
        return sum(self._height(drawn.shape) for drawn in rows)

    # Side by side -----------------------------------------------------------------------------

    def draw_standing(self, shapes: list[DrawnShape], room: int, *, alone: bool) -> int:
        """Draw shapes side by side, and return the line below them."""
        canvas = self.canvas
        rows = min(room - 2, max(ROWS[getattr(drawn.shape, "form", "")] for drawn in shapes))
        top = (room - rows - 2) // 2 if alone else 0
        each = min(canvas.width // len(shapes), MAX_SHAPE_WIDTH)
        left = (canvas.width - each * len(shapes)) // 2
        gauges = [drawn.shape for drawn in shapes if isinstance(drawn.shape, Gauge)]
        highest = max((max(gauge.limit, gauge.value) for gauge in gauges), default=0)
        for drawn in shapes:
            shape = drawn.shape
            if not isinstance(shape, Gauge | Stack):
                continue
            canvas.stamp(left, top, upright(each, rows, shape, highest))
            label = owned_label(shape, self.names)
            if shown_width(label) >= each:  # its place and colour show the owner
                label = clipped(label_of(shape).capitalize() or label, each - 1)
            canvas.centred(left, top + rows, each, label, f"{style_of(shape.seat)} bold")
            change = _change(drawn.was, shape)
            text = _value_text(shape) + change
            canvas.centred(left, top + rows + 1, each, text, "mark" if change else "")
            canvas.spot(left, top, each, rows + 2, shape.says)
            left += each
        return top + rows + 3

    # In rows ----------------------------------------------------------------------------------

    def draw_rows(self, rows: list[DrawnShape], top: int) -> None:
        """Draw shapes below each other, in the middle of the remaining space."""
        canvas = self.canvas
        spare = max(0, canvas.height - top - self.needed(rows))
        gap = min(1, spare // max(1, len(rows)))
        y = top or (spare - gap * (len(rows) - 1)) // 2
        labels = [
            owned_label(drawn.shape, self.names)
            for drawn in rows
            if not isinstance(drawn.shape, Slots)
        ]
        column = min(max(map(shown_width, labels), default=0) + 2, canvas.width // 2)
        for drawn in rows:
            match drawn.shape:
                case Gauge() | Stack() as shape:
                    canvas.put(
                        1,
                        y,
                        clipped(owned_label(drawn.shape, self.names), column),
                        style_of(shape.seat),
                    )
                    x = self._bar(column, y, shape)
                    x = canvas.put(x, y, f" {_value_text(shape)}", "bold")
                    canvas.put(x, y, _change(drawn.was, shape), "mark")
                    canvas.spot(0, y, canvas.width, 1, shape.says)
                case Slots() as shape:
                    self._slots(y, shape, drawn.was if isinstance(drawn.was, Slots) else shape)
                case Track() as shape:
                    self._track(y, shape, drawn.was if isinstance(drawn.was, Track) else shape)
                case Text(words):
                    for at, line in enumerate(self._lines(words)):
                        canvas.put(1, y + at, line)
                case shape:
                    assert_never(shape)
            y += self._height(drawn.shape) + gap

    def _height(self, shape: Shape) -> int:
        match shape:
            case Track():
                return 4
            case Slots(_, slots):
                return 1 + (4 if shape.seat is None else 3) * self._lines_of(len(slots)) - 1
            case Text(words):
                return len(self._lines(words))
            case Gauge() | Stack():
                return 1
            case _:
                assert_never(shape)

    def _lines(self, words: str) -> list[str]:
        return wrapped(named(words, self.names), self.canvas.width - 2).split("\n")

    def _lines_of(self, slots: int) -> int:
        """Return the number of lines for slots that are at least five columns wide."""
        return max(1, -(-slots * 5 // max(self.canvas.width - 2, 5)))

    def _bar(self, x: int, y: int, shape: Gauge | Stack) -> int:
        """Draw a bar or a row of chips, and return the column after it."""
        canvas, style = self.canvas, style_of(shape.seat)
        room = max(1, canvas.width - x - 16)
        if isinstance(shape, Gauge):
            filled = scaled(shape.value, shape.limit, room)
            return canvas.put(
                canvas.put(x + 1, y, "█" * filled, style), y, "░" * (room - filled), "dim"
            )
        x += 1
        if not isinstance(shape.count, int):
            return canvas.put(x, y, "▐▔✉▔▌", style)
        apart = 2 if 2 * shape.count <= room else 1
        for _ in range(min(shape.count, room)):
            canvas.put(x, y, CHIPS.get(shape.form, "■"), style)
            x += apart
        return x

    def _slots(self, y: int, row: Slots, was: Slots) -> None:
        """Draw named places with their owners, and a dot for each used place."""
        canvas, width = self.canvas, self.canvas.width - 2
        label = clipped(owned_label(row, self.names), width)
        canvas.centred(1, y, width, label, f"{style_of(row.seat)} bold")
        per_line = -(-len(row.slots) // self._lines_of(len(row.slots))) or 1
        each = min(width // per_line, 9)
        left = 1 + max(0, width - each * per_line) // 2
        tall = 3 if row.seat is None else 2
        for at, slot in enumerate(row.slots):
            x, top = left + (at % per_line) * each, y + 1 + (at // per_line) * (tall + 1)
            earlier = was.slots[at] if at < len(was.slots) else slot
            changed = (earlier.seat, earlier.spent) != (slot.seat, slot.spent)
            if row.seat is None:
                self._box(x, top, each, slot.name, slot.seat)
                canvas.centred(x + 1, top, each - 3, "▾" if changed else "", "mark")
            elif slot.spent:
                canvas.centred(x, top, each - 1, "·", "dim")
                canvas.centred(x, top + 1, each - 1, "▴" if changed else "", "mark")
            else:
                canvas.centred(
                    x, top, each - 1, "▲" if row.form == "ships" else "▢", style_of(row.seat)
                )
                canvas.centred(x, top + 1, each - 1, slot.name, f"{style_of(row.seat)} bold")
            canvas.spot(x, top, each, tall, slot.says)

    def _box(self, x: int, y: int, width: int, name: str, owner: int | None) -> None:
        canvas, inside = self.canvas, width - 3
        style = "" if owner is None else f"seat-{owner}"
        a, b, c, d, across, side = "╭╮╰╯─│" if owner is None else "╔╗╚╝═║"
        canvas.put(x, y, a + across * inside + b, style)
        canvas.put(x, y + 1, side + " " * inside + side, style)
        canvas.centred(x + 1, y + 1, inside, name, f"{style} bold")
        canvas.put(x, y + 2, c + across * inside + d, style)
        if owner is not None:
            canvas.centred(x + 1, y + 2, inside, f"P{owner + 1}", f"{style} bold")

    def _track(self, y: int, track: Track, was: Track) -> None:
        """Draw numbered places in a line, the units above, and a ring at a unit's last place."""
        canvas, places = self.canvas, track.last + 1
        each = max(1, min((canvas.width - 1) // places, 7))
        left = max(0, (canvas.width - each * places - 1) // 2)
        for cell in range(places):
            x = left + cell * each
            here = [seat for seat in (0, 1) if track.units[seat] == cell]
            came = [seat for seat in (0, 1) if was.units[seat] == cell and seat not in here]
            base = [seat for seat in (0, 1) if track.bases[seat] == cell]
            at = x + max(0, (each + 1 - 2 * len(here)) // 2)
            for seat in here:
                moved = " mark" if was.units[seat] != cell else ""
                at = canvas.put(at, y, f"P{seat + 1}", f"seat-{seat} bold{moved}")
            if came and not here:
                canvas.centred(x, y, each + 1, "∘", f"seat-{came[0]}")
            self._cell(x, y + 1, each, cell, f"seat-{base[0]}" if base else "")
            if cell < len(track.says):
                canvas.spot(x, y, each, 4, track.says[cell])

    def _cell(self, x: int, y: int, each: int, cell: int, base: str) -> None:
        """Draw a place of a track; a base has a roof."""
        canvas = self.canvas
        if each < 4:
            canvas.put(x, y + 1, "⌂" if base else "·", base)
            return
        first = cell == 0
        canvas.put(x, y, ("┌" if first else "┬") + "─" * (each - 1) + "┐", "dim")
        canvas.put(x, y + 1, "│" + " " * (each - 1) + "│", "dim")
        canvas.put(x, y + 2, ("└" if first else "┴") + "─" * (each - 1) + "┘", "dim")
        canvas.centred(x + 1, y + 1, each - 1, f"{'⌂' if base else ''}{cell}", base)


def _value_text(shape: Gauge | Stack) -> str:
    if isinstance(shape, Gauge):
        return f"{shape.value} of {shape.limit}"
    return "hidden" if shape.count is HIDDEN else str(shape.count)


def _change(was: Shape, now: Gauge | Stack) -> str:
    """Return the change of a shape as text, such as ` +4`; empty if there is none."""
    difference = _number(now) - _number(was)
    return f" {difference:+d}" if difference else ""


def _number(shape: Shape) -> int:
    match shape:
        case Gauge(value=int(number)) | Stack(count=int(number)):
            return number
    return 0
