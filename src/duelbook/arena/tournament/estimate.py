"""Estimate a tournament: its games and calls, and the maximum of tokens and cost."""

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
    """The maximum of calls, tokens and cost of one model."""

    calls: int = 0
    tokens_in: int = 0
    """An upper bound for first questions, one token per byte; later questions may be longer."""
    tokens_out: int | None = 0
    """None without a limit on answers."""
    cost: float | None = 0.0
    """None without a price or a limit."""


@dataclass
class Estimate:
    """The number of games, and the maximum for each model."""

    games: int = 0
    models: dict[str, Ceiling] = field(default_factory=dict)


def estimate(plan: Plan, tasks: Iterable[GameTask]) -> Estimate:
    """Return the estimate for these games, without playing any."""
    total = Estimate()
    players_by_label = {player.label: player for player in plan.tournament.players}
    question = cache(partial(_question, plan))
    for task in tasks:
        total.games += 1
        for seat, label in enumerate(task.players):
            if is_model(players_by_label[label].name):
                player = players_by_label[label]
                settings = ModelSettings.read(player.name, player.settings)
                ceiling = total.models.setdefault(label, Ceiling())
                _add(ceiling, plan, settings, _turns(plan, task), question(task.game, seat))
    return total


def _turns(plan: Plan, task: GameTask) -> int:
    """Return the maximum number of turns of a player in a game: half of the plies."""
    return -(-(plan.tournament.limits.plies - len(task.opening)) // 2)


def _question(plan: Plan, game: str, seat: int) -> int:
    """Return the number of bytes of a first question."""
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


def in_words(total: Estimate) -> str:
    """Return an estimate as text."""
    lines = [f"{total.games:,} games."]
    for label, ceiling in total.models.items():
        out = "any number of" if ceiling.tokens_out is None else f"{ceiling.tokens_out:,}"
        cost = "at an unknown cost" if ceiling.cost is None else f"for {ceiling.cost:,.2f}"
        lines.append(
            f"{label}: at most {ceiling.calls:,} calls, {ceiling.tokens_in:,} tokens in "
            f"(more with a long history), {out} tokens out, {cost}."
        )
    return "\n".join(lines)
