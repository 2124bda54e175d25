"""The secrets of seats that programs hold, each in a file that nobody else may read."""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path

from duelbook.errors import SaveError
from duelbook.play import saves


def file_of(game: str) -> Path:
    """Return the file for the seat at a game, whose address is given."""
    name = hashlib.sha256(game.encode()).hexdigest()[:32]
    return saves.folder().parent / "seats" / f"{name}.json"


def held(game: str) -> str | None:
    """Return the secret of the seat that was taken at a game, if one was."""
    try:
        data = json.loads(file_of(game).read_text(encoding="utf-8"))
        return str(data["secret"]) if data["game"] == game else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def prepare(game: str) -> None:
    """See to it that a secret can be kept, before there is one."""
    _write(game, "")


def keep(game: str, secret: str) -> None:
    """Keep the secret of a seat."""
    _write(game, json.dumps({"game": game, "secret": secret}))


def forget(game: str) -> None:
    """Forget the seat at a game that is gone."""
    file_of(game).unlink(missing_ok=True)


def _write(game: str, text: str) -> None:
    file = file_of(game)
    draft = file.with_suffix(f".{os.getpid()}")
    try:
        file.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        descriptor = os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        try:
            with os.fdopen(descriptor, "w", encoding="utf-8") as out:
                out.write(text)
            draft.replace(file)
        finally:
            draft.unlink(missing_ok=True)
    except OSError as error:
        raise SaveError(f"{file} could not be written: {error.strerror}.") from error
