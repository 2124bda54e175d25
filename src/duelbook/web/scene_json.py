"""Scenes as JSON values."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from duelbook.hidden import HIDDEN
from duelbook.position import Position
from duelbook.scene import Scene, Shape, Slot, label_of


def scene_data(scene: Scene) -> list[dict[str, Any]]:
    """Return the shapes as dictionaries, with None for HIDDEN and without default values."""
    return [_shape(shape) for shape in scene]


def picture(position: Position) -> list[dict[str, Any]]:
    """Return the scene of a position, or its board in words if it has no scene."""
    return scene_data(position.scene()) or [{"shape": "board", "words": position.board()}]


def _shape(shape: Shape) -> dict[str, Any]:
    data = {"shape": type(shape).__name__.lower(), **_fields(shape)}
    return data | {"label": label_of(shape)} if "label" in data else data


def _fields(thing: Shape | Slot) -> dict[str, Any]:
    return {
        field.name: _value(value)
        for field in fields(thing)
        if (value := getattr(thing, field.name)) != field.default or field.default is MISSING
    }


def _value(value: object) -> object:
    if value is HIDDEN:
        return None
    if isinstance(value, tuple):
        return [_fields(item) if isinstance(item, Slot) else item for item in value]
    return value
