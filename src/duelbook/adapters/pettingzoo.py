"""PettingZoo: a game as an AEC environment; its agents are the two seats."""

from __future__ import annotations

from random import Random
from typing import Any

from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from duelbook import secrecy
from duelbook.adapters.arguments import (
    RENDER_MODES,
    check_limit,
    check_render_mode,
    move_of,
    start_of,
)
from duelbook.adapters.spaces import action_space, mask, mask_space, observation_space
from duelbook.adapters.wrappers import AssertOutOfBounds, OrderEnforcing, TerminateIllegal
from duelbook.catalog.registry import game_of
from duelbook.chance import draw
from duelbook.encoding.observations import observer
from duelbook.position import CHANCE, PLY_LIMIT, Position

AGENTS = ["player_0", "player_1"]


def env(
    game: str | type[Position],
    *,
    first: int = 0,
    limit: int = PLY_LIMIT,
    render_mode: str | None = None,
) -> AECEnv:
    """Return the environment of a game.

    An illegal action ends the game, and its agent gets minus the largest payoff.
    """
    raw = raw_env(game, first=first, limit=limit, render_mode=render_mode)
    return OrderEnforcing(AssertOutOfBounds(TerminateIllegal(raw, -raw.game.largest_payoff)))


class raw_env(AECEnv):  # noqa: N801 # PettingZoo's name for it
    """A game without PettingZoo's wrappers: an illegal action raises an error with the reason.

    The environment truncates a game after `limit` plies. It draws chance outcomes itself.
    A copy continues from the position of the original, with the same random generator.
    """

    def __init__(
        self,
        game: str | type[Position],
        *,
        first: int = 0,
        limit: int = PLY_LIMIT,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.game = game_of(game)
        self._start = start_of(self.game, first)
        check_limit(limit)
        check_render_mode(render_mode)
        self.limit, self.render_mode = limit, render_mode
        self.metadata = {
            "name": f"duelbook_{self.game.slug.replace('-', '_')}_v0",
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 1,
        }
        self._random = Random()
        self.possible_agents = AGENTS[:]
        self.action_spaces = {agent: action_space(self.game) for agent in AGENTS}
        self.observation_spaces = {
            agent: spaces.Dict(
                observation=observation_space(self.game), action_mask=mask_space(self.game)
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:  # noqa: ARG002 # there are no options
        """Start a game; the same seed repeats its chance outcomes."""
        if seed is not None:
            self._random = Random(seed)
        self.agents, self.agent_selection = AGENTS[:], AGENTS[0]
        self.rewards = dict.fromkeys(AGENTS, 0.0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0.0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self._plies = 0
        self._set_position(self._start)

    def step(self, action: int | None) -> None:
        """Play an action for the agent to move; after the end, None removes the agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        move = move_of(self.game, action)
        if move not in self._moves:
            self._position.play(move)
        self._set_position(self._after(self._position, move))

    def _after(self, before: Position, move: str) -> Position:
        """Play a move: count it, print its message in mode `human`, and return the new position."""
        after = before.apply(move)
        self._plies += 1
        if self.render_mode == "human" and (text := before.tell(move, after)):
            print(text)  # noqa: T201 # the caller asked for it
        return after

    def _set_position(self, position: Position) -> None:
        moves = position.moves()
        while position.to_move == CHANCE and moves and self._plies < self.limit:
            position = self._after(position, draw(position, self._random))
            moves = position.moves()
        self._position, self._moves = position, moves
        if position.to_move != CHANCE:
            self.agent_selection = AGENTS[position.to_move]
        if not self._moves:
            self.terminations = dict.fromkeys(AGENTS, True)
            if outcome := position.outcome():
                self.rewards = dict(zip(AGENTS, outcome.payoffs, strict=True))
            self._accumulate_rewards()
        elif self._plies >= self.limit:
            self.truncations = dict.fromkeys(AGENTS, True)
        if self.render_mode == "human":
            self.render()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """Return an agent's observation and action mask."""
        position = self._position
        can_move = agent == self.agent_selection and not (
            self.terminations.get(agent, True) or self.truncations[agent]
        )
        return {
            "observation": observer(self.game)(position, AGENTS.index(agent)),
            "action_mask": mask(self.game, self._moves if can_move else ()),
        }

    def render(self) -> str | None:
        """Return or print the public view."""
        board = secrecy.public_view(self._position).board()
        if self.render_mode == "ansi":
            return board
        if self.render_mode == "human":
            print(board)  # noqa: T201 # the caller asked for it
        return None

    def close(self) -> None:
        """Do nothing: there is nothing to close."""
