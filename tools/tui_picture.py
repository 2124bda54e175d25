"""Draw the picture of the full-screen interface in the documentation: `make picture`."""

from __future__ import annotations

import asyncio
import os
import sys
import tempfile
from pathlib import Path

SIZE = (100, 28)
MOVES = ("planet 7 ship 7", "planet 5 ship 6", "planet 4 ship 3", "planet 3 ship 3")


async def picture() -> str:
    """Return the screen after a few moves, as SVG."""
    from duelbook.catalog.registry import find
    from duelbook.play.series import Series
    from duelbook.tui.tui_app import TuiApp

    series = Series.begin(find("galaxy-conquest"), names=("Ann", "Bo"))
    for move in MOVES:
        series = series.with_match(series.match.play(move))
    app = TuiApp(lambda *_: series, series, look="dark")
    async with app.run_test(size=SIZE) as pilot:
        await pilot.pause()
        await pilot.press("6")
        await pilot.pause()
        return app.export_screenshot(title="duelbook play galaxy --tui")


def main() -> None:
    """Write the picture to the file that the command line names."""
    os.environ.update(TERM="xterm-256color", COLORTERM="truecolor")
    os.environ.pop("NO_COLOR", None)
    with tempfile.TemporaryDirectory() as home:
        os.environ["DUELBOOK_HOME"] = home
        svg = asyncio.run(picture())
    lines = (line.rstrip() for line in svg.splitlines())
    Path(sys.argv[1]).write_text("\n".join(lines) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
