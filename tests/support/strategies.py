"""Random matches of any game, and numbers of examples, for property tests."""

from __future__ import annotations

import pytest
from hypothesis import settings
from hypothesis import strategies as st

import duelbook
from duelbook import Match

GAMES = duelbook.list_games()
LARGE_IS_SLOW = [
    pytest.param(game, marks=pytest.mark.integration if game.vectors else ()) for game in GAMES
]
"""The games as parameters, for tests of all positions; large games are slow."""
MAX_MATCH_LENGTH = 60


def fewer_examples(divisor: int) -> int:
    """Return a fraction of the profile's examples, for a test whose examples take long."""
    return max(1, settings().max_examples // divisor)


@st.composite
def matches(draw: st.DrawFn, max_length: int = MAX_MATCH_LENGTH) -> Match:
    """Draw a match of any game, played at random for a while or to its end."""
    game = draw(st.sampled_from(GAMES))
    match = Match.begin(game, draw(st.sampled_from([0, 1])))
    for _ in range(draw(st.integers(0, max_length))):
        moves = match.position.moves()
        if not moves:
            break
        match = match.play(draw(st.sampled_from(moves)))
    return match
