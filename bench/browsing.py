"""How large every page of the demo club is, and the first paint of its leaderboard in a fresh Chromium."""

import gzip
import os
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from playwright.sync_api import Browser, sync_playwright

from bench.report import met

MOST_KB, MOST_PACKED_KB = 60, 15
MOST_SECONDS, N_PAINTS = 0.6, 5
CLUB, LEADERBOARD = "/c/riverbank/", "/c/riverbank/s/winter-cup-2026/"
PAINT = """() => new Promise((done) => new PerformanceObserver((list) => {
  const [first] = list.getEntriesByName("first-contentful-paint");
  if (first) done(first.startTime / 1000);
}).observe({type: "paint", buffered: true}))"""
SHIFT = """() => new Promise((done) => { let sum = 0;
  new PerformanceObserver((list) => { for (const each of list.getEntries()) sum += each.value; })
    .observe({type: "layout-shift", buffered: true});
  setTimeout(() => done(sum), 500); })"""


@dataclass(frozen=True)
class Bound:
    """A figure, and the most that it may be."""

    HEAD: ClassVar[tuple[str, ...]] = ("what", "is", "goal", "how")

    what: str
    value: float
    most: float
    unit: str
    how: str

    def cells(self) -> tuple[str, ...]:
        goal = f"at most {self.most:g}{self.unit}: {met(self.value <= self.most)}"
        return self.what, f"{self.value:.3g}{self.unit}", goal, self.how


def measure() -> list[Bound]:
    with tempfile.TemporaryDirectory(prefix="tierboard-bench-") as folder:
        os.environ["VAR_DIR"] = folder
        os.environ["DJANGO_SETTINGS_MODULE"] = "league.settings"
        import django

        django.setup()
        from tests.browser.conftest import launch
        from tests.browser.screenshots import demo_site

        with demo_site(Path(folder), ["riverbank"]) as url, sync_playwright() as playwright:
            browser = launch(playwright)
            return [*_sizes(browser, url), *_paints(browser, url)]


def _sizes(browser: Browser, url: str) -> list[Bound]:
    """Find the largest pages of a reader without an account."""
    from tests.browser.addresses import every_page
    from tests.browser.screenshots import html_of

    context = browser.new_context(base_url=url)
    pages = [(page.address, html.encode()) for page, html in every_page(html_of(context), ["/", CLUB])]
    context.close()
    raw, by_raw = max((len(html) / 1_000, address) for address, html in pages)
    packed, by_packed = max((len(gzip.compress(html)) / 1_000, address) for address, html in pages)
    how = f"{len(pages)} pages of the demo club that links lead to, one of each kind: {{}}"
    return [
        Bound("HTML of the largest page", raw, MOST_KB, " kB", how.format(by_raw)),
        Bound("the same, compressed", packed, MOST_PACKED_KB, " kB", how.format(by_packed)),
    ]


def _paints(browser: Browser, url: str) -> list[Bound]:
    """Open the leaderboard in fresh contexts, which have cached nothing."""
    paints, shifts = [], []
    for _time in range(N_PAINTS):
        context = browser.new_context(base_url=url, viewport={"width": 360, "height": 740})
        page = context.new_page()
        page.goto(LEADERBOARD)
        paints.append(page.evaluate(PAINT))
        shifts.append(page.evaluate(SHIFT))
        context.close()
    how = f"demo leaderboard, 360 px wide, nothing cached, {N_PAINTS} times"
    return [
        Bound("first contentful paint", statistics.median(paints), MOST_SECONDS, " s", f"{how}, the median"),
        Bound("layout shift", max(shifts), 0.0, "", f"{how}, the most"),
    ]
