"""The restore drill: games are played and copied, the database is lost, and the games go on."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import ExitStack, closing
from pathlib import Path
from threading import Event

import pytest
from conftest import Run

from duelbook.web.store.backup import Stopped, back_up
from online import UNLIMITED, DeviceGame
from servers import Server, running, wait_until


@pytest.mark.integration
def test_games_continue_after_a_restored_backup(tmp_path: Path) -> None:
    copy = tmp_path / "copies" / "backup.db"
    copy.parent.mkdir()
    options = (*UNLIMITED, "--backup", str(copy), "--backup-minutes", "0.001")
    with ExitStack() as stack:
        server = stack.enter_context(running(Server(tmp_path, *options)))
        games = [DeviceGame(server) for _ in range(3)]
        for game in games:
            stack.callback(game.http.close)
        play(games, 2)
        promised = [list(game.moves) for game in games]
        before = copies(server)
        for made in (1, 2):  # the second one was begun after those moves
            play(games, 1)
            wait_until(lambda made=made: copies(server) >= before + made, server.log_text)  # type: ignore[misc] # mypy knows no defaults of lambdas
            check(copy)
        server.kill()
        lost = [file for file in tmp_path.iterdir() if ".db" in file.suffix]
        for file in lost:
            file.unlink()
        shutil.copy(copy, server.database.removeprefix("sqlite:///"))
        server.start()
        for game, moves in zip(games, promised, strict=True):
            restored = game.show().json()["moves"]
            assert restored[: len(moves)] == moves
            assert restored == game.moves[: len(restored)]
        play(games, 2)


def play(games: list[DeviceGame], moves: int) -> None:
    for _ in range(moves):
        for game in games:
            answer = game.move()
            assert answer.is_success, answer.text


def copies(server: Server) -> int:
    """Return how many backups have been made so far."""
    return sum(json.loads(line)["said"] == "backed up" for line in server.log_text().splitlines())


def check(copy: Path) -> None:
    """Check that there is a whole database, whenever one looks."""
    with closing(sqlite3.connect(f"file:{copy}?mode=ro", uri=True)) as database:
        assert database.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert database.execute("SELECT count(*) FROM events").fetchone()[0]


def database_of(file: Path, rows: int) -> None:
    with closing(sqlite3.connect(file)) as database, database:
        database.execute("CREATE TABLE numbers (number INTEGER, padding BLOB)")
        database.executemany("INSERT INTO numbers VALUES (?, zeroblob(5000))", zip(range(rows)))


def numbers(file: Path) -> int:
    with closing(sqlite3.connect(file)) as database:
        (rows,) = database.execute("SELECT count(*) FROM numbers").fetchone()
        return int(rows)


def test_failed_backup_keeps_the_previous_copy(tmp_path: Path) -> None:
    first, second, copy = tmp_path / "first.db", tmp_path / "second.db", tmp_path / "copy.db"
    database_of(first, 10)
    database_of(second, 1000)
    back_up(first, copy, Event())
    stop = Event()
    stop.set()
    with pytest.raises(Stopped):
        back_up(second, copy, stop)
    second.write_bytes(b"this is no database" * 1000)
    with pytest.raises(sqlite3.DatabaseError):
        back_up(second, copy, Event())
    assert numbers(copy) == 10
    assert sorted(tmp_path.iterdir()) == [copy, first, second]


def test_invalid_backup_file_is_refused(run: Run, tmp_path: Path) -> None:
    database = f"sqlite:///{tmp_path / 'games.db'}"
    for copy, message in (
        (tmp_path / "games.db", "another file"),
        (tmp_path / "nowhere" / "copy.db", "There is no folder"),
    ):
        refused = run("serve", "--database", database, "--backup", str(copy))
        assert refused.exit_code
        assert message in refused.output
    options = ("--database", "postgresql://localhost/games", "--backup", str(tmp_path / "copy.db"))
    refused = run("serve", *options)
    assert refused.exit_code
    assert "pg_dump" in refused.output
