from __future__ import annotations

import ast
import re
from pathlib import Path

import click
import pytest

import duelbook
from conftest import Run
from duelbook.cli import main
from duelbook.terminal.table import COMMANDS

ROOT = Path(__file__).parent.parent
CLAUSE = re.compile(r"^- ([A-Z]{2}-R?\d+) ", re.MULTILINE)
GAMES = duelbook.games()


def clauses_in_tests() -> set[str]:
    """Return the ids in every `@pytest.mark.clause(…)`."""
    found: set[str] = set()
    for file in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "pytest.mark.clause":
                found |= {ast.literal_eval(argument) for argument in node.args}
    return found


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.slug))
def test_every_clause_of_a_rules_page_has_a_test(game: type[duelbook.Position]) -> None:
    clauses = CLAUSE.findall(game.rules_page())
    assert len(clauses) >= 7
    assert len(set(clauses)) == len(clauses)
    assert set(clauses) - clauses_in_tests() == set()


def test_no_test_names_a_clause_that_is_not_there() -> None:
    pages = "\n".join(game.rules_page() for game in GAMES)
    assert clauses_in_tests() - set(CLAUSE.findall(pages)) == set()


RULINGS = [
    *("IC-R1", "IC-R2", "IC-R3", "TT-R1", "TT-R2", "TT-R3"),
    *("GC-R1", "TD-R1", "TD-R2", "CC-R1", "CC-R2", "CC-R3"),
]


@pytest.mark.parametrize("ruling", RULINGS)
def test_every_ruling_stands_in_a_rules_page(ruling: str) -> None:
    assert any(f"- {ruling} " in game.rules_page() for game in GAMES)


def test_numbers_of_clauses_have_no_gaps() -> None:
    for game in GAMES:
        numbers = [
            int(n) for n in re.findall(r"^- [A-Z]{2}-(\d+) ", game.rules_page(), re.MULTILINE)
        ]
        assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("name", sorted(main.commands))
def test_every_command_and_option_is_documented(name: str) -> None:
    text = "".join(
        (ROOT / "docs" / page).read_text()
        for page in ("play.md", "study.md", "research.md", "audit.md")
    )
    assert f"duelbook {name}" in text
    for parameter in main.commands[name].params:
        if isinstance(parameter, click.Option):
            assert f"`{parameter.opts[0]}" in text, f"{name} {parameter.opts[0]}"


@pytest.mark.parametrize("command", sorted(COMMANDS))
def test_what_can_be_typed_at_a_prompt_is_documented(command: str) -> None:
    assert f"| `{command}" in (ROOT / "docs" / "play.md").read_text()


@pytest.mark.parametrize("name", sorted(set(duelbook.__all__)))
def test_every_public_name_is_documented(name: str) -> None:
    assert f"`{name}" in (ROOT / "docs" / "python.md").read_text()


def test_pages_with_python_run_as_written() -> None:
    import doctest

    for page in ["README.md", "docs/python.md", "docs/research.md"]:
        failed, tried = doctest.testfile(str(ROOT / page), module_relative=False)
        assert tried > 0, page
        assert failed == 0, page


def test_links_between_pages_lead_somewhere() -> None:
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")]
    for page in pages:
        for link in re.findall(r"\]\(([^)#:]+)\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_help_describes_each_command(run: Run) -> None:
    text = run("--help").stdout
    for name in main.commands:
        assert re.search(rf"^  {name} +\S", text, re.MULTILINE)


@pytest.mark.parametrize("slug", ["capture", "island", "token", "tower"])
def test_the_findings_are_what_is_found(slug: str) -> None:
    import importlib.util

    spec = importlib.util.spec_from_file_location("findings", ROOT / "tools" / "findings.py")
    assert spec
    assert spec.loader
    findings = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(findings)
    assert findings.section(duelbook.load(slug)) in (ROOT / "docs" / "findings.md").read_text()
