"""The rules page for players: without claims, and without what is about the terminal."""

from __future__ import annotations

import re

from markdown_it import MarkdownIt

ELSEWHERE = ("Claims", "At the prompt")
SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
NUMBER = re.compile(r"^- [A-Z]{2}-[A-Z]?\d+ +", re.MULTILINE)


def rules_html(page: str) -> str:
    """Return a rules page as HTML; markup in it is escaped."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    return str(markdown.render(for_players(page)))


def for_players(page: str) -> str:
    """Return a rules page without clause numbers and the sections that players do not need."""
    first, *rest = SECTION.split(page)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    kept = [f"## {title}{text}" for title, text in pairs if title.strip() not in ELSEWHERE]
    return NUMBER.sub("- ", first + "".join(kept))
