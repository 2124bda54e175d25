"""Write the tables of docs/reference/mcp.md: the tools and their return types, from the server."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

from api import type_in_words
from duelbook.compute.engines import Engines
from duelbook.mcp_server.game_service import GameService
from duelbook.mcp_server.server import create_server

MARK = "<!-- tools: written by tools/mcp_page.py -->"


def page(text: str) -> str:
    """Return the page with the text between its markers regenerated."""
    start, _, rest = text.partition(MARK)
    _, end, after = rest.partition("<!-- end -->")
    return f"{start}{MARK}\n\n{tables()}\n\n{end}{after}"


def tables() -> str:
    """Return all tools with their arguments, then all return types."""
    tools = asyncio.run(create_server(GameService(Engines()), (), Path()).list_tools())
    parts, types = [], dict[str, Any]()
    for tool in tools:
        assert tool.output_schema is not None  # noqa: S101 # every tool is typed
        name = tool.output_schema["title"]
        types |= tool.output_schema.get("$defs", {}) | {name: tool.output_schema}
        about = " ".join((tool.description or "").split())
        text = f"{about} Returns [{name}](#{name.lower()})."
        parts += [f"### The tool `{tool.name}`", text, *filter(None, [_rows(tool.input_schema)])]
    parts.append("### Return types")
    for name in sorted(types):
        parts.append(f"#### {name}\n\n{types[name]['description']}\n\n{_rows(types[name])}")
    return "\n\n".join(parts)


def _rows(schema: dict[str, Any]) -> str:
    """Return the table of an object's fields."""
    if not schema["properties"]:
        return ""
    rows = ["| name | type | |", "|---|---|---|"]
    for name, field in schema["properties"].items():
        field_type = type_in_words(field)
        if field.get("default") is not None:
            field_type += f", default `{json.dumps(field['default'])}`"
        elif name not in schema.get("required", []):
            field_type += ", optional"
        rows.append(
            f"| `{name}` | {field_type} | {' '.join(field.get('description', '').split())} |"
        )
    return "\n".join(rows)


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(page(file.read_text(encoding="utf-8")), encoding="utf-8")
