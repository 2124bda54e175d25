"""Commands for analysing games: analyse, solve, verify, strength, report."""

from __future__ import annotations

import json

import click

from duelbook.analysis import claims, game_analysis
from duelbook.analysis import game_report as reports
from duelbook.analysis import strength as strengths
from duelbook.analysis.verdict import full_verdict
from duelbook.catalog.registry import load
from duelbook.cli.options import (
    file_argument,
    first_option,
    game_argument,
    game_source_option,
    json_option,
    output_option,
    print_assumptions,
)
from duelbook.play import saves
from duelbook.play.series import Series, now
from duelbook.players.levels import oracle_for
from duelbook.position import check_first
from duelbook.solver.resources import Resources, processors
from duelbook.solver.solve import solve as solve_game
from duelbook.system import files
from duelbook.terminal.console.progress import Counter


@click.command()
@file_argument
@game_source_option
@json_option
def analyse(file: str | None, *, as_json: bool) -> None:
    """Explain a saved game: FILE, or the newest one."""
    series = saves.read(files.path(file) if file else saves.newest())
    oracle = oracle_for(series.game)
    if as_json:
        data = [game_analysis.as_data(oracle, match) for match in series.matches]
        click.echo(json.dumps({"names": series.names, "games": data}, indent=2))
        return
    for number, match in enumerate(series.matches, start=1):
        title = series.game.title + (f", game {number}" if series.best_of > 1 else "")
        click.echo(f"{title}\n")
        click.echo(game_analysis.as_text(oracle, match, series.names))


@click.command()
@game_argument
@first_option
@click.option(
    "--processes",
    type=click.IntRange(1),
    default=processors,
    show_default="all processors",
    help="Processes for a large game.",
)
@click.option("--ray", metavar="ADDRESS", help="Use a Ray cluster: auto, local or its address.")
@click.option(
    "--disk", metavar="FOLDER", help="Store the arrays in FOLDER, for a game larger than memory."
)
def solve(game: str, first: str, processes: int, ray: str | None, disk: str | None) -> None:
    """Solve GAME exactly: who wins, and how.

    Prints the value of each first move and a line of best play. The next call resumes an
    interrupted solve.
    """
    game_class = load(game)
    check_first(game_class, int(first) - 1)
    resources = Resources(processes, ray or "", files.path(disk).absolute() if disk else None)
    with Counter("positions") as counter:
        solution = solve_game(
            game_class, first=int(first) - 1, progress=counter, resources=resources
        )
    click.echo(f"{game_class.title}: {solution.size}.")
    click.echo(full_verdict(solution, game_class.start(int(first) - 1)))
    print_assumptions(game_class)


@click.command()
@game_argument
@json_option
@click.option("--save", metavar="FOLDER", help="Save the example games, for `duelbook replay`.")
def verify(game: str, save: str | None, *, as_json: bool) -> None:
    """Prove or refute each claim of GAME's rule book.

    Checks all positions of the game.
    """
    game_class = load(game)
    with Counter("positions") as counter:
        proofs = claims.prove(game_class, counter)
    shown = json.dumps(proofs.as_data(), indent=2) if as_json else claims.as_text(proofs)
    click.echo(shown if as_json else f"{game_class.title}\n\n{shown}")
    if not as_json:
        print_assumptions(game_class)
    for finding in proofs.findings:
        if save and finding.witness is not None:
            file = files.path(save) / f"{finding.claim.number}.json"
            saves.write(Series((claims.witness(game_class, finding),), started=now()), file)
            click.echo(f"Saved {file}", err=as_json)


@click.command()
@game_argument
@click.option(
    "--games", type=click.IntRange(2), default=1000, help="Games for each pair of levels."
)
@click.option("--seed", type=int, default=0, help="Random seed.")
def strength(game: str, games: int, seed: int) -> None:
    """Let the computer's levels play each other at GAME.

    Prints how often each level beats each of the others.
    """
    game_class = load(game)
    solution = solve_game(game_class)
    with Counter("games") as counter:
        scores = strengths.round_robin(
            game_class, solution, games=games, seed=seed, progress=counter
        )
    click.echo(f"{game_class.title}\n\n{strengths.as_text(scores)}")


@click.command()
@game_argument
@output_option("GAME.html")
@click.option("--games", type=click.IntRange(2), default=200, help="Games for each pair of levels.")
def report(game: str, output: str | None, games: int) -> None:
    """Write an HTML page about GAME.

    One file with pictures: verdict, findings, strength of the levels.
    """
    game_class = load(game)
    with Counter("positions") as counter:
        proofs = claims.prove(game_class, counter)
    with Counter("games") as counter:
        scores = strengths.round_robin(game_class, proofs.solution, games=games, progress=counter)
    file = files.path(output or f"{game_class.slug}.html")
    files.write(file, reports.page(proofs, scores))
    click.echo(f"Wrote {file}")
