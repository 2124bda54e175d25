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
from mock_model import USAGE, MockModel, Reply, as_json, fails, plays, says
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


def test_a_request_says_what_the_settings_say_and_no_more() -> None:
    options: dict[str, object] = {"temperature": 0.5, "max_tokens": 99, "seed": 3}
    with MockModel(plays("a"), plays("a")) as mock:
        call = Asking(mock, **options, body={"reasoning_effort": "low"})()
        Asking(mock, max_tokens=0, seed="none")()
        with_options, without = mock.seen
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


def test_the_seed_is_that_of_the_turn_and_the_length_can_have_its_other_name() -> None:
    with MockModel(plays("a")) as mock:
        Asking(mock, max_tokens_name="max_completion_tokens")(turn=12)
        (seen,) = mock.seen
    assert seen.json["seed"] == 12
    assert seen.json["max_completion_tokens"] == 8192
    assert "max_tokens" not in seen.json


def test_an_answer_comes_with_what_it_used_and_cost() -> None:
    usage = USAGE | {
        "completion_tokens_details": {"reasoning_tokens": 15},
        "prompt_tokens_details": {"cached_tokens": 40},
    }
    call = ask(says("Hello", usage=usage), price=Price(2.0, 10.0, 0.5))
    assert (call.said, call.failure) == ("Hello", "")
    assert (call.tokens_in, call.tokens_out, call.reasoning) == (100, 20, 15)
    assert call.cost == pytest.approx((60 * 2 + 40 * 0.5 + 20 * 10) / 1e6)
    assert call.response is not None
    assert call.response["usage"] == usage


def test_reasoning_that_is_only_in_the_total_is_counted() -> None:
    call = ask(says("Hello", usage=USAGE | {"total_tokens": 1120}))
    assert (call.tokens_in, call.tokens_out) == (100, 1020)


@pytest.mark.parametrize(
    "usage", [None, {}, [], {"prompt_tokens": None}, {"prompt_tokens": "many"}, "none"]
)
def test_without_usage_the_cost_is_unknown(usage: object) -> None:
    call = ask(says("Hello", usage=usage), price=Price(2.0, 10.0))
    assert (call.said, call.tokens_in, call.tokens_out, call.reasoning) == ("Hello", 0, 0, 0)
    assert call.cost is None


def test_without_a_price_the_cost_is_unknown() -> None:
    assert ask("Hello").cost is None


def test_reasoning_is_kept_apart() -> None:
    call = ask(says("Hello", reasoning_content="Hm.", reasoning="Hm, hm."))
    assert call.said == "Hello"
    assert call.response is not None
    assert call.response["choices"][0]["message"]["reasoning_content"] == "Hm."


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        (as_json({"choices": [{"message": {"content": "Hello"}}]}), "Hello"),
        (says([{"type": "text", "text": "Hel"}, {"type": "text", "text": "lo"}]), "Hello"),
        (says("Hello", finish=None), "Hello"),
        (Reply(says("Hello").body, headers={"Content-Type": "text/html"}), "Hello"),
        (Reply(says("Hello").body, blanks=5), "Hello"),
        (says("half a letter: \ud800"), "half a letter: ?"),
    ],
)
def test_servers_may_leave_things_out(reply: Reply, said: str) -> None:
    call = ask(reply)
    assert (call.said, call.failure) == (said, "")


@pytest.mark.parametrize("text", ["", "  \n", None, [], 3])
def test_an_answer_without_text_is_empty(text: object) -> None:
    assert ask(says(text)).failure == "EMPTY"


@pytest.mark.parametrize("finish", ["length", "max_tokens", "MAX_TOKENS"])
@pytest.mark.parametrize("text", ["", 'I think {"move": "a"}', '{"move": "a"}'])
def test_an_answer_that_is_cut_is_truncated_whatever_it_says(text: str, finish: str) -> None:
    call = ask(says(text, finish))
    assert (call.failure, call.said) == ("TRUNCATED", text)


@pytest.mark.parametrize("field", ["code", "type"])
def test_a_conversation_that_the_model_cannot_read_is_truncated(field: str) -> None:
    name = {"code": "context_length_exceeded", "type": "exceed_context_size_error"}[field]
    call = ask(as_json({"error": {"message": "too long", field: name}}, 400))
    assert call.failure == "TRUNCATED"
    assert call.said == "The conversation is too long for the model."


def test_an_answer_without_an_end_is_cut(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(client_module, "MAX_BODY_BYTES", 1000)
    assert ask(says("a" * 500)).failure == ""
    call = ask(says("a" * 1000))
    assert (call.failure, call.response) == ("TRUNCATED", None)


@pytest.mark.parametrize("reply", [Reply(stays_silent=True), Reply(plays("a").body, blanks=200)])
def test_who_does_not_answer_in_time_is_not_asked_again(reply: Reply) -> None:
    with MockModel(reply) as mock:
        call = Asking(mock, timeout=0.5)()
        wait_until(lambda: mock.seen, lambda: "Nobody was asked.")
    assert len(mock.seen) == 1
    assert (call.failure, call.response) == ("TIMEOUT", None)
    assert call.said == "No answer within 0.5 seconds."


# A provider that fails --------------------------------------------------------------------------

PASSING = [
    *(fails(status) for status in (408, 429, 500, 502, 503, 504, 529)),
    Reply(hangs_up=True),
    Reply(b"<html>Bad gateway</html>", headers={"Content-Type": "text/html"}),
    Reply(b'{"choices": [{"mess'),
    Reply(b""),
    as_json([]),
    as_json({}),
    as_json({"choices": []}),
    as_json({"choices": [None]}),
    as_json({"choices": {"message": "?"}}),
    as_json({"error": {"message": "overloaded", "code": 529}}),
]


@pytest.mark.parametrize("trouble", PASSING)
def test_what_may_pass_is_tried_again(trouble: Reply) -> None:
    with MockModel(trouble, trouble, plays("a")) as mock:
        asking = Asking(mock)
        call = asking()
        bodies = [seen.body for seen in mock.seen]
    assert call.failure == ""
    assert len(bodies) == 3
    assert len(set(bodies)) == 1
    assert len(asking.waits) == 2


def test_waits_double_up_to_a_limit() -> None:
    with MockModel(*[fails(500)] * 5) as mock:
        asking = Asking(mock, retries=4, longest_wait=3.5)
        assert asking().failure == "PROVIDER"
    for tried, wait in enumerate(asking.waits[:3]):
        assert FIRST_WAIT_SECONDS * 2**tried / 2 <= wait <= FIRST_WAIT_SECONDS * 2**tried
    assert asking.waits[3] == 3.5


def test_the_same_question_waits_the_same() -> None:
    with MockModel(*[fails(500)] * 9) as mock:
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
def test_a_server_says_how_long_to_wait_within_a_limit(
    header: str, least: float, most: float
) -> None:
    with MockModel(fails(429, Retry_After=header), plays("a")) as mock:
        asking = Asking(mock)
        assert asking().failure == ""
    (wait,) = asking.waits
    assert least <= wait <= most


def test_a_provider_that_stays_unreachable_is_a_provider_error() -> None:
    with MockModel(*[fails(503, "Come back  later.\n")] * 3) as mock:
        call = Asking(mock, retries=2)()
        assert len(mock.seen) == 3
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
def test_what_cannot_pass_is_not_tried_again(status: int) -> None:
    with MockModel(fails(status, "no such model")) as mock:
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
    script = [fails(500, key), says(f"Your key is {key}"), as_json(echo, 401), Reply(key.encode())]
    with MockModel(*script) as mock:
        asking = Asking(mock, key="MY_KEY", retries=1)
        calls = [asking(), asking(), asking()]
        assert [seen.headers["Authorization"] for seen in mock.seen][:4] == [f"Bearer {key}"] * 4
    assert "refuses the key: Invalid key: [key]" in calls[1].said
    assert calls[0].said == "Your key is [key]"
    for place in (calls, asking.client, asking.client.settings, vars(asking.client), caplog.text):
        assert key not in repr(place)
        assert key not in str(place)


def test_a_key_in_an_answer_is_taken_out_however_it_is_escaped(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("MY_KEY", "abc/def+ghi/jkl")
    body = says("Your key is abc/def+ghi/jkl.").body.replace(b"/", rb"\/")
    call = ask(Reply(body), key="MY_KEY")
    assert call.said == "Your key is [key]."
    assert "def+ghi" not in json.dumps(call.response)


def test_a_key_that_is_no_secret_garbles_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", "x")
    assert ask("exact", key="MY_KEY").said == "exact"


@pytest.mark.parametrize("value", ["", "  \n"])
def test_a_key_that_is_missing_is_named(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(ProviderError, match=r"variable MY_KEY, for the key of 127.* is not set"):
        ask(key="MY_KEY")


@pytest.mark.parametrize("value", [f"{KEY}\nX-More: 1", f"{KEY} {KEY}", f"{KEY}é", f"\x01{KEY}"])
def test_what_cannot_be_a_key_is_not_repeated(value: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MY_KEY", value)
    with pytest.raises(ProviderError, match="MY_KEY holds cannot be a key") as refusal:
        ask(key="MY_KEY")
    assert KEY not in repr(refusal.value)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_the_key_does_not_follow_a_redirect(key: str, status: int) -> None:
    with MockModel() as elsewhere:
        target = {"Location": f"{elsewhere.base_url}/chat/completions"}
        call = ask(Reply(status=status, headers=target), key="MY_KEY")
        assert elsewhere.seen == []
        assert f"redirects to {elsewhere.host}: name that address instead" in call.said
    assert call.failure == "PROVIDER"


def test_cookies_are_not_sent_back() -> None:
    with MockModel(Reply(says("a").body, headers={"Set-Cookie": "who=you"}), "b") as mock:
        asking = Asking(mock)
        asking()
        asking()
        assert "Cookie" not in mock.seen[1].headers


# Names and settings -----------------------------------------------------------------------------


def test_the_id_of_a_call_is_that_of_the_question() -> None:
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
def test_a_name_that_is_none_is_refused_and_not_repeated(name: str) -> None:
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
def test_a_wrong_option_gets_a_sentence(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(DuelbookError) as refusal:
        ModelSettings.read("llm:m@http://h", options)
    assert sentence in str(refusal.value)
