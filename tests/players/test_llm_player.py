"""A language model as a player: whole games, refusals, failures, and no secrets."""

from __future__ import annotations

import pickle
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle, product
from random import Random

import pytest

import duelbook
from duelbook.games.capture_and_conquer import CaptureAndConquer
from duelbook.play.match import Match
from duelbook.players.failures import KINDS, Failure, ProviderError
from duelbook.players.llm.llm_player import LlmPlayer, llm_player
from duelbook.players.llm.prices import Price, Prices
from duelbook.players.llm.prompt import Prompt
from duelbook.position import CHANCE, Position
from mock_model import MockModel, Reply, error_reply, move_reply, text_reply
from paths import ROOT

CAPTURE = CaptureAndConquer
TOKENS = duelbook.load("token-tactics")
KUHN = duelbook.load(str(ROOT / "examples" / "games" / "kuhn_poker.py"))


Table = dict[str, object]


def model(mock: MockModel, prompt: Table | None = None, /, **options: object) -> LlmPlayer:
    return llm_player(mock.name, {"retries": 0, **options}, Prompt.read(prompt))


def after(game: type[Position], *moves: str) -> Match:
    match = Match.begin(game)
    for move in moves:
        match = match.play(move)
    return match


def choose(player: LlmPlayer, match: Match) -> str:
    return player.choose_from_record(match.record(match.position.to_move), Random(1))


def failure_of(*script: Reply | str, **options: object) -> tuple[Failure, LlmPlayer, MockModel]:
    """Return the failure that a script of replies ends in, and whom it happened to."""
    with MockModel(*script) as mock:
        player = model(mock, None, **options)
        with pytest.raises(Failure) as failed:
            choose(player, after(TOKENS))
    return failed.value, player, mock


# Playing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("conversation", ["fresh", "one"])
@pytest.mark.parametrize("game", [*duelbook.list_games(), KUHN], ids=lambda game: str(game.slug))
def test_a_model_plays_a_whole_game(game: type[Position], conversation: str) -> None:
    with MockModel() as mock:
        players = [model(mock, {"conversation": conversation}) for _ in (0, 1)]
        match, random = Match.begin(game), Random(5)
        while match.outcome() is None and len(match.moves) < 40:
            position = match.position
            if position.to_move == CHANCE:
                match = match.play(random.choice(position.moves()))
            else:
                record = match.record(position.to_move)
                match = match.play(players[position.to_move].choose_from_record(record, random))
        turns = sum(position.to_move != CHANCE for position in match.positions[:-1])
        assert len(mock.requests) == turns == sum(len(player.calls) for player in players)
        assert {call.failure for player in players for call in player.calls} == {""}


def test_a_view_alone_is_enough_without_secrets() -> None:
    with MockModel() as mock:
        assert model(mock).choose(CAPTURE(units=(3, 8)), Random(1)) == "move 1"
        assert "[3 P1]" in mock.requests[0].messages[-1]["content"]


def test_a_fresh_turn_repeats_everything_and_a_conversation_continues() -> None:
    fresh, continued = (requests_of(conversation) for conversation in ("fresh", "one"))
    assert fresh[0] == continued[0]
    assert [message["role"] for message in fresh[1]] == ["system", "user"]
    assert [message["role"] for message in continued[1]] == ["system", "user", "assistant", "user"]
    assert continued[1][:2] == continued[0]
    assert continued[1][2]["content"] == 'I thought about it.\n\n{"move": "move 1"}'
    assert "Player 2 moves to position 9." in continued[1][3]["content"]


def requests_of(conversation: str) -> list[list[dict[str, str]]]:
    """Return the messages of the first two turns of Player 1."""
    with MockModel() as mock:
        player = model(mock, {"conversation": conversation})
        match = after(CAPTURE)
        match = match.play(choose(player, match)).play("move 1")
        choose(player, match)
        return [seen.messages for seen in mock.requests]


def test_a_conversation_restarts_after_a_takeback_and_in_another_game() -> None:
    with MockModel() as mock:
        player = model(mock, {"conversation": "one"})
        start = after(CAPTURE)
        later = start.play(choose(player, start)).play("move 2")
        choose(player, later)
        for other in (start, later.take_back(1).play("move 1"), after(TOKENS)):
            choose(player, other)
        lengths = [len(seen.messages) for seen in mock.requests]
    assert lengths == [2, 4, 2, 4, 2]


def test_the_seed_follows_from_the_random_numbers_of_the_game() -> None:
    with MockModel() as mock:
        for seed in (1, 1, 2):
            model(mock).choose_from_record(after(CAPTURE).record(0), Random(seed))
        first, same, other = [seen.json["seed"] for seen in mock.requests]
    assert first == same != other


def test_calls_are_listed_and_can_be_removed() -> None:
    with MockModel() as mock:
        prices = Prices({"mock": Price(1.0, 1.0)})
        player = llm_player(mock.name, {}, prices=prices)
        choose(player, after(CAPTURE))
        (call,) = player.calls
        assert (call.tokens_in, call.tokens_out) == (100, 20)
        assert call.cost == pytest.approx(120 / 1e6)
        player.calls.clear()
        choose(player, after(CAPTURE, "move 1", "move 1"))
        assert len(player.calls) == 1


def test_many_games_are_played_at_once() -> None:
    with MockModel() as mock, ThreadPoolExecutor(8) as threads:
        chosen = list(threads.map(lambda _: choose(model(mock), after(CAPTURE)), range(40)))
        assert chosen == ["move 1"] * 40
        assert len({seen.body for seen in mock.requests}) == 1


def test_a_game_is_not_begun_without_the_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MY_KEY", raising=False)
    with MockModel() as mock:
        model(mock).prepare(CAPTURE)
        with pytest.raises(ProviderError, match="MY_KEY"):
            model(mock, key="MY_KEY").prepare(CAPTURE)
        assert mock.requests == []


# Wrong answers ----------------------------------------------------------------------------------


def test_an_illegal_move_is_answered_with_the_reason_of_the_book() -> None:
    with MockModel('{"move": "attack 12"}', move_reply("attack 2")) as mock:
        player = model(mock)
        assert choose(player, after(TOKENS)) == "attack 2"
        first, second = [seen.messages for seen in mock.requests]
    assert second[: len(first)] == first
    wrong, refusal = second[len(first) :]
    assert wrong == {"role": "assistant", "content": '{"move": "attack 12"}'}
    assert refusal["role"] == "user"
    assert "attack 12: You have only 10 tokens." in refusal["content"]
    assert [call.failure for call in player.calls] == ["ILLEGAL", ""]
    assert len({call.id for call in player.calls}) == 2


@pytest.mark.parametrize(
    ("reply", "kind", "said"),
    [
        ('{"move": "attack 12"}', "ILLEGAL", "attack 12: You have only 10 tokens."),
        ('{"move": "charge"}', "ILLEGAL", "'charge' is not a move of Token Tactics."),
        ('{"move": ""}', "ILLEGAL", "'' is not a move of Token Tactics."),
        ("I play attack 3.", "UNPARSABLE", "The answer names no move: I play attack 3."),
        (
            "Not attack 1 or fortify; attack 3!",
            "UNPARSABLE",
            "The answer names no move: Not attack 1 or fortify; attack 3!",
        ),
        ("", "EMPTY", "The answer has no text."),
        (text_reply('{"move": "fortify"}', "length"), "TRUNCATED", "The answer was cut off: "),
        (text_reply("", "length", reasoning="Hm"), "TRUNCATED", "The answer was cut off: "),
        (
            text_reply(
                "", reasoning_content='{"move": "fortify"}', reasoning='{"move": "fortify"}'
            ),
            "EMPTY",
            "The answer has no text.",
        ),
        (
            text_reply("So be it.", reasoning_content='I reject {"move": "fortify"}.'),
            "UNPARSABLE",
            "The answer names no move: So be it.",
        ),
    ],
)
@pytest.mark.parametrize("corrections", [0, 1, 2])
def test_a_wrong_answer_is_refused_a_few_times_and_then_a_failure(
    reply: Reply | str, kind: str, said: str, corrections: int
) -> None:
    failure, player, mock = failure_of(*[reply] * (corrections + 1), corrections=corrections)
    assert failure.kind == kind
    assert failure.reason.startswith(said)
    assert [call.failure for call in player.calls] == [kind] * (corrections + 1)
    assert len(mock.requests) == corrections + 1


def test_one_correction_is_the_default() -> None:
    _, _, mock = failure_of(*["?"] * 2)
    assert len(mock.requests) == 2


@pytest.mark.parametrize("wrong", ["", "?", text_reply("cut", "length"), '{"move": "defend 1"}'])
def test_every_kind_of_wrong_answer_can_be_corrected(wrong: Reply | str) -> None:
    with MockModel(wrong, move_reply("fortify")) as mock:
        assert choose(model(mock), after(TOKENS)) == "fortify"
        roles = [message["role"] for message in mock.requests[1].messages]
        assert all(message["content"].strip() for message in mock.requests[1].messages)
    assert roles == ["system", "user", "assistant", "user"]


def test_a_move_that_is_rejected_while_thinking_is_not_played() -> None:
    thought = text_reply(
        '<think>{"move": "fortify"} is too slow.</think>\n{"move": "attack 3"}',
        reasoning_content='{"move": "attack 10"} loses.',
    )
    with MockModel(thought) as mock:
        assert choose(model(mock), after(TOKENS)) == "attack 3"


def test_a_long_answer_is_shortened_in_the_failure_and_complete_in_the_call() -> None:
    failure, player, _ = failure_of("a" * 100_000 + "!", corrections=0)
    assert len(failure.reason) < 600
    assert failure.reason.endswith("a!")
    assert len(player.calls[0].said) == 100_001


def test_a_timeout_fails_at_once() -> None:
    failure, player, mock = failure_of(Reply(stays_silent=True), timeout=0.5)
    assert failure.kind == "TIMEOUT"
    assert [call.failure for call in player.calls] == ["TIMEOUT"]
    assert len(mock.requests) == 1


def test_a_provider_error_is_no_failure_and_can_be_retried() -> None:
    with MockModel(error_reply(503), move_reply("fortify")) as mock:
        player = model(mock)
        with pytest.raises(ProviderError, match="answers 503: out of order"):
            choose(player, after(TOKENS))
        assert [call.failure for call in player.calls] == ["PROVIDER"]
        assert choose(player, after(TOKENS)) == "fortify"
        first, second = mock.requests
    assert first.body == second.body


def test_failures_can_be_pickled() -> None:
    for kind in KINDS:
        again = pickle.loads(pickle.dumps(Failure(kind, "what it said")))  # noqa: S301 # our own
        assert (again.kind, again.reason, str(again)) == (
            kind,
            "what it said",
            f"{kind}: what it said",
        )


# Answers that are held to the legal moves -------------------------------------------------------


def test_constrained_answers_name_the_legal_moves_of_the_position() -> None:
    with MockModel() as mock:
        player = model(mock, {"answers": "schema"})
        choose(player, after(CAPTURE))
        choose(player, Match((CAPTURE(units=(9, 5)),)))
        enums = [
            seen.json["response_format"]["json_schema"]["schema"]["properties"]["move"]["enum"]
            for seen in mock.requests
        ]
    assert enums == [["move 1", "move 2"], ["move 1"]]


# Secrets ----------------------------------------------------------------------------------------

SWITCHES = [
    {"conversation": conversation, "history": history, "legal_moves": listed, "answers": answers}
    for conversation, history, (listed, answers) in product(
        ["fresh", "one"], [True, False], [(True, "free"), (False, "schema")]
    )
]


WRONG = ['{"move": "attack 15"}', "", "no move", '{"move": "deal king"}']


def sent(game: type[Position], seat: int, moves: str, switches: dict[str, object]) -> list[bytes]:
    """Return all that a model is sent that plays these moves, after a wrong answer each time."""
    match, wrong = Match.begin(game), cycle(WRONG)
    with MockModel() as mock:
        player = model(mock, switches)
        for move in moves.split(", "):
            if match.position.to_move == seat:
                mock.script = [text_reply(next(wrong)), move_reply(move)]
                assert choose(player, match) == move
            match = match.play(move)
        assert len(mock.requests) >= 2
        return [seen.body for seen in mock.requests]


@pytest.mark.parametrize(
    "switches", SWITCHES, ids=lambda switches: " ".join(map(str, switches.values()))
)
@pytest.mark.parametrize(
    ("game", "seat", "one", "other"),
    [
        (TOKENS, 1, "fortify, fortify, attack 3, defend 2", "fortify, fortify, attack 9, defend 2"),
        (
            TOKENS,
            0,
            "attack 2, defend 1, attack 1, defend 4",
            "attack 2, defend 1, attack 8, defend 4",
        ),
        (
            KUHN,
            0,
            "deal queen, deal king, pass, bet, pass",
            "deal queen, deal jack, pass, bet, pass",
        ),
        (KUHN, 1, "deal king, deal queen, bet, pass", "deal jack, deal queen, bet, pass"),
    ],
)
def test_requests_do_not_depend_on_the_opponents_secret(
    game: type[Position], seat: int, one: str, other: str, switches: dict[str, object]
) -> None:
    assert sent(game, seat, one, switches) == sent(game, seat, other, switches)


def test_requests_depend_on_the_players_secret() -> None:
    lines = ("deal jack, deal queen, bet, pass", "deal king, deal queen, bet, pass")
    first, second = (sent(KUHN, 0, line, SWITCHES[0]) for line in lines)
    assert first != second
