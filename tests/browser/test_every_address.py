"""Every page that links lead to, of the club's owner: axe-core, 200 % zoom, no scripts; and pages read by keyboard."""

import re

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from tests.browser.addresses import every_page
from tests.browser.conftest import LEADERBOARD
from tests.browser.looks import fits, wait_for_styles
from tests.browser.screenshots import html_of

MOST_TABS = 120
GRAVE = {"serious", "critical"}
# Style sheets need not be loaded once more: only a rule that is an experiment reads them.
OPTIONS = {"resultTypes": ["violations"], "elementRef": False, "preload": False}
WHOLE = {"width": 1280, "height": 800}
ZOOMED = {"width": 640, "height": 400}  # the same window at 200 %
# Buttons that nothing happens on without scripts: they neither send a form nor open anything.
DEAD_BUTTONS = """() => [...document.querySelectorAll("main button, header button")].filter((button) =>
  button.checkVisibility() && !button.disabled && !(button.type === "submit" && button.form) &&
  !button.popoverTargetElement).map((button) => button.outerHTML.slice(0, 120))"""
# Charts that are not shown in the size in which they are drawn.
SCALED_CHARTS = """() => [...document.querySelectorAll("svg.chart")].filter((chart) => chart.checkVisibility() &&
  chart.viewBox.baseVal.width > 30 &&
  Math.abs(chart.getBoundingClientRect().width / chart.viewBox.baseVal.width - 1) > 0.02)
  .map((chart) => chart.getAttribute("viewBox"))"""
ADDRESSES = pytest.StashKey()


@pytest.fixture
def addresses(request, new_context, session_of_demo):
    """Find one page of each name of the site and the demo club, once for all tests; other tests make other clubs."""
    stash = request.session.stash
    if ADDRESSES not in stash:
        context = new_context()
        context.add_cookies(session_of_demo)
        found = every_page(html_of(context), ["/", "/c/riverbank/"])
        own = (page for page, _html in found if page.club in {"", "riverbank"})
        stash[ADDRESSES] = {page.name: page.address for page in own}
    return stash[ADDRESSES]


def test_links_lead_to_most_pages(addresses):
    assert len(addresses) > 60, sorted(addresses)


def test_every_page_is_accessible_and_can_be_zoomed(open_page, log_in, addresses):
    page = open_page(viewport=ZOOMED)
    page.add_init_script(Axe().axe_script)
    log_in(page)
    found = []
    for address in addresses.values():
        page.set_viewport_size(ZOOMED)
        assert page.goto(address).status == 200, address
        if not fits(page):
            found.append(f"{address} scrolls sideways")
        found += [f"{address} scales a chart: {box}" for box in page.evaluate(SCALED_CHARTS)]
        page.set_viewport_size(WHOLE)
        wait_for_styles(page, WHOLE["width"])
        found += [f"{address} scales a chart: {box}" for box in page.evaluate(SCALED_CHARTS)]
        for violation in page.evaluate("options => axe.run(options)", OPTIONS)["violations"]:
            if violation["impact"] in GRAVE:
                found += [f"{address} {violation['id']}: {node['html'][:200]}" for node in violation["nodes"]]
    assert not found, "\n".join(found)


def test_without_scripts_every_button_in_view_does_something(open_page, log_in, addresses):
    page = open_page(java_script_enabled=False)
    log_in(page)
    dead = {address: page.evaluate(DEAD_BUTTONS) for address in addresses.values() if page.goto(address)}
    assert {address: buttons for address, buttons in dead.items() if buttons} == {}


FOCUS = """() => {
  // The outline of a link that covers its row is that of its ::after.
  const outlines = [null, "::after"].map((part) => getComputedStyle(document.activeElement, part));
  const isOutlined = outlines.some((each) => each.outlineStyle !== "none" && each.outlineWidth !== "0px");
  const box = document.activeElement.getBoundingClientRect();
  return { href: document.activeElement.getAttribute("href") ?? "", isSeen: isOutlined &&
           box.bottom > 0 && box.top < innerHeight && box.right > 0 && box.left < innerWidth };
}"""


def tab_to(page, pattern):
    """Press Tab until a link is reached; what has the focus is always seen."""
    for _press in range(MOST_TABS):
        page.keyboard.press("Tab")
        focus = page.evaluate(FOCUS)
        assert focus["isSeen"], page.evaluate("document.activeElement.outerHTML")
        if re.search(pattern, focus["href"]):
            return
    pytest.fail(f"{pattern} is not reached on {page.url}")


def test_from_the_leaderboard_to_a_player_and_an_event_by_keyboard(open_page):
    page = open_page()
    page.goto(LEADERBOARD)
    for link in (r"/players/\d+/(\?|$)", r"/events/\d+/$", r"/players/\d+/(\?|$)"):
        tab_to(page, link)
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile(link))
        expect(page.locator("h1")).to_be_visible()
