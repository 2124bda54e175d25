"""Test agents: clients of the MCP SDK that play, and the answers that they received."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from typing import Any

from mcp import Client, StdioServerParameters
from mcp_types import TextContent

import duelbook
from duelbook.catalog.registry import load
from duelbook.compute.engines import Engines
from duelbook.mcp_server.game_registry import GameRegistry, new_token
from duelbook.mcp_server.game_service import GameService
from duelbook.mcp_server.server import create_server
from paths import ROOT
from servers import DUELBOOK, Program

EXAMPLES = ROOT / "examples" / "games"
KUHN = str(EXAMPLES / "kuhn_poker.py")
"""A game with private cards and chance."""
Data = dict[str, Any]


class Agent:
    """A client, and all answers that it received."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.answers: list[str] = []

    async def call(self, tool: str, **arguments: object) -> Data:
        """Call a tool and return its result, which must be typed."""
        result = await self.client.call_tool(tool, arguments)
        self.answers.append(result.model_dump_json())
        assert not result.is_error, result.content
        content = result.structured_content
        assert isinstance(content, dict)
        return content

    async def refused(self, tool: str, **arguments: object) -> str:
        """Call a tool that refuses, and return its reason."""
        result = await self.client.call_tool(tool, arguments)
        self.answers.append(result.model_dump_json())
        assert result.is_error, result.structured_content
        (reason,) = result.content
        assert isinstance(reason, TextContent)
        return reason.text

    async def begin(self, game: str, **terms: object) -> tuple[str, Data]:
        """Begin a game; return the handle and the view."""
        reply = await self.call("begin", game=game, **terms)
        return reply["handle"], reply["look"]

    async def begin_for_two(self, game: str, **terms: object) -> list[str]:
        """Begin a game and take both seats; return the handles, Player 1's first."""
        reply = await self.call("begin", game=game, opponent="seat", **terms)
        joined = await self.call("join", invitation=reply["invitation"])
        seats = {result["look"]["you"]: result["handle"] for result in (reply, joined)}
        return [seats["Player 1"], seats["Player 2"]]

    async def play_out(self, handles: list[str], random: Random) -> list[Data]:
        """Play at random with these handles until the game is over; return their views."""
        handle = handles[0]
        look = await self.call("look", handle=handle)
        while look["to_move"] != "nobody":
            if look["to_move"] == "opponent":
                (handle,) = (seat for seat in handles if seat != handle)
                look = await self.call("look", handle=handle)
                assert look["to_move"] == "you"
            before, move = look["turn"], random.choice(look["legal"])
            look = await self.call("move", handle=handle, move=move, turn=before)
            assert look["turn"] > before
        return [await self.call("look", handle=handle) for handle in handles]


@asynccontextmanager
async def in_memory(
    mode: str = "auto",
    folder: Path = EXAMPLES,
    engines: Engines | None = None,
    token: Callable[[], str] = new_token,
) -> AsyncIterator[Agent]:
    """Connect an agent to a server in this process."""
    games = GameRegistry(token)
    play = GameService(engines or Engines((load(KUHN),)), games)
    offered = (*duelbook.list_games(), load(KUHN))
    try:
        async with Client(create_server(play, offered, folder), mode=mode) as client:
            yield Agent(client)
    finally:
        games.close()
        if engines is None:
            play.close()


def process(home: Path, *options: str) -> StdioServerParameters:
    """Return the command of a server over standard input and output."""
    return StdioServerParameters(
        command=sys.executable,
        args=[DUELBOOK, "mcp", "--game", KUHN, *options],
        env={"DUELBOOK_HOME": str(home)},
        cwd=home,
    )


class McpHttpServer(Program):
    """`duelbook mcp --http`, on a free port."""

    @property
    def url(self) -> str:
        """The URL that the server prints."""
        (url,) = re.findall(r"http://127\.0\.0\.1:\d+/mcp", self.log_text())
        return str(url)

    def ready(self) -> bool:
        return "/mcp" in self.log_text()

    def command(self) -> list[str]:
        return [DUELBOOK, "mcp", "--http", "0", "--game", KUHN]
