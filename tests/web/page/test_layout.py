"""The page of a game in one screen: whole games, at the sizes of phones and desktops."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Literal

import httpx
import pytest
from playwright.sync_api import Browser, CDPSession, Page, expect

from online import UNLIMITED, Data, bearer, begin, sit
from page_layout import SIZES, PageLayout, low_contrast_outlines, measure, resize
from paths import ROOT
from servers import TIMEOUT_SECONDS, Server, running, wait_until

pytestmark = pytest.mark.integration

THEMES: tuple[Literal["light", "dark"], ...] = ("light", "dark")
SIXTH = "noughts-and-crosses"
EXAMPLES = ROOT / "examples" / "games"
NEEDED = ("picture", "state", "choices", "options", "takeback", "resign")
FIXED = ("picture", "state", "choices", "options")
# Long games, with every kind of choice in them, and with the largest sets of choices.
GAMES = {
    "capture-and-conquer": [f"move {steps}" for steps in map(int, "21222121222221")],
    "galaxy-conquest": [
        *("planet 7 ship 7", "planet 1 ship 7", "planet 6 ship 1", "planet 2 ship 2"),
        *("planet 5 ship 5", "planet 4 ship 4", "planet 3 ship 4", "planet 6 ship 6"),
    ],
    "island-conquest": [
        *("fortify 1", "rise 1", "fortify 2", "fortify 1", "rise 1", "fortify 1", "rise 5"),
    ],
    "token-tactics": [*["fortify"] * 10, "attack 1", "defend 0", "attack 14", "defend 15"],
    "tower-defense-duel": [
        *("build 4", "build 4", "attack", "build 2", "build 4", "attack", "build 4", "build 4"),
        *("build 4", "build 1", "build 4"),
    ],
    SIXTH: [f"square {square}" for square in (5, 1, 9, 2, 3, 7, 4, 6, 8)],
}
CUT = """(parts) => parts.filter((part) => {
  const box = document.querySelector(`[data-testid=${part}]`).parentElement;
  return box.scrollHeight > box.clientHeight + 1;
})"""
expect.set_options(timeout=TIMEOUT_SECONDS * 1000)


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    game = ("--game", str(EXAMPLES / "noughts_and_crosses.py"))
    with running(Server(tmp_path_factory.mktemp("server"), *UNLIMITED, *game)) as server:
        yield server


class Table:
    """A game of two people: Ann sits at a browser, and Bo is a program or sits beside her."""

    def __init__(self, browser: Browser, server: Server, book: str, mode: str = "friend") -> None:
        self.http = httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS)
        ann = begin(self.http, book, mode=mode, name="Ann", help=mode == "friend")
        self.id, self.seat = ann["id"], ann["seats"][0]
        bo = sit(self.http, self.id, name="Bartholomew", help=True) if mode == "friend" else ann
        self.secrets = {self.seat: ann["secret"], 1 - self.seat: bo["secret"]}
        self.context = browser.new_context(base_url=server.url, reduced_motion="reduce")
        self.context.set_default_timeout(TIMEOUT_SECONDS * 1000)
        seats = {self.id: {"secret": ann["secret"], "seats": ann["seats"], "when": 1}}
        self.context.add_init_script(
            f"localStorage['duelbook.seats'] = {json.dumps(json.dumps(seats))}"
        )
        self.page: Page = self.context.new_page()
        self.page.goto(f"/g/{self.id}")
        expect(self.page.get_by_test_id("state")).to_be_visible()
        expect(self.page.locator("#connection")).to_be_empty()

    def shown(self, seat: int) -> Data:
        """Return the game as a seat sees it."""
        answer = self.http.get(f"/api/games/{self.id}", headers=bearer(self.secrets[seat]))
        snapshot: Data = answer.json()
        return snapshot

    def play(self, move: str) -> None:
        """Make a move for the player to move, over plain requests."""
        snapshot = self.shown(self.seat)
        command = {"type": "play", "move": move, "answers": snapshot["turn"]}
        headers = bearer(self.secrets[snapshot["view"]["to_move"]])
        answer = self.http.post(f"/api/games/{self.id}/commands", json=command, headers=headers)
        assert answer.is_success, answer.text

    def sees_moves(self, count: int) -> None:
        """Wait until the page shows `count` moves."""
        expect(self.page.get_by_test_id("moves").locator("li")).to_have_count(count)

    def close(self) -> None:
        """Close the connections."""
        self.context.close()
        self.http.close()


@pytest.mark.parametrize("book", GAMES)
def test_a_game_fits_one_screen_and_controls_stay_in_place(
    browser: Browser, server: Server, book: str
) -> None:
    """Every turn of a game at every size, and every question on the way to a move."""
    table = Table(browser, server, book)
    page = table.page
    places: dict[str, list[PageLayout]] = {size: [] for size in SIZES}
    options = page.get_by_test_id("options")

    def check(when: str, *parts: str) -> None:
        for name, size in SIZES.items():
            resize(page, size)
            layout = measure(page)
            where = f"{book}, {name}, {when}"
            assert not layout.scrolls(), (where, layout.page)
            assert not layout.outside(*NEEDED, *parts), where
            assert not layout.small(), where
            assert not page.evaluate(CUT, parts), where
            for before in places[name]:
                assert not layout.moved(before, *FIXED), where
            places[name].append(layout)

    try:
        expect(options.locator("button:enabled").first).to_be_visible()
        for theme in THEMES:
            page.emulate_media(color_scheme=theme)
            expect(page.locator("html")).to_have_attribute("data-theme", theme)
            assert not low_contrast_outlines(page), (book, theme)
        for number, move in enumerate(GAMES[book]):
            table.sees_moves(number)
            snapshot = table.shown(table.seat)
            if snapshot["view"]["to_move"] == table.seat:
                expect(options.locator("button:enabled").first).to_be_visible()
                check(f"before move {number + 1}", *(["last-move"] if number else []))
                first = options.locator(f'[data-word="{move.split()[0]}"]:enabled:not([data-move])')
                if first.count():
                    first.click()
                    check(f"in move {number + 1}")
                    page.get_by_test_id("choose-again").click()
            else:
                expect(options.locator("button:enabled")).to_have_count(0)
                check(f"while Bo makes move {number + 1}")
            table.play(move)
        expect(page.get_by_test_id("rematch")).to_be_visible()
        for size in SIZES.values():
            resize(page, size)
            layout = measure(page)
            boxes = {part: layout.parts[part] for part in ("picture", "state", "rematch")}
            assert all(box.is_inside(*layout.window) for box in boxes.values()), (
                size,
                boxes,
            )
            assert not layout.scrolls(), (size, layout.page)
    finally:
        table.close()


def test_moves_are_made_by_tapping_the_board(browser: Browser, server: Server) -> None:
    """Targets say what they do, and a planet and a ship can be tapped in either order."""
    tower = Table(browser, server, "tower-defense-duel")
    board = tower.page.get_by_test_id("picture")
    expect(board).to_contain_text("Build")
    board.locator("[data-says='build 4']").click()
    tower.sees_moves(1)
    expect(board.locator("[data-says]")).to_have_count(0)
    tower.play("build 4")
    expect(board).to_contain_text("Attack \N{MINUS SIGN}3")
    board.locator("[data-says='attack']").click()
    tower.sees_moves(3)
    tower.close()

    island = Table(browser, server, "island-conquest")
    board = island.page.get_by_test_id("picture")
    board.locator("[data-says='fortify']").click()  # the amount then belongs to it
    board.locator("[data-says='fortify 3']").click()
    expect(island.page.get_by_test_id("moves")).to_contain_text("fortify 3")
    island.close()

    galaxy = Table(browser, server, "galaxy-conquest")
    board, moves = galaxy.page.get_by_test_id("picture"), galaxy.page.get_by_test_id("moves")
    expect(board).to_contain_text("attack one")
    board.locator("[data-says='ship 5']").click()
    expect(board.locator("[data-says='ship 5']")).to_have_attribute("aria-pressed", "true")
    board.locator("[data-says='planet 3']").click()
    expect(moves).to_contain_text("planet 3 ship 5")
    galaxy.play("planet 1 ship 1")
    board.locator("[data-says='planet 4']").click()
    board.locator("[data-says='ship 7']").click()
    expect(moves).to_contain_text("planet 4 ship 7")
    galaxy.close()


def test_an_amount_is_chosen_by_sliding_stepping_and_keys(browser: Browser, server: Server) -> None:
    table = Table(browser, server, "token-tactics")
    page, board = table.page, table.page.get_by_test_id("picture")
    choose, amount = page.get_by_test_id("amount-choose"), page.get_by_test_id("amount-range")
    expect(board).to_contain_text("Attack 1\N{EN DASH}10")
    pile = board.locator("[data-says='attack']")
    place = pile.bounding_box()
    assert place is not None
    x, y = place["x"] + place["width"] / 2, place["y"] + 40
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 20, y)
    page.mouse.move(x + 2000, y)  # the finger slides to the end
    page.mouse.up()
    expect(choose).to_have_text("Attack 10")
    table.sees_moves(0)  # nothing is played before it is confirmed
    page.get_by_test_id("amount-less").click()
    expect(amount).to_have_attribute("aria-valuetext", "Attack 9")
    amount.focus()
    page.keyboard.press("ArrowLeft")
    expect(choose).to_have_text("Attack 8")
    page.get_by_test_id("choose-again").click()
    expect(choose).to_be_hidden()
    pile.focus()
    page.keyboard.press("Enter")
    expect(amount).to_be_focused()
    for _ in range(9):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    expect(page.get_by_test_id("moves")).to_contain_text("attack 2")
    table.close()


def test_keys_select_only_their_choices(browser: Browser, server: Server) -> None:
    table = Table(browser, server, "tower-defense-duel", mode="device")
    page, keys = table.page, table.page.keyboard
    typed, listed = page.get_by_test_id("typed-move"), page.get_by_test_id("keys-close")
    for stray in ("x", "3", "9", "Enter", "Space", "Escape", "Control+4"):
        keys.press(stray)
    keys.press("?")
    expect(listed).to_be_visible()
    keys.press("4")
    keys.press("Escape")
    expect(listed).to_be_hidden()
    typed.focus()
    keys.press("4")
    expect(typed).to_have_value("4")
    typed.fill("")
    typed.blur()
    table.sees_moves(0)
    for number, move in enumerate(GAMES["tower-defense-duel"]):
        expect(page.get_by_test_id("options").locator(f'[data-move="{move}"]')).to_be_enabled()
        keys.press("a" if move == "attack" else move[-1])
        if number + 1 < len(GAMES["tower-defense-duel"]):
            table.sees_moves(number + 1)
    expect(page.get_by_test_id("rematch").first).to_be_visible()
    table.close()

    table = Table(browser, server, "token-tactics")
    page, keys = table.page, table.page.keyboard
    again, moves = page.get_by_test_id("choose-again"), page.get_by_test_id("moves")
    keys.press("2")  # the second choice, where they have no numbers
    expect(again).to_be_enabled()
    keys.press("Escape")
    expect(again).to_be_disabled()
    keys.press("a")
    keys.press("1")  # or 10
    expect(page.locator("#question")).to_contain_text("press Enter")
    table.sees_moves(0)
    keys.press("Enter")
    expect(moves).to_contain_text("attack 1")
    table.close()


def press_in_tree(session: CDPSession, page: Page, name: str) -> None:
    """Find a button in the accessibility tree by its name alone, and press it."""

    def find_nodes() -> list[Data]:
        nodes = session.send("Accessibility.getFullAXTree")["nodes"]
        buttons = [node for node in nodes if node.get("role", {}).get("value") == "button"]
        named = [node for node in buttons if node.get("name", {}).get("value") == name]
        return [
            node
            for node in named
            if not any(
                item["name"] == "disabled" and item["value"]["value"] for item in node["properties"]
            )
        ]

    wait_until(find_nodes, lambda: f"{name} is not in the tree")
    session.send("DOM.focus", {"backendNodeId": find_nodes()[0]["backendDOMNodeId"]})
    page.keyboard.press("Enter")


@pytest.mark.parametrize("book", ["galaxy-conquest", SIXTH])
def test_a_game_can_be_played_with_the_accessibility_tree(
    browser: Browser, server: Server, book: str
) -> None:
    """Every choice has a name there that says what it is."""
    table = Table(browser, server, book, mode="device")
    session = table.context.new_cdp_session(table.page)
    session.send("Accessibility.enable")
    session.send("DOM.enable")
    for number, move in enumerate(GAMES[book]):
        table.sees_moves(number)
        for choice in re.findall(r"\w+ \d+", move):
            press_in_tree(session, table.page, choice)
    expect(table.page.get_by_test_id("rematch").first).to_be_visible()
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    headings = [node["name"]["value"] for node in nodes if node["role"]["value"] == "heading"]
    assert any(re.search("wins|draw", heading) for heading in headings), headings
    table.close()
