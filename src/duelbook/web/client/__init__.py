"""A client for programs: take a seat at a game on a server, watch it, and play."""

from duelbook.web.client.game_client import GameClient, Server
from duelbook.web.client.server import NoServerError, ServerError

__all__ = ["GameClient", "NoServerError", "Server", "ServerError"]
