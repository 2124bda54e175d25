"""The record of a game: a line of `games.jsonl`; reading validates it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, TypedDict, cast

from duelbook.arena.tournament.schedule import GameTask
from duelbook.outcome import Outcome

End = Literal["rules", "forfeit", "cut"]


class Forfeit(TypedDict):
    """The seat that forfeited a game, the kind of its failure, and its reply."""

    seat: int
    kind: str
    said: str


class ModelTurn(TypedDict):
    """A turn of a language model; `calls` has the ids of its calls."""

    ply: int
    seat: int
    ms: int
    tries: int
    calls: list[str]
    tokens_in: int
    tokens_out: int
    reasoning: int
    cost: float | None


class GameRecord(TypedDict):
    """A played game; `moves` are the moves after the opening."""

    id: str
    pair: str
    game: str
    book: str
    opening: list[str]
    round: int
    players: list[str]
    moves: list[str]
    end: End
    winner: int | None
    payoffs: list[float]
    forfeit: Forfeit | None
    ms: list[int]
    turns: list[ModelTurn]


def game_record(  # noqa: PLR0913, PLR0917 # everything that a record needs
    task: GameTask,
    moves: Sequence[str],
    outcome: Outcome | None,
    forfeit: Forfeit | None,
    ms: Sequence[int] = (0, 0),
    turns: Sequence[ModelTurn] = (),
) -> GameRecord:
    """Return the record of a game that ended by the rules, by a forfeit, or at the limit."""
    end: End = "cut"
    winner, payoffs = None, [0.0, 0.0]
    if forfeit:
        winner = 1 - forfeit["seat"]
        end, payoffs = "forfeit", [1.0, -1.0] if winner == 0 else [-1.0, 1.0]
    elif outcome:
        end, winner, payoffs = "rules", outcome.winner, list(outcome.payoffs)
    return {
        "id": task.id,
        "pair": task.pair,
        "game": task.game,
        "book": task.book,
        "opening": list(task.opening),
        "round": task.round,
        "players": list(task.players),
        "moves": list(moves),
        "end": end,
        "winner": winner,
        "payoffs": payoffs,
        "forfeit": forfeit,
        "ms": list(ms),
        "turns": list(turns),
    }


# Validation -------------------------------------------------------------------------------------

Check = Callable[[object], bool]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _is_whole(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_number(value: object) -> bool:
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def _is_seat(value: object) -> bool:
    return _is_whole(value) and value in (0, 1)


def _optional(check: Check) -> Check:
    return lambda value: value is None or check(value)


def _list_of(check: Check, length: int | None = None) -> Check:
    return lambda value: (
        isinstance(value, list)
        and (length is None or len(value) == length)
        and all(map(check, value))
    )


def _table_of(checks: Mapping[str, Check]) -> Check:
    return lambda value: (
        isinstance(value, dict)
        and all(key in value and check(value[key]) for key, check in checks.items())
    )


_FORFEIT = _table_of({"seat": _is_seat, "kind": _is_text, "said": _is_text})
_TURN = _table_of(
    {
        **dict.fromkeys(("ply", "ms", "tries", "tokens_in", "tokens_out", "reasoning"), _is_whole),
        "seat": _is_seat,
        "calls": _list_of(_is_text),
        "cost": _optional(_is_number),
    }
)
_CHECKS: dict[str, tuple[str, Check]] = {
    **dict.fromkeys(("id", "pair", "game", "book"), ("a text", _is_text)),
    **dict.fromkeys(("opening", "moves"), ("a list of moves", _list_of(_is_text))),
    "round": ("a whole number", _is_whole),
    "players": ("a list of two players", _list_of(_is_text, 2)),
    "end": ("rules, forfeit or cut", lambda value: value in ("rules", "forfeit", "cut")),
    "winner": ("a seat or null", _optional(_is_seat)),
    "payoffs": ("a list of two numbers", _list_of(_is_number, 2)),
    "forfeit": ("null, or a seat, a kind and a reply", _optional(_FORFEIT)),
    "ms": ("a list of two whole numbers", _list_of(_is_whole, 2)),
    "turns": ("a list of turns of language models", _list_of(_TURN)),
}


def validated(data: Any) -> GameRecord:  # noqa: ANN401 # JSON values
    """Return JSON values as a record; raise a ValueError that names a damaged field."""
    if not isinstance(data, dict):
        raise ValueError("a game must be an object")  # the caller handles only ValueError
    for key, (description, is_valid) in _CHECKS.items():
        if key not in data:
            raise ValueError(f"`{key}` is missing")
        if not is_valid(data[key]):
            raise ValueError(f"`{key}` must be {description}")
    return cast("GameRecord", data)
