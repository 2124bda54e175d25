"""The real program in a real terminal: tmux resizes it, suspends it, interrupts it, closes it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from conftest import Serve

from duelbook.web.client import GameClient
from online import begin
from servers import DUELBOOK, wait_until

pytestmark = pytest.mark.integration


class Tmux:
    """A terminal of 80 by 24 with a shell in it."""

    def __init__(self, home: Path, folder: Path) -> None:
        self.command = [shutil.which("tmux") or pytest.skip("tmux is not installed")]
        self.command += ["-u", "-S", str(folder / "tmux"), "-f", "/dev/null"]
        self.environment = dict(os.environ, DUELBOOK_HOME=str(home), PS1="$ ", ENV="")
        self.environment.pop("NO_COLOR", None)
        self.run("new-session", "-d", "-x", "80", "-y", "24", "bash --norc --noprofile -i")

    def run(self, *arguments: str) -> str:
        done = subprocess.run(  # noqa: S603 # our own terminal
            [*self.command, *arguments], env=self.environment, capture_output=True, text=True,
            check=True,
        )  # fmt: skip
        return done.stdout

    def keys(self, *keys: str) -> None:
        self.run("send-keys", *keys)

    def type(self, line: str) -> None:
        self.run("send-keys", "-l", line)
        self.keys("Enter")

    def shown(self) -> str:
        return self.run("capture-pane", "-p")

    def sees(self, text: str) -> None:
        wait_until(lambda: text in self.shown(), lambda: f"{text!r} never came:\n{self.shown()}")


@pytest.fixture
def tmux(home: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Tmux]:
    terminal = Tmux(home, tmp_path_factory.mktemp("t"))
    yield terminal
    subprocess.run([*terminal.command, "kill-server"], check=False, capture_output=True)  # noqa: S603 # as above


def moves(home: Path) -> list[str]:
    (file,) = (home / "saves").glob("*.json")  # another name is one that is being written
    found: list[str] = json.loads(file.read_text())["games"][0]["moves"]
    return found


def test_tui_in_a_real_terminal(tmux: Tmux, home: Path) -> None:
    tmux.type(f"{DUELBOOK} play tower --tui --names Ann Bo")
    tmux.sees("[F10 Leave]")
    tmux.keys("4")
    tmux.sees("4 of 15 +4")
    tmux.run("resize-window", "-x", "60", "-y", "18")
    tmux.run("resize-window", "-x", "120", "-y", "40")
    tmux.sees("▶ Bo")
    tmux.keys("Right", "Right", "Enter")  # the second choice is to attack
    tmux.sees("1 of 15 -3")
    tmux.keys("C-z")
    tmux.sees("Stopped")
    tmux.type("fg")
    tmux.sees("1 of 15 -3")
    tmux.keys("2")
    tmux.sees("3 of 15 +2")
    tmux.keys("C-c")
    tmux.sees("Continue with: ")
    tmux.type("echo code $?")
    tmux.sees("code 130")
    assert moves(home) == ["build 4", "attack", "build 2"]
    tmux.type(f"clear; {DUELBOOK} resume")  # the preference is stored
    tmux.sees("▶ Bo")
    tmux.keys("1")
    tmux.sees("1 of 15 +1")
    shell = tmux.run("display-message", "-p", "#{pane_pid}").strip()
    (process,) = Path(f"/proc/{shell}/task/{shell}/children").read_text().split()
    tmux.run("kill-session")
    wait_until(
        lambda: not Path(f"/proc/{process}").exists(),
        lambda: "The TUI runs on without its terminal.",
    )
    assert moves(home) == ["build 4", "attack", "build 2", "build 1"]


def test_join_a_game_in_a_terminal(tmux: Tmux, serve: Serve) -> None:
    server = serve()
    with httpx.Client(base_url=server.url) as http:
        begun = begin(http, "tower-defense-duel", name="Ann")
    with GameClient(f"{server.url}/g/{begun['id']}", begun["secret"]) as ann:
        tmux.type(f"{DUELBOOK} join {ann.url} --name Bo")
        tmux.sees("Ann thinks …")
        ann.receive()
        ann.play("build 4")
        tmux.sees("4 of 15 +4")
        tmux.keys("Right", "Enter", "2")  # the first choice is to build
        tmux.sees("2 of 15 +2")
        tmux.keys("C-c")
        tmux.sees("The seat is still yours. Continue with: ")
        tmux.type("echo code $?")
        tmux.sees("code 130")
        tmux.type(f"clear; {DUELBOOK} join {ann.url}")
        tmux.sees("2. Bo: build 2")
        while ann.snapshot.moves != ["build 4", "build 2"]:
            ann.receive()
        ann.resign()
        tmux.sees("Ann resigns, so you win.")
        tmux.keys("l")
        tmux.sees("The game is over. It stays at")


def test_host_a_game_in_a_terminal(tmux: Tmux, serve: Serve) -> None:
    server = serve()
    tmux.type(f"{DUELBOOK} host tower --server {server.url} --name Ann --clock 10+5")
    tmux.sees("Waiting for the other player.")
    (link,) = re.findall(r"Send this link to the other player: (http\S+)", tmux.shown())
    with httpx.Client() as http:
        assert "<html" in http.get(link).text  # what a browser opens
    with GameClient.join(link, "Bo") as bo:
        tmux.sees("▶ Ann 10:00")
        tmux.keys("4")
        while not bo.to_move:
            bo.receive()
        bo.play("attack")
        tmux.sees("1 of 15 -3")


def test_line_mode_is_used_on_request(tmux: Tmux, home: Path) -> None:
    tmux.type(f"{DUELBOOK} play tower --tui; echo ended 1")
    tmux.sees("[F10 Leave]")
    tmux.keys("F10")
    tmux.sees("\nended 1")  # a key that is typed before the next program starts would be lost
    tmux.type(f"clear; {DUELBOOK} play tower --plain; echo ended 2")
    tmux.sees("Enter your move:")
    tmux.type("quit")
    tmux.sees("\nended 2")
    tmux.type(f"clear; {DUELBOOK} play tower --no-tui; echo ended 3")
    wait_until(lambda: "ended 2" not in tmux.shown(), tmux.shown)
    tmux.sees("Enter your move:")
    tmux.type("rules")
    tmux.sees("Two towers, one mark at 15.")
    tmux.keys("q")  # the pager's key
    tmux.type("quit")
    tmux.sees("\nended 3")
    tmux.type(f"clear; {DUELBOOK} play tower")  # that is remembered, too
    wait_until(lambda: "ended 3" not in tmux.shown(), tmux.shown)
    tmux.sees("Enter your move:")
