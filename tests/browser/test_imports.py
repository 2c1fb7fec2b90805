"""A file with unknown headings in a browser: what its columns mean is said on the page, it is saved, and undone."""

import pytest
from playwright.sync_api import expect

from tests.browser.looks import fits

UPLOAD = "/c/riverbank/s/winter-cup-2026/import/"
FILE = "Rg.;Wer;Wann;Q{width}{language}\n1;Märta;{day};40\n2;Hägar;{day};\n3;Bär;{day};20\n"


@pytest.mark.parametrize(
    ("width", "language", "day"),
    [
        (360, "ja", "2026-01-08"),
        (1280, "en", "2026-01-09"),
        (360, "en", "2026-01-10"),
        (1280, "ja", "2026-01-11"),
    ],
)
def test_a_file_with_unknown_headings_is_imported_and_undone(open_page, log_in, width, language, day):
    page = open_page(viewport={"width": width, "height": 800}, locale=language)
    log_in(page)
    page.goto(f"/language/{language}/")
    page.goto(UPLOAD)
    file = {
        "name": "abende.csv",
        "mimeType": "text/csv",
        "buffer": FILE.format(day=day, width=width, language=language).encode("cp1252"),
    }
    page.locator("input[type=file]").set_input_files([file])
    page.locator("main form button[type=submit]").click()
    page.locator(".colmap").wait_for()
    assert fits(page)
    assert "Märta, Hägar, Bär" in page.locator("label:has(input:checked)").inner_text()
    page.locator(".colmap select").nth(3).select_option("meaning:3=cost")
    page.locator("button[name=answer][value='']").click()
    expect(page.locator(".colmap select").nth(3).locator("option:checked")).not_to_have_attribute(
        "value", "meaning:3=cost"
    )
    while page.locator(".asks li:not(.answered)").count():
        n = page.locator(".asks .answered").count()
        page.locator(".asks li:not(.answered) button").last.click()
        expect(page.locator(".asks .answered")).to_have_count(n + 1)
    page.locator("button[name=save]").click()
    page.locator(".stamp button").wait_for()
    assert fits(page)
    page.locator(".stamp button").click()
    expect(page.locator(".stamp button")).to_have_count(0)
    page.goto("/c/riverbank/players/")
    expect(page.get_by_text("Märta")).to_have_count(0)
