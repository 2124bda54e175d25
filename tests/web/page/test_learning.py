"""Learning in a browser: rules with pictures, a guided first game, hints on the board."""

from __future__ import annotations

import re

import pytest
from conftest import Serve
from playwright.sync_api import Browser, expect
from test_browser import ACCESSIBILITY, EXAMPLES, THEMES, TOWER, Person

from duelbook.games.tower_defense_duel import TowerDefenseDuel
from duelbook.play.first_game import first_game
from online import UNLIMITED
from page_layout import MIN_TEXT_PIXELS, SIZES, measure, resize

pytestmark = pytest.mark.integration

NEEDED = ("picture", "coach", "state", "choices", "skip-guide")
LONG_HINT = (
    "Hint: Every move loses against best play. planet 1 ship 1 resists longest, 6 turns, "
    "and only 11 of 30 answers win that fast."
)
HAS_NO_ROOM = """(node, text) => {
  const original = node.textContent;
  node.textContent = text;
  const { scrollHeight, clientHeight } = node.parentElement;
  node.textContent = original;
  return scrollHeight > clientHeight;
}"""
CUT = "(node) => node.scrollHeight > node.clientHeight"


def learner(browser: Browser, serve: Serve) -> Person:
    """Return a new visitor with a phone."""
    server = serve(*UNLIMITED, "--game", str(EXAMPLES / "kuhn_poker.py"))
    return Person(browser, server, "Ann", viewport={"width": 360, "height": 740})


def is_accessible(person: Person) -> None:
    """Check the accessibility of the page in both themes."""
    for theme in THEMES:
        person.page.emulate_media(color_scheme=theme)
        expect(person.page.locator("html")).to_have_attribute("data-theme", theme)
        assert person.page.evaluate(ACCESSIBILITY) == []


def the_guide_can_be_skipped(person: Person) -> None:
    """Begin another guided game, and play it without the guide."""
    page = person.page
    page.goto("/rules/island-conquest")
    person.part("guided").click()
    person.part("skip-guide").click()
    expect(person.part("coach")).to_contain_text("You have skipped the guide")
    expect(page.locator(".hinted")).to_have_count(0)
    page.reload()
    expect(person.part("coach")).to_contain_text("You have skipped the guide")
    person.play("fortify 2")
    expect(page.locator(".hinted")).to_have_count(0)


def test_a_learner_reads_the_rules_and_is_guided(browser: Browser, serve: Serve) -> None:
    ann = learner(browser, serve)
    page = ann.page
    page.goto("/")
    page.get_by_role("link", name="All rules").click()
    page.wait_for_url("**/rules")  # the home page has links to the rules of each game, too
    page.get_by_role("link", name=TowerDefenseDuel.title).click()
    page.wait_for_url(f"**/rules/{TOWER}")
    expect(page.locator("figure svg.picture")).to_have_count(3)
    expect(page.locator("figure").nth(2).locator("figcaption")).to_contain_text("breaks")
    assert min(size for _, size in measure(page).texts) >= MIN_TEXT_PIXELS - 0.1
    is_accessible(ann)

    ann.part("guided").click()
    page.wait_for_url("**/g/*")
    steps, first = first_game(TowerDefenseDuel), measure(page)
    for number, step in enumerate(steps):
        expect(ann.part("coach")).to_contain_text(f"{number + 1} of {len(steps)}: {step.why}")
        expect(ann.part("coach")).to_contain_text(f"Play {step.move}.")
        on_board = page.locator("svg [data-says].hinted").last
        expect(on_board).to_have_attribute("data-says", step.move)
        if number == 0:
            for size in SIZES.values():
                resize(page, size)
                layout = measure(page)
                assert layout.outside(*NEEDED) == [], size
                assert not layout.scrolls(), size
            resize(page, SIZES["phone"])
            is_accessible(ann)
            first = measure(page)
        assert measure(page).moved(first, *NEEDED) == [], step.why
        assert not page.locator(".coach p").evaluate(CUT), step.why
        page.locator("button.hinted").click()
        expect(ann.part("coach")).not_to_contain_text(step.why)
    expect(ann.part("coach")).to_contain_text("You know the game now")
    expect(page.locator(".hinted")).to_have_count(0)

    ann.part("ask-hint").click()
    expect(ann.part("hint")).to_contain_text("Hint: build 4 wins in")
    expect(page.locator("svg [data-says].hinted").last).to_have_attribute("data-says", "build 4")
    expect(page.locator("button.hinted")).to_have_attribute("data-move", "build 4")
    for size in SIZES.values():
        resize(page, size)
        assert not ann.part("hint").evaluate(HAS_NO_ROOM, LONG_HINT), size
    resize(page, SIZES["phone"])
    ann.play("build 1")
    expect(ann.part("hint")).to_be_empty()
    assert ann.errors == []
    the_guide_can_be_skipped(ann)

    page.goto("/rules/kuhn-poker")
    expect(ann.part("rules")).to_contain_text(re.compile("jack", re.IGNORECASE))
    expect(ann.part("guided")).to_have_count(0)
    assert ann.errors == []
    page.goto("/rules/no-such-game")
    expect(ann.part("not-found")).to_be_visible()
    ann.context.close()
