"""`Position`: a game is a frozen class, and a position is an instance of the class."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar

from duelbook.default_scene import shapes_of, value_text
from duelbook.errors import DuelbookError, IllegalMove, InvalidMove
from duelbook.hidden import HIDDEN, Hidden
from duelbook.listener import BOOK, Listener
from duelbook.outcome import DRAW, Draw, Outcome
from duelbook.scene import Scene, Text

if TYPE_CHECKING:
    from duelbook.ranges import Range

__all__ = [
    "BOOK",
    "CHANCE",
    "DRAW",
    "HIDDEN",
    "PLY_LIMIT",
    "Draw",
    "Hidden",
    "Listener",
    "Outcome",
    "Position",
    "check_first",
    "check_move",
    "count",
    "decode_value",
    "encode_value",
    "has_scores",
    "is_evident_from_views",
    "next_words",
    "player",
    "put",
    "result_text",
    "value_text",
    "without_prompt",
]

T = TypeVar("T")
CHANCE = 2
"""The value of `to_move` at a chance node; the seats are 0 and 1."""
PLY_LIMIT = 1000
"""The default limit on the plies of a game between programs; some games are endless."""


@dataclass(frozen=True, slots=True)
class Position:
    """A position of a two-player game, with the rules and the text of the game.

    A game is a frozen, slotted dataclass derived from this one. Its fields hold integers,
    strings, booleans, None, HIDDEN and tuples of these. Every field has a default, so that `Game()`
    is the start. A game defines `ACTIONS`, `moves`, `apply` and `winner`; everything else has a
    default. A move is one or more lower-case words, and no move is a prefix of another.

    At a chance node, `to_move` is CHANCE and `moves` returns the chance outcomes.
    """

    title: ClassVar[str]
    slug: ClassVar[str]
    ACTIONS: ClassVar[tuple[str, ...]]
    """All moves of the players; the index of a move is its action number."""
    CHANCE_MOVES: ClassVar[tuple[str, ...]] = ()
    """All moves of chance, such as `roll 4`; a game without chance has none."""
    ALIASES: ClassVar[Mapping[str, str]] = {}
    """Other answers for a word of a move; an answer that is itself an option is no alias."""
    RANGES: ClassVar[Mapping[str, Range]] = {}
    """The possible values of each field: see `ranges`."""
    player_1_starts: ClassVar[bool] = False
    """True if the rules say that Player 1 starts."""
    largest_payoff: ClassVar[float] = 1.0
    """The largest payoff of a game with scores."""
    assumptions: ClassVar[tuple[str, ...]] = ()
    """Assumptions about unstated rules, one sentence each."""
    max_positions: ClassVar[int | None] = None
    """The maximum number of positions to enumerate, for a game whose size is unknown."""
    vectors: ClassVar[str] = ""
    """The name of a module with the same rules over arrays, for a game with many positions."""

    to_move: int = 0

    def __init_subclass__(cls) -> None:
        if "play" in cls.__dict__:
            raise DuelbookError(
                f"{cls.__name__} defines `play`, which checks a move first: call it `apply`."
            )
        if "title" not in cls.__dict__:
            cls.title = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", " ", cls.__name__)
        cls.slug = "-".join(re.findall(r"[a-z0-9]+", cls.title.lower().replace("'", "")))

    # Rules ----------------------------------------------------------------------------------

    @classmethod
    def start(cls, first: int = 0) -> Self:
        """Return the start of a game in which the given seat moves first.

        A game that begins with chance overrides this method or sets `player_1_starts`.
        """
        if first not in (0, 1):
            raise DuelbookError(f"The first seat must be 0 or 1, not {first!r}.")
        start = cls()
        return start if start.to_move == CHANCE else cls(to_move=first)

    def moves(self) -> list[str]:
        """Return the legal moves; the list is empty exactly in terminal positions."""
        raise NotImplementedError

    def odds(self) -> Mapping[str, int]:
        """Return the weight of each chance outcome; by default all have the same weight."""
        return dict.fromkeys(self.moves(), 1)

    def apply(self, move: str) -> Self:
        """Return the position after a legal move; do not check the move. A view may raise."""
        raise NotImplementedError

    def play(self, move: str) -> Self:
        """Return the position after a move, or refuse the move with the reason."""
        check_move(self, move)
        return self.apply(move)

    def winner(self) -> int | Draw | None:
        """Return the seat that has won, DRAW if nobody has, or None while the game continues.

        A game with scores need not define this method: the player with a positive payoff has won.
        """
        if not has_scores(type(self)):
            raise NotImplementedError
        payoff = self.payoff()
        if payoff is None:
            return None
        return 0 if payoff > 0 else 1 if payoff < 0 else DRAW

    def payoff(self) -> float | None:
        """Return the amount that Player 2 pays to Player 1, or None while the game continues.

        A game with scores defines this method and `largest_payoff`.
        """
        winner = self.winner()
        if winner is None:
            return None
        return 0 if winner is DRAW else 1 - 2 * winner

    def outcome(self) -> Outcome | None:
        """Return the outcome of the game, or None while it continues."""
        winner = self.winner()
        if winner is None:
            return None
        paid = self.payoff() if has_scores(type(self)) else None
        won = None if winner is DRAW else winner
        return Outcome(won, "ruling" if self.ruling() else "rules", paid)

    def ruling(self) -> str:
        """Return the id of the ruling that decides this terminal position, or an empty string."""
        return ""

    def view(self, seat: int) -> Self:  # noqa: ARG002 # without secrets, both seats have the same view
        """Return the position with HIDDEN in place of everything that this seat may not know.

        `view` must also work on a view, for either seat.
        """
        return self

    # Text -----------------------------------------------------------------------------------

    def welcome(self) -> str:
        """Return the text before the first turn."""
        return f"Welcome to {self.title}!"

    def turn(self) -> str:
        """Return the text that opens a turn, or an empty string if the turn continues."""
        return "" if self.to_move == CHANCE else f"{player(self.to_move)}'s turn."

    def ask(self, words: tuple[str, ...]) -> str:
        """Return the question for the next word of a move; empty if no question is needed."""
        options = next_words(self.moves(), words)
        if len(options) == 1 and options[0].isalpha():
            return ""
        return f"Enter your move ({', '.join(options)}): "

    def hear(self, words: tuple[str, ...]) -> str:  # noqa: ARG002 # most books say nothing here
        """Return the reply to the public words of a move so far; front ends show it once."""
        return ""

    def tell(self, move: str, after: Self) -> str:
        """Return the text of a move; for a hidden choice, only facts that both seats may know."""
        lines = [self.tell_to(BOOK, move, after)]
        if outcome := after.outcome():
            lines.append(result_text(outcome))
        return "\n".join(filter(None, lines))

    def why_not(self, words: tuple[str, ...]) -> str:  # noqa: ARG002 # for games that say more
        """Return the reason why no legal move starts with these words, although some action does.

        Do not repeat the words of a hidden choice in the reason.
        """
        return "That move is not allowed here."

    # Text for one listener -------------------------------------------------------------------
    #
    # The terminal prints the text above. The browser shows the text below, which says `you`.

    def tell_to(self, listener: Listener, move: str, after: Self) -> str:
        """Return one or two sentences about a move: only facts that the listener may know."""
        known = self._is_known_to(listener.seat, move, after)
        if self.to_move == CHANCE:
            return f"{move.capitalize()}." if known else ""
        mover = listener.who(self.to_move)
        return f"{mover.opens('play')} {move}." if known else f"{mover.opens('have')} chosen."

    def _is_known_to(self, seat: int | None, move: str, after: Self) -> bool:
        """Return whether a seat, or the public, may know a move.

        The public knows a player's move if the opponent knows it. The public knows a chance outcome
        if both seats know it.
        """
        if seat is None and self.to_move == CHANCE:
            return after.view(0).view(1) == after
        seat = 1 - self.to_move if seat is None else seat
        look, known = after.view(seat), self.view(seat)
        if self.to_move == seat or look == after:
            return True
        return known != self and is_evident_from_views(known, move, look, seat)

    def why_won(self, listener: Listener, winner: int) -> str:
        """Return a sentence that says who has won this terminal position, and why.

        The position is the listener's view. It may have HIDDEN values even at the end.
        """
        return f"{listener.who(winner).opens('win')}."

    def question(self, words: tuple[str, ...]) -> str:
        """Return the question of `ask` for its reader, without the player's name and the prompt."""
        question = without_prompt(self.ask(words)).removeprefix(f"{player(self.to_move)}, ")
        return question[:1].upper() + question[1:]

    def why_not_to(self, listener: Listener, words: tuple[str, ...]) -> str:  # noqa: ARG002 # most reasons name nobody
        """Return the reason of `why_not` for its reader."""
        return self.why_not(words)

    # Pictures -------------------------------------------------------------------------------

    def __str__(self) -> str:
        return self.board()

    def board(self) -> str:
        """Return the position as lines of text."""
        return "\n".join(
            f"{field.name.replace('_', ' ').capitalize()}: {value_text(getattr(self, field.name))}"
            for field in fields(self)
            if field.name != "to_move"
        )

    def scene(self) -> Scene:
        """Return the position as a picture."""
        start = type(self)()
        names = [field.name for field in fields(self) if field.name != "to_move"]
        pairs = [(name, getattr(self, name), getattr(start, name)) for name in names]
        return tuple(
            shape
            for name, value, at_first in pairs
            for shape in shapes_of(name.replace("_", " "), value, at_first)
        )

    def _repr_svg_(self) -> str:
        """Return the scene, or the board if the scene is empty, as SVG for Jupyter."""
        from duelbook.scene_svg import scene_svg  # only notebooks need it

        lines = (Text(line) for line in self.board().splitlines())
        return scene_svg(self.scene() or tuple(lines), self.title)

    @classmethod
    def rules_page(cls) -> str:
        """Return the rules page: the Markdown file beside the game, or else its docstring."""
        import sys  # only the rules page needs these
        from pathlib import Path

        source = getattr(sys.modules.get(cls.__module__), "__file__", None)
        page = Path(source).with_suffix(".md") if source else None
        if page and page.is_file():
            return page.read_text(encoding="utf-8")
        return f"# {cls.title}\n\n{cls.__doc__ or ''}\n"

    # JSON -----------------------------------------------------------------------------------

    def to_json(self) -> dict[str, Any]:
        """Return the fields as JSON values."""
        return {field.name: encode_value(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_json(cls, data: object) -> Self:
        """Return the position from the JSON values of `to_json`."""
        names = [field.name for field in fields(cls)]
        if not isinstance(data, Mapping) or sorted(data) != sorted(names):
            raise DuelbookError(f"A position of {cls.title} has the fields {', '.join(names)}.")
        values: dict[str, Any] = {name: decode_value(value) for name, value in data.items()}
        return cls(**values)


def player(seat: int) -> str:
    """Return `Player 1`, `Player 2` or `Chance`; front ends put the player's name in its place."""
    return "Chance" if seat == CHANCE else f"Player {seat + 1}"


def without_prompt(question: str) -> str:
    """Return a question without the prompt at its end."""
    return question.removesuffix("> ").strip()


def is_evident_from_views(view: Position, move: str, look: Position, seat: int) -> bool:
    """Return whether the views of a seat before and after a move allow no other move.

    The function does not look at the position itself: its number of legal moves may be a secret.
    """
    try:
        return [legal for legal in view.moves() if view.apply(legal).view(seat) == look] == [move]
    except Exception:  # with HIDDEN values, a game may be unable to apply a move
        return False


def result_text(outcome: Outcome) -> str:
    """Return the result in the words of the books, with the payoff of a game with scores."""
    if outcome.winner is None:
        return "The game is a draw."
    if outcome.paid is None:
        return f"{player(outcome.winner)} wins!"
    return f"{player(outcome.winner)} wins {abs(outcome.paid):g}!"


def has_scores(game: type[Position]) -> bool:
    """Return whether a game defines payoffs instead of only winners."""
    return game.payoff is not Position.payoff


def check_move(position: Position, move: str) -> None:
    """Refuse an illegal move with the reason; `position` may be the view of the player to move."""
    legal = position.moves()
    if move in legal:
        return
    if not legal:
        raise IllegalMove("The game is over.")
    if move in position.ACTIONS:
        raise IllegalMove(position.why_not(tuple(move.split())))
    raise InvalidMove(f"{move!r:.60} is not a move of {position.title}.")


def check_first(game: type[Position], first: int) -> None:
    """Refuse a first seat that the rules do not allow."""
    if first and game.player_1_starts:
        raise DuelbookError(f"In {game.title} the rules say that {player(0)} starts.")


def count(number: object, thing: str) -> str:
    """Return a number with its noun in the singular or plural: `1 token`, `2 tokens`."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def put(pair: tuple[T, T], seat: int, value: T) -> tuple[T, T]:
    """Return the pair with one seat's value replaced."""
    return (value, pair[1]) if seat == 0 else (pair[0], value)


def next_words(moves: list[str] | tuple[str, ...], words: tuple[str, ...]) -> list[str]:
    """Return the distinct next words of the moves that start with these words, in order."""
    split = (tuple(move.split()) for move in moves)
    at = len(words)
    return list(dict.fromkeys(m[at] for m in split if m[:at] == words and len(m) > at))


def encode_value(value: object) -> object:
    """Return a field's value as a JSON value."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, tuple):
        return list(map(encode_value, value))
    if value is HIDDEN:
        return {"hidden": True}
    raise TypeError(f"A field of a position may not hold {value!r}.")


def decode_value(value: object) -> object:
    """Return a field's value from the JSON value that `encode_value` returned."""
    if value is None or isinstance(value, (bool, int, str)):
        return value
    if isinstance(value, list):
        return tuple(map(decode_value, value))
    if value == {"hidden": True}:
        return HIDDEN
    raise DuelbookError(f"A field of a position may not hold {value!r:.60}.")
