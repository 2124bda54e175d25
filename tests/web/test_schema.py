from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest

pytest.importorskip("starlette")

from duelbook.web import protocol as p
from duelbook.web import routes, schema
from paths import ROOT
from repository_tools import tool

pytestmark = pytest.mark.integration

jsonschema = pytest.importorskip("jsonschema")
DOCUMENT = schema.document()


def validator(name: str) -> Any:  # noqa: ANN401 # jsonschema has no types
    schema_of_type = {"$ref": f"#/components/schemas/{name}", "components": DOCUMENT["components"]}
    return jsonschema.Draft202012Validator(schema_of_type)


def test_the_openapi_document_is_valid() -> None:
    definitions = pytest.importorskip("schemathesis.specs.openapi.definitions")
    definitions.OPENAPI_31_VALIDATOR.validate(DOCUMENT)
    for component in DOCUMENT["components"]["schemas"].values():
        jsonschema.Draft202012Validator.check_schema(component)


def test_every_reference_exists_and_every_type_is_described() -> None:
    components = DOCUMENT["components"]["schemas"]
    references = set(re.findall(r"#/components/schemas/(\w+)", json.dumps(DOCUMENT)))
    assert references <= set(components)
    types = {name for name, kind in vars(p).items() if isinstance(kind, type)}
    wire = {n for n in types if issubclass(getattr(p, n), p.ServerStruct | p.ClientStruct)}
    assert wire - {"ServerStruct", "ClientStruct"} <= set(components)
    assert all(c.get("description") for n, c in components.items() if n not in schema.UNIONS)


def test_requests_can_be_generated_from_the_document() -> None:
    schemathesis = pytest.importorskip("schemathesis")
    loaded = schemathesis.openapi.from_dict(DOCUMENT)
    assert len(list(loaded.get_all_operations())) == len(routes.ROUTES)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FromClient", p.Hello()),
        ("FromClient", p.Play("build 4", 3, 1)),
        ("Command", p.Resign(3)),
        ("ToClient", p.Refused("stale", "The game has moved on since.", 4)),
        ("ToClient", p.Update(3, 2, 1, view=p.View({"to_move": 0}, 0, "", []))),
        ("NewGame", p.NewGame("nim", clock=p.TimeControl(60))),
        ("Analysis", p.Analysis([1.0], [], [None, 0.5])),
    ],
)
def test_messages_match_their_schema(name: str, value: msgspec.Struct) -> None:
    validator(name).validate(json.loads(msgspec.json.encode(value)))


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("FromClient", {"type": "play", "move": "build 4"}),
        ("FromClient", {"type": "snapshot"}),
        ("Command", {"type": "ping"}),
        ("NewGame", {"book": "nim", "colour": "red"}),
        ("NewGame", {"book": "nim", "seat": 2}),
        ("ToClient", {"type": "update", "seq": 3, "turn": 2, "kept": 1, "view": 7}),
    ],
)
def test_invalid_messages_do_not_match_the_schema(name: str, value: object) -> None:
    assert not validator(name).is_valid(value)


def test_routes_and_handlers_are_unique() -> None:
    assert len({(r.method, r.path) for r in routes.ROUTES}) == len(routes.ROUTES)
    assert len({r.handler for r in routes.ROUTES}) == len(routes.ROUTES)
    for route in routes.ROUTES:
        assert set(route.refusals) <= set(routes.STATUS_REASONS)


def test_every_refusal_code_has_a_status_with_a_reason() -> None:
    codes = DOCUMENT["components"]["schemas"]["Refused"]["properties"]["code"]["enum"]
    assert set(codes) == set(routes.REFUSAL_STATUS)
    assert set(routes.REFUSAL_STATUS.values()) <= set(routes.STATUS_REASONS)


def test_secrets_are_sent_in_headers_and_never_in_urls() -> None:
    for path, methods in DOCUMENT["paths"].items():
        assert "secret" not in path
        for operation in methods.values():
            assert {parameter["in"] for parameter in operation.get("parameters", [])} <= {"path"}
    assert DOCUMENT["components"]["securitySchemes"]["seat"]["scheme"] == "bearer"


def test_the_tables_of_the_api_page_are_current() -> None:
    text = Path(ROOT / "docs" / "reference" / "api.md").read_text()
    assert tool("api").page(text) == text
    for part in ("`POST /api/games`", "#### Play", "| 1012 |"):
        assert part in text
