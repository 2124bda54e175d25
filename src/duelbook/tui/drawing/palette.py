"""The colours of the TUI: for dark and light backgrounds, and for terminals with 16 colours."""

from __future__ import annotations

import os

from duelbook.terminal.console.seat_colours import SEAT_COLOURS

COMMON_STYLES = {"mark": "reverse", "bold": "bold", "dim": "dim"}
STYLES = {
    "textual-dark": {"seat-0": "#56b6d8", "seat-1": "#e08bd0", "sea": "#5f8fe0"},
    "textual-light": {"seat-0": "#00708f", "seat-1": "#9c2a8a", "sea": "#2a5db5"},
}
ANSI_STYLES = {"seat-0": SEAT_COLOURS[0], "seat-1": SEAT_COLOURS[1], "sea": "blue"}


def styles_of(theme: str) -> dict[str, str]:
    """Return the styles of a theme by name."""
    return COMMON_STYLES | STYLES.get(theme, ANSI_STYLES)


def theme_for(look: str, colours: str | None) -> str:
    """Return the name of a dark or light theme; use the terminal's own colours if it has few."""
    if not look:
        background = os.environ.get("COLORFGBG", "").rpartition(";")[2]
        look = "light" if background in ("7", "15") else "dark"
    own = colours == "standard" or "NO_COLOR" in os.environ
    return f"{'ansi' if own else 'textual'}-{look}"
