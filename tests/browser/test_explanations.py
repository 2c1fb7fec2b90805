"""From a change of rate to its reasons, on a phone and a wide page."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.looks import (
    RESULTS,
    fits,
    in_both_languages,
    in_every_look,
    take_picture,
    too_wide,
    wait_for_styles,
)

HEAD = "event,date,player,number,place,registered_at,busted_at,starts_at,ends_at,closes_at\n"
# Two early busts, a re-entry, two late entries, registration open until 20:30.
ENTRIES = [
    ("Ace", 1, "19:00", ""), ("Lark", 1, "19:00", "22:30"), ("Iris", 2, "19:50", "22:10"), ("Moss", 1, "20:10", "22:00"),
    ("Juno", 1, "20:20", "21:50"), ("Gray", 1, "19:00", "21:40"), ("Hale", 1, "19:00", "21:20"),
    ("Finch", 1, "19:00", "21:00"), ("Drake", 1, "19:00", "20:50"), ("Bishop", 1, "19:00", "20:40"),
    ("Keane", 1, "19:00", "19:55"), ("Iris", 1, "19:00", "19:44"),
]  # fmt: skip
DAY = "2026-03-21"


def row(place, player, number, came, went):
    times = [f"{DAY}T{time}" if time else "" for time in (came, went, "19:00", "22:30", "20:30")]
    return ",".join(["late-night", DAY, player, str(number), str(place), *times])


@pytest.fixture
def night(open_page, log_in, tmp_path):
    """An event with everything that a change can be made of; read in again it is the same one."""
    file = tmp_path / "night.csv"
    file.write_text(HEAD + "\n".join(row(place, *entry) for place, entry in enumerate(ENTRIES, start=1)))
    page = open_page()
    log_in(page)
    page.goto("/c/riverbank/s/winter-cup-2026/import/")
    page.locator("input[type=file]").set_input_files(file)
    page.get_by_role("button", name="Look at it").click()
    page.get_by_role("button", name=re.compile(r"^Save \d")).click()
    page.wait_for_url(re.compile(r"/(imports/saved/\d+|s/winter-cup-2026)/$"))  # the second: nothing was new
    page.goto("/c/riverbank/s/winter-cup-2026/")
    page.get_by_text("Points and ratings computed").wait_for(state="attached")
    page.goto("/c/riverbank/s/winter-cup-2026/events/")
    return page.get_by_role("link", name=DAY).first.get_attribute("href")


def shown_sum(page):
    """The steps of the first table, as shown, and the total below them, in tenths."""
    cells = page.locator("table").first.locator("tbody tr td:nth-child(3)").all_inner_texts()
    values = [round(float(text.replace("−", "-")) * 10) for text in cells if text.strip()]
    return sum(values[:-1]), values[-1]


PLAYERS = ("Keane", "Moss", "Iris", "Ace")


def open_reasons(page, night, name):
    page.goto(night)
    page.locator("table tbody tr", has_text=name).first.locator("a.why").click()
    page.locator("h1", has_text=name).wait_for()
    wait_for_styles(page)


def test_each_change_leads_to_its_reasons(open_page, night):
    page = open_page()
    for name in PLAYERS:
        open_reasons(page, night, name)
        steps, total = shown_sum(page)
        assert steps == total
    page.locator("main").get_by_role("link", name="TIER").last.click()
    page.locator("table.params").wait_for()


def test_no_page_about_reasons_scrolls_sideways(open_page, night):
    page = open_page()
    for _language in in_both_languages(page):
        for name in PLAYERS:
            open_reasons(page, night, name)
            steps, total = shown_sum(page)
            assert steps == total
            n_charts = 2 if name == "Iris" else 1
            for width in in_every_look(page, f"why-{name.lower()}"):
                assert fits(page), (name, width)
                assert page.locator("figure").count() == n_charts
                assert page.locator("svg.chart:visible").count() == n_charts
        page.goto("/c/riverbank/rating/")
        for width in in_every_look(page, "rating-settings"):
            assert fits(page), width
            assert page.evaluate(
                "document.querySelector('.params').offsetWidth <= document.querySelector('.stack').clientWidth"
            )
        page.goto("/c/riverbank/players/?on=2026-02-01&sort=-rate")
        assert too_wide(page, "players-then") == set()


def test_an_owner_changes_the_settings(open_page, log_in):
    page = open_page(viewport={"width": 360, "height": 740})
    log_in(page)
    page.goto("/c/riverbank/rating/")
    page.get_by_role("link", name="Change the settings").click()
    page.get_by_role("radio", name="soft reset").check()
    page.get_by_label("Floor of the rate").fill("850")
    page.get_by_text("More", exact=True).click()
    assert fits(page)
    take_picture(page, RESULTS / "360-light-en" / "rating-settings-form.png")
    page.get_by_label("Chance in one evening").fill("0")
    page.get_by_role("button", name="Save and rate again").click()
    page.get_by_text("It must be more than 0.").wait_for()
    expect(page.get_by_label("Floor of the rate")).to_have_value("850")
    page.get_by_label("Chance in one evening").fill("1000")
    page.get_by_role("button", name="Save and rate again").click()
    page.get_by_text("Saved. The ratings are computed again.").wait_for()
    expect(page.locator("main")).to_contain_text("from 900 to 850")
    page.get_by_role("link", name="Change the settings").click()
    page.get_by_role("link", name="Back to the published values").click()
    expect(page.get_by_label("Floor of the rate")).to_have_value("900")
    page.get_by_role("button", name="Save and rate again").click()
    page.get_by_text("Saved. The ratings are computed again.").wait_for()
    expect(page.locator("main")).to_contain_text("from 850 to 900")
