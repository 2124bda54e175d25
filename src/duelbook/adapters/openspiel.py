"""OpenSpiel: importing this module registers every game as `duelbook_` and its slug."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import chain
from typing import Any, ClassVar, NamedTuple

import numpy as np
import pyspiel

from duelbook.catalog import registry
from duelbook.encoding.observations import observer
from duelbook.errors import DuelbookError
from duelbook.outcome import Outcome
from duelbook.position import CHANCE, PLY_LIMIT, Position, check_first
from duelbook.secrecy import Memory, keeps_secrets, view_key

DEFAULTS = {"first": 0, "limit": PLY_LIMIT}
"""The parameters: the seat that moves first, and the limit on plies."""
NUMBERS: dict[type[Position], dict[str, int]] = {}
"""The numbers of the actions of each game; chance outcomes are numbered separately."""
OVER = int(pyspiel.PlayerId.TERMINAL)
CHANCE_PLAYER = int(pyspiel.PlayerId.CHANCE)


def register(game: type[Position]) -> str:
    """Register a game with OpenSpiel, and return its name there."""
    kind = pyspiel.GameType
    is_chance = kind.ChanceMode.EXPLICIT_STOCHASTIC
    secret, open_ = kind.Information.IMPERFECT_INFORMATION, kind.Information.PERFECT_INFORMATION
    game_type = kind(
        short_name=f"duelbook_{game.slug.replace('-', '_')}",
        long_name=game.title,
        dynamics=kind.Dynamics.SEQUENTIAL,
        chance_mode=is_chance if game.CHANCE_MOVES else kind.ChanceMode.DETERMINISTIC,
        information=secret if keeps_secrets(game) else open_,
        utility=kind.Utility.ZERO_SUM,
        reward_model=kind.RewardModel.TERMINAL,
        max_num_players=2,
        min_num_players=2,
        provides_information_state_string=True,
        provides_information_state_tensor=False,  # a history has no fixed size
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification=DEFAULTS,
    )
    pairs = chain(enumerate(game.ACTIONS), enumerate(game.CHANCE_MOVES))
    NUMBERS[game] = {move: number for number, move in pairs}
    # A class: OpenSpiel releases it after Python has shut down, and releasing a function crashes.
    pyspiel.register_game(
        game_type, type(game.__name__, (OpenSpielGame,), {"of": game, "kind": game_type})
    )
    return str(game_type.short_name)


class OpenSpielGame(pyspiel.Game):
    """A Duelbook game as an OpenSpiel game."""

    of: ClassVar[type[Position]]
    kind: ClassVar[Any]

    def __init__(self, parameters: Mapping[str, int]) -> None:
        limit = parameters["limit"]
        if limit < 1:
            raise DuelbookError(f"The limit must be 1 ply or more, not {limit}.")
        start = self.of.start(parameters["first"])
        check_first(self.of, parameters["first"])
        self.start = _Moment.begin(start, limit)
        info = pyspiel.GameInfo(
            num_distinct_actions=len(self.of.ACTIONS),
            max_chance_outcomes=len(self.of.CHANCE_MOVES),
            num_players=2,
            min_utility=0.0 - self.of.largest_payoff,
            max_utility=float(self.of.largest_payoff),
            utility_sum=0.0,
            max_game_length=limit,
        )
        super().__init__(self.kind, info, dict(parameters))

    def new_initial_state(self) -> OpenSpielState:
        """Return the start."""
        return OpenSpielState(self)

    def max_chance_nodes_in_history(self) -> int:
        """Return the maximum number of chance nodes in a game; they count as plies."""
        return self.max_game_length() if self.of.CHANCE_MOVES else 0

    def __reduce__(self) -> tuple[Callable[[str], OpenSpielGame], tuple[str]]:
        return _load, (str(self),)

    def make_py_observer(
        self,
        kind: pyspiel.IIGObservationType | None = None,
        params: Mapping[str, object] | None = None,
    ) -> OpenSpielObserver:
        """Return an observer of states: a seat's view, or its information state."""
        kind = kind or pyspiel.IIGObservationType(perfect_recall=False)
        is_own = kind.public_info and kind.private_info == pyspiel.PrivateInfoType.SINGLE_PLAYER
        if params or not is_own:
            raise DuelbookError(
                "An observation must contain public and own private information only."
            )
        return OpenSpielObserver(self.of, kind.perfect_recall)


def _load(text: str) -> OpenSpielGame:
    """Load a game while unpickling in any process; importing this module registers it."""
    game: OpenSpielGame = pyspiel.load_game(text)
    return game


Step = tuple[Position, str, Position]


class _Past:
    """A seat's memory, computed on first use, because few algorithms need it."""

    __slots__ = ("known",)

    def __init__(self, known: Memory | tuple[_Past, Step]) -> None:
        self.known = known
        """The memory; before its first use, the earlier past and the step after it."""

    def memory(self) -> Memory:
        """Return the memory; store the earlier memories too, because other states share them."""
        past, way = self, list[tuple[_Past, Step]]()
        while isinstance(past.known, tuple):
            before, step = past.known
            way.append((past, step))
            past = before
        memory = past.known
        for later, step in reversed(way):
            memory = later.known = memory.after(*step)
        return memory


class _Moment(NamedTuple):
    """The immutable state of a game, which copies can share."""

    position: Position
    plies_left: int
    outcome: Outcome | None
    player: int
    pasts: tuple[_Past, _Past] | None
    """The pasts of both seats, in a game with secrets."""

    @classmethod
    def begin(cls, start: Position, limit: int) -> _Moment:
        pasts = (_Past(Memory.begin(start, 0)), _Past(Memory.begin(start, 1)))
        return cls.at(start, limit, pasts if keeps_secrets(type(start)) else None)

    @classmethod
    def at(cls, position: Position, plies_left: int, pasts: tuple[_Past, _Past] | None) -> _Moment:
        outcome = position.outcome()
        mover = CHANCE_PLAYER if position.to_move == CHANCE else position.to_move
        player = mover if outcome is None and plies_left else OVER
        return cls(position, plies_left, outcome, player, pasts)

    def after(self, move: str) -> _Moment:
        position, pasts = self.position.apply(move), self.pasts
        if pasts:
            step = (self.position, move, position)
            pasts = (_Past((pasts[0], step)), _Past((pasts[1], step)))
        return _Moment.at(position, self.plies_left - 1, pasts)

    def __deepcopy__(self, _: dict[int, Any]) -> _Moment:
        return self


class OpenSpielState(pyspiel.State):
    """A position, the plies before it, and the seats' memories."""

    def __init__(self, game: OpenSpielGame) -> None:
        super().__init__(game)
        self._now = game.start

    @property
    def position(self) -> Position:
        """The full position, including values that are hidden from the player to move."""
        return self._now.position

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance."""
        return self._now.player

    def is_terminal(self) -> bool:
        """Return whether the game is over or has reached its limit."""
        return self._now.player == OVER

    def returns(self) -> list[float]:
        """Return the payoffs: 1 for a win and -1 for a loss, unless the game has scores."""
        outcome = self._now.outcome
        return list(outcome.payoffs) if outcome else [0.0, 0.0]

    def legal_actions(self, player: int | None = None) -> list[int]:
        """Return the legal actions directly, because `_legal_actions` is slower."""
        is_mover = player in (None, self._now.player) and not self.is_terminal()
        return self._legal_actions(self._now.player) if is_mover else []

    def _legal_actions(self, _: int) -> list[int]:
        position = self._now.position
        numbers = NUMBERS[type(position)]
        return sorted([numbers[move] for move in position.moves()])

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the chance outcomes, and the exact probability of each."""
        odds = self._now.position.odds()
        numbers, total = NUMBERS[type(self._now.position)], sum(odds.values())
        return sorted((numbers[move], weight / total) for move, weight in odds.items())

    def _apply_action(self, action: int) -> None:
        self._now = self._now.after(self._action_to_string(self._now.player, action))

    def _action_to_string(self, player: int, action: int) -> str:
        position = self._now.position
        return (position.CHANCE_MOVES if player == CHANCE_PLAYER else position.ACTIONS)[action]

    def __str__(self) -> str:
        return repr(self._now.position)  # with the history, algorithms would not terminate

    def __deepcopy__(self, _: dict[int, Any]) -> OpenSpielState:
        copy: OpenSpielState = self.clone()
        return copy

    def information_state_of(self, seat: int) -> str:
        """Return the information state of a seat."""
        position, pasts = self._now.position, self._now.pasts
        if pasts:
            return pasts[seat].memory().information(position.view(seat))
        moves = [self._action_to_string(step.player, step.action) for step in self.full_history()]
        return " | ".join((*moves, view_key(position)))


class OpenSpielObserver:
    """A seat's view as a tensor and a string, or its information state as a string."""

    def __init__(self, game: type[Position], remembers: bool) -> None:
        self._remembers = remembers
        self._observe = None if remembers else observer(game)
        self.tensor = np.zeros(self._observe.size, np.float32) if self._observe else None
        self.dict = {} if self.tensor is None else {"observation": self.tensor}

    def set_from(self, state: OpenSpielState, seat: int) -> None:
        """Set the tensor to a seat's observation."""
        if self._observe and self.tensor is not None:
            self.tensor[:] = self._observe(state.position, seat)

    def string_from(self, state: OpenSpielState, seat: int) -> str:
        """Return a seat's view or information state."""
        return (
            state.information_state_of(seat)
            if self._remembers
            else view_key(state.position.view(seat))
        )


for _game in registry.list_games():
    register(_game)
