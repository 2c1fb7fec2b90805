"""The season laboratory on the real site: a run goes on in the worker, and its pages fit every screen."""

from playwright.sync_api import expect

from tests.browser.looks import in_both_languages, too_wide

LABORATORY = "/c/riverbank/lab/"


def test_an_organizer_tries_out_a_season(open_page, log_in):
    page = open_page()
    log_in(page)
    page.goto(LABORATORY)
    page.get_by_role("link", name="Try out a season").click()
    page.get_by_label("made-up players of five types").check()
    page.get_by_label("Players of a night").fill("15")
    page.get_by_role("button", name="Run", exact=True).click()
    # The worker computes it, and the page sees to it by itself.
    expect(page.locator("h1")).to_contain_text("In 12 nights of 15 the best player wins")
    report = page.url
    wide = set()
    for _language in in_both_languages(page):
        for name, address in {
            "lab": LABORATORY,
            "lab-new": f"{LABORATORY}new/",
            "lab-report": report,
        }.items():
            page.goto(address)
            wide |= too_wide(page, name)
    assert wide == set()
