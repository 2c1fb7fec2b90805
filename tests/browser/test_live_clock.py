"""The clock of a night on a desk, a screen and a player's phone: within 250 ms of each other, whatever their own clocks say."""

import re
import time

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PATIENCE_SECONDS
from tests.browser.live_phones import PHONE, begin, club, invite_screens, link_of, organizer, phone

__all__ = ["club", "organizer", "phone"]
APART_MS = 250
WINDOW_SECONDS = 5
HOUR, MINUTE = 3_600_000, 60_000
# A browser whose clock is wrong from the start and can be changed; `flips` are the moments at which the shown time
# changed, by the clock of the machine.
OWN_CLOCK = """
(() => {
  const real = Date.now.bind(Date);
  let shift = SHIFT;
  Date.now = () => real() + shift;
  window.changeClock = (ms) => { shift += ms; };
  window.flips = [];
  let last = "";
  new MutationObserver(() => {
    const found = document.querySelector("#strip .t, .left-t");
    const text = found ? found.textContent : "";
    if (text !== last) window.flips.push([real(), text]);
    last = text;
  }).observe(document, { childList: true, subtree: true, characterData: true });
})();
"""


def ends_at(flips):
    """Find when a clock will be at 0 by what it has shown. A busy machine shows a second late, none shows it early."""
    found = []
    for at, text in flips:
        minutes, seconds = map(int, re.fullmatch(r"(\d+):(\d\d)", text).groups())
        found.append(at + 1_000 * (60 * minutes + seconds))
    return min(found)


def spread(pages):
    """Look for some seconds; return how far apart the clocks are, in ms."""
    for page in pages:
        page.evaluate("flips.length = 0")
    time.sleep(WINDOW_SECONDS)
    ends = [ends_at(page.evaluate("flips")) for page in pages]
    return max(ends) - min(ends)


def agree(pages):
    """Wait until the clocks agree, and see that they still do then."""
    end = time.monotonic() + PATIENCE_SECONDS
    while (apart := spread(pages)) > APART_MS:
        assert time.monotonic() < end, f"{apart} ms apart"
    assert spread(pages) <= APART_MS


@pytest.fixture
def desk(organizer):
    organizer.context.add_init_script(OWN_CLOCK.replace("SHIFT", "0"))
    return begin(
        organizer,
        {"Players expected": "9", "Starting stack": "6500"},
        {"Blinds": "proposed for these players, stacks and hours"},
    )


def opened(new_context, link, shift, ready):
    context = new_context(**PHONE)
    context.add_init_script(OWN_CLOCK.replace("SHIFT", str(shift)))
    page = context.new_page()
    page.goto(link)
    page.get_by_role("button", name=re.compile("Go on|Show it here")).click()
    expect(page.locator(ready)).to_be_attached()
    return page


def test_clocks_agree(desk, new_context):
    invite_screens(desk)
    screen = opened(new_context, link_of(desk, "screen"), 3 * HOUR, "#screen[data-ready]")
    follow = opened(new_context, link_of(desk, "player"), -40 * MINUTE, "#follow[data-ready]")
    pages = [desk.page, screen, follow]
    desk.page.bring_to_front()
    desk.page.locator("#strip").get_by_role("button", name="Start now").click()
    for page in pages:
        page.locator("#strip a.t, #strip .t, .left-t").filter(has_text=re.compile(r"^\d+:\d\d$")).wait_for()
    agree(pages)

    # A clock is changed while it is connected.
    screen.evaluate("changeClock(-7_000)")
    agree(pages)

    # Two are cut off, one of them changes its clock; the desk stops the clock and goes on meanwhile.
    for page in (screen, follow):
        page.context.set_offline(True)
    follow.evaluate("changeClock(90_000)")
    desk.page.keyboard.press("Space")
    expect(desk.page.locator("#strip")).to_contain_text("stopped")
    desk.has_sent_all()
    time.sleep(2)
    desk.page.keyboard.press("Space")
    expect(desk.page.locator("#strip")).not_to_contain_text("stopped")
    desk.has_sent_all()
    for page in (screen, follow):
        page.context.set_offline(False)
    agree(pages)
