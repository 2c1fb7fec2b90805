"""A correction is previewed before it is saved: nothing claims that it is published, and what is asked for is in view."""

import pytest
from playwright.sync_api import expect

from tests.browser.looks import fits
from tests.browser.test_newcomer import begin_season, paste_event

IS_ABOVE_THE_BAR = """() => document.querySelector("#reason").getBoundingClientRect().bottom
  <= document.querySelector(".thumb").getBoundingClientRect().top"""


@pytest.mark.parametrize("width", [360, 1280])
def test_a_missing_reason_comes_into_view_and_the_preview_says_nothing_of_a_publication(
    open_page, log_in, width
):
    page = open_page(viewport={"width": width, "height": 740})
    log_in(page)
    begin_season(page, f"Corrections {width}", "vp_kid")
    paste_event(page, "Lark\nMoss\nIris")
    page.get_by_text("Ready to publish").wait_for()
    page.get_by_role("button", name="Publish").click()
    page.get_by_role("link", name="Correct the result").click()
    box = page.get_by_label("Finishing order", exact=True)
    box.fill("Moss\nLark\nIris")
    page.locator("#closing [name=save]").click()
    page.get_by_role("heading", name="Moss and Lark swapped").wait_for()
    expect(page.get_by_text("Published.")).to_have_count(0)
    page.get_by_role("button", name="Save the correction").click()
    reason = page.locator("#reason")
    expect(reason).to_be_focused()
    expect(page.locator("#reason-error")).to_be_in_viewport()
    page.wait_for_function(IS_ABOVE_THE_BAR)  # the page may still be scrolling
    assert fits(page)
    expect(page.get_by_text("Published.")).to_have_count(0)
    reason.fill("Two names mixed up")
    page.get_by_role("button", name="Save the correction").click()
    page.get_by_role("heading", name="Moss outlasts").wait_for()
    page.get_by_role("link", name="Correct the result").click()
    expect(box).to_have_value("Moss\nLark\nIris")
    expect(page.get_by_text("What you typed before is back")).to_be_hidden()
