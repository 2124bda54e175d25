"""Lock files: every package has a hash, none has an address, and they satisfy pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from typing import Any

import pytest
from packaging.requirements import Requirement

from paths import ROOT

PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text())
EXTRAS = PROJECT["project"]["optional-dependencies"]
PIN = re.compile(
    r"^(\S+==[^\\\n]+?)\s*\\\n(?:    --hash=sha256:[0-9a-f]{64}(?: \\)?\n)+", re.MULTILINE
)
CONTENTS = {
    "locks/play.lock": (("",), ("build",)),
    "locks/web.lock": (("", "web"), ("build",)),
    "locks/docs.lock": (("", "web", "mcp"), ("build", "docs")),
    "locks/bench.lock": (("", "research", "hosts", "arena"), ("build", "bench")),
    "locks/dev.lock": (("", *EXTRAS), ("dev",)),
    "locks/model.lock": ((), ("model",)),
    "locks/release.lock": ((), ("release",)),
    "deploy/requirements.lock": (("", "web", "hosts"), ()),
    "deploy/build.lock": ((), ("build",)),
}
"""The extras ("" for the base) and the dependency groups that each lock file installs."""


def pins(path: str) -> dict[str, Requirement]:
    """Return the packages that a lock file installs here; each of its lines has a hash."""
    text = (ROOT / path).read_text()
    rest = re.sub(r"^ *#.*\n", "", PIN.sub("", text), flags=re.MULTILINE)
    assert rest == "", f"{path} has lines without a hash"
    assert "://" not in text
    requirements = [Requirement(pin) for pin in PIN.findall(text)]
    return {r.name: r for r in requirements if r.marker is None or r.marker.evaluate()}


def group(name: str) -> list[str]:
    """Return the requirements of a dependency group."""
    entries = PROJECT["dependency-groups"][name]
    nested = [entry["include-group"] for entry in entries if isinstance(entry, dict)]
    return [entry for entry in entries if isinstance(entry, str)] + [
        line for name in nested for line in group(name)
    ]


def test_every_lock_file_is_listed() -> None:
    files = {*ROOT.glob("locks/*.lock"), *ROOT.glob("deploy/*.lock")}
    assert {file.relative_to(ROOT).as_posix() for file in files} == set(CONTENTS)


@pytest.mark.parametrize("path", CONTENTS)
def test_lock_file_satisfies_the_project(path: str) -> None:
    extras, groups = CONTENTS[path]
    lines = [
        *(
            line
            for extra in extras
            for line in EXTRAS.get(extra, PROJECT["project"]["dependencies"])
        ),
        *(line for name in groups for line in group(name)),
    ]
    installed = pins(path)
    for requirement in map(Requirement, lines):
        if requirement.name != "duelbook":
            (pin,) = installed[requirement.name.replace("_", "-")].specifier
            assert requirement.specifier.contains(pin.version), f"make lock: {requirement}"


def test_environments_in_one_folder_share_their_versions() -> None:
    dev = pins("locks/dev.lock")
    for path in ("locks/play.lock", "locks/web.lock"):
        assert all(dev[name] == pin for name, pin in pins(path).items())
