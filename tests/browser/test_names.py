"""Names on the entry form in a browser: a typo becomes a known player by one tap, and is remembered."""

from playwright.sync_api import expect

from tests.browser.conftest import as_another
from tests.browser.looks import fits, in_both_languages

CREATE = "/c/riverbank/s/winter-cup-2026/events/new/"
TEXT = "Lark\nFynch\nMoss"
PHONE, DESK = {"width": 360, "height": 740}, {"width": 1280, "height": 800}


def open_form(page, text):
    page.goto(CREATE)
    page.evaluate("localStorage.clear()")  # the draft of the other language
    page.goto(CREATE)
    as_another(page)
    page.locator("#id_order").fill(text)
    expect(page.locator(".order li[data-ref]")).to_have_count(3)


def test_a_typo_becomes_a_known_player_and_is_remembered(open_page, log_in):
    page = open_page(viewport=PHONE)
    log_in(page)
    ask, answered = page.locator(".asks > li:not(.answered)"), page.locator(".asks > .answered")
    for language in in_both_languages(page):
        open_form(page, TEXT)
        expect(ask).to_contain_text({"en": "Fynch: new guest, or Finch?", "ja": "Fynch"}[language])
        expect(page.locator("#closing a.main")).to_have_attribute("href", "#asks")
        for size in (DESK, PHONE):
            page.set_viewport_size(size)
            assert fits(page)
        assert ask.locator("button").first.bounding_box()["height"] >= 44
        ask.locator("button").first.click()
        expect(answered).to_contain_text("Finch")
        expect(page.locator(".order li[data-ref]").nth(1)).to_contain_text("Finch")
        answered.locator("button").click()
        expect(ask).to_have_count(1)
        ask.locator("button").first.click()
        expect(page.locator("#id_order")).to_have_value(TEXT)
    page.locator("#closing [name=save]").click()
    page.wait_for_url("**/events/*/")
    expect(page.locator("main")).to_contain_text("Finch")
    open_form(page, TEXT)
    expect(page.locator(".order li[data-ref]").nth(1)).to_contain_text("Finch")
    expect(ask).to_have_count(0)
