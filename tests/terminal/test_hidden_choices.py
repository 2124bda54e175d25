from __future__ import annotations

import json
import os
import re
import shlex
import signal
from collections.abc import Callable
from pathlib import Path

import pexpect
import pytest
from conftest import Run, Terminal, close

from servers import DUELBOOK, TIMEOUT_SECONDS

ACTION = "Choose an action: (1) Fortify, (2) Attack\r\n> "
COMMIT = "Enter the number of tokens to commit (1-10):\r\n> "
DEFEND = "enter the number of tokens to defend with (0-10):\r\n> "
Open = Callable[..., Terminal]


@pytest.fixture
def at_commit(terminal: Open) -> Terminal:
    screen = terminal("play", "token")
    screen.wait_for(ACTION)
    screen.type("2")
    screen.wait_for(COMMIT)
    return screen


@pytest.mark.clause("TT-R3")
def test_hidden_choices_are_not_echoed_in_a_real_terminal(at_commit: Terminal) -> None:
    at_commit.type("7")
    assert at_commit.wait_for(DEFEND) == "\r\nPlayer 2, "
    at_commit.type("8")
    assert at_commit.wait_for("Reveal:") == "\r\n"
    assert "7" in at_commit.wait_for("Updated Reserves:")


@pytest.mark.parametrize(
    "mistyped", ["77", "seven 7", "attack 77", "7 7", "7.7", "-7", "77777777777777777777", "é7ü"]
)
def test_mistyped_hidden_choices_are_neither_echoed_nor_quoted(
    at_commit: Terminal, mistyped: str
) -> None:
    at_commit.type(mistyped)
    refusal = at_commit.wait_for(COMMIT)
    assert "7" not in refusal
    assert (
        "type a number from 1 to 10" in refusal
        or "You have only 10 tokens" in refusal
        or ("more than one move" in refusal)
    )


@pytest.mark.parametrize(
    ("typed", "seen"),
    [
        ("attack 7", "attack "),
        ("ATTACK 7", "ATTACK "),
        ("2 7", "2 "),
        ("a 7", "a "),
        ("attack7", "attack"),
        ("7", ""),
        ("att 77", "att"),
        ("277", "2"),
    ],
)
def test_only_public_words_are_echoed_at_the_first_question(
    terminal: Open, typed: str, seen: str
) -> None:
    screen = terminal("play", "token")
    screen.wait_for(ACTION)
    screen.type(typed)
    shown = screen.wait_for("> ")
    assert "7" not in shown
    assert shown.startswith(seen)


def test_typed_ahead_input_is_not_echoed(terminal: Open) -> None:
    screen = terminal("play", "token")
    screen.wait_for(ACTION)
    screen.child.send("2\r7\r8\r")
    before_reveal = screen.wait_for("Reveal:")
    assert "7" not in before_reveal
    assert "8" not in before_reveal


def test_editing_keys_work_without_echo(at_commit: Terminal) -> None:
    at_commit.child.send("99\x7f\x7f\x15\x1b[A\x1b[D4x\x7f\r")
    at_commit.wait_for(DEFEND)
    at_commit.type("0")
    assert "Attacker committed 4 tokens." in at_commit.wait_for("Updated Reserves:")


def test_editing_keys_at_a_public_question(terminal: Open) -> None:
    screen = terminal("play", "token")
    screen.wait_for(ACTION)
    screen.child.send("fort\x17attack 9\x7f\x7f\x7f\x7f\x7f\x7f\x7f\x7f1\r")
    assert "You chose to Fortify." in screen.wait_for(ACTION)


def test_no_command_shows_a_pending_hidden_choice(at_commit: Terminal) -> None:
    at_commit.type("7")
    at_commit.wait_for(DEFEND)
    for command in ["moves", "board", "help", "save", "undo"]:
        at_commit.type(command)
        shown = at_commit.wait_for("> ")
        if command == "moves":
            assert "attack ?" in shown
            shown = shown.replace("defend 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10", "")
        assert "7" not in re.sub(r"\S+\.json", "", shown)


def test_undo_at_a_defense_asks_the_attacker_again(run: Run) -> None:
    screen = run("play", "token", typed="2\n7\nundo\n").stdout
    assert "Taken back: attack ?." in screen
    assert screen.count("Player 1's Turn:") == 2


def test_undo_after_a_battle_takes_back_both_choices(run: Run) -> None:
    screen = run("play", "token", typed="2\n7\n3\nundo\n1\n").stdout
    after = screen.partition("Taken back: ")[2]
    assert "Player 1's Turn:" in after
    assert "You chose to Fortify." in after


def test_save_during_a_battle_omits_the_hidden_choice(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "battle.json"
    screen = run("play", "token", typed=f"1\n2\n7\nsave {file}\n").stdout
    assert "does not include a choice that is still hidden" in screen
    saved = json.loads(file.read_text())
    assert saved["games"][0]["moves"] == ["fortify"]
    again = run("resume", str(file), typed="2\n3\n2\n").stdout
    assert "Player 2's Turn:" in again
    assert "Attacker committed 3 tokens." in again


def test_leaving_during_a_battle_omits_the_hidden_choice(at_commit: Terminal, home: Path) -> None:
    at_commit.type("7")
    at_commit.wait_for(DEFEND)
    at_commit.child.sendintr()
    assert "does not include a choice that is still hidden" in at_commit.end()
    (file,) = (home / "saves").iterdir()
    assert json.loads(file.read_text())["games"][0]["moves"] == []


def test_resigning_under_attack_does_not_reveal_the_hidden_choice(run: Run, home: Path) -> None:
    screen = run("play", "token", typed="2\n7\nresign\n").stdout
    assert "Player 2 resigns." in screen
    assert "7" not in screen.partition("resigns.")[0]
    (file,) = (home / "saves").iterdir()
    assert "attack 7" not in file.read_text()
    assert "Player 1 wins!" in run("replay", str(file)).stdout


@pytest.mark.parametrize("leave", ["\x04", "quit\r", "\x03"])
def test_terminal_echoes_again_after_the_game(home: Path, leave: str) -> None:
    environment = dict(os.environ, DUELBOOK_HOME=str(home))
    shell = pexpect.spawn("sh", encoding="utf-8", env=environment, timeout=TIMEOUT_SECONDS)
    shell.sendline(f"PS1=; {shlex.quote(DUELBOOK)} play token --plain; stty -a")
    shell.expect_exact(ACTION)
    shell.send(leave)
    shell.expect("Game saved")
    shell.expect(r"[ -]echo ")
    assert shell.after == " echo "
    close(shell)


def test_echo_stays_off_after_suspend_and_continue(at_commit: Terminal) -> None:
    import termios

    # A shell gives a stopped program the terminal back with the echo on.
    terminal = at_commit.child.child_fd
    echoing = termios.tcgetattr(terminal)
    echoing[3] |= termios.ECHO | termios.ICANON
    termios.tcsetattr(terminal, termios.TCSANOW, echoing)
    at_commit.child.kill(signal.SIGCONT)
    assert at_commit.child.waitnoecho(timeout=TIMEOUT_SECONDS)
    at_commit.type("7")
    assert "7" not in at_commit.wait_for(DEFEND)


def test_hidden_choice_from_a_pipe_is_not_printed(run: Run) -> None:
    screen = run("play", "token", typed="2\n7\n6\n").stdout
    before_reveal = screen.partition("Reveal:")[0]
    assert "7" not in before_reveal
    assert "6" not in before_reveal


def test_resigning_under_attack_does_not_show_the_hidden_choice(terminal: Open) -> None:
    screen = terminal("play", "token", "--best-of", "3", plain=False)
    for answer, question in [("2", ACTION), ("7", COMMIT), ("resign", DEFEND)]:
        screen.wait_for(question)
        screen.type(answer)
    screen.wait_for("Game 2")
    shown = re.sub(r"\x1b\[[0-9;]*m", "", screen.everything)
    assert re.search(r"Player 1 attack +hidden", shown)
    assert "7" not in shown


def test_input_before_the_game_is_discarded(terminal: Open) -> None:
    screen = terminal()
    screen.wait_for("resume, quit\r\n> ")
    screen.child.send("4\r2\r7\r")
    screen.wait_for(ACTION)
    screen.type("1")  # had the answers been kept, this would be the defense
    assert "You chose to Fortify." in screen.wait_for(ACTION)


def test_escape_sequences_do_not_swallow_input(at_commit: Terminal) -> None:
    at_commit.child.send("\x1b10\r")
    at_commit.wait_for(DEFEND)
    at_commit.child.send("\x1b\r0\r")
    assert "Please answer" in at_commit.wait_for("Reveal:")
    assert "committed 10 tokens" in at_commit.wait_for("Updated")


def test_suspended_terminal_echoes_again(home: Path) -> None:
    environment = dict(os.environ, DUELBOOK_HOME=str(home), ENV="/dev/null")
    shell = pexpect.spawn("sh", ["-i"], encoding="utf-8", env=environment, timeout=TIMEOUT_SECONDS)
    shell.sendline(f"PS1=; {shlex.quote(DUELBOOK)} play token --plain")
    shell.expect_exact(ACTION)
    shell.send("\x1a")
    shell.sendline("stty -a; echo do''ne")
    shell.expect(r"[ -]echo ")
    assert shell.after == " echo "
    shell.expect_exact("done")
    shell.sendline("fg")
    shell.expect_exact("play token")
    assert shell.waitnoecho(timeout=TIMEOUT_SECONDS)
    shell.send("2\r7\r0\r")
    shell.expect_exact("Reveal:")
    assert "7" not in shell.before
    close(shell)
