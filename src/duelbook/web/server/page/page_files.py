"""The files of the page, compressed for browsers that accept gzip."""

from __future__ import annotations

import gzip
import os
import re
from functools import lru_cache
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

from duelbook.web.server.page.page_version import VERSIONED, bundle, version

IMMUTABLE = "public, max-age=31536000, immutable"
COPIED_HEADERS = ("etag", "last-modified", "vary", "cache-control")
COMPRESSIBLE_SUFFIXES = (".js", ".css", ".svg", ".html", ".webmanifest")
"""The suffixes of files that gzip makes smaller; PNG images are already compressed."""


class PageFiles(StaticFiles):
    """Serves the files of the page; `/static/VERSION/main.js` can be cached without limit."""

    def get_path(self, scope: Scope) -> str:
        """Return the path of a file, without the version."""
        return re.sub(VERSIONED, "", super().get_path(scope)).lstrip("/") or "."

    async def get_response(self, path: str, scope: Scope) -> Response:
        """Return a file, or a bundle of several."""
        bundled = bundle(path) if scope["method"] in ("GET", "HEAD") else None
        if bundled is None:
            return await super().get_response(path, scope)
        media = "text/javascript" if path.endswith(".js") else "text/css"
        response = text_response(Headers(scope=scope), bundled, media)
        if f"/{version()}/" in scope["path"]:
            response.headers["Cache-Control"] = IMMUTABLE
        return response

    def file_response(
        self,
        full_path: str | os.PathLike[str],
        stat_result: os.stat_result,
        scope: Scope,
        status_code: int = 200,
    ) -> Response:
        """Return a file, or a 304 response if it has not changed."""
        response = super().file_response(full_path, stat_result, scope, status_code)
        if f"/{version()}/" in scope["path"]:
            response.headers["Cache-Control"] = IMMUTABLE
        if not str(full_path).endswith(COMPRESSIBLE_SUFFIXES):
            return response
        response.headers.add_vary_header("Accept-Encoding")
        if isinstance(response, NotModifiedResponse) or not accepts_gzip(Headers(scope=scope)):
            return response
        body = _compressed(str(full_path), stat_result.st_mtime_ns)
        copied = {
            name: response.headers[name] for name in COPIED_HEADERS if name in response.headers
        }
        headers = copied | {"Content-Encoding": "gzip"}
        return Response(body, status_code, headers, response.media_type)


@lru_cache(maxsize=500)
def _compressed(path: str, _changed: int) -> bytes:
    return gzip.compress(Path(path).read_bytes(), mtime=0)


def accepts_gzip(headers: Headers) -> bool:
    """Return whether a browser accepts a response in gzip."""
    return "gzip" in headers.get("accept-encoding", "")


def text_response(headers: Headers, body: bytes, media_type: str, status: int = 200) -> Response:
    """Return a response, compressed if the browser accepts gzip.

    Call it only for bodies without secrets, because compression can leak them.
    """
    response_headers = {"Cache-Control": "no-cache", "Vary": "Accept-Encoding"}
    if not accepts_gzip(headers):
        return Response(body, status, response_headers, media_type)
    response_headers |= {"Content-Encoding": "gzip"}
    return Response(_compressed_text(body), status, response_headers, media_type)


@lru_cache(maxsize=100)
def _compressed_text(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)
