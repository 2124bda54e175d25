"""Commands for research: simulate, describe."""

from __future__ import annotations

import click

from duelbook.analysis.simulation_summary import as_text
from duelbook.catalog.registry import load
from duelbook.cli.options import first_option, game_argument
from duelbook.encoding.observations import observer
from duelbook.errors import DuelbookError
from duelbook.play.names import LEVELS
from duelbook.players import knows
from duelbook.players.external.player_by_name import player_by_name
from duelbook.position import PLY_LIMIT, check_first
from duelbook.research.policies import Policy, chooser_of
from duelbook.research.saved_policies import SavedPolicy
from duelbook.research.simulation import simulate as play_many
from duelbook.solver.stored_tables import stored_table
from duelbook.solver.tables.position_table import Table
from duelbook.terminal.console.progress import Counter


@click.command()
@game_argument
@click.option("--games", type=click.IntRange(1), default=100_000, help="Number of games.")
@click.option(
    "--players",
    nargs=2,
    default=("random", "random"),
    metavar="A B",
    help=f"The players: random, {', '.join(LEVELS)}, perfect:0.1 (a random move with probability"
    " 0.1), a saved policy (policy.npz) or a class (bots.py:Bot).",
)
@first_option
@click.option(
    "--limit",
    type=click.IntRange(1),
    default=PLY_LIMIT,
    help="Stop a game after this many plies.",
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Random seed.")
@click.option("--threads", type=click.IntRange(1), help="Number of threads; all cores by default.")
def simulate(  # noqa: PLR0913, PLR0917 # one argument per option
    game: str,
    games: int,
    players: tuple[str, str],
    first: str,
    limit: int,
    seed: int,
    threads: int | None,
) -> None:
    """Play many games of GAME: who wins, and how long they last."""
    game_class = load(game)
    check_first(game_class, int(first) - 1)
    with Counter("positions") as counter:
        table = stored_table(game_class, first=int(first) - 1, progress=counter)
    policies = _policy(players[0], table), _policy(players[1], table)
    with Counter("games") as bar:
        simulation = play_many(
            table,
            games=games,
            players=policies,
            seed=seed,
            limit=limit,
            threads=threads,
            progress=bar,
        )
    click.echo(as_text(simulation, players))


def _policy(name: str, table: Table) -> Policy:
    """Return a player as a policy: a name, an array, or a class that chooses for each view."""
    if knows(name):
        return name
    if name.startswith(("cmd:", "llm:")):
        raise DuelbookError(
            f"{name:.80} cannot be simulated: it would have to choose in every position. "
            "Let it play in a tournament: duelbook arena run TOURNAMENT.toml."
        )
    player = player_by_name(name)
    if not isinstance(player, SavedPolicy):
        return chooser_of(player)
    player.prepare(table.game)
    if table.positions[0] != table.game.start():
        raise DuelbookError("A saved policy is for games that Player 1 starts.")
    return player.shares


@click.command()
@game_argument
def describe(game: str) -> None:
    """Show how GAME is encoded for programs: observations and actions."""
    game_class = load(game)
    entries = observer(game_class).entries
    width = max(len(entry.name) for entry in entries)
    click.echo(f"{game_class.title}\n\nObservation: {len(entries)} numbers of type float32")
    for at, entry in enumerate(entries):
        click.echo(f"{at:>4}  {entry.name:<{width}}  {entry.meaning}")
    for title, moves in (("Chance", game_class.CHANCE_MOVES), ("Actions", game_class.ACTIONS)):
        if moves:
            click.echo(f"\n{title}: {len(moves)}")
        for at, move in enumerate(moves):
            click.echo(f"{at:>4}  {move}")
