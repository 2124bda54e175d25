"""The results of the tools: the contract with agents. The schema publishes the docstrings."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import BaseModel, ConfigDict


class ToolResult(BaseModel):
    """A part of a tool's result."""

    model_config = ConfigDict(frozen=True, use_attribute_docstrings=True)


class GameInfo(ToolResult):
    """A game that can be played."""

    name: str
    """The name for `begin` and `rules`."""
    title: str
    chance: bool
    """Whether the game has chance, such as dice or a deal."""
    secrets: bool
    """Whether the game has hidden information."""
    scores: bool
    """Whether the game pays amounts, and not only a win or a loss."""
    player_1_starts: bool
    """Whether the rules say that Player 1 starts."""
    rules: str
    """The address of the resource with the rules."""


class GameList(ToolResult):
    """The games and the opponents."""

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
    """`rules`, `ruling`, `resignation`, or `cut` if the game reached its limit of moves."""
    paid: float
    """Your payoff: 1 for a win, -1 for a loss, 0 for a draw, or the game's score."""
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
    """The position as text, without hidden information."""
    position: dict[str, Any]
    """The position as data; `{"hidden": true}` marks a value that is hidden from you."""
    legal: list[str]
    """Your legal moves, if it is your turn; `move` takes one of them."""
    moves: list[str]
    """All moves so far; `?` marks a part that is hidden from you."""
    told: list[str]
    """The texts about your last move and about each move since then, in order."""
    help: bool
    """Whether `worth` is allowed."""
    note: str
    """A remark, for example that the opponent has not joined yet."""
    ending: Ending | None
    """How the game ended, once it is over."""


class CreatedGame(ToolResult):
    """A new game."""

    handle: str
    """The key to your seat, for `look`, `move`, `resign` and `worth`. Everyone who has it can see
    and play your seat."""
    invitation: str
    """The other agent passes this to `join`; empty against a computer player. It works once."""
    look: GameView


class JoinedGame(ToolResult):
    """A game that you joined."""

    handle: str
    """The key to your seat, for `look`, `move`, `resign` and `worth`. Everyone who has it can see
    and play your seat."""
    look: GameView


class PositionValue(ToolResult):
    """The value of a position."""

    move: str
    """The best move. If best play mixes moves, the likeliest one. In a lost position, the move that
    is hardest to answer."""
    hint: str
    """The best move, or the best mix of moves, and what it achieves."""
    standing: str
    """Who is winning; empty if the answer would reveal hidden information."""
    value: float | None
    """Your payoff with best play: 1 for a win, -1 for a loss, or a share of the maximum payoff;
    null if it would reveal hidden information."""


class ReportedBreach(ToolResult):
    """A rule for game classes that a file breaks."""

    kind: str
    said: str
    moves: list[str]
    """The moves from the start that lead to it."""


class CheckedFile(ToolResult):
    """The facts about the game in a file. All texts come from the file's own code."""

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
