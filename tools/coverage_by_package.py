"""Print the branch coverage of each package from the report of `coverage json`.

    python tools/coverage_by_package.py coverage.json [PERCENT]

Exit with status 1 if a package is below the given percentage.
"""

from __future__ import annotations

import json
import sys
from collections import defaultdict
from pathlib import Path, PurePath
from typing import Any

ROOT = "src/duelbook"


def package_of(file: str) -> str:
    """Return the package of a file, of at most two levels below `duelbook`."""
    folders = PurePath(file).relative_to(ROOT).parts[:-1]
    return "/".join(folders[:2]) or "(root)"


def coverage_by_package(report: dict[str, Any]) -> dict[str, float]:
    """Return the percentage of lines and branches that ran, by package."""
    covered: defaultdict[str, int] = defaultdict(int)
    total: defaultdict[str, int] = defaultdict(int)
    for file, entry in report["files"].items():
        summary, package = entry["summary"], package_of(file)
        covered[package] += summary["covered_lines"] + summary["covered_branches"]
        total[package] += summary["num_statements"] + summary["num_branches"]
    return {package: 100 * covered[package] / (total[package] or 1) for package in sorted(total)}


def main(path: str, minimum: str = "0") -> int:
    """Print the table; return the exit status."""
    packages = coverage_by_package(json.loads(Path(path).read_text()))
    for package, percent in packages.items():
        low = "  below the minimum" if percent < float(minimum) else ""
        sys.stdout.write(f"{percent:6.1f} %  {package}{low}\n")
    return int(any(percent < float(minimum) for percent in packages.values()))


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
