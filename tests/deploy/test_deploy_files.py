"""The files in deploy/ say what they should: versions, hashes, rights, options."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement

from duelbook.cli.serve import serve
from paths import ROOT

DEPLOY = ROOT / "deploy"
PIN = re.compile(
    r"^(\S+==[^\\\n]+?)\s*\\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", re.MULTILINE
)


def pins(name: str) -> dict[str, Requirement]:
    """Return what a lock file installs on this machine; each line of it has a hash."""
    text = (DEPLOY / name).read_text()
    rest = re.sub(r"^ *#.*\n", "", PIN.sub("", text), flags=re.MULTILINE)
    assert rest == "", f"{name} has lines without a hash"
    assert "://" not in text
    found = [Requirement(pin) for pin in PIN.findall(text)]
    return {one.name: one for one in found if one.marker is None or one.marker.evaluate()}


def test_the_image_installs_what_the_server_needs_and_only_by_hash() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    needed = [*project["project"]["dependencies"], *extras["web"], *extras["hosts"]]
    for lock, wanted in {
        "requirements.lock": [one for one in needed if not one.startswith("duelbook")],
        "build.lock": project["build-system"]["requires"],
    }.items():
        installed = pins(lock)
        for requirement in map(Requirement, wanted):
            (pin,) = installed[requirement.name].specifier
            assert requirement.specifier.contains(pin.version), f"make lock: {requirement}"
    commands = re.sub(r"\\\n\s*", "", (DEPLOY / "Dockerfile").read_text()).splitlines()
    installs = [line for line in commands if "pip install" in line]
    assert all("--require-hashes" in line or "--no-index" in line for line in installs)


def test_all_images_have_an_exact_version_and_few_rights() -> None:
    dockerfile = (DEPLOY / "Dockerfile").read_text()
    services = yaml.safe_load((DEPLOY / "compose.yaml").read_text())["services"]
    images = re.findall(r"^FROM (\S+)", dockerfile, re.MULTILINE)
    images += [one["image"] for one in services.values() if "image" in one]
    assert len(images) == 5
    assert all(re.search(r":\d+\.\d+(\.\d+)?-", image) for image in images), images
    for name, one in services.items():
        assert one["read_only"] is True
        assert one["cap_drop"] == ["ALL"]
        assert one["restart"] == "unless-stopped"
        assert "user" in one or name == "duelbook"
    assert re.search(r"^USER duelbook$", dockerfile, re.MULTILINE)


def test_the_systemd_unit_is_valid_and_starts_the_server(tmp_path: Path) -> None:
    checker = shutil.which("systemd-analyze") or pytest.skip("systemd is not installed")
    text = (DEPLOY / "duelbook.service").read_text()
    (line,) = re.findall(r"^ExecStart=(\S+) serve (.*)$", text, re.MULTILINE)
    serve.make_context("serve", line[1].split())  # it refuses what is not an option
    unit = tmp_path / "duelbook.service"
    unit.write_text(text.replace(line[0], sys.executable))
    done = subprocess.run([checker, "verify", unit], capture_output=True, text=True, check=False)  # noqa: S603 # systemd's own
    assert (done.returncode, done.stderr) == (0, "")


def test_the_services_say_what_is_missing(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("DUELBOOK_DB_PASSWORD", raising=False)
    done = subprocess.run(  # noqa: S603 # our own program
        [sys.executable, DEPLOY / "services.py", tmp_path],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert done.stderr == "DUELBOOK_DB_PASSWORD is not set: choose a password.\n"
