"""The command for browser play: serve."""

from __future__ import annotations

import sys
from importlib.util import find_spec
from typing import Any

import click

from duelbook.errors import DuelbookError
from duelbook.web.server.run_server import default_database, prepare
from duelbook.web.server.run_server import serve as run
from duelbook.web.server.settings import OptionField, Settings, serve_options


@click.command()
def serve(**values: Any) -> None:  # noqa: ANN401 # of all options
    """Serve the games to browsers and programs."""
    values = {field.key: values[_parameter(field)] for field in serve_options()}
    if values["redis"] or (values["database"] or "").startswith("postgres"):
        _check_extra_hosts()
    values["database"] = values["database"] or default_database()
    settings = Settings.from_options(values)
    prepare(settings)
    if sys.stderr.isatty():  # otherwise it is a log with JSON lines
        is_local = settings.host in ("127.0.0.1", "0.0.0.0", "::")  # noqa: S104 # only shown
        shown = "localhost" if is_local else settings.host
        click.echo(f"Open http://{shown}:{settings.port} in a browser. Ctrl-C stops.", err=True)
    run(settings)


def _parameter(field: OptionField) -> str:
    """Return the name of the parameter that holds an option."""
    return field.key.replace(".", "_")


def _option(field: OptionField) -> click.Option:
    return click.Option(
        [field.flag, _parameter(field)],
        type=_type(field),
        default=field.default,
        multiple=isinstance(field.default, tuple),
        metavar=field.option.metavar,
        help=field.option.help,
    )


def _type(field: OptionField) -> Any:  # noqa: ANN401 # of click's types
    minimum, maximum = field.option.minimum, field.option.maximum
    if field.type is int:
        if minimum is None:
            return click.INT
        return click.IntRange(int(minimum), None if maximum is None else int(maximum))
    if field.type is float:
        return click.FloatRange(minimum, maximum)
    return click.STRING


serve.params += map(_option, serve_options())


def _check_extra_hosts() -> None:
    """Refuse to start without the packages for several servers."""
    missing = [module for module in ("asyncpg", "redis") if find_spec(module) is None]
    if missing:
        raise DuelbookError(
            f"This needs {missing[0]}, which is not installed: pip install 'duelbook[hosts]'."
        )
