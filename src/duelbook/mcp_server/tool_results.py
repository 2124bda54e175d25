"""What the tools return: the contract with agents. The docstrings stand in the published schema."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class ToolResult(BaseModel):
    """A part of what a tool returns."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class GameInfo(ToolResult):
    """A game that can be played."""

    name: str
    """What `begin` and `rules` take."""
    title: str
    chance: bool
    """Whether dice fall or cards are dealt."""
    secrets: bool
    """Whether a seat knows something that the other does not."""
    scores: bool
    """Whether the game pays amounts, and not only a win or a loss."""
    player_1_starts: bool
    """Whether the rules say that Player 1 starts."""
    rules: str
    """The address of the resource with the rules."""


class GameList(ToolResult):
    """The games, and who can be played against."""

    games: list[GameInfo]
    opponents: list[str]
    """The computer players, and `seat` for another agent; not every player can play every game."""


class GameRules(ToolResult):
    """The rules of a game."""

    title: str
    text: str
    """Markdown."""


class Ending(ToolResult):
    """How a game ended."""

    winner: Literal["you", "opponent", "nobody"]
    by: str
    """By the `rules`, a `ruling`, `resignation`, or the game was `cut` at its limit of moves."""
    paid: float
    """What you are paid: 1 for a win, -1 for a loss, 0 for a draw, or the game's score."""
    said: str


class GameView(ToolResult):
    """A game as one seat may see it."""

    game: str
    you: Literal["Player 1", "Player 2"]
    opponent: str
    """The computer player, or `seat` for another agent."""
    turn: int
    """The number of moves so far."""
    to_move: Literal["you", "opponent", "nobody"]
    board: str
    """The position in words, without what is hidden from you."""
    position: dict[str, Any]
    """The position as data; `{"hidden": true}` is hidden from you."""
    legal: list[str]
    """Your legal moves, if it is your turn; `move` takes one of them."""
    moves: list[str]
    """All moves so far, as far as you may know them; `?` is sealed."""
    told: list[str]
    """What the book says of each move since your last one, in order, your own first."""
    help: bool
    """Whether `worth` may be asked."""
    note: str
    """What else there is to know, such as that the opponent is not here yet."""
    ending: Ending | None
    """How the game ended, once it is over."""


class Begun(ToolResult):
    """A new game."""

    handle: str
    """The key to your seat. Every tool takes it. Everyone who has it sees what you see."""
    invitation: str
    """If the opponent is a `seat`: what the other agent gives to `join`, once."""
    look: GameView


class Joined(ToolResult):
    """A seat that was taken."""

    handle: str
    """The key to your seat. Every tool takes it. Everyone who has it sees what you see."""
    look: GameView


class Worth(ToolResult):
    """What a position is worth."""

    move: str
    """The best move; of a mix, the likeliest; in a lost position, the hardest one to answer."""
    hint: str
    """The best move, or the best mix of moves, and what it achieves."""
    standing: str
    """Who is winning; empty where the answer would give a secret away."""
    value: float | None
    """What the position is worth to you with best play: 1 wins, -1 loses, or a share of the most
    that the game pays; null where it would give a secret away."""


class ReportedBreach(ToolResult):
    """A rule for game classes that a file breaks."""

    kind: str
    said: str
    moves: list[str]
    """The moves from the start that lead to it."""


class Checked(ToolResult):
    """What was found out about the game in a file. All texts come from the file's own code."""

    follows_the_rules: bool
    """Whether the check finished and found no breach."""
    outcome: str
    """`examined`, or why the examination ended early."""
    reason: str
    title: str
    breaches: list[ReportedBreach]
    positions: int | None
    """The number of positions; null if it is unknown."""
    winner: str
    """Who wins with best play, if it is known."""
    notes: list[str]
