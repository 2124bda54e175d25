"""A TCP proxy on this machine that can simulate a network failure.

with Proxy(database.port) as proxy:  # connect to proxy.port
    proxy.freeze()  # connections stay open, clients can connect, but no data passes
    proxy.thaw()  # the waiting data passes
    proxy.cut()  # all connections close; new ones work
"""

from __future__ import annotations

import socket
from contextlib import suppress
from selectors import EVENT_READ, DefaultSelector
from threading import Thread
from typing import Self


class Proxy:
    """Forwards connections to a port, in a separate thread."""

    def __init__(self, port: int) -> None:
        self._target = port
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listener.getsockname()[1])
        self._mouth, self._ear = socket.socketpair()  # the thread executes the commands sent here
        self._peers: dict[socket.socket, socket.socket] = {}
        self._selector = DefaultSelector()
        for one in (self._listener, self._ear):
            self._selector.register(one, EVENT_READ)
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._say(b"e")
        self._thread.join()
        for one in (self._listener, self._mouth, self._ear, self._selector):
            one.close()

    def freeze(self) -> None:
        """Stop forwarding."""
        self._say(b"f")

    def thaw(self) -> None:
        """Forward again."""
        self._say(b"t")

    def cut(self) -> None:
        """Close all connections."""
        self._say(b"c")

    def _say(self, word: bytes) -> None:
        """Send a command to the thread, and wait until the thread has executed it."""
        self._mouth.sendall(word)
        assert self._mouth.recv(1) == word

    # In the thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        word = b""
        while word != b"e":
            ready = [key.fileobj for key, _ in self._selector.select()]
            if self._ear in ready:
                word = self._ear.recv(1)
                self._obey(word)
                self._ear.sendall(word)
                continue  # the ready sockets may be closed or frozen now
            for one in ready:
                assert isinstance(one, socket.socket)
                if one is self._listener:
                    self._accept()
                elif one in self._peers:
                    self._forward(one)

    def _obey(self, word: bytes) -> None:
        if word in (b"c", b"e"):
            for one in list(self._peers):
                self._close(one)
        for one in (self._listener, *self._peers):
            watched = one in self._selector.get_map()
            if word == b"f" and watched:
                self._selector.unregister(one)
            elif word == b"t" and not watched:
                self._selector.register(one, EVENT_READ)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        try:
            far = socket.create_connection(("127.0.0.1", self._target))
        except OSError:  # the target does not listen
            near.close()
            return
        self._peers |= {near: far, far: near}
        for one in (near, far):
            self._selector.register(one, EVENT_READ)

    def _forward(self, one: socket.socket) -> None:
        data = b""
        with suppress(OSError):
            data = one.recv(65536)
            self._peers[one].sendall(data)
        if not data:
            self._close(one)

    def _close(self, one: socket.socket) -> None:
        other = self._peers.pop(one, None)
        if other is None:
            return
        del self._peers[other]
        for end in (one, other):
            if end in self._selector.get_map():
                self._selector.unregister(end)
            end.close()
