"""Tournaments: played whole, in parts, after a kill, by bots that misbehave; and checked by the
rules."""

from __future__ import annotations

import json
import random
import re
import sys
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from conftest import Run

from duelbook.arena.measures.player_measures import Measures
from duelbook.arena.report.standings import as_data
from duelbook.arena.run.game_record import game_record
from duelbook.arena.run.runner import plan
from duelbook.arena.tournament import tournament_file as tournaments
from duelbook.arena.tournament.folder import GAMES, Folder
from duelbook.arena.tournament.schedule import GameTask
from duelbook.errors import DuelbookError
from forked_process import ForkedProcess
from mock_model import MockModel, Reply, error_reply, move_reply, text_reply
from paths import ROOT
from servers import DUELBOOK, TIMEOUT_SECONDS, descendants, wait_until

SMALL = """
games = ["tower-defense-duel", "token-tactics"]
players = ["perfect:0.2", "greedy"]
anchors = ["random"]
openings = {positions = 2, depth = [1, 4]}
rounds = 2
"""


@pytest.fixture
def tournament(tmp_path: Path) -> Path:
    file = tmp_path / "small.toml"
    file.write_text(SMALL)
    return file


def without_times(folder: Path) -> list[dict[str, Any]]:
    """Return the games of a folder in one order, but for what depends on the clock."""
    games = [{**game, "ms": None} for game in Folder(folder).games()]
    return sorted(games, key=lambda game: str(game["id"]))


def figures(folder: Path) -> object:
    """Return the tables of a folder, but for what depends on the clock."""
    data = as_data(Measures(Folder(folder).games()))
    for spent in data["expenses"].values():
        del spent["ms"]
    return data


def test_a_tournament_is_played_once_and_every_opening_from_both_seats(
    tournament: Path, run: Run
) -> None:
    result = run("arena", "run", str(tournament))
    assert result.exit_code == 0, result.output
    games = without_times(tournament.with_suffix(""))
    # 2 games of 3 openings, 2 rounds, 3 pairings, both seats
    assert len(games) == 2 * 3 * 2 * 3 * 2
    by_pair: dict[str, list[Any]] = {}
    for game in games:
        by_pair.setdefault(game["pair"], []).append(game)
    for first, second in by_pair.values():
        assert first["players"] == second["players"][::-1]
        assert first["opening"] == second["opening"]
    again = run("arena", "run", str(tournament))
    assert "0 games played, 72 already finished" in again.output


def test_half_of_the_openings_are_won_for_the_player_to_move(tournament: Path) -> None:
    tournament.write_text(SMALL.replace("positions = 2", "positions = 8"))
    planned = plan(tournament)
    for book, game in zip(planned.books, planned.games, strict=True):
        from duelbook.solver.solve import solve

        solution, won = solve(game), 0
        for opening in book.openings[1:]:
            position = game.start()
            for move in opening:
                position = position.play(move)
            won += solution.value(position) > 0
        assert len(book.openings) == 9
        assert won == 4


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("moves", "attack", "`moves` must be a list of moves"),
        ("players", ["one"], "`players` must be a list of two players"),
        ("winner", 2, "`winner` must be a seat or null"),
        ("turns", [{"ply": 1}], "`turns` must be a list of turns of language models"),
        ("forfeit", {"seat": 0}, "`forfeit` must be null, or a seat, a kind and a reply"),
        ("pair", None, "`pair` must be a text"),
    ],
)
def test_a_damaged_record_is_named_by_file_and_line(
    tmp_path: Path, key: str, value: object, said: str
) -> None:
    task = GameTask("a", "b", "nim", "c", (), 0, ("one", "two"))
    record = game_record(task, ["take 1"], None, None)
    lines = [json.dumps(record), json.dumps({**record, key: value})]
    log = tmp_path / "games.jsonl"
    log.write_text("".join(f"{line}\n" for line in lines))
    with pytest.raises(DuelbookError, match=re.escape(f"{log}, line 2, is damaged: {said}.")):
        list(Folder(tmp_path).games())


def test_shares_of_two_machines_merge_to_the_full_tournament(
    tournament: Path, run: Run, tmp_path: Path
) -> None:
    run("arena", "run", str(tournament), "--folder", "whole")
    for share in ("1/2", "2/2"):
        run("arena", "run", str(tournament), "--folder", f"part{share[0]}", "--shard", share)
    result = run("arena", "merge", "both", "part1", "part2")
    assert "72 games were added" in result.output
    assert without_times(tmp_path / "both") == without_times(tmp_path / "whole")
    assert figures(tmp_path / "both") == figures(tmp_path / "whole")


def test_neither_the_number_of_processes_nor_their_order_changes_a_game(
    tournament: Path, run: Run, tmp_path: Path
) -> None:
    for number in (1, 3):
        tournament.write_text(f"concurrency = {number}\n{SMALL}")
        run("arena", "run", str(tournament), "--folder", f"by{number}")
    assert without_times(tmp_path / "by1") == without_times(tmp_path / "by3")


@pytest.mark.slow
@pytest.mark.integration
def test_a_killed_run_resumes_to_the_same_tables(
    tournament: Path, run: Run, tmp_path: Path
) -> None:
    run("arena", "run", str(tournament), "--folder", "whole")
    killed, chance = tmp_path / "killed", random.Random(4)
    command = [DUELBOOK, "arena", "run", str(tournament), "--folder", str(killed)]
    log = killed / GAMES
    for at in sorted(chance.sample(range(72), 20)):
        process = ForkedProcess(command, tmp_path, tmp_path / "log")
        wait_until(
            partial(_has_played, at, log, process), partial(str, "the tournament stands still")
        )
        workers = descendants(process.pid)
        process.kill()
        process.wait(TIMEOUT_SECONDS)
        wait_until(partial(_have_ended, workers), partial(str, f"{workers} outlive the run"))
    with log.open("ab") as out:
        out.write(b'{"id": "half a li')
    assert ForkedProcess(command, tmp_path, tmp_path / "log").wait(TIMEOUT_SECONDS) == 0
    assert without_times(killed) == without_times(tmp_path / "whole")
    assert figures(killed) == figures(tmp_path / "whole")


def _have_ended(processes: list[int]) -> bool:
    return not any(Path(f"/proc/{pid}").exists() for pid in processes)


def _has_played(games: int, log: Path, process: ForkedProcess) -> bool:
    """Whether a run has played so many games, or has ended."""
    is_over = process.poll() is not None
    return is_over or (log.exists() and log.read_bytes().count(b"\n") >= games)


BOTS = """
import os, time

class Polite:
    def choose(self, view, random):
        return view.moves()[0]

class Raises(Polite):
    def choose(self, view, random):
        raise RuntimeError("no idea")

class Exits(Polite):
    def choose(self, view, random):
        os._exit(3)

class Sleeps(Polite):
    def choose(self, view, random):
        time.sleep(60)

class Cheats(Polite):
    def choose(self, view, random):
        return "build 9"
"""


def test_a_tournament_in_which_every_game_was_forfeited_has_tables(
    run: Run, tmp_path: Path
) -> None:
    (tmp_path / "bot.py").write_text(
        "class Lost:\n    def choose(self, view, random):\n        return 'nothing'\n"
    )
    (tmp_path / "tournament.toml").write_text(
        'games = ["tower-defense-duel"]\nplayers = ["bot.py:Lost"]\nanchors = ["random"]\n'
    )
    assert run("arena", "run", "tournament.toml").exit_code == 0
    spent = json.loads(run("arena", "standings", "tournament", "--json").stdout)["expenses"]
    assert spent["bot.py:Lost"]["forfeits"] == {"ILLEGAL": 2}
    for form in ((), ("--markdown",), ("--csv",)):
        assert "bot.py:Lost" in run("arena", "standings", "tournament", *form).stdout
    assert run("arena", "report", "tournament").exit_code == 0


def test_a_bot_that_fails_forfeits_its_games_and_no_other(run: Run, tmp_path: Path) -> None:
    (tmp_path / "bots.py").write_text(BOTS)
    kinds = {"Raises": "CRASHED", "Exits": "CRASHED", "Sleeps": "TIMEOUT", "Cheats": "ILLEGAL"}
    players = [f"{tmp_path}/bots.py:{name}" for name in ("Polite", *kinds)]
    tournament = tmp_path / "bots.toml"
    tournament.write_text(
        'games = ["tower-defense-duel"]\nanchors = ["random"]\nlimits = {seconds = 2}\n'
        "pairings = 'gauntlet'\n"
        f"players = {json.dumps(players)}\n"
    )
    result = run("arena", "run", str(tournament))
    assert result.exit_code == 0, result.output
    games = without_times(tmp_path / "bots")
    assert len(games) == 10
    for game in games:
        names = [label.rpartition(":")[2] for label in game["players"]]
        failing = [name for name in names if name in kinds]
        if not failing:
            assert game["end"] == "rules"
            continue
        at_fault = names[game["forfeit"]["seat"]]
        assert game["forfeit"]["kind"] == kinds[at_fault]
        assert game["winner"] == 1 - game["forfeit"]["seat"]
    assert "0 faults" in run("arena", "verify", "bots").output


PROGRAM = """#!{python}
import json, sys
for line in sys.stdin:
    question = json.loads(line)
    if sys.argv[1] == "last":
        print(question["legal"][-1], flush=True)
    elif sys.argv[1] == "silent":
        pass
    elif sys.argv[1] == "empty":
        print(flush=True)
    else:
        sys.exit(1)
"""


def test_programs_read_and_write_a_line_for_each_move(run: Run, tmp_path: Path) -> None:
    bot = tmp_path / "bot"
    bot.write_text(PROGRAM.format(python=sys.executable))
    bot.chmod(0o755)
    kinds = {"silent": "TIMEOUT", "empty": "EMPTY", "quits": "CRASHED"}
    players = [f"cmd:{bot} {how}" for how in ("last", *kinds)]
    (tmp_path / "programs.toml").write_text(
        f'games = ["island-conquest"]\nplayers = {json.dumps(players)}\nanchors = ["greedy"]\n'
        "limits = {seconds = 5}\npairings = 'gauntlet'\n"
    )
    assert run("arena", "run", "programs.toml").exit_code == 0
    for game in without_times(tmp_path / "programs"):
        how = next(
            (how for how in kinds if any(label.endswith(how) for label in game["players"])), None
        )
        assert game["end"] == ("forfeit" if how else "rules")
        if how:
            assert game["forfeit"]["kind"] == kinds[how]


def test_a_changed_log_is_detected(tournament: Path, run: Run, tmp_path: Path) -> None:
    run("arena", "run", str(tournament))
    log = tournament.with_suffix("") / GAMES
    original = log.read_text()
    first = json.loads(original.splitlines()[0])
    other = "Player" if first["winner"] is None else 1 - first["winner"]
    for change in (
        {"winner": other},
        {"moves": first["moves"][:-1]},
        {"opening": ["build 9"]},
        {"players": first["players"][::-1]},
        {"payoffs": [0.5, -0.5]},
        {"end": "cut"},
        {"id": "0" * 24},
    ):
        log.write_text(
            json.dumps(first | change) + "\n" + "\n".join(original.splitlines()[1:]) + "\n"
        )
        result = run("arena", "verify", str(log.parent))
        assert result.exit_code == 1, change
    log.write_text(original)
    result = run("arena", "verify", str(log.parent), "--replay")
    assert "72 games played again: 0 faults." in result.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("games = []", "`games` must be a list of games"),
        ("games = ['nim.py', 'nim.py']", "names a game twice"),
        ("games = ['island']\nplayers = [3]", "`players` is a list of names"),
        ("games = ['island']\nanchors = false", "two players at least"),
        ("games = ['island']\nplayers = ['easy', 'easy']", "Two players are called 'easy'"),
        ("games = ['island']\nround = 3", "the tournament has no `round`"),
        ("games = ['island']\nrounds = 0", "`rounds` must be a whole number from 1"),
        ("games = ['island']\npairings = 'swiss'", "`pairings` is 'round robin' or 'gauntlet'"),
        ("games = ['island']\nopenings = {depth = [3, 1]}", "`depth` is a minimum and a maximum"),
        ("games = ['island']\nlimits = {seconds = -1}", "`seconds` must be more than 0"),
        ("games = ['island']\nsprt = {elo0 = 5, elo1 = 0}", "`sprt` needs elo0 < elo1"),
        ("games = island", "is not valid TOML"),
    ],
)
def test_an_invalid_tournament_file_is_refused_with_the_reason(text: str, said: str) -> None:
    with pytest.raises(DuelbookError, match=said):
        tournaments.parse(text)


def test_a_tournament_resumes_only_with_the_same_rules(run: Run, tmp_path: Path) -> None:
    source = ROOT / "examples" / "games" / "nim.py"
    (tmp_path / "nim.py").write_text(source.read_text())
    (tmp_path / "nim.toml").write_text("games = ['nim.py']\nplayers = ['greedy']\n")
    assert run("arena", "run", "nim.toml").exit_code == 0
    (tmp_path / "nim" / "lock.json").write_text(
        (tmp_path / "nim" / "lock.json").read_text().replace('"nim": "', '"nim": "0')
    )
    result = run("arena", "run", "nim.toml")
    assert result.exit_code == 2
    assert "The rules have changed since" in result.output


def test_a_sequential_test_stops_a_decided_pairing(run: Run, tmp_path: Path) -> None:
    (tmp_path / "sprt.toml").write_text(
        "games = ['island-conquest']\nplayers = ['perfect', 'random']\nanchors = false\n"
        "rounds = 200\nsprt = {elo0 = 0, elo1 = 100}\n"
    )
    assert run("arena", "run", "sprt.toml").exit_code == 0
    played = len(without_times(tmp_path / "sprt"))
    assert played == 32  # as many as are played before the test is looked at
    assert "0 games played" in run("arena", "run", "sprt.toml").output


def test_no_call_of_a_model_is_paid_twice(run: Run, tmp_path: Path) -> None:
    with MockModel() as model:
        tournament = tmp_path / "models.toml"
        tournament.write_text(
            f"games = ['capture-and-conquer']\nplayers = ['{model.name}']\n"
            "anchors = ['random']\nrounds = 4\nprices = 'prices.toml'\n"
        )
        (tmp_path / "prices.toml").write_text("[mock]\ninput = 1\noutput = 2\n")
        assert run("arena", "run", str(tournament), "--folder", "whole").exit_code == 0
        complete, calls = without_times(tmp_path / "whole"), len(model.requests)
        for most in (2, 3, 4):  # runs that stop in the middle of a game
            result = run(
                "arena", "run", str(tournament), "--folder", "parts", "--max-calls", str(most)
            )
            assert result.exit_code == 1, result.output
            assert f"The limit of {most} calls is reached." in result.output
        assert run("arena", "run", str(tournament), "--folder", "parts").exit_code == 0
        assert len(model.requests) == 2 * calls
    assert [game["moves"] for game in without_times(tmp_path / "parts")] == [
        game["moves"] for game in complete
    ]
    spent = Measures(Folder(tmp_path / "parts").games()).expenses[model.name]
    assert (spent.calls, spent.tokens_in, spent.tokens_out) == (calls, 100 * calls, 20 * calls)
    assert spent.cost == pytest.approx(calls * 140 / 1e6)
    result = run("arena", "run", str(tournament), "--folder", "dear", "--max-cost", "0.001")
    assert "could cost more than the limit" in result.output
    assert "0 faults" in run("arena", "verify", "parts").output


def test_an_unreachable_provider_forfeits_no_game(run: Run, tmp_path: Path) -> None:
    with MockModel(*[error_reply(503)] * 3) as model:
        tournament = tmp_path / "away.toml"
        tournament.write_text(
            "games = ['capture-and-conquer']\nanchors = ['random']\nconcurrency = 1\nrounds = 2\n"
            f"players = [{{player = '{model.name}', retries = 0}}]\n"
        )
        result = run("arena", "run", str(tournament))
        assert result.exit_code == 1
        assert "0 games played" in result.output
        assert "503" in result.output
        again = run("arena", "run", str(tournament))
        assert "4 games played" in again.output
    assert all(game["end"] != "forfeit" for game in without_times(tmp_path / "away"))


def _always(reply: Reply, _: object) -> Reply:
    return reply


def test_failures_of_a_model_are_counted_by_kind(run: Run, tmp_path: Path) -> None:
    kinds = {
        "ILLEGAL": move_reply("fly"),
        "UNPARSABLE": text_reply("I would rather not."),
        "EMPTY": text_reply(""),
        "TRUNCATED": text_reply('{"move": "1"', finish="length"),
    }
    for kind, reply in kinds.items():
        with MockModel(then=partial(_always, reply)) as model:
            (tmp_path / f"{kind}.toml").write_text(
                "games = ['capture-and-conquer']\nanchors = ['random']\n"
                f"players = ['{model.name}']\n"
            )
            assert run("arena", "run", f"{kind}.toml").exit_code == 0
        for game in without_times(tmp_path / kind):
            assert game["forfeit"]["kind"] == kind
            assert game["turns"][0]["tries"] == 2  # it was result why, once
        assert "0 faults" in run("arena", "verify", kind).output


def test_a_dry_run_prints_the_maximum_cost(run: Run, tmp_path: Path) -> None:
    with MockModel() as model:
        (tmp_path / "prices.toml").write_text("[mock]\ninput = 1\noutput = 2\n")
        (tmp_path / "dear.toml").write_text(
            "games = ['capture-and-conquer']\nanchors = ['random']\nprices = 'prices.toml'\n"
            f"players = [{{player = '{model.name}', label = 'mock', max_tokens = 100}}]\n"
            "limits = {plies = 40}\n"
        )
        result = run("arena", "run", "dear.toml", "--dry-run").output
        assert "2 games." in result
        # 2 games, 20 turns each, 2 tries: 80 calls of 100 tokens
        assert "mock: about 80 calls" in result
        assert "8,000 tokens out" in result
        assert not model.requests
        assert run("arena", "run", "dear.toml").exit_code == 0
    spent = Measures(Folder(tmp_path / "dear").games()).expenses["mock"]
    assert spent.cost <= float(result.rpartition("for ")[2].rstrip(".\n").replace(",", "")) + 0.005


def test_perfect_play_cannot_be_exploited_and_a_model_can(run: Run, tmp_path: Path) -> None:
    with MockModel() as model:
        (tmp_path / "tournament.toml").write_text(
            "games = ['capture-and-conquer']\n"
            f"players = [{{player = '{model.name}', label = 'mock'}}]\n"
        )
        perfect = run("arena", "exploit", "tournament.toml", "perfect", "island-conquest")
        assert "exploitability: 0.0000" in perfect.output
        result = run("arena", "exploit", "tournament.toml", "mock", "capture-and-conquer")
        requests = len(model.requests)
    assert f"{requests:,} positions asked, 0 without a legal answer." in result.output
    from duelbook import evaluate, load

    game = load("capture-and-conquer")
    exact = evaluate(game, lambda view: view.moves()[0]).exploitability
    assert f"exploitability: {exact:.4f}" in result.output


@pytest.mark.slow
@pytest.mark.integration
def test_a_cluster_plays_the_same_games(tournament: Path, run: Run, tmp_path: Path) -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'duelbook[cluster]'")
    tournament.write_text(SMALL.replace("rounds = 2", "rounds = 1\nlimits = {seconds = 3600}"))
    assert run("arena", "run", str(tournament), "--folder", "here").exit_code == 0
    result = run("arena", "run", str(tournament), "--folder", "there", "--ray", "local")
    assert result.exit_code == 0, result.output
    assert without_times(tmp_path / "there") == without_times(tmp_path / "here")
