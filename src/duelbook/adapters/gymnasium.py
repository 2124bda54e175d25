"""Gymnasium: one seat of a game, with a computer player in the other.

Importing this module registers every game as `duelbook/NameOfTheGame-v0`. Any other game has the
name `duelbook/Game-v0`: `gymnasium.make("duelbook/Game-v0", game="./my_game.py")`.
"""

from __future__ import annotations

from random import Random
from typing import Any, SupportsIndex

import gymnasium
import numpy as np
from numpy.typing import NDArray

from duelbook import players
from duelbook.adapters.arguments import (
    RENDER_MODES,
    check_limit,
    check_render_mode,
    check_seat,
    move_of,
    start_of,
)
from duelbook.adapters.spaces import Mask, action_space, mask, observation_space
from duelbook.catalog import registry
from duelbook.catalog.registry import game_of
from duelbook.chance import draw
from duelbook.encoding.observations import Observation, observer
from duelbook.errors import DuelbookError, IllegalMove
from duelbook.play.playthrough import Playthrough
from duelbook.position import CHANCE, PLY_LIMIT, Position

ANY_GAME = "duelbook/Game-v0"
Step = tuple[Observation, float, bool, bool, dict[str, Any]]


class DuelEnv(gymnasium.Env[Observation, SupportsIndex]):
    """A game from one seat, against a player in the other seat.

    `opponent` is a player or its name; it knows only the record of its seat. An illegal action
    loses the largest payoff. The environment truncates a game after `limit` plies, which
    include chance outcomes.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 1}

    def __init__(  # noqa: PLR0913 # all options of a game
        self,
        game: str | type[Position],
        *,
        opponent: str | players.MoveChooser = "random",
        seat: int = 0,
        first: int = 0,
        limit: int = PLY_LIMIT,
        render_mode: str | None = None,
    ) -> None:
        self.game = game_of(game)
        self._start = start_of(self.game, first)
        check_seat(seat)
        check_limit(limit)
        check_render_mode(render_mode)
        self.opponent = (
            players.make(opponent) if isinstance(opponent, str) else players.adapt(opponent)
        )
        self.seat, self.limit, self.render_mode = seat, limit, render_mode
        self.action_space = action_space(self.game)
        self.observation_space = observation_space(self.game)
        self._ended = True

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Start a game, and let chance and the opponent move until it is this seat's turn."""
        super().reset(seed=seed, options=options)
        self._random = Random(int(self.np_random.integers(2**63)))
        self._game, self._ended = Playthrough(self._start), False
        self._play_until_own_turn()
        return self._look()

    def step(self, action: SupportsIndex) -> Step:
        """Play an action, then let chance and the opponent move."""
        if self._ended:
            raise DuelbookError("No game is in progress: reset the environment.")
        move = move_of(self.game, action)
        if self._continues():  # else the game ended before the first action
            try:
                self._play(move)
            except IllegalMove as refusal:
                return self._forfeit(str(refusal))
            self._play_until_own_turn()
        outcome = self._game.position.outcome()
        self._ended = not self._continues()
        reward = outcome.payoffs[self.seat] if outcome else 0.0
        terminated = outcome is not None
        observation, info = self._look()
        return observation, reward, terminated, self._ended and not terminated, info

    def _forfeit(self, reason: str) -> Step:
        self._ended = True
        observation, info = self._look()
        lost = 0.0 - self.game.largest_payoff
        return observation, lost, True, False, info | {"illegal": reason}

    def _continues(self) -> bool:
        return len(self._game.moves) < self.limit and self._game.position.outcome() is None

    def _play_until_own_turn(self) -> None:
        while self._game.position.to_move != self.seat and self._continues():
            is_chance = self._game.position.to_move == CHANCE
            self._play(draw(self._game.position, self._random) if is_chance else self._answer())

    def _answer(self) -> str:
        """Return the opponent's move."""
        record = self._game.record(1 - self.seat, remembers=self.opponent.remembers)
        return self.opponent.choose_from_record(record, self._random)

    def _play(self, move: str) -> None:
        before, after = self._game.position, self._game.play(move)
        if self.render_mode == "human" and (text := before.tell(move, after)):
            print(text)  # noqa: T201 # the caller asked for it

    def _look(self) -> tuple[Observation, dict[str, Any]]:
        """Return this seat's observation and info; render it in human mode."""
        if self.render_mode == "human":
            self.render()
        observation = observer(self.game)(self._game.position, self.seat)
        return observation, {"action_mask": self._mask()}

    def _mask(self) -> Mask:
        can_move = (
            not self._ended and self._continues() and self._game.position.to_move == self.seat
        )
        return mask(self.game, self._game.position.moves() if can_move else ())

    def action_masks(self) -> NDArray[np.bool_]:
        """Return the action mask; MaskablePPO calls this method."""
        return self._mask().astype(np.bool_)

    def render(self) -> str | None:
        """Return or print this seat's view."""
        board = self._game.position.view(self.seat).board()
        if self.render_mode == "ansi":
            return board
        if self.render_mode == "human":
            print(board)  # noqa: T201 # the caller asked for it
        return None


def register() -> None:
    """Register all games that are not registered yet, and the name for other games."""
    entry_point = f"{__name__}:{DuelEnv.__name__}"
    for game in registry.list_games():
        name = "".join(word.capitalize() for word in game.slug.split("-"))
        if f"duelbook/{name}-v0" not in gymnasium.registry:
            gymnasium.register(f"duelbook/{name}-v0", entry_point, kwargs={"game": game.slug})
    if ANY_GAME not in gymnasium.registry:
        gymnasium.register(ANY_GAME, entry_point)


register()
