"""Gym-style environments: turn another author's class into a game.

A position is a snapshot of the object's attributes. Each move runs on a fresh copy of the object.
"""

from __future__ import annotations

import io
import random
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, redirect_stdout
from dataclasses import dataclass, field, make_dataclass, replace
from functools import cache
from inspect import cleandoc
from itertools import pairwise
from pathlib import Path
from types import ModuleType
from typing import ClassVar, Protocol, Self

import numpy as np

from duelbook.catalog.faults import error_text
from duelbook.catalog.gym import snapshots
from duelbook.errors import DuelbookError, UnknownGame
from duelbook.position import DRAW, Draw, Position, player
from duelbook.scene import Scene

LEGAL = ("valid_moves", "legal_moves", "valid_actions", "legal_actions")
TURN = ("current_player", "player", "turn", "to_move", "current_turn", "player_turn")
OTHERS = {0: (0, 1), 1: (1, 0, 2, -1), 2: (2, 1), -1: (-1, 1)}
"""The possible values of the attribute for the player to move, by its value at the start."""
GENERIC = {"", "custom", "game", "my", "two player", "board game", "custom game"}
ACCEPTED, CHANGES, ENDS = "accepts it", "changes the state", "ends the game"
RAISES, IGNORED, REFUSED = "raises", "ignores it", "refuses it"
WORST_FIRST = (ACCEPTED, CHANGES, RAISES, IGNORED, ENDS, REFUSED)
"""The possible reactions to an invalid move, worst first."""
MAX_POSITIONS = 200_000
MAX_ACTIONS = 1 << 16
COMPARED_PLIES = 40  # the object and its copies both play them
CLAIMS = """
## What is checked

- ENV-C1 Every position has a move or a winner. `always-a-move`
- ENV-C2 Every terminal position has a winner by a positive reward. `no-draws`
- ENV-C3 No game is endless. `ends`
- ENV-C4 Neither player can force a win. `balanced`
"""


class GymObject(Protocol):
    """The methods that another author's object must have."""

    def step(self, action: int) -> object:
        """Make a move; return an observation, a reward, a flag for the end, and an info."""

    def render(self) -> object:
        """Return the board as text, or print it."""


def is_environment(kind: object) -> bool:
    """Return whether a value is a class with `reset`, `step` and a list of valid moves."""
    return isinstance(kind, type) and all(
        callable(getattr(kind, name, None)) for name in ("reset", "step", legal_name(kind))
    )


def legal_name(kind: type) -> str:
    """Return the name of a class's method for valid moves."""
    return next((name for name in LEGAL if hasattr(kind, name)), LEGAL[0])


@dataclass(frozen=True, slots=True)
class Environment(Position):
    """A position of a game that another author's class implements."""

    kind: ClassVar[type]
    module: ClassVar[ModuleType]
    constants: ClassVar[dict[str, object]]
    """Attributes outside the snapshots, such as spaces; all copies share them."""
    turn_attribute: ClassVar[str]
    first_value: ClassVar[object]
    offset: ClassVar[int]
    """The number of the first action."""
    draws_numbers: ClassVar[bool]
    max_positions: ClassVar[int | None] = MAX_POSITIONS

    state: str = ""
    first: int = 0
    reward: int | None = None
    """The sign of the reward that ended the game."""
    won: int | None = None

    @classmethod
    def start(cls, first: int = 0) -> Self:
        """Return the start, in which the player to move has the given seat."""
        return replace(super(Environment, cls).start(first), first=first)

    def moves(self) -> list[str]:
        """Return the valid moves, by action number."""
        if self.reward is not None:
            return []
        return [self.ACTIONS[number] for number in self.valid()]

    def valid(self) -> list[int]:
        """Return the indices in ACTIONS of the valid moves."""
        name = legal_name(self.kind)
        with self._guarded(f"{name}()"):
            listed = getattr(self.copy(), name)()
            numbers = sorted({int(action) - self.offset for action in listed})
        if numbers and (numbers[0] < 0 or numbers[-1] >= len(self.ACTIONS)):
            raise DuelbookError(f"{self.title}: {name}() lists actions that do not exist.")
        return numbers

    def apply(self, move: str) -> Self:
        """Return the position after a move."""
        return self.after(self.ACTIONS.index(move))

    def after(self, number: int) -> Self:
        """Return the position after an action, valid or not."""
        return self.stepped(self.copy(), number)

    def stepped(self, copy: GymObject, number: int) -> Self:
        """Let an object in this position make an action; return the position after it."""
        reward, over = self._step(copy, number)
        mover, sign, attributes = self.to_move, (reward > 0) - (reward < 0), self._attributes(copy)
        return replace(
            self,
            to_move=self._seat(attributes[self.turn_attribute])
            if self.turn_attribute
            else 1 - mover,
            state=_snapshot(self.title, attributes, self.module),
            reward=sign if over else None,
            won=None if not over or not sign else mover if sign > 0 else 1 - mover,
        )

    def answer_to(self, number: int) -> str:
        """Return the reaction of the class to an invalid action."""
        copy = self.copy()
        try:
            reward, over = self._step(copy, number)
            changed = _snapshot(self.title, self._attributes(copy), self.module) != self.state
        except DuelbookError:
            return RAISES
        if over:
            return ENDS if reward < 0 else ACCEPTED
        if changed:
            return CHANGES if reward < 0 else ACCEPTED
        return REFUSED if reward < 0 else IGNORED

    def _step(self, copy: GymObject, number: int) -> tuple[float, bool]:
        action = number + self.offset
        with self._guarded(f"step({action})"):
            return _reward_and_end(copy.step(action))

    def _attributes(self, copy: GymObject) -> dict[str, object]:
        return {name: item for name, item in vars(copy).items() if name not in self.constants}

    def _seat(self, value: object) -> int:
        value = value.item() if isinstance(value, np.generic) else value
        known = OTHERS.get(self.first_value) if type(self.first_value) is int else None
        if known and value not in known:
            raise DuelbookError(f"{self.title}: {self.turn_attribute} is {value!r:.20}.")
        return self.first if value == self.first_value else 1 - self.first

    def copy(self) -> GymObject:
        """Return a fresh object in this position."""
        copy: GymObject = object.__new__(self.kind)
        vars(copy).update(self.constants)
        vars(copy).update(snapshots.from_text(self.state, self.module))
        return copy

    def _guarded(self, what: str, out: io.StringIO | None = None) -> AbstractContextManager[None]:
        return _guarded(self.title, what, seeded=self.draws_numbers, out=out)

    def winner(self) -> int | Draw | None:
        """Return the winner: the last mover after a positive reward, the other after a negative.

        The game is a draw after a reward of 0.
        """
        return DRAW if self.reward is not None and self.won is None else self.won

    def ruling(self) -> str:
        """Return the assumption that decides a terminal position with a negative reward."""
        return "the reading of a negative reward as a loss" if self.reward == -1 else ""

    def tell(self, move: str, after: Self) -> str:
        """Return the text of a move."""
        text = super(Environment, self).tell(move, after)
        if after.reward is None:
            return text
        return f"{after.board()}\n{text}"

    def turn(self) -> str:
        """Return the text that opens a turn: the board."""
        return f"{self.board()}\n{super(Environment, self).turn()}"

    def board(self) -> str:
        """Return the output of `render`, or else the attributes."""
        out = io.StringIO()
        try:
            with self._guarded("render()", out):
                shown = self.copy().render()
        except DuelbookError:
            shown = None
        text = shown if isinstance(shown, str) else out.getvalue()
        return text.strip("\n") or self.state

    def scene(self) -> Scene:
        """Return an empty picture, because the text already shows the board."""
        return ()

    @classmethod
    def rules_page(cls) -> str:
        """Return the page beside the file or the class's docstring, and the assumptions."""
        page = super(Environment, cls).rules_page().rstrip()
        return page if re.search(r"^- [A-Z]+-C\d", page, re.MULTILINE) else f"{page}\n{CLAIMS}"


# Calling other people's code --------------------------------------------------------------------


@contextmanager
def _guarded(
    title: str, what: str, *, seeded: bool, out: io.StringIO | None = None
) -> Iterator[None]:
    """Suppress a call's output, reset the random generators, and report its errors."""
    before = (random.getstate(), np.random.get_state()) if seeded else None
    if before:
        random.seed(snapshots.SEED)
        np.random.seed(snapshots.SEED)
    try:
        with redirect_stdout(out or io.StringIO()):
            yield
    except (DuelbookError, MemoryError):
        raise
    except (Exception, SystemExit) as error:
        raise DuelbookError(f"{title}: {what} raises {error_text(error)}.") from error
    finally:
        if before:
            random.setstate(before[0])
            np.random.set_state(before[1])


def _reward_and_end(answer: object) -> tuple[float, bool]:
    """Return the reward in the result of `step`, and whether the game is over."""
    if not isinstance(answer, tuple) or len(answer) not in (4, 5):
        raise TypeError("not an observation, a reward, one or two flags for the end, and an info")
    _, reward, *over, _ = answer
    return float(reward), any(map(bool, over))


def _snapshot(title: str, attributes: dict[str, object], module: ModuleType) -> str:
    try:
        return snapshots.to_text(attributes, module)
    except (DuelbookError, RecursionError):
        for name, value in sorted(attributes.items()):
            try:
                snapshots.to_text({name: value}, module)
            except DuelbookError as error:
                raise DuelbookError(
                    f"{title}: the attribute {name} cannot be copied. {error}"
                ) from error
            except RecursionError as error:
                raise DuelbookError(f"{title}: {name} is nested too deeply.") from error
        raise


# The game class ---------------------------------------------------------------------------------


@cache
def game_from(kind: type) -> type[Position]:
    """Return a Gym-style class as a game."""
    module = sys.modules[kind.__module__]
    file = Path(module.__file__ or "game.py")
    source = file.read_text(encoding="utf-8", errors="replace")
    title = _title(kind, file)
    draws_numbers = "random" in source

    with _guarded(title, f"{kind.__name__}()", seeded=draws_numbers):
        original = kind()
    with _guarded(title, "reset()", seeded=draws_numbers):
        original.reset()
    if not hasattr(original, "__dict__"):
        raise UnknownGame(f"{title}: its state is not in its attributes.")
    constants = {name: item for name, item in vars(original).items() if _is_constant(item)}
    attributes = {name: item for name, item in vars(original).items() if name not in constants}
    turn_attribute = next((name for name in TURN if name in attributes), "")
    value = attributes.get(turn_attribute)
    number, offset = _actions(title, original)
    game = make_dataclass(
        kind.__name__,
        [("state", str, field(default=_snapshot(title, attributes, module)))],
        bases=(Environment,),
        frozen=True,
        slots=True,
        namespace={
            "__doc__": cleandoc(kind.__doc__ or f"A game from {file.name}."),
            "__module__": module.__name__,
            "ACTIONS": _names(file, number),
            "title": title,
            "kind": kind,
            "module": module,
            "constants": constants,
            "turn_attribute": turn_attribute,
            "first_value": value.item() if isinstance(value, np.generic) else value,
            "offset": offset,
            "draws_numbers": draws_numbers,
            "assumptions": _assumptions(kind, turn_attribute, draws_numbers=draws_numbers),
        },
    )
    if not draws_numbers:
        _compare(game, original)
    return game


def _title(kind: type, file: Path) -> str:
    """Return the name of the class as words, or that of the file if the class name is generic."""
    words = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|_", " ", kind.__name__)
    words = re.sub(r"\s*\b(Gym|Env|Environment)$", "", words).strip()
    if words.lower() in GENERIC:
        return file.stem.replace("_", " ").replace("-", " ").strip().capitalize()
    return words


def _is_constant(value: object) -> bool:
    kind = type(value)
    is_space = any(base.__name__ == "Space" for base in kind.__mro__)
    return (
        is_space or kind.__name__ == "EnvSpec" or isinstance(value, ModuleType) or callable(value)
    )


def _actions(title: str, original: object) -> tuple[int, int]:
    """Return the number of actions, and the number of the first one."""
    space = getattr(original, "action_space", None)
    number, offset = getattr(space, "n", None), getattr(space, "start", 0)
    if number is None or not 0 < int(number) <= MAX_ACTIONS:
        raise UnknownGame(f"{title}: its action_space is not a Discrete of 1 to {MAX_ACTIONS:,}.")
    return int(number), int(offset)


def _names(file: Path, number: int) -> tuple[str, ...]:
    """Return the names of the moves: the lines of a file beside the class, or numbers."""
    beside = file.with_suffix(".moves.txt")
    if not beside.is_file():
        return tuple(f"move {at}" for at in range(number))
    names = [" ".join(line.lower().split()) for line in beside.read_text("utf-8").splitlines()]
    spelled = sorted(name.split() for name in names)
    if len(names) != number or any(after[: len(name)] == name for name, after in pairwise(spelled)):
        raise UnknownGame(
            f"{beside.name} must name {number} moves, one per line, none a prefix of another."
        )
    return tuple(names)


def _assumptions(kind: type, turn_attribute: str, *, draws_numbers: bool) -> tuple[str, ...]:
    first = player(0)
    listed = [
        f"{turn_attribute} says who is to move: {first} while it has its value from the start."
        if turn_attribute
        else "No attribute says who is to move, so turns alternate.",
        "The player who moved wins with a positive reward at the end, and loses with a negative "
        "one; reward 0 at the end is a draw. Rewards before the end are ignored.",
        "The object's attributes contain the whole state: other results of step and reset "
        "are ignored, and both players see everything.",
        f"The moves are those that {legal_name(kind)}() lists.",
    ]
    if draws_numbers:
        listed.append(
            "Random events have one outcome: every random generator is reset at each move."
        )
    return tuple(listed)


def _compare(game: type[Environment], original: GymObject) -> None:
    """Refuse a class whose copies play differently from the original."""
    position, draw = game(), random.Random(snapshots.SEED)
    for _ in range(COMPARED_PLIES):
        numbers = [] if position.reward is not None else position.valid()
        if not numbers:
            return
        number = draw.choice(numbers)
        try:
            after = position.after(number)
        except DuelbookError:
            return  # `duelbook check` finds such faults
        if position.stepped(original, number) != after:
            raise UnknownGame(
                f"{game.title}: a copy plays differently from the original, so it stores "
                "part of its state outside its attributes."
            )
        position = after


def environments_in(module: ModuleType) -> dict[str, Callable[[], type[Position]]]:
    """Return the Gym-style classes of a module, except base classes of other such classes."""
    kinds: Sequence[type] = [
        kind
        for kind in vars(module).values()
        if is_environment(kind) and kind.__module__ == module.__name__
    ]
    leaves = [
        k for k in kinds if not any(k is not other and issubclass(other, k) for other in kinds)
    ]
    return {kind.__name__: lambda kind=kind: game_from(kind) for kind in leaves}  # type: ignore[misc]
