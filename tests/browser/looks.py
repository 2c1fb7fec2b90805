"""The looks of a page: two widths, light and dark, English and Japanese.

One page is loaded once in each language; its width changes while it stays open. Colours move nothing, so one scheme goes
with each language. With the environment variable PICTURES=1, which takes three times as long, a picture of each look,
in both schemes, is saved as test-results/LOOK/NAME.png.
"""

import base64
import os
from itertools import product
from pathlib import Path

RESULTS = Path("test-results")
TAKES_PICTURES = os.environ.get("PICTURES") == "1"
HEIGHT = 800
WIDTHS = (360, 1280)
SCHEMES = {"en": "light", "ja": "dark"}
# Nothing is measured before this is true: every style sheet is there, every font, and the look that was asked for.
IS_READY = """([width, scheme]) => document.readyState === "complete"
  && [...document.querySelectorAll("link[rel=stylesheet]")].every((link) => link.sheet)
  && document.fonts.status === "loaded"
  && (!width || innerWidth === width)
  && (!scheme || matchMedia(`(prefers-color-scheme: ${scheme})`).matches)"""


def wait_for_styles(page, width=None, scheme=None):
    page.wait_for_function(IS_READY, arg=[width, scheme])


def in_both_languages(page):
    """Change the site's language for this browser, and yield it."""
    for language in ("en", "ja"):
        page.goto(f"/language/{language}/")
        yield language


def in_every_look(page, name):
    """Give an open page each width and scheme, and yield the width."""
    language = page.locator("html").get_attribute("lang")
    schemes = SCHEMES.values() if TAKES_PICTURES else [SCHEMES[language]]
    for width, scheme in product(WIDTHS, schemes):
        page.set_viewport_size({"width": width, "height": HEIGHT})
        page.emulate_media(color_scheme=scheme)
        wait_for_styles(page, width, scheme)
        if TAKES_PICTURES:
            take_picture(page, RESULTS / f"{width}-{scheme}-{language}" / f"{name}.png")
        yield width


def too_wide(page, name):
    """The looks of an open page in which it scrolls sideways."""
    return {(name, width) for width in in_every_look(page, name) if not fits(page)}


def fits(page):
    """Whether nothing has to be scrolled sideways."""
    wait_for_styles(page)
    return page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def take_picture(page, file):
    """The whole page. Chromium's quick encoder takes half the time of Playwright's own picture."""
    browser = page.context.new_cdp_session(page)
    size = browser.send("Page.getLayoutMetrics")["cssContentSize"]
    picture = browser.send(
        "Page.captureScreenshot",
        {"captureBeyondViewport": True, "optimizeForSpeed": True, "clip": size | {"scale": 1}},
    )
    browser.detach()
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(base64.b64decode(picture["data"]))
