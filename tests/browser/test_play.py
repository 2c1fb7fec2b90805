"""A sit-and-go on a phone, with the thumb and with keys."""

import re

import pytest
from playwright.sync_api import expect

HEIGHT = 740


def go_on_until(page, selector):
    """Check or fold until there is such an element; folding never ends a game at once."""
    for _decision in range(60):
        if page.locator(selector).count():
            return
        buttons = page.locator("[data-key=' '], [data-key=f], [data-key=c]")
        with page.expect_navigation():
            buttons.first.tap()
    pytest.fail(f"no {selector}")


def test_a_hand_is_played_with_the_thumb_and_the_next_with_keys(open_page):
    page = open_page(viewport={"width": 360, "height": HEIGHT}, has_touch=True)
    page.goto("/lab/play/")
    page.get_by_role("button", name="Deal").tap()
    expect(page.locator(".felt .spot")).to_have_count(3)
    go_on_until(page, "#slide")
    for button in page.locator(".duo button").all():
        box = button.bounding_box()
        assert box["height"] >= 48
        assert HEIGHT / 2 < box["y"] <= HEIGHT - box["height"]
    assert page.evaluate("document.documentElement.scrollWidth") == 360
    slider, number = page.locator("#slide"), page.locator("#to")
    slider.wait_for()  # the script shows it; until then it takes no keys
    slider.focus()
    page.keyboard.press("End")
    expect(number).to_have_value(slider.get_attribute("max"))
    number.fill("1")
    with page.expect_navigation():
        page.get_by_role("button", name=re.compile("Raise")).tap()
    expect(page.locator(".errorlist")).to_contain_text("Raise to between")
    expect(number).to_have_value("1")
    go_on_until(page, "[data-key=' ']")
    expect(page.get_by_role("heading", name="What would they have done in your seat?")).to_be_visible()
    hand = page.locator(".tally").inner_text()
    with page.expect_navigation():
        page.keyboard.press("Space")
    expect(page.locator(".tally")).not_to_have_text(hand)
    go_on_until(page, "[data-key=c]")
    before = page.locator(".log li").count()
    with page.expect_navigation():
        page.keyboard.press("c")
    expect(page.locator(".log li").nth(before)).to_contain_text("You c")
