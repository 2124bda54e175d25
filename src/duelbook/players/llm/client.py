"""A client for chat completions at any address with an API that is compatible with OpenAI's."""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import time
from collections.abc import Callable, Sequence
from functools import cache
from http.cookiejar import CookieJar, DefaultCookiePolicy
from random import Random
from typing import Any
from urllib.parse import urlsplit

import httpx

from duelbook.players.failures import PROVIDER, ProviderError
from duelbook.players.llm.calls import Call
from duelbook.players.llm.journal import Journal, NoJournal
from duelbook.players.llm.model_settings import ModelSettings
from duelbook.players.llm.prices import Price, Usage
from duelbook.players.llm.responses import CallResult, decode_body, parse_response, provider_error

Message = dict[str, str]
"""A message of a conversation: `role` and `content`."""

FIRST_WAIT_SECONDS = 1.0  # before the second try; it doubles for every further try
MAX_BODY_BYTES = 8 * 2**20  # of a response


class Client:
    """Sends requests to one model."""

    def __init__(
        self,
        settings: ModelSettings,
        price: Price | None = None,
        journal: Journal | None = None,
        *,
        sleep: Callable[[float], object] = time.sleep,
        now: Callable[[], float] = time.time,
    ) -> None:
        self.settings = settings
        self._price, self._sleep, self._now = price, sleep, now
        self._journal = journal or NoJournal()
        self._host = urlsplit(settings.base_url).netloc

    def ask(
        self, messages: Sequence[Message], turn: int, attempt: int, response_format: object = None
    ) -> Call:
        """Return the call with the answer or the failure; retry a request if that may help.

        `turn` is a random number for the turn, and its seed if the settings ask for one.
        """
        body = self._body(messages, turn, response_format)
        identity = json.dumps([self.settings.base_url, body, turn, attempt])
        name = hashlib.sha256(identity.encode()).hexdigest()[:32]
        if stored := self._journal.find(name):
            return stored
        ceiling = self._ceiling(body)
        self._journal.reserve(ceiling)
        random = Random(name)
        for tried in range(self.settings.retries + 1):
            begun = time.monotonic()
            result = self._exchange(body)
            ms = round((time.monotonic() - begun) * 1000)
            if not result.can_retry or tried == self.settings.retries:
                break
            self._sleep(self._wait(tried, result.wait, random))
        text = result.text
        if result.failure == PROVIDER:
            text = f"{self._host} {text} (asked for {self.settings.model})."
        usage = Usage.read(result.response or {})
        call = Call(
            name,
            self.settings.model,
            body,
            result.response,
            result.failure,
            text,
            usage.tokens_in,
            usage.tokens_out,
            usage.reasoning,
            self._price.cost(usage) if self._price else None,
            ms,
        )
        self._journal.store(call, ceiling)
        return call

    def _ceiling(self, body: dict[str, Any]) -> float | None:
        """Return the maximum cost of a call, given that a token has at least one byte."""
        if self._price is None or self.settings.max_tokens is None:
            return None
        maximum = Usage(len(json.dumps(body).encode()), self.settings.max_tokens, known=True)
        return self._price.cost(maximum)

    def key(self) -> str:
        """Return the key from the environment; nothing stores it."""
        variable = self.settings.key
        value = os.environ.get(variable, "").strip() if variable else ""
        if variable and not value:
            raise ProviderError(
                f"The environment variable {variable}, for the key of {self._host}, is not set."
            )
        if not value.isascii() or not value.isprintable() or " " in value:
            raise ProviderError(f"What the environment variable {variable} holds cannot be a key.")
        return value

    def _body(self, messages: Sequence[Message], turn: int, form: object) -> dict[str, Any]:
        settings = self.settings
        options = {
            settings.max_tokens_name: settings.max_tokens,
            "temperature": settings.temperature,
            "seed": {"game": turn, "none": None}.get(str(settings.seed), settings.seed),
            "response_format": form,
        }
        return {
            "model": settings.model,
            "messages": list(messages),
            **{name: value for name, value in options.items() if value is not None},
            **settings.body,
        }

    def _wait(self, tried: int, requested: float | None, random: Random) -> float:
        """Return the seconds before the next try, with jitter to spread the requests of games."""
        wait: float = FIRST_WAIT_SECONDS * 2**tried * (0.5 + random.random() / 2)
        if requested is not None:
            wait = requested + FIRST_WAIT_SECONDS * random.random()
        return min(wait, self.settings.longest_wait)

    def _exchange(self, body: dict[str, Any]) -> CallResult:
        """Send a request and read the response."""
        settings, key = self.settings, self.key()
        headers = {"Content-Type": "application/json", "User-Agent": "duelbook"}
        if key:
            headers["Authorization"] = f"Bearer {key}"
        limits = httpx.Timeout(settings.timeout, connect=settings.connect_timeout, pool=None)
        url, content = f"{settings.base_url}/chat/completions", json.dumps(body)
        until, http = time.monotonic() + settings.timeout, _http(os.getpid())
        try:
            with http.stream(
                "POST", url, content=content, headers=headers, timeout=limits
            ) as response:
                raw = _read(response, until)
        except (httpx.ReadTimeout, TimeoutError):
            return CallResult("TIMEOUT", f"No answer within {settings.timeout:g} seconds.")
        except OverflowError:
            return CallResult("TRUNCATED", f"The answer has more than {MAX_BODY_BYTES} bytes.")
        except httpx.InvalidURL:
            return provider_error("is not an address")
        except httpx.HTTPError as error:
            return provider_error(f"cannot be reached ({type(error).__name__})", can_retry=True)
        return parse_response(
            response.status_code, response.headers, decode_body(raw, key), self._now()
        )


def _read(response: httpx.Response, until: float) -> bytes:
    """Return the body within its limits; servers may send blanks while the model thinks."""
    raw = bytearray()
    for chunk in response.iter_bytes():
        raw += chunk
        if len(raw) > MAX_BODY_BYTES:
            raise OverflowError
        if time.monotonic() > until:
            raise TimeoutError
    return bytes(raw)


@cache
def _http(process: int) -> httpx.Client:  # noqa: ARG001 # connections do not survive a fork
    """Return the HTTP client of this process, for all threads."""
    limits = httpx.Limits(max_connections=None, max_keepalive_connections=100)
    no_cookies = CookieJar(DefaultCookiePolicy(allowed_domains=[]))  # requests are independent
    client = httpx.Client(limits=limits, cookies=no_cookies, follow_redirects=False)
    atexit.register(client.close)
    return client
