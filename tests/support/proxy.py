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
        self._commands, self._receiver = (
            socket.socketpair()
        )  # the thread executes the commands sent here
        self._peers: dict[socket.socket, socket.socket] = {}
        self._selector = DefaultSelector()
        for sock in (self._listener, self._receiver):
            self._selector.register(sock, EVENT_READ)
        self._thread = Thread(target=self._run, daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._command(b"e")
        self._thread.join()
        for sock in (self._listener, self._commands, self._receiver, self._selector):
            sock.close()

    def freeze(self) -> None:
        """Stop forwarding."""
        self._command(b"f")

    def thaw(self) -> None:
        """Forward again."""
        self._command(b"t")

    def cut(self) -> None:
        """Close all connections."""
        self._command(b"c")

    def _command(self, command: bytes) -> None:
        """Send a command to the thread, and wait until the thread has executed it."""
        self._commands.sendall(command)
        assert self._commands.recv(1) == command

    # In the thread ------------------------------------------------------------------------------

    def _run(self) -> None:
        command = b""
        while command != b"e":
            ready = [key.fileobj for key, _ in self._selector.select()]
            if self._receiver in ready:
                command = self._receiver.recv(1)
                self._execute(command)
                self._receiver.sendall(command)
                continue  # the ready sockets may be closed or frozen now
            for sock in ready:
                assert isinstance(sock, socket.socket)
                if sock is self._listener:
                    self._accept()
                elif sock in self._peers:
                    self._forward(sock)

    def _execute(self, command: bytes) -> None:
        if command in (b"c", b"e"):
            for sock in list(self._peers):
                self._close(sock)
        for sock in (self._listener, *self._peers):
            watched = sock in self._selector.get_map()
            if command == b"f" and watched:
                self._selector.unregister(sock)
            elif command == b"t" and not watched:
                self._selector.register(sock, EVENT_READ)

    def _accept(self) -> None:
        near, _ = self._listener.accept()
        try:
            far = socket.create_connection(("127.0.0.1", self._target))
        except OSError:  # the target does not listen
            near.close()
            return
        self._peers |= {near: far, far: near}
        for sock in (near, far):
            self._selector.register(sock, EVENT_READ)

    def _forward(self, sock: socket.socket) -> None:
        data = b""
        with suppress(OSError):
            data = sock.recv(65536)
            self._peers[sock].sendall(data)
        if not data:
            self._close(sock)

    def _close(self, sock: socket.socket) -> None:
        peer = self._peers.pop(sock, None)
        if peer is None:
            return
        del self._peers[peer]
        for end in (sock, peer):
            if end in self._selector.get_map():
                self._selector.unregister(end)
            end.close()
