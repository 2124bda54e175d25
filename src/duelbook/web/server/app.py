"""The ASGI application: pages and API requests, answered by the hub."""

from __future__ import annotations

import asyncio
import io
import logging
import time
from collections.abc import AsyncIterator, Coroutine, Generator
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from typing import Any, TypeVar

import msgspec
import segno
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route

from duelbook import secrecy
from duelbook.catalog.registry import find, list_games, load
from duelbook.compute.engines import Engines
from duelbook.errors import DuelbookError, UnknownGame
from duelbook.play import saves
from duelbook.play.chance_seeds import UNKNOWN, SeedCommitment
from duelbook.play.rules_page import about
from duelbook.play.series import Series
from duelbook.position import Position
from duelbook.system import files
from duelbook.system.json_logs import log
from duelbook.web import protocol as p
from duelbook.web import routes
from duelbook.web.games.commands import Refusal
from duelbook.web.games.hub import Hub
from duelbook.web.games.presence import room_of
from duelbook.web.games.response_cache import ResponseCache
from duelbook.web.games.state.room import Room, Seats
from duelbook.web.games.state.views import WATCHING, chance_draws, encode, record, steps, update
from duelbook.web.prometheus_metrics import Metrics
from duelbook.web.restart_tasks import cancel_and_wait, supervise
from duelbook.web.scene_json import picture
from duelbook.web.schema import document
from duelbook.web.server.addresses import Proxies, address
from duelbook.web.server.limits import Limiter
from duelbook.web.server.middleware import GuardMiddleware, bearer, problem
from duelbook.web.server.page.page_files import PageFiles, text_response
from duelbook.web.server.page.page_head import HOME, About, about_room, about_rules, page
from duelbook.web.server.page.page_version import STATIC, offline_files, version
from duelbook.web.server.page.rules_html import coached_moves, rules
from duelbook.web.server.seat_status import seat_statuses
from duelbook.web.server.settings import Settings
from duelbook.web.server.shared_services import Services
from duelbook.web.server.watchdog import watchdog
from duelbook.web.store.backup import Backups
from duelbook.web.store.pubsub import NoPubSub, PubSub
from duelbook.web.store.store import Store, StoreError
from duelbook.web.store.uptime import HEARTBEAT_SECONDS

HOUSEKEEPING_SECONDS = 30.0
SWEEP_PAUSE_SECONDS = 0.05
"""The pause between two batches of deletions, so that players can use the database."""
COSTLY_REQUEST_WEIGHT = 5
"""The number of additional requests that a costly request counts as."""
MOVES_PER_REQUEST = 200
"""A request about a whole game counts as one more for each 200 moves."""
CHARACTERS_PER_REQUEST = 10_000
"""A request with a saved game counts as one more for each 10,000 characters."""
MAX_URL_LENGTH = 200
"""The maximum length of a URL in a QR code."""
T = TypeVar("T")
GameWork = Generator[None, None, Any]
NEW_GAME = msgspec.json.Decoder(p.NewGame)
SIT_DOWN = msgspec.json.Decoder(p.JoinGame)
HELD_SEATS = msgspec.json.Decoder(p.HeldSeats)
COMMAND: msgspec.json.Decoder[p.Command] = msgspec.json.Decoder(p.Command)


def create(settings: Settings | None = None) -> Starlette:
    """Return the server as an ASGI application."""
    settings = settings or Settings.imported()
    custom_games = [load(name) for name in settings.games]
    metrics = Metrics()
    limiter = Limiter(settings.limits, time.monotonic)
    store = Store(settings.database, settings.database_timeout, metrics)
    pubsub = _pubsub(settings.redis)
    hub = Hub(
        store,
        Engines(custom_games),
        pubsub,
        metrics,
        caps=settings.caps,
        timeouts=settings.overdue_timeouts,
    )
    endpoints = Endpoints(hub, limiter, custom_games)

    @asynccontextmanager
    async def lifespan(_: Starlette) -> AsyncIterator[dict[str, Any]]:
        await store.open()
        await hub.uptime.begin()
        await pubsub.open(hub.notices)
        keeper = supervise("housekeeper", lambda: _housekeeping(hub, limiter, settings.keep_days))
        beats = supervise("uptime", lambda: _note_uptime(hub))
        backups = [supervise("backup", b.run) for b in _backups(settings, store, metrics)]
        log("started")
        try:
            with watchdog(settings.stuck_after):
                yield Services(hub, limiter, Proxies(settings.proxies), settings.origins).as_state()
        finally:
            await cancel_and_wait(keeper, beats, *backups)
            await hub.close()
            hub.engines.close()
            await pubsub.close()
            with suppress(StoreError):
                await hub.uptime.note()
            await store.close()
            metrics.close()
            log("stopped")

    app = Starlette(
        routes=[
            Route("/", endpoints.page),
            Route("/g/{id}", endpoints.game_page),
            Route("/service_worker.js", endpoints.service_worker),
            Route("/rules", endpoints.page),
            Route("/rules/{slug}", endpoints.rules_page),
            *(
                Route(route.path, getattr(endpoints, route.handler), methods=[route.method])
                for route in routes.ROUTES
            ),
            Mount("/static", PageFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(GuardMiddleware, limiter=limiter, hub=hub, origins=settings.origins)
        ],
        exception_handlers={
            Refusal: _refused,
            StoreError: _store_failed,
            DuelbookError: _invalid,
            HTTPException: _http,
        },
        lifespan=lifespan,
    )
    app.state.hub = hub
    return app


class Endpoints:
    """Answers requests."""

    def __init__(self, hub: Hub, limiter: Limiter, custom_games: list[type[Position]]) -> None:
        self.hub, self.limiter = hub, limiter
        known = sorted({*list_games(), *custom_games}, key=lambda game: game.title)
        self._books = [_book(game) for game in known]
        self._drawing = asyncio.Lock()
        self._responses = ResponseCache(hub.time_slices)

    def _charge(self, request: Request, cost: float) -> None:
        """Count a request as `cost` more requests, or refuse it."""
        if not self.limiter.allow_request(address(request.scope), cost):
            raise Refusal("limit", "Too many requests that take long: wait a moment.")

    async def _game_response(
        self, request: Request, kind: str, room: Room, work: GameWork, seats: Seats = WATCHING
    ) -> Response:
        """Return a response about a whole game, as the holder of these seats may see it."""
        self._charge(request, len(room.match.moves) // MOVES_PER_REQUEST)
        answer = self._responses.get(kind, room, seats, work)
        return Response(await cancel_on_disconnect(request, answer), media_type="application/json")

    async def _room(self, request: Request) -> Room:
        return room_of(await self.hub.live_game(request.path_params["id"]))

    # Pages ------------------------------------------------------------------------------------

    async def page(self, request: Request) -> Response:
        """Return the page."""
        return _page(request, HOME)

    async def game_page(self, request: Request) -> Response:
        """Return the page with the title and the preview of a game."""
        try:
            room = await self._room(request)
        except Refusal:
            return _page(request, HOME, 404)
        return _page(request, about_room(room))

    async def service_worker(self, request: Request) -> Response:
        """Return the service worker, which stores the page for offline use.

        Its path is `/service_worker.js` because the path of a service worker limits its scope.
        """
        constants = (encode(version()), encode(offline_files()))
        head = b"self.VERSION = %b;\nself.FILES = %b;\n" % constants
        code = (STATIC / "offline" / "service_worker.js").read_bytes()
        return text_response(request.headers, head + code, "text/javascript")

    async def rules_page(self, request: Request) -> Response:
        """Return the page for the rules of a game."""
        slug = request.path_params["slug"]
        if all(book.slug != slug for book in self._books):
            return _page(request, HOME, 404)
        return _page(request, about_rules(find(slug)))

    async def qr(self, request: Request) -> Response:
        """Return the address of a game as a QR code."""
        await self.hub.live_game(request.path_params["id"])
        url = str(request.url_for("game_page", id=request.path_params["id"]))
        if len(url) > MAX_URL_LENGTH:
            raise HTTPException(400, "This address is too long for a picture.")
        self._charge(request, COSTLY_REQUEST_WEIGHT)
        async with self._drawing:  # one at a time: threads take time from the event loop
            picture = await asyncio.to_thread(_qr, url)
        return Response(picture, media_type="image/svg+xml")

    async def health(self, _: Request) -> Response:
        """Return 200 if the database answers; otherwise `StoreError` becomes a 503."""
        await self.hub.store.check(self.hub.now())
        return Response("ok\n", media_type="text/plain")

    async def metrics(self, request: Request) -> Response:
        """Return the metrics for Prometheus."""
        self._charge(request, COSTLY_REQUEST_WEIGHT)
        self.hub.metrics.rooms.set(len(self.hub.live_games))
        text = self.hub.metrics.text()
        return Response(text, media_type="text/plain; version=0.0.4; charset=utf-8")

    async def schema(self, _: Request) -> Response:
        """Return the OpenAPI description."""
        return _json(document())

    # Books ------------------------------------------------------------------------------------

    async def books(self, request: Request) -> Response:
        """List the games that can be played."""
        for book in self._books:
            effort = self.hub.engines.effort(book.slug)
            book.effort = None if effort is None else p.Effort(*effort)
        return text_response(request.headers, encode(self._books), "application/json")

    async def rules(self, request: Request) -> Response:
        """Show the rules page of a game."""
        try:
            return _json(_rules(request.path_params["slug"]))
        except UnknownGame as error:
            raise Refusal("unknown", str(error)) from error

    # Games ------------------------------------------------------------------------------------

    async def create(self, request: Request) -> Response:
        """Create a game."""
        wish = await _body(request, NEW_GAME, self.limiter.limits.body)
        if not self.limiter.allow_new_game(address(request.scope)):
            raise Refusal("limit", "You have started too many games: try again later.")
        self._charge(request, len(wish.save or "") // CHARACTERS_PER_REQUEST)
        return _json(await self.hub.create(wish), 201)

    async def sit(self, request: Request) -> Response:
        """Take the open seat."""
        wish = await _body(request, SIT_DOWN, self.limiter.limits.message)
        return _json(await self.hub.sit(request.path_params["id"], wish), 201)

    async def standings(self, request: Request) -> Response:
        """Return the status of several games; each game counts as one more request."""
        wish = await _body(request, HELD_SEATS, self.limiter.limits.message)
        self._charge(request, len(wish.games))
        return _json(await seat_statuses(self.hub, wish.games))

    async def show(self, request: Request) -> Response:
        """Return a snapshot of the game."""
        return _json(await self.hub.snapshot(request.path_params["id"], bearer(request.headers)))

    async def command(self, request: Request) -> Response:
        """Carry out a command in a game."""
        command = await _body(request, COMMAND, self.limiter.limits.message)
        live = await self.hub.live_game(request.path_params["id"])
        seats = self.hub.seats_of(live, bearer(request.headers))
        before, room = await self.hub.execute(live, seats, command)
        message = update(before, room, seats, self.hub.now())
        message.reply = command.number
        return _json(message)

    async def steps(self, request: Request) -> Response:
        """List the positions of a game."""
        room = await self._room(request)
        return await self._game_response(request, "steps", room, steps(room))

    async def record(self, request: Request) -> Response:
        """Return the record of the game as a seat may see it."""
        live = await self.hub.live_game(request.path_params["id"])
        seats = self.hub.seats_of(live, bearer(request.headers))
        room = room_of(live)
        return await self._game_response(request, "record", room, record(room, seats), seats)

    async def draws(self, request: Request) -> Response:
        """Return the possible chance outcomes at each draw of a finished game."""
        room = await self._room(request)
        return await self._game_response(request, "draws", room, chance_draws(room))

    async def analysis(self, request: Request) -> Response:
        """Return the analysis of a finished game."""
        live = await self.hub.live_game(request.path_params["id"])
        self._charge(request, len(room_of(live).match.moves) // MOVES_PER_REQUEST)
        answer = await cancel_on_disconnect(request, self.hub.explanations.analyse(live))
        return Response(answer, media_type="application/json")

    async def save(self, request: Request) -> Response:
        """Return the game as a save file, which the terminal reads."""
        room = await self._room(request)
        self._charge(request, len(room.match.moves) // MOVES_PER_REQUEST)
        began = time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(room.terms.created / 1000))
        commitment = (
            SeedCommitment.from_seed(room.terms.draws) if room.has_committed_draws else UNKNOWN
        )
        series = Series(
            *((room.match,), room.names),
            started=began,
            players=room.players,
            draws=(commitment,),
        )
        name = f"{room.terms.game.slug}-{room.terms.id[:6]}.json"
        return Response(
            saves.text(series, room.seen_by(WATCHING)),
            media_type="application/json",
            headers={"Content-Disposition": f'attachment; filename="{name}"'},
        )


# Answers ----------------------------------------------------------------------------------------


def _json(value: object, status: int = 200) -> Response:
    return Response(encode(value), status, media_type="application/json")


def _page(request: Request, subject: About, status: int = 200) -> Response:
    """Return the page; only its head depends on the subject and the path."""
    url = request.url
    body = page(subject, f"{url.scheme}://{url.netloc}", url.path)
    return text_response(request.headers, body.encode(), "text/html", status)


async def _body(request: Request, decoder: msgspec.json.Decoder[T], limit: int) -> T:
    body = bytearray()
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > limit:
                raise HTTPException(
                    413, f"This request is too long: it may have at most {limit} bytes."
                )
    except ClientDisconnect as error:  # the client is gone and does not read this
        raise HTTPException(400, "This request is not complete.") from error
    try:
        return decoder.decode(body)
    except (msgspec.DecodeError, RecursionError, UnicodeError) as error:
        raise HTTPException(400, f"This request is not valid: {error}.") from error


async def cancel_on_disconnect(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of work for a request; cancel the work if the client disconnects."""
    computing = asyncio.create_task(work)
    leaving = asyncio.create_task(_wait_for_disconnect(request))
    try:
        await asyncio.wait({computing, leaving}, return_when=asyncio.FIRST_COMPLETED)
        if not computing.done():
            raise HTTPException(499, "The client has disconnected.")
        return computing.result()
    finally:
        computing.cancel()
        leaving.cancel()


async def _wait_for_disconnect(request: Request) -> None:
    """Return when the client has disconnected."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


def _refused(request: Request, refusal: Exception) -> Response:
    assert isinstance(refusal, Refusal)  # noqa: S101 # the handler is registered for nothing else
    request.app.state.hub.metrics.refused.labels(refusal.code).inc()
    return problem(routes.REFUSAL_STATUS[refusal.code], refusal.code, str(refusal))


def _store_failed(_: Request, error: Exception) -> Response:
    return problem(503, "later", str(error))


def _invalid(_: Request, error: Exception) -> Response:
    return problem(400, "invalid", str(error))


def _http(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)  # noqa: S101 # the handler is registered for nothing else
    if error.status_code == 404 and "text/html" in request.headers.get("accept", ""):
        return _page(request, HOME, 404)  # the page shows the error
    code = {404: "unknown", 413: "limit"}.get(error.status_code, "invalid")
    answer = problem(error.status_code, code, error.detail)
    answer.headers.update(error.headers or {})
    return answer


# Descriptions of games --------------------------------------------------------------------------


@lru_cache
def _rules(slug: str) -> p.Rules:
    return rules(find(slug))


def _book(game: type[Position]) -> p.Book:
    return p.Book(
        game.slug,
        game.title,
        about(game),
        picture(game()),
        game.player_1_starts,
        secrecy.keeps_secrets(game),
        first_game=bool(coached_moves(game)),
    )


@lru_cache
def _qr(url: str) -> bytes:
    out = io.BytesIO()
    code = segno.make(url, error="m", micro=False)
    code.save(out, kind="svg", scale=4, border=2, light="white")
    return out.getvalue()


# Housekeeping -----------------------------------------------------------------------------------


async def _housekeeping(hub: Hub, limiter: Limiter, keep_days: float) -> None:
    """Drop idle games from memory and delete old ones, at intervals."""
    while True:
        hub.drop_idle_games()
        limiter.drop_idle()
        with suppress(StoreError):  # the store logs the error
            while deleted := await hub.delete_inactive_games(
                hub.now() - int(keep_days * 86_400_000)
            ):
                log("cleaned up", games=deleted)
                await asyncio.sleep(SWEEP_PAUSE_SECONDS)
        await asyncio.sleep(HOUSEKEEPING_SECONDS)


async def _note_uptime(hub: Hub) -> None:
    """Write a heartbeat every few seconds."""
    while True:
        await asyncio.sleep(HEARTBEAT_SECONDS)
        try:
            await hub.commits.note_uptime()
        except StoreError as error:
            log("heartbeat failed", logging.WARNING, why=str(error))


def _backups(settings: Settings, store: Store, metrics: Metrics) -> list[Backups]:
    """Return the backup job, if backups are on."""
    if settings.backup is None or store.file is None:
        return []
    copy = files.path(settings.backup)
    return [Backups(store.file, copy, 60 * settings.backup_minutes, metrics)]


def _pubsub(redis: str | None) -> PubSub:
    if redis is None:
        return NoPubSub()
    from duelbook.web.store.redis_pubsub import RedisPubSub  # in the extra `hosts`

    return RedisPubSub(redis, _redis_failed)


def _redis_failed(why: str) -> None:
    log("redis cannot be reached", logging.WARNING, why=why)
