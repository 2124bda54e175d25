"""The tokens of an answer, as the server counts them, and their cost."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Self

from duelbook.errors import DuelbookError

MILLION = 1_000_000


@dataclass(frozen=True)
class Usage:
    """The tokens of an exchange; 0 if the server does not count them."""

    tokens_in: int = 0
    tokens_out: int = 0
    """The tokens of the answer, with its reasoning."""
    reasoning: int = 0
    cached: int = 0
    """The part of `tokens_in` that was in the server's cache."""
    known: bool = False
    """Whether the server counts tokens at all."""

    @classmethod
    def read(cls, response: Mapping[str, object]) -> Self:
        """Return the usage in an answer; missing numbers are 0."""
        usage = _table(response.get("usage"))
        tokens_in, tokens_out = _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")
        # Some servers leave the reasoning out of the completion, and bill it in the total.
        tokens_out = max(tokens_out, _count(usage, "total_tokens") - tokens_in)
        return cls(
            tokens_in,
            tokens_out,
            _count(_table(usage.get("completion_tokens_details")), "reasoning_tokens"),
            _count(_table(usage.get("prompt_tokens_details")), "cached_tokens"),
            known=bool(tokens_in or tokens_out),
        )


def _table(value: object) -> Mapping[str, object]:
    return value if isinstance(value, Mapping) else {}


def _count(table: Mapping[str, object], name: str) -> int:
    value = table.get(name)
    return value if isinstance(value, int) and value > 0 else 0


@dataclass(frozen=True)
class Price:
    """The price of a million tokens, in the currency of the table."""

    input: float
    output: float
    cached_input: float | None = None
    """The price of input in the server's cache, if it differs."""

    def cost(self, usage: Usage) -> float | None:
        """Return the cost of an exchange; None if the server does not count tokens."""
        if not usage.known:
            return None
        cached = min(usage.cached, usage.tokens_in) if self.cached_input is not None else 0
        paid = (usage.tokens_in - cached) * self.input + usage.tokens_out * self.output
        return (paid + cached * (self.cached_input or 0)) / MILLION


@dataclass(frozen=True)
class Prices:
    """A table of prices; the cost of a model outside the table is unknown."""

    table: Mapping[str, Price]

    def of(self, model: str, base_url: str) -> Price | None:
        """Return the price of `MODEL@BASE_URL`, or else the price of `MODEL`, or None."""
        return self.table.get(f"{model}@{base_url}") or self.table.get(model)

    @classmethod
    def read(cls, file: Path) -> Self:
        """Return the prices in a TOML file."""
        try:
            return cls.parse(tomllib.loads(file.read_text(encoding="utf-8")))
        except (OSError, UnicodeDecodeError) as error:
            raise DuelbookError(f"The prices in {file} cannot be read: {error}.") from error
        except tomllib.TOMLDecodeError as error:
            raise DuelbookError(f"{file} is not a table of prices in TOML: {error}.") from error

    @classmethod
    def parse(cls, data: Mapping[str, object]) -> Self:
        """Return the prices in a table from each model to the price of a million of its tokens."""
        return cls({model: _price(model, value) for model, value in data.items()})


def _price(model: str, value: object) -> Price:
    table = dict(_table(value))
    names = {"input", "output"} | ({"cached_input"} & table.keys())
    if table.keys() != names or not all(map(_is_price, table.values())):
        raise DuelbookError(
            f"The prices of {model!r:.60} must be `input` and `output`, and `cached_input` if it "
            "differs: what a million tokens cost."
        )
    return Price(**table)  # type: ignore[arg-type] # all are numbers, as checked above


def _is_price(value: object) -> bool:
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    return isfinite(value) and value >= 0
