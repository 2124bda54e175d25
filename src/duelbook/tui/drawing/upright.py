"""Drawings of upright shapes: towers, islands, the sea, piles of coins, envelopes."""

from __future__ import annotations

from duelbook.scene import Gauge, Stack
from duelbook.tui.drawing.canvas import Canvas

ROWS = {"tower": 26, "island": 26, "sea": 26, "coins": 6, "envelope": 6}
"""The upright forms, and the maximum number of rows of each."""
PILE_SIZE = 5
ENVELOPE = ("┌────────┐", "│\\      /│", "│  \\__/  │", "└────────┘")


def upright(width: int, rows: int, shape: Gauge | Stack, top: int) -> Canvas:
    """Draw a shape into some columns and rows; `top` is the value at the top of all towers."""
    canvas = Canvas(width, rows)
    match shape:
        case Gauge(form="tower"):
            _paint_tower(canvas, shape, top)
        case Gauge():
            _paint_island(canvas, shape)
        case Stack(form="sea", count=int(count)):
            _paint_sea(canvas, count, shape.limit or count)
        case Stack(form="coins", count=int(count)):
            _paint_coins(canvas, count, style_of(shape.seat))
        case Stack():
            for at, line in enumerate(ENVELOPE):
                canvas.centred(0, rows - len(ENVELOPE) + at, width, line, style_of(shape.seat))
    return canvas


def style_of(seat: int | None) -> str:
    """Return the style of the things that belong to a seat, or to nobody."""
    return "" if seat is None else f"seat-{seat}"


def scaled(value: int, limit: int, steps: int) -> int:
    """Return the number of steps for a value, at least 1 unless the value is 0."""
    return 0 if value <= 0 else max(1, min(steps, round(value * steps / max(limit, 1))))


def _paint_tower(canvas: Canvas, tower: Gauge, top: int) -> None:
    """Draw a pile of blocks with a mark at the limit; beyond the limit, the blocks crack."""
    style = style_of(tower.seat)
    rows = canvas.height - 1  # the first row is for the mark
    body = max(3, min(15, canvas.width - 8))
    x = (canvas.width - body) // 2
    halves = scaled(tower.value, top, 2 * rows)
    mark = rows - scaled(tower.limit, top, 2 * rows) // 2
    canvas.put(x - 2, mark, "╌" * (body + 4), "dim")
    canvas.put(x + body + 2, mark, f" {tower.limit}", "dim")
    for row in range(-(-halves // 2)):
        block = "▄" if halves - 2 * row == 1 else "▚" if tower.value > tower.limit else "█"
        canvas.put(x, rows - row, block * body, style)


def _paint_island(canvas: Canvas, island: Gauge) -> None:
    """Draw a hill above the water; its height is its value."""
    rows, middle, widest = canvas.height - 1, canvas.width // 2, (canvas.width - 4) // 2
    hill = scaled(island.value, island.limit, rows)
    for row in range(hill):
        half = min(widest, 1 + row)
        left, right = ("◢", "◣") if row < widest else ("█", "█")
        slope = left + "█" * (2 * half - 2) + right
        canvas.put(middle - half, rows - hill + row, slope, style_of(island.seat))
    canvas.put(1, rows, "≈" * (canvas.width - 2), "sea")


def _paint_sea(canvas: Canvas, count: int, limit: int) -> None:
    """Draw water whose depth is the count, and a line at its limit."""
    deep = scaled(count, limit, canvas.height)
    canvas.put(2, 0, "╌" * (canvas.width - 4), "dim")
    for row in range(canvas.height - deep, canvas.height):
        canvas.put(2, row, "≈" * (canvas.width - 4), "sea")


def _paint_coins(canvas: Canvas, count: int, style: str) -> None:
    """Draw piles of five coins, or higher piles if the canvas is too narrow."""
    max_piles = max(1, (canvas.width - 2) // 4)
    pile = max(PILE_SIZE, -(-count // max_piles))
    x = (canvas.width - 4 * -(-count // pile) + 1) // 2
    for coin in range(count):
        canvas.put(x + coin // pile * 4, canvas.height - 1 - coin % pile, "▬▬▬", style)
