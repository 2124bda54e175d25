"""From the home page to the first move, invitations, the page without its server, and progress."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from conftest import Serve
from playwright.sync_api import Locator, Page, expect
from test_browser import (  # noqa: F401 # fixtures among them
    DRAWN,
    GAMES,
    TOWER,
    People,
    Person,
    people,
    server,
)

from online import UNLIMITED
from page_layout import measure

pytestmark = pytest.mark.integration

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True}
SHARE = """
  Object.defineProperty(navigator, "share", { value: async (what) => { window.shared = what; } });
"""


SHIFTS = """
  window.shifted = [];
  const note = (list) => {
    const nodes = list.getEntries().flatMap(({ sources }) => sources.map(({ node }) => node));
    const parts = nodes.map((node) => node?.parentElement?.closest(".game-list") && node.className);
    shifted.push(...parts.filter(Boolean));
  };
  new PerformanceObserver(note).observe({ type: "layout-shift", buffered: true });
"""


def is_on_screen(part: Locator) -> bool:
    """Whether an element is visible without scrolling, and large enough for a finger."""
    found: bool = part.evaluate(
        """(node) => {
          const { left, right, top, bottom } = node.getBoundingClientRect();
          const inside = left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
          const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
          return inside && node.contains(hit) && scrollY === 0;
        }"""
    )
    return found


def first_choice(person: Person) -> Locator:
    """Return an element that makes or starts a move."""
    buttons = person.part("options").locator("button:enabled")
    places = person.part("picture").locator("[data-says]")
    expect(buttons.or_(places).first).to_be_visible()
    return (buttons if buttons.count() else places).first


# Starting ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("slug", [*(game.slug for game in GAMES), "kuhn-poker"])
def test_one_tap_starts_a_game_and_the_second_starts_a_move(people: People, slug: str) -> None:  # noqa: F811 # a fixture
    ann = people("Ann", **PHONE)
    ann.page.goto("/")
    card = ann.page.locator(".game-card", has=ann.part(f"book-{slug}"))
    card.locator("h2").tap(force=True)  # the button lies over the whole card
    ann.page.wait_for_url("**/g/*")
    first_choice(ann).tap()
    game = ann.page.evaluate(
        "async () => (await fetch('/api/games' + location.pathname.slice(2))).json()"
    )
    assert game["status"]["help"] == [True, True]
    assert game["status"]["chairs"][1]["level"] == ("easy" if slug == "kuhn-poker" else "guide")
    ann.page.goto("/")
    expect(card).to_contain_text("against the computer, easy")  # only the first game is guided


def test_the_home_page_shows_efforts_and_standings(
    people: People,  # noqa: F811 # a fixture
) -> None:
    ann, bo = people("Ann", **PHONE), people("Bo")
    ann.page.goto("/")
    for game in GAMES:
        expect(ann.part(f"effort-{game.slug}")).to_have_text(
            re.compile(r"^About \d+ moves\. (Forgiving|Tricky|Hard): ")
        )
    address = ann.begin(TOWER, "friend")
    ann.page.goto("/")
    own_games = ann.part("my-games").locator("li")
    expect(own_games).to_contain_text("Waiting for a friend")
    bo.join(address)
    ann.page.reload()
    expect(own_games).to_contain_text("Your turn")
    expect(own_games).to_contain_text("against Bo")
    bo.page.goto("/")
    expect(bo.part("my-games").locator("li")).to_contain_text("Ann is to move")
    bo.page.goto(address)
    bo.part("resign").click()
    bo.part("resign-yes").click()
    expect(bo.part("state")).to_contain_text("Ann wins")
    ann.page.reload()
    expect(own_games).to_contain_text("You won")
    ann.page.get_by_role("link", name="Your progress").click()
    expect(ann.part("progress").locator("tbody tr")).to_have_text("Friends100")


def test_the_start_controls_are_visible_on_a_phone(people: People) -> None:  # noqa: F811 # a fixture
    ann, bo = people("Ann", **PHONE), people("Bo", **PHONE)
    ann.page.add_init_script(SHIFTS)
    ann.page.goto("/")
    expect(ann.part("options-token-tactics")).to_be_visible()
    assert measure(ann.page).small() == []
    ann.page.wait_for_load_state("networkidle")
    assert ann.page.evaluate("shifted") == []  # nothing comes late and moves a button away
    ann.part("options-token-tactics").scroll_into_view_if_needed()
    ann.page.wait_for_function(DRAWN)
    ann.part("options-token-tactics").tap()
    expect(ann.part("start")).to_be_visible()
    assert is_on_screen(ann.part("start"))
    assert measure(ann.page).small() == []
    ann.page.locator("input[name=name]").fill("Ann")
    ann.page.locator("label:has(input[value=friend])").tap()
    ann.part("start").tap()
    expect(ann.part("copy-link")).to_be_visible()
    assert measure(ann.page).small() == []
    bo.page.goto(ann.page.url)
    expect(bo.part("challenge")).to_have_text("Ann challenges you to Token Tactics")
    expect(bo.part("short-rules").locator("li")).to_have_count(3)
    assert bo.page.locator(".invitation svg.picture *").count() > 10
    accept = bo.part("sit-down")
    assert is_on_screen(accept)
    assert measure(bo.page).small() == []
    assert bo.page.locator("main button").count() == 1
    accept.tap()
    expect(bo.part("state")).to_be_visible()


# Invitations ------------------------------------------------------------------------------------


def test_a_host_shares_an_invitation_is_notified_and_may_cancel(people: People) -> None:  # noqa: F811 # a fixture
    ann, bo, cy = people("Ann", **PHONE), people("Bo"), people("Cy")
    ann.page.add_init_script(SHARE)
    address = ann.begin(TOWER, "friend")
    ann.part("share-link").tap()
    shared = ann.page.evaluate("window.shared")
    assert shared == {"text": "Ann challenges you to Tower Defense Duel", "url": address}
    ann.part("play-meanwhile").tap()
    ann.page.wait_for_url(lambda url: "/g/" in url and url != address)
    first_choice(ann).tap()
    bo.join(address)
    notice = ann.part("arrival")
    expect(notice).to_contain_text("Bo has joined your game of Tower Defense Duel.")
    assert is_on_screen(notice.get_by_role("link"))
    notice.get_by_role("link").tap()
    ann.page.wait_for_url(address)
    ann.is_to_move()
    ann.page.reload()
    ann.is_to_move()
    expect(notice).to_have_count(0)

    second = ann.begin(TOWER, "friend")
    cy.page.goto(second)
    expect(cy.part("challenge")).to_be_visible()
    ann.part("cancel-invitation").tap()
    for person in (ann, cy):
        expect(person.part("cancelled")).to_be_visible()
    cy.page.get_by_role("button", name="against the computer").click()
    cy.page.wait_for_url(lambda url: "/g/" in url and url != second)
    expect(cy.part("player-1")).to_contain_text("easy")


def test_the_second_visitor_of_an_invitation_watches(people: People) -> None:  # noqa: F811 # a fixture
    ann, bo, cy = people("Ann"), people("Bo"), people("Cy")
    address = ann.begin(TOWER, "friend")
    cy.page.goto(address)
    expect(cy.part("sit-down")).to_be_visible()
    bo.page.goto(address)
    bo.page.locator("form input[name=name]").fill("ann")
    bo.part("sit-down").click()
    expect(bo.page.get_by_role("alert")).to_contain_text("name")  # too like the other one
    bo.errors = [text for text in bo.errors if "400" not in text]
    bo.join(address)
    expect(cy.part("player-1")).to_contain_text("Bo")
    expect(cy.part("options")).to_be_hidden()
    expect(ann.part("player-1")).to_contain_text("Bo")


# Without the server -----------------------------------------------------------------------------


def test_the_page_works_offline_and_reconnects(
    people: People,  # noqa: F811 # a fixture
    serve: Serve,
) -> None:
    server = serve(*UNLIMITED)  # noqa: F811 # another than the fixture's
    ann = people("Ann", server=server, service_workers="allow", **PHONE)
    ann.page.goto("/")
    ann.page.evaluate("navigator.serviceWorker.ready.then(() => null)")
    cdp = ann.context.new_cdp_session(ann.page)
    assert cdp.send("Page.getInstallabilityErrors") == {"installabilityErrors": []}
    address = ann.begin(TOWER, "computer")
    ann.play("build 4")
    ann.sees_moves(2)
    secret = json.loads(ann.page.evaluate("localStorage['duelbook.seats']"))
    ann.server_is_down = True
    server.kill()
    lost = ann.page.locator("#connection")
    expect(lost).to_contain_text("Connection lost")
    first_choice(ann).tap()
    expect(lost).to_contain_text("nothing was sent")
    assert is_on_screen(lost)
    assert ann.page.get_by_text("onnection").count() == 1  # one message, not two
    assert ann.page.get_by_text("not connected").count() == 0

    ann.page.reload()
    ann.sees_moves(2)  # as this browser saw it last
    expect(lost).to_contain_text("Connection lost")
    cached = ann.page.evaluate(
        """async () => {
          const names = await caches.keys();
          const all = await Promise.all(names.map(async (name) => {
            const cache = await caches.open(name);
            const keys = await cache.keys();
            return Promise.all(keys.map(async (key) =>
              [new URL(key.url).pathname, await (await cache.match(key)).text()]));
          }));
          return all.flat();
        }"""
    )
    assert any(path.endswith("/all.js") for path, _ in cached)
    assert all(path == "/" or path.startswith("/static/") for path, _ in cached)
    assert not any(seat["secret"] in text for seat in secret.values() for _, text in cached)

    ann.page.goto("/")
    expect(ann.part("offline")).to_contain_text("The server cannot be reached.")
    expect(ann.part("offline")).to_contain_text("cannot start games")
    expect(ann.part(f"book-{TOWER}")).to_be_disabled()
    expect(ann.part("my-games")).to_contain_text("Tower Defense Duel")
    ann.page.get_by_role("link", name="Tower Defense Duel", exact=True).click()
    ann.page.wait_for_url(address)
    ann.sees_moves(2)
    server.start()
    expect(lost).to_be_empty()
    ann.server_is_down = False
    ann.is_to_move()
    first_choice(ann).tap()
    ann.page.goto("/")
    expect(ann.part(f"book-{TOWER}")).to_be_enabled()
    ann.page.wait_for_load_state("networkidle")  # before the server ends with the test
    ann.errors = [text for text in ann.errors if "Failed to fetch" not in text]


def test_notifications_of_a_turn_are_opt_in(people: People) -> None:  # noqa: F811 # a fixture
    ann, bo = people("Ann"), people("Bo")
    ann.context.grant_permissions(["notifications"])
    ann.page.add_init_script(
        """
        window.notices = [];
        window.Notification = class {
          static permission = "granted";
          static requestPermission = async () => "granted";
          constructor(title, { body }) { window.notices.push(`${title}: ${body}`); }
        };
        """
    )
    bo.join(ann.begin(TOWER, "friend"))
    ann.play("build 4")
    hide(ann.page)
    bo.play("build 1")
    ann.is_to_move()
    assert ann.page.evaluate("window.notices") == []  # off by default
    ann.part("notify").click()
    expect(ann.part("notify")).to_have_attribute("aria-pressed", "true")
    ann.play("build 4")
    bo.play("build 1")
    ann.is_to_move()
    assert ann.page.evaluate("window.notices") == ["It is your turn: Tower Defense Duel"]


def hide(page: Page) -> None:
    """Make a page believe that its tab is hidden."""
    page.evaluate("Object.defineProperty(document, 'hidden', { value: true })")


# Progress ---------------------------------------------------------------------------------------


def test_progress_can_be_exported_to_another_browser(people: People, tmp_path: Path) -> None:  # noqa: F811 # a fixture
    ann, bo = people("Ann"), people("Bo")
    ann.begin(TOWER, "computer", level="perfect")
    ann.part("resign").click()
    ann.part("resign-yes").click()
    expect(ann.part("state")).to_contain_text("wins")
    ann.page.goto("/#progress")
    rows = ann.part("progress").locator("tbody tr")
    expect(rows).to_have_text("Computer, perfect010")
    expect(ann.part("progress")).to_contain_text("The first player can beat perfect play")
    with ann.page.expect_download() as download:
        ann.part("export").click()
    file = tmp_path / "progress.json"
    download.value.save_as(file)

    bo.page.goto("/#progress")
    expect(bo.part("progress")).to_contain_text("not finished a game")
    bad = tmp_path / "bad.json"
    bad.write_text(file.read_text()[:-20])
    bo.part("progress-file").set_input_files(bad)
    expect(bo.part("progress-message")).to_contain_text("Nothing was changed.")
    won = tmp_path / "won.json"
    won.write_text(file.read_text().replace('"lost"', '"won"').replace('"id":"', '"id":"x'))
    for path, message in (
        (file, "1 game was added."),
        (file, "0 games"),
        (won, "1 game was added."),
    ):
        bo.part("progress-file").set_input_files(path)
        expect(bo.part("progress-message")).to_contain_text(message)
    expect(bo.part("progress").locator("tbody tr")).to_have_text("Computer, perfect110")
    expect(bo.part("beat-perfect")).to_be_visible()
