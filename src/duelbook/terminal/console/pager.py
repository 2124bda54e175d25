"""Show long texts: in a pager on a terminal, and otherwise without changes."""

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
    usual = signal.signal(signal.SIGINT, lambda *_: None)  # the pager handles Ctrl-C
    try:
        click.echo_via_pager(f"{text}\n")
    finally:
        signal.signal(signal.SIGINT, usual)
