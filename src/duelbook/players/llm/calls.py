"""A stored call of a language model."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Call:
    """An exchange with an answer, or with a failure after the last retry."""

    id: str
    """The hash of the address, the request, the turn and the number of the try."""
    model: str
    request: dict[str, Any]
    """The body; the key is in a header, which is not stored."""
    response: dict[str, Any] | None
    """The answer as received."""
    failure: str
    """The name of the failure; empty if there is none."""
    said: str
    """The text of the answer without the reasoning; without a text, the error."""
    tokens_in: int = 0
    tokens_out: int = 0
    reasoning: int = 0
    cost: float | None = None
    ms: int = 0
