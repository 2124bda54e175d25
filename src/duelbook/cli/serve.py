"""The command for browser play: serve."""

from __future__ import annotations

from importlib.util import find_spec

import click

from duelbook.errors import DuelbookError
from duelbook.web.server.limits import Limits
from duelbook.web.server.run import default_database, prepare
from duelbook.web.server.run import serve as run
from duelbook.web.server.settings import Settings


@click.command()
@click.option("--host", default="127.0.0.1", help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8080,
    help="The port to listen on.",
)
@click.option("--database", metavar="URL", help="The database: sqlite:///… or postgresql://…")
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
    "--rate",
    type=int,
    default=Limits.rate,
    help="Most messages a second for each connection, and requests for each address.",
)
@click.option(
    "--connections",
    type=int,
    default=Limits.connections,
    help="Most open connections for each address.",
)
@click.option(
    "--games", type=int, default=Limits.games, help="Most new games an hour for each address."
)
def serve(  # noqa: PLR0913, PLR0917 # one argument per option
    host: str,
    port: int,
    database: str | None,
    redis: str | None,
    workers: int,
    origin: tuple[str, ...],
    proxies: str,
    game: tuple[str, ...],
    keep_days: float,
    rate: int,
    connections: int,
    games: int,
) -> None:
    """Serve the games to browsers and programs."""
    if redis or (database and database.startswith("postgres")):
        _check_extra_hosts()
    limits = Limits(rate=rate, connections=connections, games=games)
    settings = Settings(database or default_database(), redis, origin, game, keep_days, limits)
    prepare(settings, host=host, port=port, workers=workers)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host  # noqa: S104 # only shown
    click.echo(f"Open http://{shown}:{port} in a browser. Ctrl-C stops.", err=True)
    run(settings, host=host, port=port, workers=workers, proxies=proxies)


def _check_extra_hosts() -> None:
    """Refuse to start without the packages for several servers."""
    missing = [module for module in ("asyncpg", "redis") if find_spec(module) is None]
    if missing:
        raise DuelbookError(
            f"This needs {missing[0]}, which is not installed: pip install 'duelbook[hosts]'."
        )
