"""Programs of tools/ as modules."""

from __future__ import annotations

import importlib.util
from types import ModuleType

import pytest

from paths import ROOT


def tool(name: str) -> ModuleType:
    """Return a program of tools/ as a module."""
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(ROOT / "tools")  # the programs import each other
        spec.loader.exec_module(module)
    return module
