"""The command for what is kept on disk: cache."""

from __future__ import annotations

from datetime import datetime

import click

from duelbook import files
from duelbook.catalog.registry import load
from duelbook.solver import cache as kept


@click.command()
@click.argument("game", required=False)
@click.option("--clear", is_flag=True, help="Delete it instead.")
def cache(game: str | None, *, clear: bool) -> None:
    """List what is kept of large games, or of GAME.

    Tables and solutions of games with 20,000 positions or more are kept, and read again by every
    command. The files that were not used for the longest time make room for new ones.
    """
    slug = load(game).slug if game else None
    found = kept.clear(slug) if clear else kept.entries(slug)
    for entry in found:
        used = datetime.fromtimestamp(entry.used).astimezone()
        click.echo(f"{entry.size / 1e6:>10,.1f} MB  {used:%Y-%m-%d %H:%M}  {entry.name}")
    total = sum(entry.size for entry in found)
    if clear:
        click.echo(f"Deleted {len(found)} files, {total / 1e6:,.1f} MB.")
        return
    click.echo(
        f"{total / 1e6:>10,.1f} MB in {files.cache_folder()}, "
        f"where {kept.limit() / 1e6:,.0f} MB may be kept ({kept.LIMIT})."
    )
