"""The rules page for players as HTML, with its pictures and its guided first game."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.common.utils import escapeHtml
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from duelbook.errors import DuelbookError
from duelbook.play import rules_pictures
from duelbook.play.first_game import first_game
from duelbook.play.rules_page import for_players, in_short
from duelbook.play.rules_pictures import PictureBlock
from duelbook.position import Position
from duelbook.web import protocol as p
from duelbook.web.scene_json import picture


def rules(game: type[Position]) -> p.Rules:
    """Return the rules page of a game; leave out the pictures that cannot be drawn."""
    written = game.rules_page()
    html, blocks = rules_html(written)
    scenes = [_scene(game, block) for block in blocks]
    return p.Rules(game.title, html, scenes, coached_moves(game), in_short(written))


def coached_moves(game: type[Position]) -> list[p.CoachedMove]:
    """Return the guided first game; an empty list if there is none or its moves are not valid."""
    with suppress(DuelbookError):
        return [p.CoachedMove(s.move, s.why, list(s.replies)) for s in first_game(game)]
    return []


def rules_html(page: str) -> tuple[str, list[PictureBlock]]:
    """Return a rules page as HTML with escaped markup, and the blocks of its pictures."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    markdown.add_render_rule("fence", _fence)
    pictures: list[PictureBlock] = []
    html = markdown.render(for_players(page, pictures=True), {"pictures": pictures})
    return str(html), pictures


def _fence(
    renderer: RendererHTML, tokens: Sequence[Token], at: int, options: OptionsDict, env: EnvType
) -> str:
    """Return a fenced block as HTML: a placeholder for a picture, or a block of code."""
    if tokens[at].info.strip() != rules_pictures.KIND:
        return renderer.fence(tokens, at, options, env)
    block = PictureBlock.read(tokens[at].content)
    env["pictures"].append(block)
    caption = f"<figcaption>{escapeHtml(block.caption)}</figcaption>"
    return f'<figure data-picture="{len(env["pictures"]) - 1}">{caption}</figure>\n'


def _scene(game: type[Position], block: PictureBlock) -> list[dict[str, Any]]:
    """Return the scene of a picture; an empty list if its moves cannot be played."""
    with suppress(DuelbookError):
        return picture(rules_pictures.position_of(game, block))
    return []
