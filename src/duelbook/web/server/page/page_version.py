"""The version of the page: a name that changes when one of its files changes."""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from duelbook.web.server.page.bundle import CSS, JS, bundled_css, bundled_js, with_bundles

STATIC = Path(__file__).parents[2] / "static"
FOLDER = "/static/"
VERSIONED = re.compile(r"^v-[0-9a-f]{12}(?=/)")
"""The prefix of files that never change and can be cached without limit."""
OFFLINE_FILES = (JS, CSS, "theme.js", "manifest.webmanifest")
"""The files, besides the icons, that a browser stores to show the page offline."""


def version() -> str:
    """Return the version, which is the same on every machine with the same files."""
    return _version(int(time.monotonic()))


@lru_cache(maxsize=1)
def _version(_second: int) -> str:
    """Return the version; check the files for changes at most once a second."""
    return _hash(tuple((file, file.stat().st_mtime_ns) for file in _files()))


@lru_cache(maxsize=4)
def _hash(files: tuple[tuple[Path, int], ...]) -> str:
    digest = hashlib.sha256()
    for file, _ in files:
        digest.update(str(file.relative_to(STATIC)).encode() + b"\0" + file.read_bytes())
    return f"v-{digest.hexdigest()[:12]}"


def _files() -> Iterator[Path]:
    return (file for file in sorted(STATIC.rglob("*")) if file.is_file())


def template() -> str:
    """Return the page with links to the bundles and to versioned files."""
    return _template(version())


@lru_cache(maxsize=1)
def _template(current: str) -> str:
    html = with_bundles((STATIC / "index.html").read_text(encoding="utf-8"))
    return html.replace(f'"{FOLDER}', f'"{FOLDER}{current}/')


def bundle(name: str) -> bytes | None:
    """Return the bundle of this name, or None if there is none."""
    return _bundle(name, version()) if name in (JS, CSS) else None


@lru_cache(maxsize=2)
def _bundle(name: str, _version: str) -> bytes:
    if name == JS:
        return bundled_js(STATIC).encode()
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    return bundled_css(STATIC, html).encode()


def offline_files() -> list[str]:
    """Return the URL paths of all files that the page needs offline."""
    icons = [f"icons/{file.name}" for file in sorted((STATIC / "icons").iterdir())]
    return [f"{FOLDER}{version()}/{name}" for name in (*OFFLINE_FILES, *icons)]
