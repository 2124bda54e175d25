"""The WebSocket handshake: the server checks the request like any other, then upgrades it."""

from __future__ import annotations

import logging
import re
from dataclasses import dataclass
from http import HTTPStatus

from starlette.types import Scope
from websockets.http11 import Request
from websockets.server import ServerProtocol

from duelbook.web import protocol as p
from duelbook.web import routes
from duelbook.web.games.state.views import encode
from duelbook.web.server.addresses import address
from duelbook.web.server.middleware import is_allowed_origin
from duelbook.web.server.shared_services import Services

PATH = re.compile(re.sub(r"{\w+}", "([^/?]+)", routes.LIVE_PATH))
LOG = logging.getLogger("uvicorn.error")


@dataclass(frozen=True)
class Handshake:
    """The answer to a handshake; if the server accepts it, also the game and the address."""

    answer: bytes
    status: int
    game: str = ""
    address: str = ""


def answer_handshake(request: bytes, host: str, services: Services) -> Handshake:
    """Accept or refuse a complete request for a WebSocket; it counts toward the request rate."""
    library = ServerProtocol(logger=LOG)
    library.receive_data(request)
    requests = [event for event in library.events_received() if isinstance(event, Request)]
    if not requests:
        return _refusal(library, 400, "invalid", "This request is not valid.")
    scope = _scope(requests[0], host)
    services.proxies.resolve_client(scope)
    if not services.limiter.allow_request(address(scope)):
        return _refusal(library, 429, "limit", "Too many requests: wait a moment.")
    if not is_allowed_origin(scope, services.origins):
        return _refusal(library, 403, "invalid", "This request comes from another site.")
    path = PATH.fullmatch(requests[0].path.partition("?")[0])
    if not path:
        return _refusal(library, 404, "unknown", "Not Found")
    response = library.accept(requests[0])
    library.send_response(response)
    answer = b"".join(library.data_to_send())
    return Handshake(answer, response.status_code, path[1], address(scope))


def _scope(request: Request, host: str) -> Scope:
    """Return the ASGI scope of a request."""
    headers = [(k.lower().encode(), v.encode("latin-1")) for k, v in request.headers.raw_items()]
    return {"type": "websocket", "client": (host, 0), "headers": headers}


def _refusal(library: ServerProtocol, status: int, code: p.Code, why: str) -> Handshake:
    response = library.reject(HTTPStatus(status), encode(p.Problem(code, why)).decode())
    del response.headers["Content-Type"]
    response.headers["Content-Type"] = routes.JSON
    library.send_response(response)
    return Handshake(b"".join(library.data_to_send()), status)
