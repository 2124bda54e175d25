"""One server and its clients: games begun, played, refused, resumed, taken back and kept."""

from __future__ import annotations

import asyncio
import json
import random
import signal
from collections.abc import Iterator
from contextlib import AsyncExitStack, suppress
from pathlib import Path
from unittest.mock import ANY

import httpx
import pytest
from conftest import Run, Serve
from prometheus_client.parser import text_string_to_metric_families
from websockets import Origin
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidStatus

import duelbook
import raw_connections
from duelbook.play import saves
from online import UNLIMITED, Data, Live, bearer, begin, live, sit
from servers import TIMEOUT_SECONDS, PostgreSQL, Server, group_lives, running, wait_until

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

GAMES = duelbook.list_games()
TOWER = "tower-defense-duel"


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """Most tests share a server: each has games of its own."""
    with running(Server(tmp_path_factory.mktemp("server"), *UNLIMITED)) as server:
        yield server


@pytest.fixture
def http(server: Server) -> Iterator[httpx.Client]:
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        yield http


class Pair:
    """A game with a person in each seat."""

    def __init__(self, http: httpx.Client, book: str = TOWER, **terms: object) -> None:
        self.http = http
        seat = begin(http, book, **terms)
        self.id: str = seat["id"]
        yours = sit(http, self.id, name="Bo")
        held = {seated["seats"][0]: seated["secret"] for seated in (seat, yours)}
        self.secrets = [held[0], held[1]]

    def show(self, seat: int | None = None) -> Data:
        """Return the game as a seat sees it, or as anyone does."""
        headers = {} if seat is None else bearer(self.secrets[seat])
        answer = self.http.get(f"/api/games/{self.id}", headers=headers)
        assert answer.status_code == 200
        game: Data = answer.json()
        return game

    def do(self, seat: int | None, **command: object) -> httpx.Response:
        """Give a command, by default one that answers the turn that is."""
        if command["type"] in ("play", "resign", "takeback", "agree"):
            command = {"answers": self.show()["turn"], **command}
        headers = {} if seat is None else bearer(self.secrets[seat])
        return self.http.post(f"/api/games/{self.id}/commands", json=command, headers=headers)

    def play(self, *moves: str) -> None:
        """Play moves, each by the player to move."""
        for move in moves:
            answer = self.do(self.show()["view"]["to_move"], type="play", move=move)
            assert answer.is_success, answer.text


@pytest.fixture
def pair(http: httpx.Client) -> Pair:
    return Pair(http)


# Beginning --------------------------------------------------------------------------------------


def test_all_games_are_listed_with_picture_and_rules(http: httpx.Client) -> None:
    books = {book["slug"]: book for book in http.get("/api/books").json()}
    assert set(books) == {game.slug for game in GAMES}
    for slug, book in books.items():
        assert book["title"]
        assert book["scene"]
        rules = http.get(f"/api/books/{slug}/rules").json()
        assert book["title"] in rules["title"]
        assert "<h" in rules["html"]


def test_each_seat_has_a_secret(http: httpx.Client) -> None:
    seat = begin(http, name="Ann")
    yours = sit(http, seat["id"], name="Bo")
    assert (seat["seats"], yours["seats"]) == ([0], [1])
    assert seat["secret"] != yours["secret"]
    refused = http.post(f"/api/games/{seat['id']}/seats", json={"name": "Cy"})
    assert refused.status_code // 100 == 4
    assert "taken" in refused.json()["why"]
    chairs = http.get(f"/api/games/{seat['id']}").json()["status"]["chairs"]
    assert [chair["name"] for chair in chairs] == ["Ann", "Bo"]


def test_creator_can_choose_the_second_seat_and_the_first_player(http: httpx.Client) -> None:
    seat = begin(http, seat=1, first=1)
    assert seat["seats"] == [1]
    assert sit(http, seat["id"])["seats"] == [0]
    shown = http.get(f"/api/games/{seat['id']}", headers=bearer(seat["secret"])).json()
    assert shown["view"]["to_move"] == 1
    assert shown["view"]["legal"]


def test_move_before_the_second_player_joins_is_refused(http: httpx.Client) -> None:
    seat = begin(http)
    command = {"type": "play", "move": "build 4", "answers": 0}
    where = f"/api/games/{seat['id']}/commands"
    refused = http.post(where, json=command, headers=bearer(seat["secret"]))
    assert refused.status_code // 100 == 4
    assert "not here yet" in refused.json()["why"]


@pytest.mark.parametrize(
    "wish",
    [
        {"book": "no-such-book"},
        {"book": "../../etc/passwd"},
        {"book": TOWER, "mode": "nobody"},
        {"book": TOWER, "seat": 2},
        {"book": TOWER, "name": "n" * 25},
        {"book": TOWER, "name": "a\nb"},
        {"book": TOWER, "clock": {"seconds": 1}},
        {"book": TOWER, "colour": "red"},
        {"book": "token-tactics", "first": 1},
        {"book": TOWER, "save": "{"},
        {},
        [],
        None,
    ],
    ids=str,
)
def test_invalid_new_game_is_refused_with_a_reason(http: httpx.Client, wish: object) -> None:
    refused = http.post("/api/games", json=wish)
    assert refused.status_code // 100 == 4
    assert set(refused.json()) == {"code", "why"}
    assert len(refused.json()["why"].split()) > 3


def test_unknown_path_is_refused_with_a_reason(http: httpx.Client) -> None:
    for path in ("/api/games/nothing", "/api/games/nothing/steps", "/api/games/nothing/save"):
        refused = http.get(path)
        assert refused.status_code == 404
        assert refused.json()["why"]
    assert http.get("/api/nothing").status_code == 404
    assert http.put("/api/games").status_code == 405
    assert http.get("/static/../app.py").status_code == 404
    assert http.get("/static/%2e%2e/app.py").status_code == 404


# Playing ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
async def test_updates_add_up_to_the_snapshot_of_the_server(
    server: Server, http: httpx.Client, game: type[duelbook.Position]
) -> None:
    """Two seats and a spectator follow a game to its end, and compare with fresh snapshots."""
    draw = random.Random(game.slug)
    pair = Pair(http, game.slug)
    async with (
        live(server, pair.id, pair.secrets[0]) as client,
        live(server, pair.id, pair.secrets[1]) as two,
        live(server, pair.id) as watching,
    ):
        people: list[tuple[int | None, Live]] = [(0, client), (1, two), (None, watching)]
        while not client.result:
            mover = (client, two)[client.game["view"]["to_move"]]
            assert not ({0: two, 1: client}[client.game["view"]["to_move"]]).legal
            await mover.play(draw.choice(mover.legal))
            for seat, person in people:
                await person.until_turn(mover.turn)
                assert person.game == {"type": "snapshot"} | pair.show(seat)
    match = duelbook.Match.begin(game)
    for move in watching.moves:
        match = match.play(move)
    assert watching.result == {"winner": match.winner(), "by": "play", "why": ANY}
    assert watching.game["told"] == list(match.move_texts())


def test_game_can_be_played_over_http(pair: Pair) -> None:
    answer = pair.do(0, type="play", move="build 4", number=17)
    assert answer.json()["moves"] == ["build 4"]
    pair.play(
        "build 1", "build 4", "build 1", "build 4", "build 1", "build 2", "build 1", "build 1"
    )
    assert pair.show()["status"]["result"] == {"winner": 0, "by": "play", "why": ANY}


REFUSED: dict[str, tuple[int | None, Data]] = {
    "stale": (1, {"type": "play", "move": "build 4", "answers": 0}),
    "from the future": (1, {"type": "play", "move": "build 4", "answers": 99}),
    "out of turn": (0, {"type": "play", "move": "build 4"}),
    "illegal": (1, {"type": "play", "move": "attack", "answers": None}),
    "no move": (1, {"type": "play", "move": "fly 4"}),
    "no move at all": (1, {"type": "play", "move": ""}),
    "not spelled so": (1, {"type": "play", "move": "Build 4"}),
    "a spectator's": (None, {"type": "play", "move": "build 4"}),
    "a spectator resigns": (None, {"type": "resign"}),
    "a stale resignation": (0, {"type": "resign", "answers": 0}),
    "nothing to decline": (0, {"type": "decline"}),
    "a rematch too early": (0, {"type": "rematch"}),
    "a hello": (0, {"type": "hello"}),
    "no such command": (0, {"type": "castle"}),
    "no type": (0, {"type": None}),
    "too much": (1, {"type": "play", "move": "build 4", "board": "mine"}),
    "too long": (1, {"type": "play", "move": "build " * 200}),
    "text for a number": (1, {"type": "play", "move": "build 4", "answers": "1"}),
}


@pytest.mark.parametrize("name", REFUSED)
async def test_refused_commands_change_nothing(server: Server, pair: Pair, name: str) -> None:
    seat, command = REFUSED[name]
    pair.play("build 2")
    before = [pair.show(seat) for seat in (0, 1, None)]
    command = {"answers": before[0]["turn"]} | command if command["type"] == "play" else command
    refused = pair.do(seat, **command)
    assert refused.status_code // 100 == 4
    assert refused.json()["why"]
    async with live(server, pair.id, None if seat is None else pair.secrets[seat]) as connection:
        await connection.send(**command)
        answer = await connection.wait_for(type="refused")
        assert answer["why"]
        await connection.catch_up()  # it can still be used
    assert [pair.show(seat) for seat in (0, 1, None)] == before


async def test_repeated_move_is_played_once(server: Server, pair: Pair) -> None:
    async with live(server, pair.id, pair.secrets[0]) as client:
        for number in (1, 2):
            await client.send(type="play", move="build 4", answers=0, number=number)
        assert (await client.wait_for(reply=1))["type"] == "update"
        assert (await client.wait_for(reply=2))["code"] == "stale"
    assert pair.show()["moves"] == ["build 4"]


async def test_two_tabs_of_a_seat_show_the_same_game(server: Server, pair: Pair) -> None:
    async with (
        live(server, pair.id, pair.secrets[0]) as tab,
        live(server, pair.id, pair.secrets[0]) as other,
    ):
        answer = await tab.play("build 4")
        assert answer["reply"]
        await other.until_moves("build 4")
        assert other.game == tab.game
        assert not any("reply" in message for message in other.received)
        pair.play("build 2")
        await other.until_turn(other.turn + 1)
        await other.play("build 1")
        await tab.until_moves("build 4", "build 2", "build 1")


async def test_reconnecting_client_gets_the_current_game(server: Server, pair: Pair) -> None:
    async with live(server, pair.id, pair.secrets[0]) as client:
        await client.play("build 4")
        client.socket.transport.abort()  # as when a phone sleeps
    pair.play("build 2")
    async with live(server, pair.id, pair.secrets[0]) as client:
        assert client.moves == ["build 4", "build 2"]
        assert (await client.play("build 1"))["type"] == "update"


async def test_presence_is_sent(server: Server, pair: Pair) -> None:
    async with live(server, pair.id, pair.secrets[0]) as client:
        async with live(server, pair.id, pair.secrets[1]), live(server, pair.id):
            await client.wait_for(type="presence", seats=[True, True], watching=1)
        await client.wait_for(type="presence", seats=[True, False], watching=0)


async def test_at_one_device_one_secret_plays_both_seats(
    server: Server, http: httpx.Client
) -> None:
    seat = begin(http, mode="device", name="Ann", other="Bo")
    assert seat["seats"] == [0, 1]
    async with live(server, seat["id"], seat["secret"]) as client:
        for move in ("build 4", "build 2", "build 1"):
            assert (await client.play(move))["type"] == "update"
        assert [chair["name"] for chair in client.status["chairs"]] == ["Ann", "Bo"]


@pytest.mark.parametrize("level", ["easy", "medium", "hard", "perfect"])
async def test_computer_moves_at_every_level(
    server: Server, http: httpx.Client, level: str
) -> None:
    seat = begin(http, mode="computer", level=level, seat=1)
    async with live(server, seat["id"], seat["secret"]) as client:
        while not client.legal:
            await client.receive()
        await client.play("build 1")
        while len(client.moves) < 3:
            await client.receive()
        assert client.status["chairs"][0] == {
            "kind": "computer",
            "name": f"Computer ({level})",
            "level": level,
        }


async def test_many_computers_move_in_parallel(server: Server, http: httpx.Client) -> None:
    async with AsyncExitStack() as stack:
        waiting = [begin(http, mode="computer", level="easy", seat=1) for _ in range(80)]
        people = [
            await stack.enter_async_context(live(server, seat["id"], seat["secret"]))
            for seat in waiting
        ]
        for client in people:
            while not client.moves:
                await client.receive()


# Around the moves -------------------------------------------------------------------------------


async def test_takeback_after_consent(server: Server, pair: Pair) -> None:
    pair.play("build 4", "build 2")
    async with live(server, pair.id, pair.secrets[0]) as client:
        assert pair.do(1, type="takeback").is_success
        await client.wait_for(type="update")
        assert client.status["takeback"] == 1
        assert client.moves == ["build 4", "build 2"]
        await client.request(type="agree", answers=client.turn)
        assert client.moves == ["build 4"]
        assert "takeback" not in client.status
    assert pair.show(1)["view"]["legal"]
    assert pair.show() == pair.show() | {"moves": ["build 4"], "told": pair.show()["told"][:1]}


@pytest.mark.parametrize("decliner", [0, 1])
def test_takeback_request_can_be_declined_or_withdrawn(pair: Pair, decliner: int) -> None:
    pair.play("build 4", "build 2")
    turn = pair.show()["turn"]
    assert pair.do(1, type="takeback").is_success
    assert pair.do(decliner, type="decline").is_success
    assert "takeback" not in pair.show()["status"]
    assert pair.show()["turn"] == turn
    assert pair.show()["moves"] == ["build 4", "build 2"]


def test_takeback_request_ends_with_the_next_move(pair: Pair) -> None:
    pair.play("build 4", "build 2")
    assert pair.do(1, type="takeback").is_success
    pair.play("build 1")
    assert "takeback" not in pair.show()["status"]
    assert pair.do(0, type="takeback").is_success  # asks again, and agrees to nothing
    assert pair.show()["moves"] == ["build 4", "build 2", "build 1"]


async def test_takeback_against_the_computer_needs_no_consent(
    server: Server, http: httpx.Client
) -> None:
    seat = begin(http, mode="computer", level="easy")
    async with live(server, seat["id"], seat["secret"]) as client:
        await client.play("build 4")
        while len(client.moves) < 2:
            await client.receive()
        await client.request(type="takeback", answers=client.turn)
        assert client.moves == []
        assert client.legal


@pytest.mark.parametrize("seat", [0, 1])
def test_a_player_may_resign_at_any_time(pair: Pair, seat: int) -> None:
    pair.play("build 4")
    assert pair.do(seat, type="resign").is_success
    assert pair.show()["status"]["result"] == {"winner": 1 - seat, "by": "resignation", "why": ANY}
    for again in ({"type": "play", "move": "build 4"}, {"type": "resign"}, {"type": "takeback"}):
        refused = pair.do(1, **again)
        assert refused.json()["code"] == "over"


async def test_rematch_swaps_seats_and_keeps_secrets(server: Server, http: httpx.Client) -> None:
    pair = Pair(http, name="Ann")
    pair.do(0, type="resign")
    async with live(server, pair.id) as watching:
        assert pair.do(0, type="rematch").is_success
        await watching.wait_for(type="update")
        assert watching.status["rematch"] == [True, False]
        assert pair.do(1, type="rematch").is_success
        while "next" not in watching.status:
            await watching.receive()
    pair.id, pair.secrets = watching.status["next"], pair.secrets[::-1]
    assert [chair["name"] for chair in pair.show()["status"]["chairs"]] == ["Bo", "Ann"]
    pair.play("build 4", "build 4")


# Clocks -----------------------------------------------------------------------------------------


async def test_server_ends_a_game_on_time_and_keeps_its_connections(
    server: Server, http: httpx.Client
) -> None:
    pair = Pair(http, clock={"seconds": 5})  # as long as many clients keep a connection
    ask = b"GET /healthz HTTP/1.1\r\nHost: here\r\n\r\n"
    with raw_connections.open_connections(server) as [silent]:
        silent.send(ask).read_until(b"ok\n")
        pair.play("build 4", "build 4")  # the first move of each takes no time
        async with live(server, pair.id) as watching:
            clocks = watching.status["clocks"]
            assert clocks["running"] == 0
            assert 0 < clocks["left"][0] <= 5000 == clocks["left"][1]
            while not watching.result:
                await watching.receive()
            assert watching.result == {"winner": 1, "by": "time", "why": ANY}
            assert watching.status["clocks"]["left"][0] == 0
        silent.send(ask).read_until(b"ok\n")
    assert pair.do(0, type="play", move="build 4").json()["code"] == "over"


def test_a_move_adds_its_increment(http: httpx.Client) -> None:
    pair = Pair(http, clock={"seconds": 100, "increment": 10})
    pair.play("build 4", "build 4", "build 4")
    clocks = pair.show()["status"]["clocks"]
    assert clocks["increment"] == 10_000
    assert clocks["running"] == 1
    assert 100_000 < clocks["left"][0] <= 120_000


# Secrets of seats -------------------------------------------------------------------------------


async def test_wrong_secret_is_refused(server: Server, pair: Pair) -> None:
    other = Pair(pair.http)
    for wrong in ("nonsense", other.secrets[0], "ü"):
        header = (b"Authorization", f"Bearer {wrong}".encode())
        refused = pair.http.get(f"/api/games/{pair.id}", headers=[header])
        assert refused.status_code in (401, 403)
        with pytest.raises(ConnectionClosed) as closed:
            async with live(server, pair.id, wrong):
                pass
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 4401


async def test_first_message_must_be_hello(server: Server, pair: Pair) -> None:
    for frame in ('{"type": "ping"}', "nonsense", "{}", b"\x00", ""):
        async with connect(server.live(pair.id), proxy=None) as socket:
            await socket.send(frame)
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
        assert closed.value.rcvd
        assert closed.value.rcvd.code == 4400
        assert closed.value.rcvd.reason


async def test_unknown_game_is_reported(server: Server) -> None:
    with pytest.raises(ConnectionClosed) as closed:
        async with live(server, "nothing"):
            pass
    assert closed.value.rcvd
    assert closed.value.rcvd.code == 4404


# Saves ------------------------------------------------------------------------------------------


def test_terminal_reads_a_downloaded_save(pair: Pair, run: Run, tmp_path: Path) -> None:
    pair.play("build 4", "build 2")
    pair.do(1, type="resign")
    answer = pair.http.get(f"/api/games/{pair.id}/save")
    assert "attachment" in answer.headers["content-disposition"]
    series = saves.parse(answer.text, "the download")
    assert series.match.moves == ("build 4", "build 2")
    assert series.winner() == 0
    file = tmp_path / "download.json"
    file.write_bytes(answer.content)
    shown = run("replay", str(file))
    assert shown.exit_code == 0
    assert "builds 4 units" in shown.output


def test_save_continues_in_the_browser(pair: Pair) -> None:
    pair.play("build 4", "build 2")
    text = pair.http.get(f"/api/games/{pair.id}/save").text
    seat = begin(pair.http, mode="device", save=text)
    shown = pair.http.get(f"/api/games/{seat['id']}", headers=bearer(seat["secret"])).json()
    assert shown["moves"] == ["build 4", "build 2"]
    assert shown["view"]["legal"]
    assert [chair["name"] for chair in shown["status"]["chairs"]] == ["Player 1", "Bo"]


def test_finished_save_can_be_reviewed(pair: Pair) -> None:
    pair.do(0, type="resign")
    text = pair.http.get(f"/api/games/{pair.id}/save").text
    seat = begin(pair.http, mode="device", save=text)
    shown = pair.http.get(f"/api/games/{seat['id']}").json()
    assert shown["status"]["result"] == {"winner": 1, "by": "resignation", "why": ANY}


def test_damaged_save_is_refused_with_the_line(http: httpx.Client, pair: Pair) -> None:
    pair.play("build 4")
    text = http.get(f"/api/games/{pair.id}/save").text
    refused = http.post(
        "/api/games", json={"book": TOWER, "save": text.replace("build 4", "build 3")}
    )
    assert refused.status_code // 100 == 4
    assert "line" in refused.json()["why"]


def test_finished_game_has_steps_and_analysis(pair: Pair) -> None:
    moves = ["build 4", "build 1", "build 4", "build 1", "build 4", "build 1", "build 4"]
    refused = pair.http.get(f"/api/games/{pair.id}/analysis")
    assert refused.status_code // 100 == 4
    pair.play(*moves)
    steps = pair.http.get(f"/api/games/{pair.id}/steps").json()["steps"]
    assert [step.get("move", "") for step in steps] == ["", *moves]
    analysis = pair.http.get(f"/api/games/{pair.id}/analysis", timeout=60).json()
    assert [judged["move"] for judged in analysis["moves"]] == moves
    assert analysis["moves"][-1]["mark"] == "mistake"  # past 15
    assert len(analysis["curve"]) == len(moves) + 1


# Help -------------------------------------------------------------------------------------------


async def test_hints_need_consent_over_the_websocket(server: Server, pair: Pair) -> None:
    async with live(server, pair.id, pair.secrets[0]) as client:
        assert (await client.request(type="hint"))["type"] == "refused"
        await client.request(type="help", on=True)
        assert (await client.request(type="hint"))["type"] == "refused"
        pair.do(1, type="help", on=True)
        assert (await client.wait_for(type="evaluation"))["turn"] == client.turn
        hint = await client.request(type="hint")
        assert hint["type"] == "hint"
        assert hint["move"] in hint["said"]
        assert not hint["lost"]
        pair.do(1, type="help", on=False)
        await client.wait_for(type="update")
        assert (await client.request(type="hint"))["type"] == "refused"


# Limits -----------------------------------------------------------------------------------------


def parsed(metrics: str) -> dict[str, float]:
    """Return the sum of each metric, as Prometheus reads them."""
    return {
        family.name: sum(
            sample.value for sample in family.samples if sample.name.endswith("_total")
        )
        for family in text_string_to_metric_families(metrics)
    }


async def close_code(socket: ClientConnection) -> int | None:
    """Return with which code a connection is closed at last."""
    with suppress(ConnectionClosed):
        while True:
            await socket.recv()
    return socket.close_code


async def test_message_has_a_maximum_size(server: Server, pair: Pair) -> None:
    async with live(server, pair.id, pair.secrets[0]) as client:
        with suppress(ConnectionClosed):  # in the middle of it
            await client.send(type="play", move="build " * 1_000_000, answers=0)
        assert await close_code(client.socket) == 1009
    body = json.dumps({"book": TOWER, "save": " " * 10_000_000})
    refused = pair.http.post("/api/games", content=body)
    assert refused.status_code == 413
    assert refused.json()["why"]
    pair.play("build 4")


async def test_address_over_its_limits_gets_a_reason(serve: Serve) -> None:
    server = serve("--rate", "20", "--connections", "3", "--games", "2")
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        pair = Pair(http)
        begin(http)
        refused = http.post("/api/games", json={"book": TOWER})
        assert refused.status_code == 429
        assert "too many games" in refused.json()["why"]

        async with AsyncExitStack() as stack:
            people = [await stack.enter_async_context(live(server, pair.id)) for _ in range(3)]
            async with connect(server.live(pair.id), proxy=None) as fourth:
                assert await close_code(fourth) == 4429
                assert "Too many connections" in str(fourth.close_reason)
            for number in range(60):
                await people[0].send(type="ping", number=number)
            answered = asyncio.create_task(people[0].wait_for(reply=59))
            await people[1].catch_up()  # the others are not to blame
            assert not answered.done()  # a client that is too fast has to wait
            await answered  # and loses nothing
        async with live(server, pair.id):  # and there is room again
            pass

        address = raw_connections.unused_address()
        for _ in range(12):  # one that is closed does not count
            with raw_connections.open_connections(server, 1, address) as [client]:
                assert client.upgrade(pair.id) == 101
                client.send(raw_connections.frame(raw_connections.CLOSE))
                assert client.close_code() == 1005

        answers = [http.get(f"/api/games/{pair.id}") for _ in range(200)]
        refused = next(answer for answer in answers if not answer.is_success)
        assert refused.status_code == 429
        assert "Too many requests" in refused.json()["why"]
        assert http.get("/healthz").is_success


# What surrounds it all --------------------------------------------------------------------------


async def test_requests_from_other_sites_are_refused(server: Server, pair: Pair) -> None:
    for origin in ("https://evil.example", "null", f"http://127.0.0.1:{server.port + 1}"):
        with pytest.raises(InvalidStatus):
            await connect(server.live(pair.id), origin=Origin(origin), proxy=None)
        refused = pair.http.post("/api/games", json={"book": TOWER}, headers={"Origin": origin})
        assert refused.status_code == 403
    async with connect(server.live(pair.id), origin=Origin(server.url), proxy=None) as socket:
        await socket.send('{"type": "hello"}')
        assert await socket.recv()


def test_all_responses_have_security_headers(http: httpx.Client, pair: Pair) -> None:
    for path in ("/", f"/g/{pair.id}", f"/api/games/{pair.id}", "/nothing", "/api/books"):
        headers = http.get(path).headers
        policy = dict(
            part.strip().split(" ", 1) for part in headers["content-security-policy"].split(";")
        )
        assert policy["default-src"] == "'none'"
        assert "unsafe" not in headers["content-security-policy"]
        assert policy["frame-ancestors"] == "'none'"
        assert headers["x-content-type-options"] == "nosniff"
        assert headers["referrer-policy"] == "no-referrer"
        assert "server" not in headers


def test_health_and_metrics_are_available(server: Server, http: httpx.Client) -> None:
    assert http.get("/healthz").status_code == 200
    before = parsed(http.get("/metrics").text)
    pair = Pair(http)
    pair.play("build 4", "build 4")
    pair.do(0, type="castle")
    after = parsed(http.get("/metrics").text)
    grown = {name: after[name] - before[name] for name in after}
    assert grown["duelbook_games"] == 1
    assert grown["duelbook_events"] >= 3
    assert pair.id not in http.get("/metrics").text


def test_qr_code_contains_the_game_link(http: httpx.Client, pair: Pair) -> None:
    answer = http.get(f"/g/{pair.id}/qr.svg")
    assert answer.headers["content-type"].startswith("image/svg+xml")
    assert "<path" in answer.text


async def test_logs_are_json_without_secrets(serve: Serve) -> None:
    server = serve(*UNLIMITED)
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        pair = Pair(http, name="Annabella")
        pair.play("build 4")
        pair.do(0, type="play", move="build 2")
        http.get(f"/api/games/{pair.id}", headers=bearer("a-wrong-secret"))
        http.get(f"/g/{pair.id}?secret=in-the-address")
        async with live(server, pair.id, pair.secrets[1]) as client:
            await client.play("build 1")
            await client.send(type="nonsense")
            await client.wait_for(type="refused")
    server.stop()
    log_text = server.log_text()
    lines = [json.loads(line) for line in log_text.splitlines()]
    assert all({"time", "level", "said"} <= set(line) for line in lines)
    for secret in (*pair.secrets, pair.id, "Annabella", "wrong-secret", "in-the-address"):
        assert secret not in log_text


async def test_stopped_server_closes_connections_and_keeps_games(serve: Serve) -> None:
    server = serve(*UNLIMITED, spawned=True)
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        pair = Pair(http)
        seat = begin(http, mode="computer", seat=1)
    async with (
        live(server, pair.id, pair.secrets[0]) as client,
        live(server, seat["id"], seat["secret"]) as two,
    ):
        while not two.moves:  # so that there is a process that thinks
            await two.receive()
        await client.play("build 4")
        server.stop()
        assert await close_code(client.socket) == 1012
    # Python may add a warning when it tidies up after the process that thought.
    *_, last = [line for line in server.log_text().splitlines() if line.startswith("{")]
    assert json.loads(last)["said"] == "stopped"
    server.start()
    async with live(server, pair.id, pair.secrets[1]) as two:
        assert two.moves == ["build 4"]
        await two.play("build 2")


async def test_killed_server_leaves_no_process(serve: Serve) -> None:
    server = serve(*UNLIMITED)
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        seat = begin(http, mode="computer", seat=1)
    async with live(server, seat["id"], seat["secret"]) as client:
        while not client.moves:
            await client.receive()
    assert server.process
    group = server.process.pid
    server.process.kill()
    server.process.wait()
    wait_until(lambda: not group_lives(group), lambda: "its children live on")
    server.process = None


def test_inactive_game_is_deleted(serve: Serve) -> None:
    server = serve(*UNLIMITED)
    afresh = httpx.Limits(max_keepalive_connections=0)  # no connection outlives a server
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS, limits=afresh) as http:
        pair = Pair(http)
        pair.play("build 4")
        server.stop()
        server.options = (*UNLIMITED, "--keep-days", "30")
        server.start()
        pair.play("build 4")
        server.stop()
        server.options = (*UNLIMITED, "--keep-days", "0")
        server.start()
        wait_until(lambda: http.get(f"/api/games/{pair.id}").status_code == 404, server.log_text)


def test_invalid_origin_is_refused(http: httpx.Client) -> None:
    refused = http.post("/api/games", json={"book": TOWER}, headers={"Origin": "http://["})
    assert refused.status_code == 403


def test_qr_code_of_a_long_url_is_refused(http: httpx.Client) -> None:
    game = begin(http)["id"]
    refused = http.get(f"/g/{game}/qr.svg", headers={"Host": "h" * 4000})
    assert refused.status_code == 400


def test_save_with_too_many_moves_is_refused(http: httpx.Client) -> None:
    saved = http.get(f"/api/games/{begin(http)['id']}/save").json()
    saved["games"][0]["moves"] = ["build 4", "attack", "build 2", "attack"] * 600
    refused = http.post("/api/games", json={"save": json.dumps(saved)})
    assert refused.status_code == 400
    assert "at most 2,000 moves" in refused.json()["why"]


async def test_no_move_is_acknowledged_without_the_database(serve: Serve) -> None:
    with running(PostgreSQL()) as cluster:
        server = serve(*UNLIMITED, database=cluster.database())
        with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
            pair = Pair(http)
            pair.play("build 4")
            async with live(server, pair.id, pair.secrets[1]) as two:
                cluster.end(signal.SIGINT)
                wait_until(lambda: not server.ready(), lambda: "it still seems to be well")
                assert (await two.play("build 2"))["code"] == "later"
                assert http.post("/api/games", json={"book": TOWER}).status_code == 503
                cluster.start()
                wait_until(server.ready, server.log_text)
                assert (await two.play("build 1"))["type"] == "update"
            assert pair.show()["moves"] == ["build 4", "build 1"]
