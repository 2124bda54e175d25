"""PettingZoo's wrappers of turn-based games, with direct access to the state.

PettingZoo's own wrappers pass each attribute through all layers, dozens of times in a step. This
takes longer than everything else. These wrappers read the state directly and behave the same.
"""

from __future__ import annotations

from operator import attrgetter

from pettingzoo import AECEnv
from pettingzoo.utils import wrappers


class _Direct(wrappers.BaseWrapper):
    """A wrapper that reads attributes from the innermost environment, once it has been reset."""

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
    """A wrapper that ends the game after an illegal action, with a given reward for the agent."""


class AssertOutOfBounds(_Direct, wrappers.AssertOutOfBoundsWrapper):
    """A wrapper that refuses values that are not actions of the game."""


class OrderEnforcing(_Direct, wrappers.OrderEnforcingWrapper):
    """A wrapper that refuses an invalid order of calls, such as a step before a reset."""
