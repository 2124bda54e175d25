"""The settings of a server. They define the options of `duelbook serve`; workers import them."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import Annotated, Any, NamedTuple, get_args, get_origin, get_type_hints

import msgspec

from duelbook.web.games.live_games import Caps
from duelbook.web.games.presence import OverdueTimeouts
from duelbook.web.server.limits import ServerLimits
from duelbook.web.server.serve_option import ServeOption
from duelbook.web.store.store import QUERY_TIMEOUT_SECONDS

VARIABLE = "DUELBOOK_SERVER"
DAY = 86_400  # seconds


class Settings(msgspec.Struct, frozen=True):
    """All settings of a server; those with a `ServeOption` are options of `duelbook serve`."""

    database: Annotated[
        str, ServeOption("The database: sqlite:///… or postgresql://…", metavar="URL")
    ]
    host: Annotated[str, ServeOption("The address to listen on.")] = "127.0.0.1"
    port: Annotated[int, ServeOption("The port to listen on.", 1, 65535)] = 8080
    database_timeout: Annotated[
        float,
        ServeOption("Timeout of a database query, in seconds.", 0.1, 3600, metavar="SECONDS"),
    ] = QUERY_TIMEOUT_SECONDS
    backup: Annotated[
        str | None,
        ServeOption("Copy the SQLite database to this file at intervals.", metavar="FILE"),
    ] = None
    backup_minutes: Annotated[
        float, ServeOption("Minutes from one copy to the next.", 0.001, 100_000)
    ] = 10.0
    redis: Annotated[
        str | None, ServeOption("Redis, which connects several servers: redis://…", metavar="URL")
    ] = None
    workers: Annotated[int, ServeOption("Number of processes.", 1)] = 1
    origins: Annotated[
        tuple[str, ...],
        ServeOption("A site whose pages may connect; repeatable.", name="origin", metavar="URL"),
    ] = ()
    """The server's own origin needs no entry."""
    proxies: Annotated[
        str, ServeOption("Reverse proxies trusted for X-Forwarded-For and X-Forwarded-Proto.")
    ] = "127.0.0.1"
    games: Annotated[
        tuple[str, ...],
        ServeOption("A game of your own to offer; repeatable.", name="game", metavar="GAME"),
    ] = ()
    keep_days: Annotated[
        float, ServeOption("Days after which an inactive game is deleted.", 0, 36_500)
    ] = 30.0
    stuck_after: Annotated[
        float,
        ServeOption("Seconds after which a stuck process ends itself, to be restarted.", 1, DAY),
    ] = 60.0
    limits: ServerLimits = ServerLimits()
    max_games: Annotated[int, ServeOption("Maximum number of games in the database.", 0)] = (
        Caps.games
    )
    max_megabytes: Annotated[
        int, ServeOption("Maximum MiB of the database; above it, new games are refused.", 0)
    ] = Caps.megabytes
    first_move: Annotated[
        float,
        ServeOption(
            "With a clock: seconds for the first move, before the opponent may abort.", 0, DAY
        ),
    ] = OverdueTimeouts().first_move / 1000
    away: Annotated[
        float,
        ServeOption(
            "Seconds after which the opponent of an absent player may claim a win or a draw.",
            *(0, DAY),
        ),
    ] = OverdueTimeouts().away / 1000

    @property
    def caps(self) -> Caps:
        """The maximum number of games and the maximum size of the database."""
        return Caps(self.max_games, megabytes=self.max_megabytes)

    @property
    def overdue_timeouts(self) -> OverdueTimeouts:
        """The waiting times in milliseconds."""
        return OverdueTimeouts(round(1000 * self.first_move), round(1000 * self.away))

    def export(self) -> None:
        """Write the settings to the environment for the workers."""
        os.environ[VARIABLE] = msgspec.json.encode(self).decode()

    @classmethod
    def imported(cls) -> Settings:
        """Return the settings from the environment."""
        return msgspec.json.decode(os.environ[VARIABLE], type=cls)

    @classmethod
    def from_options(cls, values: dict[str, Any]) -> Settings:
        """Return the settings with these values, by the keys of `serve_options`."""
        of_limits = {key[7:]: value for key, value in values.items() if key.startswith("limits.")}
        others = {key: value for key, value in values.items() if "." not in key}
        return cls(**others, limits=ServerLimits(**of_limits))


class OptionField(NamedTuple):
    """A field of the settings that is an option."""

    key: str
    """The name of the field; `limits.` precedes the name of a limit."""
    type: Any
    default: Any
    """None if the field is required."""
    option: ServeOption

    @property
    def flag(self) -> str:
        """The option on the command line."""
        return "--" + (self.option.name or self.key.rpartition(".")[2].replace("_", "-"))


def serve_options() -> Iterator[OptionField]:
    """Yield the options of `duelbook serve` in the order of its help."""
    defaults = {field.name: field.default for field in msgspec.structs.fields(Settings)}
    defaults["database"] = None
    for name, hint in get_type_hints(Settings, include_extras=True).items():
        if hint is ServerLimits:
            for limit, annotation in get_type_hints(ServerLimits, include_extras=True).items():
                if get_origin(annotation) is Annotated:
                    default = getattr(ServerLimits, limit)
                    yield OptionField(f"limits.{limit}", *_field(annotation, default))
        elif get_origin(hint) is Annotated:
            yield OptionField(name, *_field(hint, defaults[name]))


def _field(annotation: Any, default: Any) -> tuple[Any, Any, ServeOption]:  # noqa: ANN401 # a type
    kind, option = get_args(annotation)
    return kind, default, option
