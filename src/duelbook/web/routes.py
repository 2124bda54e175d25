"""The routes: one table for the application and for its description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from duelbook.web import protocol as p

JSON = "application/json"
REASONS: Mapping[int, str] = {
    400: "This is not what is expected here; `why` says what is wrong.",
    401: "No seat of this game has this secret.",
    403: "You may not do this.",
    404: "There is no such thing.",
    409: "The rules of the game, or what has happened meanwhile, are against it.",
    413: "This is too long.",
    429: "Too much was asked for in too short a time.",
    503: "Not now: try again later.",
}
"""Why a request is refused, by the status of the answer, which is a `Problem`."""
STATUS: Mapping[str, int] = {
    **dict.fromkeys(("illegal", "stale", "turn", "over", "level"), 409),
    **dict.fromkeys(("busy", "later"), 503),
    "invalid": 400,
    "secret": 401,
    "seat": 403,
    "unknown": 404,
    "limit": 429,
}
"""The status of the answer for each code of a refusal."""


@dataclass(frozen=True, slots=True)
class Route:
    """A request: its path, its handler, and its response."""

    method: Literal["GET", "POST"]
    path: str
    handler: str
    """The name of the function that answers it."""
    about: str
    response: Any = None
    """The type of the answer, or None for one that is not JSON."""
    request: Any = None
    """The type of the body that is sent, if one is."""
    who: Literal["anyone", "either", "holder"] = "anyone"
    """Who may ask: the holder of a seat, who sends its secret, or anyone, or either."""
    status: int = 200
    media: str = JSON
    errors: tuple[int, ...] = ()

    @property
    def refusals(self) -> tuple[int, ...]:
        """Every status that a refusal of this request may have."""
        found = {*self.errors, 429}
        if self.who != "anyone":
            found.add(401)
        if self.request is not None:
            found |= {400, 413}
        if "{" in self.path:
            found |= {404, 503}
        return tuple(sorted(found))


ROUTES = (
    Route("GET", "/api/schema.json", "schema", "This API in OpenAPI's words.", dict[str, Any]),
    Route("GET", "/api/books", "books", "The games that can be played here.", list[p.Book]),
    Route("GET", "/api/books/{slug}/rules", "rules", "The rules page of a game.", p.Rules),
    Route(
        *("POST", "/api/games", "create", "Begin a game, and get a seat of it."),
        *(p.Seated, p.NewGame),
        status=201,
        errors=(404, 409),
    ),
    Route(
        *("POST", "/api/standings", "standings", "How games stand that you hold seats of."),
        *(list[p.Standing], p.HeldSeats),
        errors=(503,),
    ),
    Route(
        *("GET", "/api/games/{id}", "show", "A game as your seat may see it, or as anyone may."),
        response=p.Snapshot,
        who="either",
    ),
    Route(
        *("POST", "/api/games/{id}/seats", "sit", "Take the open seat of a game."),
        *(p.Seated, p.SitDown),
        status=201,
        errors=(403, 409),
    ),
    Route(
        *("POST", "/api/games/{id}/commands", "command", "Move, resign, ask or agree."),
        *(p.Update, p.Command, "holder"),
        errors=(403, 409),
    ),
    Route(
        *("GET", "/api/games/{id}/steps", "steps", "A game from its start, position by position."),
        p.Steps,
    ),
    Route(
        *("GET", "/api/games/{id}/record", "record", "All that your seat has seen and heard."),
        response=p.Record,
        who="holder",
        errors=(403,),
    ),
    Route(
        *("GET", "/api/games/{id}/draws", "draws", "What could fall at each draw of a game."),
        list[p.Drawn],
        errors=(409,),
    ),
    Route(
        *("GET", "/api/games/{id}/analysis", "analysis", "A game explained, once it is over."),
        p.Analysis,
        errors=(409, 503),
    ),
    Route(
        *("GET", "/api/games/{id}/save", "save", "The file of a game, as the terminal reads it."),
        dict[str, Any],
    ),
    Route(
        *("GET", "/g/{id}/qr.svg", "qr", "The link to a game as a picture for phones."),
        media="image/svg+xml",
    ),
    Route(
        *("GET", "/healthz", "health", "Whether the server is well."),
        media="text/plain",
        errors=(503,),
    ),
    Route("GET", "/metrics", "metrics", "Numbers for Prometheus.", media="text/plain"),
)

LIVE = "/api/games/{id}/live"
"""The WebSocket of a game: `Hello` is sent first, and the first answer is a `Snapshot`."""
