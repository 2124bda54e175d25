"""Write the pages of the site into a folder, including the pages from the code."""

from __future__ import annotations

import ast
import inspect
import json
import posixpath
import re
import shutil
import sys
import textwrap
from collections.abc import Iterator
from functools import cached_property
from itertools import count, pairwise
from pathlib import Path
from typing import Any, get_args, get_type_hints

import click

import duelbook
from duelbook import Position, position
from duelbook.cli import main
from duelbook.play.match import Match
from duelbook.play.rules_pictures import BLOCK, PictureBlock, pictures_of, position_of
from duelbook.terminal.console.picture import draw
from picture import svg

ROOT = Path(__file__).parent.parent
EXAMPLES = ROOT / "examples" / "games"
TOURNAMENT_REPORT = ROOT / "examples" / "tournament" / "own-players" / "report.html"
SITE_PATHS = {
    "README.md": "index.md",
    "CONTRIBUTING.md": "contributing.md",
    "CHANGELOG.md": "changelog.md",
    "SECURITY.md": "security.md",
    "LICENSE": "licence.md",
    "examples/tournament/own-players/report.html": "own-players.html",
}
"""Files of the repository outside `docs`, and their places on the site."""
BINARY_PICTURES = ("browser.png",)
PICTURE_MOVES = 5  # moves of best play before the second picture of a game
MAX_COLUMNS = 88
PROPERTIES = (property, cached_property)
LINK = re.compile(r'(?<=\]\()[^)\s]+(?=\))|(?<=\bsrc=")[^"]+(?=")')
"""The target of a link or picture, in Markdown or HTML."""


def write(folder: Path) -> None:
    """Write every page, and the settings with the navigation."""
    pages = folder / "docs"
    shutil.rmtree(pages, ignore_errors=True)  # of an earlier build
    for name, text in all_pages().items():
        (pages / name).parent.mkdir(parents=True, exist_ok=True)
        (pages / name).write_text(text, encoding="utf-8")
    for name in BINARY_PICTURES:
        shutil.copy(ROOT / "docs" / name, pages / name)
    settings = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "docs_dir": "docs",
        "site_dir": "site",
        "nav": navigation(),
    }
    (folder / "mkdocs.yml").write_text(json.dumps(settings, indent=2), encoding="utf-8")


def navigation() -> list[dict[str, Any]]:
    """Return the navigation of the site, in order."""
    games = [{game.title: f"games/{game.slug}.md"} for game in duelbook.list_games()]
    return [
        {"Duelbook": "index.md"},
        {
            "Tutorials": [
                {"Quick start in Python": "tutorials/quick-start-python.md"},
                {"Your own game": "tutorials/your-own-game.md"},
            ]
        },
        {
            "How-to guides": [
                {"Playing in a terminal": "how-to/play.md"},
                {"Playing in a browser": "how-to/browser.md"},
                {"Analysing a game": "how-to/analysis.md"},
                {"Large games": "how-to/large-games.md"},
                {"Rules over arrays": "how-to/vectors.md"},
                {"Research": "how-to/research.md"},
                {"Tournaments": "how-to/arena.md"},
                {"Auditing folders of games": "how-to/audit.md"},
                {"Extending Duelbook": "how-to/extending.md"},
            ]
        },
        {
            "Reference": [
                {"Commands": "reference/commands.md"},
                {"Computer players and hints": "reference/players.md"},
                {"Language models as players": "reference/language-models.md"},
                {"Duelbook in Python": "reference/python.md"},
                {"Python names": "reference/python-reference.md"},
                {"The server": "reference/server.md"},
                {"The API": "reference/api.md"},
                {"The MCP server": "reference/mcp.md"},
                {"Saved games": "reference/saves.md"},
                {"Stability": "reference/stability.md"},
                {"Example games": "reference/example-games.md"},
                {"Glossary": "reference/glossary.md"},
            ]
        },
        {
            "Explanation": [
                {"The design": "explanation/design.md"},
                {"How Duelbook solves games": "explanation/solving.md"},
            ]
        },
        {"The games": [*games, {"All findings": "reference/findings.md"}]},
        {
            "The project": [
                {"Contributing": "contributing.md"},
                {"Changelog": "changelog.md"},
                {"Security": "security.md"},
                {"Licence": "licence.md"},
            ]
        },
    ]


def all_pages() -> dict[str, str]:
    """Return every file of the site by name."""
    docs = ROOT / "docs"
    pages = {file.relative_to(docs).as_posix(): _page(file) for file in sorted(docs.rglob("*.md"))}
    for game in duelbook.list_games():
        pages[f"games/{game.slug}.md"] = game_page(game)
        for name, picture in _pictures(game).items():
            pages[f"games/{game.slug}-{name}.svg"] = picture
    return pages | {
        "index.md": _page(ROOT / "README.md"),
        "contributing.md": _page(ROOT / "CONTRIBUTING.md"),
        "changelog.md": _page(ROOT / "CHANGELOG.md"),
        "security.md": _page(ROOT / "SECURITY.md"),
        "licence.md": f"# Licence\n\n{(ROOT / 'LICENSE').read_text(encoding='utf-8')}",
        "terminal.svg": (docs / "terminal.svg").read_text(encoding="utf-8"),
        "tui.svg": (docs / "tui.svg").read_text(encoding="utf-8"),
        "site.css": (ROOT / "tools" / "site.css").read_text(encoding="utf-8"),
        "own-players.html": TOURNAMENT_REPORT.read_text(encoding="utf-8"),
        "reference/example-games.md": examples_page(),
        "reference/commands.md": commands_page(),
        "reference/python-reference.md": reference_page(),
    }


def _page(file: Path) -> str:
    """Return a page of the repository with its links rewritten for the site."""
    source = file.relative_to(ROOT).as_posix()
    folder, site_folder = posixpath.dirname(source), posixpath.dirname(_site_path(source))

    def rewrite(link: re.Match[str]) -> str:
        path, hash_sign, anchor = link[0].partition("#")
        if not path or ":" in path:
            return link[0]
        target = _site_path(posixpath.normpath(posixpath.join(folder, path)))
        return posixpath.relpath(target, site_folder or ".") + hash_sign + anchor

    text = file.read_text(encoding="utf-8")
    return LINK.sub(rewrite, text).replace("```python\n>>>", "```pycon\n>>>")


def _site_path(path: str) -> str:
    """Return the place of a repository's file on the site."""
    path = re.sub(r"^examples/games/(\w+)\.py$", r"reference/example-games.md#\1", path)
    return SITE_PATHS.get(path, path.removeprefix("docs/"))


# Games ------------------------------------------------------------------------------------------


def game_page(game: type[Position]) -> str:
    """Return a game's rules, pictures and findings."""
    rules = _with_pictures(game).split("\n", 1)[1].strip()
    pictures = "\n\n".join(
        f"![{game.title}, {name}]({game.slug}-{name}.svg)" for name in ("start", "later")
    )
    return (
        f"# {game.title}\n\n    duelbook play {game.slug}\n\n{pictures}\n\n"
        f"The start, and the position after {PICTURE_MOVES} moves of best play.\n\n{rules}\n\n"
        f"## Findings\n\n{_findings(game)}\n"
    )


def _with_pictures(game: type[Position]) -> str:
    """Return a rules page with links to the files of its pictures."""
    numbers = count(1)

    def link(block: re.Match[str]) -> str:
        caption = PictureBlock.read(block[1]).caption
        return f"![{caption}]({game.slug}-{next(numbers)}.svg)\n\n*{caption}*\n\n"

    return BLOCK.sub(link, game.rules_page())


def _findings(game: type[Position]) -> str:
    """Return a game's section of the findings page."""
    text = (ROOT / "docs" / "reference" / "findings.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {game.title}\n", 1)[1]
    return section.split("\n## ", 1)[0].strip()


def _pictures(game: type[Position]) -> dict[str, str]:
    line = re.findall(r"^  Player [12]: (.+)$", _findings(game), re.MULTILINE)
    match = Match.begin(game)
    for move in line[:PICTURE_MOVES]:
        match = match.play(move)
    names = "Player 1", "Player 2"
    rules_pictures = {
        f"{number}": svg(draw(position_of(game, block).scene(), names), block.caption, 72)
        for number, block in enumerate(pictures_of(game.rules_page()), 1)
    }
    return rules_pictures | {
        "start": svg(draw(game().scene(), names), f"The start of {game.title}", 72),
        "later": svg(draw(match.position.scene(), names), f"{game.title} in play", 72),
    }


def examples_page() -> str:
    """Return the page of example games: the rules page and the file of each."""
    parts = [
        "# Example games\n\nGames outside the package. Play each with "
        "`duelbook play ./file.py`; every other command accepts the file, too. "
        "[Your own game](../tutorials/your-own-game.md) explains how to write one."
    ]
    for file in sorted(EXAMPLES.glob("*.py")):
        title, rules = file.with_suffix(".md").read_text(encoding="utf-8").split("\n", 1)
        source = file.read_text(encoding="utf-8").strip()
        parts.append(
            f'<a id="{file.stem}"></a>\n\n#{title}\n\n'
            f"{re.sub('^## ', '### ', rules.strip(), flags=re.MULTILINE)}\n\n### The file "
            f"{file.name}\n\n```python\n{source}\n```"
        )
    return "\n\n".join(parts) + "\n"


# Commands ---------------------------------------------------------------------------------------


def commands_page() -> str:
    """Return all commands and their options, from the command-line interface."""
    parts = ["# Commands", f"{main.help}", _options(main, click.Context(main))]
    for name in sorted(main.list_commands(click.Context(main))):
        command = main.get_command(click.Context(main), name)
        assert command is not None  # noqa: S101 # it is listed
        parts += _command(command, name)
    return "\n\n".join(filter(None, parts)) + "\n"


def _command(command: click.Command, name: str) -> list[str]:
    """Return a command with its options, and its subcommands."""
    context = click.Context(command, info_name=f"duelbook {name}")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"## {name}", f"    {usage}", inspect.cleandoc(command.help or "")]
    parts.append(_options(command, context))
    if isinstance(command, click.Group):
        for part, subcommand in sorted(command.commands.items()):
            parts += _command(subcommand, f"{name} {part}")
    return parts


def _options(command: click.Command, context: click.Context) -> str:
    options = [option for option in command.params if isinstance(option, click.Option)]
    records = [option.get_help_record(context) for option in options]
    rows = [f"| `{names}` | {_escape_cell(about)} |" for names, about in filter(None, records)]
    return "\n".join(["| option | meaning |", "|---|---|", *rows]) if rows else ""


def _escape_cell(text: str) -> str:
    return text.replace("|", "\\|")


# Python -----------------------------------------------------------------------------------------


class _Annotation:
    """An annotation whose repr is its text in the source."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def reference_page() -> str:
    """Return the reference of the public names and their return types, from docstrings."""
    named: dict[str, object] = {name: _public(name) for name in duelbook.__all__}
    returned = {kind.__name__: kind for thing in named.values() for kind in _returns(thing)}
    parts = [
        "# Python names",
        "The public names of `import duelbook`. [Python](python.md) shows how to use them.",
    ]
    for name, thing in named.items():
        parts += _entry(name, thing)
    parts += ["## Return types"]
    for name, kind in returned.items():
        if name not in named:
            parts += _entry(name, kind, "###")
    return "\n\n".join(parts) + "\n"


def _public(name: str) -> object:
    return getattr(duelbook, name)


def _returns(thing: object) -> Iterator[type]:
    """Return the Duelbook classes that a function, or a method of a class, returns."""
    methods = [method for _, method in _methods(thing)] if isinstance(thing, type) else [thing]
    for method in filter(inspect.isfunction, methods):
        try:
            kind = get_type_hints(method).get("return")
        except NameError:  # the name is imported for type checkers only
            continue
        for part in get_args(kind) or (kind,):
            if isinstance(part, type) and part.__module__.startswith("duelbook."):
                yield part


def _entry(name: str, thing: object, level: str = "##") -> list[str]:
    """Return the heading, docstring and members of a name."""
    if isinstance(thing, type):
        call = "" if issubclass(thing, Exception) else _signature(thing).removesuffix(" -> None")
        source = _wrapped(f"class {name}{call}")
        members = [*_attributes(thing), *(_member(*method) for method in _methods(thing))]
        return [f"{level} {name}", f"```python\n{source}\n```", _doc(thing), "\n".join(members)]
    if inspect.isfunction(thing):
        return [
            f"{level} {name}",
            f"```python\n{_wrapped(name + _signature(thing))}\n```",
            _doc(thing),
        ]
    if isinstance(thing, int):
        return [f"{level} {name}", _doc_of_constant(name)]
    return [
        f"{level} {name}",
        _doc(inspect.getmodule(type(thing))),
    ]  # a constant: use the docstring of its module


def _doc_of_constant(name: str) -> str:
    """Return the text below a constant in `duelbook.position`."""
    body = ast.parse(inspect.getsource(position)).body
    for statement, text in pairwise(body):
        assigns = isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == name
        if assigns and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            return str(text.value.value)
    raise ValueError(f"{name} has no docstring.")


def _member(name: str, value: object) -> str:
    call = "" if isinstance(value, PROPERTIES) else _signature(value, method=True)
    return f"- `{name}{call}`: {' '.join(_doc(value).split())}"


def _signature(thing: Any, *, method: bool = False) -> str:  # noqa: ANN401 # any callable
    signature = inspect.signature(thing)
    parameters = [
        parameter.replace(annotation=_Annotation(str(parameter.annotation)))
        if parameter.annotation is not inspect.Parameter.empty
        else parameter
        for parameter in signature.parameters.values()
    ]
    if method and parameters and parameters[0].name in {"self", "cls"}:
        parameters = parameters[1:]
    returned = signature.return_annotation
    if returned not in {None, inspect.Signature.empty}:
        returned = _Annotation(str(returned))
    return str(signature.replace(parameters=parameters, return_annotation=returned))


def _wrapped(call: str) -> str:
    """Return a signature, with one line per parameter if it is long."""
    if len(call) <= MAX_COLUMNS:
        return call
    opening, depth, text = call.index("("), 0, ""
    for index, letter in enumerate(call):
        depth += (letter in "([") - (letter in ")]")
        last = letter == ")" and not depth
        text += f",\n{letter}" if last else letter
        if index == opening or (letter == "," and depth == 1):
            text += "\n    "
    return text.replace("\n     ", "\n    ")


def _doc(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def _methods(kind: type) -> Iterator[tuple[str, object]]:
    """Return the public methods and properties of a class and of its Duelbook base classes."""
    seen = set[str]()
    for base in kind.__mro__:
        if not base.__module__.startswith("duelbook."):
            continue
        for name, value in vars(base).items():
            member = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            callable_or_property = inspect.isfunction(member) or isinstance(member, PROPERTIES)
            if callable_or_property and not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, member


def _attributes(kind: type) -> list[str]:
    """Return the attributes that have a docstring below them in the source of the class."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    lines = body.body if isinstance(body, ast.ClassDef) else []
    return [
        f"- `{ast.unparse(field.target)}`: {' '.join(str(text.value.value).split())}"
        for field, text in pairwise(lines)
        if isinstance(field, ast.AnnAssign)
        and isinstance(text, ast.Expr)
        and isinstance(text.value, ast.Constant)
    ]


# Links ------------------------------------------------------------------------------------------


def broken_links(pages: dict[str, str]) -> list[str]:
    """Return the links to pages, anchors and pictures that do not exist."""
    broken = []
    for name, text in pages.items():
        for link in LINK.findall(_prose(text)) if name.endswith(".md") else ():
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            page = (
                posixpath.normpath(posixpath.join(posixpath.dirname(name), path)) if path else name
            )
            if page in BINARY_PICTURES:
                continue
            if page not in pages or (anchor and anchor not in _anchors(pages[page])):
                broken.append(f"{name}: {link}")
    return broken


def _prose(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def _anchors(text: str) -> set[str]:
    """Return the anchors of a page: its headings in the spelling of the site."""
    headings = re.findall(r"^#+ (.+)$", _prose(text), re.MULTILINE)
    slugs = (re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings)
    return {re.sub(r"[-\s]+", "-", slug) for slug in slugs} | set(re.findall(r'id="(\w+)"', text))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
