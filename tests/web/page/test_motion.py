"""Animated moves: in order, with a mark of the last one, and a panel at the end."""

from __future__ import annotations

from typing import Any

import httpx
import pytest
from conftest import Serve
from playwright.sync_api import Browser, Page, expect
from test_browser import ACCESSIBILITY, THEMES, TOWER, Person

from online import UNLIMITED, bearer, begin
from servers import TIMEOUT_SECONDS

pytestmark = pytest.mark.integration

SIZES = [(360, 740), (740, 360), (1280, 800)]
RECORD = """
  window.recorded = [];
  const record = (kind, facts) => recorded.push({ kind, at: performance.now(), ...facts });
  const watcher = new MutationObserver(() => {
    const blocks = (tower) => tower.querySelectorAll(".block:not(.disappearing)").length;
    const towers = [...document.querySelectorAll(".tower")].map(blocks);
    const last = [...document.querySelectorAll(".target.last")].map((node) => node.dataset.place);
    const options = document.querySelectorAll("[data-testid=options] button:enabled").length;
    const before = recorded.findLast(({ kind }) => kind === "shown");
    const facts = { towers, last, options };
    const isNew = JSON.stringify([before?.towers, before?.last]) !== JSON.stringify([towers, last]);
    if (towers.length && isNew) record("shown", facts);
  });
  const changes = { subtree: true, childList: true, attributes: true, characterData: true };
  watcher.observe(document, changes);
  // The animation of a move continues until it is released, also if the answer comes late.
  let held = null;
  const wait = window.setTimeout;
  window.setTimeout = (call, delay = 0) =>
    held && delay >= 250 && delay < 5000 ? -held.push(call) : wait.call(window, call, delay);
  window.hold = () => { held = []; };
  window.release = () => { const calls = held; held = null; for (const call of calls) call(); };
  window.WebSocket = class extends WebSocket {
    constructor(address) {
      super(address);
      this.addEventListener("message", ({ data }) => {
        const { type, moves } = JSON.parse(data);
        if (type !== "update" || !moves?.length) return;
        record("received", { moves });
        setTimeout(() => record("later", { moves })); // after all that was done at once
      });
    }
  };
"""


def take_events(page: Page) -> list[dict[str, Any]]:
    """Return the events since the last call, in their order."""
    events = page.evaluate("recorded.splice(0, recorded.length)")
    assert isinstance(events, list)
    return events


def shown_at_once(events: list[dict[str, Any]]) -> list[bool]:
    """Return for each received move whether it was shown before anything else was done."""
    kinds = [event["kind"] for event in events]
    ends = ([at for at, kind in enumerate(kinds) if kind == end] for end in ("received", "later"))
    return ["shown" in kinds[start:end] for start, end in zip(*ends, strict=True)]


def play_until_the_answer(person: Person, move: str) -> None:
    """Play a move whose animation continues until its answer arrives."""
    person.page.evaluate("hold()")
    person.play(move)
    answered = "() => recorded.filter(({ kind }) => kind === 'later').length > 1"
    person.page.wait_for_function(answered)
    person.page.evaluate("release()")


def inside(page: Page, name: str) -> bool:
    """Whether a part of the page can be seen whole without scrolling."""
    box, size = page.get_by_test_id(name).bounding_box(), page.viewport_size
    assert box is not None, f"{name} is not shown"
    assert size is not None
    across = box["x"] >= 0 and box["x"] + box["width"] <= size["width"]
    return across and box["y"] >= 0 and box["y"] + box["height"] <= size["height"]


def touched(move: str, mover: int) -> list[str]:
    """Return the tower that a move touches: one builds at home and attacks the other's."""
    return [str(mover if move.startswith("build") else 1 - mover)]


def the_end_is_within_reach(person: Person, title: str, winner: int) -> None:
    """Check the winner and the next steps at every size; then close the panel."""
    page = person.page
    expect(person.part("end-title")).to_have_text(title)
    expect(person.part("end-title")).to_be_focused()
    expect(person.part("end-why")).not_to_be_empty()
    expect(page.locator(f".picture.won{winner}")).to_have_count(1)
    page.evaluate("Promise.all(document.getAnimations().map((one) => one.finished))")
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        for part in ("end", "end-title", "end-why", "rematch", "end-review", "end-close"):
            assert inside(page, part), f"{part} at {width}x{height}"
    for theme in THEMES:
        page.emulate_media(color_scheme=theme)
        expect(page.locator("html")).to_have_attribute("data-theme", theme)
        assert page.evaluate(ACCESSIBILITY) == []
    person.part("end-close").click()
    expect(person.part("end")).to_be_hidden()
    expect(person.part("picture")).to_be_visible()


def the_review_marks_each_move(person: Person) -> None:
    """Go to the first move, which was made at home."""
    last = person.page.locator(".target.last")
    person.part("step-first").click()
    expect(last).to_have_count(0)
    person.part("step-on").click()
    expect(last).to_have_count(1)
    expect(last).to_have_attribute("data-place", "0")


def test_moves_are_animated_in_order_and_the_end_has_a_panel(
    browser: Browser, serve: Serve
) -> None:
    ann = Person(browser, serve(*UNLIMITED), "Ann", reduced_motion="no-preference")
    page = ann.page
    page.add_init_script(RECORD)
    ann.begin(TOWER, "computer", level="easy")
    ann.is_to_move()
    take_events(page)

    # With motion: the answer arrives during the animation of the own move, and is shown after it.
    play_until_the_answer(ann, "build 4")
    ann.sees_moves(2)
    ann.is_to_move()
    events = take_events(page)
    shown = [event for event in events if event["kind"] == "shown"]
    own_move, answer = (state for state in shown if state["last"])
    assert own_move["towers"] == [4, 0]
    assert own_move["last"] == ["0"]
    assert own_move["options"] == 0, "a move is offered in a position that is not shown"
    move = [event["moves"][0] for event in events if event["kind"] == "received"][1]
    assert answer["last"] == touched(move, 1)
    answer_done = [event for event in events if event["kind"] == "later"][1]
    assert events.index(own_move) < events.index(answer_done) < events.index(answer)
    counted = page.locator('[data-place="0"] .number')
    expect(counted).to_have_text(f"{answer['towers'][0]} of 15")
    # The mark is the same after a reload, and so is the switch for sounds.
    expect(ann.part("sound")).to_have_attribute("aria-pressed", "true")
    ann.part("sound").click()
    page.reload()
    ann.is_to_move()
    expect(ann.part("sound")).to_have_attribute("aria-pressed", "false")
    place = f'.target.last[data-place="{answer["last"][0]}"]'
    expect(page.locator(place)).to_have_count(1)
    expect(page.locator(".target.last")).to_have_count(1)

    # Without motion both are shown as soon as they arrive.
    page.emulate_media(reduced_motion="reduce")
    take_events(page)
    ann.play("build 1")
    ann.sees_moves(4)
    ann.is_to_move()
    events = take_events(page)
    assert shown_at_once(events) == [True, True], events
    assert page.evaluate("document.getAnimations().length") == 0
    expect(page.locator(".effects > *")).to_have_count(0)

    page.emulate_media(reduced_motion="no-preference")
    ann.part("resign").click()
    ann.part("resign-yes").click()
    the_end_is_within_reach(ann, "You lose", winner=1)
    the_review_marks_each_move(ann)
    page.reload()  # a player who comes back can still ask for another game
    old = page.url
    ann.part("rematch").click()
    page.wait_for_url(lambda url: url != old)
    ann.context.close()
    assert ann.errors == []


ANIMATIONS: list[tuple[str, list[str], dict[str, int]]] = [
    # A ship lands and plants its flag, another bounces off.
    ("galaxy-conquest", ["planet 4 ship 6"], {"flying": 1, "planet .piece": 1}),
    ("galaxy-conquest", ["planet 5 ship 2"], {"flying": 1, "planet": 1}),
    # Both commits are turned over, and the losses counted off.
    ("token-tactics", ["attack 6", "defend 2"], {"choice-card.front": 2, "delta.loss": 2}),
    # A tower breaks, and all that is above the break falls.
    (
        *("tower-defense-duel", [*["build 4", "build 1"] * 3, "build 2", "build 1", "build 4"]),
        {"crack": 1, "falling .moved": 9},
    ),
    # One unit walks, and the other is sent home.
    (
        *("capture-and-conquer", ["move 2", "move 2", "move 2", "move 1", "move 2", "move 1"]),
        {"unit": 2},
    ),
    # The sea rises, and swallows both islands.
    ("island-conquest", ["rise 5", "rise 5", "rise 5"], {"sea": 2, "ripple": 6}),
]
"""Games, and the number of animations of each kind for their last move."""

WATCH = """
  window.animated = new Set();
  const animate = Element.prototype.animate;
  Element.prototype.animate = function (...how) {
    animated.add(this);
    return animate.apply(this, how);
  };
  window.count = (kind) => [...animated].filter((node) => node.matches(`.${kind}`)).length;
"""


def test_the_effects_of_a_move_are_animated(browser: Browser, serve: Serve) -> None:
    server = serve(*UNLIMITED)
    context = browser.new_context(base_url=server.url, reduced_motion="no-preference")
    context.set_default_timeout(TIMEOUT_SECONDS * 1000)
    page = context.new_page()
    page.add_init_script(WATCH)
    with httpx.Client(base_url=server.url, timeout=TIMEOUT_SECONDS) as http:
        for book, moves, expected in ANIMATIONS:
            game = begin(http, book, mode="device")
            for number, move in enumerate(moves):
                if number == len(moves) - 1:
                    page.goto(f"/g/{game['id']}")  # as a spectator
                    expect(page.get_by_test_id("state")).not_to_be_empty()
                    page.evaluate("animated.clear()")
                turn = http.get(f"/api/games/{game['id']}").json()["turn"]
                command = {"type": "play", "move": move, "answers": turn}
                where = f"/api/games/{game['id']}/commands"
                answer = http.post(where, json=command, headers=bearer(game["secret"]))
                assert answer.is_success, (book, move, answer.text)
            for kind, size in expected.items():
                played = page.wait_for_function(
                    "([kind, size]) => count(kind) >= size && [count(kind)]", arg=[kind, size]
                )
                assert played.json_value() == [size], (book, kind)
    context.close()
