"""The command for browser play: serve."""

from __future__ import annotations

import sys
from importlib.util import find_spec

import click

from duelbook.errors import DuelbookError
from duelbook.web.server.limits import ServerLimits
from duelbook.web.server.run_server import default_database, prepare
from duelbook.web.server.run_server import serve as run
from duelbook.web.server.settings import MAX_GAMES, MAX_MEGABYTES, TIMEOUT, Settings


@click.command()
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8080,
    help="The port to listen on.",
)
@click.option("--database", metavar="URL", help="The database: sqlite:///… or postgresql://…")
@click.option(
    "--database-timeout",
    type=click.FloatRange(0.1, 3600),
    default=TIMEOUT,
    metavar="SECONDS",
    help="Seconds that the database has for an answer.",
)
@click.option(
    "--backup", metavar="FILE", help="Copy the database of SQLite to this file every so often."
)
@click.option(
    "--backup-minutes",
    type=click.FloatRange(0.001, 100_000),
    default=10.0,
    help="Minutes from one copy to the next.",
)
@click.option("--redis", metavar="URL", help="Redis, which connects several servers: redis://…")
@click.option("--workers", type=click.IntRange(1), default=1, help="Number of processes.")
@click.option(
    "--origin", multiple=True, metavar="URL", help="A site whose pages may connect; repeatable."
)
@click.option("--proxies", default="127.0.0.1", help="Trusted proxies, for X-Forwarded-For.")
@click.option(
    "--game", multiple=True, metavar="GAME", help="A game of your own to offer; repeatable."
)
@click.option(
    "--keep-days",
    type=click.FloatRange(0, 36_500),
    default=30.0,
    help="Days after which an inactive game is deleted.",
)
@click.option(
    "--stuck-after",
    type=click.FloatRange(1, 86_400),
    default=60.0,
    help="Seconds after which a process that hangs ends itself, to be restarted.",
)
@click.option(
    "--rate",
    type=int,
    default=ServerLimits.rate,
    help="Most frames a second for each WebSocket, and requests for each address.",
)
@click.option(
    "--connections",
    type=int,
    default=ServerLimits.connections,
    help="Most open WebSockets for each address, which may have twice as many connections.",
)
@click.option(
    "--total",
    type=int,
    default=ServerLimits.total,
    help="Most open connections of all addresses together.",
)
@click.option(
    "--timeout",
    type=click.FloatRange(0.1),
    default=ServerLimits.timeout,
    help="Seconds for a request to arrive, and for its answer to be read.",
)
@click.option(
    "--ping",
    type=click.FloatRange(0.1),
    default=ServerLimits.ping,
    help="Seconds between the pings of a WebSocket, which must answer each by the next.",
)
@click.option(
    "--games", type=int, default=ServerLimits.games, help="Most new games an hour for each address."
)
@click.option(
    "--max-games",
    type=click.IntRange(0),
    default=MAX_GAMES,
    help="Maximum number of games in the database.",
)
@click.option(
    "--max-megabytes",
    type=click.IntRange(0),
    default=MAX_MEGABYTES,
    help="Maximum size of the database in MiB; beyond it, only new games are refused.",
)
@click.option(
    "--first-move",
    type=click.FloatRange(0, 86_400),
    default=60.0,
    help="Seconds for a first move, with a clock; then the other player may abort.",
)
@click.option(
    "--away",
    type=click.FloatRange(0, 86_400),
    default=60.0,
    help="Seconds after which a game can be claimed from a player who left at their turn.",
)
def serve(  # noqa: PLR0913, PLR0917 # one argument per option
    host: str,
    port: int,
    database: str | None,
    database_timeout: float,
    backup: str | None,
    backup_minutes: float,
    redis: str | None,
    workers: int,
    origin: tuple[str, ...],
    proxies: str,
    game: tuple[str, ...],
    keep_days: float,
    stuck_after: float,
    rate: int,
    connections: int,
    total: int,
    timeout: float,
    ping: float,
    games: int,
    max_games: int,
    max_megabytes: int,
    first_move: float,
    away: float,
) -> None:
    """Serve the games to browsers and programs."""
    if redis or (database and database.startswith("postgres")):
        _check_extra_hosts()
    limits = ServerLimits(rate, connections, total, games, timeout=timeout, ping=ping)
    settings = Settings(
        *(database or default_database(), redis, origin, game, keep_days),
        limits=limits,
        most_games=max_games,
        most_megabytes=max_megabytes,
        proxies=proxies,
        first_move=first_move,
        away=away,
        stuck_after=stuck_after,
        database_timeout=database_timeout,
        backup=backup,
        backup_seconds=60 * backup_minutes,
    )
    prepare(settings, host=host, port=port, workers=workers)
    if sys.stderr.isatty():  # otherwise it is a log, of which every line is JSON
        shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host  # noqa: S104 # only shown
        click.echo(f"Open http://{shown}:{port} in a browser. Ctrl-C stops.", err=True)
    run(settings, host=host, port=port, workers=workers)


def _check_extra_hosts() -> None:
    """Refuse to start without the packages for several servers."""
    missing = [module for module in ("asyncpg", "redis") if find_spec(module) is None]
    if missing:
        raise DuelbookError(
            f"This needs {missing[0]}, which is not installed: pip install 'duelbook[hosts]'."
        )
