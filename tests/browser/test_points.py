"""Pages about points at 360 and 1280 px, light and dark, English and Japanese; the editor while typing."""

from playwright.sync_api import expect

from tests.browser.looks import RESULTS, in_both_languages, take_picture, too_wide

SEASON = "/c/riverbank/s/winter-cup-2026/"
OLD = "/c/riverbank/s/straddle-cup-1999/"
PAGES = {
    "editor": f"{SEASON}edit/",
    "seat-table": f"{SEASON}seats/?seats=60",
    "breakdown": f"{SEASON}players/1/",
    "what-if": f"{SEASON}what-if/?structure=linear&best_n=6",
    "season-by-month": f"{SEASON}table/?by=month",
    "brought": f"{OLD}brought/",
    "leaderboard-1999": OLD,
    "event-terms": "/c/riverbank/events/1/terms/",
}


def test_no_page_about_points_scrolls_sideways(open_page, log_in):
    page = open_page()
    log_in(page)
    wide = set()
    for language in in_both_languages(page):
        for name, address in PAGES.items():
            assert page.goto(address).status == 200, address
            assert page.locator("html").get_attribute("lang") == language
            wide |= too_wide(page, f"points-{name}")
    assert wide == set()


def test_the_table_beside_the_editor_follows_what_is_typed(open_page, log_in):
    page = open_page(viewport={"width": 1280, "height": 900})
    log_in(page)
    page.goto(f"{SEASON}edit/")
    preview = page.locator("#preview")
    expect(page.get_by_label("By place", exact=True)).to_be_hidden()
    page.get_by_label("Points structure").select_option("custom")
    page.get_by_label("By place", exact=True).press_sequentially("50, 60")
    preview.get_by_text("Place 2 has 60, more than the 50 of place 1.").wait_for()
    page.get_by_label("By place", exact=True).fill("50, 30")
    preview.get_by_text("Votes of your own: 50, 30, then nothing").wait_for()
    expect(preview.locator("tbody tr")).to_have_count(96)
    page.get_by_label("Points structure").select_option("expression")
    page.get_by_label("Formula", exact=True).fill("n - k + 1 / abs(n - 37)")
    preview.get_by_text("It divides by zero for 37 entries, place 1.").wait_for()
    take_picture(page, RESULTS / "points-editor-error.png")
    page.get_by_role("button", name="Save").click()
    page.locator(".field .errorlist", has_text="It divides by zero for 37 entries").wait_for()
    expect(page.get_by_label("Formula", exact=True)).to_have_value("n - k + 1 / abs(n - 37)")


def test_the_editor_previews_without_scripts(open_page, log_in):
    page = open_page(java_script_enabled=False)
    log_in(page)
    page.goto(f"{SEASON}edit/")
    page.get_by_label("Points structure").select_option("linear")
    page.get_by_role("button", name="Preview").click()
    page.locator("#preview").get_by_text("Linear: n-k+1").wait_for()
    page.goto(f"{SEASON}edit/")
    expect(page.get_by_label("Points structure")).to_have_value("vp_kid")


def test_the_seat_table_of_sixty_is_one_sheet(open_page):
    page = open_page()
    page.goto(f"{SEASON}seats/?seats=60")
    sheet = page.pdf(format="A4", path=RESULTS / "seats-print.pdf", prefer_css_page_size=True)
    assert sheet.count(b"/Type /Page\n") + sheet.count(b"/Type /Page ") + sheet.count(b"/Type /Page/") == 1
