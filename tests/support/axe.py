"""axe-core, which checks the accessibility of a page; `make test` installs it from npm."""

from __future__ import annotations

from playwright.sync_api import Page

from paths import ROOT

SCRIPT = ROOT / "node_modules" / "axe-core" / "axe.min.js"
MISSING = "axe-core is not installed: run `npm ci`"


def violations(page: Page, *, colours_only: bool = False) -> list[str]:
    """Return the rules that a page breaks, each with its first element."""
    if not page.evaluate("'axe' in window"):
        page.evaluate(SCRIPT.read_text(encoding="utf-8"))
    options = {"runOnly": ["color-contrast"]} if colours_only else {}
    violations: list[str] = page.evaluate(
        """async (options) => (await axe.run(document, options)).violations.map(
          ({ id, help, nodes }) => `${id}: ${help}: ${nodes[0].html.slice(0, 150)}`)""",
        options,
    )
    return violations
