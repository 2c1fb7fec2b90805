"""What a page is for stands on the first screen of a phone."""

import pytest

PHONE = {"width": 390, "height": 740}
SEASON = "/c/riverbank/s/winter-cup-2026/"
LAST_NIGHT = "/c/riverbank/events/10/"  # of the demo club, March 17
# How far down each thing is that ends above the lower edge, and how high.
WHOLE = """(selector) => [...document.querySelectorAll(selector)]
  .map((each) => each.getBoundingClientRect())
  .filter((box) => box.height && box.bottom <= innerHeight && box.top >= 0)
  .map((box) => [Math.round(box.top), Math.round(box.height)])"""
TARGET = 44  # px


@pytest.fixture
def phone(open_page):
    page = open_page()
    page.set_viewport_size(PHONE)
    return page


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("address", "rows", "least"),
    [(SEASON, "main table tbody tr", 8), (f"{SEASON}table/", "main table tbody tr", 8)],
)
def test_the_table_is_on_the_first_screen(phone, language, address, rows, least):
    phone.goto(f"/language/{language}/")
    phone.goto(address)
    found = phone.evaluate(WHOLE, rows)
    assert len(found) >= least
    assert found[0][0] < 260
    assert min(height for _top, height in found) >= TARGET


def test_the_podium_is_on_the_first_screen_of_an_event(phone):
    phone.goto(LAST_NIGHT)
    assert len(phone.evaluate(WHOLE, ".podium li")) == 3
    assert len(phone.evaluate(WHOLE, "main table tbody tr")) >= 5


def test_the_masthead_is_one_row(phone):
    for address in ("/", "/c/riverbank/", SEASON):
        phone.goto(address)
        [[top, height]] = phone.evaluate(WHOLE, ".mast")
        assert top == 0
        assert height <= 56


def test_the_whole_row_leads_to_the_player_and_its_figures_elsewhere(phone):
    phone.goto(SEASON)
    row = phone.locator("main table tbody tr").first
    box = row.bounding_box()
    for dx, part in ((box["width"] / 2, "/players/"), (box["width"] - 15, f"{SEASON}players/")):
        phone.goto(SEASON)
        phone.mouse.click(box["x"] + dx, box["y"] + box["height"] - 4)
        phone.wait_for_url(f"**{part}**")
    phone.goto(SEASON)
    row.locator("td.bd a").click()
    phone.wait_for_url("**/badges/**")


def test_no_column_of_a_season_is_cut_below_the_total(phone):
    phone.goto(f"{SEASON}table/")
    cut = phone.evaluate(
        """() => {
          const edge = document.querySelector(".season thead .tt").getBoundingClientRect().left;
          return [...document.querySelectorAll(".season .ev")]
            .map((each) => each.getBoundingClientRect())
            .filter((box) => box.left < edge - 1 && box.right > edge + 1).length;
        }"""
    )
    assert cut == 0
