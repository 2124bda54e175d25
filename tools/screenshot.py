"""Take the screenshot of the README: the review of a finished game in a real browser."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from shutil import which
from urllib.request import urlopen

BOOK = "galaxy-conquest"
MOVES = [
    *("planet 6 ship 1", "planet 6 ship 6", "planet 7 ship 6", "planet 5 ship 3"),
    *("planet 1 ship 5", "planet 2 ship 4", "planet 5 ship 2", "planet 4 ship 5"),
    *("planet 5 ship 3", "planet 7 ship 7"),
]
"""A game that the mistake in its first move decides."""
SHOWN_MOVE = 8


def free_port() -> int:
    """Return a port that nobody listens on."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


def save_screenshot(url: str, file: Path) -> None:
    """Play some moves in the mode for one device, and take a screenshot."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium-headless-shell") or which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        page = browser.new_page(viewport={"width": 1280, "height": 800})
        page.goto(f"{url}/#{BOOK}")
        page.locator("input[name=mode][value=device]").check()
        page.locator("input[name=name]").fill("Ann")
        page.locator("input[name=other]").fill("Bo")
        page.get_by_test_id("start").click()
        for count, move in enumerate(MOVES, start=1):
            page.get_by_test_id("typed-move").fill(move)
            page.keyboard.press("Enter")
            move_item = page.get_by_test_id("moves").locator("li").nth(count - 1)
            move_item.wait_for(state="attached")  # the list itself may be outside the screen
        page.get_by_test_id("end-review").click()
        page.get_by_test_id("chart").locator("svg").wait_for()
        page.get_by_test_id("moves").locator("li").nth(SHOWN_MOVE - 1).click()
        page.get_by_test_id("chart").scroll_into_view_if_needed()
        page.wait_for_timeout(1500)  # until the animations have ended
        page.screenshot(path=file)
        browser.close()


@contextmanager
def running_server() -> Iterator[str]:
    """Start a server, yield its address, and stop it afterwards."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    program = str(Path(sys.executable).with_name("duelbook"))
    with tempfile.TemporaryDirectory() as home:
        server = subprocess.Popen(  # noqa: S603 # our own program
            [program, "serve", "--port", str(port)],
            env=dict(os.environ, DUELBOOK_HOME=home),
            stderr=subprocess.DEVNULL,
        )
        try:
            while True:
                try:
                    urlopen(f"{url}/healthz").close()  # noqa: S310 # our own server
                    break
                except OSError:
                    time.sleep(0.2)
            yield url
        finally:
            server.terminate()
            server.wait()


def main(file: Path) -> None:
    """Start a server, take the screenshot, and stop the server."""
    with running_server() as url:
        save_screenshot(url, file)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
