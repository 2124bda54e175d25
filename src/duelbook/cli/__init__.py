"""The command `duelbook`. It imports the module of a subcommand only when a call needs it."""

from __future__ import annotations

import os
import sys
from importlib import import_module
from typing import NamedTuple

import click

from duelbook import __version__
from duelbook.cli.options import plain_option
from duelbook.errors import DuelbookError
from duelbook.terminal.console.wrapping import wrapped


class CommandEntry(NamedTuple):
    """The module of a command, its line in `duelbook --help`, and the extra that it needs."""

    module: str
    about: str
    extra: str = ""


GROUPS = {
    "Play": {
        "play": CommandEntry("play", "Play GAME."),
        "resume": CommandEntry(
            "play", "Continue a saved game: FILE, or the newest unfinished one."
        ),
        "replay": CommandEntry("play", "Show a saved game move by move: FILE, or the newest one."),
        "games": CommandEntry("play", "List the games."),
        "rules": CommandEntry("play", "Show the rules of GAME."),
        "host": CommandEntry(
            "join", "Create GAME on a server and invite an opponent by link.", "web"
        ),
        "join": CommandEntry(
            "join", "Join the game at URL, yourself or with a computer player.", "web"
        ),
    },
    "Study a game": {
        "analyse": CommandEntry("analysis", "Explain a saved game: FILE, or the newest one."),
        "solve": CommandEntry("analysis", "Solve GAME exactly: who wins, and how."),
        "verify": CommandEntry("analysis", "Prove or refute each claim of GAME's rule book."),
        "report": CommandEntry("analysis", "Write an HTML page about GAME."),
        "describe": CommandEntry(
            "research", "Show how GAME is encoded for programs: observations and actions."
        ),
        "cache": CommandEntry("cache", "List the stored tables and solutions of large games."),
    },
    "Make a game": {
        "new": CommandEntry("authoring", "Create a small game called NAME, and its test."),
        "check": CommandEntry(
            "authoring", "Check that GAME meets the requirements for a game class."
        ),
        "audit": CommandEntry("audit", "Check and solve every game in each FOLDER, within limits."),
    },
    "Benchmark": {
        "arena": CommandEntry(
            "arena", "Run a tournament between players, and judge every move exactly."
        ),
        "simulate": CommandEntry(
            "research", "Play many games of GAME: who wins, and how long they last."
        ),
        "strength": CommandEntry("analysis", "Let the computer's levels play each other at GAME."),
    },
    "Serve": {
        "serve": CommandEntry("serve", "Serve the games to browsers and programs.", "web"),
        "mcp": CommandEntry(
            "mcp", "Serve the games to agents over the Model Context Protocol.", "mcp"
        ),
    },
}
"""The commands by the heading under which `duelbook --help` lists them."""
COMMANDS = {name: entry for group in GROUPS.values() for name, entry in group.items()}


class Duelbook(click.Group):
    """A group that loads a command when it is called, and prints a refusal as one sentence."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 # as click calls it
        """Return the names of the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 # as above
        """Import the module of a command, and return the command."""
        entry = COMMANDS.get(cmd_name)
        if entry is None:
            return None
        try:
            module = import_module(f"duelbook.cli.{entry.module}")
        except ModuleNotFoundError as error:
            if not entry.extra or str(error.name).startswith("duelbook"):
                raise
            raise click.UsageError(_missing_package(error.name, entry.extra)) from error
        command = getattr(module, cmd_name)
        assert isinstance(command, click.Command)  # noqa: S101 # as COMMANDS says
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 # as above
        """List the commands by group, without loading any."""
        width = max(map(len, COMMANDS))
        for heading, group in GROUPS.items():
            with formatter.section(heading):
                formatter.write_dl([(f"{name:<{width}}", group[name].about) for name in group])

    def invoke(self, ctx: click.Context) -> object:
        """Run a command; print a refusal as one sentence, and a fault in a game with its line."""
        try:
            return super().invoke(ctx)
        except DuelbookError as refusal:
            raise click.UsageError(_wrapped_error(str(refusal))) from refusal
        except BrokenPipeError:
            raise  # click ends quietly
        except OSError as error:
            raise click.ClickException(f"The output cannot be written: {error}.") from error
        except KeyboardInterrupt:
            ctx.exit(130)
        except Exception as error:
            from duelbook.catalog.loader import authors_line  # only an error needs it

            line = authors_line(error)
            if line is None:
                raise
            raise click.ClickException(f"{line} Run `duelbook check` for details.") from error


@click.group(cls=Duelbook, invoke_without_command=True, context_settings={"show_default": True})
@click.version_option(__version__, prog_name="duelbook")
@plain_option
@click.pass_context
def main(ctx: click.Context, *, plain: bool) -> None:
    """Play two-player games from their rule books. Without a command, open a menu.

    GAME is the name of a game, any unique part of it, a Python file, or module:Class.
    """
    ctx.obj = plain
    if sys.stdin is None or sys.stdout is None:  # closed by the parent process
        raise click.UsageError("Duelbook needs standard input and standard output.")
    if ctx.invoked_subcommand is None:
        play = main.get_command(ctx, "play")
        assert play is not None  # noqa: S101 # it is listed above
        ctx.invoke(play, plain=plain)


def _wrapped_error(text: str) -> str:
    """Return an error message, wrapped to the width of the terminal."""
    if not sys.stderr.isatty():
        return text
    try:
        width = os.get_terminal_size(sys.stderr.fileno()).columns
    except OSError:
        return text
    return wrapped(f"Error: {text}", width or 80).removeprefix("Error: ")


def _missing_package(module: str | None, extra: str) -> str:
    package = str(module).partition(".")[0]
    return f"This needs {package}, which is not installed: pip install 'duelbook[{extra}]'."
