from __future__ import annotations

import pytest

import duelbook
from duelbook.play.rules_page import for_players
from duelbook.position import Position
from duelbook.web.server.page.rules_html import rules, rules_html

pytestmark = pytest.mark.integration


@pytest.mark.parametrize("game", duelbook.list_games(), ids=lambda game: str(game.slug))
def test_the_rules_contain_only_rules_and_rulings(game: type[Position]) -> None:
    page = for_players(game.rules_page())
    assert f"# {game.title}" in page
    assert "## Rulings" in page
    for text in ("## Claims", "## At the prompt", "-R1 ", "-1 "):
        assert text not in page


def test_markup_in_a_page_is_escaped() -> None:
    html, _ = rules_html("# Trap\n\n<script>alert(1)</script> [here](javascript:alert(1))")
    assert "<script" not in html
    assert 'href="javascript' not in html


def test_rules_contain_scenes_and_the_first_game() -> None:
    game = duelbook.load("tower")
    page = rules(game)
    assert [f'data-picture="{n}"' in page.html for n in range(4)] == [True, True, True, False]
    assert "<figcaption>Player 2 had 4 units" in page.html
    assert [shape["value"] for shape in page.pictures[1]] == [2, 1]
    assert page.first_game[0].move == "build 2"
    assert "A first game" not in page.html


@pytest.mark.parametrize(
    "broken",
    [
        "```picture\nbuild 3\nNo such move.\n```",
        "```picture\n\n```",
        "```python\nprint()\n```",
        "## A first game\n\n1. `build 3` No such move.\n",
        "## A first game\n\n1. build\n",
        "## A first game\n",
    ],
)
def test_an_error_in_a_rules_page_leaves_the_rest_readable(
    broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = duelbook.load("tower")
    text = f"# Tower\n\nBuild.\n\n{broken}\n"
    monkeypatch.setattr(game, "rules_page", lambda: text)
    page = rules(game)
    assert "<p>Build.</p>" in page.html
    assert page.first_game == []
    assert all(not scene for scene in page.pictures)
