"""The files in deploy/: versions, hashes, rights, options, addresses."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deployment import DEPLOY, SERVICES
from duelbook.cli.serve import serve


def test_image_installs_packages_only_by_hash() -> None:
    commands = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text()).splitlines()
    installs = [line for line in commands if "pip install" in line]
    assert all("--require-hashes" in line or "--no-index" in line for line in installs)


def test_all_images_have_an_exact_version_and_few_rights() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    images = re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    images += [service["image"] for service in SERVICES.values() if "image" in service]
    assert len(images) == 5
    assert all(re.search(r":\d+\.\d+(\.\d+)?-", image) for image in images), images
    for name, service in SERVICES.items():
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
        assert service["restart"] == "unless-stopped"
        assert "user" in service or name == "duelbook"
    assert re.search(r"^USER duelbook$", dockerfile, re.MULTILINE)


def test_the_systemd_unit_is_valid_and_starts_the_server(tmp_path: Path) -> None:
    checker = shutil.which("systemd-analyze") or pytest.skip("systemd is not installed")
    text = (DEPLOY / "duelbook.service").read_text()
    (line,) = re.findall(r"^ExecStart=(\S+) serve (.*)$", text, re.MULTILINE)
    assert re.search(r"^Restart=always$", text, re.MULTILINE)
    serve.make_context("serve", line[1].split())  # it refuses what is not an option
    unit = tmp_path / "duelbook.service"
    unit.write_text(text.replace(line[0], sys.executable))
    done = subprocess.run([checker, "verify", unit], capture_output=True, text=True, check=False)  # noqa: S603 # systemd's own
    assert (done.returncode, done.stderr) == (0, "")


def test_the_services_find_each_other() -> None:
    """The tests of the services replace these addresses: see `deployment`."""
    expected = {"postgres": ["5432"], "redis": ["6379"], "duelbook": ["8080"]}
    for name, ports in expected.items():
        assert SERVICES[name]["expose"] == ports
    assert SERVICES["proxy"]["ports"] == ["8080:8080"]
    database, redis, *_ = SERVICES["duelbook"]["command"]
    account = SERVICES["postgres"]["environment"]
    password = "${DUELBOOK_DB_PASSWORD:?choose a password}"  # noqa: S105 # without one, nothing starts
    assert account["POSTGRES_PASSWORD"] == password
    user = f"{account['POSTGRES_USER']}:{password}"
    assert database == f"--database=postgresql://{user}@postgres:5432/{account['POSTGRES_DB']}"
    assert redis == "--redis=redis://redis:6379"
    assert "./nginx.conf:/etc/nginx/nginx.conf:ro" in SERVICES["proxy"]["volumes"]
    for name, needed in {"duelbook": {"postgres", "redis"}, "proxy": {"duelbook"}}.items():
        depends = SERVICES[name]["depends_on"]
        assert depends == {service: {"condition": "service_healthy"} for service in needed}
