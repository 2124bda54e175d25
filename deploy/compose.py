"""Reads the services of compose.yaml, and translates them to this machine.

`postgres:5432` becomes a free port of 127.0.0.1, and /var/lib/postgresql/data a folder in the
service's own. What an image does by itself is added: where its program listens, and PostgreSQL's
first database.
"""

from __future__ import annotations

import json
import os
import random
import re
import signal
import socket
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

HERE = Path(__file__).parent
LOOPBACK = "127.0.0.1"
PORTS = range(10_000, 20_000)  # systems give clients those from 32,768 on
UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0}
DATA = Path("var/lib/postgresql/data")
Description = dict[str, Any]


@dataclass(frozen=True)
class HealthCheck:
    """A command that succeeds while a service works, and when to run it, in seconds."""

    command: list[str]
    interval: float
    timeout: float
    retries: int
    start_period: float
    start_interval: float


@dataclass(frozen=True)
class Service:
    """A service as compose.yaml describes it, translated to this machine."""

    name: str
    folder: Path
    preparations: list[list[str]]
    """Commands that must succeed before it is started for the first time."""
    command: list[str]
    variables: dict[str, str]
    health: HealthCheck
    needs: list[str]
    """The services that must be healthy before it is started."""
    stop_signal: signal.Signals
    grace: float
    """Seconds that it may take to stop."""


def read(folder: Path, port: int, options: list[str]) -> list[Service]:
    """Return the services; the one with a public port gets this one, and duelbook more options."""
    text = (HERE / "compose.yaml").read_text()
    described = _filled(yaml.safe_load(text), dict(os.environ))["services"]
    described["duelbook"] |= _from_dockerfile((HERE / "Dockerfile").read_text())
    free = free_ports()
    ports = {name: port if "ports" in one else next(free) for name, one in described.items()}
    services = []
    for name, one in described.items():
        home = folder / name
        translate = _translator(name, described, ports, home)
        _mount(one, home, translate)
        preparations, more = _by_image(name, one, home, ports[name])
        words = [*one.get("entrypoint", []), *one["command"]]
        services.append(
            Service(
                name=name,
                folder=home,
                preparations=preparations,
                command=[*map(translate, words), *more, *(options if name == "duelbook" else [])],
                variables={k: translate(v) for k, v in one.get("environment", {}).items()},
                health=_health_check(one["healthcheck"], translate),
                needs=list(one.get("depends_on", [])),
                stop_signal=signal.Signals[one.get("stop_signal", "SIGTERM")],
                grace=_seconds(one.get("stop_grace_period", "10s")),
            )
        )
    return services


def free_ports() -> Iterator[int]:
    """Yield ports that nobody listens on, and that no client is given while a service restarts."""
    for port in random.sample(PORTS, len(PORTS)):
        try:
            with socket.socket() as probe:
                probe.bind((LOOPBACK, port))
        except OSError:
            continue
        yield port


# What the files say -----------------------------------------------------------------------------


def _filled(value: Any, variables: dict[str, str]) -> Any:  # noqa: ANN401 # whatever YAML holds
    """Return a value in which each ${NAME:?why} is replaced by the variable."""
    if isinstance(value, dict):
        return {key: _filled(one, variables) for key, one in value.items()}
    if isinstance(value, list):
        return [_filled(one, variables) for one in value]
    if not isinstance(value, str):
        return value

    def variable(found: re.Match[str]) -> str:
        if not variables.get(found[1]):
            sys.exit(f"{found[1]} is not set: {found[2]}.")
        return variables[found[1]]

    return re.sub(r"\$\{(\w+):\?([^}]*)\}", variable, value)


def _from_dockerfile(text: str) -> Description:
    """Return the entry point, the variables and the health check of an image."""
    lines = re.sub(r"\\\n\s*", "", text).splitlines()
    said = {word: rest for word, _, rest in (line.partition(" ") for line in lines)}
    timing, _, command = said["HEALTHCHECK"].partition("CMD ")
    check = {name.replace("-", "_"): v for name, v in re.findall(r"--([\w-]+)=(\S+)", timing)}
    return {
        "entrypoint": json.loads(said["ENTRYPOINT"]),
        "environment": dict(word.split("=") for word in said["ENV"].split()),
        "healthcheck": {"test": ["CMD", *json.loads(command)], **check},
    }


def _health_check(said: Description, translate: Callable[[str], str]) -> HealthCheck:
    return HealthCheck(
        command=[translate(word) for word in said["test"][1:]],  # after the word CMD
        interval=_seconds(said["interval"]),
        timeout=_seconds(said["timeout"]),
        retries=int(said["retries"]),
        start_period=_seconds(said["start_period"]),
        start_interval=_seconds(said["start_interval"]),
    )


def _seconds(text: str) -> float:
    """Return a duration as Docker writes it: 200ms, 5s, 1m."""
    number, unit = re.findall(r"^(\d+)(ms|s|m)$", text)[0]
    return int(number) * UNITS[unit]


def _inner_port(one: Description) -> int:
    return int((one.get("ports") or one["expose"])[0].split(":")[-1])


def _folders(one: Description) -> list[str]:
    """Return the folders that are mounted into a container."""
    volumes = [volume.split(":")[1] for volume in one.get("volumes", []) if volume[0] != "."]
    return [*volumes, *one.get("tmpfs", [])]


# What becomes of it here ------------------------------------------------------------------------


def _translator(
    name: str, described: Description, ports: dict[str, int], home: Path
) -> Callable[[str], str]:
    """Return what replaces the addresses and paths of a container by those of this machine."""
    mine = _inner_port(described[name])
    changes = {
        rf"\b{other}:{_inner_port(one)}\b": f"{LOOPBACK}:{ports[other]}"
        for other, one in described.items()
    }
    changes[rf"\blocalhost:{mine}\b"] = f"{LOOPBACK}:{ports[name]}"
    changes[rf"\blisten {mine}\b"] = f"listen {LOOPBACK}:{ports[name]}"
    for path in _folders(described[name]):
        changes[rf"(?<![\w/]){path}\b"] = f"{home}{path}"

    def translate(text: str) -> str:
        for pattern, here in changes.items():
            text = re.sub(pattern, here, text)
        return text

    return translate


def _mount(one: Description, home: Path, translate: Callable[[str], str]) -> None:
    """Make the folders of a service, and write its files, translated."""
    home.mkdir(exist_ok=True)
    for path in _folders(one):
        (home / path.lstrip("/")).mkdir(parents=True, exist_ok=True)
    for volume in one.get("volumes", []):
        if volume[0] == ".":
            source, target, _ = volume.split(":")
            file = home / target.lstrip("/")
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(translate((HERE / source).read_text()))


def _by_image(
    name: str, one: Description, home: Path, port: int
) -> tuple[list[list[str]], list[str]]:
    """Return what an image does by itself: preparations, and more arguments for its program."""
    match name:
        case "duelbook":
            return [], ["--host", LOOPBACK, "--port", str(port)]
        case "redis":
            return [], ["--bind", LOOPBACK, "--port", str(port)]
        case "proxy":
            return [], ["-c", str(home / "etc/nginx/nginx.conf"), "-p", str(home)]
        case "postgres":
            here = ["-D", str(DATA), "-h", LOOPBACK, "-p", str(port)]
            sockets = ["-c", "unix_socket_directories="]
            return _new_database(one["environment"], home), [*here, *sockets]
    raise ValueError(f"It is not known what the image of {name} does.")


def _new_database(said: dict[str, str], home: Path) -> list[list[str]]:
    if (home / DATA / "PG_VERSION").exists():
        return []
    secret, create = home / "password", home / "create.sql"
    secret.touch(mode=0o600)
    secret.write_text(said["POSTGRES_PASSWORD"])
    create.write_text(f"CREATE DATABASE {said['POSTGRES_DB']};\n")
    who = ["--username", said["POSTGRES_USER"], "--pwfile", secret.name]
    return [
        ["initdb", "--pgdata", str(DATA), *who, "--auth", "scram-sha-256"],
        ["sh", "-c", f"postgres --single -D {DATA} postgres <{create.name}"],
    ]
