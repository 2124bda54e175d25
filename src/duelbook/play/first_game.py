"""The guided first game of a rules page: a few coached moves, and the opponent's replies.

The section `A first game` has a numbered list. Each item has the learner's move in backquotes, the
reason for it, and the replies of the opponent, if there are any:

    1. `build 4` A tall block is a good start.
       Reply: `build 2`

The learner is Player 1 and begins.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from duelbook.errors import DuelbookError
from duelbook.play.match import Match
from duelbook.position import Position

SECTION = "A first game"
TEXT = re.compile(rf"^## {SECTION}\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
ITEM = re.compile(r"^\d+\. .*\n(?: {2,}\S.*\n)*", re.MULTILINE)
STEP = re.compile(r"\d+\. `([^`]+)` (.+?)(?: Reply: (`[^`]+`(?:, `[^`]+`)*))?")
LEARNER = 0


@dataclass(frozen=True)
class FirstGameStep:
    """A coached move, the reason for it, and the replies of the opponent."""

    move: str
    why: str
    replies: tuple[str, ...] = ()


def read(page: str) -> tuple[FirstGameStep, ...]:
    """Return the coached moves of a rules page; none if it has no section `A first game`."""
    match = TEXT.search(f"{page}\n")
    return tuple(map(_step, ITEM.findall(match[1]))) if match else ()


def _step(item: str) -> FirstGameStep:
    text = " ".join(item.split())
    match = STEP.fullmatch(text)
    if match is None:
        raise DuelbookError(f"A coached move is written `move` and why, not: {text:.80}")
    move, why, replies = match.groups()
    return FirstGameStep(move, why, tuple(re.findall(r"`([^`]+)`", replies or "")))


def first_game(game: type[Position]) -> tuple[FirstGameStep, ...]:
    """Return the coached moves of a game; refuse a first game with an illegal move."""
    steps = read(game.rules_page())
    replay(game, steps)
    return steps


def replay(game: type[Position], steps: tuple[FirstGameStep, ...]) -> Match:
    """Play the coached moves and the replies, and return the match; refuse an illegal move."""
    match = Match.begin(game)
    for step in steps:
        if match.position.to_move != LEARNER:
            raise DuelbookError(f"{step.move!r:.60} is no move of the learner's.")
        match = match.play(step.move)
        for reply in step.replies:
            if match.position.to_move == LEARNER:
                raise DuelbookError(f"{reply!r:.60} is no reply of the opponent's.")
            match = match.play(reply)
    return match
