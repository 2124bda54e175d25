"""A mock server for chat completions on this machine; its script may contain faulty replies."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self

LISTED = "Your legal moves are:\n\n"
USAGE = {"prompt_tokens": 100, "completion_tokens": 20, "total_tokens": 120}


@dataclass(frozen=True)
class Reply:
    """The reply of the server to a request."""

    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    stays_silent: bool = False
    """True if the server never answers."""
    blanks: int = 0
    """The number of blanks that the server sends before the body, slowly."""
    hangs_up: bool = False
    """True if the server closes the connection without an answer."""


def text_reply(
    text: object,
    finish: str | None = "stop",
    usage: object = USAGE,
    **message: object,
) -> Reply:
    """Return an answer; `message` adds fields to the message, such as `reasoning_content`."""
    choice: dict[str, object] = {
        "index": 0,
        "message": {"role": "assistant", "content": text, **message},
    }
    if finish is not None:
        choice["finish_reason"] = finish
    answer: dict[str, object] = {"object": "chat.completion", "choices": [choice]}
    if usage is not None:
        answer["usage"] = usage
    return json_reply(answer)


def move_reply(move: str) -> Reply:
    """Return a valid answer with a move."""
    return text_reply(f'I thought about it.\n\n{{"move": "{move}"}}')


def error_reply(status: int, message: str = "out of order", **headers: str) -> Reply:
    """Return an error in the usual format."""
    error = {"error": {"message": message, "type": "some_error", "code": None}}
    return json_reply(
        error, status, {name.replace("_", "-"): text for name, text in headers.items()}
    )


def json_reply(data: object, status: int = 200, headers: dict[str, str] | None = None) -> Reply:
    return Reply(json.dumps(data).encode(), status, headers or {})


def play_first_legal(body: dict[str, Any]) -> Reply:
    """Play the first legal move in the last prompt."""
    prompt = next(
        message["content"]
        for message in reversed(body["messages"])
        if message["role"] == "user" and LISTED in message["content"]
    )
    return move_reply(prompt.partition(LISTED)[2].split("\n")[0])


@dataclass(frozen=True)
class ReceivedRequest:
    """A request that the server received."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> dict[str, Any]:
        data: dict[str, Any] = json.loads(self.body)
        return data

    @property
    def messages(self) -> list[dict[str, str]]:
        messages: list[dict[str, str]] = self.json["messages"]
        return messages


class MockModel:
    """The server: it sends the replies of its script in order, then those that `then` returns."""

    def __init__(
        self, *script: Reply | str, then: Callable[[dict[str, Any]], Reply] = play_first_legal
    ) -> None:
        self.script = [text_reply(item) if isinstance(item, str) else item for item in script]
        self.then = then
        self.requests: list[ReceivedRequest] = []
        self.closing = threading.Event()
        self._lock = threading.Lock()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self._server.server_port}"

    @property
    def base_url(self) -> str:
        return f"http://{self.host}/v1"

    @property
    def name(self) -> str:
        return f"llm:mock@{self.base_url}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def reply_to(self, request: ReceivedRequest) -> Reply:
        with self._lock:
            self.requests.append(request)
            if self.script:
                return self.script.pop(0)
        return self.then(request.json)

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        mock = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            disable_nagle_algorithm = True

            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                reply = mock.reply_to(ReceivedRequest(self.path, dict(self.headers), body))
                with suppress(ConnectionError):  # the client may disconnect before the end
                    mock.serve(self, reply)

            def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002
                """Log nothing."""

        return Handler

    def serve(self, handler: BaseHTTPRequestHandler, reply: Reply) -> None:
        handler.close_connection = reply.stays_silent or reply.hangs_up
        if reply.stays_silent:
            self.closing.wait()
        if reply.stays_silent or reply.hangs_up:
            return
        handler.send_response(reply.status)
        length = reply.blanks + len(reply.body)
        headers = {"Content-Type": "application/json", "Content-Length": str(length)}
        for name, value in (headers | reply.headers).items():
            handler.send_header(name, value)
        handler.end_headers()
        for _ in range(reply.blanks):
            handler.wfile.write(b" ")
            self.closing.wait(0.01)
        handler.wfile.write(reply.body)
