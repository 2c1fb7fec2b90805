"""Three doubtful names are answered one after the other, one is undone and answered again, on every form that asks."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import as_another
from tests.browser.looks import fits

SEASON = "/c/riverbank/s/winter-cup-2026/"
SLIPS = ("Fynch", "Drak", "Keanne")  # of Finch, Drake and Keane
VIEWPORTS = {360: {"width": 360, "height": 740}, 1280: {"width": 1280, "height": 800}}


def answer_one_by_one(page):
    asked, answered = page.locator(".asks > li:not(.answered)"), page.locator(".asks > .answered")
    for n_answered in (1, 2, 3):
        asked.first.locator("button").first.click()
        expect(answered).to_have_count(n_answered)


def answer_together(page):
    """Choose two answers, change one of them, and send all three with the last one: one page load."""
    asked, loads = page.locator(".asks > li:not(.answered)"), []
    expect(page.get_by_role("button", name="Send these answers")).to_be_hidden()
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    asked.first.locator("button").last.click()
    asked.first.locator("button").first.click()
    asked.nth(1).locator("button").first.click()
    expect(page.locator(".asks button[aria-pressed=true]")).to_have_count(2)
    expect(page.get_by_role("button", name="Send these answers")).to_be_visible()
    assert fits(page)
    assert loads == []
    asked.nth(2).locator("button").first.click()
    expect(page.locator(".asks > .answered")).to_have_count(3)
    assert len(loads) == 1


def answer_three(page, answer_all=answer_one_by_one):
    """Answer with the first suggestion; undo the second, and say that it is somebody new."""
    asked, answered = page.locator(".asks > li:not(.answered)"), page.locator(".asks > .answered")
    expect(asked).to_have_count(3)
    answer_all(page)
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
    answer_three(page, answer_together if ask is upload_file else answer_one_by_one)


@pytest.mark.parametrize("width", VIEWPORTS)
def test_answers_chosen_and_not_sent_are_kept_by_every_other_button(open_page, log_in, width):
    page = open_page(viewport=VIEWPORTS[width])
    log_in(page)
    upload_file(page)
    page.locator(".asks > li").first.locator("button").first.click()
    page.get_by_role("button", name="Change or strike rows of slips.csv").click()
    expect(page.locator(".asks > .answered")).to_have_count(1)
    page.locator("input[name='cell:3:3']").fill("Robin Drake")
    assert fits(page)
    page.get_by_role("button", name="Strike line 4").click()
    expect(page.locator("input[name='cell:3:3']")).to_have_value("Robin Drake")
    expect(page.locator("input[name='cell:4:3']")).to_have_count(0)
    expect(page.locator(".asks")).to_contain_text("left out")


def test_enter_in_a_field_never_presses_a_button_that_changes_something(open_page, log_in):
    page = open_page(viewport=VIEWPORTS[360])
    log_in(page)
    page.goto(f"{SEASON}edit/")
    order = page.locator("input[name=tie_breaks]").input_value()
    page.locator("input[name=name]").press("Enter")
    expect(page.locator("#preview")).to_be_visible()
    assert page.locator("input[name=tie_breaks]").input_value() == order
    upload_file(page)
    page.get_by_role("button", name="Change or strike rows of slips.csv").click()
    page.locator("input[name='cell:2:3']").fill("Robin Drake")
    page.locator("input[name='cell:2:3']").press("Enter")
    expect(page.locator("input[name='cell:2:3']")).to_have_value("Robin Drake")
    expect(page.get_by_text(re.compile("suggestions? accepted"))).to_have_count(0)
    page.locator("input[name='cell:3:3']").fill("Anna Finch")
    page.locator("input[name='cell:3:3']").press("Enter")
    expect(page.locator("input[name='cell:3:3']")).to_have_value("Anna Finch")
    expect(page.locator("input[name='cell:2:3']")).to_have_value("Robin Drake")
