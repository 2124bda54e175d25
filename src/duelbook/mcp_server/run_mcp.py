"""Runs the MCP server: over standard input and output, or over HTTP on this machine."""

from __future__ import annotations

import signal
import socket
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import uvicorn
from mcp.server.mcpserver import MCPServer

from duelbook.catalog.registry import list_games, load
from duelbook.compute.engines import Engines
from duelbook.errors import DuelbookError
from duelbook.mcp_server.game_service import GameService
from duelbook.mcp_server.server import create_server

HOST = "127.0.0.1"
MAX_REQUEST_BYTES = 64 * 1024


def run(games: Sequence[str], folder: Path, port: int | None, log: Callable[[str], None]) -> None:
    """Run the server until the host or a signal stops it.

    `games` names the files or classes of additional games.
    """
    with redirect_stdout(sys.stderr):  # prints of a file must not enter the protocol
        loaded = tuple(map(load, games))
    if not folder.is_dir():
        raise DuelbookError(f"There is no folder {folder}.")
    play = GameService(Engines(loaded))
    server = create_server(play, tuple(dict.fromkeys((*list_games(), *loaded))), folder)
    try:
        if port is None:
            _serve_stdio(server, log)
        else:
            _serve_http(server, port, log)
    finally:
        play.close()


def _serve_stdio(server: MCPServer[Any], log: Callable[[str], None]) -> None:
    if sys.stdin.isatty():
        log("An agent host starts this and talks to it over standard input. Ctrl-C stops.")
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # the SDK would wait for another line of input
    server.run()


def _serve_http(server: MCPServer[Any], port: int, log: Callable[[str], None]) -> None:
    """Serve over HTTP; the SDK refuses other host names, which prevents DNS rebinding."""
    app = server.streamable_http_app(
        host=HOST, stateless_http=True, max_request_body_size=MAX_REQUEST_BYTES
    )
    with socket.socket() as listening:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            listening.bind((HOST, port))
            listening.listen()
        except OSError as error:
            why = f"Cannot listen on {HOST}:{port}: {error.strerror}."
            raise DuelbookError(why) from error
        log(f"The address is http://{HOST}:{listening.getsockname()[1]}/mcp. Ctrl-C stops.")
        config = uvicorn.Config(app, log_level="warning", server_header=False, access_log=False)
        config.timeout_keep_alive = 20  # longer than clients hold an idle connection
        config.timeout_graceful_shutdown = 5
        uvicorn.Server(config).run(sockets=[listening])
