"""The client for chat completions against a server that misbehaves."""

from __future__ import annotations

import json
import logging
from email.utils import formatdate

import pytest

from duelbook.errors import DuelbookError
from duelbook.players.failures import ProviderError
from duelbook.players.llm import client as client_module
from duelbook.players.llm.calls import Call
from duelbook.players.llm.client import FIRST_WAIT_SECONDS, Client
from duelbook.players.llm.model_settings import ModelSettings
from duelbook.players.llm.prices import Price
from mock_model import USAGE, MockModel, Reply, error_reply, json_reply, move_reply, text_reply
from servers import wait_until

ASKED = [{"role": "user", "content": "Your move?"}]
KEY = "sk-0123456789-very-secret"
NOW = 1_800_000_000.0


class Asking:
    """A client whose waits are written down instead of waited for."""

    def __init__(self, mock: MockModel, *price: Price, **options: object) -> None:
        self.waits: list[float] = []
        settings = ModelSettings.read(mock.name, options)
        known = price[0] if price else None
        self.client = Client(settings, known, sleep=self.waits.append, now=lambda: NOW)

    def __call__(self, turn: int = 7, attempt: int = 0) -> Call:
        return self.client.ask(ASKED, turn, attempt)


def ask(*script: Reply | str, price: Price | None = None, **options: object) -> Call:
    """Return the call that a script of replies leads to."""
    with MockModel(*script) as mock:
        return Asking(mock, *([price] if price else []), **options)()


def test_a_request_contains_only_the_settings() -> None:
    options: dict[str, object] = {"temperature": 0.5, "max_tokens": 99, "seed": 3}
    with MockModel(move_reply("a"), move_reply("a")) as mock:
        call = Asking(mock, **options, body={"reasoning_effort": "low"})()
        Asking(mock, max_tokens=0, seed="none")()
        with_options, without = mock.requests
    assert with_options.path == "/v1/chat/completions"
    assert with_options.json == {
        "model": "mock",
        "messages": ASKED,
        "max_tokens": 99,
        "temperature": 0.5,
        "seed": 3,
        "reasoning_effort": "low",
    }
    assert call.request == with_options.json
    assert without.json == {"model": "mock", "messages": ASKED}
    assert "Authorization" not in with_options.headers


def test_the_seed_and_the_name_of_the_length_limit_follow_the_settings() -> None:
    with MockModel(move_reply("a")) as mock:
        Asking(mock, max_tokens_name="max_completion_tokens")(turn=12)
        (seen,) = mock.requests
    assert seen.json["seed"] == 12
    assert seen.json["max_completion_tokens"] == 8192
    assert "max_tokens" not in seen.json


def test_a_call_records_usage_and_cost() -> None:
    usage = USAGE | {
        "completion_tokens_details": {"reasoning_tokens": 15},
        "prompt_tokens_details": {"cached_tokens": 40},
    }
    call = ask(text_reply("Hello", usage=usage), price=Price(2.0, 10.0, 0.5))
    assert (call.said, call.failure) == ("Hello", "")
    assert (call.tokens_in, call.tokens_out, call.reasoning) == (100, 20, 15)
    assert call.cost == pytest.approx((60 * 2 + 40 * 0.5 + 20 * 10) / 1e6)
    assert call.response is not None
    assert call.response["usage"] == usage


def test_reasoning_that_is_only_in_the_total_is_counted() -> None:
    call = ask(text_reply("Hello", usage=USAGE | {"total_tokens": 1120}))
    assert (call.tokens_in, call.tokens_out) == (100, 1020)


@pytest.mark.parametrize(
    "usage", [None, {}, [], {"prompt_tokens": None}, {"prompt_tokens": "many"}, "none"]
)
def test_without_usage_the_cost_is_unknown(usage: object) -> None:
    call = ask(text_reply("Hello", usage=usage), price=Price(2.0, 10.0))
    assert (call.said, call.tokens_in, call.tokens_out, call.reasoning) == ("Hello", 0, 0, 0)
    assert call.cost is None


def test_without_a_price_the_cost_is_unknown() -> None:
    assert ask("Hello").cost is None


def test_reasoning_is_not_part_of_the_answer() -> None:
    call = ask(text_reply("Hello", reasoning_content="Hm.", reasoning="Hm, hm."))
    assert call.said == "Hello"
    assert call.response is not None
    assert call.response["choices"][0]["message"]["reasoning_content"] == "Hm."


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (json_reply({"choices": [{"message": {"content": "Hello"}}]}), "Hello"),
        (text_reply([{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]), "Hello"),
        (text_reply("Hello", finish=None), "Hello"),
        (Reply(text_reply("Hello").body, headers={"Content-Type": "text/html"}), "Hello"),
        (Reply(text_reply("Hello").body, blanks=5), "Hello"),
        (text_reply("half a letter: \ud800"), "half a letter: ?"),
    ],
)
def test_optional_fields_of_a_response_may_be_missing(reply: Reply, said: str) -> None:
    call = ask(reply)
    assert (call.said, call.failure) == (said, "")


@pytest.mark.parametrize("text", ["", "  \n", None, [], 3])
def test_an_answer_without_text_is_empty(text: object) -> None:
    assert ask(text_reply(text)).failure == "EMPTY"


@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS"])
@pytest.mark.parametrize("text", ["", 'I think {"move": "a"}', '{"move": "a"}'])
def test_a_cut_answer_is_truncated_even_if_it_names_a_move(text: str, finish: str) -> None:
    call = ask(text_reply(text, finish))
    assert (call.failure, call.said) == ("TRUNCATED", text)


@pytest.mark.parametrize("field", ["code", "type"])
def test_a_conversation_beyond_the_context_is_truncated(field: str) -> None:
    name = {"code": "context_length_exceeded", "type": "exceed_context_size_error"}[field]
    call = ask(json_reply({"error": {"message": "too long", field: name}}, 400))
    assert call.failure == "TRUNCATED"
    assert call.said == "The conversation is too long for the model."


def test_an_answer_without_an_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MAX_BODY_BYTES", 1000)
    assert ask(text_reply("a" * 500)).failure == ""
    call = ask(text_reply("a" * 1000))
    assert (call.failure, call.response) == ("TRUNCATED", None)


@pytest.mark.parametrize(
    "reply", [Reply(stays_silent=True), Reply(move_reply("a").body, blanks=200)]
)
def test_a_timeout_is_not_retried(reply: Reply) -> None:
    with MockModel(reply) as mock:
        call = Asking(mock, timeout=0.5)()
        wait_until(lambda: mock.requests, lambda: "Nobody was asked.")
    assert len(mock.requests) == 1
    assert (call.failure, call.response) == ("TIMEOUT", None)
    assert call.said == "No answer within 0.5 seconds."


# A provider that fails --------------------------------------------------------------------------

PASSING = [
    *(error_reply(status) for status in (408, 429, 500, 502, 503, 504, 529)),
    Reply(hangs_up=True),
    Reply(b"<html>Bad gateway</html>", headers={"Content-Type": "text/html"}),
    Reply(b'{"choices": [{"mess'),
    Reply(b""),
    json_reply([]),
    json_reply({}),
    json_reply({"choices": []}),
    json_reply({"choices": [None]}),
    json_reply({"choices": {"message": "?"}}),
    json_reply({"error": {"message": "overloaded", "code": 529}}),
]


@pytest.mark.parametrize("trouble", PASSING)
def test_temporary_errors_are_retried(trouble: Reply) -> None:
    with MockModel(trouble, trouble, move_reply("a")) as mock:
        asking = Asking(mock)
        call = asking()
        bodies = [seen.body for seen in mock.requests]
    assert call.failure == ""
    assert len(bodies) == 3
    assert len(set(bodies)) == 1
    assert len(asking.waits) == 2


def test_waits_double_up_to_a_limit() -> None:
    with MockModel(*[error_reply(500)] * 5) as mock:
        asking = Asking(mock, retries=4, longest_wait=3.5)
        assert asking().failure == "PROVIDER"
    for tried, wait in enumerate(asking.waits[:3]):
        assert FIRST_WAIT_SECONDS * 2**tried / 2 <= wait <= FIRST_WAIT_SECONDS * 2**tried
    assert asking.waits[3] == 3.5


def test_the_waits_of_a_request_are_reproducible() -> None:
    with MockModel(*[error_reply(500)] * 9) as mock:
        waits = []
        for turn in (1, 1, 2):
            asking = Asking(mock, retries=2)
            asking(turn)
            waits.append(asking.waits)
    assert waits[0] == waits[1] != waits[2]


@pytest.mark.parametrize(
    ("header", "least", "most"),
    [
        ("20", 20, 20 + FIRST_WAIT_SECONDS),
        ("2.5", 2.5, 2.5 + FIRST_WAIT_SECONDS),
        (formatdate(NOW + 30, usegmt=True), 30, 30 + FIRST_WAIT_SECONDS),
        (formatdate(NOW - 30, usegmt=True), 0, FIRST_WAIT_SECONDS),
        ("-5", 0, FIRST_WAIT_SECONDS),
        ("86400", 60, 60),
        ("inf", 60, 60),
        ("soon", 0, FIRST_WAIT_SECONDS),
        ("nan", 0, FIRST_WAIT_SECONDS),
    ],
)
def test_retry_after_is_followed_up_to_a_limit(header: str, least: float, most: float) -> None:
    with MockModel(error_reply(429, Retry_After=header), move_reply("a")) as mock:
        asking = Asking(mock)
        assert asking().failure == ""
    (wait,) = asking.waits
    assert least <= wait <= most


def test_a_provider_that_stays_unreachable_is_a_provider_error() -> None:
    with MockModel(*[error_reply(503, "Come back  later.\n")] * 3) as mock:
        call = Asking(mock, retries=2)()
        assert len(mock.requests) == 3
        assert call.said == f"{mock.host} answers 503: Come back later. (asked for mock)."
    assert (call.failure, call.response) == ("PROVIDER", None)


def test_an_address_without_a_server_is_a_provider_error() -> None:
    with MockModel() as mock:
        asking = Asking(mock, retries=3)
    call = asking()
    assert call.failure == "PROVIDER"
    assert call.said == f"{mock.host} cannot be reached (ConnectError) (asked for mock)."
    assert len(asking.waits) == 3


@pytest.mark.parametrize("status", [400, 401, 403, 404, 422])
def test_permanent_errors_are_not_retried(status: int) -> None:
    with MockModel(error_reply(status, "no such model")) as mock:
        asking = Asking(mock)
        call = asking()
    assert call.failure == "PROVIDER"
    assert "no such model" in call.said
    assert asking.waits == []


# The key ----------------------------------------------------------------------------------------


@pytest.fixture
def key(monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("MY_KEY", f"{KEY}\n")  # as from a file
    return KEY


def test_the_key_is_sent_and_written_nowhere(key: str, caplog: pytest.LogCaptureFixture) -> None:
    echo = {"error": {"message": f"Invalid key: {key}", key: [f"Bearer {key}"]}}
    caplog.set_level(logging.DEBUG)
    script = [
        error_reply(500, key),
        text_reply(f"Your key is {key}"),
        json_reply(echo, 401),
        Reply(key.encode()),
    ]
    with MockModel(*script) as mock:
        asking = Asking(mock, key="MY_KEY", retries=1)
        calls = [asking(), asking(), asking()]
        assert [seen.headers["Authorization"] for seen in mock.requests][:4] == [
            f"Bearer {key}"
        ] * 4
    assert "refuses the key: Invalid key: [key]" in calls[1].said
    assert calls[0].said == "Your key is [key]"
    for place in (calls, asking.client, asking.client.settings, vars(asking.client), caplog.text):
        assert key not in repr(place)
        assert key not in str(place)


def test_a_key_is_removed_from_answers_in_every_escaped_form(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MY_KEY", "abc/def+ghi/jkl")
    body = text_reply("Your key is abc/def+ghi/jkl.").body.replace(b"/", rb"\/")
    call = ask(Reply(body), key="MY_KEY")
    assert call.said == "Your key is [key]."
    assert "def+ghi" not in json.dumps(call.response)


def test_a_short_key_does_not_change_answers(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "x")
    assert ask("exact", key="MY_KEY").said == "exact"


@pytest.mark.parametrize("value", ["", "  \n"])
def test_a_missing_key_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(ProviderError, match=r"variable MY_KEY, for the key of 127.* is not set"):
        ask(key="MY_KEY")


@pytest.mark.parametrize("value", [f"{KEY}\nX-More: 1", f"{KEY} {KEY}", f"{KEY}é", f"\x01{KEY}"])
def test_an_invalid_key_is_not_printed(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(ProviderError, match="MY_KEY holds cannot be a key") as refusal:
        ask(key="MY_KEY")
    assert KEY not in repr(refusal.value)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_key_does_not_follow_a_redirect(key: str, status: int) -> None:
    with MockModel() as elsewhere:
        target = {"Location": f"{elsewhere.base_url}/chat/completions"}
        call = ask(Reply(status=status, headers=target), key="MY_KEY")
        assert elsewhere.requests == []
        assert f"redirects to {elsewhere.host}: name that address instead" in call.said
    assert call.failure == "PROVIDER"


def test_cookies_are_not_sent_back() -> None:
    with MockModel(Reply(text_reply("a").body, headers={"Set-Cookie": "who=you"}), "b") as mock:
        asking = Asking(mock)
        asking()
        asking()
        assert "Cookie" not in mock.requests[1].headers


# Names and settings -----------------------------------------------------------------------------


def test_the_id_of_a_call_depends_only_on_the_question() -> None:
    with MockModel(*["a"] * 4) as mock:
        asking = Asking(mock, seed="none")
        first, again, other_turn, other_try = asking(1), asking(1), asking(2), asking(1, 1)
    assert first.id == again.id
    assert len({first.id, other_turn.id, other_try.id}) == 3


@pytest.mark.parametrize(
    ("name", "model", "address"),
    [
        ("llm:m@http://127.0.0.1:1/v1", "m", "http://127.0.0.1:1/v1"),
        ("llm:@cf/a/b:free@https://example.org/v1/", "@cf/a/b:free", "https://example.org/v1"),
        ("llm:a b@https://[::1]:80", "a b", "https://[::1]:80"),
    ],
)
def test_a_name_is_a_model_at_an_address(name: str, model: str, address: str) -> None:
    settings = ModelSettings.read(name)
    assert (settings.model, settings.base_url) == (model, address)


@pytest.mark.parametrize(
    "name",
    [
        *(
            "llm:",
            "llm:m",
            "llm:@http://h",
            "llm:m@",
            "llm:m@h/v1",
            "llm:m@ftp://h",
            "llm:m@http://",
        ),
        *("llm:m@http://h:port", f"llm:m@http://me:{KEY}@h", f"llm:m@http://h/?key={KEY}"),
    ],
)
def test_an_invalid_name_is_refused_and_not_printed(name: str) -> None:
    with pytest.raises(DuelbookError, match="llm:MODEL@BASE_URL, such as") as refusal:
        ModelSettings.read(name)
    assert KEY not in str(refusal.value)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"temprature": 1}, "no option 'temprature'. The options are: key, temperature"),
        ({"temperature": "hot"}, "temperature must be a number from 0 to 2, not 'hot'"),
        ({"temperature": True}, "temperature must be"),
        ({"max_tokens": -1}, "max_tokens must be a number of tokens, or 0"),
        ({"max_tokens_name": "n"}, "must be max_tokens or max_completion_tokens"),
        ({"seed": "chance"}, 'seed must be a whole number, "game" or "none"'),
        ({"timeout": 0}, "timeout must be a number of seconds"),
        ({"timeout": float("nan")}, "timeout must be"),
        ({"retries": 1.5}, "retries must be a number from 0 to 100"),
        ({"corrections": []}, "corrections must be"),
        ({"key": "sk-123 456"}, "key must be the name of an environment variable"),
        ({"body": {"messages": []}}, "body must be a table of more parameters"),
        ({"body": {"limit": float("inf")}}, "body must be a table"),
        ({"body": 3}, "body must be a table"),
    ],
)
def test_an_invalid_option_is_refused_with_the_reason(
    options: dict[str, object], sentence: str
) -> None:
    with pytest.raises(DuelbookError) as refusal:
        ModelSettings.read("llm:m@http://h", options)
    assert sentence in str(refusal.value)
