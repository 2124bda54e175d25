"""One file a game: a frozen class whose instances are positions, with its rules page beside it.

The package can be called: `duelbook.games()` lists the games.
"""

from __future__ import annotations

import sys
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:
    from duelbook.position import Position


class _Games(ModuleType):
    def __call__(self) -> tuple[type[Position], ...]:
        from duelbook import registry

        return registry.games()


sys.modules[__name__].__class__ = _Games
