"""A real language model, small and without a network, plays."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest

import duelbook
from duelbook.play.match import Match
from duelbook.players import make
from duelbook.players.failures import Failure
from duelbook.players.llm.llm_player import LlmPlayer, llm_player
from duelbook.players.llm.prompt import Prompt
from repository_tools import tool

pytestmark = pytest.mark.slow
GAME = duelbook.load("capture-and-conquer")
MAX_PLIES = 14


@pytest.fixture(scope="module")
def name() -> Iterator[str]:
    local_model = tool("local_model")
    if problem := local_model.installation_problem():
        pytest.skip(problem)
    with local_model.running_server() as name:
        yield name


def model(name: str, **switches: object) -> LlmPlayer:
    options = {"temperature": 0, "max_tokens": 48, "retries": 0}
    return llm_player(name, options, Prompt.read({"history": False, **switches}))


def test_a_real_model_plays_a_game_with_constrained_answers(name: str) -> None:
    player, opponent, random = model(name, answers="schema"), make("perfect"), Random(1)
    match = Match.begin(GAME)
    while match.outcome() is None and len(match.moves) < MAX_PLIES:
        seat = match.position.to_move
        match = match.play(
            (opponent if seat else player).choose_from_record(match.record(seat), random)
        )
    assert len(player.calls) >= 5
    for call in player.calls:
        assert call.failure == ""
        assert call.model == "smollm2"
        assert call.tokens_in > 400
        assert 0 < call.tokens_out <= 48


def test_unconstrained_answers_fail_with_a_known_kind(name: str) -> None:
    player = model(name)
    with pytest.raises(Failure) as failed:
        player.choose_from_record(Match.begin(GAME).record(0), Random(1))
    assert failed.value.kind in {"ILLEGAL", "UNPARSABLE", "EMPTY", "TRUNCATED"}
    assert [call.failure for call in player.calls][-1] == failed.value.kind
    assert len(player.calls) == 2


def test_a_conversation_beyond_its_context_is_truncated(name: str) -> None:
    class Endless(GAME):  # type: ignore[misc,valid-type] # the class is known at run time
        def board(self) -> str:
            return "a place, " * 5000

    with pytest.raises(Failure) as failed:
        model(name).choose(Endless(), Random(1))
    assert failed.value.kind == "TRUNCATED"
    assert "too long for the model" in failed.value.reason
