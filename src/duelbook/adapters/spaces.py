"""The spaces of actions and observations, and action masks."""

from __future__ import annotations

from collections.abc import Collection

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from duelbook.encoding.observations import observer
from duelbook.position import Position

Mask = NDArray[np.int8]


class Actions(spaces.Discrete):
    """A faster `Discrete` with the same behaviour."""

    def sample(self, mask: Mask | None = None, probability: Mask | None = None) -> np.int64:
        """Return a random action, or one that a mask allows."""
        if probability is not None:
            return super().sample(mask, probability)
        if mask is None or mask.dtype != np.int8 or mask.shape != (self.n,):
            return super().sample(mask)
        legal = mask.nonzero()[0]
        return legal[self.np_random.integers(len(legal))] if len(legal) else self.start

    def contains(self, x: object) -> bool:
        """Return whether a value is an action."""
        return bool(0 <= x < self.n) if isinstance(x, np.int64) else super().contains(x)


def action_space(game: type[Position]) -> Actions:
    """Return the action space of a game."""
    return Actions(len(game.ACTIONS))


def observation_space(game: type[Position]) -> spaces.Box[np.float32]:
    """Return the observation space of a game."""
    return spaces.Box(0, 1, (observer(game).size,), np.float32)


def mask_space(game: type[Position]) -> spaces.Box[np.int8]:
    """Return the space of a game's action masks."""
    return spaces.Box(0, 1, (len(game.ACTIONS),), np.int8)


def mask(game: type[Position], moves: Collection[str]) -> Mask:
    """Return the action mask of some moves: 1 for each of them, 0 for every other action."""
    among = set(moves).__contains__
    return np.frombuffer(bytearray(map(among, game.ACTIONS)), np.int8)  # fast, and writable
