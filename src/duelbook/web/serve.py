"""Running a server: one process, or several that share a database."""

from __future__ import annotations

import os
import tempfile
from contextlib import nullcontext
from pathlib import Path

import uvicorn

from duelbook.errors import DuelbookError
from duelbook.web import logs
from duelbook.web.metrics import SHARED
from duelbook.web.settings import Settings


def serve(
    settings: Settings, *, host: str, port: int, workers: int = 1, proxies: str = "127.0.0.1"
) -> None:
    """Serve until told to stop."""
    if workers > 1 and (settings.database.startswith("sqlite") or not settings.redis):
        raise DuelbookError("More than one worker needs --database postgresql://… and --redis URL.")
    settings.export()
    with tempfile.TemporaryDirectory() if workers > 1 else nullcontext("") as counts:
        if counts:
            os.environ[SHARED] = counts
        uvicorn.run(
            "duelbook.web.app:create",
            factory=True,
            host=host,
            port=port,
            workers=workers,
            ws="websockets-sansio",
            ws_max_size=settings.limits.message,
            ws_per_message_deflate=False,  # frames are small, and it takes most of the time
            server_header=False,
            access_log=False,  # the shield writes a line of its own
            log_config=logs.CONFIG,
            forwarded_allow_ips=proxies,
            timeout_graceful_shutdown=5,
        )


def default_database() -> str:
    """Return the address of the database that is used when none is named."""
    from duelbook import saves

    folder = Path(saves.folder()).parent
    folder.mkdir(parents=True, exist_ok=True)
    return f"sqlite:///{folder / 'games.db'}"
