"""Estimate a tournament: its games, calls, tokens and cost."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import dataclass, field
from functools import cache, partial

from duelbook.arena.run.runner import Plan
from duelbook.arena.tournament.schedule import GameTask
from duelbook.catalog.registry import find
from duelbook.players.external.player_by_name import is_model
from duelbook.players.llm.model_settings import ModelSettings
from duelbook.players.llm.prices import Usage
from duelbook.secrecy import SeatRecord


@dataclass
class ModelEstimate:
    """The estimated calls, tokens and cost of one model."""

    calls: int = 0
    tokens_in: int = 0
    """An upper bound for first questions, one token per byte; later questions may be longer."""
    tokens_out: int | None = 0
    """None without a limit on answers."""
    cost: float | None = 0.0
    """None without a price or a limit."""


@dataclass
class Estimate:
    """The number of games, and the estimate for each model."""

    games: int = 0
    models: dict[str, ModelEstimate] = field(default_factory=dict)


def estimate(plan: Plan, tasks: Iterable[GameTask]) -> Estimate:
    """Return the estimate for these games, without playing any."""
    total = Estimate()
    players_by_label = {player.label: player for player in plan.tournament.players}
    question = cache(partial(_question_bytes, plan))
    for task in tasks:
        total.games += 1
        for seat, label in enumerate(task.players):
            if is_model(players_by_label[label].name):
                player = players_by_label[label]
                settings = ModelSettings.read(player.name, player.settings)
                model = total.models.setdefault(label, ModelEstimate())
                _add(model, plan, settings, _expected_turns(plan, task), question(task.game, seat))
    return total


def _expected_turns(plan: Plan, task: GameTask) -> int:
    """Return half of the plies of a game: the turns of a player if turns alternate."""
    return -(-(plan.tournament.limits.plies - len(task.opening)) // 2)


def _question_bytes(plan: Plan, game: str, seat: int) -> int:
    """Return the number of bytes of a first question."""
    assert plan.models is not None  # noqa: S101 # a model takes part
    assert plan.models.prompt is not None  # noqa: S101 # as above
    record = SeatRecord(seat, find(game).start().view(seat))
    prompt = plan.models.prompt
    return len(json.dumps([prompt.system(record), prompt.turn(record)]).encode())


def _add(
    model: ModelEstimate, plan: Plan, settings: ModelSettings, turns: int, question: int
) -> None:
    calls = turns * (settings.corrections + 1)
    model.calls += calls
    model.tokens_in += calls * question
    if settings.max_tokens is None or model.tokens_out is None:
        model.tokens_out = model.cost = None
        return
    model.tokens_out += calls * settings.max_tokens
    prices = plan.models.prices if plan.models else None
    price = prices.of(settings.model, settings.base_url) if prices else None
    cost = (
        price.cost(Usage(calls * question, calls * settings.max_tokens, known=True))
        if price
        else None
    )
    model.cost = None if cost is None or model.cost is None else model.cost + cost


def as_text(total: Estimate) -> str:
    """Return an estimate as text."""
    lines = [f"{total.games:,} games."]
    for label, model in total.models.items():
        out = "any number of" if model.tokens_out is None else f"at most {model.tokens_out:,}"
        cost = "at an unknown cost" if model.cost is None else f"for {model.cost:,.2f}"
        lines.append(
            f"{label}: about {model.calls:,} calls, {model.tokens_in:,} tokens in "
            f"(more with a long history), {out} tokens out, {cost}."
        )
    return "\n".join(lines)
