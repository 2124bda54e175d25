"""The command `duelbook`: parses, calls, prints."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import click

from duelbook import __version__
from duelbook.errors import DuelbookError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from duelbook.play.series import Series
    from duelbook.position import Position

plain_option = click.option(
    "--plain",
    is_flag=True,
    help="Bare text: no colour, no pictures.",
    callback=lambda ctx, _, value: value or bool(ctx.obj),  # also when said before the command
)
file_argument = click.argument("file", required=False)


def _load_game(_: click.Context, __: click.Parameter, name: str | None) -> None:
    """Load the game that a saved one needs; from then on it is found by its slug."""
    if name:
        from duelbook.catalog.registry import load

        load(name)


game_option = click.option(
    "--game",
    metavar="GAME",
    expose_value=False,
    callback=_load_game,
    help="The game that it is, if it is one of your own.",
)


class _Duelbook(click.Group):
    """Shows what Duelbook refuses as one sentence."""

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except DuelbookError as refusal:
            raise click.UsageError(str(refusal)) from refusal
        except BrokenPipeError:
            raise  # click ends quietly
        except OSError as error:
            raise click.ClickException(f"The screen cannot be written to: {error}.") from error
        except KeyboardInterrupt:
            ctx.exit(130)
        except Exception as error:
            from duelbook.catalog.loader import authors_line

            line = authors_line(error)
            if line is None:
                raise
            raise click.ClickException(f"{line} See what `duelbook check` says.") from error


@click.group(cls=_Duelbook, invoke_without_command=True)
@click.version_option(__version__, prog_name="duelbook")
@plain_option
@click.pass_context
def main(ctx: click.Context, *, plain: bool) -> None:
    """Play two-player games from their rule books. Without a command, opens a menu."""
    ctx.obj = plain
    if sys.stdin is None or sys.stdout is None:  # closed by whoever called us
        raise click.UsageError("Duelbook needs an input and an output.")
    if ctx.invoked_subcommand is None:
        ctx.invoke(play, plain=plain)


@main.command()
@click.argument("game", required=False)
@click.option("--first", type=click.Choice(["1", "2", "random"]), help="Who makes the first move.")
@click.option("--names", nargs=2, metavar="ANN BO", help="What the two players are called.")
@click.option("--best-of", type=int, default=1, metavar="N", help="Play a match of N games.")
@click.option("--vs", metavar="LEVEL", help="Play the computer: easy, medium, hard, perfect, …")
@click.option("--as", "seat", type=click.Choice(["1", "2"]), help="Which player you are then.")
@click.option("--seed", type=int, help="Makes what is random the same every time.")
@plain_option
def play(  # noqa: PLR0913, PLR0917 # one argument an option
    game: str | None,
    first: str | None,
    names: tuple[str, str] | None,
    best_of: int,
    vs: str | None,
    seat: str | None,
    seed: int | None,
    *,
    plain: bool,
) -> None:
    """Play GAME: its name, or any part of the name that only one game has."""
    from duelbook.catalog.registry import load
    from duelbook.play.series import PLAYERS, Series
    from duelbook.position import check_first

    if seat and not vs:
        raise DuelbookError("Say whom you play: --as goes with --vs LEVEL.")

    def begin(chosen: type[Position], level: str | None) -> Series:
        check_first(chosen, 0 if first in (None, "1") else 1)  # before any toss
        return Series.begin(
            chosen,
            first=_first_seat(first, seed),
            names=names or PLAYERS,
            best_of=best_of,
            players=_players(level, seat),
            seed=_some_number() if seed is None else seed,
        )

    if game is None:
        _menu(lambda chosen, level: begin(chosen, level or vs), plain=plain)
    else:
        _sit_down(begin(load(game), vs), plain=plain)


def _players(level: str | None, seat: str | None) -> tuple[str, str]:
    """Return who sits where: people, or a person in a seat and the computer in the other."""
    from duelbook.play.series import PERSON

    if level is None:
        return PERSON, PERSON
    from duelbook.players import make

    make(level)  # refused now or never
    return (level, PERSON) if seat == "2" else (PERSON, level)


def _some_number() -> int:
    from time import time_ns

    return time_ns() % 1_000_000_000


def _first_seat(first: str | None, seed: int | None) -> int:
    if first != "random":
        return int(first or "1") - 1
    from random import Random

    return Random(seed).randrange(2)


@main.command()
@file_argument
@game_option
@plain_option
def resume(file: str | None, *, plain: bool) -> None:
    """Go on with a saved game: FILE, or the newest one that is not over."""
    _resume(file, plain=plain)


def _resume(name: str | None, *, plain: bool) -> None:
    from duelbook.play import saves
    from duelbook.terminal.usage import how_to

    file = saves.path(name) if name else saves.newest(unfinished=True)
    series = saves.read(file)
    if series.winner() is not None:
        again = how_to("replay", file, game=series.game)
        raise DuelbookError(f"That game is over. See it again with: {again}")
    _sit_down(series, plain=plain, file=file)


@main.command()
@file_argument
@game_option
@click.option("--step", is_flag=True, help="Wait for Enter before each move.")
@plain_option
def replay(file: str | None, *, step: bool, plain: bool) -> None:
    """Show a saved game again, move by move: FILE, or the newest one."""
    from duelbook.play import saves
    from duelbook.terminal.keyboard import Keyboard
    from duelbook.terminal.replay import replay as show
    from duelbook.terminal.screen import Screen, wants_colour

    series = saves.read(saves.path(file) if file else saves.newest())
    screen = Screen(colour=wants_colour(plain=plain), names=series.names)
    keyboard = Keyboard(screen)

    def wait_for_enter() -> None:
        screen.ask("\nPress Enter for the next move. ")
        keyboard.line()

    try:
        show(series, screen, wait_for_enter if step else lambda: None)
    except EOFError:
        return


@main.command()
@plain_option
def games(*, plain: bool) -> None:
    """List the games."""
    from duelbook.terminal.menu import list_games
    from duelbook.terminal.screen import Screen, wants_colour

    list_games(Screen(colour=wants_colour(plain=plain)), numbered=False)


@main.command()
@click.argument("game")
def rules(game: str) -> None:
    """Show the rules of GAME."""
    from duelbook.catalog.registry import load

    chosen = load(game)
    click.echo(chosen.rules_page().rstrip())
    _tell_assumptions(chosen)


@main.command()
@file_argument
@game_option
@click.option("--json", "as_json", is_flag=True, help="The same as data.")
def analyse(file: str | None, *, as_json: bool) -> None:
    """Explain a saved game: FILE, or the newest one."""
    import json

    from duelbook.play import saves
    from duelbook.players.levels import oracle_for
    from duelbook.study import analysis

    series = saves.read(saves.path(file) if file else saves.newest())
    oracle = oracle_for(series.game)
    if as_json:
        data = [analysis.as_data(oracle, match) for match in series.matches]
        click.echo(json.dumps({"names": series.names, "games": data}, indent=2))
        return
    for number, match in enumerate(series.matches, start=1):
        title = series.game.title + (f", game {number}" if series.best_of > 1 else "")
        click.echo(f"{title}\n")
        click.echo(analysis.in_words(oracle, match, series.names))


@main.command()
@click.argument("name")
def new(name: str) -> None:
    """Write a small game called NAME, and a test for it, to begin with."""
    from pathlib import Path

    from duelbook.templates.new_game import write
    from duelbook.terminal.usage import how_to

    game, test = write(name, Path())
    click.echo(f"Wrote {game} and {test}.")
    click.echo(f"Play it with: {how_to('play', f'./{game}')}")


@main.command()
@click.argument("game")
@click.option("--positions", type=click.IntRange(1), help="How many to look at at most.")
@click.option("--seed", type=int, default=0, help="Other random games than the usual ones.")
@click.option("--json", "as_json", is_flag=True, help="The same as data.")
def check(game: str, positions: int | None, seed: int, *, as_json: bool) -> None:
    """Check that GAME is what a game must be; show the moves that lead to what is not."""
    import json

    from duelbook import conformance
    from duelbook.catalog.registry import load
    from duelbook.terminal.progress import Counter

    chosen = load(game)
    most = positions or conformance.MOST
    with Counter("positions") as counter:
        report = conformance.check(chosen, most=most, seed=seed, progress=counter)
    click.echo(
        json.dumps(conformance.as_data(report), indent=2)
        if as_json
        else conformance.in_words(report)
    )
    if report.breaches:
        sys.exit(1)


@main.command()
@click.argument("game")
def describe(game: str) -> None:
    """Describe GAME as programs see it: what is observed, and the number of each action."""
    from duelbook.catalog.registry import load
    from duelbook.research.observations import observer

    chosen = load(game)
    entries = observer(chosen).entries
    width = max(len(entry.name) for entry in entries)
    click.echo(f"{chosen.title}\n\nObservation: {len(entries)} numbers of type float32")
    for at, entry in enumerate(entries):
        click.echo(f"{at:>4}  {entry.name:<{width}}  {entry.meaning}")
    click.echo(f"\nActions: {len(chosen.ACTIONS)}")
    for at, action in enumerate(chosen.ACTIONS):
        click.echo(f"{at:>4}  {action}")


@main.command()
@click.argument("game")
@click.option("--first", type=click.Choice(["1", "2"]), default="1", help="Who moves first.")
def solve(game: str, first: str) -> None:
    """Solve GAME: who wins, what each first move is worth, and a line of best play."""
    from duelbook.catalog.registry import load
    from duelbook.exact.solver import solve as solve_game
    from duelbook.position import check_first
    from duelbook.study.verdict import in_full
    from duelbook.terminal.progress import Counter

    chosen = load(game)
    check_first(chosen, int(first) - 1)
    with Counter("positions") as counter:
        solution = solve_game(chosen, first=int(first) - 1, progress=counter)
    click.echo(f"{chosen.title}: {len(solution.positions):,} positions.")
    click.echo(in_full(solution, chosen.start(int(first) - 1)))
    _tell_assumptions(chosen)


@main.command()
@click.argument("game")
@click.option("--json", "as_json", is_flag=True, help="The same as data.")
@click.option("--save", metavar="FOLDER", help="Save the games that show something, for replay.")
def verify(game: str, save: str | None, *, as_json: bool) -> None:
    """Prove or refute what GAME's rule book claims, over all its positions."""
    import json

    from duelbook.catalog.registry import load
    from duelbook.play import saves
    from duelbook.play.series import Series, now
    from duelbook.study import proof
    from duelbook.terminal.progress import Counter

    chosen = load(game)
    with Counter("positions") as counter:
        found = proof.prove(chosen, counter)
    shown = json.dumps(found.as_data(), indent=2) if as_json else proof.in_words(found)
    click.echo(shown if as_json else f"{chosen.title}\n\n{shown}")
    if not as_json:
        _tell_assumptions(chosen)
    for finding in found.findings:
        if save and finding.witness is not None:
            file = saves.path(save) / f"{finding.claim.number}.json"
            saves.write(Series((proof.witness(chosen, finding),), started=now()), file)
            click.echo(f"Saved {file}", err=as_json)


@main.command()
@click.argument("game")
@click.option("--games", type=click.IntRange(2), default=1000, help="Games between two levels.")
@click.option("--seed", type=int, default=0, help="Makes what is random the same every time.")
def strength(game: str, games: int, seed: int) -> None:
    """Let the levels play each other at GAME, and show who wins how often."""
    from duelbook.catalog.registry import load
    from duelbook.exact.solver import solve as solve_game
    from duelbook.study.strength import in_words, round_robin
    from duelbook.terminal.progress import Counter

    chosen = load(game)
    with Counter("games") as counter:
        scores = round_robin(chosen, solve_game(chosen), games=games, seed=seed, progress=counter)
    click.echo(f"{chosen.title}\n\n{in_words(scores)}")


@main.command()
@click.argument("game")
@click.option(
    "--games", type=click.IntRange(1), default=100_000, show_default=True, help="How many games."
)
@click.option(
    "--players",
    nargs=2,
    default=("random", "random"),
    show_default=True,
    metavar="A B",
    help="Who plays: random, easy, medium, hard, perfect, or perfect:0.1 for one slip in ten.",
)
@click.option("--first", type=click.Choice(["1", "2"]), default="1", help="Who moves first.")
@click.option(
    "--limit", type=click.IntRange(1), default=1000, show_default=True, help="Plies before a cut."
)
@click.option("--seed", type=click.IntRange(0), default=0, help="Other games than the usual ones.")
@click.option("--threads", type=click.IntRange(1), help="How many at once; all by default.")
def simulate(  # noqa: PLR0913, PLR0917 # one argument an option
    game: str,
    games: int,
    players: tuple[str, str],
    first: str,
    limit: int,
    seed: int,
    threads: int | None,
) -> None:
    """Play many games of GAME at once: who wins, and how long the games are."""
    from duelbook.catalog.registry import load
    from duelbook.exact.enumeration import enumerate_game
    from duelbook.position import check_first
    from duelbook.research.simulation import simulate as play_many
    from duelbook.study.simulation_summary import in_words
    from duelbook.terminal.progress import Counter

    chosen = load(game)
    check_first(chosen, int(first) - 1)
    with Counter("positions") as counter:
        table = enumerate_game(chosen, first=int(first) - 1, progress=counter)
    with Counter("games") as bar:
        found = play_many(
            table,
            games=games,
            players=players,
            seed=seed,
            limit=limit,
            threads=threads,
            progress=bar,
        )
    click.echo(in_words(found, players))


@main.command()
@click.argument("game")
@click.option("-o", "--output", metavar="FILE", help="Where to; by default GAME.html here.")
@click.option("--games", type=click.IntRange(2), default=200, help="Games between two levels.")
def report(game: str, output: str | None, games: int) -> None:
    """Write a page about GAME, with pictures, that stands alone."""
    from duelbook.catalog.registry import load
    from duelbook.play import saves
    from duelbook.study.proof import prove
    from duelbook.study.report import page
    from duelbook.study.strength import round_robin
    from duelbook.terminal.progress import Counter

    chosen = load(game)
    with Counter("positions") as counter:
        proof = prove(chosen, counter)
    with Counter("games") as counter:
        scores = round_robin(chosen, proof.solution, games=games, progress=counter)
    file = saves.path(output or f"{chosen.slug}.html")
    saves.replace(file, page(proof, scores))
    click.echo(f"Wrote {file}")


@main.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    default=8080,
    show_default=True,
    help="The port to listen on.",
)
@click.option(
    "--database", metavar="URL", help="Where games are kept: sqlite:///… or postgresql://…"
)
@click.option("--redis", metavar="URL", help="How several servers hear of each other: redis://…")
@click.option("--workers", type=click.IntRange(1), default=1, help="How many processes serve.")
@click.option("--origin", multiple=True, metavar="URL", help="A site whose pages may connect.")
@click.option("--proxies", default="127.0.0.1", help="Whose word on a client's address is taken.")
@click.option("--game", multiple=True, metavar="GAME", help="A game of your own to offer as well.")
@click.option(
    "--keep-days",
    type=click.FloatRange(0, 36_500),
    default=30.0,
    help="When an untouched game is forgotten.",
)
@click.option("--rate", type=int, default=20, help="Messages a second, of a connection.")
@click.option("--connections", type=int, default=40, help="Open connections, of an address.")
@click.option("--games", type=int, default=120, help="New games an hour, of an address.")
def serve(  # noqa: PLR0913, PLR0917 # one argument an option
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
    """Serve the games to browsers, and to programs."""
    _check_extra("web", "starlette", "uvicorn", "sqlalchemy", "msgspec")
    if redis or (database and database.startswith("postgres")):
        _check_extra("hosts", "asyncpg", "redis")
    from duelbook.web.server.limits import Limits
    from duelbook.web.server.run import default_database, prepare
    from duelbook.web.server.run import serve as run
    from duelbook.web.server.settings import Settings

    limits = Limits(rate=rate, connections=connections, games=games)
    settings = Settings(database or default_database(), redis, origin, game, keep_days, limits)
    prepare(settings, host=host, port=port, workers=workers)
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::") else host  # noqa: S104 # only shown
    click.echo(f"Open http://{shown}:{port} in a browser. Ctrl-C stops.", err=True)
    run(settings, host=host, port=port, workers=workers, proxies=proxies)


@main.command()
@click.argument("url")
@click.option("--player", required=True, metavar="PLAYER", help="Who plays: perfect, mcts:1000, …")
@click.option("--name", default="", help="What the player is called; by default as it is.")
@click.option("--seed", type=int, help="Makes what is random the same every time.")
@click.option("--rematches", is_flag=True, help="Stay, and play again when the other side wants.")
@game_option
def join(url: str, player: str, name: str, seed: int | None, *, rematches: bool) -> None:
    """Let a computer player take the open seat of the game at URL, and play it to its end."""
    _check_extra("web", "msgspec", "websockets")
    from duelbook.terminal.screen import Screen
    from duelbook.web.client.join import join as sit_and_play

    say = Screen().note
    sit_and_play(url, player, say, name=name, seed=seed, rematches=rematches)


def _check_extra(extra: str, *modules: str) -> None:
    """Refuse to go on without what an extra brings."""
    from importlib.util import find_spec

    missing = [module for module in modules if find_spec(module) is None]
    if missing:
        raise DuelbookError(
            f"This needs {missing[0]}, which is not installed: pip install 'duelbook[{extra}]'."
        )


@main.command()
@click.argument("folders", nargs=-1, required=True, metavar="FOLDER...")
@click.option("--time", type=click.FloatRange(1), default=60.0, help="Seconds for each file.")
@click.option("--memory", type=click.IntRange(256), default=2048, help="MiB for each file.")
@click.option("--positions", type=click.IntRange(1), default=100_000, help="Positions of a game.")
@click.option("--jobs", type=click.IntRange(1), help="How many files at once.")
@click.option("--state", metavar="FILE", help="Where results are kept; else in each folder.")
@click.option("--json", "as_json", metavar="FILE", help="Write all that was found as JSON.")
@click.option("--csv", "as_csv", metavar="FILE", help="Write a line for each file.")
@click.option("--html", "as_html", metavar="FILE", help="Write a page that sorts and filters.")
@click.option("--ray", metavar="ADDRESS", help="Work on a Ray cluster instead of here.")
def audit(  # noqa: PLR0913, PLR0917 # one argument an option
    folders: tuple[str, ...],
    time: float,
    memory: int,
    positions: int,
    jobs: int | None,
    state: str | None,
    as_json: str | None,
    as_csv: str | None,
    as_html: str | None,
    ray: str | None,
) -> None:
    """Examine every game in each FOLDER within limits, whatever its code does."""
    import os
    import signal

    from duelbook.audit import reports, run
    from duelbook.audit.records import Limits
    from duelbook.play import saves
    from duelbook.terminal.progress import Counter

    for name in ("SIGTERM", "SIGHUP"):  # whoever stops us, what runs is ended with us
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), signal.default_int_handler)
    limits = Limits(time, memory, positions)
    work = run.on_ray(ray) if ray else run.here(jobs or os.cpu_count() or 1)
    files = run.files_in(map(saves.path, folders))
    kept = saves.path(state) if state else None
    with Counter("files") as counter:
        rows = run.audit(files, limits, state=kept, work=work, progress=counter)
    click.echo(reports.as_text(rows))
    if as_json:
        saves.replace(saves.path(as_json), reports.as_json(rows, limits))
    if as_csv:
        saves.replace(saves.path(as_csv), reports.as_csv(rows))
    if as_html:
        saves.replace(saves.path(as_html), reports.as_html(rows, limits))


def _tell_assumptions(game: type[Position]) -> None:
    """Say what the rest of the output takes for granted."""
    if game.assumptions:
        click.echo("\nWhat is assumed:")
    for sentence in game.assumptions:
        click.echo(f"  - {sentence}")


def _menu(begin: Callable[[type[Position], str | None], Series], *, plain: bool) -> None:
    from duelbook.terminal.keyboard import Keyboard
    from duelbook.terminal.menu import choose
    from duelbook.terminal.screen import Screen, wants_colour

    screen = Screen(colour=wants_colour(plain=plain))
    choose(
        screen,
        Keyboard(screen),
        play=lambda game, level: _sit_down(begin(game, level), plain=plain),
        resume=lambda: _resume(None, plain=plain),
    )


def _sit_down(series: Series, *, plain: bool, file: Path | None = None) -> None:
    """Play a series at this terminal; leaving it ends the program."""
    from duelbook.terminal.keyboard import Keyboard
    from duelbook.terminal.screen import Screen, wants_colour
    from duelbook.terminal.session import Table
    from duelbook.terminal.signals import Leave

    screen = Screen(colour=wants_colour(plain=plain), names=series.names)
    try:
        Table(series, screen, Keyboard(screen), file).play()
    except Leave:
        sys.exit(0)
