"""Write the tables of docs/reference/api.md: the routes and messages, from the code."""

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
        body = operation.get("requestBody", {}).get("content", {}).get(routes.JSON)
        (content,) = operation["responses"][str(route.status)]["content"].values()
        response = type_in_words(content["schema"]) if route.response else f"`{route.media}`"
        secret = {"unused": "", "optional": " A seat's secret is optional."}
        about = route.about + secret.get(route.authorization, " Needs the seat's secret.")
        rows.append(
            f"| `{route.method} {route.path}` | {type_in_words(body['schema']) if body else ''} "
            f"| {response} | {about} |"
        )
    return "\n".join(rows)


def closes() -> str:
    """Return the table of WebSocket close codes."""
    rows = [f"| {int(code)} | {why} |" for code, why in p.CLOSE_REASONS.items()]
    return "\n".join(["| code | reason |", "|---|---|", *rows])


def messages() -> str:
    """Return all types with their fields: messages sent, messages received, other types."""
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
    description = component["description"] + (f" Its `type` is `{tag['enum'][0]}`." if tag else "")
    lines = [f"#### {name}", "", description]
    if fields:
        lines += ["", "| field | type | |", "|---|---|---|"]
    for field, property_schema in fields.items():
        field_type = type_in_words(property_schema)
        if field not in component["required"]:
            default = property_schema.get("default")
            field_type += "" if default is None else f", default `{json.dumps(default)}`"
        lines.append(f"| `{field}` | {field_type} | {property_schema.get('description', '')} |")
    return "\n".join(lines)


def type_in_words(value_schema: dict[str, Any]) -> str:
    """Return the type that a JSON schema describes, in words."""
    names = {"integer": "number", "string": "text", "boolean": "true or false"}
    match value_schema:
        case {"$ref": reference}:
            name = reference.rpartition("/")[2]
            members = _members(name) if name in schema.UNIONS else [name]
            text = ", ".join(f"[{member}](#{member.lower()})" for member in members)
        case {"enum": values}:
            text = ", ".join(f"`{value}`" for value in values)
        case {"anyOf": choices}:
            text = " or ".join(map(type_in_words, choices))
        case {"type": "array", "items": items}:
            text = f"list of {type_in_words(items)}"
        case {"type": "integer", "minimum": 0, "maximum": 1}:
            text = "0 or 1"
        case {"type": "integer", "minimum": low, "maximum": high}:
            text = f"{low} to {high}"
        case {"type": "string", "maxLength": limit}:
            text = f"text of at most {limit:,} characters"
        case {"type": "object", "additionalProperties": {"type": "string"}}:
            text = "object with text values"
        case _:
            text = names.get(value_schema["type"], value_schema["type"])
    return text


if __name__ == "__main__":
    file = Path(sys.argv[1])
    file.write_text(page(file.read_text(encoding="utf-8")), encoding="utf-8")
