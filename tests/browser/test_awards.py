"""Awards, a meet and a seal, made as an owner makes them."""

import pytest
from django.db import connection
from playwright.sync_api import expect

from tests.browser.looks import in_both_languages, too_wide
from tests.browser.test_newcomer import begin_season, paste_event

SEASON = "/c/riverbank/s/autumn-cup/"
# Names that no other test types: the site is theirs too.
GAMES = {
    "Hold'em": "Tamarack\nWakame\nJuniper\nFoxglove\nBellwether\nSedgewick\nNettlefold\nYuzuriha = Sorrel\nThistledown",
    "Mahjong": "Juniper\nWakame\nTamarack\n早乙女\nThistledown",
    "Backgammon": "早乙女\nJuniper\nTamarack = Wakame",
}
AWARDS = (
    {"Award for": "first_three"},
    {"Award for": "best_profit", "Minimum evenings": "2"},
    {"Award for": "most_attendance"},
    {"Award for": "best_newcomer", "Title": "The best new face of the autumn at the riverside tables"},
    {"Award for": "most_improved", "Minimum evenings": "3"},
    {"Award for": "chosen", "Title": "Best dealer", "Player": "Thistledown"},
)


def publish(page, name, text):
    page.goto(SEASON)
    paste_event(page, text)
    page.locator(".terms > summary").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_text("Ready to publish").wait_for()
    expect(page.locator(".htmx-request")).to_have_count(0)  # the name is read, too
    page.get_by_role("button", name="Publish").click()
    page.locator("table.lead-t").wait_for()
    wait_until_computed(page)


def wait_until_computed(page):
    """Until then the page may reload itself at any moment, which would cancel a visit to another one."""
    page.get_by_text("Points and ratings computed").wait_for(state="attached")


def choose_awards(page):
    page.goto(f"{SEASON}awards/")
    page.get_by_role("link", name="Choose the awards").click()
    for award in AWARDS:
        page.get_by_label("Award for").select_option(award["Award for"])
        for label in ("Title", "Minimum evenings", "Player"):
            page.get_by_label(label, exact=True).fill(award.get(label, ""))
        page.get_by_role("button", name="Add").click()
        page.locator(".chosen li").nth(AWARDS.index(award)).wait_for()


def change_award(page):
    """The last one gets another name and stays where it is; the address of its form."""
    page.get_by_role("link", name="Change Best dealer").click()
    expect(page.get_by_label("Player", exact=True)).to_have_value("Thistledown")
    page.get_by_label("Title", exact=True).fill("Best dealer of the long riverside nights")
    address = page.url
    page.get_by_role("button", name="Save").click()
    page.locator(".chosen li").last.get_by_text("Best dealer of the long riverside nights").first.wait_for()
    expect(page.locator(".chosen li")).to_have_count(len(AWARDS))
    return address


def make_meet(page):
    page.goto(f"{SEASON}events/")
    page.get_by_role("link", name="Make a meet").click()
    page.get_by_label("Name").fill("Harvest meet")
    for name in GAMES:
        page.get_by_label(name).check()
    page.get_by_role("button", name="Make the meet").click()
    page.get_by_role("heading", name="Harvest meet").wait_for()
    wait_until_computed(page)
    return page.url


@pytest.fixture
def look_at(open_page, log_in):
    """Look at pages by their names and addresses; none may scroll sideways. Looks do not depend on the database."""

    opened = []

    def look_at(pages):
        if connection.vendor != "sqlite":
            return
        if not opened:
            opened.append(open_page())
            log_in(opened[0])
        (page,) = opened
        wide = set()
        for _language in in_both_languages(page):
            for name, address in pages.items():
                assert page.goto(address).status == 200, address
                wide |= too_wide(page, name)
        assert wide == set()

    return look_at


def test_awards_a_meet_and_a_seal(open_page, log_in, look_at):
    page = open_page()
    log_in(page)
    begin_season(page, "Autumn Cup", "vp_kid", takes_over=False)
    look_at({"awards-none": f"{SEASON}awards/"})
    for name, text in GAMES.items():
        publish(page, name, text)
    choose_awards(page)
    changed = change_award(page)
    meet = make_meet(page)
    expect(page.locator("table.meet tbody tr")).to_have_count(11)
    page.goto(f"{SEASON}awards/")
    wait_until_computed(page)
    expect(page.locator(".awards section")).to_have_count(len(AWARDS))
    look_at(
        {
            "awards-open": f"{SEASON}awards/",
            "award-editor": f"{SEASON}awards/edit/",
            "award-change": changed,
            "meet": meet,
            "meet-form": f"{meet}edit/",
            "meet-events": f"{SEASON}events/",
        },
    )
    page.goto(SEASON)
    page.get_by_text("Seldom: close or delete the season").click()
    page.get_by_role("link", name="Close the season").click()
    look_at({"season-close": f"{SEASON}close/"})
    page.get_by_role("button", name="Close the season").click()
    page.get_by_text("Points and ratings computed").wait_for(state="attached")
    page.get_by_text("Seldom: close or delete the season").click()
    page.get_by_role("link", name="Seal the season").click()
    look_at({"seal-new": f"{SEASON}seal/edit/"})
    page.get_by_role("button", name="Seal the season").click()
    page.get_by_role("heading", name="This season is sealed").wait_for()
    with page.expect_download() as download:
        page.get_by_role("link", name="sealed.json").click()
    assert download.value.path().read_bytes().startswith(b'{"awards":[')
    look_at(
        {
            "awards-sealed": f"{SEASON}awards/",
            "seal": f"{SEASON}seal/",
            "seal-break": f"{SEASON}seal/edit/",
            "sealed-table": SEASON,
        },
    )
