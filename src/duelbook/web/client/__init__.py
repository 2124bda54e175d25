"""A client for programs: take a seat at a game on a server, watch it, and play."""

from duelbook.web.client.game_client import Game, NoServerError, Server, ServerError

__all__ = ["Game", "NoServerError", "Server", "ServerError"]
