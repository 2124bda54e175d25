"""The page with its subject in its head, for browsers and for link previews."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import NamedTuple

from duelbook.play.names import PLAYERS
from duelbook.play.rules_page import about
from duelbook.position import Position
from duelbook.web.games.state.room import Room
from duelbook.web.server.page.page_version import STATIC, template

PREVIEWS = "previews"
BEGIN, END = "<!-- about: the server inserts the title and the preview -->", "<!-- end -->"
BOOKS = '<link rel="preload" as="fetch" href="/api/books" crossorigin="anonymous">'
"""The preload of the list of games, which starts before the code of the home page loads."""
NO_ACCOUNT = "Play in the browser: no account, nothing to install."


class About(NamedTuple):
    """The subject of a page."""

    title: str
    description: str
    image: str
    """The path of the preview picture."""


HOME = About(
    "Duelbook",
    f"Two-player games from their rule books, against the computer or a friend. {NO_ACCOUNT}",
    f"/static/{PREVIEWS}/duelbook.png",
)


def about_room(room: Room) -> About:
    """Return the subject of the page of a game: only its title and the name of the host."""
    game = room.terms.game
    title = f"{game.title} · Duelbook"
    if room.open_seats and not room.over:
        host = room.names[1 - room.open_seats[0]]
        title = f"You are challenged to {game.title}"
        if host not in PLAYERS:
            title = f"{host} challenges you to {game.title}"
    return About(title, f"{about(game)} {NO_ACCOUNT}", _picture(game.slug))


def about_rules(game: type[Position]) -> About:
    """Return the subject of the rules page of a game."""
    description = f"{about(game)} The rules with pictures. {NO_ACCOUNT}"
    return About(f"Rules of {game.title} · Duelbook", description, _picture(game.slug))


@lru_cache
def _picture(slug: str) -> str:
    """Return the path of the picture of a game; custom games share the picture of the home page."""
    file = f"{PREVIEWS}/{slug}.png"
    return f"/static/{file}" if (STATIC / file).is_file() else HOME.image


def page(subject: About, site: str, path: str = "/") -> str:
    """Return the page; `site` is the origin of the server, such as `https://example.org`."""
    before, _, rest = template().partition(BEGIN)
    after = rest.partition(END)[2]
    title, description = escape(subject.title), escape(subject.description)
    tags = {
        "og:type": "website",
        "og:site_name": "Duelbook",
        "og:title": title,
        "og:description": description,
        "og:url": escape(site + path),
        "og:image": escape(site + subject.image),
        "og:image:width": "1200",
        "og:image:height": "630",
    }
    lines = [
        f"<title>{title}</title>",
        f'<meta name="description" content="{description}">',
        *(f'<meta property="{name}" content="{value}">' for name, value in tags.items()),
        '<meta name="twitter:card" content="summary_large_image">',
    ]
    if path == "/":
        lines.append(BOOKS)
    return "\n  ".join([before.rstrip(), *lines, after.lstrip()])
