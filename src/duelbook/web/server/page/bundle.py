"""Bundles: all modules of the page as one file, and all style sheets as another.

A browser needs only one request for each. The source files stay separate. Each module becomes a
function that returns its exports, and follows the modules that it imports. The bundles leave out
comments that take up whole lines.
"""

from __future__ import annotations

import re
from graphlib import TopologicalSorter
from pathlib import Path

IMPORT = re.compile(r'^import\s+(\{[^}]*\}|\* as \w+)\s+from\s+"\./(\w+)\.js";\n', re.MULTILINE)
EXPORT = re.compile(r"^export (?=(?:async )?(?:function|const|class) (\w+))", re.MULTILINE)
LINE_COMMENT = re.compile(r"^\s*//.*\n", re.MULTILINE)
BLOCK_COMMENT = re.compile(r"^\s*/\*.*?\*/\s*?\n", re.MULTILINE | re.DOTALL)
STYLE = re.compile(r'<link rel="stylesheet" href="/static/([\w.]+)">')
MODULE = re.compile(r'<link rel="modulepreload" href="/static/([\w.]+)">')
JS, CSS = "all.js", "all.css"
MAIN = "main"


def bundled_js(folder: Path) -> str:
    """Return the main module and all modules that it needs, each after its imports."""
    sources: dict[str, str] = {}
    waiting = [MAIN]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = (folder / f"{name}.js").read_text(encoding="utf-8")
            waiting += [needed for _, needed in IMPORT.findall(sources[name])]
    needs = {name: {module for _, module in IMPORT.findall(text)} for name, text in sources.items()}
    order = TopologicalSorter(needs).static_order()
    return "".join(_module(name, sources[name]) for name in order)


def _module(name: str, text: str) -> str:
    exported = ", ".join(EXPORT.findall(text))
    code = EXPORT.sub("", IMPORT.sub(_import, without_comments(text)))
    return f"const ${name} = (() => {{\n{code}return {{ {exported} }};\n}})();\n"


def _import(statement: re.Match[str]) -> str:
    names, module = statement.groups()
    bindings = names.removeprefix("* as ").replace(" as ", ": ")
    return f"const {bindings} = ${module};\n"


def without_comments(text: str) -> str:
    """Return code without the comments that take up whole lines."""
    return LINE_COMMENT.sub("", BLOCK_COMMENT.sub("", text))


def bundled_css(folder: Path, html: str) -> str:
    """Return the style sheets of a page, in the order of their links."""
    texts = [(folder / name).read_text(encoding="utf-8") for name in STYLE.findall(html)]
    return BLOCK_COMMENT.sub("", "".join(texts))


def with_bundles(html: str) -> str:
    """Return a page that loads the bundles instead of single files."""
    bundle_link = f'<link rel="stylesheet" href="/static/{CSS}">'
    first = STYLE.findall(html)[0]
    html = STYLE.sub(lambda link: bundle_link if link[1] == first else "", html)
    html = MODULE.sub("", html).replace(f"/static/{MAIN}.js", f"/static/{JS}")
    return re.sub(r"\n\s*(?=\n)", "", html)
