"""The tools of the finishing order in a browser: names tapped in place, rows moved by keys and by dragging."""

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import as_another
from tests.browser.looks import fits, in_both_languages

CREATE = "/c/riverbank/s/winter-cup-2026/events/new/"
BOX = "#id_order"
PHONE = {"width": 360, "height": 740}


@pytest.fixture
def page(open_page, log_in):
    page = open_page(viewport=PHONE)
    log_in(page)
    return page


def tapped(page, n):
    """Tap the first name `n` times; how far the list of names has moved in the window, and who was tapped."""
    section = page.locator("#regulars")
    top = section.bounding_box()["y"]
    names = []
    for i in range(n):
        name = page.locator("#regulars .names button").first
        names.append(name.get_attribute("value"))
        name.click()
        expect(page.locator(".order li[data-ref]")).to_have_count(i + 1)
    return section.bounding_box()["y"] - top, names


def test_names_are_tapped_in_place_and_published_on_a_phone(page):
    for _language in in_both_languages(page):
        page.evaluate("localStorage.clear()")  # the draft of the other language
        page.goto(CREATE)
        as_another(page)
        moved, names = tapped(page, 3)
        assert abs(moved) <= 1
        expect(page.locator(BOX)).to_have_value("\n".join(names))
        main = page.locator("#closing [name=save]")
        expect(main).to_be_in_viewport()
        assert main.bounding_box()["height"] >= 48
        page.locator("#closing [name=back]").click()
        expect(page.locator(BOX)).to_have_value("\n".join(names[:2]))
        assert fits(page)
        page.set_viewport_size({"width": 1280, "height": 800})
        expect(main).to_be_in_viewport()
        page.set_viewport_size(PHONE)
    main.click()
    page.wait_for_url("**/events/*/")
    expect(page.locator("h1")).to_contain_text(names[0])


def test_a_row_is_moved_by_keys_by_dragging_and_by_its_tools(page):
    page.set_viewport_size({"width": 1280, "height": 800})
    page.goto(CREATE)
    box, handles = page.locator(BOX), page.locator(".order .handle")
    box.fill("Lark\nHale\nIris\nMoss")
    expect(handles).to_have_count(4)
    handles.nth(3).focus()
    for text in ("Lark\nHale\nMoss\nIris", "Lark\nMoss\nHale\nIris"):
        page.keyboard.press("ArrowUp")
        expect(box).to_have_value(text)
    expect(handles.nth(1)).to_be_focused()
    expect(page.locator("#closing")).to_contain_text("Moss, now in place 2 of 4.")

    target = handles.nth(3).bounding_box()
    handles.nth(0).hover()
    page.mouse.down()
    page.mouse.move(target["x"] + 5, target["y"] + target["height"] + 5, steps=5)
    page.mouse.up()
    expect(box).to_have_value("Moss\nHale\nIris\nLark")

    page.locator(".order li", has_text="Lark").get_by_label("In at").fill("20:15")
    expect(box).to_have_value("Moss\nHale\nIris\nLark in 20:15")
    page.get_by_role("button", name="= Tie").click()
    expect(box).to_have_value("Moss\nHale\nIris = Lark in 20:15")


def test_two_letters_and_enter_put_a_name_at_the_end(page):
    page.goto(CREATE)
    page.locator("#find").press_sequentially("kea")
    expect(page.locator("#found [aria-pressed=true]")).to_have_text("Keane")
    page.locator("#find").press("Enter")
    expect(page.locator(BOX)).to_have_value("Keane")
    expect(page.locator("#find")).to_have_value("")
    page.locator("#find").press_sequentially("Wilma")
    page.locator("#find").press("Enter")
    expect(page.locator(BOX)).to_have_value("Keane\nWilma")
