"""The evening form in a browser: completion, what is kept of what was typed, a server that does not answer."""

import pytest

pytestmark = pytest.mark.browser

CREATE = "/c/riverbank/s/winter-cup-2026/events/new/"
BOX = "#id_order"


@pytest.fixture
def page(open_page, log_in):
    page = open_page()
    log_in(page)
    page.goto(CREATE)
    return page


def typed(page, text):
    """At the cursor, which stands at the end."""
    page.locator(BOX).focus()
    page.locator(BOX).press_sequentially(text)


def test_tab_keeps_a_name_that_is_known(page):
    typed(page, "Lark\nHal")
    page.locator("#offer button", has_text="Hale B").wait_for()
    typed(page, "E")
    assert page.locator("#offer button").count() == 0
    page.locator(BOX).press("Tab")
    assert page.locator(BOX).input_value() == "Lark\nHalE"
    assert page.evaluate("document.activeElement.id") != "id_order"


def test_tab_takes_only_what_begins_as_it_was_typed(page):
    typed(page, "ale")
    page.locator("#offer button", has_text="Hale").first.wait_for()
    page.locator(BOX).press("Tab")
    assert page.locator(BOX).input_value() == "ale"
    assert page.locator("#offer button").count() == 0
    typed(page, "\nale")
    page.locator("#offer button").first.wait_for()
    page.locator(BOX).press("Alt+ArrowDown")
    chosen = page.locator("#offer button[aria-selected=true]").inner_text()
    page.locator(BOX).press("Tab")
    assert page.locator(BOX).input_value() == f"ale\n{chosen}"
