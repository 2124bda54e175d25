"""Conformance: check a game against the requirements on games, for its author.

Every breach comes with the shortest game that leads to it. In a test of your own:

    def test_my_game() -> None:
        assert check(MyGame).breaches == ()
"""

from duelbook.conformance.explorer import MAX_POSITIONS, check
from duelbook.conformance.report import Breach, ConformanceReport, as_data, as_text

__all__ = ["MAX_POSITIONS", "Breach", "ConformanceReport", "as_data", "as_text", "check"]
