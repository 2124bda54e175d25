"""Write the pages of the site into a folder, including the pages from the code."""

from __future__ import annotations

import ast
import inspect
import json
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
WRITTEN = (
    *("play", "analysis", "large-games", "findings", "python", "research", "arena"),
    *("your-own-game", "vectors", "extending", "audit", "ideas", "saves", "browser", "api", "mcp"),
    "stability",
)
MOVED = {
    r"docs/": "",
    r"\.\./examples/tournament/own-players/report\.html": "own-players.html",
    r"\.\./examples/games/(\w+)\.py": r"example-games.md#\1",
    r"(?:\.\./)?CONTRIBUTING\.md": "contributing.md",
    r"(?:\.\./)?CHANGELOG\.md": "changelog.md",
    r"LICENSE": "licence.md",
}
"""Links in the repository's pages, and their targets on the site."""
PHOTOGRAPHS = ("browser.png",)
SHOWN = 5  # moves of best play before the second picture of a game
WIDEST = 88
PROPERTIES = (property, cached_property)
LINK = re.compile(r"(?<=\]\()([^)\s]+)(?=\))")


def write(folder: Path) -> None:
    """Write every page, and the settings with the contents."""
    pages = folder / "docs"
    shutil.rmtree(pages, ignore_errors=True)  # left by an earlier build
    (pages / "games").mkdir(parents=True, exist_ok=True)
    for name, text in all_pages().items():
        (pages / name).write_text(text, encoding="utf-8")
    for name in PHOTOGRAPHS:
        shutil.copy(ROOT / "docs" / name, pages / name)
    settings = {
        "INHERIT": str(ROOT / "mkdocs.yml"),
        "docs_dir": "docs",
        "site_dir": str(ROOT / "site"),
        "nav": contents(),
    }
    (folder / "mkdocs.yml").write_text(json.dumps(settings, indent=2), encoding="utf-8")


def contents() -> list[dict[str, Any]]:
    """Return the contents of the site, in order."""
    games = [{game.title: f"games/{game.slug}.md"} for game in duelbook.list_games()]
    return [
        {"Duelbook": "index.md"},
        {"Playing": "play.md"},
        {"In a browser": "browser.md"},
        {"Games for agents": "mcp.md"},
        {"The games": [*games, {"All findings": "findings.md"}]},
        {
            "Analysis and research": [
                {"Analysing a game": "analysis.md"},
                {"Large games": "large-games.md"},
                {"Python": "python.md"},
                {"Research": "research.md"},
                {"The arena": "arena.md"},
            ]
        },
        {
            "Writing games": [
                {"Your own game": "your-own-game.md"},
                {"Example games": "example-games.md"},
                {"Rules over arrays": "vectors.md"},
                {"Extending Duelbook": "extending.md"},
                {"Auditing folders": "audit.md"},
                {"Ideas": "ideas.md"},
            ]
        },
        {
            "Reference": [
                {"Commands": "commands.md"},
                {"Python reference": "reference.md"},
                {"The API": "api.md"},
                {"Saved games": "saves.md"},
                {"Stability": "stability.md"},
            ]
        },
        {
            "The project": [
                {"Contributing": "contributing.md"},
                {"Changelog": "changelog.md"},
                {"Licence": "licence.md"},
            ]
        },
    ]


def all_pages() -> dict[str, str]:
    """Return every file of the site by name."""
    pages = {f"{name}.md": _page(ROOT / "docs" / f"{name}.md") for name in WRITTEN}
    for game in duelbook.list_games():
        pages[f"games/{game.slug}.md"] = game_page(game)
        for name, picture in _pictures(game).items():
            pages[f"games/{game.slug}-{name}.svg"] = picture
    return pages | {
        "index.md": _page(ROOT / "README.md"),
        "contributing.md": _page(ROOT / "CONTRIBUTING.md"),
        "changelog.md": _page(ROOT / "CHANGELOG.md"),
        "licence.md": f"# Licence\n\n{(ROOT / 'LICENSE').read_text(encoding='utf-8')}",
        "terminal.svg": (ROOT / "docs" / "terminal.svg").read_text(encoding="utf-8"),
        "tui.svg": (ROOT / "docs" / "tui.svg").read_text(encoding="utf-8"),
        "site.css": (ROOT / "tools" / "site.css").read_text(encoding="utf-8"),
        "own-players.html": TOURNAMENT_REPORT.read_text(encoding="utf-8"),
        "example-games.md": examples_page(),
        "commands.md": commands_page(),
        "reference.md": reference_page(),
    }


def _page(file: Path) -> str:
    """Return a page of the repository with its links rewritten for the site."""

    def moved(link: re.Match[str]) -> str:
        target = link[1]
        for old, new in MOVED.items():
            target = re.sub(f"^{old}", new, target)
        return target

    text = file.read_text(encoding="utf-8")
    return LINK.sub(moved, text).replace("```python\n>>>", "```pycon\n>>>")


# Games ------------------------------------------------------------------------------------------


def game_page(game: type[Position]) -> str:
    """Return a game's rules, pictures and findings."""
    rules = _with_pictures(game).split("\n", 1)[1].strip()
    pictures = "\n\n".join(
        f"![{game.title}, {name}]({game.slug}-{name}.svg)" for name in ("start", "later")
    )
    return (
        f"# {game.title}\n\n    duelbook play {game.slug}\n\n{pictures}\n\n"
        f"The start, and the position after {SHOWN} moves of best play.\n\n{rules}\n\n"
        f"## Findings\n\n{_findings(game)}\n"
    )


def _with_pictures(game: type[Position]) -> str:
    """Return a rules page with links to the files of its pictures."""
    numbers = count(1)

    def linked(block: re.Match[str]) -> str:
        caption = PictureBlock.read(block[1]).caption
        return f"![{caption}]({game.slug}-{next(numbers)}.svg)\n\n*{caption}*\n\n"

    return BLOCK.sub(linked, game.rules_page())


def _findings(game: type[Position]) -> str:
    """Return a game's section of the findings page."""
    text = (ROOT / "docs" / "findings.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {game.title}\n", 1)[1]
    return section.split("\n## ", 1)[0].strip()


def _pictures(game: type[Position]) -> dict[str, str]:
    line = re.findall(r"^  Player [12]: (.+)$", _findings(game), re.MULTILINE)
    match = Match.begin(game)
    for move in line[:SHOWN]:
        match = match.play(move)
    names = "Player 1", "Player 2"
    of_rules = {
        f"{number}": svg(draw(position_of(game, block).scene(), names), block.caption, 72)
        for number, block in enumerate(pictures_of(game.rules_page()), 1)
    }
    return of_rules | {
        "start": svg(draw(game().scene(), names), f"The start of {game.title}", 72),
        "later": svg(draw(match.position.scene(), names), f"{game.title} in play", 72),
    }


def examples_page() -> str:
    """Return the page of example games: the rules page and the file of each."""
    parts = [
        "# Example games\n\nGames outside the package. Play each with "
        "`duelbook play ./file.py`; every other command accepts the file, too. "
        "[Your own game](your-own-game.md) explains how to write one."
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
    """Return a command with its options, and those below it."""
    context = click.Context(command, info_name=f"duelbook {name}")
    usage = " ".join([context.command_path, *command.collect_usage_pieces(context)])
    parts = [f"## {name}", f"    {usage}", inspect.cleandoc(command.help or "")]
    parts.append(_options(command, context))
    if isinstance(command, click.Group):
        for one, below in sorted(command.commands.items()):
            parts += _command(below, f"{name} {one}")
    return parts


def _options(command: click.Command, context: click.Context) -> str:
    options = [one for one in command.params if isinstance(one, click.Option)]
    records = [option.get_help_record(context) for option in options]
    rows = [f"| `{names}` | {_in_a_cell(about)} |" for names, about in filter(None, records)]
    return "\n".join(["| option | meaning |", "|---|---|", *rows]) if rows else ""


def _in_a_cell(text: str) -> str:
    return text.replace("|", "\\|")


# Python -----------------------------------------------------------------------------------------


class _As:
    """An annotation with the same text as in the source."""

    def __init__(self, text: str) -> None:
        self.text = text

    def __repr__(self) -> str:
        return self.text


def reference_page() -> str:
    """Return the reference of the public names and their return types, from docstrings."""
    named: dict[str, object] = {name: _public(name) for name in duelbook.__all__}
    returned = {kind.__name__: kind for thing in named.values() for kind in _returns(thing)}
    parts = [
        "# Python reference",
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
    methods = [one for _, one in _methods(thing)] if isinstance(thing, type) else [thing]
    for method in filter(inspect.isfunction, methods):
        try:
            kind = get_type_hints(method).get("return")
        except NameError:  # the name is imported for type checkers only
            continue
        for one in get_args(kind) or (kind,):
            if isinstance(one, type) and one.__module__.startswith("duelbook."):
                yield one


def _entry(name: str, thing: object, level: str = "##") -> list[str]:
    """Return the heading, docstring and members of a name."""
    if isinstance(thing, type):
        made = "" if issubclass(thing, Exception) else _call(thing).removesuffix(" -> None")
        shown = _in_lines(f"class {name}{made}")
        members = [*_attributes(thing), *(_member(one, made) for one, made in _methods(thing))]
        return [f"{level} {name}", f"```python\n{shown}\n```", _doc(thing), "\n".join(members)]
    if inspect.isfunction(thing):
        return [f"{level} {name}", f"```python\n{_in_lines(name + _call(thing))}\n```", _doc(thing)]
    if isinstance(thing, int):
        return [f"{level} {name}", _doc_of_constant(name)]
    return [
        f"{level} {name}",
        _doc(inspect.getmodule(type(thing))),
    ]  # a constant: use the docstring of its module


def _doc_of_constant(name: str) -> str:
    """Return the text below a constant in `duelbook.position`."""
    body = ast.parse(inspect.getsource(position)).body
    for made, text in pairwise(body):
        is_it = isinstance(made, ast.Assign) and ast.unparse(made.targets[0]) == name
        if is_it and isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant):
            return str(text.value.value)
    raise ValueError(f"{name} has no docstring.")


def _member(name: str, made: object) -> str:
    call = "" if isinstance(made, PROPERTIES) else _call(made, method=True)
    return f"- `{name}{call}`: {' '.join(_doc(made).split())}"


def _call(thing: Any, *, method: bool = False) -> str:  # noqa: ANN401 # any callable
    signature = inspect.signature(thing)
    parameters = [
        one.replace(annotation=_As(str(one.annotation)))
        if one.annotation is not inspect.Parameter.empty
        else one
        for one in signature.parameters.values()
    ]
    if method and parameters and parameters[0].name in {"self", "cls"}:
        parameters = parameters[1:]
    back = signature.return_annotation
    shown = signature.replace(
        parameters=parameters,
        return_annotation=back if back in {None, inspect.Signature.empty} else _As(str(back)),
    )
    return str(shown)


def _in_lines(call: str) -> str:
    """Return a signature, with one line per parameter if it is long."""
    if len(call) <= WIDEST:
        return call
    opened, depth, shown = call.index("("), 0, ""
    for at, letter in enumerate(call):
        depth += (letter in "([") - (letter in ")]")
        last = letter == ")" and not depth
        shown += f",\n{letter}" if last else letter
        if at == opened or (letter == "," and depth == 1):
            shown += "\n    "
    return shown.replace("\n     ", "\n    ")


def _doc(thing: object) -> str:
    return inspect.getdoc(thing) or ""


def _methods(kind: type) -> Iterator[tuple[str, object]]:
    """Return the public methods and properties of a class, including those inherited from ours."""
    seen = set[str]()
    for base in kind.__mro__:
        if not base.__module__.startswith("duelbook."):
            continue
        for name, value in vars(base).items():
            made = value.__func__ if isinstance(value, classmethod | staticmethod) else value
            is_one = inspect.isfunction(made) or isinstance(made, PROPERTIES)
            if is_one and not name.startswith("_") and name not in seen:
                seen.add(name)
                yield name, made


def _attributes(kind: type) -> list[str]:
    """Return the attributes that have a docstring below them in the source of the class."""
    (body,) = ast.parse(textwrap.dedent(inspect.getsource(kind))).body
    lines = body.body if isinstance(body, ast.ClassDef) else []
    return [
        f"- `{ast.unparse(one.target)}`: {' '.join(str(below.value.value).split())}"
        for one, below in pairwise(lines)
        if isinstance(one, ast.AnnAssign)
        and isinstance(below, ast.Expr)
        and isinstance(below.value, ast.Constant)
    ]


# Links ------------------------------------------------------------------------------------------


def broken_links(pages: dict[str, str]) -> list[str]:
    """Return the broken links to pages and anchors, without building the site."""
    found = []
    for name, text in pages.items():
        for link in LINK.findall(_prose(text)) if name.endswith(".md") else ():
            if re.match(r"[a-z]+:", link):
                continue
            path, _, anchor = link.partition("#")
            page = str(Path(name).parent / path) if path else name
            if page in PHOTOGRAPHS:
                continue
            if page not in pages or (anchor and anchor not in _anchors(pages[page])):
                found.append(f"{name}: {link}")
    return found


def _prose(text: str) -> str:
    return re.sub(r"^```.*?^```$", "", text, flags=re.MULTILINE | re.DOTALL)


def _anchors(text: str) -> set[str]:
    """Return the anchors of a page: its headings in the spelling of the site."""
    headings = re.findall(r"^#+ (.+)$", _prose(text), re.MULTILINE)
    slugs = (re.sub(r"[^\w\s-]", "", heading).strip().lower() for heading in headings)
    return {re.sub(r"[-\s]+", "-", slug) for slug in slugs} | set(re.findall(r'id="(\w+)"', text))


if __name__ == "__main__":
    write(Path(sys.argv[1]))
