"""Three doubtful names are answered one after the other, one is undone and answered again, on every form that asks."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import as_another
from tests.browser.looks import fits

pytestmark = pytest.mark.browser
SEASON = "/c/riverbank/s/winter-cup-2026/"
SLIPS = ("Fynch", "Drak", "Keanne")  # of Finch, Drake and Keane
VIEWPORTS = {360: {"width": 360, "height": 740}, 1280: {"width": 1280, "height": 800}}


def answer_three(page):
    """Answer with the first suggestion, one after the other; undo the second, and say that it is somebody new."""
    asked, answered = page.locator(".asks > li:not(.answered)"), page.locator(".asks > .answered")
    expect(asked).to_have_count(3)
    for n_answered in (1, 2, 3):
        asked.first.locator("button").first.click()
        expect(answered).to_have_count(n_answered)
    known = answered.all_inner_texts()
    answered.nth(1).get_by_role("button").click()
    expect(asked).to_have_count(1)
    assert fits(page)
    asked.locator("button").last.click()
    expect(answered).to_have_count(3)
    now = answered.all_inner_texts()
    assert [before == after for before, after in zip(known, now, strict=True)] == [True, False, True]


def begin_event(page):
    page.goto(f"{SEASON}events/new/")
    page.evaluate("localStorage.clear()")
    page.reload()
    as_another(page)


def type_order(page):
    begin_event(page)
    page.locator("#id_order").fill("\n".join(SLIPS))


def paste_table(page):
    begin_event(page)
    page.locator("#id_order").fill(
        "Place\tName\n" + "".join(f"{n}\t{name}\n" for n, name in enumerate(SLIPS, 1))
    )


def upload_file(page):
    page.goto(f"{SEASON}import/")
    lines = "".join(f"Slips,2026-01-10,{n},{name}\n" for n, name in enumerate(SLIPS, 1))
    file = {
        "name": "slips.csv",
        "mimeType": "text/csv",
        "buffer": f"event,date,place,player\n{lines}".encode(),
    }
    page.locator("input[type=file]").set_input_files([file])
    page.locator("main form button[type=submit]").click()


def list_members(page):
    page.goto("/c/riverbank/players/members/")
    page.locator("textarea[name=names]").fill("\n".join(SLIPS))
    page.locator("button[name=look]").click()


def bring_forward(page):
    page.goto(f"{SEASON}brought/")
    page.locator("textarea[name=text]").fill("".join(f"{name} 10 2\n" for name in SLIPS))


@pytest.mark.parametrize("width", VIEWPORTS)
@pytest.mark.parametrize("ask", [type_order, paste_table, upload_file, list_members, bring_forward])
def test_three_names_are_answered_and_one_again(open_page, log_in, ask, width):
    page = open_page(viewport=VIEWPORTS[width])
    log_in(page)
    ask(page)
    answer_three(page)
