"""The commands for tournaments: arena run, merge, standings, verify, rescore, exploit, report."""

from __future__ import annotations

import click

from duelbook.arena.measures.exploitability import MAX_POSITIONS
from duelbook.arena.measures.exploitability import exploit as find_exploitability
from duelbook.arena.measures.mistakes import costliest
from duelbook.arena.measures.player_measures import Measures
from duelbook.arena.report.html_report import page
from duelbook.arena.report.standings import FORMATS, as_json
from duelbook.arena.run.budget import Budget
from duelbook.arena.run.runner import RunSummary, plan, run_tournament
from duelbook.arena.tournament.estimate import as_text, estimate
from duelbook.arena.tournament.folder import Folder
from duelbook.arena.tournament.merge import merge as merge_folders
from duelbook.arena.tournament.verify import verify as verify_folder
from duelbook.catalog.registry import load
from duelbook.cli.options import game_argument, output_option
from duelbook.errors import DuelbookError
from duelbook.players import Player
from duelbook.players.external.player_by_name import player_by_name
from duelbook.position import player
from duelbook.system import files
from duelbook.terminal.console.progress import Counter


@click.group()
def arena() -> None:
    """Run a tournament between players, and judge every move exactly."""


@arena.command()
@click.argument("tournament")
@click.option(
    "--folder", metavar="FOLDER", help="The folder for results; by default beside the file."
)
@click.option(
    "--dry-run",
    is_flag=True,
    help="Only print the number of games, and an estimate of calls, tokens and cost.",
)
@click.option("--shard", metavar="K/N", help="Play part K of N, for a run on N machines.")
@click.option("--ray", metavar="ADDRESS", help="Use a Ray cluster: auto, local or its address.")
@click.option(
    "--max-calls", type=click.IntRange(0), help="Maximum number of calls of language models."
)
@click.option(
    "--max-cost",
    type=click.FloatRange(0),
    help="Maximum cost of all calls, in the currency of the prices.",
)
def run(  # noqa: PLR0913, PLR0917 # one argument per option
    tournament: str,
    folder: str | None,
    dry_run: bool,
    shard: str | None,
    ray: str | None,
    max_calls: int | None,
    max_cost: float | None,
) -> None:
    """Play TOURNAMENT, a TOML file. The same command resumes an interrupted run."""
    file = files.path(tournament)
    planned = plan(file)
    part = _part(shard)
    if dry_run:
        click.echo(as_text(estimate(planned, planned.tasks(part))))
        return
    default_folder = file if file.is_dir() else file.with_suffix("")
    results = Folder(files.path(folder) if folder else default_folder)
    with Counter("games") as counter:
        budget = Budget(max_calls, max_cost)
        summary = run_tournament(
            planned, results, part=part, budget=budget, ray=ray, progress=counter
        )
    click.echo(_summary_text(summary, results))
    if summary.left:
        raise click.ClickException(summary.why)


folder_argument = click.argument("folder")


@arena.command()
@click.argument("into")
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
def merge(into: str, folders: tuple[str, ...]) -> None:
    """Merge the games of FOLDERs into INTO.

    All folders must belong to the same tournament.
    """
    parts = [Folder(files.path(name)) for name in folders]
    added = merge_folders(Folder(files.path(into)), parts)
    click.echo(f"{added:,} games were added to {into}.")


@arena.command()
@folder_argument
@click.option("--json", "form", flag_value="json", help="Print JSON.")
@click.option("--csv", "form", flag_value="csv", help="Print CSV.")
@click.option("--markdown", "form", flag_value="markdown", help="Print Markdown.")
def standings(folder: str, form: str | None) -> None:
    """Show the standings of FOLDER's tournament."""
    path = files.path(folder)
    plan(path, to_play=False)  # loads the games
    click.echo(FORMATS[form or "text"](Measures(Folder(path).games())))


@arena.command()
@folder_argument
@click.option(
    "--replay",
    is_flag=True,
    help="Also let built-in and registered players choose all moves again, and compare.",
)
def verify(folder: str, *, replay: bool) -> None:
    """Check the logs of FOLDER against the rules.

    Check every move, chance outcome, result and sum of regrets of each game.
    """
    path = files.path(folder)
    result = verify_folder(plan(path, to_play=False), Folder(path), replay=replay)
    for sentence in result.wrong:
        click.echo(sentence)
    again = f", {result.replayed:,} games played again" if replay else ""
    click.echo(
        f"{result.games:,} games, {result.moves:,} moves{again}: {len(result.wrong)} faults."
    )
    if result.wrong:
        raise click.exceptions.Exit(1)


@arena.command()
@folder_argument
def rescore(folder: str) -> None:
    """Recompute the figures of FOLDER.

    Read the logs and write measures.json. This calls no language model.
    """
    path = files.path(folder)
    plan(path, to_play=False)
    files.write(path / "measures.json", as_json(Measures(Folder(path).games())))
    click.echo(f"The figures are in {path / 'measures.json'}.")


@arena.command()
@click.argument("tournament")
@click.argument("label", metavar="PLAYER")
@game_argument
@click.option(
    "--positions",
    type=click.IntRange(1),
    default=MAX_POSITIONS,
    help="Maximum number of positions.",
)
def exploit(tournament: str, label: str, game: str, positions: int) -> None:
    """Compute the exploitability of PLAYER in GAME.

    Ask this player of TOURNAMENT for a move in every position of GAME, and compute how much a best
    response gains against its moves.
    """
    planned = plan(files.path(tournament), to_play=False)
    entry = next((entry for entry in planned.tournament.players if entry.label == label), None)
    if entry is None:
        known = ", ".join(entry.label for entry in planned.tournament.players)
        raise DuelbookError(f"There is no player {label!r:.40} in the tournament, only: {known}.")
    limits, models = planned.tournament.limits, planned.models

    def create_player() -> Player:
        return player_by_name(entry.name, entry.settings, limits=limits, models=models)

    with Counter("positions") as counter:
        result = find_exploitability(
            load(game), create_player, max_positions=positions, progress=counter
        )
    click.echo(f"exploitability: {result.exploitability:.4f}")
    for seat in (0, 1):
        click.echo(f"{player(seat)} against a best response: {result.worst_case[seat]:+.4f}")
    click.echo(f"{result.asked:,} positions asked, {result.failed:,} without a legal answer.")


@arena.command()
@folder_argument
@output_option("report.html in FOLDER")
def report(folder: str, output: str | None) -> None:
    """Write an HTML report about FOLDER.

    The report has the standings, the figures and the costliest mistakes.
    """
    path = files.path(folder)
    planned, results = plan(path, to_play=False), Folder(path)
    measures = Measures(results.games())
    if not measures.games:
        raise DuelbookError(f"No game has been played in {path} yet.")
    labels = [player.label for player in planned.tournament.players if not player.is_anchor]
    mistakes = costliest(results, labels or measures.players)
    shared = planned.models.prompt if planned.models else None
    prompt = shared.text if shared else ""
    file = files.path(output) if output else path / "report.html"
    files.write(file, page(planned, measures, mistakes, prompt, path.name))
    click.echo(f"The report is in {file}.")


def _part(shard: str | None) -> tuple[int, int]:
    """Return a share such as 2/3 as numbers from 0."""
    if shard is None:
        return 0, 1
    number, _, of = shard.partition("/")
    if not (number.isdecimal() and of.isdecimal() and 1 <= int(number) <= int(of) <= 10_000):
        raise DuelbookError("A shard is written K/N, such as 1/4 for the first of four.")
    return int(number) - 1, int(of)


def _summary_text(summary: RunSummary, folder: Folder) -> str:
    return (
        f"{summary.played:,} games played, {summary.before:,} already finished, "
        f"{summary.left:,} remaining."
        f"\nThe results are in {folder.path}."
    )
