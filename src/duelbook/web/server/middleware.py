"""Middleware for every request: limits, origin check, headers, and a log line."""

from __future__ import annotations

import time
from urllib.parse import urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import HTTPConnection
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from duelbook.web import protocol as p
from duelbook.web.logs import log
from duelbook.web.metrics import Metrics
from duelbook.web.rooms.views import encode
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
FREE = ("/healthz", "/metrics", "/static/")
"""Paths without a rate limit."""


class GuardMiddleware:
    """Refuses requests over the limit or from another site, and adds security headers."""

    def __init__(
        self, app: ASGIApp, limiter: Limiter, metrics: Metrics, origins: tuple[str, ...] = ()
    ) -> None:
        self.app, self.limiter, self.metrics, self.origins = app, limiter, metrics, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Refuse a request, or pass it on."""
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
                headers.setdefault("Cache-Control", "no-store")
            await send(message)

        try:
            await (self._refusal(scope) or self.app)(scope, receive, answer)
        finally:
            self.metrics.requests.labels(str(status)).inc()
            if not scope["path"].startswith(FREE):
                took = round((time.perf_counter() - began) * 1000, 1)
                route = getattr(scope.get("route"), "path", "")
                log("request", method=scope["method"], route=route, status=status, ms=took)

    def _refusal(self, scope: Scope) -> ASGIApp | None:
        if scope["path"].startswith(FREE):
            return None
        if not self.limiter.request(address(scope)):
            return problem(429, "limit", "Too many requests: wait a moment.")
        if scope["method"] not in ("GET", "HEAD") and not from_here(scope, self.origins):
            return problem(403, "invalid", "This request comes from another site.")
        return None


def problem(status: int, code: str, why: str) -> Response:
    """Return a refusal as JSON."""
    return Response(encode(p.Problem(code, why)), status, media_type="application/json")


def address(scope: Scope) -> str:
    """Return the client address of a request."""
    client = HTTPConnection(scope).client
    return client.host if client else "nowhere"


def from_here(scope: Scope, origins: tuple[str, ...]) -> bool:
    """Whether a request comes from a page of ours, or from no page at all."""
    headers = Headers(scope=scope)
    origin = headers.get("origin")
    if origin is None or origin in origins:
        return True
    try:
        return urlsplit(origin).netloc == headers.get("host")
    except ValueError:  # not a valid URL
        return False
