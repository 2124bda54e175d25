"""The MCP server: its tools and resources. They call `GameService`, which is free of MCP."""

from __future__ import annotations

import asyncio
from pathlib import Path
from threading import Event
from typing import Annotated, Any, Literal

from mcp.server.mcpserver import Context, MCPServer
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.resources import TextResource
from mcp_types import CallToolResult, InputRequiredResult, ToolAnnotations
from pydantic import Field, ValidationError

from duelbook import __version__
from duelbook.audit.sandbox.isolation import examine
from duelbook.catalog.loader import authors_line
from duelbook.catalog.registry import find
from duelbook.errors import DuelbookError
from duelbook.mcp_server import file_check
from duelbook.mcp_server.agent_game import SEAT
from duelbook.mcp_server.game_service import (
    CALL_TIMEOUT_SECONDS,
    GameService,
    Progress,
    within_limit,
)
from duelbook.mcp_server.tool_results import (
    CheckedFile,
    CreatedGame,
    GameInfo,
    GameList,
    GameRules,
    GameView,
    JoinedGame,
    PositionValue,
)
from duelbook.play.rules_page import for_players
from duelbook.players import names
from duelbook.position import Position, has_scores
from duelbook.secrecy import keeps_secrets

RULES = "duelbook://rules/"
INSTRUCTIONS = """Play two-player games. First read the rules of a game with `rules`. Then start a
game with `begin`, against a computer player or another agent. On your turn, call `move` with one of
the moves in `legal`. Your seat has a handle: pass it to `look`, `move`, `resign` and `worth`. A
handle shows only what its seat may see."""

GameName = Annotated[str, Field(max_length=100, description="The name of a game: see `games`.")]
Handle = Annotated[str, Field(max_length=100, description="The handle of your seat.")]
Move = Annotated[str, Field(max_length=200, description="One of the moves in `legal`.")]
READS = ToolAnnotations(read_only_hint=True, open_world_hint=False)
WRITES = ToolAnnotations(read_only_hint=False, destructive_hint=False, open_world_hint=False)


class GameServer(MCPServer[Any]):
    """An MCP server that answers every refusal with its reason."""

    async def call_tool(
        self, name: str, arguments: dict[str, Any], context: Context[Any, Any] | None = None
    ) -> CallToolResult | InputRequiredResult:
        """Call a tool; a refusal is a `ToolError` with only the reason."""
        known = {
            tool.name: list(tool.input_schema["properties"]) for tool in await self.list_tools()
        }
        for argument in arguments:
            if argument not in known.get(name, arguments):
                listed = ", ".join(known[name]) or "none"
                raise ToolError(
                    f"There is no argument {argument!r:.40}. The arguments are: {listed}."
                )
        try:
            return await super().call_tool(name, arguments, context)
        except ToolError as error:
            match error.__cause__:
                case DuelbookError() as refusal:
                    raise ToolError(str(refusal)) from refusal
                case ValidationError() as invalid if not isinstance(error, UnexpectedToolError):
                    raise ToolError(" ".join(_sentences(invalid))) from invalid
                case Exception() as fault if line := authors_line(fault):
                    raise ToolError(line) from fault
            raise


def _sentences(invalid: ValidationError) -> list[str]:
    """Return the faults of the arguments, without their values."""
    faults = invalid.errors(include_url=False, include_context=False, include_input=False)
    return [f"The argument {'.'.join(map(str, fault['loc']))}: {fault['msg']}." for fault in faults]


def create_server(
    play: GameService, games: tuple[type[Position], ...], folder: Path
) -> MCPServer[Any]:
    """Return the server of these games; `check` reads files in the folder."""
    server = GameServer(
        "duelbook",
        title="Duelbook",
        version=__version__,
        instructions=INSTRUCTIONS,
        log_level="WARNING",  # lower levels log moves, which may be secret
    )
    _add_game_list(server, games)
    _add_play(server, play)
    _add_check(server, folder)
    return server


def _add_game_list(server: MCPServer[Any], known: tuple[type[Position], ...]) -> None:
    for game in known:
        server.add_resource(
            TextResource(
                uri=f"{RULES}{game.slug}",
                name=game.slug,
                title=f"The rules of {game.title}",
                mime_type="text/markdown",
                text=_rules(game),
            )
        )

    @server.tool(annotations=READS)
    async def games() -> GameList:
        """List the games and the opponents."""
        return GameList(games=list(map(_info, known)), opponents=[SEAT, *names()])

    @server.tool(annotations=READS)
    async def rules(game: GameName) -> GameRules:
        """Return the rules of a game. They are also available as resources."""
        game_class = find(game)
        return GameRules(title=game_class.title, text=_rules(game_class))


def _rules(game: type[Position]) -> str:
    return for_players(game.rules_page())


def _info(game: type[Position]) -> GameInfo:
    return GameInfo(
        name=game.slug,
        title=game.title,
        chance=bool(game.CHANCE_MOVES),
        secrets=keeps_secrets(game),
        scores=has_scores(game),
        player_1_starts=game.player_1_starts,
        rules=f"{RULES}{game.slug}",
    )


def _add_play(server: MCPServer[Any], play: GameService) -> None:
    @server.tool(annotations=WRITES)
    async def begin(  # noqa: PLR0913, PLR0917 # the options of a game
        ctx: Context[Any, Any],
        game: GameName,
        opponent: Annotated[
            str, Field(max_length=40, description="A computer player, or `seat`: see `games`.")
        ] = "medium",
        seat: Annotated[
            Literal[1, 2], Field(description="Your seat: 1 for Player 1, 2 for Player 2.")
        ] = 1,
        first: Annotated[Literal[1, 2], Field(description="The player who moves first.")] = 1,
        help: Annotated[  # noqa: A002 # the word that agents use
            bool | None,
            Field(description="Whether `worth` is allowed. Default: not against a `seat`."),
        ] = None,
    ) -> CreatedGame:
        """Begin a game against a computer player, or another agent, which must `join` it."""
        return await play.begin(
            game, opponent, seat=seat - 1, first=first - 1, help=help, progress=_progress(ctx)
        )

    @server.tool(annotations=WRITES)
    async def join(
        invitation: Annotated[
            str, Field(max_length=100, description="The `invitation` that `begin` returned.")
        ],
    ) -> JoinedGame:
        """Take the other seat of a game. An invitation works once."""
        return play.join(invitation)

    @server.tool(annotations=READS)
    async def look(
        ctx: Context[Any, Any],
        handle: Handle,
        wait: Annotated[
            int,
            Field(
                ge=0,
                le=CALL_TIMEOUT_SECONDS,
                description="The maximum wait for your turn, in seconds.",
            ),
        ] = 0,
    ) -> GameView:
        """Return the game as your seat may see it; on request, wait for your turn."""
        return await play.look(handle, wait, _progress(ctx))

    @server.tool(annotations=WRITES)
    async def move(
        ctx: Context[Any, Any],
        handle: Handle,
        move: Move,
        turn: Annotated[
            int | None,
            Field(description="The `turn` that you saw. At any other turn the move is refused."),
        ] = None,
    ) -> GameView:
        """Make a move. The result includes the computer's reply and the chance outcomes."""
        return await play.move(handle, move, turn, _progress(ctx))

    @server.tool(annotations=WRITES)
    async def resign(handle: Handle) -> GameView:
        """Resign: you lose the game."""
        return play.resign(handle)

    @server.tool(annotations=READS)
    async def worth(ctx: Context[Any, Any], handle: Handle) -> PositionValue:
        """Return the best move and the value of the position, on your turn, if help is allowed.

        In a large game this may take longer than one call allows. The call then fails; a later call
        may succeed.
        """
        return await play.worth(handle, _progress(ctx))


def _add_check(server: MCPServer[Any], folder: Path) -> None:
    one_at_a_time = asyncio.Semaphore()

    @server.tool(annotations=ToolAnnotations(read_only_hint=False, open_world_hint=True))
    async def check(
        ctx: Context[Any, Any],
        file: Annotated[
            str,
            Field(max_length=1000, description="A Python file in the server's folder of games."),
        ],
    ) -> CheckedFile:
        """Check that the game in a file follows the rules for games, and solve it if it is small.

        This runs the file's code in the sandbox of `duelbook audit`: in a separate process and an
        empty folder, with limits of time and memory.
        """
        source, stop = file_check.source_in(folder, file), Event()

        async def work() -> CheckedFile:
            async with one_at_a_time:
                return file_check.checked_file(
                    await asyncio.to_thread(examine, source, file_check.LIMITS, stop)
                )

        try:
            return await within_limit(work(), "Checking", _progress(ctx))
        finally:
            stop.set()


def _progress(ctx: Context[Any, Any]) -> Progress:
    async def progress(seconds: float, task: str) -> None:
        await ctx.report_progress(seconds, CALL_TIMEOUT_SECONDS, task)

    return progress
