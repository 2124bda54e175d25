"""HTTP requests to a server with an address, and the errors of clients."""

from __future__ import annotations

import re
import urllib.error
import urllib.request
from typing import TypeVar

import msgspec

from duelbook.errors import DuelbookError
from duelbook.web import protocol as p

T = TypeVar("T")
RECONNECT_SECONDS = 60.0
"""The default number of seconds for which a client tries to reconnect."""
ANSWER_TIMEOUT_SECONDS = 30.0
"""A server that does not answer for this number of seconds counts as lost."""


class ServerError(DuelbookError):
    """A refusal by the server: a sentence for people, and a `code` for programs."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code = code


class NoServerError(DuelbookError):
    """There is no server, or it does not answer."""


class ServerRequests:
    """Send requests to the server at an address such as `http://127.0.0.1:8080`."""

    def __init__(self, url: str) -> None:
        self.url = url.rstrip("/")
        if not re.fullmatch(r"https?://[^/?#\s]+(/[^?#\s]*)?", self.url) or not url.isprintable():
            raise DuelbookError(f"The address of a server is http://…, not {url!r:.80}.")

    def request(
        self, path: str, kind: type[T], *, body: object = None, secret: str | None = None
    ) -> T:
        """Return the server's response to a request."""
        headers = {"Authorization": f"Bearer {secret}"} if secret else {}
        data = None
        if body is not None:
            headers["Content-Type"], data = "application/json", msgspec.json.encode(body)
        try:
            request = urllib.request.Request(self.url + path, data, headers)  # noqa: S310 # http(s), as checked
            with urllib.request.urlopen(request, timeout=ANSWER_TIMEOUT_SECONDS) as answer:  # noqa: S310 # see above
                return msgspec.json.decode(answer.read(), type=kind)
        except urllib.error.HTTPError as error:
            with error:
                raise self._refusal(error.code, error.read()) from error
        except (OSError, ValueError) as error:
            reason = getattr(error, "reason", error)
            raise NoServerError(
                f"There is no server at {self.url}: {reason_of(reason)}."
            ) from error
        except msgspec.DecodeError as error:
            raise NoServerError(f"What answers at {self.url} is no Duelbook server.") from error

    def _refusal(self, status: int, body: bytes) -> DuelbookError:
        try:
            problem = msgspec.json.decode(body, type=p.Problem)
        except (msgspec.DecodeError, UnicodeError):
            return NoServerError(f"What answers at {self.url} is no Duelbook server ({status}).")
        return ServerError(problem.code, problem.why)


def address(url: str) -> tuple[ServerRequests, str]:
    """Return the server and the id in the URL of a game."""
    parts = re.fullmatch(r"(https?://[^\s?#]+)/g/([\w-]+)/?([?#].*)?", url.strip(), re.ASCII)
    if parts is None or not parts[0].isprintable():
        raise DuelbookError(f"The address of a game is http://…/g/…, not {url!r:.80}.")
    return ServerRequests(parts[1]), parts[2]


def reason_of(error: object) -> str:
    """Return the reason of an error as the end of a sentence."""
    strerror = getattr(error, "strerror", None)
    return str(strerror or error or "it does not answer").rstrip(".")
