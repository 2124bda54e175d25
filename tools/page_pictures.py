"""Draw the icons of the page, and the preview picture of each game for links.

The icons come from an SVG file. The page itself draws the scenes, in Chromium.
"""

from __future__ import annotations

from pathlib import Path
from shutil import which

from playwright.sync_api import Browser, Page, sync_playwright

import duelbook
from screenshot import running_server

STATIC = Path(duelbook.__file__).parent / "web" / "static"
ICON = STATIC / "icons" / "icon.svg"
SIZES = {"192": 192, "512": 512, "apple": 180}
MASKABLE_SCALE = 0.7
"""The scale of the drawing in a maskable icon: systems may cut off the border."""
WIDTH, HEIGHT = 1200, 630
PREVIEW_CSS = """
  body { margin: 0; min-height: 0; display: block; overflow: hidden; }
  .preview { box-sizing: border-box; width: 1200px; height: 630px; padding: 44px 60px;
    display: flex; flex-direction: column; gap: 26px; justify-content: center; }
  .preview header { display: flex; align-items: center; gap: 26px; }
  .preview img { width: 96px; height: 96px; }
  .preview h1 { font-size: 68px; }
  .preview p { font: 34px/1.3 var(--serif); color: var(--muted); }
  .preview .scene { width: 1080px; display: grid; }
  .preview svg { max-height: 400px; }
"""


def draw_icons(browser: Browser) -> None:
    """Draw the icon in all sizes; the maskable icon fills its square."""
    source = ICON.read_text(encoding="utf-8")
    for name, size in SIZES.items():
        _save_icon(browser, source, size, STATIC / "icons" / f"{name}.png")
    maskable = source.replace(' rx="7"', "").replace(
        "<g ", f'<g transform="{_maskable_transform()}"><g ', 1
    )
    maskable = maskable.replace("</svg>", "</g></svg>")
    _save_icon(browser, maskable, 512, STATIC / "icons" / "maskable.png")


def _maskable_transform() -> str:
    offset = 16 * (1 - MASKABLE_SCALE)
    return f"translate({offset} {offset}) scale({MASKABLE_SCALE})"


def _save_icon(browser: Browser, svg: str, size: int, file: Path) -> None:
    page = browser.new_page(viewport={"width": size, "height": size})
    page.set_content(f"<style>body {{ margin: 0 }} svg {{ display: block }}</style>{svg}")
    page.screenshot(path=file, omit_background=True)
    page.close()


def draw_previews(page: Page, url: str) -> None:
    """Save a preview with the start of each game, and one without a game."""
    folder = STATIC / "previews"
    folder.mkdir(exist_ok=True)
    page.goto(url)
    books = page.evaluate("async () => (await fetch('/api/books')).json()")
    main = page.locator("script[type=module]").get_attribute("src")
    home = {"title": "Duelbook", "about": "Two players, one rule book.", "scene": []}
    page.add_style_tag(content=PREVIEW_CSS)
    for book in [*books, {**home, "slug": "duelbook"}]:
        page.evaluate(
            """async ([book, main]) => {
              const file = (name) => main.replace("all.js", name);
              const { Picture } = await import(file("picture.js"));
              const { el } = await import(file("dom.js"));
              const scene = el("div", { class: "scene" });
              const icon = el("img", { src: file("icons/icon.svg") });
              const title = el("header", {}, icon, el("h1", {}, book.title));
              const card = el("div", { class: "preview" }, title, el("p", {}, book.about), scene);
              document.body.replaceChildren(card);
              if (book.scene.length) new Picture(scene).show(book.scene);
              await new Promise((drawn) => setTimeout(drawn, 600));
            }""",
            [book, main],
        )
        page.screenshot(path=folder / f"{book['slug']}.png")


def main() -> None:
    """Draw the icons and the previews."""
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=which("chromium"),
            args=["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
        )
        draw_icons(browser)
        with running_server() as url:
            context = browser.new_context(
                viewport={"width": WIDTH, "height": HEIGHT},
                bypass_csp=True,
                service_workers="block",
                reduced_motion="reduce",
            )
            draw_previews(context.new_page(), url)
        browser.close()


if __name__ == "__main__":
    main()
