"""Pages of the laboratory at 360 and 1280 px, light and dark, English and Japanese; sliders with and without scripts."""

from playwright.sync_api import expect

from tests.browser.looks import in_both_languages, too_wide

PAGES = {
    "index": "/lab/",
    "vpip": "/lab/vpip/",
    "vpip-wrong": "/lab/vpip/?seats=11",
    "decide": "/lab/decide/",
    "decide-wrong": "/lab/decide/?p=20",
}


def test_no_page_of_the_laboratory_scrolls_sideways(open_page):
    page = open_page()
    wide = set()
    for _language in in_both_languages(page):
        for name, address in PAGES.items():
            assert page.goto(address).status == 200, address
            wide |= too_wide(page, f"laboratory-{name}")
    assert wide == set()


def test_a_slider_moves_sentence_table_and_address(open_page):
    page = open_page(viewport={"width": 360, "height": 800})
    page.goto("/lab/vpip/")
    seats = page.get_by_role("slider", name="Seats")
    seats.press("ArrowLeft")
    page.get_by_text("At 8 seats this player plays").wait_for()
    expect(page.locator(".slide output").last).to_have_text("8")
    page.wait_for_url("**seats=8*")
    page.goto("/lab/vpip/?phi=80")
    expect(page.get_by_role("spinbutton", name="φ")).to_have_value("80")


def test_a_decision_is_followed_while_typing_and_made_without_scripts(open_page):
    page = open_page()
    page.goto("/lab/decide/")
    page.get_by_label("Chance to win").fill("20")
    page.get_by_text("Did you mean 0.2?").wait_for()
    page.get_by_label("Chance to win").fill("0.8")
    page.get_by_text("Raise to 73.33.").first.wait_for()
    page = open_page(java_script_enabled=False)
    page.goto("/lab/decide/")
    page.get_by_label("γ, shuns risk").fill("0")
    page.get_by_role("button", name="Decide").click()
    page.get_by_text("Call 15.", exact=True).wait_for()
