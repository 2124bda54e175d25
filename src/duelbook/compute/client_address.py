"""The client address that the current task works for.

Long computations take the addresses in turn, so that no address waits for another. The address is
set for each request and each connection. Tasks that they start inherit it, for example the
computer's reply to a move.
"""

from __future__ import annotations

from contextvars import ContextVar

CLIENT_ADDRESS: ContextVar[str] = ContextVar("client_address", default="")
"""The address that the current task runs for; empty for the server itself."""
