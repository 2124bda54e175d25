"""`make release` refuses versions that differ and files that are missing."""

from __future__ import annotations

import tomllib

import pytest

from paths import ROOT
from release import version_faults

CHANGELOG = "# Changelog\n\n## [Unreleased]\n\n## [1.2.0] - 2030-01-01\n\n## [1.1.0] - 2029-01-01\n"
CITATION = "title: Duelbook\nversion: 1.2.0\n"


@pytest.mark.parametrize(
    ("version", "tags", "faults"),
    [
        ("1.2.0", [], 0),
        ("1.2.0", ["v1.2.0"], 0),
        ("1.2.0", ["v1.3.0"], 1),
        ("1.1.0", [], 2),
        ("1.3.0", ["v1.2.0"], 3),
    ],
)
def test_versions_must_agree(version: str, tags: list[str], faults: int) -> None:
    assert len(version_faults(version, CHANGELOG, CITATION, tags)) == faults


def test_versions_of_this_project_agree() -> None:
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    changelog = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    citation = (ROOT / "CITATION.cff").read_text(encoding="utf-8")
    assert version_faults(version, changelog, citation, []) == []
    assert len(changelog.split("\n## ")[2].splitlines()) <= 60
