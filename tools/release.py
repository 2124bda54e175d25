"""Build the files of a release into a folder, and check them. Publish nothing.

    python tools/release.py dist

The wheel and the sdist are built twice and must be equal, byte for byte. The version must be the
same in `pyproject.toml`, `CHANGELOG.md`, `CITATION.cff` and, if the commit has a tag, in the tag.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
import tomllib
from pathlib import Path
from zipfile import ZipFile

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "src" / "duelbook"


def run(*command: str, **environment: str) -> str:
    """Run a program in the root of the repository; return its output."""
    result = subprocess.run(  # noqa: S603 # our own tools
        command,
        cwd=ROOT,
        env={**os.environ, **environment},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return result.stdout.strip()


def version_faults(version: str, changelog: str, citation: str, tags: list[str]) -> list[str]:
    """Return a sentence for each place that names another version."""
    released = re.search(r"^## \[?(\d[^\]\s]*)", changelog, re.MULTILINE)
    cited = re.search(r"^version: (.+)$", citation, re.MULTILINE)
    faults = []
    if released is None or released[1] != version:
        faults.append(f"The newest version in CHANGELOG.md is not {version}.")
    if cited is None or cited[1] != version:
        faults.append(f"The version in CITATION.cff is not {version}.")
    if tags and f"v{version}" not in tags:
        faults.append(f"The commit's tag is {', '.join(tags)}, not v{version}.")
    return faults


def build(folder: Path, epoch: str) -> list[Path]:
    """Build the wheel and the sdist; return their paths, sorted by name."""
    options = ("--no-isolation", "--outdir", str(folder))
    run(sys.executable, "-m", "build", *options, SOURCE_DATE_EPOCH=epoch)
    return sorted(folder.iterdir())


def content_faults(sdist: Path, wheel: Path, tracked: set[str]) -> list[str]:
    """Return a sentence for each file that is missing or should not be there."""
    with tarfile.open(sdist) as archive:
        members = {name.split("/", 1)[1] for name in archive.getnames() if "/" in name}
    with ZipFile(wheel) as zipped:
        modules = {name for name in zipped.namelist() if name.startswith("duelbook/")}
    package = {name.removeprefix("src/") for name in tracked if name.startswith("src/duelbook/")}
    return [
        *(
            f"The sdist contains {name}, which is not in git."
            for name in members - tracked - {"PKG-INFO"}
        ),
        *(f"The sdist lacks {name}." for name in {"Makefile", "README.md", "LICENSE"} - members),
        *(f"The wheel lacks {name}." for name in sorted(package - modules)),
        *(f"The wheel contains {name}, which is not in git." for name in sorted(modules - package)),
    ]


def main(out: Path) -> int:
    """Build and check a release; return the exit status."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    faults = version_faults(
        version,
        (ROOT / "CHANGELOG.md").read_text(encoding="utf-8"),
        (ROOT / "CITATION.cff").read_text(encoding="utf-8"),
        run("git", "tag", "--points-at", "HEAD").split(),
    )
    if run("git", "status", "--porcelain"):
        faults.append("The working tree has changes that are not committed.")
    epoch = run("git", "log", "-1", "--format=%ct")
    with tempfile.TemporaryDirectory() as first, tempfile.TemporaryDirectory() as second:
        files = build(Path(first), epoch)
        for file, again in zip(files, build(Path(second), epoch), strict=True):
            if file.read_bytes() != again.read_bytes():
                faults.append(f"Two builds of {file.name} differ.")
        wheel, sdist = sorted(files, key=lambda file: file.suffix != ".whl")
        faults += content_faults(sdist, wheel, set(run("git", "ls-files").splitlines()))
        run(sys.executable, "-m", "twine", "check", "--strict", *map(str, files))
        if not faults:
            shutil.rmtree(out, ignore_errors=True)
            out.mkdir(parents=True)
            for file in files:
                shutil.copy(file, out)
    if faults:
        sys.stderr.write("\n".join(faults) + "\n")
        return 1
    bill = out / f"duelbook-{version}.cdx.json"
    run(
        *(sys.executable, "-m", "cyclonedx_py", "requirements", "deploy/requirements.lock"),
        *("--pyproject", "pyproject.toml", "--output-reproducible", "--output-file", str(bill)),
    )
    for file in sorted(out.iterdir()):
        sys.stdout.write(f"{file.name}: {file.stat().st_size:,} bytes\n")
    sys.stdout.write(f"Version {version} is ready. Nothing has been published.\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]).absolute()))
