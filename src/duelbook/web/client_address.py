"""Whoever asks, by address: what takes long is done for each in turn, so that nobody waits for one.

It is set for each request and each connection. What is begun for them has it, too: the computer's
answer to a move, for example.
"""

from __future__ import annotations

from contextvars import ContextVar

ASKER: ContextVar[str] = ContextVar("asker", default="")
"""The address that whatever runs now runs for; empty for the server itself."""
