"""Running a server: one process, or several that share a database."""

from __future__ import annotations

import asyncio
import gc
import os
import socket
import sys
import tempfile
from contextlib import nullcontext

import uvicorn
from starlette.applications import Starlette

from duelbook.catalog.registry import load
from duelbook.errors import DuelbookError
from duelbook.system import files
from duelbook.system import json_logs as logs
from duelbook.web.prometheus_metrics import SHARED_FOLDER_VARIABLE
from duelbook.web.server.app import create
from duelbook.web.server.http_protocol import KEEP_ALIVE_SECONDS, HttpProtocol
from duelbook.web.server.limits import raise_descriptor_limit
from duelbook.web.server.settings import Settings
from duelbook.web.server.websocket import WebSocket
from duelbook.web.store.backup import check_backup
from duelbook.web.store.store import Store, StoreError


def prepare(settings: Settings) -> None:
    """Check the settings before the server starts, and migrate the database."""
    host, port = settings.host, settings.port
    if settings.workers > 1 and (settings.database.startswith("sqlite") or not settings.redis):
        raise DuelbookError("More than one worker needs --database postgresql://… and --redis URL.")
    for name in settings.games:
        load(name)
    if settings.redis:
        from duelbook.web.store.redis_pubsub import check_redis  # in the extra `hosts`

        check_redis(settings.redis)
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family) as trial:
        trial.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            trial.bind((host, port))
        except (OSError, OverflowError) as error:
            why = getattr(error, "strerror", None) or error
            raise DuelbookError(f"{host}:{port} cannot be listened on: {why}.") from error
    asyncio.run(_try_database(settings))


async def _try_database(settings: Settings) -> None:
    store = Store(settings.database, settings.database_timeout)
    if settings.backup:
        check_backup(files.path(settings.backup), store.file)
    try:
        await store.open()
    except StoreError as error:
        cause = str(error.__cause__ or error).strip().partition("\n")[0]
        raise DuelbookError(f"The database cannot be used: {cause}") from error
    finally:
        await store.close()


def serve(settings: Settings) -> None:
    """Run the server until a signal stops it."""
    host, port, workers = settings.host, settings.port, settings.workers
    raise_descriptor_limit()
    logs.start()
    logs.log("starting", host=host, port=port, workers=workers)
    settings.export()
    with tempfile.TemporaryDirectory() if workers > 1 else nullcontext("") as counts:
        if counts:
            os.environ[SHARED_FOLDER_VARIABLE] = counts
        uvicorn.run(
            "duelbook.web.server.run_server:application",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            http=HttpProtocol,
            ws=WebSocket,
            server_header=False,
            access_log=False,  # the middleware logs each request
            log_config=logs.CONFIG,
            forwarded_allow_ips=settings.proxies,
            timeout_keep_alive=KEEP_ALIVE_SECONDS,
            timeout_graceful_shutdown=5,
        )


def application() -> Starlette:
    """Return the application of a server process, and tune garbage collection."""
    logs.capture_output()
    try:
        app = create()
    except Exception:
        logs.LOG.exception("failed: the start")
        sys.exit(1)
    gc.freeze()  # objects that exist now stay, so the collector can skip them
    gc.set_threshold(20_000)  # a move leaves no cycles behind
    return app


def default_database() -> str:
    """Return the URL of the default database."""
    folder = files.data_folder()
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'games.db'}"
