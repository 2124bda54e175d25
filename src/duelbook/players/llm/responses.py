"""Interpret a server's response to a request for a chat completion."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC
from email.utils import parsedate_to_datetime
from math import isnan
from typing import Any
from urllib.parse import urlsplit

from duelbook.players.failures import PROVIDER

CUT = {"length", "max_tokens", "model_length"}
"""Values of `finish_reason` for an answer that reached its limit."""
TOO_LONG = {"context_length_exceeded", "exceed_context_size_error"}
"""Error codes for a conversation that is longer than the model can read."""
MIN_SECRET_LENGTH = 8
"""The minimum length of a key to remove; to remove a shorter one would garble answers."""


@dataclass(frozen=True)
class CallResult:
    """The result of one request."""

    failure: str = ""
    """The name of the failure; empty if there is none."""
    text: str = ""
    """The text of the answer, or the error; a provider's error continues the provider's name."""
    response: dict[str, Any] | None = None
    can_retry: bool = False
    """Whether a retry may help."""
    wait: float | None = None
    """The seconds that the server requests before a retry."""


def provider_error(
    reason: str, *, can_retry: bool = False, wait: float | None = None
) -> CallResult:
    """Return the result of a request that the provider did not serve."""
    return CallResult(PROVIDER, reason.rstrip(": "), None, can_retry, wait)


def parse_response(status: int, headers: Mapping[str, str], data: object, now: float) -> CallResult:
    """Return the result of a response; servers may omit optional fields."""
    table = _table(data)
    if TOO_LONG & {str(value) for value in _table(table.get("error")).values()}:
        return CallResult("TRUNCATED", "The conversation is too long for the model.", dict(table))
    if status == 200:
        return _answer(table) or provider_error(
            f"gives an answer without a choice: {_complaint(data)}", can_retry=True
        )
    if 300 <= status < 400:  # do not follow it: the key is for one host only
        target = urlsplit(headers.get("Location", "")).netloc or "another address"
        return provider_error(f"redirects to {_line(target)}: name that address instead")
    if status in (401, 403):
        return provider_error(f"refuses the key: {_complaint(data)}")
    can_retry = status in (408, 429) or status >= 500
    wait = retry_after(headers.get("Retry-After", ""), now)
    return provider_error(f"answers {status}: {_complaint(data)}", can_retry=can_retry, wait=wait)


def _answer(table: Mapping[str, Any]) -> CallResult | None:
    """Return the answer in a response, or None; an incomplete answer is a failure."""
    choices = table.get("choices")
    choice = choices[0] if isinstance(choices, list) and choices else None
    if not isinstance(choice, dict):
        return None
    text = _text(_table(choice.get("message")).get("content"))
    if str(choice.get("finish_reason")).lower() in CUT:
        return CallResult("TRUNCATED", text, dict(table))
    return CallResult("" if text.strip() else "EMPTY", text, dict(table))


def _text(content: object) -> str:
    """Return the text of a message, which may have several parts."""
    if isinstance(content, list):
        parts = [part.get("text") for part in content if isinstance(part, dict)]
        content = "".join(part for part in parts if isinstance(part, str))
    if not isinstance(content, str):
        return ""
    return content.encode("utf-8", "replace").decode()  # a lone surrogate cannot be written


def retry_after(text: str, now: float) -> float | None:
    """Return the seconds in a `Retry-After` header, which is a number or a date."""
    try:
        seconds = float(text)
    except ValueError:
        try:
            date = parsedate_to_datetime(text)
        except ValueError:
            return None
        seconds = date.replace(tzinfo=date.tzinfo or UTC).timestamp() - now
    return None if isnan(seconds) else max(seconds, 0.0)


def decode_body(raw: bytes, key: str) -> object:
    """Return a body as JSON values, or as text if it is not JSON, without the key.

    Some servers repeat the key in an error message.
    """
    try:
        data = json.loads(raw)
    except (ValueError, RecursionError):
        data = raw.decode(errors="replace")
    return _without(data, key) if len(key) >= MIN_SECRET_LENGTH else data


def _without(value: object, key: str) -> object:
    if isinstance(value, str):
        return value.replace(key, "[key]")
    if isinstance(value, dict):
        return {_without(name, key): _without(item, key) for name, item in value.items()}
    return [_without(item, key) for item in value] if isinstance(value, list) else value


def _complaint(data: object) -> str:
    """Return a server's error message on one line."""
    if isinstance(data, dict):
        data = data.get("error") or data.get("message") or data.get("detail") or ""
    if isinstance(data, dict):
        data = data.get("message") or data.get("code") or ""
    return _line(str(data))


def _line(text: str) -> str:
    printable = "".join(letter if letter.isprintable() else " " for letter in text[:1000])
    line = " ".join(printable.split())
    return f"{line[:200]}…" if len(line) > 200 else line


def _table(value: object) -> Mapping[str, Any]:
    return value if isinstance(value, dict) else {}
