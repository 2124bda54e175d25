"""Long games with secrets, the most expensive games for a server."""

from __future__ import annotations

import json

import duelbook
from duelbook.web.store.game_events import GameEvent

SECRETS = duelbook.load("token-tactics")


def long_game(moves: int) -> list[GameEvent]:
    """Return the events of an unfinished game with this number of moves, a third of them hidden."""
    position, events = SECRETS(), list[GameEvent]()
    while len(events) < moves:
        legal = position.moves()
        preferred = ("defend 0", "fortify", "attack 1")
        move = next(move for move in preferred if move in legal)
        events.append(GameEvent("move", position.to_move, move))
        position = position.play(move)
        assert position.moves()
    return events


def long_save(moves: int, **changes: object) -> str:
    """Return the save file of a long game."""
    played = [event.text for event in long_game(moves)]
    document = {
        "format": 1,
        "game": SECRETS.slug,
        "names": ["Ann", "Bo"],
        "best_of": 1,
        "started": "2026-01-01T00:00:00Z",
        "games": [{"first": 1, "moves": played, "result": None}],
    }
    return json.dumps(document | changes)
