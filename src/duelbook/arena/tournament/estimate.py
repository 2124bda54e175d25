"""What a tournament would take: games, calls, and the most tokens and money that they can cost."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, partial

from duelbook.arena.run.runner import Plan
from duelbook.arena.tournament.schedule import GameTask
from duelbook.catalog.registry import find
from duelbook.players.external.naming import is_model
from duelbook.players.llm.model_settings import ModelSettings
from duelbook.players.llm.prices import Usage
from duelbook.secrecy import SeatRecord


@dataclass
class Ceiling:
    """The most that one model can be asked and paid for."""

    calls: int = 0
    tokens_in: int = 0
    """With every byte of a first question as a token; a history makes later ones longer."""
    tokens_out: int | None = 0
    """None if the answers have no limit."""
    cost: float | None = 0.0
    """None if there is no price, or no limit."""


@dataclass
class Estimate:
    """What is to be played."""

    games: int = 0
    models: dict[str, Ceiling] = field(default_factory=dict)


def estimate(plan: Plan, tasks: Iterable[GameTask]) -> Estimate:
    """Return what these games of a tournament would take, without playing any."""
    found = Estimate()
    players_by_label = {one.label: one for one in plan.tournament.players}
    question = cache(partial(_question, plan))
    for task in tasks:
        found.games += 1
        for seat, label in enumerate(task.players):
            if is_model(players_by_label[label].name):
                one = players_by_label[label]
                settings = ModelSettings.read(one.name, one.settings)
                ceiling = found.models.setdefault(label, Ceiling())
                _add(ceiling, plan, settings, _turns(plan, task), question(task.game, seat))
    return found


def _turns(plan: Plan, task: GameTask) -> int:
    """Return the most turns of a player in a game: every second move."""
    return -(-(plan.tournament.limits.plies - len(task.opening)) // 2)


def _question(plan: Plan, game: str, seat: int) -> int:
    """Return the bytes of a first question."""
    assert plan.models is not None  # noqa: S101 # a model takes part
    assert plan.models.prompt is not None  # noqa: S101 # as above
    record = SeatRecord(seat, find(game).start().view(seat))
    prompt = plan.models.prompt
    return len(json.dumps([prompt.system(record), prompt.turn(record)]).encode())


def _add(ceiling: Ceiling, plan: Plan, settings: ModelSettings, turns: int, question: int) -> None:
    calls = turns * (settings.corrections + 1)
    ceiling.calls += calls
    ceiling.tokens_in += calls * question
    if settings.max_tokens is None or ceiling.tokens_out is None:
        ceiling.tokens_out = ceiling.cost = None
        return
    ceiling.tokens_out += calls * settings.max_tokens
    prices = plan.models.prices if plan.models else None
    price = prices.of(settings.model, settings.base_url) if prices else None
    cost = (
        price.cost(Usage(calls * question, calls * settings.max_tokens, known=True))
        if price
        else None
    )
    ceiling.cost = None if cost is None or ceiling.cost is None else ceiling.cost + cost


def in_words(found: Estimate) -> str:
    """Return an estimate as text."""
    lines = [f"{found.games:,} games."]
    for label, one in found.models.items():
        out = "any number of" if one.tokens_out is None else f"{one.tokens_out:,}"
        cost = "at an unknown cost" if one.cost is None else f"for {one.cost:,.2f}"
        lines.append(
            f"{label}: at most {one.calls:,} calls, {one.tokens_in:,} tokens in (more with a long "
            f"history), {out} tokens out, {cost}."
        )
    return "\n".join(lines)
