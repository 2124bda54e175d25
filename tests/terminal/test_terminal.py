from __future__ import annotations

import json
import os
import re
import shlex
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run, Terminal, close

import bad_inputs
import duelbook
from duelbook.play import saves
from servers import DUELBOOK, TIMEOUT_SECONDS

Open = Callable[..., Terminal]
SLUGS = [game.slug for game in duelbook.list_games()]
OBEYED = re.compile(rb"[\x03\x04\x0a\x0d\x11\x13\x1a\x1c]")
"""What a terminal itself obeys: interrupt, end of input, stop and continue."""


@pytest.mark.parametrize("slug", SLUGS)
def test_random_input_does_not_crash_or_move(slug: str, run: Run, home: Path) -> None:
    game = duelbook.load(slug)
    typed = [
        *bad_inputs.inputs(game),
        *(f"{one}\nundo".encode() for one in bad_inputs.incomplete_moves(game)),
    ]
    assert len(typed) >= 60
    result = run("play", slug, typed=b"\n".join([*typed, b""]))
    assert result.exit_code == 0
    assert "Traceback" not in result.output
    assert not [letter for letter in result.stdout if not letter.isprintable() and letter != "\n"]
    (file,) = (home / "saves").iterdir()
    assert json.loads(file.read_text())["games"][0]["moves"] == []


@pytest.mark.integration
@pytest.mark.parametrize("slug", SLUGS)
def test_input_may_end_anywhere(slug: str, run: Run, home: Path) -> None:
    game = duelbook.load(slug)
    first = game.start(0).moves()[-1]  # the other player is asked after it, in secret if it seals
    for typed in [*bad_inputs.inputs(game), *map(str.encode, bad_inputs.incomplete_moves(game))]:
        result = run("play", slug, typed=f"{first}\n".encode() + typed)
        assert result.exit_code == 0
        assert "Traceback" not in result.output
        assert "Continue with: " in result.output
    for file in (home / "saves").iterdir():
        saves.read(file)


@pytest.mark.parametrize("slug", SLUGS)
def test_bad_answer_gets_one_sentence_and_the_same_question(slug: str, run: Run) -> None:
    asked = run("play", slug).stdout.partition("\nGame saved.")[0].splitlines()
    question = asked[-1] if asked[-1] != "> " else "\n".join(asked[-2:])
    for bad in ["", "ten", "3.5", "-1", "9" * 30]:
        screen = run("play", slug, typed=f"{bad}\n").stdout
        again = screen.partition(question)[2].partition("\nGame saved.")[0]
        sentence = again.partition("\n")[2].removesuffix(question)
        assert re.fullmatch(r"[^\n]+\.\n", sentence), (bad, sentence)
        assert again.endswith(question)


def test_control_characters_do_not_reach_the_screen(run: Run) -> None:
    screen = run("play", "tower", typed=b"\x1b[31mred\nbuild \x9b2J\nsave \x1b]0;x\x07/\n").stdout
    assert not [c for c in screen if not c.isprintable() and c != "\n"]


@pytest.mark.slow
@pytest.mark.integration
@pytest.mark.parametrize("secret", [False, True], ids=["at the start", "after a move"])
@pytest.mark.parametrize("slug", SLUGS)
def test_random_input_does_not_crash_a_real_terminal(
    slug: str, secret: bool, terminal: Open, home: Path
) -> None:
    game, screen = duelbook.load(slug), terminal("play", slug)
    first = [game.start(0).moves()[-1].encode()] if secret else []
    for typed in [*first, *bad_inputs.inputs(game), b"quit"]:
        screen.child.expect("(: |> )$")
        screen.child.send(OBEYED.sub(b"", typed)[:4000].decode(errors="replace") + "\r")
    screen.wait_for("duelbook resume")
    assert "Traceback" not in screen.everything + screen.end()
    (file,) = (home / "saves").iterdir()
    saves.read(file)


@pytest.mark.parametrize(
    ("slug", "answers", "move"),
    [
        ("island", "yes\n3", "fortify 3"),
        ("island", "y\n3", "fortify 3"),
        ("island", "N\n 3 ", "rise 3"),
        ("island", "rise 3", "rise 3"),
        ("island", "no 3", "rise 3"),
        ("island", "f 3", "fortify 3"),
        ("token", "1", "fortify"),
        ("token", "Fortify", "fortify"),
        ("galaxy", "7\n5", "planet 7 ship 5"),
        ("galaxy", "planet 7 ship 5", "planet 7 ship 5"),
        ("galaxy", "7 5", "planet 7 ship 5"),
        ("galaxy", "p 07 s 5", "planet 7 ship 5"),
        ("galaxy", "6\nplanet 7 ship 5", "planet 7 ship 5"),
        ("tower", "build 4", "build 4"),
        ("tower", "  BUILD   4", "build 4"),
        ("tower", "b 4", "build 4"),
        ("tower", "build\n4", "build 4"),
        ("tower", "4", "build 4"),
        ("capture", "2", "move 2"),
        ("capture", "move 2", "move 2"),
        ("capture", "m 2", "move 2"),
    ],
)
def test_answers_may_be_abbreviated(
    slug: str, answers: str, move: str, run: Run, home: Path
) -> None:
    run("play", slug, typed=f"{answers}\n")
    (file,) = (home / "saves").iterdir()
    assert json.loads(file.read_text())["games"][0]["moves"] == [move]


def test_word_with_one_option_is_filled_in_and_printed(run: Run) -> None:
    # Each side flies six ships at planet 7 in vain; then only ship 7 is left to either.
    waste = "".join(f"7 {ship}\n7 {ship}\n" for ship in range(1, 7))
    screen = run("play", "galaxy", typed=waste + "3\n").stdout
    assert (
        "Enter the planet number to attack: 3\n"
        "Enter the ship number to deploy: 7\n"
        "Attack successful! Planet 3 is now conquered by Player 1.\n"
    ) in screen


def test_refusals_have_reasons(run: Run) -> None:
    screen = run("play", "tower", typed="attack\nfly\nbuild 3\nbuild 4 2\n").stdout
    assert "Player 2's tower has only 0 units" in screen
    assert "'fly' is not a valid answer here: type build 1, build 2 or build 4." in screen
    assert "'3' is not a valid answer here: type 1, 2 or 4." in screen
    assert "That is more than one move." in screen


def test_question_repeats_after_a_command(run: Run) -> None:
    screen = run("play", "capture", typed="help\nrules\nmoves\nboard\nHELP\nmove 2\nmoves\n").stdout
    for command in ["help", "rules", "moves", "board", "undo", "save", "resign", "quit"]:
        assert f"\n  {command} " in screen
    assert "# Capture and Conquer\n" in screen
    assert "CC-1 " not in screen
    assert "You can play:\n  move 1, 2\n" in screen
    assert "Played so far: move 2." in screen
    assert screen.count("Positions: [0 P1]") == 2


def test_undo_takes_back_an_answer_and_then_moves(run: Run, home: Path) -> None:
    screen = run("play", "galaxy", typed="7\nundo\n6\n6\nundo\nundo\n").stdout
    assert "Taken back: planet 6 ship 6." in screen
    assert "There is no move to take back." in screen
    (file,) = (home / "saves").iterdir()
    assert json.loads(file.read_text())["games"][0]["moves"] == []


def test_names_replace_player_1_and_player_2(run: Run) -> None:
    screen = run("play", "capture", "--names", "Ann", "Player 2 jr", typed="2\nresign\n").stdout
    assert "Ann's base is at position 0." in screen
    assert "Ann moves to position 2." in screen
    assert "Player 2 jr resigns.\nAnn wins!" in screen


def test_names_that_look_alike_are_alike(run: Run) -> None:
    for other in ["Zoe\u0308", " Zoë "]:
        assert run("play", "capture", "--names", "Zoë", other).exit_code == 2


@pytest.mark.parametrize(
    "names", [("", "Bo"), ("Ann", "Ann"), ("A\x1b[2J", "Bo"), ("n" * 30, "Bo"), ("Player 2", "Bo")]
)
def test_invalid_names_are_refused(names: tuple[str, str], run: Run) -> None:
    result = run("play", "capture", "--names", *names)
    assert result.exit_code == 2
    assert "Traceback" not in result.output


@pytest.mark.parametrize("number", ["0", "2", "-3", "x"])
def test_match_needs_an_odd_number_of_games(number: str, run: Run) -> None:
    assert run("play", "capture", "--best-of", number).exit_code == 2


def test_match_can_be_resumed_after_a_resignation(run: Run, home: Path) -> None:
    screen = run("play", "island", "--best-of", "3", typed="resign\nno\n2\n").stdout
    assert "Score: Player 1 has 0, Player 2 has 1." in screen
    assert "Game 2, best of 3. Player 2 starts." in screen
    again = run("resume", typed="resign\n").stdout
    assert "Island Conquest, after 1 move." in again
    assert "Player 2 wins the series 2 to 0." in again
    replayed = run("replay").stdout
    assert "Game 2" in replayed
    assert "Score: Player 1 has 0, Player 2 has 2." in replayed


@pytest.mark.parametrize("leave", ["end of input", "quit", "ctrl-c", "terminated", "hung up"])
def test_leaving_saves_the_game_and_prints_how_to_resume(
    leave: str, terminal: Open, run: Run, home: Path
) -> None:
    screen = terminal("play", "tower")
    screen.wait_for("Enter your move: ")
    screen.type("build 4")
    screen.wait_for("Enter your move: ")
    match leave:
        case "end of input":
            screen.child.sendeof()
        case "quit":
            screen.type("quit")
        case "ctrl-c":
            screen.child.sendintr()
        case "terminated":
            screen.child.kill(signal.SIGTERM)
        case "hung up":
            screen.child.kill(signal.SIGHUP)
    rest = screen.end()
    (file,) = (home / "saves").iterdir()
    assert re.search(rf"Continue with: \S*duelbook resume {file}\n", rest)
    assert screen.child.exitstatus == (130 if leave == "ctrl-c" else 0)
    again = run("resume", typed="build 2\n").stdout
    assert "Player 1 Tower Height: 4" in again
    assert "Player 2 builds 2 units." in again


@pytest.mark.parametrize("slug", ["tower", "token"])
def test_closed_window_saves_the_game(slug: str, terminal: Open, home: Path) -> None:
    screen = terminal("play", slug)
    screen.child.expect("(: |> )$")
    screen.type("build 4" if slug == "tower" else "1")
    screen.child.expect("(: |> )$")
    screen.close_window()
    (file,) = (home / "saves").iterdir()
    assert len(json.loads(file.read_text())["games"][0]["moves"]) == 1


def test_signals_do_not_disturb_saving(terminal: Open, home: Path) -> None:
    screen = terminal("play", "tower")
    screen.wait_for("Enter your move: ")
    for number in [signal.SIGHUP, signal.SIGTERM, signal.SIGINT, signal.SIGQUIT] * 5:
        if screen.child.isalive():
            screen.child.kill(number)
    assert "Game saved." in screen.end()
    (file,) = (home / "saves").iterdir()
    assert json.loads(file.read_text())["format"] == 1


def test_signal_at_the_menu_after_a_game_exits_quietly(terminal: Open) -> None:
    screen = terminal()
    for answer in ["5", "resign"]:
        screen.child.expect("(: |> )$")
        screen.type(answer)
    screen.wait_for("resume, quit\r\n> ")
    screen.child.kill(signal.SIGTERM)
    assert "Traceback" not in screen.end()


def test_unsupported_characters_are_replaced(home: Path) -> None:
    environment = dict(os.environ, PYTHONIOENCODING="ascii")
    command = [DUELBOOK, "play", "tower", "--names", "Zoë", "Bo"]
    typed = "build 4\n" + "x" * 40 + "\n"
    done = subprocess.run(  # noqa: S603 # our own program
        command, input=typed, env=environment, capture_output=True, text=True, check=True
    )
    assert "Zo? builds 4 units." in done.stdout
    assert "Game saved." in done.stdout


@pytest.mark.parametrize("closed", ["<&-", ">&-"])
def test_closed_input_or_output_is_reported(closed: str) -> None:
    command = f"{shlex.quote(DUELBOOK)} play tower {closed}"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)  # noqa: S602 # that is what a shell can do
    assert done.returncode == 2
    assert "Duelbook needs standard input and standard output." in done.stderr


def test_commands_refuse_extra_words(run: Run) -> None:
    screen = run("play", "tower", typed="resign me not\nquit smoking\nbuild 4\n").stdout
    assert "Type only resign, with nothing after it." in screen
    assert "Player 1 builds 4 units." in screen


def test_options_before_the_command_and_without_a_game_apply(terminal: Open, run: Run) -> None:
    screen = terminal("--plain", "play", "tower", plain=False)
    screen.wait_for("Enter your move: ")
    assert "\x1b" not in screen.everything
    menu = run("play", "--names", "Ann", "Bo", "--best-of", "3", typed="tower\n").stdout
    assert "Game 1, best of 3. Ann starts." in menu


def test_file_name_does_not_depend_on_player_names(run: Run, tmp_path: Path) -> None:
    screen = run("play", "tower", "--names", "Ann", "Bo", typed="save Player 1.json\n").stdout
    assert "Saved to Player 1.json." in screen
    assert "resume 'Player 1.json'" in screen
    assert (tmp_path / "Player 1.json").exists()


def test_text_of_the_book_is_printed_once(run: Run) -> None:
    screen = run("play", "token", typed="2\nx\n3\n1\nattack 2\n").stdout
    assert screen.count("You chose to Attack.\n") == 2
    assert screen.count("Enter the number of tokens to commit") == 2


@pytest.mark.parametrize(
    ("slug", "typed", "reason"),
    [
        ("token", "2\n9\n9\n2\n2\n", "You have only 1 token."),
        ("galaxy", "5 5\n1 1\n4\n5\n", "Your ship 5 is already expended."),
        ("galaxy", "5 5\nplanet 5 ship 1\n", "Planet 5 is already conquered by Player 1."),
    ],
)
def test_refusal_refers_to_the_question(slug: str, typed: str, reason: str, run: Run) -> None:
    assert f"\n{reason}\n" in run("play", slug, typed=typed).stdout


def test_moves_are_printed_if_saving_fails(run: Run, home: Path, tmp_path: Path) -> None:
    home.write_text("a file where the folder should be")
    screen = run("play", "tower", typed="build 4\nbuild 2\n").stdout
    assert "could not be written" in screen
    assert "The moves were: build 4, build 2." in screen


def test_save_to_a_named_file(run: Run, tmp_path: Path) -> None:
    file, other = tmp_path / "my game.json", tmp_path / "notes.txt"
    other.write_text("precious")
    typed = f"build 4\nsave {other}\nsave {file}\nbuild 2\nsave\nbuild 1\n"
    screen = run("play", "tower", typed=typed).stdout
    assert f"Not saved. {other} already exists: choose another name." in screen
    assert other.read_text() == "precious"
    assert screen.count(f"Saved to {file}.") == 2
    assert f"duelbook resume '{file}'" in screen
    assert json.loads(file.read_text())["games"][0]["moves"] == ["build 4", "build 2", "build 1"]


def test_menu_accepts_numbers_and_names(run: Run) -> None:
    screen = run(typed="rules tower\n9\ncapture\nresign\n5\nbuild 4\nquit\n").stdout
    assert "  5  Tower Defense Duel " in screen
    assert "- Building past 15 is a legal move, and it loses." in screen
    assert "There is no game '9'." in screen
    assert "Player 1 resigns." in screen
    assert "Player 1 builds 4 units." in screen
    assert screen.rstrip().splitlines()[-1].startswith("Continue with: duelbook resume")


def test_menu_resumes_and_exits_quietly(run: Run) -> None:
    run("play", "tower", typed="build 4\n")
    assert "Player 1 Tower Height: 4" in run(typed="resume\n").stdout
    for typed in ["", "quit\n", "exit\n"]:
        assert run(typed=typed).exit_code == 0


def test_menu_reports_that_there_is_nothing_to_resume(run: Run) -> None:
    assert "There is no unfinished game" in run(typed="resume\n").stdout
    assert run(typed="help\nrules\n\n").stdout.count("Type a number, or words such as") == 3


def test_games_are_listed_with_descriptions(run: Run) -> None:
    lines = run("games").stdout.splitlines()
    assert [line.split()[0] for line in lines] == SLUGS
    assert all(len(line) <= 80 for line in [*lines, *run().stdout.splitlines()])


@pytest.mark.parametrize("slug", SLUGS)
def test_rules_pages_fit_eighty_columns(slug: str, run: Run) -> None:
    for clauses in ([], ["--clauses"]):
        page = run("rules", slug, *clauses).stdout
        assert page.startswith("# ")
        assert max(map(len, page.splitlines())) <= 80


@pytest.mark.parametrize("where", ["command", "menu", "prompt"])
def test_rules_have_clause_numbers_and_claims_only_on_request(where: str, run: Run) -> None:
    def shown(*clauses: str) -> str:
        asked = " ".join(["rules", *(["tower"] if where == "menu" else []), *clauses])
        match where:
            case "command":
                return run("rules", "tower", *clauses).stdout
            case "menu":
                return run(typed=f"{asked}\n").stdout
            case _:
                return run("play", "tower", typed=f"{asked}\n").stdout

    plain, whole = shown(), shown("--clauses")
    assert "- An attack takes 3 units off your opponent's tower." in plain
    assert (
        "- Positions may repeat forever. Two people play on until one wins or\n  resigns." in plain
    )
    assert "Type `build 4` or `attack`" in plain
    assert not re.search("TD-|Claims|`no-draws`", plain)
    assert "- TD-5  An attack takes 3 units" in whole
    assert "- TD-C2 No game is tied. `no-draws`" in whole


def test_terminal_shows_the_rules_in_a_pager(
    terminal: Open, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\necho PAGER\ncat\n")
    pager.chmod(0o755)
    monkeypatch.setenv("PAGER", str(pager))
    screen = terminal("play", "tower", plain=False)
    screen.child.setwinsize(24, 80)
    screen.wait_for("Enter your move: ")
    screen.type("rules")
    screen.wait_for("PAGER\r\n# Tower Defense Duel")
    screen.wait_for("Enter your move: ")
    screen.type("build 4")  # the keyboard is ours again
    screen.wait_for("builds 4 units.")


# What helps people who are new to it ------------------------------------------------------------


def at_the_end(screen: Terminal) -> str:
    return ESCAPES.sub("", screen.wait_for("menu or quit? "))


def test_lines_break_between_words_and_items_at_80_columns(terminal: Open) -> None:
    screen = terminal("play", "galaxy", "--plain", plain=False)
    screen.child.setwinsize(50, 80)
    screen.wait_for("to attack: ")
    screen.type("board")
    screen.wait_for("to attack: ")
    board = screen.everything.rpartition("Planets:\r\n")[2].splitlines()
    assert board[0].endswith("] Unconquered")
    assert board[1].startswith("[")
    items = " ".join(board[:2]).replace("  ", " ")
    assert items == " ".join(f"[{n}] Unconquered" for n in range(1, 8))
    assert max(map(len, screen.everything.splitlines())) <= 80
    screen.child.setwinsize(50, 60)
    screen.type("board")
    screen.wait_for("to attack: ")
    assert max(map(len, screen.everything.rpartition("Planets:")[2].splitlines())) <= 60


def test_number_alone_is_an_answer_on_every_turn_or_on_none(run: Run, home: Path) -> None:
    screen = run("play", "tower", typed="4\n4\n2\n1\nattack\n4\n").stdout
    assert "not a valid answer" not in screen
    (file,) = (home / "saves").iterdir()
    moves = ["build 4", "build 4", "build 2", "build 1", "attack", "build 4"]
    assert json.loads(file.read_text())["games"][0]["moves"] == moves
    assert "type fortify (1) or attack (2)" in run("play", "token", typed="3\n").stdout


@pytest.mark.parametrize("slug", SLUGS)
def test_answers_are_printed_once_if_the_question_has_none(slug: str, run: Run) -> None:
    screen = run("play", slug, "--vs", "random", "--seed", "1", typed="x\ny\n").stdout
    names_none = slug == "tower-defense-duel"  # it says just: Enter your move
    assert screen.count("(build 1, 2, 4 or attack; help for more)") == names_none
    assert screen.count("; help for more)") == names_none
    assert "; help for more)" not in run("play", slug, typed="x\ny\n").stdout


def test_end_shows_the_winner_and_the_next_actions(terminal: Open, home: Path) -> None:
    screen = terminal("play", "tower", "--names", "Ann", "Bo", plain=False)
    for move in ["4", "1", "4", "1", "4", "1", "2", "1", "1"]:
        screen.wait_for("Enter your move: ")
        screen.type(move)
    assert "Ann wins with a tower of exactly 15 units." in at_the_end(screen)
    screen.type("what?")
    assert "Type again, swap, analyse, replay, menu or quit." in at_the_end(screen)
    screen.type("analyse")
    assert "of Ann's moves were not mistakes." in at_the_end(screen)
    screen.type("replay")
    for _ in range(9):
        screen.wait_for("for the next move. ")
        screen.type("")
    assert "9. Ann: build 1" in at_the_end(screen)
    screen.type("swap seats")
    screen.wait_for("Bo")
    screen.wait_for(", it's your turn.")
    screen.wait_for("Enter your move: ")
    screen.type("resign")
    assert "Bo resigns, so Ann wins." in at_the_end(screen)
    screen.type("again")
    screen.wait_for("Enter your move: ")
    screen.type("resign")
    at_the_end(screen)
    screen.type("menu")
    screen.wait_for("Choose a game")
    screen.type("quit")
    screen.end()
    assert len(list((home / "saves").iterdir())) == 3


def test_result_against_the_computer_addresses_the_person(run: Run) -> None:
    ends = "You resign, so the computer wins."
    assert ends in run("play", "island", "--vs", "easy", typed="resign\n").stdout
    assert ends not in run("play", "island", typed="resign\n").stdout
    both_sink = "no\n1\n" * 40
    told = run("play", "island", "--vs", "perfect", "--as", "2", "--seed", "1", typed=both_sink)
    assert re.search(r"\n.*(you win|the computer wins)\b.*\.\n", told.stdout, re.IGNORECASE)


def test_replay_shows_a_finished_game_move_by_move(run: Run, home: Path) -> None:
    run("play", "token", "--names", "Ann", "Bo", typed="2\n10\n0\n")
    screen = run("replay").stdout
    assert "1. Ann: attack 10\n" in screen
    assert "2. Bo: defend 0\nReveal:\n" in screen
    assert "Ann wins by capturing all of Bo's tokens." in screen
    (file,) = (home / "saves").iterdir()
    assert run("replay", str(file), "--step", typed="\n" * 9).stdout.count("Press Enter") == 2
    assert run("replay", str(file), "--step", typed="").exit_code == 0
    over = run("resume", str(file))
    assert over.exit_code == 2
    assert "That game is over." in over.output


# Colour -----------------------------------------------------------------------------------------

ESCAPES = re.compile(r"\x1b\[[0-9;]*m")
TOWERS = "  Player 1  ████░░░░░░░░░░░ 4 of 15\n  Player 2  ░░░░░░░░░░░░░░░ 0 of 15\n"


def test_colour_terminal_adds_pictures_to_the_same_text(terminal: Open) -> None:
    screen = terminal("play", "tower", plain=False)
    screen.wait_for("Enter your move: ")
    screen.type("build 4")
    screen.wait_for("Enter your move: ")
    assert "\x1b[" in screen.everything
    words = ESCAPES.sub("", screen.everything).replace("\r\n", "\n")
    assert TOWERS in words
    bare = re.sub(r"\n(  Player [12]  [█░]+ \d+ of 15\n)+", "", words)
    assert bare.count("(build 1, 2, 4 or attack; help for more)\n") == 1
    bare = bare.replace("(build 1, 2, 4 or attack; help for more)\n", "")
    plain = terminal("play", "tower")
    plain.wait_for("Enter your move: ")
    plain.type("build 4")
    plain.wait_for("Enter your move: ")
    assert bare == plain.everything.replace("\r\n", "\n")


@pytest.mark.parametrize("slug", SLUGS)
def test_pictures_fit_80_columns_and_do_not_depend_on_colour(slug: str, terminal: Open) -> None:
    screen = terminal("play", slug, "--names", "N" * 24, "M" * 24, plain=False)
    screen.child.expect("(: |> )$")
    screen.everything += screen.child.before
    screen.child.sendeof()
    screen.end()
    words = ESCAPES.sub("", screen.everything).replace("\r\n", "\n")
    drawn = [line for line in words.splitlines() if line.startswith("  ")]
    assert drawn
    assert max(map(len, drawn)) <= 80


def test_picture_names_the_owner_of_a_planet(terminal: Open) -> None:
    screen = terminal("play", "galaxy", plain=False)
    screen.wait_for("to attack: ")
    screen.type("7 7")
    screen.wait_for("to attack: ")
    assert "[6] [7 P1]" in ESCAPES.sub("", screen.everything)


@pytest.mark.parametrize("how", ["--plain", "NO_COLOR", "TERM"])
def test_plain_text_on_request(how: str, terminal: Open, monkeypatch: pytest.MonkeyPatch) -> None:
    if how == "NO_COLOR":
        import pexpect

        monkeypatch.setenv("NO_COLOR", "1")
        monkeypatch.setenv("TERM", "xterm")
        child = pexpect.spawn(
            DUELBOOK, ["play", "tower"], encoding="utf-8", timeout=TIMEOUT_SECONDS
        )
        child.expect_exact("Enter your move: ")
        assert "\x1b" not in child.before
        close(child)
        return
    arguments = ["--plain"] if how == "--plain" else []
    screen = terminal("play", "tower", *arguments, plain=how == "TERM")
    screen.wait_for("Enter your move: ")
    assert "\x1b" not in screen.everything
