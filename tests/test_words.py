"""Words that no file of the project uses, because a plainer word says the same."""

from __future__ import annotations

import ast
import re

from paths import ROOT

WORDS = re.compile(
    r"\b([Ww]hoever|[Aa]new|[Mm]end(s|ed|ing)?|gone on|what falls|for ever)\b"
    r"|\b([Tt]hereby|[Oo]f so many|[Ll]uck|[Cc]ontestants?|[Ee]ntrants?|[Gg]uests?)\b"
    r"|\b[Ss]ealed (choices?|moves?|commits?|answers?)\b"
    r"|\b(MOST|LONGEST|LARGEST|PATIENCE|ENOUGH|FEW)(_[A-Z]+)*\b"
)
EXEMPT = {
    "tests/test_words.py": "it lists the words",
}
FOLDERS = ("bench", "deploy", "docs", "examples", "src", "tests", "tools")
SUFFIXES = {".c", ".css", ".html", ".js", ".md", ".py", ".toml", ".txt", ".yml"}


def test_no_file_uses_a_word_with_a_plainer_equivalent() -> None:
    files = [*ROOT.glob("*.md"), *(file for name in FOLDERS for file in (ROOT / name).rglob("*"))]
    places = [
        f"{name}:{number}: {match[0]}"
        for file in sorted(files)
        if file.suffix in SUFFIXES and (name := file.relative_to(ROOT).as_posix()) not in EXEMPT
        for number, line in enumerate(file.read_text("utf-8").splitlines(), start=1)
        if (match := WORDS.search(line))
    ]
    assert places == []


NAMES = {"found", "made", "told", "kept", "said", "asked", "wanted", "given"}


def test_no_variable_is_named_by_a_participle() -> None:
    package = ROOT / "src" / "duelbook"
    places = [
        f"{file.relative_to(package).as_posix()}:{node.lineno}"
        for file in sorted(package.rglob("*.py"))
        for function in ast.walk(ast.parse(file.read_text("utf-8")))
        if isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef))
        for node in ast.walk(function)
        if (isinstance(node, ast.arg) and node.arg in NAMES)
        or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store) and node.id in NAMES)
    ]
    assert places == []
