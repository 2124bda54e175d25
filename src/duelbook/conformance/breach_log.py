"""A log of breaches. It also runs the author's code, which may raise any error."""

from __future__ import annotations

import linecache
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

from duelbook.catalog.faults import error_text, line_of
from duelbook.conformance.report import Breach
from duelbook.conformance.rule_checks import Fault
from duelbook.position import Position


class AuthorCodeError(Exception):
    """The author's code raised an error, which the log has recorded."""


@dataclass
class Node:
    """A position, and the move that reached it."""

    position: Position
    first: int
    parent: Node | None = None
    move: str = ""

    def moves(self) -> tuple[str, ...]:
        """Return the moves from the start."""
        return () if self.parent is None else (*self.parent.moves(), self.move)


@dataclass
class BreachLog:
    """The shortest example of each kind of breach."""

    game: type[Position]
    breaches: dict[str, Breach] = field(default_factory=dict)

    def add(self, kind: str, text: str, node: Node | None) -> None:
        """Record a breach, unless the log has a breach of the same kind with fewer moves."""
        moves = node.moves() if node else ()
        known = self.breaches.get(kind)
        if known is None or len(moves) < len(known.moves):
            self.breaches[kind] = Breach(kind, text, moves, node.first if node else 0)

    def add_all(self, node: Node | None, faults: Iterable[Fault]) -> None:
        """Record faults as breaches."""
        for kind, text in faults:
            self.add(kind, text, node)

    def call(self, node: Node, code: Callable[..., Any], *arguments: object) -> Any:  # noqa: ANN401 # the author's code may return anything
        """Run the author's code; record any error with the line in the author's file."""
        try:
            return code(*arguments)
        except (Exception, SystemExit) as error:
            called = f"{code.__name__}({', '.join(map(repr, arguments))})"
            at = getattr(code, "__self__", node.position)  # often a view of the position
            self.add("raises", f"{called} raises {self.describe(error)} at {at!r}.", node)
            raise AuthorCodeError from error

    def describe(self, error: BaseException) -> str:
        """Return an error, and the line of the author's file that raised it."""
        file = getattr(sys.modules.get(self.game.__module__), "__file__", None)
        number = line_of(error, str(file))
        if number is None:
            return error_text(error)
        return (
            f"{error_text(error)} (line {number}: {linecache.getline(str(file), number).strip()})"
        )

    def sorted(self) -> tuple[Breach, ...]:
        """Return the breaches, sorted by their numbers of moves."""
        return tuple(sorted(self.breaches.values(), key=lambda breach: len(breach.moves)))
