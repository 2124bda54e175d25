"""The services of deploy/compose.yaml, started on this machine by their own commands."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any, Self

import pytest
import yaml

from paths import ROOT
from servers import DUELBOOK, PostgreSQL, Program, Redis, SpawnedServer

DEPLOY = ROOT / "deploy"
SERVICES: dict[str, dict[str, Any]] = yaml.safe_load((DEPLOY / "compose.yaml").read_text())[
    "services"
]
INNER_PORTS = {"duelbook": 8080, "postgres": 5432, "redis": 6379, "proxy": 8080}


def dockerfile() -> dict[str, str]:
    """Return the last argument of each instruction in the Dockerfile."""
    lines = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text()).splitlines()
    return {word: rest for word, _, rest in (line.partition(" ") for line in lines)}


def health_check(service: str) -> list[str]:
    """Return the command of a service's health check."""
    if service == "duelbook":
        command: list[str] = json.loads(dockerfile()["HEALTHCHECK"].partition("CMD ")[2])
        return command
    return list(SERVICES[service]["healthcheck"]["test"][1:])  # after the word CMD


class ComposePostgreSQL(PostgreSQL):
    """PostgreSQL with the options of compose.yaml."""

    def command(self) -> list[str]:
        return [*super().command(), *SERVICES["postgres"]["command"][1:]]


class ComposeRedis(Redis):
    """Redis with the options of compose.yaml."""

    def command(self) -> list[str]:
        options = SERVICES["redis"]["command"][1:]
        return [self.binary, *options, "--bind", "127.0.0.1", "--port", str(self.port)]


class ComposeServer(SpawnedServer):
    """`duelbook serve` with the Dockerfile's entry point and the options of compose.yaml."""

    redis = ""

    def command(self) -> list[str]:
        program, *words = json.loads(dockerfile()["ENTRYPOINT"])
        assert program == Path(DUELBOOK).name
        for word in SERVICES["duelbook"]["command"]:
            option = word.partition("=")[0]
            address = {"--database": self.database, "--redis": self.redis}.get(option)
            words.append(f"{option}={address}" if address else word)
        return [DUELBOOK, *words, "--host", "127.0.0.1", "--port", str(self.port), *self.options]


class Site(SpawnedServer):
    """nginx with deploy/nginx.conf, and the services behind it."""

    def __init__(self, *options: str) -> None:
        path = f"{os.environ['PATH']}:/usr/sbin"
        self.nginx = shutil.which("nginx", path=path) or pytest.skip("nginx is not installed")
        super().__init__(Path(tempfile.mkdtemp(prefix="duelbook-site-")))
        self.folder.chmod(0o755)  # nginx runs as a different user
        self.postgres, self.redis = ComposePostgreSQL(), ComposeRedis(self.folder)
        self.server = ComposeServer(self.folder, *options)
        self.cache = self.folder / "cache"

    def start(self) -> Self:
        self.postgres.start()
        self.redis.start()
        self.server.database, self.server.redis = self.postgres.database(), self.redis.url
        self.server.start()
        self._write_configuration()
        return super().start()

    def _write_configuration(self) -> None:
        text = (DEPLOY / "nginx.conf").read_text()
        for before, after in {
            "server duelbook:8080": f"server 127.0.0.1:{self.server.port}",
            "listen 8080": f"listen 127.0.0.1:{self.port}",
            "/run/nginx.pid": f"{self.folder}/nginx.pid",
            "/var/cache/nginx": str(self.cache),
        }.items():
            assert before in text
            text = text.replace(before, after)
        self.cache.mkdir()
        (self.folder / "nginx.conf").write_text(text)

    def command(self) -> list[str]:
        options = SERVICES["proxy"]["command"][1:]
        where = ["-c", str(self.folder / "nginx.conf"), "-p", str(self.folder)]
        return [self.nginx, *options, *where]

    def is_healthy(self, service: str) -> bool:
        """Return whether the health check of a service succeeds."""
        programs: dict[str, Program] = {
            "duelbook": self.server,
            "postgres": self.postgres,
            "redis": self.redis,
            "proxy": self,
        }
        inner, outer = INNER_PORTS[service], programs[service].port
        words = [
            word.replace(f"localhost:{inner}", f"127.0.0.1:{outer}")
            for word in health_check(service)
        ]
        path = f"{Path(sys.executable).parent}:{self.postgres.bin}:{os.environ['PATH']}"
        done = subprocess.run(words, env={"PATH": path}, capture_output=True, check=False)  # noqa: S603 # the check of our own file
        return done.returncode == 0

    def close(self) -> None:
        if self.process is not None:
            self.stop()
        for program in (self.server, self.redis, self.postgres):
            program.close()
        shutil.rmtree(self.folder)
