"""The TUI with a game on a server: a person in the TUI plays the client of a browser."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random

import httpx
import pytest

pytest.importorskip("websockets")

from conftest import Run, Terminal

import duelbook
from duelbook.tui.review import ReviewScreen
from duelbook.tui.widgets import Bar
from duelbook.web import protocol as p
from duelbook.web.client import GameClient, credentials
from duelbook.web.client.seats import take_seat
from online import UNLIMITED, Live, begin, live, sit
from paths import ROOT
from servers import Server, running
from tui_pilot import Person, open_online_tui

pytestmark = [pytest.mark.anyio, pytest.mark.integration]
Open = Callable[..., Terminal]
TOWER, TOKEN = "tower-defense-duel", "token-tactics"
KUHN = str(ROOT / "examples" / "games" / "kuhn_poker.py")
PIG = str(ROOT / "examples" / "games" / "pig.py")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    options = (*UNLIMITED, "--first-move", "0.3", "--away", "0.3", "--game", KUHN, "--game", PIG)
    with running(Server(tmp_path_factory.mktemp("served"), *options)) as served:
        yield served


@asynccontextmanager
async def ann_and_bo(
    server: Server, book: str = TOWER, **terms: object
) -> AsyncIterator[tuple[Live, Person]]:
    """Let Ann create a game in her browser, and Bo join it in the TUI."""
    with httpx.Client(base_url=server.url) as http:
        begun = begin(http, book, name="Ann", **terms)
    url = f"{server.url}/g/{begun['id']}"
    help = bool(terms.get("help"))  # noqa: A001 # the word on the wire
    game = await asyncio.to_thread(lambda: take_seat(url, lambda *_: "Bo", help=help))
    async with live(server, begun["id"], begun["secret"]) as ann, open_online_tui(game) as bo:
        yield ann, bo


async def play_on(ann: Live, random: Random) -> None:
    """Play at random from the browser's seat until the game is over."""
    while ann.result is None:
        if legal := ann.legal:
            await ann.play(random.choice(legal))
        else:
            await ann.receive()


@pytest.mark.parametrize("how", ["typed", "mouse"])
@pytest.mark.parametrize("book", [TOWER, TOKEN, "kuhn-poker"])
async def test_terminal_and_browser_play_each_other(server: Server, book: str, how: str) -> None:
    duelbook.load(KUHN)
    async with ann_and_bo(server, book) as (ann, bo):
        await asyncio.gather(play_on(ann, Random(4)), bo.play_to_the_end(lambda: how))
        assert ann.result is not None
        assert bo.online.game.news.snapshot.moves == ann.moves
        await bo.sees("[Rematch] [Review] [Leave]")
        await bo.sees("You win" if ann.result["winner"] == 1 else "Ann wins")


# Secrets ----------------------------------------------------------------------------------------


async def test_hidden_choices_are_on_no_screen(server: Server) -> None:
    async with ann_and_bo(server, TOKEN) as (ann, bo):
        await ann.until_turn(ann.turn)
        await ann.play("attack 7")
        await bo.ready()
        await bo.sees("attack ?")
        assert "attack 7" not in await bo.wait_until_drawn()
        assert "7" not in str(bo.online.game.news.snapshot.view.position)
        await bo.press("1")
        await bo.sees(" Typed text is hidden. Enter accepts it.")
        typed = [line for line in (await bo.wait_until_drawn()).splitlines() if "Typed" in line]
        assert typed == [" Typed text is hidden. Enter accepts it."]
        await bo.press("backspace", "3", "enter")
        await ann.until_moves("attack 7", "defend 3")
        await bo.sees("attack 7")


async def test_private_cards_are_shown_only_to_their_seat(server: Server) -> None:
    duelbook.load(KUHN)
    cards = {"jack", "queen", "king"}
    async with ann_and_bo(server, "kuhn-poker") as (ann, bo):
        while not ann.legal:
            await ann.receive()
        await bo.until(lambda: bo.online.game.running == 0)
        mine = {card for card in cards if card in str(ann.game["view"]["board"])}
        board = [line.partition("│")[0] for line in (await bo.wait_until_drawn()).splitlines()]
        theirs = {card for card in cards if any(card in line for line in board)}
        assert len(mine) == len(theirs) == 1
        assert mine != theirs


# What players ask of each other -----------------------------------------------------------------


async def test_takeback_requests_are_answered(server: Server) -> None:
    async with ann_and_bo(server) as (ann, bo):
        await ann.play("build 4")
        await ann.request(type="takeback", answers=ann.turn)
        await bo.sees("Ann asks to take the last move back: F5 agrees, F9 declines.")
        await bo.press("f9")
        await ann.wait_for(type="update")
        assert "takeback" not in ann.status
        await bo.until(lambda: bo.online.game.news.snapshot.status.takeback is None)
        await ann.request(type="takeback", answers=ann.turn)
        await bo.sees("[F5 Agree] [F9 Decline]")
        await bo.click("yes", "#commands")
        await ann.until_moves()
        await bo.until(lambda: not bo.offered())  # what he was offered before is gone
        await ann.play("build 4")
        await bo.ready()
        await bo.type("2")
        await ann.until_moves("build 4", "build 2")
        await bo.until(lambda: bo.online.game.running == 0)
        await bo.press("u")
        await bo.sees("You have asked to take your last move back: F9 withdraws it.")
        await ann.wait_for(type="update")
        await ann.request(type="agree", answers=ann.turn)
        await bo.ready()
        assert bo.offered() == ["build", "attack"]
        await bo.press("f5")
        await bo.sees("There is nothing to answer.")


async def test_choice_continues_during_a_takeback_request(server: Server) -> None:
    async with ann_and_bo(server, "galaxy-conquest") as (ann, bo):
        await ann.play("planet 7 ship 5")
        await bo.ready()
        await bo.type("3")
        await bo.sees("ship number")
        await ann.request(type="takeback", answers=ann.turn)
        await bo.sees("Ann asks to take")
        assert bo.online.choice.is_begun
        await bo.choose("4", "typed")
        await ann.until_moves("planet 7 ship 5", "planet 3 ship 4")


async def test_either_player_resigns(server: Server) -> None:
    async with ann_and_bo(server) as (ann, bo):
        await ann.request(type="resign", answers=ann.turn)
        await bo.sees("Ann resigns, so you win.")
    async with ann_and_bo(server) as (ann, bo):
        await bo.press("f7", "2")  # also when it is not the own turn
        while ann.result is None:
            await ann.receive()
        assert (ann.result["winner"], ann.result["by"]) == (0, "resignation")
        await bo.ready()


async def test_game_is_lost_on_time(server: Server) -> None:
    async with ann_and_bo(server, clock={"seconds": 5}) as (ann, bo):
        await bo.sees("Ann 0:05")
        await ann.play("build 4")
        await bo.ready()
        await bo.type("build 4")
        await ann.until_moves("build 4", "build 4")
        await bo.until(lambda: (bo.online.game.time_left(0) or 0) < 4.5)
        while ann.result is None:
            await ann.receive()
        assert ann.result["by"] == "time"
        await bo.sees("so you win.")


async def test_victory_can_be_claimed_after_the_opponent_leaves(server: Server) -> None:
    with httpx.Client(base_url=server.url) as http:
        begun = begin(http, TOWER, name="Ann", clock={"seconds": 600})
    url = f"{server.url}/g/{begun['id']}"
    game = await asyncio.to_thread(lambda: take_seat(url, lambda *_: "Bo", help=False))
    async with open_online_tui(game) as bo:
        async with live(server, begun["id"], begun["secret"]) as ann:
            await ann.play("build 4")
            await bo.ready()
            await bo.type("build 4")
            await ann.until_moves("build 4", "build 4")
        await bo.sees("Ann is not connected: F5 claims the victory, F9 a draw.")
        await bo.press("f9")
        await bo.sees("[Rematch] [Review] [Leave]")
        result = bo.online.game.news.snapshot.status.result
        assert result is not None
        assert (result.winner, result.by) == (None, "left")


async def test_game_that_does_not_begin_can_be_aborted(server: Server) -> None:
    async with ann_and_bo(server, clock={"seconds": 600}) as (ann, bo):
        await bo.sees("Ann does not begin: F5 ends the game without a winner.")
        await bo.press("f5")
        while ann.result is None:
            await ann.receive()
        assert ann.result["by"] == "aborted"


async def test_hints_and_bar_need_permission_of_both_players(server: Server) -> None:
    async with ann_and_bo(server) as (ann, bo):
        await ann.play("build 4")
        await bo.ready()
        await bo.press("f4")
        await bo.sees("Both players must allow hints first (Esc: menu).")
        await bo.press("f2")
        await bo.until(lambda: "Studying" not in bo.online.note)
        assert bo.online.note == "Hints need the consent of both players."
        await ann.request(type="help", on=True)
        await bo.press("escape", "3")  # the line of the menu that allows them
        await bo.sees("[F2 Hint]")
        bar = bo.online.query_one(Bar)
        await bo.until(lambda: bar.value is not None)
        await bo.press("f2")
        await bo.until(lambda: "build" in bo.online.note or "attack" in bo.online.note)


async def test_rematch_is_played_on_the_same_screen(server: Server) -> None:
    async with ann_and_bo(server) as (ann, bo):
        await ann.request(type="resign", answers=ann.turn)
        await ann.request(type="rematch")
        await bo.sees("Ann wants a rematch.")
        await bo.type("r")
        await bo.until(lambda: bo.online.game.seat == 0)
        await bo.ready()
        assert bo.online.game.names == ("Bo", "Ann")
        assert bo.offered() == ["1", "2", "4"]
        while "next" not in ann.status:
            await ann.receive()
        assert bo.online.game.news.url.endswith(ann.status["next"])


async def test_finished_online_game_can_be_reviewed_and_saved(server: Server, home: Path) -> None:
    async with ann_and_bo(server, "capture-and-conquer") as (ann, bo):
        await ann.play("move 1")
        await bo.ready()
        await bo.type("2")
        await ann.until_moves("move 1", "move 2")
        await ann.request(type="resign", answers=ann.turn)
        await bo.ready()
        await bo.press("f6")
        await bo.sees("Saved to")
        (file,) = (home / "saves").iterdir()
        assert '"move 2"' in file.read_text()
        await bo.click("review")
        await bo.until(lambda: isinstance(bo.app.screen, ReviewScreen))
        await bo.press("end")
        await bo.sees("2. Bo: move 2")


async def test_result_reports_that_the_draws_were_fair(server: Server) -> None:
    duelbook.load(PIG)
    async with ann_and_bo(server, "pig") as (ann, bo):
        await ann.play("roll")
        while len(ann.moves) < 2:
            await ann.receive()
        await ann.request(type="resign", answers=ann.turn)
        await bo.sees("The chance outcomes were fair")


# The connection ---------------------------------------------------------------------------------


async def test_tui_reconnects_to_a_restarted_server(tmp_path: Path) -> None:
    with running(Server(tmp_path, *UNLIMITED)) as served:
        async with ann_and_bo(served) as (ann, bo):
            await ann.play("build 4")
            await bo.ready()
            game = ann.game["id"]
            await asyncio.to_thread(served.kill)
            await bo.sees("The connection is lost. Trying to reconnect")
            assert bo.offered() == []
            await bo.type("4")
            await asyncio.to_thread(served.start)
            await bo.ready()
            await bo.type("build 4")
            await bo.sees("2. Bo: build 4")
            await bo.until(lambda: bo.online.game.running == 0)
            await bo.press("f10")
        assert "Continue with: duelbook join http://" in str(bo.app.return_value)
        with httpx.Client(base_url=served.url) as http:
            assert http.get(f"/api/games/{game}").json()["moves"] == ["build 4", "build 4"]


async def test_leaving_without_a_server_does_not_wait_for_it(tmp_path: Path) -> None:
    with running(Server(tmp_path, *UNLIMITED)) as served:
        async with ann_and_bo(served) as (_, bo):
            await asyncio.to_thread(served.kill)
            await bo.sees("The connection is lost")
            name = f"game {bo.online.game.news.snapshot.id}"
            assert name in [one.name for one in threading.enumerate()]
            await bo.press("f10")
            assert name not in [one.name for one in threading.enumerate()]


async def test_control_characters_of_a_server_are_removed() -> None:
    from duelbook.web.client.background import clean

    assert clean("a\x1b[2Jb\x9bc\x00d\ne\u200df") == "a\ufffd[2Jb\ufffdc\ufffdd\ne\u200df"


# The commands -----------------------------------------------------------------------------------


def test_join_refuses_invalid_addresses(server: Server, terminal: Open, home: Path) -> None:
    with httpx.Client(base_url=server.url) as http:
        full, free = begin(http, TOWER), begin(http, TOWER, name="Ann")
        sit(http, full["id"])
    where = f"{server.url}/g/"
    credentials.store(f"{where}{free['id']}", "a secret of nobody")
    for arguments, why in [
        ((f"{where}{full['id']}",), "Both seats are taken"),
        ((f"{where}none",), "There is no such game"),
        ((f"{where}{free['id']}",), "This secret does not open a seat of this game"),
        ((f"{where}{free['id']}", "--name", "Ann"), "Both players are called Ann"),
        ((f"{where}{free['id']}", "--claim", "draw"), "need --player"),
        ((server.url,), "The address of a game is http://…/g/…"),
        (("http://127.0.0.1:1/g/none",), "There is no server at http://127.0.0.1:1"),
        (("ftp://127.0.0.1/g/none",), "The address of a game is http://…/g/…"),
        (("http://[/g/x",), "There is no server at http://["),
        (("http://127.0.0.1:99999/g/x",), "There is no server at http://127.0.0.1:99999"),
        (("http://a\x07b/g/x",), "The address of a game is http://…/g/…"),
        (("",), "The address of a game is http://…/g/…"),
    ]:
        said = refused(terminal("join", *arguments, plain=False))
        assert why in said, (arguments, said)
    assert not list((home / "seats").iterdir())


def refused(program: Terminal) -> str:
    """Return what a program says that ends at once, in one line."""
    said = " ".join(program.end().split())
    assert program.child.exitstatus == 2, said
    assert "Traceback" not in said
    return said


def test_host_refuses_invalid_options(server: Server, terminal: Open) -> None:
    nim = str(ROOT / "examples" / "games" / "nim.py")
    for arguments, why in [
        (("nobody",), "There is no game 'nobody'"),
        (("tower", "--server", "http://127.0.0.1:1"), "duelbook serve --port 1"),
        ((nim, "--server", server.url), f" --game {nim}"),
        (("tower", "--server", "tower"), "The address of a server is http://…"),
        (("tower", "--server", server.url, "--clock", "x"), "Write a clock as 5+3"),
        (("tower", "--server", server.url, "--clock", "0+1"), "Write a clock as 5+3"),
        (("tower", "--server", server.url, "--name", "Player 2"), "Player 1 cannot be called"),
        (("island", "--server", server.url, "--first", "2"), "Player 1"),
    ]:
        said = refused(terminal("host", *arguments, plain=False))
        assert why in said, (arguments, said)


def test_joining_a_custom_game_needs_its_file(server: Server, terminal: Open) -> None:
    with httpx.Client(base_url=server.url) as http:
        begun = begin(http, "kuhn-poker", name="Ann")
    url = f"{server.url}/g/{begun['id']}"
    assert "give its file with --game" in refused(terminal("join", url, plain=False))
    joined = terminal("join", url, "--name", "Bo", "--game", KUHN, plain=False)
    with GameClient(url, begun["secret"]) as ann:
        while ann.snapshot.status.chairs[1].name != "Bo":
            ann.receive()
        joined.wait_for("Kuhn")
        joined.child.sendcontrol("c")
        assert f"duelbook join {url} --game {KUHN}" in joined.end().replace("\n", "")


def test_host_may_leave_and_return(server: Server, terminal: Open) -> None:
    hosting = terminal("host", "tower", "--server", server.url, "--name", "Ann", plain=False)
    hosting.wait_for("Send this link to the other player: ")
    url = hosting.wait_for("\r\n").strip()
    hosting.wait_for("Waiting for the other player.")
    hosting.child.sendintr()
    assert f"duelbook join {url}" in hosting.end().replace("\n", "")
    assert hosting.child.exitstatus == 130
    with GameClient.join(url, "Bo") as bo:
        terminal("join", url, plain=False)
        while not (bo.presence and all(bo.presence.seats)):
            bo.receive()
        assert [chair.name for chair in bo.snapshot.status.chairs] == ["Ann", "Bo"]


# Line by line -----------------------------------------------------------------------------------


@pytest.mark.parametrize("book", [TOWER, TOKEN, "galaxy-conquest"])
def test_line_mode_plays_a_whole_game(server: Server, terminal: Open, book: str) -> None:
    with httpx.Client(base_url=server.url) as http:
        begun = begin(http, book, name="Ann")
    url, random = f"{server.url}/g/{begun['id']}", Random(3)
    bo = terminal("join", url, "--name", "Bo", "--plain")
    with GameClient(url, begun["secret"]) as ann:
        while ann.result is None:
            if ann.to_move:
                ann.play(random.choice(ann.snapshot.view.legal))
            elif ann.snapshot.status.chairs[1].kind == "open" or ann.receive(timeout=0.05):
                ann.receive(timeout=0.05)
            else:
                bo.type(random.choice(moves_of_bo(ann)))
        winner = ("Ann", "Bo")[ann.result.winner or 0]
        said = bo.everything + bo.end()
        assert f"{winner} has won" in said
        assert "Traceback" not in said
        assert bo.child.exitstatus == 0


def moves_of_bo(ann: GameClient) -> list[str]:
    """Return what may be legal for the other seat: the server answers every move."""
    return list(ann.position.ACTIONS)


def test_line_mode_hides_hidden_choices_and_prints_requests(server: Server, terminal: Open) -> None:
    with httpx.Client(base_url=server.url) as http:
        begun = begin(http, TOKEN, name="Ann")
    url = f"{server.url}/g/{begun['id']}"
    bo = terminal("join", url, "--name", "Bo", "--no-tui")
    with GameClient(url, begun["secret"]) as ann:
        bo.wait_for("Ann against Bo.")  # it has read the start, and hears of the move as news
        while ann.snapshot.status.chairs[1].kind == "open":
            ann.receive()
        ann.play("attack 7")
        bo.wait_for("1. Ann: attack ?")
        bo.wait_for("(0-10):\r\n> ")
        assert "attack 7" not in bo.everything
        bo.type("3")
        assert "3" not in bo.wait_for("Reveal:").replace("2. Bo: defend 3", "")
        while not ann.snapshot.moves[1:]:
            ann.receive()
        bo.wait_for("(2) Attack")
        ann.send(p.TakeBack(ann.snapshot.turn))
        bo.wait_for("Ann asks to take the last move back: type agree or decline.")
        bo.type("decline")
        while ann.snapshot.status.takeback is not None:
            ann.receive()
        for command, answer in [
            ("help", "ask to take your last move back"),
            ("moves", "Played: attack 7, defend 3."),
            ("hint", "Hints need the consent of both players."),
            ("nonsense", "That is not a valid answer here"),
        ]:
            bo.type(command)
            bo.wait_for(answer)
        ann.resign()
        bo.wait_for("Ann resigns.")
        bo.type("1")
        assert "The position has changed: your answer was not played." in bo.end()


def test_line_mode_ends_with_its_input_and_the_seat_stays_taken(server: Server, run: Run) -> None:
    with httpx.Client(base_url=server.url) as http:
        begun = begin(http, TOWER, first=1, name="Ann")
    url = f"{server.url}/g/{begun['id']}"
    done = run("join", url, "--name", "Bo", typed="build 3\nbuild 4\n")
    with GameClient(url, begun["secret"]) as ann:
        assert ann.snapshot.moves == ["build 4"]
        ann.play("attack")
    again = run("join", url, typed=b"\x00\xff\nboard")
    for said in (done, again):
        assert said.exit_code == 0
        assert f"The seat is still yours. Continue with: duelbook join {url}" in said.output
    assert "2. Ann: attack" not in done.output
    assert "Traceback" not in again.output
