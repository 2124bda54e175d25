"""Draw the README's picture as an SVG file: a few turns in a real colour terminal."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from html import escape
from pathlib import Path

ANSWERS = ["build 4", "build 2"]
COLOURS = {"35": "#d787d7", "36": "#5fd7d7", "33": "#d7af5f"}
LINE, CHARACTER, MARGIN = 19, 8.43, 20


def session() -> str:
    """Type the answers into a game and return the terminal's output."""
    import pexpect  # only this needs a terminal

    with tempfile.TemporaryDirectory() as home:
        terminal = pexpect.spawn(
            str(Path(sys.executable).with_name("duelbook")),
            ["play", "tower", "--names", "Ann", "Bo"],
            env=dict(os.environ, TERM="xterm", DUELBOOK_HOME=home),
            encoding="utf-8",
        )
        received = ""
        for answer in ANSWERS:
            terminal.expect_exact("Enter your move: ")
            received += terminal.before + terminal.after
            terminal.sendline(answer)
        terminal.expect_exact("Enter your move: ")
        received += terminal.before + terminal.after
        terminal.close(force=True)
    return f"$ duelbook play tower --names Ann Bo\n{received}".replace("\r", "")


def svg(text: str, label: str = "Two turns of a game in a terminal", columns: int = 60) -> str:
    """Return text with colour codes as a picture of a terminal."""
    lines = text.split("\n")
    width, height = columns * CHARACTER + 2 * MARGIN, len(lines) * LINE + 2 * MARGIN
    rows = []
    for number, line in enumerate(lines):
        y = MARGIN + LINE * number + 14
        rows.append(f'<text x="{MARGIN}" y="{y}" xml:space="preserve">{_spans(line)}</text>')
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" '
        f'fill="#d0d0d0" role="img" aria-label="{escape(label)}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#1c1c1c"/>\n{chr(10).join(rows)}\n</svg>\n'
    )


def _spans(line: str) -> str:
    colour, bold, out = "", False, []
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[(\d*)m", piece)
        if code:
            colour, bold = COLOURS.get(code[1], "" if code[1] == "0" else colour), code[1] == "1"
        elif piece:
            style = f' fill="{colour}"' if colour else ""
            weight = ' font-weight="bold"' if bold else ""
            out.append(f"<tspan{style}{weight}>{escape(piece)}</tspan>")
    return "".join(out)


if __name__ == "__main__":
    Path(sys.argv[1]).write_text(svg(session()), encoding="utf-8")
