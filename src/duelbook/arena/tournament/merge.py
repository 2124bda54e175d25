"""Merge the folders of a tournament that several machines played in shares."""

from __future__ import annotations

from collections.abc import Sequence

from duelbook.arena.tournament.folder import Folder
from duelbook.errors import DuelbookError


def merge(into: Folder, parts: Sequence[Folder]) -> int:
    """Add the games and calls of other folders of the same tournament; return the games added."""
    if not parts:
        raise DuelbookError("Name the folders to merge.")
    lock = parts[0].lock
    for part in parts[1:]:
        for key in ("books", "prompt"):
            if part.lock[key] != lock[key]:
                raise DuelbookError(
                    f"{part.path} was played by other rules or with another prompt."
                )
        if part.tournament != parts[0].tournament:
            raise DuelbookError(f"{part.path} belongs to another tournament.")
    added = 0
    with into.locked():
        into.create_or_check(parts[0].tournament, lock)
        known = {game["id"] for game in into.games()}
        calls = {call["id"] for call in into.calls()}
        for part in parts:
            into.add_calls(call for call in part.calls() if call["id"] not in calls)
            fresh = [game for game in part.games() if game["id"] not in known]
            known |= {game["id"] for game in fresh}
            into.add_games(fresh)
            added += len(fresh)
    return added
