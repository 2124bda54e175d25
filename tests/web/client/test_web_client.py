from __future__ import annotations

import doctest
import json
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import HTTPServer, SimpleHTTPRequestHandler
from pathlib import Path
from random import Random

import pytest

pytest.importorskip("websockets")

from conftest import Run, Terminal
from websockets.exceptions import ConnectionClosedError

import duelbook
from duelbook import HIDDEN
from duelbook.errors import DuelbookError
from duelbook.players import make
from duelbook.terminal.join_player import news
from duelbook.web import protocol as p
from duelbook.web.client import GameClient, NoServerError, Server, ServerError
from duelbook.web.client.game_client import ClaimResult
from duelbook.web.client.game_connection import after
from paths import ROOT
from servers import Server as Program
from servers import running

pytestmark = pytest.mark.integration

TOWER = "tower-defense-duel"
Open = Callable[..., Terminal]


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Program]:
    hasty = ("--first-move", "0.2", "--away", "0.2")
    with running(Program(tmp_path_factory.mktemp("served"), "--rate", "1000", *hasty)) as server:
        yield server


def begin(served: Program, book: str = TOWER, **options: object) -> GameClient:
    request = p.NewGame(book, name="Ann")
    for name, value in options.items():
        setattr(request, name, value)
    return Server(served.url).create(request)


class Background(threading.Thread):
    """A call in a thread; `outcome` waits for its result or error."""

    def __init__(self, work: Callable[[], object]) -> None:
        super().__init__()
        self._work = work
        self.start()

    def run(self) -> None:
        try:
            self._outcome = self._work()
        except DuelbookError as error:
            self._outcome = error

    def outcome(self) -> object:
        self.join()
        return self._outcome


def winner_and_reason(result: object) -> tuple[int | None, str]:
    """Return the winner and the reason; the sentence differs for each player."""
    assert isinstance(result, p.Result)
    return result.winner, result.by


def until(game: GameClient, condition: Callable[[p.Snapshot], bool]) -> None:
    while not condition(game.snapshot):
        game.receive()


# A game from two seats --------------------------------------------------------------------------


@pytest.mark.parametrize("book", [game.slug for game in duelbook.list_games()])
def test_two_programs_play_a_game_to_its_end(book: str, served: Program) -> None:
    with (
        begin(served, book) as ann,
        GameClient.join(ann.url, "Bo") as bo,
        GameClient(ann.url) as watcher,
    ):
        background = Background(lambda: bo.play_to_the_end(make("greedy"), Random(1)))
        result = ann.play_to_the_end(make("random"), Random(2))
        assert winner_and_reason(background.outcome()) == winner_and_reason(result)
        until(watcher, lambda snapshot: snapshot.status.result is not None)
        assert winner_and_reason(watcher.result) == winner_and_reason(result)
        assert ann.snapshot.moves == bo.snapshot.moves == watcher.snapshot.moves
        assert ann.position.winner() == result.winner
        assert [chair.name for chair in ann.snapshot.status.chairs] == ["Ann", "Bo"]


def test_a_program_plays_the_computer_of_the_server(served: Program) -> None:
    with begin(served, mode="computer", level="easy") as game:
        assert game.play_to_the_end(make("perfect"), Random(3)).by == "play"


def test_the_games_of_a_server_are_listed(served: Program) -> None:
    listed = {book.slug: book.title for book in Server(served.url + "/").books()}
    assert {game.slug: game.title for game in duelbook.list_games()}.items() <= listed.items()


def test_a_refused_move_raises_the_servers_reason(served: Program) -> None:
    with begin(served) as ann:
        with pytest.raises(ServerError, match="The other player is not here yet") as refused:
            ann.play("build 4")
        assert refused.value.code == "turn"
        assert not ann.to_move
        with GameClient.join(ann.url) as bo:
            until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
            for game, move, why in [
                (bo, "build 4", "It is not your turn"),
                (ann, "attack", "you must build"),
                (ann, "fly", "'fly' is not a move"),
            ]:
                with pytest.raises(ServerError, match=why):
                    game.play(move)
            ann.play("build 4")
            assert ann.snapshot.moves == ["build 4"]
            with (
                GameClient(ann.url) as watcher,
                pytest.raises(ServerError, match="You are watching"),
            ):
                watcher.play("build 4")


def test_a_hidden_choice_is_visible_only_to_its_seat(served: Program) -> None:
    with begin(served, "token-tactics") as ann, GameClient.join(ann.url) as bo:
        until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
        ann.play("attack 3")
        until(bo, lambda snapshot: bool(snapshot.moves))
        with GameClient(ann.url) as watcher:
            for game in (bo, watcher):
                assert game.snapshot.moves == ["attack ?"]
                assert HIDDEN in [getattr(game.position, f) for f in game.position.to_json()]
        assert ann.snapshot.moves == ["attack 3"]
        assert HIDDEN not in [getattr(ann.position, f) for f in ann.position.to_json()]
        bo.play("defend 2")
        assert bo.snapshot.moves == ["attack 3", "defend 2"]


def test_resigning_ends_the_game_for_both(served: Program) -> None:
    with begin(served) as ann, GameClient.join(ann.url) as bo:
        bo.resign()
        until(ann, lambda snapshot: snapshot.status.result is not None)
        assert ann.result == p.Result(0, "resignation", why="Player 2 resigns, so you win.")
        with pytest.raises(ServerError, match="The game is over"):
            ann.play("build 4")


def test_a_program_agrees_to_a_takeback(served: Program) -> None:
    with begin(served) as ann, GameClient.join(ann.url) as bo:
        background = Background(lambda: bo.play_to_the_end(make("random"), Random(1)))
        until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
        ann.play("build 4")
        until(ann, lambda snapshot: len(snapshot.moves) == 2)
        ann.send(p.TakeBack(ann.snapshot.turn))
        until(ann, lambda snapshot: not snapshot.moves)
        assert ann.to_move
        ann.resign()
        assert winner_and_reason(background.outcome()) == (1, "resignation")


def test_a_rematch_swaps_the_seats_and_keeps_the_secrets(served: Program) -> None:
    with begin(served) as ann, GameClient.join(ann.url) as bo:
        ann.resign()
        background = Background(bo.rematch)
        with ann.rematch() as again:
            bo_rematch = background.outcome()
            assert isinstance(bo_rematch, GameClient)
            bo_rematch.close()
            assert again.url == bo_rematch.url != ann.url
            assert (again.snapshot.seats, bo_rematch.snapshot.seats) == ([1], [0])
            assert again.secret == ann.secret


# Refusals ---------------------------------------------------------------------------------------


def test_a_program_aborts_a_game_that_does_not_start(served: Program) -> None:
    with begin(served, clock=p.TimeControl(600)) as ann, GameClient.join(ann.url, "Bo") as bo:
        until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
        assert ann.overdue_in() is None  # it is Ann's own turn
        while bo.overdue_in() != 0:
            bo.receive(timeout=bo.overdue_in())
        assert bo.presence is not None
        assert bo.presence.overdue is not None
        assert bo.presence.overdue.may == "abort"
        bo.abort()
        until(ann, lambda snapshot: snapshot.status.result is not None)
        assert winner_and_reason(ann.result) == winner_and_reason(bo.result) == (None, "aborted")


@pytest.mark.parametrize(("claimed", "winner"), [("victory", 0), ("draw", None)])
def test_a_program_claims_a_game_after_the_opponent_left(
    claimed: ClaimResult, winner: int | None, served: Program
) -> None:
    with begin(served, clock=p.TimeControl(600)) as ann:
        with GameClient.join(ann.url, "Bo") as bo:
            until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
            for game in (ann, bo, ann):
                until(game, lambda snapshot: snapshot.view.to_move in snapshot.seats)
                game.play("build 1")
            with pytest.raises(ServerError, match="The other player is connected"):
                ann.claim()
        while ann.overdue_in() != 0:
            ann.receive(timeout=ann.overdue_in())
        ann.claim(claimed)
        assert winner_and_reason(ann.result) == (winner, "left")


def test_invalid_requests_are_refused_with_a_sentence(served: Program) -> None:
    with begin(served) as ann, GameClient.join(ann.url):
        attempts: list[tuple[Callable[[], object], type[DuelbookError], str]] = [
            (lambda: GameClient.join(ann.url), ServerError, "Both seats are taken"),
            (lambda: GameClient(ann.url, "guess"), ServerError, "does not open a seat"),
            (lambda: GameClient(f"{served.url}/g/none"), ServerError, "There is no such game"),
            (lambda: GameClient.join(f"{served.url}/g/none"), ServerError, "There is no such game"),
            (lambda: GameClient(f"{served.url}/static/g/x"), NoServerError, "There is no server"),
            (
                lambda: GameClient("http://127.0.0.1:1/g/none"),
                NoServerError,
                "There is no server at",
            ),
            (lambda: Server("http://127.0.0.1:1").books(), NoServerError, "There is no server at"),
            (lambda: GameClient("ann and bo"), DuelbookError, "The address of a game is"),
            (lambda: Server("file:///etc/passwd"), DuelbookError, "The address of a server is"),
        ]
        for attempt, kind, why in attempts:
            with pytest.raises(kind, match=why):
                attempt()


def test_an_unknown_server_is_reported(tmp_path: Path) -> None:
    (tmp_path / "api").mkdir()
    (tmp_path / "api" / "books").write_text("Hello!")
    handler = partial(SimpleHTTPRequestHandler, directory=tmp_path)
    with HTTPServer(("127.0.0.1", 0), handler) as other:
        serving = Background(other.serve_forever)
        url = f"http://127.0.0.1:{other.server_port}"
        for attempt in (
            Server(url).books,
            lambda: GameClient(f"{url}/g/none"),
            lambda: GameClient.join(f"{url}/g/none"),
        ):
            with pytest.raises(NoServerError, match=r"no Duelbook server|There is no server"):
                attempt()
        other.shutdown()
        serving.join()


# Losing the connection --------------------------------------------------------------------------


def test_a_game_continues_after_a_server_restart(tmp_path: Path) -> None:
    with (
        running(Program(tmp_path, "--rate", "1000")) as served,
        begin(served) as ann,
        GameClient.join(ann.url) as bo,
    ):
        until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
        for again in (served.kill, served.stop):
            before = list(ann.snapshot.moves)
            ann.play("build 1")
            until(bo, lambda snapshot: len(snapshot.moves) == len(ann.snapshot.moves))
            again()
            move = Background(lambda: bo.play("build 1"))
            served.start()
            assert move.outcome() is None
            until(ann, lambda snapshot: len(snapshot.moves) == len(bo.snapshot.moves))
            assert ann.snapshot.moves == bo.snapshot.moves == [*before, "build 1", "build 1"]


def test_reconnecting_has_a_timeout(tmp_path: Path) -> None:
    with running(Program(tmp_path)) as served:
        game = Server(served.url).create(p.NewGame(TOWER, mode="device"), reconnect_seconds=0)
        served.stop()
        with pytest.raises(NoServerError):
            game.play("build 4")
        game.close()


class Unlucky(GameClient):
    """Loses the connection whenever the server has answered, but before the answer is read."""

    unlucky = True

    def _answer(self, number: int) -> p.Refused | p.Hint | None:
        answer = super()._answer(number)
        if self.unlucky:
            self.unlucky = False
            self.close()
            raise ConnectionClosedError(None, None)
        return answer


def test_a_move_with_a_lost_acknowledgement_is_played_once(served: Program) -> None:
    with begin(served, mode="device") as game, Unlucky(game.url, game.secret) as unlucky:
        for move in ("build 4", "build 2"):
            unlucky.unlucky = True
            unlucky.play(move)
        assert unlucky.snapshot.moves == ["build 4", "build 2"]
        unlucky.unlucky = True
        unlucky.resign()
        assert winner_and_reason(unlucky.result) == (1, "resignation")


def test_a_lost_refusal_is_reported_after_reconnecting(served: Program) -> None:
    with begin(served) as ann, GameClient.join(ann.url), Unlucky(ann.url, ann.secret) as unlucky:
        with pytest.raises(ServerError, match="you must build"):
            unlucky.play("attack")
        assert unlucky.snapshot.moves == []


def test_a_rate_limited_program_retries_its_moves(tmp_path: Path) -> None:
    with running(Program(tmp_path, "--rate", "4")) as served, begin(served, mode="device") as game:
        moves = ["build 1"] * 12
        for move in moves:
            game.play(move)
        assert game.snapshot.moves == moves


def test_an_old_update_changes_nothing(served: Program) -> None:
    with begin(served, mode="device") as game:
        old = p.Update(game.snapshot.seq, 0, 0, ["build 4"], [0], ["…"])
        assert after(game.snapshot, old) == game.snapshot


def test_the_examples_of_the_api_page_run(served: Program) -> None:
    text = (
        (ROOT / "docs" / "reference" / "api.md")
        .read_text()
        .replace("http://localhost:8080", served.url)
    )
    test = doctest.DocTestParser().get_doctest(text, {}, "api.md", "docs/reference/api.md", 0)
    assert len(test.examples) > 15
    assert doctest.DocTestRunner().run(test).failed == 0


# duelbook join ----------------------------------------------------------------------------------


def test_joining_plays_and_prints_a_game_to_its_end(served: Program, run: Run, home: Path) -> None:
    with begin(served, first=1) as ann:
        background = Background(lambda: ann.play_to_the_end(make("random"), Random(1)))
        done = run("join", ann.url, "--player", "perfect", "--name", "Bo", "--seed", "1")
        result = background.outcome()
        assert isinstance(result, p.Result)
        winner = ["Ann", "Bo"][result.winner or 0]
        assert done.exit_code == 0
        assert done.output.startswith("Tower Defense Duel: Ann against Bo.\n")
        assert f"\n1. Bo: {ann.snapshot.moves[0]}\n" in done.output
        assert f"\n{len(ann.snapshot.moves)}. " in done.output
        assert done.output.endswith(f"The game is over: {winner} has won.\n")
        (file,) = (home / "seats").iterdir()
        assert stat.S_IMODE(file.stat().st_mode) == 0o600
        assert json.loads(file.read_text())["secret"] not in done.output
        again = run("join", ann.url, "--player", "perfect")
        assert again.output.endswith(f"The game is over: {winner} has won.\n")


def test_joining_claims_a_game_after_the_opponent_left(served: Program, run: Run) -> None:
    with begin(served, clock=p.TimeControl(600)) as ann:
        joining = Background(lambda: run("join", ann.url, "--player", "random", "--claim", "draw"))
        until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
        ann.play("build 1")
        until(ann, lambda snapshot: len(snapshot.moves) == 2)
    output = getattr(joining.outcome(), "output", "")
    assert output.endswith("A player has left the game, and it is a draw.\n")


def test_joining_refuses_invalid_options(served: Program, run: Run, home: Path) -> None:
    with begin(served) as ann, GameClient.join(ann.url):
        for url, player, why in [
            (ann.url, "random", "Both seats are taken"),
            (ann.url, "nobody", "There is no player 'nobody'"),
            (f"{served.url}/g/none", "random", "There is no such game"),
            ("http://127.0.0.1:1/g/none", "random", "There is no server at http://127.0.0.1:1"),
            ("tower", "random", "The address of a game is http://"),
        ]:
            refused = run("join", url, "--player", player)
            assert refused.exit_code == 2
            assert why in refused.output
    assert not list(home.glob("seats/*"))


def test_a_program_that_fails_keeps_its_seat(served: Program, run: Run, tmp_path: Path) -> None:
    (tmp_path / "bot.py").write_text(
        "import json, pathlib, sys\n"
        "for line in sys.stdin:\n"
        "    if pathlib.Path('broken').exists(): sys.exit(7)\n"
        "    print(json.loads(line)['legal'][0], flush=True)\n"
    )
    command = ("--player", f"cmd:{sys.executable} bot.py")
    with begin(served, first=1) as ann:
        (tmp_path / "broken").touch()
        failed = run("join", ann.url, *command)
        assert failed.exit_code == 2
        assert "The program ended with status 7." in failed.output
        assert "The seat is still yours" in failed.output
        (tmp_path / "broken").unlink()
        background = Background(lambda: ann.play_to_the_end(make("random"), Random(1)))
        done = run("join", ann.url, *command)
        assert isinstance(background.outcome(), p.Result)
        assert done.exit_code == 0, done.output
        assert f"Ann against {Path(sys.executable).name}." in done.output


def test_the_same_command_resumes_a_seat(served: Program, terminal: Open) -> None:
    with begin(served) as ann:
        command = ("join", ann.url, "--player", "random", "--name", "Bo")
        joined = terminal(*command)
        joined.wait_for("Welcome")
        joined.child.sendintr()
        assert "The seat is still yours: the same command resumes it." in joined.end()
        assert joined.child.exitstatus == 130
        back = terminal(*command)
        back.wait_for("Ann against Bo")
        ann.play("build 4")
        back.wait_for("1. Ann: build 4")
        until(ann, lambda snapshot: len(snapshot.moves) == 2)
        back.wait_for("2. Bo: ")
        ann.resign()
        assert "Ann resigns." in back.end()
        assert back.child.exitstatus == 0


def test_joining_continues_after_a_server_restart(tmp_path: Path, terminal: Open) -> None:
    with running(Program(tmp_path)) as served, begin(served) as ann:
        joined = terminal("join", ann.url, "--player", "random")
        until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
        ann.play("build 4")
        until(ann, lambda snapshot: len(snapshot.moves) == 2)
        served.kill()
        served.start()
        ann.play("build 4")
        until(ann, lambda snapshot: len(snapshot.moves) == 4)
        ann.resign()
        assert "Ann resigns." in joined.end()


def test_staying_for_rematches(served: Program, terminal: Open) -> None:
    with begin(served) as ann:
        joined = terminal("join", ann.url, "--player", "random", "--name", "Bo", "--rematches")
        until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
        ann.resign()
        joined.wait_for("Waiting for a rematch.")
        with ann.rematch() as again:
            joined.wait_for("Bo against Ann.")
            joined.wait_for("1. Bo: build")
            until(again, lambda snapshot: bool(snapshot.moves))
            again.resign()
            joined.wait_for("Ann resigns.")


@pytest.mark.usefixtures("no_loaded_games")
def test_joining_needs_the_rules_of_the_game(tmp_path: Path, run: Run, terminal: Open) -> None:
    rules = str(ROOT / "examples" / "games" / "sealed_bids.py")
    with running(Program(tmp_path, "--game", rules)) as served, begin(served, "sealed-bids") as ann:
        refused = run("join", ann.url, "--player", "random")
        assert refused.exit_code == 2
        assert "There is no game" in refused.output
        assert "give its file with --game" in refused.output
        joined = terminal("join", ann.url, "--player", "random", "--game", rules)
        until(ann, lambda snapshot: snapshot.status.chairs[1].kind == "person")
        while ann.result is None:
            if ann.to_move:
                ann.play(ann.snapshot.view.legal[0])
            else:
                ann.receive()
        assert "The game is over" in joined.end()


# What is told -----------------------------------------------------------------------------------


def snapshot(*moves: str, names: tuple[str, str] = ("Ann", "Bo"), **more: object) -> p.Snapshot:
    chairs = [p.Chair("person", name) for name in names]
    table = p.Status(chairs, [False, False], [False, False])
    view = p.View({}, len(moves) % 2, "The board.", [])
    told = [f"told {at}" for at in range(len(moves))]
    values = ("id", "nim", "Nim", "Welcome!", 0, len(moves), len(moves), [0])
    movers = [at % 2 for at in range(len(moves))]
    state = p.Snapshot(*values, list(moves), movers, told, told, table, view)
    for name, value in more.items():
        setattr(table if hasattr(table, name) else state, name, value)
    return state


def test_moves_are_printed_with_names_and_numbers() -> None:
    assert list(news(None, snapshot())) == ["Nim: Ann against Bo.", "\nWelcome!"]
    assert list(news(None, snapshot("take 1"))) == [
        "Nim: Ann against Bo.",
        "\nAfter 1 move:\nThe board.",
    ]
    assert list(news(snapshot(), snapshot("take 1"))) == ["\n1. Ann: take 1", "told 0"]
    assert list(news(snapshot("take 1"), snapshot("take 1"))) == []
    lines = list(news(snapshot(), snapshot("take 1", "take 2")))
    assert lines == ["\n1. Ann: take 1", "told 0", "\n2. Bo: take 2", "told 1"]


def test_a_reveal_is_not_a_takeback() -> None:
    lines = list(news(snapshot("attack ?"), snapshot("attack 3", "defend 2")))
    assert lines == ["\n2. Bo: defend 2", "told 1"]


def test_takebacks_are_printed() -> None:
    assert list(news(snapshot("take 1", "take 2"), snapshot("take 1"))) == ["\nTaken back: take 2."]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (p.Result(1, "time"), "\nAnn runs out of time.\nBo wins!"),
        (p.Result(0, "resignation"), "\nBo resigns.\nAnn wins!"),
        (p.Result(None, "draw"), "\nThe game is over: it is a draw."),
        (p.Result(None, "agreement"), "\nThe players agree on a draw."),
        (p.Result(0, "left"), "\nBo has left the game.\nAnn wins!"),
        (p.Result(None, "left"), "\nA player has left the game, and it is a draw."),
        (p.Result(None, "aborted"), "\nThe game is aborted: nobody wins."),
        (p.Result(1, "play", [-2.0, 2.0]), "\nThe game is over: Bo has won 2."),
    ],
)
def test_the_result_is_printed_once(result: p.Result, said: str) -> None:
    over = snapshot("take 1", result=result)
    assert list(news(snapshot("take 1"), over)) == [said]
    assert list(news(over, over)) == []


def test_control_characters_of_a_server_are_removed() -> None:
    shown = "".join(news(None, snapshot(names=("\x1b]0;x\x07Ann", "Bo"))))
    assert "Ann" in shown
    assert "\x1b" not in shown
    assert "\x07" not in shown
