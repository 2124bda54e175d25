"""PettingZoo's wrappers of turn-based games, with a short way to the state.

Theirs ask one another, from the outermost inwards, dozens of times in a step, and that takes
longer than all the rest. These look where the state is. What they do with it is the same.
"""

from __future__ import annotations

from operator import attrgetter

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers


class _Direct(wrappers.BaseWrapper):
    """Reads what PettingZoo's wrappers would pass on; before a reset there is nothing to read."""

    def __init__(self, env: AECEnv, *arguments: float) -> None:
        super().__init__(env, *arguments)
        self._state = env.unwrapped

    agents = property(attrgetter("_state.agents"))
    agent_selection = property(attrgetter("_state.agent_selection"))
    terminations = property(attrgetter("_state.terminations"))
    truncations = property(attrgetter("_state.truncations"))
    rewards = property(attrgetter("_state.rewards"))
    _cumulative_rewards = property(attrgetter("_state._cumulative_rewards"))
    infos = property(attrgetter("_state.infos"))

    def __str__(self) -> str:
        return str(self._state)


class TerminateIllegal(_Direct, wrappers.TerminateIllegalWrapper):
    """Ends the game when an action is illegal, and the agent gets the reward for that."""


class AssertOutOfBounds(_Direct, wrappers.AssertOutOfBoundsWrapper):
    """Refuses what is not an action of the game."""


class OrderEnforcing(_Direct, wrappers.OrderEnforcingWrapper):
    """Refuses calls in an order that makes no sense, such as a step before the first reset."""
