"""The ASGI application: pages, API requests and WebSockets, answered by the hub."""

from __future__ import annotations

import asyncio
import io
import logging
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import TypeVar

import msgspec
import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles

from duelbook import secrecy
from duelbook.catalog.registry import find, games, load
from duelbook.errors import DuelbookError
from duelbook.play import saves
from duelbook.play.draws import UNKNOWN, Draws
from duelbook.play.series import Series
from duelbook.position import Position
from duelbook.web import protocol as p
from duelbook.web import routes
from duelbook.web.logs import log
from duelbook.web.metrics import Metrics
from duelbook.web.rooms.commands import Refusal
from duelbook.web.rooms.engines import Engines
from duelbook.web.rooms.hub import Hub, wall_clock
from duelbook.web.rooms.presence import room_of
from duelbook.web.rooms.pubsub import NoPubSub, PubSub
from duelbook.web.rooms.scene_json import picture
from duelbook.web.rooms.store import Store, StoreError
from duelbook.web.rooms.views import encode, record, steps, update
from duelbook.web.schema import document
from duelbook.web.server.limits import Limiter
from duelbook.web.server.middleware import GuardMiddleware, address, problem
from duelbook.web.server.rules_html import rules_html
from duelbook.web.server.settings import Settings
from duelbook.web.server.websocket import WebSocketEndpoint

STATIC = Path(__file__).parents[1] / "static"
HOUSEKEEPING = 30.0
T = TypeVar("T")
NEW_GAME = msgspec.json.Decoder(p.NewGame)
SIT_DOWN = msgspec.json.Decoder(p.SitDown)
COMMAND: msgspec.json.Decoder[p.Command] = msgspec.json.Decoder(p.Command)


def create(settings: Settings | None = None, now: Callable[[], int] = wall_clock) -> Starlette:
    """Return the server as an ASGI application."""
    settings = settings or Settings.imported()
    own = [load(name) for name in settings.games]
    metrics = Metrics()
    limiter = Limiter(settings.limits, time.monotonic)
    store = Store(settings.database, metrics.committed)
    pubsub = _pubsub(settings.redis)
    hub = Hub(store, Engines(own), pubsub, metrics, now)
    endpoints = Endpoints(hub, limiter, own)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[None]:
        await store.open()
        await pubsub.open(hub)
        keeper = asyncio.create_task(_housekeeping(hub, limiter, settings.keep_days))
        log("started")
        try:
            yield
        finally:
            keeper.cancel()
            with suppress(asyncio.CancelledError):
                await keeper
            await hub.close()
            hub.engines.close()
            await pubsub.close()
            await store.close()
            metrics.close()
            log("stopped")

    app = Starlette(
        routes=[
            Route("/", endpoints.page),
            Route("/g/{id}", endpoints.game_page),
            *(
                Route(one.path, getattr(endpoints, one.handler), methods=[one.method])
                for one in routes.ROUTES
            ),
            WebSocketRoute(routes.LIVE, WebSocketEndpoint(hub, limiter, settings.origins)),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(GuardMiddleware, limiter=limiter, metrics=metrics, origins=settings.origins)
        ],
        exception_handlers={
            Refusal: _refused,
            StoreError: _unstored,
            DuelbookError: _invalid,
            HTTPException: _http,
        },
        lifespan=lifespan,
    )
    app.state.hub = hub
    return app


class Endpoints:
    """Answers requests."""

    def __init__(self, hub: Hub, limiter: Limiter, own: list[type[Position]]) -> None:
        self.hub, self.limiter = hub, limiter
        self._games = sorted({*games(), *own}, key=lambda game: game.title)

    # Pages ------------------------------------------------------------------------------------

    async def page(self, _: Request) -> Response:
        """Return the page, which is one for all addresses."""
        return FileResponse(STATIC / "index.html", headers={"Cache-Control": "no-cache"})

    async def game_page(self, request: Request) -> Response:
        """Return the page for a game."""
        page = await self.page(request)
        try:
            await self.hub.live(request.path_params["id"])
        except Refusal:
            page.status_code = 404
        return page

    async def qr(self, request: Request) -> Response:
        """Return the address of a game as a QR code."""
        await self.hub.live(request.path_params["id"])
        url = str(request.url_for("game_page", id=request.path_params["id"]))
        return Response(_qr(url), media_type="image/svg+xml")

    async def health(self, _: Request) -> Response:
        """Say whether the database answers."""
        await self.hub.store.ping()
        return Response("ok\n", media_type="text/plain")

    async def metrics(self, _: Request) -> Response:
        """Return the metrics for Prometheus."""
        self.hub.metrics.rooms.set(self.hub.rooms)
        text = self.hub.metrics.text()
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    async def schema(self, _: Request) -> Response:
        """Return the OpenAPI description."""
        return _json(document())

    # Books ------------------------------------------------------------------------------------

    async def books(self, _: Request) -> Response:
        """List the games that can be played."""
        return _json([_book(game) for game in self._games])

    async def rules(self, request: Request) -> Response:
        """Show the rules page of a game."""
        try:
            game = find(request.path_params["slug"])
        except DuelbookError as error:
            raise Refusal("unknown", str(error)) from error
        return _json(p.Rules(game.title, rules_html(game.rules_page())))

    # Games ------------------------------------------------------------------------------------

    async def create(self, request: Request) -> Response:
        """Create a game."""
        wish = await _body(request, NEW_GAME, self.limiter.limits.body)
        if not self.limiter.game(address(request.scope)):
            raise Refusal("limit", "You have started too many games: try again later.")
        return _json(await self.hub.create(wish), 201)

    async def sit(self, request: Request) -> Response:
        """Take the open seat."""
        wish = await _body(request, SIT_DOWN, self.limiter.limits.message)
        return _json(await self.hub.sit(request.path_params["id"], wish), 201)

    async def show(self, request: Request) -> Response:
        """Return a snapshot of the game."""
        return _json(await self.hub.show(request.path_params["id"], _secret(request)))

    async def command(self, request: Request) -> Response:
        """Carry out a command in a game."""
        command = await _body(request, COMMAND, self.limiter.limits.message)
        live = await self.hub.live(request.path_params["id"])
        seats = self.hub.seats_of(live, _secret(request))
        before, room = await self.hub.act(live, seats, command)
        told = update(before, room, seats, self.hub.now())
        told.reply = command.number
        return _json(told)

    async def steps(self, request: Request) -> Response:
        """List the positions of a game."""
        return _json(steps(room_of(await self.hub.live(request.path_params["id"]))))

    async def record(self, request: Request) -> Response:
        """Return what a seat has seen and heard."""
        live = await self.hub.live(request.path_params["id"])
        return _json(record(room_of(live), self.hub.seats_of(live, _secret(request))))

    async def draws(self, request: Request) -> Response:
        """Return what could fall at each draw of a finished game."""
        return _json(self.hub.drawn(await self.hub.live(request.path_params["id"])))

    async def analysis(self, request: Request) -> Response:
        """Return the analysis of a finished game."""
        return _json(await self.hub.analyse(await self.hub.live(request.path_params["id"])))

    async def save(self, request: Request) -> Response:
        """Return the game as a save file, which the terminal reads."""
        room = room_of(await self.hub.live(request.path_params["id"]))
        began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(room.terms.created / 1000))
        promised = Draws.from_seed(room.terms.draws) if room.promises_draws else UNKNOWN
        series = Series(
            *((room.match,), room.names),
            started=began,
            players=room.players,
            draws=(promised,),
        )
        name = f"{room.terms.game.slug}-{room.terms.id[:6]}.json"
        return Response(
            saves.text(series),
            media_type="application/json",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


# Answers ----------------------------------------------------------------------------------------


def _json(value: object, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")


async def _body(request: Request, decoder: msgspec.json.Decoder[T], most: int) -> T:
    body = bytearray()
    async for chunk in request.stream():
        body += chunk
        if len(body) > most:
            raise HTTPException(413, f"This is too long: {most} bytes are the most.")
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise HTTPException(400, f"This request is not valid: {error}.") from error


def _secret(request: Request) -> str | None:
    kind, _, secret = request.headers.get("authorization", "").partition(" ")
    return secret.strip() if kind.lower() == "bearer" and secret.strip() else None


def _refused(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)  # noqa: S101 # it is registered for nothing else
    request.app.state.hub.metrics.refused.labels(refusal.code).inc()
    return problem(routes.STATUS[refusal.code], refusal.code, str(refusal))


def _unstored(_: Request, error: Exception) -> Response:
    log("store", logging.ERROR, why=str(error), cause=repr(error.__cause__))
    return problem(503, "later", str(error))


def _invalid(_: Request, error: Exception) -> Response:
    return problem(400, "invalid", str(error))


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 # it is registered for nothing else
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return FileResponse(STATIC / "index.html", 404)  # the page tells people
    code = {404: "unknown", 413: "limit"}.get(error.status_code, "invalid")
    answer = problem(error.status_code, code, error.detail)
    answer.headers.update(error.headers or {})
    return answer


# What is shown of a game ------------------------------------------------------------------------


def _book(game: type[Position]) -> p.Book:
    about = (game.__doc__ or "").strip().split("\n")[0]
    return p.Book(
        game.slug,
        game.title,
        about,
        picture(game()),
        game.player_1_starts,
        secrecy.keeps_secrets(game),
    )


def _qr(url: str) -> bytes:
    out = io.BytesIO()
    try:
        code = segno.make(url, error="m", micro=False)
    except segno.DataOverflowError as error:
        raise HTTPException(400, "This address is too long for a picture.") from error
    code.save(out, kind="svg", scale=4, border=2, light="white")
    return out.getvalue()


# Keeping house ----------------------------------------------------------------------------------


async def _housekeeping(hub: Hub, limiter: Limiter, keep_days: float) -> None:
    """Drop idle rooms and delete old games, every now and then."""
    while True:
        hub.tidy()
        limiter.forget()
        try:
            gone = await hub.sweep(hub.now() - int(keep_days * 86_400_000))
            if gone:
                log("cleaned up", games=gone)
        except StoreError as error:
            log("cleaning up failed", logging.ERROR, why=str(error))
        await asyncio.sleep(HOUSEKEEPING)


def _pubsub(redis: str | None) -> PubSub:
    if redis is None:
        return NoPubSub()
    from duelbook.web.rooms.redis_pubsub import RedisPubSub  # in the extra `hosts`

    return RedisPubSub(redis, _redis_failed)


def _redis_failed(why: str) -> None:
    log("redis cannot be reached", logging.WARNING, why=why)
