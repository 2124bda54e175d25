"""What stands before every request: limits, headers, and a line in the log."""

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
"""What an address may ask for as often as it likes."""


class GuardMiddleware:
    """Refuses what is too much or comes from another site, and adds headers to what is answered."""

    def __init__(
        self, app: ASGIApp, limiter: Limiter, metrics: Metrics, origins: tuple[str, ...] = ()
    ) -> None:
        self.app, self.limiter, self.metrics, self.origins = app, limiter, metrics, origins

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or let it through."""
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
            return problem(429, "limit", "That is too many requests: wait a moment.")
        if scope["method"] not in ("GET", "HEAD") and not from_here(scope, self.origins):
            return problem(403, "invalid", "This comes from the page of another site.")
        return None


def problem(status: int, code: str, why: str) -> Response:
    """Return a refusal with its reason."""
    return Response(encode(p.Problem(code, why)), status, media_type="application/json")


def address(scope: Scope) -> str:
    """Return where a request comes from."""
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
    except ValueError:  # it is no address
        return False
