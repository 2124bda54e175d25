"""The OpenAPI description, generated from the protocol and the routes."""

from __future__ import annotations

import ast
import inspect
import re
from functools import cache
from typing import Any

import msgspec

from duelbook import __version__
from duelbook.catalog.registry import list_games
from duelbook.web import protocol as p
from duelbook.web import routes

Schema = dict[str, Any]
REFERENCE = "#/components/schemas/"
UNIONS = {"ToClient": p.ToClient, "FromClient": p.FromClient, "Command": p.Command}
ABOUT = """\
Play, watch and explain games. A seat is held by a secret, which is sent as `Authorization: Bearer`
or in the first message of a WebSocket, and never in an address.

A game is followed over a WebSocket at `/api/games/{id}/live`: the client sends `Hello`, the server
answers with a `Snapshot`, and from then on each side sends what `FromClient` and `ToClient` list.
"""


@cache
def document() -> Schema:
    """Return the description of the API."""
    schemas, components = _components()
    paths: dict[str, Schema] = {}
    for route in routes.ROUTES:
        paths.setdefault(route.path, {})[route.method.lower()] = _operation(route, schemas)
    return {
        "openapi": "3.1.0",
        "info": {"title": "Duelbook", "version": __version__, "description": ABOUT},
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {"seat": {"type": "http", "scheme": "bearer"}},
        },
        "x-websocket": {
            "path": routes.LIVE,
            "sent": {"$ref": f"{REFERENCE}FromClient"},
            "received": {"$ref": f"{REFERENCE}ToClient"},
            "closes": {str(int(code)): why for code, why in p.CLOSES.items()},
        },
    }


def _components() -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """Return the schema of each type that a route uses, and the components that they refer to."""
    named = [kind for route in routes.ROUTES for kind in (route.request, route.response) if kind]
    kinds = [*named, p.Problem, *UNIONS.values()]
    found, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE + "{name}")
    schemas = {_key(kind): schema for kind, schema in zip(kinds, found, strict=True)}
    for name, union in UNIONS.items():
        components[name] = schemas[_key(union)]
        schemas[_key(union)] = {"$ref": REFERENCE + name}
    for name, component in components.items():
        for field, schema in component.get("properties", {}).items():
            if "anyOf" in schema:  # raw JSON has an empty schema: the type beside it describes it
                schema["anyOf"] = [choice for choice in schema["anyOf"] if choice]
            if said := _said_of_fields().get((name, field)):
                schema["description"] = said
    components["NewGame"]["properties"]["book"]["examples"] = [game.slug for game in list_games()]
    return schemas, components


def _key(kind: object) -> str:
    return str(kind)


@cache
def _said_of_fields() -> dict[tuple[str, str], str]:
    """Return the docstrings below the fields of the types."""
    said = {}
    for kind in ast.parse(inspect.getsource(p)).body:
        if isinstance(kind, ast.ClassDef):
            for field, below in zip(kind.body, kind.body[1:], strict=False):
                if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                    text = ast.literal_eval(below.value)
                    said[kind.name, ast.unparse(field.target)] = text
    return said


def _operation(route: routes.Route, schemas: dict[Any, Schema]) -> Schema:
    answer: Schema = {"description": route.about}
    if route.response is not None:
        answer["content"] = {route.media: {"schema": schemas[_key(route.response)]}}
    else:
        answer["content"] = {route.media: {"schema": {"type": "string"}}}
    if route.response is p.Seated:
        answer["links"] = _links()
    operation: Schema = {
        "operationId": route.handler,
        "summary": route.about,
        "responses": {str(route.status): answer}
        | {str(status): _refusal(status, schemas) for status in route.refusals},
    }
    if names := re.findall(r"{(\w+)}", route.path):
        operation["parameters"] = [_parameter(name) for name in names]
    if route.request is not None:
        body = {"schema": schemas[_key(route.request)]}
        operation["requestBody"] = {"required": True, "content": {routes.JSON: body}}
    if route.who != "anyone":
        operation["security"] = [{"seat": []}, *([{}] if route.who == "either" else [])]
    return operation


def _links() -> Schema:
    """Return links to the requests about the game that a response names."""
    about = [route.handler for route in routes.ROUTES if "{id}" in route.path]
    found = {"id": "$response.body#/id"}
    return {name: {"operationId": name, "parameters": found} for name in about}


def _parameter(name: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _refusal(status: int, schemas: dict[Any, Schema]) -> Schema:
    content = {routes.JSON: {"schema": schemas[_key(p.Problem)]}}
    return {"description": routes.REASONS[status], "content": content}
