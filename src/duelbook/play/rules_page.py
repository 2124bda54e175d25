"""The rules page for players: without claims and clause numbers."""

from __future__ import annotations

import re

from duelbook.play.first_game import SECTION as FIRST_GAME
from duelbook.play.rules_pictures import without_pictures
from duelbook.position import Position

CLAIMS, AT_THE_PROMPT = "Claims", "At the prompt"
SECTION = re.compile(r"^## (.*)$", re.MULTILINE)
SHORT = "In short"
MAX_LINES = 3
ITEM = re.compile(r"^- ((?:.+\n?)(?:  .+\n?)*)", re.MULTILINE)
SENTENCE = re.compile(r"(?<=[.!?])\s+")
NUMBER = re.compile(r"^- [A-Z]{2}-[A-Z]?\d+ +", re.MULTILINE)
INDENT = re.compile(r"^ {8}(?=\S)", re.MULTILINE)


def for_players(page: str, *, at_the_prompt: bool = False, pictures: bool = False) -> str:
    """Return a rules page without clause numbers and the sections that players do not need.

    `at_the_prompt` includes the section about typed answers; `pictures` includes the pictures.
    """
    left_out = {CLAIMS, FIRST_GAME} if at_the_prompt else {CLAIMS, FIRST_GAME, AT_THE_PROMPT}
    return NUMBER.sub("- ", _without(left_out, page if pictures else without_pictures(page)))


def for_terminal(page: str, *, clauses: bool) -> str:
    """Return a rules page for a terminal; with `clauses`, also the clause numbers and claims."""
    if clauses:
        return _without({FIRST_GAME}, without_pictures(page)).rstrip()
    return INDENT.sub("  ", for_players(page, at_the_prompt=True)).rstrip()


def _without(titles: set[str], page: str) -> str:
    """Return a page without the sections that have these titles."""
    first, *rest = SECTION.split(page)
    pairs = zip(rest[::2], rest[1::2], strict=True)
    sections = [f"## {title}{text}" for title, text in pairs if title.strip() not in titles]
    return first + "".join(sections)


def clause(page: str, number: str) -> str:
    """Return the text of a clause or ruling as one line; empty if the page does not have it."""
    match = re.search(rf"^- {re.escape(number)} +(.*(?:\n {{2,}}\S.*)*)", page, re.MULTILINE)
    return " ".join(match[1].split()) if number and match else ""


def about(game: type[Position]) -> str:
    """Return a sentence about a game: the first line of its docstring."""
    return (game.__doc__ or "").strip().split("\n")[0]


def in_short(page: str) -> list[str]:
    """Return the rules in a few lines: the section `In short`, or else the first sentences."""
    first, *rest = SECTION.split(page)
    sections = dict(zip(map(str.strip, rest[::2]), rest[1::2], strict=True))
    if SHORT in sections:
        lines = ITEM.findall(sections[SHORT])
    else:
        paragraphs = [part for part in first.split("\n\n") if not part.lstrip().startswith("#")]
        lines = SENTENCE.split(paragraphs[0].strip()) if paragraphs else []
    return [" ".join(line.split()) for line in lines if line.strip()][:MAX_LINES]
