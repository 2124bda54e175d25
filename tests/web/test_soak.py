"""A short soak test: each fault once, with a few games. `make soak` runs the long one."""

from __future__ import annotations

import random
import time
from pathlib import Path

import pytest

from servers import Server
from soak import KINDS, soak
from soak_faults import Lengths, Stage

pytestmark = [pytest.mark.anyio, pytest.mark.slow]

SHORT = Lengths(
    attack=(0.4, 0.4), away=(0, 0.5), frozen=(5, 5), pause=(0, 0.1), pace=0.1, warm=0, cool=1
)
TABLES = 8
HOUR = 3600.0


@pytest.mark.parametrize("kind", KINDS)
async def test_players_lose_nothing_during_faults_and_attacks(kind: str, tmp_path: Path) -> None:
    start, faults = KINDS[kind]
    if kind == "cluster":  # the other kind has the attacks
        faults = {name: fault for name, fault in faults.items() if "attack" not in name}
    chance = random.Random(7)
    plan = chance.sample(sorted(faults), len(faults))
    with start(tmp_path, Server) as servers:
        stage = Stage(servers, TABLES, chance, SHORT)
        report = await soak(stage, faults, iter(plan), time.monotonic() + HOUR)
    assert report.held, report.text()
    assert {name: row.times for name, row in report.rows.items()} == dict.fromkeys(plan, 1)
