"""A bare Starlette echo server: `python echo.py PORT`."""

from __future__ import annotations

import sys

import uvicorn
from starlette.applications import Starlette
from starlette.routing import WebSocketRoute
from starlette.websockets import WebSocket


async def echo(socket: WebSocket) -> None:
    """Send every message back."""
    await socket.accept()
    async for text in socket.iter_text():
        await socket.send_text(text)


if __name__ == "__main__":
    uvicorn.run(
        Starlette(routes=[WebSocketRoute("/", echo)]),
        port=int(sys.argv[1]),
        ws="websockets-sansio",
        ws_per_message_deflate=False,
        access_log=False,
        log_level="warning",
    )
