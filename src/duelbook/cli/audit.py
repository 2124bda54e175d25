"""The command for folders of games: audit."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from pathlib import Path

import click

from duelbook.audit import audit_run, reports
from duelbook.audit.audit_record import AuditLimits
from duelbook.errors import DuelbookError
from duelbook.system import files
from duelbook.terminal.console.progress import Counter


@click.command()
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@click.option(
    "--time", type=click.FloatRange(1), default=60.0, help="Time limit for each file, in seconds."
)
@click.option(
    "--memory", type=click.IntRange(256), default=2048, help="Memory limit for each file, in MiB."
)
@click.option(
    "--positions",
    type=click.IntRange(1),
    default=100_000,
    help="Maximum number of positions to examine in a game.",
)
@click.option("--jobs", type=click.IntRange(1), help="Number of files to examine at once.")
@click.option(
    "--state", metavar="FILE", help="File for the results; by default one in your cache folder."
)
@click.option("--json", metavar="FILE", help="Write all findings as JSON.")
@click.option("--csv", metavar="FILE", help="Write one line per file as CSV.")
@click.option("--html", metavar="FILE", help="Write an HTML page to sort and filter.")
@click.option("--ray", metavar="ADDRESS", help="Use a Ray cluster: auto, local or its address.")
def audit(  # noqa: PLR0913, PLR0917 # one argument per option
    folders: tuple[str, ...],
    time: float,
    memory: int,
    positions: int,
    jobs: int | None,
    state: str | None,
    ray: str | None,
    **outputs: str | None,
) -> None:
    """Check and solve every game in each FOLDER, within limits."""
    for name in ("SIGTERM", "SIGHUP"):  # stop signals end the child processes, too
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    limits = AuditLimits(time, memory, positions)
    work = (
        audit_run.examine_on_ray(ray)
        if ray
        else audit_run.examine_locally(jobs or os.cpu_count() or 1)
    )
    games = audit_run.files_in(map(files.path, folders))
    with Counter("files") as counter:
        rows = audit_run.audit(
            games, limits, state=_state(state, games), work=work, progress=counter
        )
    click.echo(reports.as_text(rows))
    for name, report in reports.FORMATS.items():
        if file := outputs[name]:
            files.write(files.path(file), report(rows, limits))


def _state(name: str | None, games: list[Path]) -> Callable[[Path], Path]:
    """Return a function that maps a folder to the file of its results."""
    if name is None:
        cache = files.cache_folder() / "audit"
        return lambda folder: audit_run.state_file(folder, cache)
    file = files.path(name)
    if any(file.resolve().is_relative_to(game.parent.resolve()) for game in games):
        raise DuelbookError(
            f"{file} is in a folder that is audited: its author could have written it. "
            "Name a file elsewhere with --state."
        )
    return lambda _: file
