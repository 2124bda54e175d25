"""Store the secrets of seats, each in a private file."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

from duelbook.system import files


def file_of(game: str) -> Path:
    """Return the file for the seat at the game with this URL."""
    name = hashlib.sha256(game.encode()).hexdigest()[:32]
    return files.data_folder() / "seats" / f"{name}.json"


def load(game: str) -> str | None:
    """Return the stored secret for a game, if there is one."""
    try:
        data = json.loads(file_of(game).read_text(encoding="utf-8"))
        return str(data["secret"]) if data["game"] == game else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def prepare(game: str) -> None:
    """Check that a secret can be stored, before the server gives one."""
    files.write(file_of(game), "", private=True)


def store(game: str, secret: str) -> None:
    """Store the secret of a seat."""
    text = json.dumps({"game": game, "secret": secret})
    files.write(file_of(game), text, private=True)


def forget(game: str) -> None:
    """Delete the stored secret for a game."""
    file_of(game).unlink(missing_ok=True)
