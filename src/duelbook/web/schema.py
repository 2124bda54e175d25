"""The OpenAPI document, generated from the protocol and the routes."""

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
Play, watch and analyse games. A secret proves that a seat is yours. Send it as
`Authorization: Bearer` or in the first message of a WebSocket, never in a URL.

Follow a game over a WebSocket at `/api/games/{id}/live`. The client sends `Hello`, and the server
answers with a `Snapshot`. After that, the client sends the messages of `FromClient`, and the server
those of `ToClient`.
"""


@cache
def document() -> Schema:
    """Return the OpenAPI document."""
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
            "path": routes.LIVE_PATH,
            "sent": {"$ref": f"{REFERENCE}FromClient"},
            "received": {"$ref": f"{REFERENCE}ToClient"},
            "closes": {str(int(code)): why for code, why in p.CLOSE_REASONS.items()},
        },
    }


def _components() -> tuple[dict[Any, Schema], dict[str, Schema]]:
    """Return the schema of each type that a route uses, and the components that they refer to."""
    bodies = [kind for route in routes.ROUTES for kind in (route.request, route.response) if kind]
    kinds = [*bodies, p.Problem, *UNIONS.values()]
    generated, components = msgspec.json.schema_components(kinds, ref_template=REFERENCE + "{name}")
    schemas = {_key(kind): schema for kind, schema in zip(kinds, generated, strict=True)}
    for name, union in UNIONS.items():
        components[name] = schemas[_key(union)]
        schemas[_key(union)] = {"$ref": REFERENCE + name}
    for name, component in components.items():
        for field, schema in component.get("properties", {}).items():
            if "anyOf" in schema:  # raw JSON has an empty schema; the type beside it describes it
                schema["anyOf"] = [choice for choice in schema["anyOf"] if choice]
            if description := _field_docstrings().get((name, field)):
                schema["description"] = description
    components["NewGame"]["properties"]["book"]["examples"] = [game.slug for game in list_games()]
    return schemas, components


def _key(kind: object) -> str:
    return str(kind)


@cache
def _field_docstrings() -> dict[tuple[str, str], str]:
    """Return the docstring of each field, by type and field."""
    docstrings = {}
    for kind in ast.parse(inspect.getsource(p)).body:
        if isinstance(kind, ast.ClassDef):
            for field, below in zip(kind.body, kind.body[1:], strict=False):
                if isinstance(field, ast.AnnAssign) and isinstance(below, ast.Expr):
                    text = inspect.cleandoc(ast.literal_eval(below.value)).replace("\n", " ")
                    docstrings[kind.name, ast.unparse(field.target)] = text
    return docstrings


def _operation(route: routes.Route, schemas: dict[Any, Schema]) -> Schema:
    response: Schema = {"description": route.about}
    if route.response is not None:
        response["content"] = {route.media: {"schema": schemas[_key(route.response)]}}
    else:
        response["content"] = {route.media: {"schema": {"type": "string"}}}
    if route.response is p.SeatCredentials:
        response["links"] = _links()
    operation: Schema = {
        "operationId": route.handler,
        "summary": route.about,
        "responses": {str(route.status): response}
        | {str(status): _refusal(status, schemas) for status in route.refusals},
    }
    if names := re.findall(r"{(\w+)}", route.path):
        operation["parameters"] = [_parameter(name) for name in names]
    if route.request is not None:
        body = {"schema": schemas[_key(route.request)]}
        operation["requestBody"] = {"required": True, "content": {routes.JSON: body}}
    if route.authorization != "unused":
        optional: list[Schema] = [{}] if route.authorization == "optional" else []
        operation["security"] = [{"seat": []}, *optional]
    return operation


def _links() -> Schema:
    """Return links from a new game to the requests about it."""
    handlers = [route.handler for route in routes.ROUTES if "{id}" in route.path]
    parameters = {"id": "$response.body#/id"}
    return {name: {"operationId": name, "parameters": parameters} for name in handlers}


def _parameter(name: str) -> Schema:
    return {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}


def _refusal(status: int, schemas: dict[Any, Schema]) -> Schema:
    content = {routes.JSON: {"schema": schemas[_key(p.Problem)]}}
    return {"description": routes.STATUS_REASONS[status], "content": content}
