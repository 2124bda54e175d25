from __future__ import annotations

import pytest

import duelbook
from duelbook.position import Position
from duelbook.web.server.rules_html import for_players, rules_html

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("game", duelbook.games(), ids=lambda game: str(game.slug))
def test_players_read_the_rules_and_the_rulings_and_nothing_else(game: type[Position]) -> None:
    page = for_players(game.rules_page())
    assert f"# {game.title}" in page
    assert "## Rulings" in page
    for other in ("## Claims", "## At the prompt", "-R1 ", "-1 "):
        assert other not in page


def test_markup_in_a_page_is_shown_and_not_obeyed() -> None:
    html = rules_html("# Trap\n\n<script>alert(1)</script> [here](javascript:alert(1))")
    assert "<script" not in html
    assert 'href="javascript' not in html
