"""The part of a typed answer that the terminal echoes."""

from __future__ import annotations

from collections.abc import Collection

from duelbook import secrecy
from duelbook.position import Position, next_words
from duelbook.terminal.console.keyboard import Echo, echo_all, echo_nothing


def echo_for(position: Position, words: tuple[str, ...], commands: Collection[str]) -> Echo:
    """Return the function for the echo of a line: all, nothing, or the public word at its start."""
    if not secrecy.is_hidden_choice(position, words):
        return echo_all
    if secrecy.is_secret_word(position, words):
        return echo_nothing
    options = next_words(position.ACTIONS, words)
    aliases = [alias for alias, word in position.ALIASES.items() if word in options]
    public = [*options, *aliases, *commands]
    longest = max(map(len, public))

    def public_part(line: str) -> str:
        margin = line[: len(line) - len(line.lstrip())]
        first, space, _ = line.lstrip().partition(" ")
        if first.casefold() in commands:
            return line
        for end in range(min(len(first), longest), 0, -1):
            if any(word.startswith(first[:end].casefold()) for word in public):
                return margin + first[:end] + (space if end == len(first) else "")
        return margin

    return public_part
