"""What is remembered about a person at this terminal, such as which kind of screen to use."""

from __future__ import annotations

from contextlib import suppress

from duelbook import files
from duelbook.errors import SaveError

NAME = "preferences.txt"


def preferred() -> dict[str, str]:
    """Return what is remembered, by its name; nothing if it cannot be read."""
    try:
        lines = (files.data_folder() / NAME).read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines)
    return {name.strip(): value.strip() for name, _, value in pairs if name.strip()}


def remember(name: str, value: str) -> None:
    """Remember something; where nothing can be written, it is forgotten."""
    known = preferred() | {name: value}
    with suppress(SaveError):
        text = "".join(f"{key} = {known[key]}\n" for key in sorted(known))
        files.write(files.data_folder() / NAME, text)
