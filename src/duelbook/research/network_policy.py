"""A network as a policy; a network is any function of an observation."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from duelbook.catalog.registry import game_of
from duelbook.encoding.observations import Observation, observer
from duelbook.errors import DuelbookError
from duelbook.position import Position
from duelbook.research.policies import Chooser

Network = Callable[[Observation, NDArray[np.bool_]], ArrayLike]
"""A function from an observation and a mask to an action number, or a weight per action."""


def from_observation(game: type[Position] | str, network: Network) -> Chooser:
    """Return a policy that calls a network with the observation of the player to move.

    The policy ignores weights of illegal actions, and normalises the others.
    """
    chosen = game_of(game)
    observe = observer(chosen)

    def choose(view: Position) -> Mapping[str, float] | str:
        legal = view.moves()
        mask = np.isin(chosen.ACTIONS, legal)
        answer = np.asarray(network(observe(view, view.to_move), mask))
        if answer.shape == () and answer.dtype.kind in "iu":
            return _move(chosen, int(answer))
        return dict(zip(legal, _shares(chosen, answer, legal), strict=True))

    return choose


def _move(game: type[Position], action: int) -> str:
    if not 0 <= action < len(game.ACTIONS):
        raise DuelbookError(f"{game.title} has no action {action}.")
    return game.ACTIONS[action]


def _shares(game: type[Position], answer: NDArray[Any], legal: list[str]) -> list[float]:
    if answer.shape != (len(game.ACTIONS),) or answer.dtype.kind not in "fiub":
        raise DuelbookError(
            f"A network for {game.title} must return an action number or "
            f"{len(game.ACTIONS)} weights, one for each action."
        )
    weights = answer[[game.ACTIONS.index(move) for move in legal]].astype(np.float64)
    if not (np.isfinite(weights) & (weights >= 0)).all() or not weights.sum():
        raise DuelbookError("The weights must not be negative, and some legal action needs one.")
    shares: list[float] = (weights / weights.sum()).tolist()
    return shares
