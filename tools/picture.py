"""Record the README's game as an animated SVG file: a person against the computer in a terminal."""

from __future__ import annotations

import os
import re
import sys
import tempfile
from html import escape
from pathlib import Path

COMMAND = ["duelbook", "play", "tower", "--vs", "medium", "--seed", "3"]
PROMPT = "Enter your move: "
HINTS = 5
COLOURS = {"35": "#d787d7", "36": "#5fd7d7", "33": "#d7af5f"}
LINE_HEIGHT, CHARACTER_WIDTH, MARGIN = 19, 8.43, 20  # pixels
SCREEN_LINES = 19
FRAME_SECONDS = 2


def record() -> list[str]:
    """Follow hints in a game; return the terminal's output at each prompt and each answer."""
    import pexpect  # only this needs a terminal

    with tempfile.TemporaryDirectory() as home:
        terminal = pexpect.spawn(
            str(Path(sys.executable).with_name(COMMAND[0])),
            COMMAND[1:],
            env=dict(os.environ, TERM="xterm", DUELBOOK_HOME=home),
            encoding="utf-8",
        )
        output, frames = f"$ {' '.join(COMMAND)}\n", []
        for _ in range(HINTS):
            for answer in ("hint", ""):
                terminal.expect_exact(PROMPT)
                output += (terminal.before + terminal.after).replace("\r", "")
                move = answer or output.splitlines()[-2].split(" wins")[0]
                frames += [output, output + move]
                terminal.sendline(move)
        terminal.expect_exact(PROMPT)
        frames.append(output + (terminal.before + terminal.after).replace("\r", ""))
        terminal.close(force=True)
    return frames


def animation(frames: list[str], label: str) -> str:
    """Return a picture of a terminal that shows the end of each text in turn, in a loop."""
    screens = ["\n".join(frame.split("\n")[-SCREEN_LINES:]) for frame in frames]
    total, shown = len(screens) * FRAME_SECONDS, 100 / len(screens)
    rules = (
        f".frame{{opacity:0;animation:show {total}s step-end infinite}}"
        f"@keyframes show{{0%{{opacity:1}}{shown:.3f}%{{opacity:0}}}}"
        "@media (prefers-reduced-motion){.frame{animation:none}.frame:last-child{opacity:1}}"
    )
    groups = "".join(
        f'<g class="frame" style="animation-delay:{number * FRAME_SECONDS}s">{_rows(screen)}</g>\n'
        for number, screen in enumerate(screens)
    )
    return _picture(f"<style>{rules}</style>\n{groups}", label, SCREEN_LINES, columns=72)


def svg(text: str, label: str, columns: int = 60) -> str:
    """Return text with colour codes as a picture of a terminal."""
    return _picture(_rows(text) + "\n", label, text.count("\n") + 1, columns)


def _picture(contents: str, label: str, lines: int, columns: int) -> str:
    width, height = columns * CHARACTER_WIDTH + 2 * MARGIN, lines * LINE_HEIGHT + 2 * MARGIN
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width:.0f} {height}" '
        'font-family="DejaVu Sans Mono, Menlo, Consolas, monospace" font-size="14" '
        f'fill="#d0d0d0" role="img" aria-label="{escape(label)}">\n'
        f'<rect width="100%" height="100%" rx="8" fill="#1c1c1c"/>\n{contents}</svg>\n'
    )


def _rows(text: str) -> str:
    return "\n".join(
        f'<text x="{MARGIN}" y="{MARGIN + LINE_HEIGHT * number + 14}" xml:space="preserve">'
        f"{_spans(line)}</text>"
        for number, line in enumerate(text.split("\n"))
    )


def _spans(line: str) -> str:
    colour, bold, spans = "", False, []
    for piece in re.split(r"(\x1b\[[0-9;]*m)", line):
        code = re.fullmatch(r"\x1b\[(\d*)m", piece)
        if code:
            colour, bold = COLOURS.get(code[1], "" if code[1] == "0" else colour), code[1] == "1"
        elif piece:
            style = f' fill="{colour}"' if colour else ""
            weight = ' font-weight="bold"' if bold else ""
            spans.append(f"<tspan{style}{weight}>{escape(piece)}</tspan>")
    return "".join(spans)


if __name__ == "__main__":
    picture = animation(record(), "A game of Tower Defense Duel against the computer, with hints")
    Path(sys.argv[1]).write_text(picture, encoding="utf-8")
