"""Write the tables of docs/api.md: the routes and messages, from the code."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from duelbook.web import protocol as p
from duelbook.web import routes, schema

COMPONENTS: dict[str, Any] = schema.document()["components"]["schemas"]


def page(text: str) -> str:
    """Return the page with the text between its markers regenerated."""
    for name, part in {"routes": requests(), "closes": closes(), "messages": messages()}.items():
        mark = f"<!-- {name}: written by tools/api.py -->"
        start, _, rest = text.partition(mark)
        _, end, after = rest.partition("<!-- end -->")
        text = f"{start}{mark}\n\n{part}\n\n{end}{after}"
    return text


def requests() -> str:
    """Return the table of HTTP requests."""
    rows = ["| request | body | response | |", "|---|---|---|---|"]
    for route in routes.ROUTES:
        operation = schema.document()["paths"][route.path][route.method.lower()]
        sent = operation.get("requestBody", {}).get("content", {}).get(routes.JSON)
        (got,) = operation["responses"][str(route.status)]["content"].values()
        kind = type_in_words(got["schema"]) if route.response else f"`{route.media}`"
        secret = {"anyone": "", "either": " A seat's secret is optional."}
        about = route.about + secret.get(route.who, " Needs the seat's secret.")
        rows.append(
            f"| `{route.method} {route.path}` | {type_in_words(sent['schema']) if sent else ''} "
            f"| {kind} | {about} |"
        )
    return "\n".join(rows)


def closes() -> str:
    """Return the table of WebSocket close codes."""
    rows = [f"| {int(code)} | {why} |" for code, why in p.CLOSES.items()]
    return "\n".join(["| code | reason |", "|---|---|", *rows])


def messages() -> str:
    """Return every type with its fields: sent messages, received messages, then the others."""
    sent, received = (_members(name) for name in ("FromClient", "ToClient"))
    others = sorted(set(COMPONENTS) - {*sent, *received, *schema.UNIONS})
    parts = []
    for title, names in {
        "What a client sends over the WebSocket": sent,
        "What a client receives over the WebSocket": received,
        "Request and response bodies, and their parts": others,
    }.items():
        parts += [f"### {title}", *map(_section, names)]
    return "\n\n".join(parts)


def _members(union: str) -> list[str]:
    return [choice["$ref"].rpartition("/")[2] for choice in COMPONENTS[union]["anyOf"]]


def _section(name: str) -> str:
    component = COMPONENTS[name]
    fields = dict(component["properties"])
    tag = fields.pop("type", None)
    said = component["description"] + (f" Its `type` is `{tag['enum'][0]}`." if tag else "")
    lines = [f"#### {name}", "", said]
    if fields:
        lines += ["", "| field | type | |", "|---|---|---|"]
    for field, about in fields.items():
        holds = type_in_words(about)
        if field not in component["required"]:
            value = about.get("default")
            holds += "" if value is None else f", default `{json.dumps(value)}`"
        lines.append(f"| `{field}` | {holds} | {about.get('description', '')} |")
    return "\n".join(lines)


def type_in_words(found: dict[str, Any]) -> str:
    """Return the type of a value, in words."""
    words = {"integer": "number", "string": "text", "boolean": "true or false"}
    match found:
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            names = _members(name) if name in schema.UNIONS else [name]
            said = ", ".join(f"[{one}](#{one.lower()})" for one in names)
        case {"enum": values}:
            said = ", ".join(f"`{value}`" for value in values)
        case {"anyOf": choices}:
            said = " or ".join(map(type_in_words, choices))
        case {"type": "array", "items": items}:
            said = f"list of {type_in_words(items)}"
        case {"type": "integer", "minimum": 0, "maximum": 1}:
            said = "0 or 1"
        case {"type": "integer", "minimum": low, "maximum": high}:
            said = f"{low} to {high}"
        case {"type": "string", "maxLength": most}:
            said = f"text of at most {most:,} characters"
        case {"type": "object", "additionalProperties": {"type": "string"}}:
            said = "object with text values"
        case _:
            said = words.get(found["type"], found["type"])
    return said


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(page(file.read_text(encoding="utf-8")), encoding="utf-8")
