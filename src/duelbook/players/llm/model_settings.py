"""The settings of a language model: `llm:MODEL@BASE_URL`, and a table of options."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal, Self
from urllib.parse import urlsplit

from duelbook.errors import DuelbookError
from duelbook.players.llm.option_checks import OptionChecks, check_options, is_number, is_whole

PREFIX = "llm:"
EXAMPLE = "llm:smollm2@http://127.0.0.1:8080/v1"
RESERVED = ("model", "messages", "stream", "n")
"""Parameters that `body` may not set, because the client sets them."""
LENGTH_NAMES = ("max_tokens", "max_completion_tokens")

Seed = int | Literal["game", "none"]


@dataclass(frozen=True)
class ModelSettings:
    """A model at an address, and the options of its requests."""

    model: str
    base_url: str
    key: str = ""
    """The name of the environment variable that holds the key; empty for no key."""
    temperature: float | None = None
    """The temperature; not sent by default, because some models refuse it."""
    max_tokens: int | None = 8192
    """The maximum length of an answer with its reasoning; 0 in the table means no limit."""
    max_tokens_name: str = "max_tokens"
    """The parameter for `max_tokens`; some models need `max_completion_tokens`."""
    seed: Seed = "game"
    """A number, `none`, or `game`: a new seed each turn from the random numbers of the game."""
    timeout: float = 600.0
    """The maximum number of seconds for a complete answer."""
    connect_timeout: float = 10.0
    retries: int = 5
    """The maximum number of retries of a request that the provider could not serve."""
    longest_wait: float = 60.0
    """The maximum number of seconds between two tries, even if the provider asks for more."""
    corrections: int = 1
    """The maximum number of corrections of wrong answers in a turn."""
    body: Mapping[str, Any] = field(default_factory=dict)
    """More parameters of the request, such as `reasoning_effort`."""

    @classmethod
    def read(cls, name: str, table: Mapping[str, object] | None = None) -> Self:
        """Return the settings of `llm:MODEL@BASE_URL` with the options of a table."""
        options = dict(table or {})
        check_options(options, OPTIONS, "A language model")
        if options.get("max_tokens") == 0:
            options["max_tokens"] = None
        model, base_url = _model_and_address(name)
        return cls(model, base_url, **options)  # type: ignore[arg-type] # each was checked above


def _is_variable(value: object) -> bool:
    return isinstance(value, str) and value.isidentifier() and value.isascii()


def _is_body(value: object) -> bool:
    if not isinstance(value, Mapping):
        return False
    try:
        json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):  # TOML has dates and numbers that JSON does not have
        return False
    return not {*RESERVED, *LENGTH_NAMES, "temperature", "seed", "response_format"} & value.keys()


OPTIONS: OptionChecks = {
    "key": ("the name of an environment variable, such as OPENAI_API_KEY", _is_variable),
    "temperature": ("a number from 0 to 2", lambda v: is_number(v, 0, 2)),
    "max_tokens": ("a number of tokens, or 0 for no limit", lambda v: is_whole(v, 0, 10_000_000)),
    "max_tokens_name": (" or ".join(LENGTH_NAMES), lambda v: v in LENGTH_NAMES),
    "seed": (
        'a whole number, "game" or "none"',
        lambda v: v in ("game", "none") or is_whole(v, 0, 2**31 - 1),
    ),
    "timeout": ("a number of seconds", lambda v: is_number(v, 0.001, 86_400)),
    "connect_timeout": ("a number of seconds", lambda v: is_number(v, 0.001, 86_400)),
    "retries": ("a number from 0 to 100", lambda v: is_whole(v, 0, 100)),
    "longest_wait": ("a number of seconds", lambda v: is_number(v, 0, 86_400)),
    "corrections": ("a number from 0 to 100", lambda v: is_whole(v, 0, 100)),
    "body": (
        f"a table of more parameters in JSON, without {', '.join(RESERVED)} "
        "and what other options and the prompt set",
        _is_body,
    ),
}


def _model_and_address(name: str) -> tuple[str, str]:
    """Return the model and the address in a name; an error omits the name, which may have a key."""
    model, _, address = name.removeprefix(PREFIX).rpartition("@")
    model, address = model.strip(), address.strip().rstrip("/")
    how = f"Write a language model as {PREFIX}MODEL@BASE_URL, such as {EXAMPLE}."
    try:
        parts = urlsplit(address)
        complete = parts.scheme in ("http", "https") and parts.hostname
        _ = parts.port  # raises ValueError for an invalid port
    except ValueError:
        raise DuelbookError(how) from None
    if not model or not complete:
        raise DuelbookError(how)
    if "://" in model or parts.query or parts.fragment:  # people put keys there
        raise DuelbookError(
            f"{how} The address holds no user, password or parameters: "
            "the option `key` names the environment variable of the key."
        )
    return model, address
