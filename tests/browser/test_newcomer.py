"""A newcomer's path through the real site, with a real worker behind it."""

import csv
import io
import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import as_another
from tests.browser.looks import fits

EVENTS = {
    "vp_kid": "Ostler\nIchigo\nKestrel\nCobnut\nPilcrow\nFenwick\nGaspard\nMizuki\nMarlow\nLantern",
    "inverse": "Tsubame\nCorsair\nQuillfeather\nUmeboshi\nHalibut\nDovetail\nBramble\nKumagoro\nAnchovy\nPetrichor",
}


def begin_season(page, name, structure, *, takes_over=True):
    page.goto("/c/riverbank/seasons/new/")
    if not takes_over:
        page.locator("[name=taken_from]").select_option("")
        page.locator("button[name=fill]").click()
        page.locator(".taken-over").get_by_role("status").wait_for()
    page.get_by_label("Name").fill(name)
    page.get_by_label("Points structure").select_option(structure)
    page.get_by_role("button", name="Begin the season").click()
    page.get_by_text("No evening has been computed yet").wait_for()


def paste_event(page, text):
    page.locator("main").get_by_role("link", name="Enter an evening").click()
    box = page.get_by_label("Finishing order", exact=True)
    box.focus()
    as_another(page)
    box.evaluate(
        "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})); }", text
    )


@pytest.mark.parametrize(
    ("structure", "points"), [pytest.param("vp_kid", "5311", marks=pytest.mark.smoke), ("inverse", "52111")]
)
def test_begin_a_season_paste_ten_names_and_see_points_ratings_and_badges(
    open_page, log_in, structure, points
):
    page = open_page()
    log_in(page)
    begin_season(page, f"Path {structure}", structure)
    winner = EVENTS[structure].splitlines()[0]
    paste_event(page, EVENTS[structure])
    page.get_by_text("10 players, 10 entries. Ready to publish.").wait_for()
    shown = [text.split()[-1] for text in page.locator(".order .pts").all_inner_texts()]
    assert "".join(shown) == points.ljust(10, "0")

    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name=f"{winner} outlasts 9 others").wait_for()
    page.locator("td.bd .badge").first.wait_for()
    cells = page.locator("td.key").all_inner_texts()
    assert "".join(cells) == points.ljust(10, "0")
    assert page.locator("td.bd .badge").first.inner_text().split() == ["Provisional", "badge", "B1"]

    page.get_by_role("link", name="Table", exact=True).click()
    rows = page.locator("table.lead-t tbody tr")
    expect(rows).to_have_count(10)
    expect(rows.first).to_contain_text(winner)
    expect(rows.first.locator("td.key")).to_have_text(f"How this total is made: {int(points[0]) + 1}")
    page.locator(".orders summary").click()
    with page.expect_download() as download:
        page.locator("main").get_by_role("link", name="CSV").click()
    text = download.value.path().read_text(encoding="utf-8-sig")
    lines = list(csv.DictReader(io.StringIO(text)))
    assert [line["points"] for line in lines] == list(points.ljust(10, "0"))
    assert lines[0]["player"] == winner
    assert lines[0]["badge"] == "B1"


def test_a_doubtful_line_is_asked_and_answered_beside_it(open_page, log_in):
    page = open_page(viewport={"width": 360, "height": 740})
    log_in(page)
    begin_season(page, "Doubts", "vp_kid")
    paste_event(page, "Lark\nDrak\nLark\nFinch = Moss\nTom W")
    page.get_by_text("Drak: new guest, or Drake?").first.wait_for()
    expect(page.locator(".order .err")).to_contain_text("already stands in line 1")
    expect(page.get_by_role("link", name="Mend 1 line")).to_have_attribute("href", "#line-3")
    expect(page.get_by_role("button", name="Publish")).to_be_hidden()
    page.get_by_role("button", name="Leave out").click()
    expect(page.get_by_role("link", name="Answer 1 name")).to_have_attribute("href", "#asks")
    page.get_by_role("button", name="Drake and remember “Drak”").click()
    expect(page.get_by_label("Finishing order", exact=True)).to_have_value("Lark\nDrak\nFinch = Moss\nTom W")
    page.get_by_text("5 players, 5 entries. Ready to publish.").wait_for()
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name="Lark outlasts 4 others").wait_for()


def test_two_letters_and_tab_complete_a_name(open_page, log_in):
    page = open_page()
    log_in(page)
    begin_season(page, "Typing", "vp_kid")
    page.locator("main").get_by_role("link", name="Enter an evening").click()
    box = page.get_by_label("Finishing order", exact=True)
    box.focus()
    box.press_sequentially("kea")
    page.locator("#offer button").first.wait_for()
    box.press("Tab")
    expect(box).to_have_value(re.compile(r"^\s*Keane\s*$"))


def test_everything_works_without_scripts(open_page, log_in):
    page = open_page(java_script_enabled=False)
    log_in(page)
    begin_season(page, "No scripts", "vp_kid")
    page.locator("main").get_by_role("link", name="Enter an evening").click()
    as_another(page)
    page.get_by_label("Finishing order", exact=True).fill("Lark\nLark\nMoss")
    page.get_by_role("button", name="Look again").click()
    page.get_by_role("button", name="Leave out").click()
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("heading", name="Lark outlasts 1 other").wait_for()


def test_a_correction_by_another_organizer_is_not_overwritten(open_page, log_in):
    first, second = open_page(), open_page()
    for page in (first, second):
        log_in(page)
    begin_season(first, "Together", "vp_kid")
    paste_event(first, "Lark\nMoss\nIris")
    first.get_by_text("Ready to publish").wait_for()
    first.get_by_role("button", name="Publish").click()
    first.get_by_role("link", name="Correct the result").click()
    first.get_by_label(
        "Finishing order", exact=True
    ).wait_for()  # until then the address is still that of the event
    second.goto(first.url)
    for page, text in ((first, "Moss\nLark\nIris"), (second, "Lark = Moss\nIris")):
        page.get_by_label("Finishing order", exact=True).fill(text)
        page.get_by_text("3 players").wait_for()
        page.get_by_role("button", name="See what changes").click()
        if page is first:
            page.get_by_role("heading", name="Moss and Lark swapped").wait_for()
            page.locator("#reason").fill("Two names mixed up")
            page.get_by_role("button", name="Save the correction").click()
            page.get_by_role("heading", name=re.compile("Moss (outlasts|wins)")).wait_for()
    first.get_by_role("heading", name=re.compile("Moss (outlasts|wins)")).wait_for()
    second.get_by_role("heading", name="has changed this evening since you opened it").wait_for()
    for width in (360, 1280):
        second.set_viewport_size({"width": width, "height": 800})
        assert fits(second)
    second.get_by_text("1. Lark, 1. Moss").click()
    second.get_by_role("button", name="Save the merged result").click()
    second.get_by_role("link", name="Correct the result").click()
    expect(second.get_by_label("Finishing order", exact=True)).to_have_value("Lark = Moss\nIris")
