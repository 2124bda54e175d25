"""The routes: one table for the application and for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from duelbook.web import protocol as p

JSON = "application/json"
STATUS_REASONS: Mapping[int, str] = {
    400: "The request is not valid; `why` says what is wrong.",
    401: "No seat of this game has this secret.",
    403: "You may not do this.",
    404: "There is no such thing.",
    409: "The rules or the current state of the game do not allow this.",
    413: "The request is too long.",
    429: "Too many requests in too short a time.",
    503: "The server cannot do this now: try again later.",
}
"""The reason for a refusal, by its HTTP status; the body is a `Problem`."""
REFUSAL_STATUS: Mapping[str, int] = {
    **dict.fromkeys(("illegal", "stale", "turn", "over", "level"), 409),
    **dict.fromkeys(("busy", "later"), 503),
    "invalid": 400,
    "secret": 401,
    "seat": 403,
    "unknown": 404,
    "limit": 429,
}
"""The HTTP status for each code of a refusal."""


@dataclass(frozen=True, slots=True)
class Route:
    """A request: its path, its handler, and its response."""

    method: Literal["GET", "POST"]
    path: str
    handler: str
    """The name of the function that handles the request."""
    about: str
    response: Any = None
    """The type of the response, or None if it is not JSON."""
    request: Any = None
    """The type of the request's body, if it has one."""
    authorization: Literal["unused", "optional", "required"] = "unused"
    """Whether the request carries the secret of a seat."""
    status: int = 200
    media: str = JSON
    errors: tuple[int, ...] = ()

    @property
    def refusals(self) -> tuple[int, ...]:
        """The HTTP statuses with which the server may refuse this request."""
        statuses = {*self.errors, 429}
        if self.authorization != "unused":
            statuses.add(401)
        if self.request is not None:
            statuses |= {400, 413}
        if "{" in self.path:
            statuses |= {404, 503}
        return tuple(sorted(statuses))


ROUTES = (
    Route("GET", "/api/schema.json", "schema", "The OpenAPI document of this API.", dict[str, Any]),
    Route("GET", "/api/books", "books", "The games that the server offers.", list[p.Book]),
    Route("GET", "/api/books/{slug}/rules", "rules", "The rules page of a game.", p.Rules),
    Route(
        *("POST", "/api/games", "create", "Start a game and take a seat at it."),
        *(p.SeatCredentials, p.NewGame),
        status=201,
        errors=(404, 409),
    ),
    Route(
        *("POST", "/api/standings", "standings", "The state of games in which you have seats."),
        *(list[p.SeatStatus], p.HeldSeats),
        errors=(503,),
    ),
    Route(
        *("GET", "/api/games/{id}", "show", "A game as your seat, or a spectator, may see it."),
        response=p.Snapshot,
        authorization="optional",
    ),
    Route(
        *("POST", "/api/games/{id}/seats", "sit", "Take the open seat of a game."),
        *(p.SeatCredentials, p.JoinGame),
        status=201,
        errors=(403, 409),
    ),
    Route(
        *("POST", "/api/games/{id}/commands", "command", "Move, resign, ask or agree."),
        *(p.Update, p.Command, "required"),
        errors=(403, 409),
    ),
    Route(
        *("GET", "/api/games/{id}/steps", "steps", "All positions of a game, from its start."),
        p.Steps,
    ),
    Route(
        *("GET", "/api/games/{id}/record", "record", "The observation history of your seat."),
        response=p.Record,
        authorization="required",
        errors=(403,),
    ),
    Route(
        *("GET", "/api/games/{id}/draws", "draws", "The possible outcomes of each chance draw."),
        list[p.ChanceDraw],
        errors=(409,),
    ),
    Route(
        *("GET", "/api/games/{id}/analysis", "analysis", "The analysis of a finished game."),
        p.Analysis,
        errors=(409, 503),
    ),
    Route(
        *("GET", "/api/games/{id}/save", "save", "A saved game, as the terminal reads it."),
        dict[str, Any],
    ),
    Route(
        *("GET", "/g/{id}/qr.svg", "qr", "The link to a game as a QR code."),
        media="image/svg+xml",
    ),
    Route(
        *("GET", "/healthz", "health", "Whether the server works."),
        media="text/plain",
        errors=(503,),
    ),
    Route("GET", "/metrics", "metrics", "Metrics for Prometheus.", media="text/plain"),
)

LIVE_PATH = "/api/games/{id}/live"
"""The WebSocket of a game: the client sends `Hello`, the server answers with a `Snapshot`."""
