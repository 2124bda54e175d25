"""Store the preferences of the person at this terminal, such as the kind of interface."""

from __future__ import annotations

from contextlib import suppress

from duelbook.errors import SaveError
from duelbook.system import files

FILE_NAME = "preferences.txt"
EARLIER_NAMES = {"screen": "tui"}
"""Preferences that earlier versions stored under another name."""


def preferred() -> dict[str, str]:
    """Return the stored preferences by name, or none if the file cannot be read."""
    try:
        lines = (files.data_folder() / FILE_NAME).read_text("utf-8", errors="replace").splitlines()
    except OSError:
        return {}
    pairs = (line.partition("=") for line in lines)
    stored = {name.strip(): value.strip() for name, _, value in pairs if name.strip()}
    renamed = {new: stored.pop(old) for old, new in EARLIER_NAMES.items() if old in stored}
    return renamed | stored


def remember(name: str, value: str) -> None:
    """Store a preference; do nothing if the file cannot be written."""
    preferences = preferred() | {name: value}
    with suppress(SaveError):
        text = "".join(f"{key} = {preferences[key]}\n" for key in sorted(preferences))
        files.write(files.data_folder() / FILE_NAME, text)
