"""Long texts: in a pager on a terminal, and otherwise as they are."""

from __future__ import annotations

import os
import signal

import click

from duelbook.terminal.console.screen import Screen
from duelbook.terminal.console.wrapping import wrapped


def show(text: str, screen: Screen) -> None:
    """Show a text, a screenful at a time if it is longer than the screen."""
    if not screen.is_interactive:
        screen.note(text)
        return
    size = os.get_terminal_size()
    text = wrapped(text, size.columns or 80)
    if text.count("\n") + 2 < size.lines:
        screen.note(text)
        return
    usual = signal.signal(signal.SIGINT, lambda *_: None)  # Ctrl-C is for the pager now
    try:
        click.echo_via_pager(f"{text}\n")
    finally:
        signal.signal(signal.SIGINT, usual)
