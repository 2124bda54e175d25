"""Play in the TUI from tests with Textual's pilot, and read the screen."""

from __future__ import annotations

import asyncio
import html
import re
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from random import Random
from time import monotonic

from textual import events
from textual.message_pump import MessagePump
from textual.pilot import Pilot

from duelbook.play.series import Series
from duelbook.position import Position
from duelbook.tui.dialogs import Curtain
from duelbook.tui.games.game_screen import GameScreen
from duelbook.tui.games.local_screen import LocalScreen
from duelbook.tui.games.online_game import OnlineGame
from duelbook.tui.games.online_screen import OnlineScreen
from duelbook.tui.tui_app import TuiApp
from duelbook.tui.widgets import Board, Buttons
from duelbook.web.client import GameClient
from servers import TIMEOUT_SECONDS

SMALL, LARGE = (80, 24), (120, 40)
COLUMN, LINE = 12.2, 24.4
"""The size of a character in the SVG that Textual exports."""
CHARACTERS = {"space": " ", "enter": "\r", "tab": "\t", "question_mark": "?"}
NAMES = {"?": "question_mark", " ": "space"}
CLOCK = re.compile(r"\b\d:\d\d\b")
TEXT = re.compile(r'<text [^>]*\bx="([\d.]+)" y="([\d.]+)" textLength[^>]*>([^<]*)</text>')


class Person:
    """A person who plays in the TUI with keys or with the mouse."""

    def __init__(self, app: TuiApp, pilot: Pilot[str], random: Random) -> None:
        self.app, self.pilot, self.random = app, pilot, random

    @property
    def local(self) -> LocalScreen:
        """The current screen, which must show a local game."""
        assert isinstance(self.app.screen, LocalScreen)
        return self.app.screen

    @property
    def online(self) -> OnlineScreen:
        """The current screen, which must show a game on a server."""
        assert isinstance(self.app.screen, OnlineScreen)
        return self.app.screen

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for a condition, and fail after a timeout."""
        deadline = monotonic() + TIMEOUT_SECONDS
        while monotonic() < deadline:
            if condition():
                return
            await asyncio.sleep(0.02)
        raise AssertionError(f"The condition did not hold in time:\n{self.screen_text()}")

    async def press(self, *keys: str, one_by_one: bool = True) -> None:
        """Press keys with the events of the terminal's driver; the pilot would be slower."""
        for key in keys:
            letter = key if len(key) == 1 else CHARACTERS.get(key)
            self.app.post_message(events.Key(NAMES.get(key, key), letter))
            if one_by_one:
                await self.wait_until_idle()
        await self.wait_until_idle()

    async def wait_until_idle(self) -> None:
        """Wait until the app has handled the current messages and those that they cause."""
        for _ in range(3):
            for pump in (self.app, self.app.screen):
                done = asyncio.Event()
                if pump.call_later(done.set):
                    await self._wait_for(pump, done)

    async def _wait_for(self, pump: MessagePump, done: asyncio.Event) -> None:
        """Wait for an event, or until the message pump that should set it has closed."""
        deadline = monotonic() + TIMEOUT_SECONDS
        while pump.is_running and not done.is_set():
            assert monotonic() < deadline, f"The app does not respond:\n{self.screen_text()}"
            with suppress(TimeoutError):
                await asyncio.wait_for(done.wait(), 0.1)

    async def type(self, text: str) -> None:
        await self.press(*("space" if letter == " " else letter for letter in text))

    async def ready(self) -> None:
        """Wait until the screen offers choices or shows the curtain."""

        def is_ready() -> bool:
            if isinstance(self.app.screen, Curtain):
                return True
            return isinstance(self.app.screen, GameScreen) and bool(self.offered())

        await self.until(is_ready)

    def offered(self) -> list[str]:
        """Return the names of the buttons to choose from."""
        choices = self.app.screen.query_one("#choices", Buttons)
        return [item.name for item in choices.items]

    async def click(self, name: str, where: str = "#choices") -> None:
        """Click a button."""
        buttons = self.app.screen.query_one(where, Buttons)
        names = [item.name for item in buttons.items]
        await self.until(lambda: [spot.says for spot in buttons.places()] == names)
        await self.wait_until_idle()
        spot = next(place for place in buttons.places() if place.says == name)
        corner = buttons.content_region.offset
        await self.click_at(corner.x + spot.x + 1, corner.y + spot.y)

    async def click_board(self, says: str) -> None:
        """Click the shape with these words."""
        board = self.app.screen.query_one(Board)
        await self.until(lambda: any(spot.says == says for spot in board.places()))
        spot = next(place for place in board.places() if place.says == says)
        corner = board.content_region.offset
        x, y = spot.x + spot.width // 2, spot.y + spot.height // 2
        await self.click_at(corner.x + x, corner.y + y)

    async def click_at(self, x: int, y: int) -> None:
        """Press and release the mouse with the events of the terminal's driver."""
        for kind in (events.MouseDown, events.MouseUp):
            self.app.post_message(kind(None, x, y, 0, 0, 1, False, False, False, x, y))
            await self.wait_until_idle()

    async def choose(self, name: str, how: str) -> None:
        """Choose an option by typing it, by arrows, or with the mouse."""
        match how:
            case "mouse":
                await self.click(name)
            case "arrows":
                for _ in range(self.offered().index(name) + 1):
                    await self.press("right")
                await self.press("enter")
            case _:
                await self.type(name)
                if isinstance(self.app.screen, GameScreen) and self.app.screen.typed:
                    await self.press("enter")

    async def play_to_the_end(self, how: Callable[[], str]) -> None:
        """Choose at random until the game is over; open the curtain when it appears."""
        while True:
            await self.ready()
            if isinstance(self.app.screen, Curtain):
                if how() == "mouse":
                    await self.click_at(5, 5)
                else:
                    await self.press("enter")
            elif isinstance(self.app.screen, GameScreen) and self.app.screen.game.is_over:
                return
            else:
                await self.choose(self.random.choice(self.offered()), how())

    async def sees(self, text: str) -> None:
        """Wait until a text is on the screen; in the log it may span several lines."""
        await self.until(lambda: text in self.screen_text() or text in self._log())

    async def wait_until_drawn(self) -> str:
        """Wait until only the clocks change; return the text of the screen with clocks at zero."""
        before, shown = "", "?"
        while before != shown:
            await self.pilot.pause()
            await self.until(
                lambda: all(log.is_vertical_scroll_end for log in self.app.screen.query("#log"))
            )
            before, shown = shown, CLOCK.sub("0:00", self.screen_text())
        return shown

    def _log(self) -> str:
        """Return the log at the side as one line."""
        lines = [
            line.partition("│")[2].strip(" ▁▂▃▄▅▆▇█") for line in self.screen_text().splitlines()
        ]
        return " ".join(lines)

    def screen_text(self) -> str:
        """Return the text of the screen."""
        return text_in(self.app.export_screenshot(), self.app.size)


def text_in(svg: str, size: tuple[int, int]) -> str:
    """Return the text in an SVG picture of a screen."""
    width, height = size
    rows = [[" "] * (width + 1) for _ in range(height)]
    for x, y, text in TEXT.findall(svg):
        at, row = round(float(x) / COLUMN), round((float(y) - 20) / LINE)
        for letter in html.unescape(text).replace("\xa0", " ").replace("\n", ""):
            if row < height and at < width:
                rows[row][at] = letter
            at += 1
    return "\n".join("".join(row).rstrip() for row in rows)


@asynccontextmanager
async def open_tui(
    series: Series | None,
    *,
    file: Path | None = None,
    size: tuple[int, int] = SMALL,
    seed: int = 1,
    look: str = "dark",
) -> AsyncIterator[Person]:
    """Open the TUI without animations and pauses."""

    def begin(game: type[Position], level: str | None, seat: str | None) -> Series:
        players = (level or "person", "person") if seat == "2" else ("person", level or "person")
        return Series.begin(game, players=players, seed=seed)

    app = TuiApp(begin, series, file, move_delay=0, look=look)
    async with _opened(app, size, seed) as person:
        yield person


@asynccontextmanager
async def open_online_tui(
    game: GameClient, *, size: tuple[int, int] = SMALL, seed: int = 1
) -> AsyncIterator[Person]:
    """Open the TUI with a game on a server."""
    online = OnlineGame(game)
    try:
        async with _opened(TuiApp(None, online=online, look="dark"), size, seed) as person:
            yield person
    finally:
        online.close()


@asynccontextmanager
async def _opened(app: TuiApp, size: tuple[int, int], seed: int) -> AsyncIterator[Person]:
    app.animation_level = "none"
    async with app.run_test(size=size) as pilot:
        await pilot.pause()
        yield Person(app, pilot, Random(seed))
