"""Files that earlier versions wrote: saves, databases, cached tables, folders of tournaments.

The code may change its names; the files in `fixtures/` stay as they are. Each must load, or be
refused with a sentence that says what to do.
"""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import httpx
import pytest
from conftest import Run, Serve

from duelbook.catalog import registry
from duelbook.play import saves
from online import UNLIMITED, bearer, sit
from paths import ROOT, TESTS
from servers import TIMEOUT_SECONDS, PostgreSQL, Server, wait_until

pytestmark = pytest.mark.usefixtures("no_loaded_games")

Data = dict[str, Any]
MIN_CLOCK_MILLISECONDS = 21_000_000
"""The time that each clock shows at least, of six hours."""
FIXTURES = TESTS / "fixtures"
SAVES: dict[str, Data] = json.loads((FIXTURES / "saves.json").read_text())
"""For each save the file of its game, the moves of all its games, and whether it is over."""
UNFINISHED_SAVES = sorted(name for name, save in SAVES.items() if not save["is_over"])
FINISHED_SAVES = sorted(name for name, save in SAVES.items() if save["is_over"])
OWN_CLASS_SAVE = "against-own-class"
"""A save of a game against a player whose code a save may not run."""
MOVE_LINE = re.compile(r"^\d+\. [^:\n]+: (.+)$", re.MULTILINE)
"""A move in the output of `replay`: its number, its player, the move."""
EXAMPLE_GAMES = ("pig", "kuhn_poker", "leduc_poker", "goofspiel")
MAX_KEEP_DAYS = "36500"
TOURNAMENTS = FIXTURES / "tournament"
GAME_LOG = "games.jsonl"


def matches(shown: list[str], known: list[str]) -> bool:
    """Return whether moves are the known ones, as far as they are not hidden."""
    return len(shown) == len(known) and all(
        move in (fact, "?") or (move.endswith(" ?") and fact.startswith(move[:-1]))
        for move, fact in zip(shown, known, strict=True)
    )


# Saves ------------------------------------------------------------------------------------------


def save_file(name: str) -> Path:
    return FIXTURES / "saves" / f"{name}.json"


def game_option(name: str) -> list[str]:
    """Return the option that names the file of a game, if the game is in a file."""
    source = SAVES[name]["source"]
    return ["--game", str(ROOT / source)] if source else []


def games_in(text: str) -> list[Data]:
    """Return the games that a save holds."""
    games: list[Data] = json.loads(text)["games"]
    return games


def test_every_save_has_an_expectation() -> None:
    assert sorted(file.stem for file in (FIXTURES / "saves").iterdir()) == sorted(SAVES)


@pytest.mark.parametrize("name", sorted(SAVES))
def test_a_save_holds_the_same_games_as_before(name: str) -> None:
    if SAVES[name]["source"]:
        registry.load(str(ROOT / SAVES[name]["source"]))
    series = saves.read(save_file(name))
    assert [list(match.moves) for match in series.matches] == SAVES[name]["moves"]
    assert series.is_over == SAVES[name]["is_over"]
    before, after = games_in(save_file(name).read_text()), games_in(saves.text(series))
    for old, new in zip(before, after, strict=True):
        if new["result"] is None:
            old.pop("draws", None)  # a player who continues the game uses another seed
        assert new == old


@pytest.mark.parametrize("name", sorted(SAVES))
def test_replay_shows_the_moves_of_a_save(name: str, run: Run) -> None:
    done = run("replay", str(save_file(name)), "--plain", *game_option(name))
    assert done.exit_code == 0, done.output
    shown = MOVE_LINE.findall(done.output)
    assert matches(shown, [move for game in SAVES[name]["moves"] for move in game]), done.output
    last = games_in(save_file(name).read_text())[-1]
    assert ("The game continues from here." in done.output) == (last["result"] is None)


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in UNFINISHED_SAVES if name != OWN_CLASS_SAVE])
def test_resume_continues_a_save(name: str, run: Run, tmp_path: Path) -> None:
    copy = tmp_path / "copy.json"
    shutil.copy(save_file(name), copy)
    done = run("resume", str(copy), "--plain", *game_option(name), typed="quit\n")
    assert done.exit_code == 0, done.output
    before, after = games_in(save_file(name).read_text()), games_in(copy.read_text())
    assert [game["moves"] for game in after[:-1]] == [game["moves"] for game in before[:-1]]
    assert after[-1]["moves"][: len(before[-1]["moves"])] == before[-1]["moves"]
    assert after[-1]["result"] is None


@pytest.mark.parametrize("name", FINISHED_SAVES)
def test_resume_of_a_finished_save_names_replay(name: str, run: Run) -> None:
    done = run("resume", str(save_file(name)), *game_option(name))
    assert done.exit_code == 2
    assert "duelbook replay " in done.output


def test_a_save_does_not_run_the_class_of_a_player(run: Run) -> None:
    done = run("resume", str(save_file(OWN_CLASS_SAVE)))
    assert done.exit_code == 2
    assert "--vs bots.py:Bot" in done.output


@pytest.mark.parametrize("name", ["pig-in-progress", "kuhn-poker-over"])
def test_a_save_of_an_unknown_game_names_the_option(name: str, run: Run) -> None:
    done = run("replay", str(save_file(name)))
    assert done.exit_code == 2
    assert "--game" in done.output


# Databases --------------------------------------------------------------------------------------


def expected_games(kind: str) -> dict[str, Data]:
    games: dict[str, Data] = json.loads((FIXTURES / kind / "games.json").read_text())
    return games


def serve_options(*names: str) -> list[str]:
    """Return the options of a server that knows some example games and deletes no old game."""
    files = [str(ROOT / "examples" / "games" / f"{name}.py") for name in names]
    options = [word for file in files for word in ("--game", file)]
    return [*UNLIMITED, "--keep-days", MAX_KEEP_DAYS, *options]


def copied_database(folder: Path) -> str:
    shutil.copy(FIXTURES / "sqlite" / "games.db", folder / "games.db")
    return f"sqlite:///{folder / 'games.db'}"


def restored_database(cluster: PostgreSQL) -> str:
    """Return the address of a database with the content of the dump."""
    url = cluster.database()
    options = ("--no-psqlrc", "--quiet", "--set", "ON_ERROR_STOP=1")
    file = FIXTURES / "postgresql" / "games.sql"
    done = subprocess.run(  # noqa: S603 # PostgreSQL's own program
        [cluster.bin / "psql", *options, "--file", file, url],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return url


class Seat:
    """A seat of a stored game, over plain requests."""

    def __init__(self, http: httpx.Client, game: str, secret: str | None) -> None:
        self._http, self._game = http, f"/api/games/{game}"
        self._headers = bearer(secret) if secret else {}

    def show(self) -> Data:
        answer = self._http.get(self._game, headers=self._headers)
        assert answer.is_success, answer.text
        shown: Data = answer.json()
        return shown

    def can_move(self) -> bool:
        return bool(self.show()["view"].get("legal"))

    def move(self) -> None:
        """Play the first legal move."""
        shown = self.show()
        move = {"type": "play", "move": shown["view"]["legal"][0], "answers": shown["turn"]}
        answer = self._http.post(f"{self._game}/commands", json=move, headers=self._headers)
        assert answer.is_success, answer.text

    def saved_moves(self) -> list[str]:
        """Return the moves in the file that the server makes of the game."""
        answer = self._http.get(f"{self._game}/save", headers=self._headers)
        assert answer.is_success, answer.text
        return list(games_in(answer.text)[-1]["moves"])


def known_moves(game: Data) -> list[str]:
    """Return the moves of a game, each as the seat shows it that knows most of it."""
    return [
        next((move for move in views if not move.endswith("?")), views[0])
        for views in zip(*(seat["moves"] for seat in game["seats"]), strict=True)
    ]


def check_stored_games(server: Server, games: dict[str, Data]) -> None:
    """Check that each seat gets its game back, and that unfinished games can be continued."""
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        for name, game in games.items():
            check_views(http, name, game)
        for name, game in games.items():
            if game["by"] is None:
                check_next_move(http, name, game)
            else:
                assert Seat(http, game["id"], None).saved_moves() == known_moves(game), name


def check_views(http: httpx.Client, name: str, game: Data) -> None:
    """Check what each seat and a spectator see of a game."""
    spectator = {"secret": None, "seats": [], "moves": game["moves"]}
    for seat in [*game["seats"], spectator]:
        shown = Seat(http, game["id"], seat["secret"]).show()
        assert shown["book"] == game["book"], name
        assert shown["seats"] == seat["seats"], name
        assert shown["moves"] == seat["moves"], name
        assert [chair["name"] for chair in shown["status"]["chairs"]] == game["names"], name
        result = shown["status"].get("result") or {}
        for key in ("winner", "by", "payoffs"):
            assert result.get(key) == game[key], (name, key)
        assert shown["status"].get("draws") == game["draws"], name
        if name == "clock":  # the time without a server counts for neither player
            assert min(shown["status"]["clocks"]["left"]) > MIN_CLOCK_MILLISECONDS


def check_next_move(http: httpx.Client, name: str, game: Data) -> None:
    """Play a move in an unfinished game, and check that the moves before it stay the same."""
    known = known_moves(game)
    seats = [Seat(http, game["id"], seat["secret"]) for seat in game["seats"]]
    if name == "open-seat":
        seats.append(Seat(http, game["id"], sit(http, game["id"], name="Bo")["secret"]))
    wait_until(lambda: any(seat.can_move() for seat in seats), lambda: f"{name}: nobody can move.")
    mover = next(seat for seat in seats if seat.can_move())
    mover.move()
    after = mover.show()["moves"]
    assert len(after) > len(known), name
    assert matches(after[: len(known)], known), (name, after, known)
    if name == "against-computer":
        wait_until(mover.can_move, lambda: "The computer does not move.")


@pytest.mark.integration
def test_a_server_continues_the_games_of_an_sqlite_file(serve: Serve, tmp_path: Path) -> None:
    server = serve(*serve_options(*EXAMPLE_GAMES), database=copied_database(tmp_path))
    check_stored_games(server, expected_games("sqlite"))


@pytest.mark.integration
def test_a_server_continues_the_games_of_a_postgresql_dump(
    serve: Serve, postgresql: PostgreSQL
) -> None:
    server = serve(*serve_options(*EXAMPLE_GAMES), database=restored_database(postgresql))
    check_stored_games(server, expected_games("postgresql"))


@pytest.mark.integration
def test_a_server_says_which_game_it_does_not_know(serve: Serve, tmp_path: Path) -> None:
    server = serve(*serve_options(), database=copied_database(tmp_path))
    games = expected_games("sqlite")
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        refused = http.get(f"/api/games/{games['pig']['id']}")
        assert not refused.is_success
        assert "does not know the game pig" in refused.text
        check_views(http, "in-progress", games["in-progress"])


# The cache --------------------------------------------------------------------------------------


def cached_files(home: Path) -> list[str]:
    return sorted(file.name for file in (home / "cache").iterdir())


@pytest.mark.parametrize("command", ["solve", "verify"])
def test_a_cached_table_does_not_change_what_a_command_prints(
    command: str, run: Run, home: Path
) -> None:
    """The files are used if the source is the same, and ignored otherwise."""
    computed = run(command, "tower-defense-duel")
    assert computed.exit_code == 0, computed.output
    shutil.copytree(FIXTURES / "cache", home / "cache")
    read = run(command, "tower-defense-duel")
    assert (read.exit_code, read.output) == (computed.exit_code, computed.output)


def test_the_cache_command_lists_and_deletes_cached_files(run: Run, home: Path) -> None:
    shutil.copytree(FIXTURES / "cache", home / "cache")
    count = len(cached_files(home))
    listed = run("cache", "tower-defense-duel")
    assert listed.output.count("tower-defense-duel-") == count
    deleted = run("cache", "--clear")
    assert f"Deleted {count} files" in deleted.output
    assert cached_files(home) == []


# Tournaments ------------------------------------------------------------------------------------


@pytest.fixture
def tournaments(tmp_path: Path) -> Path:
    """Return a copy of the folder with all tournaments, with the file names of today."""
    copy = Path(shutil.copytree(TOURNAMENTS, tmp_path / "tournament"))
    for file in copy.glob("*/cup.toml"):
        file.rename(file.with_name("tournament.toml"))
    return copy


@pytest.mark.parametrize(
    "command", ["verify built-in-games", "run built-in-games", "run built-in-games.toml"]
)
def test_a_tournament_folder_with_the_earlier_file_name_is_refused(
    run: Run, tmp_path: Path, command: str
) -> None:
    shutil.copytree(TOURNAMENTS, tmp_path / "tournament")
    verb, name = command.split()
    done = run("arena", verb, str(tmp_path / "tournament" / name))
    assert done.exit_code == 2
    assert "rename cup.toml in it to tournament.toml." in done.output
    assert not (tmp_path / "tournament" / "built-in-games" / "tournament.toml").exists()


def logged_games(folder: Path) -> list[Data]:
    """Return the games of a folder, without the times and in the order of their ids."""
    games = [json.loads(line) for line in (folder / GAME_LOG).read_text().splitlines()]
    for game in games:
        del game["ms"]
    return sorted(games, key=lambda game: str(game["id"]))


def check_finished(folder: Path, run: Run) -> None:
    """Check a folder with all its games: nothing is left to play, and each game is correct."""
    count = len(logged_games(folder))
    again = run("arena", "run", str(folder))
    assert again.exit_code == 0, again.output
    assert f"0 games played, {count} already finished, 0 remaining." in again.output
    verified = run("arena", "verify", str(folder), "--replay")
    assert verified.exit_code == 0, verified.output
    assert re.search(rf"^{count} games, .* {count} games played again: 0 faults", verified.output)
    assert "random " in run("arena", "standings", str(folder)).output


def rules_have_changed(folder: Path, run: Run) -> bool:
    """Return whether a run is refused with a sentence that says what to do."""
    done = run("arena", "run", str(folder))
    if done.exit_code == 0:
        return False
    assert "changed since" in done.output
    assert "--folder" in done.output
    return True


def test_a_game_with_the_earlier_name_of_apply_is_refused_with_what_to_do(
    tournaments: Path, run: Run
) -> None:
    for folder in ("own-game", "own-game-interrupted"):
        done = run("arena", "run", str(tournaments / folder))
        assert done.exit_code == 2
        assert "Stones defines `play`, which checks a move first: call it `apply`." in done.output


def test_tournaments_of_built_in_games_are_continued_or_refused(
    tournaments: Path, run: Run
) -> None:
    """The hash of the rules depends on the source of a built-in game, which may change."""
    complete, interrupted = (
        tournaments / "built-in-games",
        tournaments / "built-in-games-interrupted",
    )
    if rules_have_changed(complete, run):
        assert rules_have_changed(interrupted, run)
        assert run("arena", "verify", str(complete)).exit_code == 1
    else:
        check_finished(complete, run)
        assert not rules_have_changed(interrupted, run)  # which plays the other games
        assert logged_games(interrupted) == logged_games(complete)
        check_finished(interrupted, run)
    assert "random " in run("arena", "standings", str(complete)).output


def test_a_tournament_is_refused_after_a_change_of_its_rules(tournaments: Path, run: Run) -> None:
    source = tournaments / "stones.py"
    source.write_text(source.read_text().replace("def play(", "def apply("))
    before = (tournaments / "own-game" / GAME_LOG).read_text()
    assert rules_have_changed(tournaments / "own-game", run)
    assert (tournaments / "own-game" / GAME_LOG).read_text() == before
