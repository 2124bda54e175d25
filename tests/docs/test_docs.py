from __future__ import annotations

import ast
import doctest
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import click
import pytest
from conftest import Run
from playwright.sync_api import Browser

import duelbook
import tutorial
from duelbook import cli
from duelbook.analysis.claims import prove
from duelbook.catalog import registry
from duelbook.terminal.session_commands import COMMANDS
from paths import ROOT, TESTS
from repository_tools import tool

CLAUSE = re.compile(r"^- ([A-Z]{2}-R?\d+) ", re.MULTILINE)
GAMES = duelbook.list_games()
PAGES_WITH_PYTHON = (
    "README.md",
    "docs/tutorials/quick-start-python.md",
    "docs/reference/python.md",
    "docs/how-to/research.md",
    "docs/how-to/extending.md",
)


@cache
def clauses_in_tests() -> set[str]:
    """Return the ids in every `@pytest.mark.clause(…)`."""
    clauses: set[str] = set()
    texts = (file.read_text() for file in TESTS.rglob("test_*.py"))
    for text in (text for text in texts if "mark.clause" in text):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
                clauses |= {ast.literal_eval(argument) for argument in node.args}
    return clauses


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_every_clause_of_a_rules_page_has_a_test(game: type[duelbook.Position]) -> None:
    clauses = CLAUSE.findall(game.rules_page())
    assert len(clauses) >= 7
    assert len(set(clauses)) == len(clauses)
    assert set(clauses) - clauses_in_tests() == set()


def test_tests_name_only_existing_clauses() -> None:
    examples = (ROOT / "examples" / "games").glob("*.md")
    pages = "\n".join(
        [*(game.rules_page() for game in GAMES), *(page.read_text() for page in examples)]
    )
    assert clauses_in_tests() - set(CLAUSE.findall(pages)) == set()


RULINGS = [
    *("IC-R1", "IC-R2", "IC-R3", "TT-R1", "TT-R2", "TT-R3"),
    *("GC-R1", "TD-R1", "TD-R2", "CC-R1", "CC-R2", "CC-R3"),
]


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_is_on_a_rules_page(ruling: str) -> None:
    assert any(f"- {ruling} " in game.rules_page() for game in GAMES)


def test_numbers_of_clauses_have_no_gaps() -> None:
    for game in GAMES:
        numbers = [
            int(n) for n in re.findall(r"^- [A-Z]{2}-(\d+) ", game.rules_page(), re.MULTILINE)
        ]
        assert numbers == list(range(1, len(numbers) + 1))


def command(name: str) -> click.Command:
    named = cli.main.get_command(click.Context(cli.main), name)
    assert named is not None
    return named


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_the_list_of_commands_repeats_their_help(name: str) -> None:
    first_paragraph = " ".join((command(name).help or "").split("\n\n")[0].split())
    assert first_paragraph == cli.COMMANDS[name].about


@pytest.mark.parametrize("name", sorted(cli.COMMANDS))
def test_every_command_and_option_is_documented(name: str) -> None:
    text = "".join(page.read_text() for page in (ROOT / "docs").rglob("*.md"))
    group = command(name)
    called = {name: group}
    if isinstance(group, click.Group):
        called |= {f"{name} {part}": sub for part, sub in group.commands.items()}
    for words, sub in called.items():
        assert f"duelbook {words}" in text
        for parameter in sub.params:
            if isinstance(parameter, click.Option):
                assert f"`{parameter.opts[0]}" in text, f"{words} {parameter.opts[0]}"


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_every_prompt_command_is_documented(command: str) -> None:
    assert f"| `{command}" in (ROOT / "docs" / "how-to" / "play.md").read_text()


@pytest.mark.parametrize("name", sorted(set(duelbook.__all__)))
def test_every_public_name_is_documented(name: str) -> None:
    assert f"`{name}" in (ROOT / "docs" / "reference" / "python.md").read_text()


@pytest.mark.parametrize("name", sorted(set(duelbook.__all__)))
def test_every_public_name_is_on_the_page_about_stability(name: str) -> None:
    assert f"`{name}`" in (ROOT / "docs" / "reference" / "stability.md").read_text()


def test_examples_for_users_import_only_public_names() -> None:
    page = (ROOT / "docs" / "reference" / "stability.md").read_text()
    rows = re.findall(r"^\| `(duelbook\.[\w.]+)` \| (.*?) \|", page, re.MULTILINE)
    public = {module: set(re.findall(r"`(\w+)`", names)) for module, names in rows}
    public["duelbook"] = set(duelbook.__all__)
    files = [
        *(ROOT / "examples" / "games").glob("*.py"),
        *(ROOT / "src" / "duelbook" / "templates").glob("*.txt"),
        *(ROOT / "docs" / "how-to" / name for name in ("large-games.md", "vectors.md")),
        ROOT / "docs" / "tutorials" / "your-own-game.md",
    ]
    imported = re.compile(r"^from (duelbook[\w.]*) import \(?([\w\s,]+?)\)?$", re.MULTILINE)
    for file in files:
        for module, names in imported.findall(file.read_text()):
            for name in re.findall(r"\w+", names):
                assert name in public.get(module, set()), f"{file.name}: {module}.{name}"


@pytest.mark.integration
def test_pages_with_python_run_as_written(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)  # where the files of the examples are
    for page in PAGES_WITH_PYTHON:
        failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
        assert tried > 0, page
        assert failed == 0, page


@pytest.mark.integration
def test_the_tutorial_runs_as_written(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    tried = dict.fromkeys(["console", "python"], 0)
    for number, block in enumerate(tutorial.blocks()):
        block.write(tmp_path / str(number))
        monkeypatch.chdir(tmp_path / str(number))
        monkeypatch.setattr(registry, "_loaded", {})  # the file of the step before is forgotten
        if block.kind == "console":
            command, shown = block.text.split("\n", 1)
            done = run(*command.removeprefix("$ duelbook ").split(), typed=block.typed)
            assert done.exit_code == 0
            printed = [line.rstrip() for line in done.stdout.splitlines()]
            assert shown.endswith("\n...\n")
            assert printed[: shown.count("\n") - 1] == shown.splitlines()[:-1], command
        elif block.text.startswith(">>>"):
            test = doctest.DocTestParser().get_doctest(block.text, {}, f"block {number}", None, 0)
            assert doctest.DocTestRunner().run(test).failed == 0
        tried[block.kind] = tried.get(block.kind, 0) + 1
    assert min(tried.values()) > 0
    assert sum(tried.values()) > 15


def test_links_between_pages_exist() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_modules_that_pages_name_exist() -> None:
    """Paths in backquotes are relative to `src/duelbook`, or to the repository."""
    named = re.compile(r"`((?:\w+/)+(?:\w+\.(?:py|js|toml|md))?|\w+\.py)`")
    for page in ("docs/how-to/extending.md", "CONTRIBUTING.md"):
        lines = (ROOT / page).read_text().splitlines()
        prose = "\n".join(line for line in lines if not line.startswith("    "))  # not the map
        for path in named.findall(prose):
            homes = (ROOT, ROOT / "src" / "duelbook", TESTS / "support")
            assert any((home / path).exists() for home in homes), f"{page}: {path}"


def test_help_describes_each_command(run: Run) -> None:
    text = run("--help").stdout
    for name in cli.COMMANDS:
        assert re.search(rf"^  {name} +\S", text, re.MULTILINE)


# The site ----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    """Return the pages of the site."""
    texts: dict[str, str] = tool("docs").all_pages()
    return texts


def test_the_site_has_no_broken_links(pages: dict[str, str]) -> None:
    assert tool("docs").broken_links(pages) == []


@pytest.mark.parametrize(
    "link", ["none.md", "how-to/play.md#none", "#none", "../README.md", "games/none.svg"]
)
def test_broken_links_are_reported(link: str, pages: dict[str, str]) -> None:
    more = pages | {"more.md": f"# More\n\n[a](how-to/play.md) [b](#more) [c]({link})"}
    assert tool("docs").broken_links(more) == [f"more.md: {link}"]


def test_broken_pictures_in_html_are_reported(pages: dict[str, str]) -> None:
    more = pages | {"more.md": '<img src="browser.png"> <img src="none.png">'}
    assert tool("docs").broken_links(more) == ["more.md: none.png"]


def test_the_site_lists_all_its_pages(pages: dict[str, str]) -> None:
    listed = re.findall(r"'([\w/-]+\.md)'", str(tool("docs").navigation()))
    assert sorted(listed) == sorted(name for name in pages if name.endswith(".md"))
    docs = ROOT / "docs"
    assert {file.relative_to(docs).as_posix() for file in docs.rglob("*.md")} <= set(listed)


def test_the_reference_has_every_command_and_option(pages: dict[str, str]) -> None:
    sections = re.split(r"^## ", pages["reference/commands.md"], flags=re.MULTILINE)
    by_name = {section.split("\n", 1)[0]: section for section in sections}
    for name in cli.COMMANDS:
        assert str(command(name).help).split("\n")[0] in by_name[name]
        for parameter in command(name).params:
            if isinstance(parameter, click.Option):
                assert parameter.opts[-1] in by_name[name]


def test_the_reference_has_every_public_name(pages: dict[str, str]) -> None:
    text = pages["reference/python-reference.md"]
    for name in duelbook.__all__:
        assert f"\n## {name}\n" in text
    for kind in (duelbook.Position, duelbook.Match, duelbook.VectorEnv):
        methods = [name for name in vars(kind) if not name.startswith("_")]
        members = [name for name in methods if getattr(getattr(kind, name), "__doc__", None)]
        assert [name for name in members if f"`{name}" not in text] == []
    assert "best_moves(position: Position) -> list[str]" in text


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_a_game_has_a_page_with_rules_findings_and_pictures(
    game: type[duelbook.Position], pages: dict[str, str]
) -> None:
    page = pages[f"games/{game.slug}.md"]
    assert set(CLAUSE.findall(game.rules_page())) == set(CLAUSE.findall(page))
    assert "Measurements:" in page
    assert "```picture" not in page
    for name in ("start", "later", "1", "2"):
        assert f"({game.slug}-{name}.svg)" in page
        assert pages[f"games/{game.slug}-{name}.svg"].startswith("<svg")


def build_site(folder: Path) -> int:
    """Build the site from the pages in a folder, as `make docs` does, and return the exit code."""
    pytest.importorskip("zensical")
    command = [sys.executable, "-m", "zensical", "build", "--strict", "--config-file"]
    return subprocess.run([*command, str(folder / "mkdocs.yml")], check=False).returncode  # noqa: S603 # our own pages


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of the built site."""
    folder = tmp_path_factory.mktemp("site")
    tool("docs").write(folder)
    assert build_site(folder) == 0
    return folder / "site"


@pytest.mark.integration
def test_every_page_of_the_site_shows_its_pictures_and_loads_nothing_from_elsewhere(
    site: Path, browser: Browser
) -> None:
    pages = sorted(site.rglob("*.html"))
    assert len(pages) > 30
    page = browser.new_page()
    requests: list[str] = []
    page.on("request", lambda request: requests.append(request.url))
    for file in pages:
        page.goto(file.as_uri())
        broken = page.evaluate(
            "[...document.images].filter((i) => !i.naturalWidth).map((i) => i.src)"
        )
        assert broken == [], file.name
    page.close()
    assert [url for url in requests if not url.startswith(("file:", "data:", "blob:"))] == []


@pytest.mark.integration
def test_the_build_refuses_broken_links(tmp_path: Path) -> None:
    tool("docs").write(tmp_path)
    with (tmp_path / "docs" / "how-to" / "play.md").open("a") as page:
        page.write("\n[nowhere](analysis.md#nowhere)\n")
    assert build_site(tmp_path) != 0


@pytest.mark.integration
@pytest.mark.parametrize("slug", ["capture", "island", "token", "tower"])
def test_the_findings_are_current(slug: str) -> None:
    findings, page = tool("findings"), (ROOT / "docs" / "reference" / "findings.md").read_text()
    proof = prove(duelbook.load(slug))
    assert findings.section(proof) in page
    assert findings.row(proof) in page
    assert findings.row(proof) in (ROOT / "README.md").read_text()


def test_the_headline_counts_the_claims_of_all_books() -> None:
    rows = re.findall(r"(\d+) of (\d+) \|$", (ROOT / "README.md").read_text(), re.MULTILINE)
    assert len(rows) == len(GAMES)
    hold, claims = (sum(int(row[at]) for row in rows) for at in (0, 1))
    text = " ".join((ROOT / "README.md").read_text().split())
    assert f"They make {claims} claims" in text
    assert f"Duelbook refutes {claims - hold} of the {claims} claims" in text
