"""The command for stored tables and solutions: cache."""

from __future__ import annotations

from datetime import datetime

import click

from duelbook.catalog.registry import load
from duelbook.solver import cache as solver_cache
from duelbook.system import files


@click.command()
@click.argument("game", required=False)
@click.option("--clear", is_flag=True, help="Delete the stored files.")
def cache(game: str | None, *, clear: bool) -> None:
    """List the stored tables and solutions of large games.

    With GAME, list only those of GAME. Every command stores and reads the tables and solutions of
    games with 20,000 positions or more. New files replace the least recently used ones.
    """
    slug = load(game).slug if game else None
    stored = solver_cache.clear(slug) if clear else solver_cache.entries(slug)
    for entry in stored:
        used = datetime.fromtimestamp(entry.used).astimezone()
        click.echo(f"{entry.size / 1e6:>10,.1f} MB  {used:%Y-%m-%d %H:%M}  {entry.name}")
    total = sum(entry.size for entry in stored)
    if clear:
        click.echo(f"Deleted {len(stored)} files, {total / 1e6:,.1f} MB.")
        return
    click.echo(
        f"{total / 1e6:>10,.1f} MB in {files.cache_folder()}, "
        f"where {solver_cache.limit() / 1e6:,.0f} MB may be stored ({solver_cache.LIMIT_VARIABLE})."
    )
