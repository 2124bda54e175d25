from __future__ import annotations

import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from duelbook import Match
from duelbook.errors import SaveError
from duelbook.games.tower_defense_duel import TowerDefenseDuel
from duelbook.play import saves
from duelbook.play.series import Series

GOOD = """\
{
  "format": 1,
  "game": "tower-defense-duel",
  "names": [
    "Ann",
    "Bo"
  ],
  "best_of": 1,
  "started": "2026-01-02T03:04:05Z",
  "saved": "2026-01-02T03:14:15Z",
  "games": [
    {
      "first": 2,
      "moves": [
        "build 4",
        "attack"
      ],
      "result": null
    }
  ]
}
"""


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "match.json"


def test_content_of_a_save_file(file: Path) -> None:
    match = Match.begin(TowerDefenseDuel, first=1).play("build 4").play("attack")
    saves.write(Series((match,), ("Ann", "Bo"), started="2026-01-02T03:04:05Z"), file)
    saved = json.loads(file.read_text())
    assert saved.pop("saved").endswith("Z")
    wanted = json.loads(GOOD) | {"players": ["person", "person"], "seed": 0}
    del wanted["saved"]
    assert saved == wanted


@pytest.mark.parametrize(
    ("key", "value", "why"),
    [
        ("players", '["person"]', "two players"),
        ("players", '["person", 3]', "two players"),
        ("players", '["person", "god"]', "There is no player 'god'"),
        ("seed", '"x"', "must be a number"),
    ],
)
def test_players_that_cannot_join_are_refused(
    file: Path, key: str, value: str, why: str, run: Run
) -> None:
    file.write_text(GOOD.replace('"best_of"', f'"{key}": {value},\n  "best_of"'))
    refused = run("resume", str(file))
    assert refused.exit_code == 2
    assert why in refused.output


def test_written_save_is_read_back(file: Path) -> None:
    file.write_text(GOOD)
    series = saves.read(file)
    assert series.names == ("Ann", "Bo")
    assert series.match.first == 1
    assert series.match.position == TowerDefenseDuel(to_move=1, towers=(0, 1))


@pytest.mark.parametrize(
    ("change", "line", "why"),
    [
        (lambda text: text[:-60], 15, "damaged"),
        (lambda text: text.replace('"attack"', '"attack'), 16, "damaged"),
        (lambda text: text.replace('"format": 1', '"format": 2'), 2, "newer Duelbook"),
        (lambda text: text.replace('"format": 1', '"format": "1"'), 2, "format"),
        (lambda text: text.replace("tower-defense", "tower-offense"), 3, "There is no game"),
        (lambda text: text.replace('"Bo"', '"Ann"'), 4, "Both players are called Ann"),
        (lambda text: text.replace('    "Bo"', '    "Bo", "Cy"'), 4, "two names"),
        (lambda text: text.replace('"best_of": 1', '"best_of": 2'), 8, "odd number"),
        (lambda text: text.replace('"first": 2', '"first": 3'), 13, "1 or 2"),
        (lambda text: text.replace('"attack"', '"atack"'), 16, "'atack' is not a move"),
        (lambda text: text.replace('"build 4"', '"attack"'), 15, "you must build"),
        (lambda text: text.replace('"attack"', "7"), 16, "must be text"),
        (lambda text: text.replace("null", '{"winner": 1, "by": "play"}'), 18, "does not follow"),
        (lambda text: text.replace("null", '{"winner": 7, "by": "resignation"}'), 18, "not follow"),
        (lambda text: text.replace("null", '{"winner": 1, "by": ["time"]}'), 18, "not follow"),
        (lambda text: text.replace("null", "[]"), 18, "does not follow"),
        (lambda text: text.replace("null", "true"), 18, "does not follow"),
        (
            lambda text: text.replace("null", '{"winner": 1.0, "by": "resignation"}'),
            *(18, "does not follow"),
        ),
        (lambda text: text.replace('"format": 1', '"format": true'), 2, "format"),
        (lambda text: text.replace('"tower-defense-duel"', "[]"), 3, "game is missing"),
        (lambda text: text.replace('"tower-defense-duel"', '"token-tactics"'), 15, "not a move"),
        (lambda text: text.replace("2026-01-02T03:04:05Z", "yesterday"), 9, "must be a time"),
        (lambda text: text.replace('"attack"', "[]"), 16, "must be text"),
        (lambda text: text.replace('"first": 2,', ""), 12, "first is missing"),
        (lambda _: "[]", 1, "not a saved game"),
        (lambda _: "{}", 1, "not a saved game"),
        (lambda _: "", 1, "damaged"),
        (lambda _: "[" * 100_000, 1, "not a saved game"),
    ],
)
def test_bad_file_is_refused_with_its_line_and_unchanged(
    file: Path, change: Callable[[str], str], line: int, why: str, run: Run
) -> None:
    text = change(GOOD)
    assert text != GOOD
    file.write_text(text)
    for command in ["resume", "replay"]:
        result = run(command, str(file), typed="build 4\n")
        assert result.exit_code == 2
        assert f"{file}, line {line}: " in result.output
        assert result.output.count(f"{file}") == 1
        assert why in result.output
        assert file.read_text() == text


def test_save_is_parsed_from_text() -> None:
    series = saves.parse(GOOD, "The upload")
    assert series.match.moves == ("build 4", "attack")
    assert saves.parse(saves.text(series), "The upload") == series
    with pytest.raises(SaveError, match=r"^The upload, line 16: 'atack' is not a move"):
        saves.parse(GOOD.replace('"attack"', '"atack"'), "The upload")
    with pytest.raises(SaveError, match=r"^The upload, line 15: the file is damaged"):
        saves.parse(GOOD[:-60], "The upload")


def test_game_lost_on_time_is_saved_replayed_and_analysed(file: Path, run: Run) -> None:
    match = Match.begin(TowerDefenseDuel).play("build 4").resign(0, "time")
    saves.write(Series((match,), ("Ann", "Bo"), started="2026-01-02T03:04:05Z"), file)
    assert json.loads(file.read_text())["games"][0]["result"] == {"winner": 2, "by": "time"}
    assert saves.read(file).match == match
    assert "Ann runs out of time.\nBo wins!" in run("replay", str(file)).stdout
    assert "Ann ran out of time in a won position." in run("analyse", str(file)).stdout
    (game,) = json.loads(run("analyse", str(file), "--json").stdout)["games"]
    assert (game["on_time"], game["by_resignation"], game["winner"]) == (True, False, 2)


def test_abandoned_game_is_saved_replayed_and_analysed(file: Path, run: Run) -> None:
    match = Match.begin(TowerDefenseDuel).play("build 4").resign(0, "left")
    saves.write(Series((match,), ("Ann", "Bo"), started="2026-01-02T03:04:05Z"), file)
    assert json.loads(file.read_text())["games"][0]["result"] == {"winner": 2, "by": "left"}
    assert saves.read(file).match == match
    assert "Ann has left the game.\nBo wins!" in run("replay", str(file)).stdout
    assert "Ann left the game in a won position." in run("analyse", str(file)).stdout
    (game,) = json.loads(run("analyse", str(file), "--json").stdout)["games"]
    assert (game["by_leaving"], game["on_time"], game["winner"]) == (True, False, 2)


def test_aborted_game_is_not_a_draw(file: Path, run: Run) -> None:
    match = Match.begin(TowerDefenseDuel).play("build 4").draw("aborted")
    saves.write(Series((match,), ("Ann", "Bo"), started="2026-01-02T03:04:05Z"), file)
    assert "The game was aborted." in run("analyse", str(file)).stdout
    (game,) = json.loads(run("analyse", str(file), "--json").stdout)["games"]
    assert (game["aborted"], game["drawn"], game["winner"]) == (True, False, None)


def test_line_of_an_error_does_not_depend_on_layout(file: Path) -> None:
    data = json.loads(GOOD)
    data["games"][0]["moves"] = ["build 4", "build 4", "attack", "fly"]
    file.write_text(json.dumps(data))
    with pytest.raises(SaveError, match="line 1: 'fly'"):
        saves.read(file)
    file.write_text(json.dumps(data).replace(", ", ",\n"))
    wanted = file.read_text()[: file.read_text().index('"fly"')].count("\n") + 1
    with pytest.raises(SaveError, match=f"line {wanted}: 'fly'"):
        saves.read(file)


def test_line_of_an_error_is_right_among_several_games(file: Path) -> None:
    data = json.loads(GOOD) | {"first": 1, "best_of": 5, "names": ['"moves": [', "Bo"]}
    over = {"moves": [], "result": {"winner": 1, "by": "resignation"}}
    data["games"] = [over | {"first": first} for first in (1, 2, 1)]
    text = json.dumps(data, indent=1)
    file.write_text(text.replace('"result": {', '"result":\n\n{'))
    assert saves.read(file).score() == (3, 0)
    del data["games"][1]["first"]
    text = json.dumps(data, indent=1)
    file.write_text(text)
    second = [at for at, line in enumerate(text.splitlines(), start=1) if line == "  {"][1]
    with pytest.raises(SaveError, match=f"line {second}: first is missing"):
        saves.read(file)


def test_save_with_the_wrong_first_player_is_refused(file: Path) -> None:
    text = GOOD.replace("tower-defense-duel", "token-tactics").replace("build 4", "fortify")
    file.write_text(text.replace('"attack"', '"fortify"'))
    with pytest.raises(SaveError, match="line 13: In Token Tactics the rules say that Player 1"):
        saves.read(file)


def test_long_save_is_read_within_the_time_limit(file: Path) -> None:
    data = json.loads(GOOD)
    around = ["build 1", "build 1", "build 1", "build 1", "build 1", "build 1", "attack", "attack"]
    data["games"][0]["moves"] = around * 5000
    file.write_text(json.dumps(data))
    assert len(saves.read(file).match.moves) == 40_000


def test_files_that_are_not_text_or_not_there(file: Path, run: Run) -> None:
    file.write_bytes(b'{\n"format": \xff}')
    assert "line 2: this is not UTF-8 text" in run("resume", str(file)).output
    assert "No such file" in run("resume", str(file) + "x").output
    assert "is not a file" in run("resume", str(file.parent)).output
    assert "is not a file" in run("resume", "/dev/zero").output
    assert run("resume", "a\x00b").exit_code == 2


def test_saved_match_must_alternate_and_end_once(file: Path) -> None:
    series = Series.begin(TowerDefenseDuel, best_of=3)
    series = series.with_match(series.match.resign()).next_game()
    saves.write(series, file)
    assert saves.read(file).score() == (0, 1)
    data = json.loads(file.read_text())
    data["games"][1]["first"] = 1
    file.write_text(json.dumps(data))
    with pytest.raises(SaveError, match="alternate"):
        saves.read(file)
    data["games"][1]["first"] = 2
    data["games"][0]["result"] = None
    file.write_text(json.dumps(data))
    with pytest.raises(SaveError, match="another game cannot follow"):
        saves.read(file)


def test_failed_write_leaves_the_old_file(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(GOOD)

    def fail(_: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(SaveError, match="No space left on device"):
        saves.write(Series.begin(TowerDefenseDuel), file)
    assert file.read_text() == GOOD
    assert list(file.parent.glob(".*")) == []


def test_two_games_of_the_same_second_get_two_files(run: Run, home: Path) -> None:
    for _ in range(3):
        run("play", "tower", typed="build 4\n")
    assert len(list((home / "saves").iterdir())) == 3


def test_resume_opens_the_newest_unfinished_game(run: Run, home: Path) -> None:
    run("play", "tower", typed="build 4\n")
    (unfinished,) = (home / "saves").iterdir()
    run("play", "capture", typed="resign\n")
    (home / "saves" / "zz.json").write_text("damaged")
    assert "Player 1 Tower Height: 4" in run("resume").stdout
    assert json.loads(unfinished.read_text())["game"] == "tower-defense-duel"
