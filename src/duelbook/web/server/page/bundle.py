"""The modules and style sheets of the page as one file each, so that a browser asks only once.

The files stay as they are written. A module becomes a function that returns what it exports, and
comes after those that it imports. Only comments are left out.
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
    """Return all modules that the main one needs, in order."""
    sources: dict[str, str] = {}
    waiting = [MAIN]
    while waiting:
        name = waiting.pop()
        if name not in sources:
            sources[name] = (folder / f"{name}.js").read_text(encoding="utf-8")
            waiting += [needed for _, needed in IMPORT.findall(sources[name])]
    needs = {name: {one for _, one in IMPORT.findall(text)} for name, text in sources.items()}
    order = TopologicalSorter(needs).static_order()
    return "".join(_module(name, sources[name]) for name in order)


def _module(name: str, text: str) -> str:
    exported = ", ".join(EXPORT.findall(text))
    code = EXPORT.sub("", IMPORT.sub(_import, without_comments(text)))
    return f"const ${name} = (() => {{\n{code}return {{ {exported} }};\n}})();\n"


def _import(found: re.Match[str]) -> str:
    names, module = found.groups()
    wanted = names.removeprefix("* as ").replace(" as ", ": ")
    return f"const {wanted} = ${module};\n"


def without_comments(text: str) -> str:
    """Return code without the comments that have lines of their own."""
    return LINE_COMMENT.sub("", BLOCK_COMMENT.sub("", text))


def bundled_css(folder: Path, html: str) -> str:
    """Return the style sheets of a page, in its order."""
    texts = [(folder / name).read_text(encoding="utf-8") for name in STYLE.findall(html)]
    return BLOCK_COMMENT.sub("", "".join(texts))


def with_bundles(html: str) -> str:
    """Return a page that asks for the bundles."""
    one = f'<link rel="stylesheet" href="/static/{CSS}">'
    html = STYLE.sub(lambda found: one if found[1] == STYLE.findall(html)[0] else "", html)
    html = MODULE.sub("", html).replace(f"/static/{MAIN}.js", f"/static/{JS}")
    return re.sub(r"\n\s*(?=\n)", "", html)
