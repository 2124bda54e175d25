"""A game of ours as OpenSpiel sees it, through its public interface, for its own solver."""

from __future__ import annotations

import copy
from typing import Any

import pyspiel
from open_spiel.python.algorithms import value_iteration

from duelbook import Position


def solve_with_openspiel(game: type[Position]) -> dict[str, float]:
    """Return OpenSpiel's value of every state to the first player."""
    values: dict[str, float] = value_iteration.value_iteration(
        _game_class(game)(), depth_limit=-1, threshold=0.01, cyclic_game=True
    )
    return values


def _game_class(game: type[Position]) -> type[Any]:
    kind = pyspiel.GameType
    game_type = kind(
        short_name=game.slug.replace("-", "_"),
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=kind.ChanceMode.DETERMINISTIC,
        information=kind.Information.PERFECT_INFORMATION,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=False,
        provides_observation_tensor=False,
        parameter_specification={},
    )
    info = pyspiel.GameInfo(
        num_distinct_actions=len(game.ACTIONS),
        max_chance_outcomes=0,
        num_players=2,
        min_utility=-1.0,
        max_utility=1.0,
        utility_sum=0.0,
        max_game_length=1000,
    )

    class State(pyspiel.State):  # type: ignore[misc] # OpenSpiel ships no types
        """A position behind OpenSpiel's interface."""

        def __init__(self, spiel: Any) -> None:  # noqa: ANN401 # as above
            super().__init__(spiel)
            self.position = game()

        def current_player(self) -> int:
            """Return the seat to move."""
            over = self.position.winner() is not None
            return int(pyspiel.PlayerId.TERMINAL) if over else self.position.to_move

        def _legal_actions(self, _: int) -> list[int]:
            return sorted(game.ACTIONS.index(move) for move in self.position.moves())

        def _apply_action(self, action: int) -> None:
            self.position = self.position.play(game.ACTIONS[action])

        def _action_to_string(self, _: int, action: int) -> str:
            return game.ACTIONS[action]

        def is_terminal(self) -> bool:
            """Whether the game is over."""
            return self.position.winner() is not None

        def returns(self) -> list[float]:
            """Return 1 for the winner and -1 for the loser."""
            winner = self.position.winner()
            return [0.0, 0.0] if winner is None else [1.0 - 2 * winner, 2.0 * winner - 1]

        def __str__(self) -> str:
            return repr(self.position)

        def __deepcopy__(self, memo: dict[int, object]) -> State:
            other = State(self.get_game())
            other.position = copy.deepcopy(self.position, memo)
            return other

    class Game(pyspiel.Game):  # type: ignore[misc] # as above
        """The game behind OpenSpiel's interface."""

        def __init__(self, parameters: dict[str, object] | None = None) -> None:
            super().__init__(game_type, info, parameters or {})

        def new_initial_state(self) -> State:
            """Return the start."""
            return State(self)

    pyspiel.register_game(game_type, Game)
    return Game
