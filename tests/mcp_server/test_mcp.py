"""The games for agents: whole games over every transport, secrets, limits, and bad input."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import httpx
import pytest
from conftest import Run, Terminal
from mcp import Client, MCPError
from mcp_types import TextResourceContents

import duelbook
from duelbook.analysis.hint import MoveHint
from duelbook.catalog.registry import load
from duelbook.compute.engines import Engines
from duelbook.errors import DuelbookError
from duelbook.mcp_server import game_registry, game_service
from duelbook.mcp_server.agent_game import AgentGame
from duelbook.mcp_server.game_registry import GameRegistry, new_token
from duelbook.players.asking import why_not
from duelbook.position import PLY_LIMIT, Position
from duelbook.secrecy import SeatRecord
from mcp_clients import EXAMPLES, KUHN, Agent, Data, McpHttpServer, in_memory, process
from paths import ROOT
from repository_tools import tool
from servers import TIMEOUT_SECONDS, running

pytestmark = [pytest.mark.anyio, pytest.mark.integration]

BOOKS = [game.slug for game in duelbook.list_games()]
MODES = ["auto", "legacy"]
EVERY_GAME = [*BOOKS, "kuhn-poker"]


@pytest.fixture(scope="module")
def engines() -> Iterator[Engines]:
    """Share the processes in which the computer thinks: each takes a second to start."""
    shared = Engines((load(KUHN),))
    yield shared
    shared.close()


def check_ending(looks: list[Data]) -> None:
    """Both seats must agree on how the game ended."""
    winners = [look["ending"]["winner"] for look in looks]
    assert winners in (["you", "opponent"], ["opponent", "you"], ["nobody", "nobody"])
    mine, yours = (look["ending"]["paid"] for look in looks)
    assert mine == -yours
    assert [look["legal"] for look in looks] == [[], []]


# Whole games ------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", MODES)
async def test_two_agents_play_every_game_to_its_end(mode: str) -> None:
    async with in_memory(mode) as agent:
        for game in EVERY_GAME:
            handles = await agent.begin_for_two(game)
            looks = await agent.play_out(handles, Random(game))
            check_ending(looks)
            moves = [look["moves"] for look in looks]
            assert len(moves[0]) == len(moves[1]) == looks[0]["turn"] > 0


async def test_a_process_plays_over_standard_input_and_output(tmp_path: Path) -> None:
    noisy = tmp_path / "noisy.py"
    noisy.write_text((EXAMPLES / "nim.py").read_text() + "\n\nprint('this is not JSON')\n")
    async with Client(process(tmp_path, "--game", str(noisy))) as client:
        agent = Agent(client)
        for game in [*EVERY_GAME, "nim"]:
            check_ending(await agent.play_out(await agent.begin_for_two(game), Random(game)))
        handle, look = await agent.begin("kuhn", opponent="perfect", seat=2)
        assert (look["to_move"], look["opponent"]) == ("you", "perfect")
        (look,) = await agent.play_out([handle], Random(0))
        assert look["ending"]["by"] == "rules"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[McpHttpServer]:
    with running(McpHttpServer(tmp_path_factory.mktemp("agents"))) as program:
        yield program


@pytest.mark.parametrize("mode", MODES)
async def test_agents_play_over_http(mode: str, served: McpHttpServer) -> None:
    async with Client(served.url, mode=mode) as first, Client(served.url, mode=mode) as second:
        mine, yours = Agent(first), Agent(second)
        for game in EVERY_GAME:
            begun = await mine.call("begin", game=game, opponent="seat")
            joined = await yours.call("join", invitation=begun["invitation"])
            handles = [begun["handle"], joined["handle"]]
            check_ending(await mine.play_out(handles, Random(game)))
        handle, look = await mine.begin("tower", opponent="hard", first=2)
        assert (look["turn"], look["to_move"]) == (1, "you")
        (look,) = await yours.play_out([handle], Random(0))  # a handle needs no connection
        assert look["ending"]["by"] == "rules"


# What there is ----------------------------------------------------------------------------------


async def test_games_are_listed_and_their_rules_are_resources() -> None:
    async with in_memory() as agent:
        listed = await agent.call("games")
        assert [game["name"] for game in listed["games"]] == EVERY_GAME
        assert {"seat", "easy", "perfect", "random"} <= set(listed["opponents"])
        kuhn = listed["games"][EVERY_GAME.index("kuhn-poker")]
        assert (kuhn["chance"], kuhn["secrets"], kuhn["scores"]) == (True, True, True)
        resources = (await agent.client.list_resources()).resources
        assert [str(page.uri) for page in resources] == [game["rules"] for game in listed["games"]]
        for resource in resources:
            (page,) = (await agent.client.read_resource(str(resource.uri))).contents
            assert isinstance(page, TextResourceContents)
            rules = await agent.call("rules", game=resource.name)
            assert rules["text"] == page.text
            assert page.text.startswith(f"# {rules['title']}")


async def test_every_tool_describes_its_arguments_and_its_result() -> None:
    async with in_memory() as agent:
        for tool in (await agent.client.list_tools()).tools:
            assert tool.description
            assert tool.output_schema
            assert tool.output_schema["type"] == "object"
            for name, argument in tool.input_schema["properties"].items():
                assert argument.get("description"), f"{tool.name} {name}"


def test_the_tables_of_the_documentation_are_current() -> None:
    text = (ROOT / "docs" / "reference" / "mcp.md").read_text()
    assert tool("mcp_page").page(text) == text
    for part in ("### The tool `move`", "#### GameView", "| `handle` |"):
        assert part in text


# Moves ------------------------------------------------------------------------------------------


async def test_a_refused_move_is_an_error_with_the_reason_and_changes_nothing() -> None:
    async with in_memory() as agent:
        yours, mine = await agent.begin_for_two("galaxy")
        conquest, position = "planet 1 ship 1", duelbook.load("galaxy").start()
        await agent.call("move", handle=yours, move=conquest)
        before = await agent.call("look", handle=mine)
        refusal = await agent.refused("move", handle=mine, move=conquest)
        assert refusal == position.play(conquest).why_not(tuple(conquest.split()))
        refusal = await agent.refused("move", handle=mine, move="castle")
        assert refusal == "'castle' is not a move of Galaxy Conquest."
        refusal = await agent.refused("move", handle=yours, move="planet 2 ship 2")
        assert refusal == "It is not your turn."
        assert await agent.call("look", handle=mine) == before
        await agent.call("move", handle=mine, move="planet 2 ship 2", turn=1)
        refusal = await agent.refused("move", handle=mine, move="planet 3 ship 3", turn=1)
        assert refusal == "The game has moved on: it is at turn 2."


async def test_nobody_can_move_before_the_other_agent_joins() -> None:
    async with in_memory() as agent:
        begun = await agent.call("begin", game="tower", opponent="seat")
        refusal = await agent.refused("move", handle=begun["handle"], move="build 1")
        assert refusal.startswith("The other seat is not taken yet")
        await agent.call("join", invitation=begun["invitation"])
        refusal = await agent.refused("join", invitation=begun["invitation"])
        assert refusal == "There is no such invitation, or its seat is taken already."
        look = await agent.call("move", handle=begun["handle"], move="build 1")
        assert look["told"][0].startswith("Player 1")


async def test_an_agent_can_resign_and_wait_for_its_turn() -> None:
    async with in_memory() as agent:
        mine, yours = await agent.begin_for_two("tower")
        waiting = asyncio.create_task(agent.call("look", handle=yours, wait=50))
        await asyncio.sleep(0)
        await agent.call("move", handle=mine, move="build 2")
        assert (await waiting)["to_move"] == "you"
        lost = await agent.call("resign", handle=mine)
        assert lost["ending"] == {
            "winner": "opponent",
            "by": "resignation",
            "paid": -1.0,
            "said": "Player 1 resigns.\nPlayer 2 wins!",
        }
        assert await agent.refused("resign", handle=yours) == "The game is over."
        assert await agent.refused("move", handle=yours, move="build 1") == "The game is over."


async def test_a_player_that_cannot_play_the_game_is_refused_with_the_reason(
    tmp_path: Path,
) -> None:
    file = tmp_path / "large_poker.py"
    text = Path(KUHN).read_text().replace("KuhnPoker(Position)", "LargePoker(Position)")
    file.write_text(text.replace("largest_payoff = 2", "largest_payoff = 2\n    max_positions = 3"))
    engines = Engines((load(str(file)),))
    async with in_memory(engines=engines) as agent:
        refusal = await agent.refused("begin", game="large-poker", opponent="perfect")
        assert refusal == why_not("perfect", load(str(file)))
        assert refusal.startswith("perfect cannot play Large Poker: ")
        engines.close()
        refusal = await agent.refused("begin", game="large", opponent="mcts:9999999")
        assert refusal.startswith("There is no opponent 'mcts:9999999'.")


# Help -------------------------------------------------------------------------------------------


async def test_the_value_of_a_position_is_returned_if_help_is_allowed(
    engines: Engines,
) -> None:
    async with in_memory(engines=engines) as agent:
        mine, yours = await agent.begin_for_two("tower", help=True)
        worth = await agent.call("worth", handle=mine)
        assert worth["value"] in (-1.0, 0.0, 1.0)
        assert worth["standing"].startswith(("Player 1", "Neither"))
        assert worth["move"].split()[0] in ("build", "attack")
        assert worth["move"] in worth["hint"]
        await agent.call("move", handle=mine, move="build 1")
        answer = await agent.call("worth", handle=yours)
        refusal = "wins" if answer["value"] > 0 else "loses" if answer["value"] < 0 else "Neither"
        assert refusal in answer["standing"]
        assert "not your turn" in await agent.refused("worth", handle=mine)
        (mine, _) = await agent.begin_for_two("tower")
        refusal = await agent.refused("worth", handle=mine)
        assert refusal == "This game is played without help."
        dealt, _ = await agent.begin_for_two("kuhn", help=True)
        hidden = await agent.call("worth", handle=dealt)
        assert (hidden["standing"], hidden["value"]) == ("", None)
        assert "is worth" in hidden["hint"]


class Stuck(Engines):
    """Engines that answer only after an event."""

    def __init__(self) -> None:
        super().__init__()
        self.may_answer = asyncio.Event()

    async def why_not(self, game: type[Position], player: str) -> str:
        return ""

    async def choose(self, record: SeatRecord, player: str, seed: str) -> str:
        await self.may_answer.wait()
        return record.view.moves()[0]

    async def hint(self, record: SeatRecord) -> MoveHint:
        await self.may_answer.wait()
        return MoveHint("build 1", "build 1 wins.")


async def test_a_slow_computer_does_not_block_other_calls(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_service, "CALL_TIMEOUT_SECONDS", 0.2)
    monkeypatch.setattr(game_service, "PROGRESS_SECONDS", 0.05)
    engines, reports = Stuck(), list[str]()

    async def noted(progress: float, total: float | None, message: str | None) -> None:
        reports.append(f"{message}")

    async with in_memory(engines=engines) as agent:
        handle, _ = await agent.begin("tower", opponent="perfect")
        asked = {"handle": handle}
        thought = agent.client.call_tool("worth", asked, progress_callback=noted)
        waiting = asyncio.create_task(thought)
        await asyncio.sleep(0)
        assert (await agent.call("look", handle=handle))["to_move"] == "you"  # answered meanwhile
        late = (await waiting).model_dump_json()
        assert "Studying Tower Defense Duel takes longer than 0.2 s." in late
        assert "Studying Tower Defense Duel" in reports
        look = await agent.call("move", handle=handle, move="build 1")
        assert (look["turn"], look["note"]) == (1, "The computer is still thinking.")
        assert await agent.refused("move", handle=handle, move="build 1") == "It is not your turn."
        engines.may_answer.set()
        look = await agent.call("look", handle=handle, wait=50)
        assert (look["turn"], look["to_move"], look["note"]) == (2, "you", "")


async def test_a_failing_computer_is_reported_and_the_agent_can_resign(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    engines = Stuck()

    async def choose(*_: object) -> str:
        return "castle"

    monkeypatch.setattr(engines, "choose", choose)
    async with in_memory(engines=engines) as agent:
        handle, look = await agent.begin("tower", opponent="hard", first=2)
        assert look["note"].startswith("The computer cannot continue: 'castle' is not a move")
        assert (await agent.call("resign", handle=handle))["to_move"] == "nobody"


# Bad input --------------------------------------------------------------------------------------

HOSTILE: list[tuple[str, Data, str]] = [
    ("look", {"handle": "x"}, "There is no game with this handle."),
    ("look", {"handle": ""}, "There is no game with this handle."),
    ("look", {"handle": "\x00\x1b[2J\u202e"}, "There is no game with this handle."),
    ("look", {"handle": "x" * 1_000_000}, "The argument handle: String should have at most 100"),
    ("look", {"handle": 7}, "The argument handle: Input should be a valid string."),
    ("look", {"handle": None}, "The argument handle: Input should be a valid string."),
    ("look", {"handle": {"a": ["b"]}}, "The argument handle: Input should be a valid string."),
    ("look", {}, "The argument handle: Field required."),
    ("look", {"handle": "x", "wait": 10**9}, "The argument wait: Input should be less than"),
    ("look", {"handle": "x", "wait": "soon"}, "The argument wait: Input should be a valid int"),
    ("look", {"handle": "x", "seat": 2}, "There is no argument 'seat'."),
    ("move", {"handle": "x", "move": "y"}, "There is no game with this handle."),
    ("move", {"handle": "x", "move": ["y"]}, "The argument move: Input should be a valid string."),
    ("resign", {"handle": "x"}, "There is no game with this handle."),
    ("worth", {"handle": "x"}, "There is no game with this handle."),
    ("join", {"invitation": "x"}, "There is no such invitation"),
    ("rules", {"game": "chess"}, "There is no game 'chess'."),
    ("rules", {"game": "conquest"}, "'conquest' could be any of"),
    ("rules", {"game": "./nim.py"}, "There is no game './nim.py'."),
    ("rules", {"game": "os:system"}, "There is no game 'os:system'."),
    ("begin", {"game": "\x1b]0;title\x07"}, "There is no game '\\x1b]0;title\\x07'."),
    ("begin", {"game": "tower", "opponent": "god"}, "There is no opponent 'god'."),
    ("begin", {"game": "tower", "seat": 3}, "The argument seat: Input should be 1 or 2."),
    ("begin", {"game": "token", "opponent": "seat", "first": 2}, "In Token Tactics the rules say"),
    ("check", {"file": "../../README.md"}, "'../../README.md' is outside the folder"),
    ("check", {"file": "/etc/passwd"}, "'/etc/passwd' is outside the folder"),
    ("check", {"file": "~/nim.py"}, "There is no Python file '~/nim.py'"),
    ("check", {"file": "nim.md"}, "There is no Python file 'nim.md'"),
    ("check", {"file": "."}, "There is no Python file '.'"),
    ("check", {"file": "a\x00b.py"}, "'a\\x00b.py' cannot be read."),
    ("check", {"file": "a" * 900 + ".py"}, "'aaa"),
    ("castle", {}, "Unknown tool: castle"),
]


async def test_invalid_arguments_are_refused_without_a_traceback(
    caplog: pytest.LogCaptureFixture,
) -> None:
    for mode in MODES:
        async with in_memory(mode) as agent:
            handle, before = await agent.begin("tower", opponent="seat")
            for name, arguments, sentence in HOSTILE:
                refusal = await agent.refused(name, **arguments)
                assert refusal.startswith(sentence), (name, refusal)
                assert len(refusal) < 600
                assert "Traceback" not in refusal
                assert refusal.isprintable(), refusal
            assert await agent.call("look", handle=handle) == before
            with pytest.raises(MCPError, match="Unknown resource"):
                await agent.client.read_resource("duelbook://rules/../../../etc/passwd")
    assert [record for record in caplog.records if record.levelname in ("WARNING", "ERROR")] == []


async def test_a_fault_in_a_game_file_names_the_line(tmp_path: Path) -> None:
    file = tmp_path / "faulty_nim.py"
    text = (EXAMPLES / "nim.py").read_text().replace("Nim(Position)", "FaultyNim(Position)")
    file.write_text(text + "\n\ndef _fail(*_: object) -> None:\n    raise KeyError('secret')\n")
    file.write_text(file.read_text() + "\n\nFaultyNim.board = _fail\n")
    load(str(file))
    async with in_memory() as agent:
        refusal = await agent.refused("begin", game="faulty-nim", opponent="seat")
        assert refusal.startswith("faulty_nim.py fails in line ")


# Checking files ---------------------------------------------------------------------------------


async def test_a_file_is_checked_in_a_separate_process(tmp_path: Path) -> None:
    (tmp_path / "good.py").write_text((EXAMPLES / "nim.py").read_text())
    (tmp_path / "bad.py").write_text("import os\nos._exit(3)\n")
    (tmp_path / "large.py").write_text("#" * 1_000_001)
    (tmp_path / "escape.py").symlink_to(ROOT / "tests" / "broken" / "stuck.py")
    async with in_memory(folder=tmp_path) as agent:
        good = await agent.call("check", file="good.py")
        assert (good["follows_the_rules"], good["title"], good["breaches"]) == (True, "Nim", [])
        bad = await agent.call("check", file=str(tmp_path / "bad.py"))
        assert (bad["follows_the_rules"], bad["outcome"]) == (False, "ends the program")
        assert "too large" in await agent.refused("check", file="large.py")
        assert "is outside the folder" in await agent.refused("check", file="escape.py")


async def test_breaches_of_a_file_are_reported() -> None:
    async with in_memory(folder=ROOT / "tests" / "broken") as agent:
        report = await agent.call("check", file="stuck.py")
        assert not report["follows_the_rules"]
        assert [breach["kind"] for breach in report["breaches"]] == ["stuck"]
        assert report["breaches"][0]["said"]


# Secrets ----------------------------------------------------------------------------------------


async def answers(
    engines: Engines, game: str, seed: str, seat: int, *secret: str
) -> tuple[list[str], list[str]]:
    """Return all answers to one seat of a game, and the view of the other seat.

    The other seat makes a secret move, unless the seed has dealt it a secret.
    """
    tokens = iter([seed, "handle 1", "invitation", "handle 2"])
    async with in_memory(engines=engines, token=lambda: next(tokens)) as agent:
        handles = await agent.begin_for_two(game, help=True)
        mine, yours = handles[seat], handles[1 - seat]
        for move in secret:
            await agent.call("move", handle=yours, move=move)
        opponent_view = json.dumps(await agent.call("look", handle=yours))
        agent.answers.clear()
        look = await agent.call("look", handle=mine)
        assert look["to_move"] == "you"
        for move in ("castle", *set(duelbook.load(game).ACTIONS) - set(look["legal"])):
            await agent.refused("move", handle=mine, move=move)
        await agent.refused("move", handle=mine, move=look["legal"][0], turn=99)
        await agent.call("worth", handle=mine)
        await agent.call("resign", handle=mine)
        return agent.answers, [opponent_view]


async def test_answers_do_not_depend_on_the_hidden_choice_of_the_opponent(engines: Engines) -> None:
    first = await answers(engines, "token-tactics", "seed", 1, "attack 1")
    second = await answers(engines, "token-tactics", "seed", 1, "attack 9")
    assert first[0] == second[0]
    assert first[1] != second[1]


async def test_answers_do_not_depend_on_the_private_card_of_the_opponent(engines: Engines) -> None:
    seeds = {}
    for number in range(100):  # until Player 1 has a queen, and Player 2 each of the other cards
        position = AgentGame.create(load(KUHN), seed=str(number)).position
        mine, yours = position.to_json()["cards"]
        if mine == "queen":
            seeds[yours] = str(number)
    first, second = [
        await answers(engines, "kuhn-poker", seeds[card], 0) for card in ("jack", "king")
    ]
    assert first[0] == second[0]
    assert first[1] != second[1]


async def test_handles_are_independent_random_tokens() -> None:
    async with in_memory() as agent:
        begun = await agent.call("begin", game="token", opponent="seat")
        joined = await agent.call("join", invitation=begun["invitation"])
        tokens = [begun["handle"], begun["invitation"], joined["handle"]]
        assert len(set(tokens)) == 3
        assert all(len(token) == 32 for token in tokens)
        assert joined["handle"] not in json.dumps(await agent.call("look", handle=begun["handle"]))
        for wrong in (begun["invitation"], begun["handle"].swapcase(), begun["handle"][:-1]):
            assert "no game with this handle" in await agent.refused("look", handle=wrong)
    assert len({new_token() for _ in range(1000)}) == 1000


# Limits -----------------------------------------------------------------------------------------


def test_unused_games_are_removed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(game_registry, "MAX_GAMES", 3)
    now = 1.0
    games, tower = GameRegistry(clock=lambda: now), duelbook.load("tower")
    handles = [games.add(AgentGame.create(tower), 0)[1] for _ in range(3)]
    with pytest.raises(DuelbookError, match="There are 3 games already"):
        games.add(AgentGame.create(tower), 0)
    held, seat = games.find(handles[1])
    held.change(held.game.resign(seat))
    handles.append(games.add(AgentGame.create(tower), 0)[1])  # the finished one makes room
    with pytest.raises(DuelbookError, match="no game with this handle"):
        games.find(handles[1])
    now += game_registry.IDLE_SECONDS
    games.find(handles[0])
    now += 1.0
    games.find(handles[0])
    for handle in handles[2:4]:  # nobody asked for these
        with pytest.raises(DuelbookError, match="no game with this handle"):
            games.find(handle)


def test_a_game_that_never_ends_is_cut_at_its_limit() -> None:
    game = AgentGame.create(duelbook.load("tower"), opponent="random")
    while not game.over:
        move = "attack" if "attack" in game.position.moves() else "build 1"
        game = game.play(game.position.to_move, move)
    look = game.view_of(0)
    assert look.turn == PLY_LIMIT
    assert look.ending is not None
    assert (look.ending.winner, look.ending.by, look.ending.paid) == ("nobody", "cut", 0.0)


def test_other_sites_cannot_reach_the_server_through_a_browser(served: McpHttpServer) -> None:
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list"}
    accept = {"Accept": "application/json, text/event-stream"}
    for version in ("2025-06-18", "2026-07-28"):
        with httpx.Client(
            headers=accept | {"MCP-Protocol-Version": version}, timeout=TIMEOUT_SECONDS
        ) as http:
            rebound = http.post(served.url, json=body, headers={"Host": "evil.example"})
            foreign = http.post(served.url, json=body, headers={"Origin": "http://evil.example"})
            large = http.post(served.url, json=body | {"params": {"x": "y" * 100_000}})
        answers = rebound.status_code, foreign.status_code, large.status_code
        assert answers == (421, 403, 413), version


def test_ctrl_c_ends_the_server_at_a_terminal(terminal: Callable[..., Terminal]) -> None:
    shown = terminal("mcp")
    shown.wait_for("Ctrl-C stops.")
    shown.type('{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    shown.wait_for('"id":1')  # an answer, so it waits for the next line by now
    shown.child.sendintr()
    assert "Traceback" not in shown.end()


def test_a_used_port_and_a_missing_folder_are_refused_with_the_reason(
    run: Run, served: McpHttpServer
) -> None:
    port = served.url.rpartition(":")[2].removesuffix("/mcp")
    taken = run("mcp", "--http", port)
    assert f"Cannot listen on 127.0.0.1:{port}: Address already in use." in taken.stderr
    assert "There is no folder" in run("mcp", "--folder", "nowhere").stderr
