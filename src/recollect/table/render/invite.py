"""Pictures that must be pixels: the icons of the site, and what is seen where an invitation is pasted.

`python -m recollect.table.render.invite` draws them anew from the SVG beside them. Needs Chromium and playwright."""

from __future__ import annotations

import base64
from pathlib import Path
from typing import Any

from recollect.engine.shelf import games, load
from recollect.table.render.page import STATIC, face_of
from recollect.table.render.shot import CHROMIUM

CARD = (1200, 630)
STYLE = """
@font-face { font-family: Fraunces; src: url(data:font/woff2;base64,%s); font-weight: 100 900; }
body { margin: 0; width: 100vw; height: 100vh; display: grid; grid-template-columns: 1fr 1fr; align-items: center; overflow: hidden;
  background: radial-gradient(70vw 70vh at 30%% 40%%, var(--mood, #243340), #17212b); color: #f4efe6; font-family: Fraunces; }
img { width: 100%%; height: 100vh; object-fit: cover; } div { padding: 0 56px; display: grid; gap: 26px; }
h1 { margin: 0; font-size: 86px; font-weight: 620; line-height: 1.05; color: var(--accent, #ffb454); overflow-wrap: anywhere; }
p { margin: 0; display: flex; align-items: center; gap: 18px; font-size: 38px; color: #d3d8dc; } p img { width: 74px; height: 74px; }
body.icon { display: grid; grid-template-columns: 1fr; place-items: center; background: var(--ground); }
body.icon img { width: var(--part); height: var(--part); }
"""


def data(file: Path, kind: str = "image/svg+xml") -> str:
    return f"data:{kind};base64,{base64.b64encode(file.read_bytes()).decode()}"


def page(body: str, style: str = "", kind: str = "") -> str:
    font = base64.b64encode((STATIC / "fraunces-latin-wght-normal.woff2").read_bytes()).decode()
    return f'<!doctype html><style>{STYLE % font}</style><body class="{kind}" style="{style}">{body}'


def card(name: str) -> str:
    """A game as an invitation shows it; its name is the same in both languages."""
    game, mark = load(name), data(STATIC / "icon.svg")
    words = f'<div><h1>{game.texts("en")("name")}</h1><p><img src="{mark}" alt="">Recollect</p></div>'
    return page(f'<img src="{data(game.folder / "page" / "vignette.svg")}" alt="">{words}', face_of(name, "en").colours)


def icon(part: str, ground: str) -> str:
    return page(f'<img src="{data(STATIC / "icon.svg")}" alt="">', f"--part: {part}; --ground: {ground}", "icon")


def draw(browser: Any, html: str, size: tuple[int, int], file: Path, clear: bool = False) -> None:
    sheet = browser.new_page(viewport={"width": size[0], "height": size[1]})
    sheet.set_content(html, wait_until="load")
    sheet.evaluate("document.fonts.ready")
    pixels = {"type": "jpeg", "quality": 82} if file.suffix == ".jpg" else {"omit_background": clear}
    sheet.screenshot(path=file, **pixels)
    sheet.close()


def main() -> None:
    from playwright.sync_api import sync_playwright

    with sync_playwright() as p:
        browser = p.chromium.launch(executable_path="/usr/bin/chromium", args=list(CHROMIUM))
        for name in games():
            folder = load(name).folder / "page"
            if (folder / "vignette.svg").is_file():
                draw(browser, card(name), CARD, folder / "invite.jpg")
        house = page(f'<img src="{data(STATIC / "icon.svg")}" alt=""><div><h1>Recollect</h1></div>')
        draw(browser, house, CARD, STATIC / "invite.jpg")
        for n in (192, 512):
            draw(browser, icon("100%", "transparent"), (n, n), STATIC / f"icon-{n}.png", clear=True)
        draw(browser, icon("62%", "#17212b"), (512, 512), STATIC / "icon-mask.png")
        browser.close()


if __name__ == "__main__":
    main()
