"""Middleware for every request: limits, origin check, headers, and a log line."""

from __future__ import annotations

import re
import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duelbook.compute.client_address import CLIENT_ADDRESS
from duelbook.system.json_logs import log
from duelbook.web import protocol as p
from duelbook.web.games.hub import Hub
from duelbook.web.games.state.views import encode
from duelbook.web.server.addresses import address
from duelbook.web.server.limits import Limiter

HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; "
        "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
CHEAP_PATHS = ("/healthz", "/metrics", "/static/")
"""Paths with a higher rate limit and without log lines."""
COMMAND_PATH = re.compile("/api/games/([^/]+)/commands")
TOO_FAST = "too fast"
"""The key in the state of a request that the server refused because of the rate limit."""


class GuardMiddleware:
    """Refuses requests over the limit or from another site, and adds security headers."""

    def __init__(
        self, app: ASGIApp, limiter: Limiter, hub: Hub, origins: tuple[str, ...] = ()
    ) -> None:
        self.app, self.limiter, self.hub, self.origins = app, limiter, hub, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it to the application."""
        if scope["type"] != "lifespan":
            CLIENT_ADDRESS.set(address(scope))
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        began, status = time.perf_counter(), 0

        async def answer(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                headers.setdefault("Cache-Control", "no-cache" if _is_file(scope) else "no-store")
            await send(message)

        try:
            await (self._refusal(scope) or self.app)(scope, receive, answer)
        finally:
            self.hub.metrics.requests.labels(str(status)).inc()
            if not scope["path"].startswith(CHEAP_PATHS):
                took = round((time.perf_counter() - began) * 1000, 1)
                route = getattr(scope.get("route"), "path", "")
                log("request", method=scope["method"], route=route, status=status, ms=took)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        is_cheap = scope["path"].startswith(CHEAP_PATHS)
        allows = self.limiter.allow_cheap_request if is_cheap else self.limiter.allow_request
        if not allows(address(scope)) and not self._is_player_command(scope):
            scope.setdefault("state", {})[TOO_FAST] = True
            return problem(429, "limit", "Too many requests: wait a moment.")
        if scope["method"] not in ("GET", "HEAD") and not is_allowed_origin(scope, self.origins):
            return problem(403, "invalid", "This request comes from another site.")
        return None

    def _is_player_command(self, scope: Scope) -> bool:
        """Return whether a request is a command of a player within the rate limit of their seat.

        Such a command passes even if the address is over its limit. Otherwise one player could
        use up the rate of an address until the clock of an opponent at the same address runs out.
        """
        commands = COMMAND_PATH.fullmatch(scope["path"])
        secret = bearer(Headers(scope=scope))
        seats = self.hub.cached_seats(commands[1], secret) if commands and secret else None
        return bool(seats) and self.limiter.allow_seat_request(f"{scope['path']} {seats}")


def bearer(headers: Headers) -> str | None:
    """Return the secret of a seat from the headers of a request, or None."""
    kind, _, secret = headers.get("authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" and secret.strip() else None


def _is_file(scope: Scope) -> bool:
    """Return whether the request is for a file of the page, which a browser may cache."""
    return str(scope["path"]).startswith("/static/")


def problem(status: int, code: str, why: str) -> Response:
    """Return a refusal as JSON."""
    return Response(encode(p.Problem(code, why)), status, media_type="application/json")


def is_allowed_origin(scope: Scope, origins: tuple[str, ...]) -> bool:
    """Return whether a request names an allowed origin, or none."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None or origin in origins:
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # not a valid URL
        return False
