"""Creation of a game: its terms, and the events that it starts with."""

from __future__ import annotations

import hashlib
import re
import secrets

from msgspec.structs import replace

from duelbook.catalog.registry import find
from duelbook.play import saves
from duelbook.play.names import PLAYERS, is_computer_name, is_usual
from duelbook.play.series import PERSON, Series
from duelbook.position import Position, check_first, player
from duelbook.web import protocol as p
from duelbook.web.games.commands import MAX_MOVES, Refusal, check_chosen_name, sit_event
from duelbook.web.games.state.room import LOSSES, Room
from duelbook.web.store.game_events import GameEvent, GameTerms

Created = tuple[GameTerms, list[GameEvent]]


ID = re.compile(r"[A-Za-z0-9_-]{16}")
"""The pattern of the id of a game."""


def new_id() -> str:
    """Return an id that nobody can guess."""
    return secrets.token_urlsafe(12)


def new_secret() -> str:
    """Return the secret of a seat."""
    return secrets.token_urlsafe(24)


def new_draw_seed(game: type[Position]) -> str:
    """Return a seed for the chance outcomes, independent of the computer's seed."""
    return secrets.token_hex(32) if game.CHANCE_MOVES else ""


def hash_secret(secret: str) -> str:
    """Return the hash of a secret for the database; nobody can guess a long random secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def create(request: p.NewGame, secret: str, now: int) -> Created:
    """Return the requested game, or refuse it."""
    series = None if request.save is None else saves.parse(request.save, "The file", MAX_MOVES)
    if series and len(series.match.moves) == MAX_MOVES and not _is_over(series):
        raise Refusal("limit", f"A game has at most {MAX_MOVES:,} moves here.")
    if series and _is_over(series):
        # Players can only review a finished game, so it has the names from the file.
        request = replace(request, mode="device", seat=0, name="", other="", clock=None)
    game, first = (
        (series.game, series.match.first) if series else (find(request.book), request.first)
    )
    check_first(game, first)
    players = [PERSON, PERSON]
    if request.mode == "computer":
        players[1 - request.seat] = request.level
    terms = GameTerms(
        new_id(),
        game,
        first,
        (players[0], players[1]),
        secrets.randbits(62),
        (request.clock.seconds * 1000, request.clock.increment * 1000) if request.clock else None,
        now,
        new_draw_seed(game),
        len(series.match.moves) if series else 0,
    )
    room = Room.begin(terms)
    names = series.names if series else PLAYERS
    if series and not _is_over(series):
        names = _human_names(names)
    events = _sit_events(room, request, names, hash_secret(secret))
    if series:  # `saves.parse` has checked its moves
        events += _move_events(series, now)
    return terms, events


def create_rematch(room: Room, now: int) -> Created:
    """Return the rematch of a game: the players swap seats and keep their secrets."""
    old = room.terms
    first = 0 if old.game.player_1_starts else old.first
    players, seed = (room.players[1], room.players[0]), secrets.randbits(62)
    draws = new_draw_seed(old.game)
    terms = GameTerms(new_id(), old.game, first, players, seed, old.clock, now, draws)
    after, events = Room.begin(terms), list[GameEvent]()
    for seat in (0, 1):
        if players[seat] == PERSON:
            name = room.names[1 - seat]
            name = player(seat) if is_usual(name) else name
            holder, allows = room.secret_hashes[1 - seat], room.help[1 - seat]
            events.append(sit_event(after, seat, name, holder, help=allows, now=now))
            after = after.after(events[-1])
    return terms, events


def _is_over(series: Series) -> bool:
    return series.match.outcome() is not None or not series.match.position.moves()


def _human_names(names: tuple[str, str]) -> tuple[str, str]:
    """Return the names with the computer's names replaced, for people who continue a game."""
    usual = (PLAYERS[seat] if is_computer_name(name) else name for seat, name in enumerate(names))
    return next(usual), next(usual)


def _sit_events(
    room: Room, request: p.NewGame, names: tuple[str, str], holder: str
) -> list[GameEvent]:
    """Return the events that seat the players who are present from the start."""
    chosen = {request.seat: request.name, 1 - request.seat: request.other}
    events = []
    for seat in (0, 1) if request.mode == "device" else (request.seat,):
        check_chosen_name(chosen[seat])
        name = chosen[seat] or names[seat]
        event = sit_event(room, seat, name, holder, help=request.help, now=room.terms.created)
        room = room.after(event)
        events.append(event)
    return events


def _move_events(series: Series, now: int) -> list[GameEvent]:
    """Return the events of the last game of a saved series."""
    match = series.match
    movers = [position.to_move for position in match.positions]
    events = [GameEvent("move", movers[at], move, now) for at, move in enumerate(match.moves)]
    if match.resigned is not None:
        events.append(GameEvent(LOSSES[match.lost_by], match.resigned, at=now))
    if match.drawn_by is not None:
        events.append(GameEvent("draw", text=match.drawn_by, at=now))
    return events
