"""The practice table on a phone: two thumb-high buttons, keys, and both languages."""

from playwright.sync_api import expect

from tests.browser.looks import in_both_languages, too_wide

THUMB = 48  # px


def test_hands_by_thumb_and_by_keys(open_page):
    page = open_page()
    wide = set()
    for _language in in_both_languages(page):
        page.goto("/lab/practice/?new=1")
        wide |= too_wide(page, "practice-start")
        page.set_viewport_size({"width": 360, "height": 740})
        page.locator("button[name=deal]").click()
        buttons = page.locator("button[name=choice]")
        expect(buttons).to_have_count(2)
        boxes = [buttons.nth(i).bounding_box() for i in range(2)]
        assert all(box["height"] >= THUMB and box["y"] + box["height"] <= 740 for box in boxes)
        wide |= too_wide(page, "practice-asked")
        page.keyboard.press("f")
        expect(page.locator(".range13 td.you")).to_have_count(1)
        expect(page.locator(".tally b").first).to_have_text("1")
        wide |= too_wide(page, "practice-answer")
        page.keyboard.press("Space")
        page.locator("button[value=play]").click()
        expect(page.locator(".dots :is(.right, .wrong)")).to_have_count(2)
    assert wide == set()
