"""A table pasted into the form of an event: headings, ties, a menu above each column, in both languages."""

from playwright.sync_api import expect

from reading.tables.meanings import Meaning
from reading.tables.pasted import OFFERED
from tests.browser.conftest import as_another
from tests.browser.looks import fits, in_both_languages

CREATE = "/c/riverbank/s/winter-cup-2026/events/new/"
TABLE = "順位\tPlayer\tKO\tTeam\n1\tFinch\t2\tRed\nT2\tMoss\t1\tBlue\nT2\tAce\t0\tRed\n\tTotal\t3\n"
SIZES = ({"width": 360, "height": 740}, {"width": 1280, "height": 800})


def test_a_table_with_headings_and_ties_is_pasted_and_its_columns_are_changed(open_page, log_in):
    page = open_page(viewport=SIZES[0])
    log_in(page)
    for _language in in_both_languages(page):
        page.evaluate("localStorage.clear()")  # the draft of the other language
        page.goto(CREATE)
        as_another(page)
        page.locator("#id_order").fill(TABLE)
        rows = page.locator("#order tbody tr")
        expect(rows).to_have_count(3)
        assert [row.locator(".pos").inner_text() for row in rows.all()] == ["1", "2", "2"]
        menus = page.locator(".colmap select")
        expect(menus).to_have_count(4)
        chosen = [OFFERED[menu.evaluate("menu => menu.selectedIndex")] for menu in menus.all()]
        assert chosen == [Meaning.PLACE, Meaning.PLAYER, Meaning.KNOCKOUTS, Meaning.UNUSED]
        expect(page.locator(".unused li")).to_have_count(3)
        menus.nth(2).select_option("unused")
        expect(page.locator(".unused li")).to_have_count(4)
        for size in SIZES:
            page.set_viewport_size(size)
            assert fits(page)
            expect(page.locator("#closing [name=save]")).to_be_in_viewport()
