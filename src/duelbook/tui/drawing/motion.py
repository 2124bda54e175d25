"""Motion: the scenes between one scene and the next."""

from __future__ import annotations

from dataclasses import replace

from duelbook.scene import Gauge, Scene, Shape, Stack, Track


def between(before: Scene, after: Scene, done: float) -> Scene:
    """Return the scene at the share `done` of a change; new shapes appear at once."""
    if len(before) != len(after):
        return after
    pairs = zip(before, after, strict=True)
    return tuple(_between(old, new, done) for old, new in pairs)


def _between(old: Shape, new: Shape, done: float) -> Shape:
    match old, new:
        case Gauge(), Gauge() if (old.label, old.seat) == (new.label, new.seat):
            return replace(new, value=_part(old.value, new.value, done))
        case Stack(count=int(was)), Stack(count=int(now)) if (old.label, old.seat) == (
            new.label,
            new.seat,
        ):
            return replace(new, count=_part(was, now, done))
        case Track(), Track():
            ours, theirs = (_part(old.units[s], new.units[s], done) for s in (0, 1))
            return replace(new, units=(ours, theirs))
    return new


def _part(was: int, now: int, done: float) -> int:
    return round(was + (now - was) * done)
