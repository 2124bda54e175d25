"""The report of a tournament in a browser: it sorts, filters, counts in two ways, and keeps
nobody out."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from conftest import Run
from playwright.sync_api import Browser, Page, expect

from paths import TESTS

pytestmark = pytest.mark.integration

ACCESSIBILITY = (TESTS / "support/accessibility.js").read_text(encoding="utf-8")
BOT = """
class Forgetful:
    def choose(self, view, random):
        return view.moves()[0] if random.random() < 0.8 else "nothing"
"""


@pytest.fixture
def page(run: Run, tmp_path: Path, browser: Browser) -> Page:
    """The report of a tournament in which a bot forfeits now and then."""
    (tmp_path / "bot.py").write_text(BOT)
    players = [f"{tmp_path}/bot.py:Forgetful", "greedy", "<b>&'\""]
    entries = [{"player": players[0], "label": "forgetful"}, players[1]]
    entries.append({"player": "random", "label": players[2]})
    listed = ", ".join(
        f"{{player = {json.dumps(entry['player'])}, label = {json.dumps(entry['label'])}}}"
        if isinstance(entry, dict)
        else json.dumps(entry)
        for entry in entries
    )
    (tmp_path / "tournament.toml").write_text(
        f'games = ["tower-defense-duel", "island-conquest"]\nplayers = [{listed}]\n'
        'anchors = ["perfect"]\nrounds = 3\n'
    )
    assert run("arena", "run", "tournament.toml").exit_code == 0
    assert run("arena", "report", "tournament").exit_code == 0
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto((tmp_path / "tournament" / "report.html").as_uri())
    return page


def column(page: Page, number: int) -> list[str]:
    """Return a column of the first table that is shown."""
    shown = page.locator("table.sorts:visible").first
    return shown.locator(f"tbody tr:visible td:nth-child({number})").all_inner_texts()


def test_a_report_sorts_filters_and_counts_in_two_ways(page: Page) -> None:
    complaints: list[str] = []
    requested_urls: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on("request", lambda request: requested_urls.append(request.url))
    page.reload()
    assert len(requested_urls) == 1  # it stands alone
    assert column(page, 1)[0] == "perfect"
    assert set(column(page, 1)) == {"perfect", "greedy", "forgetful", "<b>&'\""}

    first = page.locator("table.sorts:visible").first
    first.get_by_role("button", name="regret a move").click()
    figures = [float(text.split()[0]) for text in column(page, 3)]
    assert figures == sorted(figures)
    first.get_by_role("button", name="regret a move").click()
    expect(first.locator("th").nth(2)).to_have_attribute("aria-sort", "descending")
    assert [float(text.split()[0]) for text in column(page, 3)] == sorted(figures, reverse=True)
    first.get_by_role("button", name="player").click()
    assert column(page, 1)[-1] == "perfect"

    as_losses = dict(zip(column(page, 1), column(page, 2), strict=True))
    page.get_by_label("left out, legal moves only").check()
    legal_only = dict(zip(column(page, 1), column(page, 2), strict=True))
    assert int(legal_only["forgetful"]) < int(as_losses["forgetful"])

    page.get_by_label("Show players").fill("GREE")
    assert column(page, 1) == ["greedy"]
    expect(page.locator("#shown")).to_have_text("1 of 4 players")
    expect(page.locator("svg g[data-player=forgetful]:visible")).to_have_count(0)
    page.get_by_label("Show players").fill("")
    assert len(column(page, 1)) == 4

    time = page.locator("table", has=page.get_by_role("button", name="time a move"))
    time.get_by_role("button", name="time a move").click()
    texts = time.locator("tbody td:nth-child(3)").all_inner_texts()
    assert [float(text.split()[0]) for text in texts] == sorted(
        float(text.split()[0]) for text in texts
    )
    assert complaints == []


def test_a_report_is_accessible(page: Page) -> None:
    problems = {}
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        for width in (1280, 400):
            page.set_viewport_size({"width": width, "height": 900})
            if found := page.evaluate(ACCESSIBILITY):
                problems[scheme, width] = found
    assert problems == {}


def test_few_games_make_no_curve(run: Run, tmp_path: Path) -> None:
    tournament = 'games = ["tower-defense-duel"]\nplayers = ["greedy"]\nanchors = ["random"]\n'
    (tmp_path / "tournament.toml").write_text(tournament)
    assert run("arena", "run", "tournament.toml").exit_code == 0
    assert run("arena", "report", "tournament").exit_code == 0
    report = (tmp_path / "tournament" / "report.html").read_text(encoding="utf-8")
    assert "too few moves were played for a curve" in report
    assert "Regret by depth in Tower Defense Duel" not in report
