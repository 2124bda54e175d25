"""Whatever is sent, the server answers, the game can be played, and nobody learns a secret."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any
from urllib.parse import quote

import httpx
import pytest
from hypothesis import HealthCheck, given, note, settings
from hypothesis import strategies as st
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed

from online import UNLIMITED, bearer, begin, live, sit
from servers import TIMEOUT_SECONDS, Server, running

pytestmark = [pytest.mark.anyio, pytest.mark.integration]
TYPES = (
    "hello",
    "play",
    "resign",
    "takeback",
    "agree",
    "decline",
    "help",
    "rematch",
    "hint",
    "ping",
)

# What may be sent -------------------------------------------------------------------------------

texts = st.text(max_size=30) | st.sampled_from(
    ["", "build 4", "build 99", "attack", "\x00", "../..", "'; DROP TABLE games; --", "<b>", "🂡"]
)
numbers = st.integers(-5, 40) | st.sampled_from([2**31, 2**31 + 1, 2**63, 10**400, -1])
values = st.recursive(
    st.none() | st.booleans() | numbers | st.floats() | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
messages = st.fixed_dictionaries(
    {"type": st.sampled_from(TYPES) | values},
    optional={
        "move": texts | values,
        "answers": numbers | values,
        "number": numbers | values,
        "secret": texts | values,
        "on": st.booleans() | values,
        "what": values,
    },
)


@st.composite
def frames(draw: st.DrawFn) -> str | bytes:
    """Draw a frame: a message, a damaged one, or noise."""
    text = json.dumps(draw(messages))
    match draw(st.sampled_from(["whole", "whole", "cut", "changed", "value", "noise", "deep"])):
        case "cut":
            return text[: draw(st.integers(0, len(text)))]
        case "changed":
            at = draw(st.integers(0, len(text)))
            return text[:at] + draw(st.text(max_size=3)) + text[at + draw(st.integers(0, 3)) :]
        case "value":
            return json.dumps(draw(values))
        case "noise":
            return draw(st.binary(max_size=50) | st.text(max_size=50))
        case "deep":
            depth = draw(st.sampled_from([3, 1900]))
            return f'{{"what": {"[" * depth}{"]" * depth}, "type": "ping"}}'
    return text


# What must hold ---------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    with running(Server(tmp_path_factory.mktemp("server"), *UNLIMITED)) as server:
        yield server
        log_text = server.log_text()
    assert "Traceback" not in log_text
    assert '"level": "error"' not in log_text


class Game:
    """A game between two people, one of whom is a nuisance."""

    def __init__(self, server: Server, http: httpx.Client) -> None:
        self.server = server
        seat = begin(http)
        self.id: str = seat["id"]
        self.secrets: list[str] = [seat["secret"], sit(http, self.id)["secret"]]

    async def can_be_played(self) -> None:
        """Play on as far as it goes, and see that nothing is stuck."""
        async with (
            live(self.server, self.id, self.secrets[0]) as operation,
            live(self.server, self.id, self.secrets[1]) as two,
        ):
            assert operation.game["view"]["position"] == two.game["view"]["position"]
            if not operation.result:
                mover = (operation, two)[operation.game["view"]["to_move"]]
                answer = await mover.play(mover.legal[0])
                assert answer["type"] == "update", answer


def keeps(game: Game, received: list[str], *, but: str = "") -> None:
    """See that nobody was told a secret of a seat."""
    for secret in game.secrets:
        assert secret == but or not any(secret in text for text in received)


@pytest.fixture(scope="module")
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        yield http


@pytest.fixture(scope="module")
def game(server: Server, http: httpx.Client) -> Game:
    return Game(server, http)


@given(sent=st.lists(frames(), min_size=1, max_size=12), seat=st.sampled_from([0, 1, None]))
async def test_game_survives_any_message(
    server: Server, http: httpx.Client, sent: list[str | bytes], seat: int | None
) -> None:
    game = Game(server, http)
    note(f"{seat} says {sent}")
    secret = None if seat is None else game.secrets[seat]
    async with live(server, game.id, secret) as nuisance, live(server, game.id) as watching:
        with suppress(ConnectionClosed):
            for frame in sent:
                await nuisance.socket.send(frame)
            await nuisance.request(type="ping")
        assert nuisance.socket.close_code in (None, 1009, 4400, 4429)
        await watching.catch_up()
        keeps(game, nuisance.frames + watching.frames)
    await game.can_be_played()


@given(frame=frames())
async def test_any_first_message_is_answered(
    server: Server, game: Game, frame: str | bytes
) -> None:
    async with connect(server.live(game.id), proxy=None) as socket:
        note(f"says {frame!r}")
        await socket.send(frame)
        with suppress(ConnectionClosed):
            assert json.loads(await socket.recv())["type"] == "snapshot"
        assert socket.close_code in (None, 1009, 4400, 4401)
        assert socket.close_code is None or socket.close_reason


paths = st.sampled_from(
    [
        *("/", "/g/{id}", "/g/{id}/qr.svg", "/static/index.html", "/static/../hub.py", "/static/"),
        *("/api/games", "/api/games/{id}", "/api/games/{id}/seats", "/api/games/{id}/commands"),
        *("/api/games/{id}/steps", "/api/games/{id}/analysis", "/api/games/{id}/save"),
        *("/api/games/{id}/live", "/api/books/{id}/rules", "/api/schema.json", "/api/{id}"),
    ]
)
wishes = st.fixed_dictionaries(
    {"book": st.sampled_from(["tower-defense-duel", "token-tactics", "no-book"]) | values},
    optional={
        "mode": st.sampled_from(["friend", "computer", "device"]) | values,
        "seat": st.integers(0, 2) | values,
        "first": st.integers(0, 2) | values,
        "name": texts,
        "other": texts,
        "level": st.sampled_from(["easy", "medium", "god"]) | values,
        "clock": st.fixed_dictionaries({"seconds": numbers}) | values,
        "help": st.booleans(),
        "save": texts | st.recursive(values, st.lists, max_leaves=3).map(json.dumps),
    },
)


@given(
    method=st.sampled_from(["GET", "POST", "PUT", "DELETE", "OPTIONS", "HEAD", "PATCH"]),
    path=paths,
    wanted=st.sampled_from(["", "real"]) | st.text(max_size=20),
    body=frames() | wishes.map(json.dumps),
    header=st.text(st.characters(codec="latin-1", exclude_categories=["Cc", "Zs"]), min_size=1),
    seat=st.sampled_from([0, 1, None]),
)
def test_any_request_is_answered(  # noqa: PLR0917 # all that a request consists of
    server: Server,
    http: httpx.Client,
    game: Game,
    method: str,
    path: str,
    wanted: str,
    body: str | bytes,
    header: str,
    seat: int | None,
) -> None:
    name = game.id if wanted == "real" else quote(wanted, safe="%.:")
    headers = bearer(header.strip() if seat is None else game.secrets[seat])
    note(f"{method} {path.replace('{id}', name)} {headers} {body!r}")
    url = httpx.URL(server.url).copy_with(raw_path=path.replace("{id}", name).encode())
    raw = [(key.encode(), value.encode("latin-1")) for key, value in headers.items()]
    answer = http.request(method, url, content=body, headers=raw)
    assert answer.status_code < 500
    if answer.status_code >= 400 and method != "HEAD" and path.startswith("/api"):
        assert answer.json()["why"]
    keeps(game, [answer.text])


async def test_game_continues_after_all_requests(server: Server, game: Game) -> None:
    await game.can_be_played()


@pytest.mark.hypothesis  # the property is inside, so the plugin does not see it
def test_server_follows_its_schema(server: Server, game: Game) -> None:
    import schemathesis  # slow to import, and each process of tests reads this file
    from schemathesis.checks import not_a_server_error
    from schemathesis.specs.openapi import checks

    promises = [
        not_a_server_error,
        checks.response_schema_conformance,
        checks.status_code_conformance,
    ]
    schema = schemathesis.openapi.from_url(f"{server.url}/api/schema.json")
    operations: list[Any] = list(schema.get_all_operations())

    @settings(suppress_health_check=list(HealthCheck))
    @given(
        case=st.one_of([operation.ok().as_strategy() for operation in operations]),
        real=st.booleans(),
        seat=st.sampled_from([0, 1, None]),
    )
    def every_case(
        case: Any,  # noqa: ANN401 # theirs is generic
        real: bool,
        seat: int | None,
    ) -> None:
        if real and "id" in case.path_parameters:
            case.path_parameters["id"] = game.id
            case.headers = {} if seat is None else bearer(game.secrets[seat])
        case.call_and_validate(base_url=server.url, checks=promises)

    every_case()
