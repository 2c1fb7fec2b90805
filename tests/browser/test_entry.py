"""The event form in a browser: completion, what is kept of what was typed, a server that does not answer."""

import re
import threading

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT, as_another

CREATE = "/c/riverbank/s/winter-cup-2026/events/new/"
BOX = "#id_order"
NOTHING_KEPT = "Object.keys(localStorage).length === 0"


@pytest.fixture
def page(open_page, log_in):
    page = open_page()
    log_in(page)
    page.goto(CREATE)
    as_another(page)
    return page


@pytest.fixture
def shaky(new_context, log_in_by_form):
    """A page whose failed requests may be told on the console; its session may be ended."""
    page = new_context().new_page()
    log_in_by_form(page)
    page.goto(CREATE)
    as_another(page)
    return page


def typed(page, text):
    """At the cursor, which stands at the end."""
    page.locator(BOX).focus()
    page.locator(BOX).press_sequentially(text)


def test_tab_keeps_a_name_that_is_known(page):
    typed(page, "Lark\nHal")
    page.locator("#offer button", has_text="Hale B").wait_for()
    typed(page, "E")
    expect(page.locator("#offer button")).to_have_count(0)
    page.locator(BOX).press("Tab")
    expect(page.locator(BOX)).to_have_value("Lark\nHalE")
    expect(page.locator(BOX)).not_to_be_focused()


def test_tab_takes_only_what_begins_as_it_was_typed(page):
    typed(page, "ale")
    page.locator("#offer button", has_text="Hale").first.wait_for()
    page.locator(BOX).press("Tab")
    expect(page.locator(BOX)).to_have_value("ale")
    expect(page.locator("#offer button")).to_have_count(0)
    typed(page, "\nale")
    page.locator("#offer button").first.wait_for()
    page.locator(BOX).press("Alt+ArrowDown")
    chosen = page.locator("#offer button[aria-selected=true]").inner_text()
    page.locator(BOX).press("Tab")
    expect(page.locator(BOX)).to_have_value(f"ale\n{chosen}")


def test_what_is_typed_before_the_scripts_are_there_is_read_and_completed(page):
    held, is_typed = [], threading.Event()
    page.route("**/js/*", lambda route: route.continue_() if is_typed.is_set() else held.append(route))
    page.goto(CREATE, wait_until="commit")
    typed(page, "Lark\nHal")
    is_typed.set()
    for script in held:
        script.continue_()
    page.locator("#offer button", has_text="Hale").first.wait_for()
    page.get_by_text("Hal: new guest, or Hale?").first.wait_for()


def is_a_reading(response):
    return response.request.method == "POST" and response.url.endswith(CREATE)


def press_publish_until_the_name_is_read(page, name):
    """Fill in the name and hold the button down, which leaves the field, until the site has read it."""
    page.locator(".terms > summary").click()
    page.get_by_label("Name", exact=True).fill(name)
    page.get_by_role("button", name="Publish").hover()
    with page.expect_response(is_a_reading) as answer:
        page.mouse.down()
    answer.value.finished()
    page.wait_for_load_state("networkidle")


def keep_from_the_site(route):
    """Answer a form that is sent, so that nothing is published; let readings through."""
    if route.request.is_navigation_request():
        route.fulfill(body="sent")
    else:
        route.continue_()


def test_a_button_is_not_replaced_while_it_is_held_down(page):
    typed(page, "Drake\nKeane")
    page.get_by_text("Ready to publish").wait_for()
    press_publish_until_the_name_is_read(page, "Late")
    page.route(f"**{CREATE}", keep_from_the_site)
    page.mouse.up()
    page.get_by_text("sent", exact=True).wait_for()


def test_a_press_that_is_taken_back_has_the_name_read_again(page):
    typed(page, "Drake\nKeane")
    page.get_by_text("Ready to publish").wait_for()
    press_publish_until_the_name_is_read(page, "Late")
    page.locator("h1").hover()
    with page.expect_response(is_a_reading):
        page.mouse.up()
    expect(page.locator("#entry-form")).to_be_visible()


FORM = """<textarea id="id_order"></textarea><ul id="offer"></ul>
<script id="known-names" type="application/json">["Lark", "Larkin", "3rd Larsen"]</script>"""


@pytest.mark.parametrize(
    "line",
    [
        "Lark",
        "LARK ko3",
        "Lark cost 60",
        "Lark cost 12.50 ko 2",
        "Lark (new)",
        "Ｌａｒｋ（新規）",
        "Lark x2",
        "Lark ×2 @21:40",
        "Lark @ 0:10",
        "Lark #1 ko3 cost 60 @21:40",
        "1. Lark",
        "1st Lark ko1",
        "(1) Lark",
        "1位 Lark",
        "①Lark",
        "= Lark ko3",
        "Zora = 2. Lark x2",
    ],
)
def test_a_name_that_stands_already_is_not_offered_again(browser, line):
    page = browser.new_page()
    page.set_content(FORM)
    page.add_script_tag(path=ROOT / "static" / "js" / "entry.js")
    page.locator(BOX).fill(f"{line}\n3rd Larsen x2\nLar")
    expect(page.locator("#offer button")).to_have_text(["Larkin"])
    page.close()


NAMES = "Lark\nHale\nZora the guest"
BACK = "What you typed before is back."


def publish(page):
    page.get_by_role("button", name="Publish").click()


def test_an_event_typed_when_the_session_ends_is_back_after_the_log_in(page, log_in_by_form):
    page.locator(".terms > summary").click()
    page.get_by_label("Name", exact=True).fill("Lost and found")
    typed(page, NAMES)
    page.get_by_text("Ready to publish").wait_for()
    page.context.clear_cookies(name="sessionid")
    publish(page)
    page.locator("input[name=login]").wait_for()
    log_in_by_form(page)
    page.goto(CREATE)
    page.get_by_text(BACK).wait_for()
    as_another(page)
    page.locator(BOX).dispatch_event("input")
    expect(page.locator(BOX)).to_have_value(NAMES)
    expect(page.get_by_label("Name", exact=True)).to_have_value("Lost and found")
    page.get_by_text("3 players, 3 entries. Ready to publish.").wait_for()
    publish(page)
    page.get_by_role("heading", name=re.compile("Lark (outlasts|wins)")).wait_for()
    for _visit in range(2):  # a published event does not come back, and neither does the draft
        page.goto(CREATE)
        expect(page.get_by_text(BACK)).to_be_hidden()
        expect(page.locator(BOX)).to_have_value("")
    page.wait_for_function(NOTHING_KEPT)


def test_a_form_older_than_the_log_in_says_that_its_text_is_kept(shaky, log_in_by_form):
    typed(shaky, NAMES)
    shaky.get_by_text("Ready to publish").wait_for()
    other = shaky.context.new_page()
    other.goto("/accounts/logout/")
    other.locator("main button[type=submit]").click()
    expect(other.locator(".mine")).to_have_text("Sign in")
    log_in_by_form(other)
    with shaky.expect_response(lambda response: response.status == 403):
        publish(shaky)
    shaky.get_by_text("What you typed is kept").wait_for()
    expect(shaky.get_by_label("Finishing order")).to_have_value(NAMES)
    shaky.get_by_role("link", name="Open the form again").click()
    shaky.get_by_text(BACK).wait_for()
    expect(shaky.locator(BOX)).to_have_value(NAMES)
    shaky.get_by_role("button", name="Start afresh").click()
    expect(shaky.locator(BOX)).to_have_value("")
    shaky.goto(CREATE)
    expect(shaky.locator(BOX)).to_have_value("")


def test_signing_out_removes_what_was_typed(shaky):
    typed(shaky, NAMES)
    shaky.get_by_text("Ready to publish").wait_for()
    assert not shaky.evaluate(NOTHING_KEPT)
    shaky.goto("/accounts/logout/")
    shaky.locator("main button[type=submit]").click()
    expect(shaky.locator(".mine")).to_have_text("Sign in")
    shaky.wait_for_function(NOTHING_KEPT)


def test_a_draft_comes_back_with_its_answer(page):
    typed(page, "Lrak\nHale")
    page.locator(".asks li:not(.answered) .choices button").first.click()
    expect(page.locator(".asks .answered")).to_have_count(1)
    page.goto(CREATE)
    page.get_by_text(BACK).wait_for()
    expect(page.locator(".asks .answered")).to_have_count(1)
    page.locator(".asks .answered button").click()
    expect(page.locator(".asks .answered")).to_have_count(0)


def test_a_draft_of_the_day_before_yesterday_is_dropped(page):
    typed(page, NAMES)
    page.evaluate("""() => { for (const [key, text] of Object.entries(localStorage))
        localStorage.setItem(key, JSON.stringify({...JSON.parse(text), at: Date.now() - 86_400_001})); }""")
    page.goto(CREATE)
    page.wait_for_function(NOTHING_KEPT)
    expect(page.locator(BOX)).to_have_value("")


def test_a_browser_that_keeps_nothing_is_no_hindrance(page):
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('no'); } })"
    )
    page.goto(CREATE)
    as_another(page)
    typed(page, "Lark\nHale")
    page.get_by_text("Ready to publish").wait_for()


def test_a_correction_is_kept_too_and_forgotten_once_it_is_saved(page):
    address = "/c/riverbank/events/2/edit/"
    page.goto(address)
    saved = page.locator(BOX).input_value()
    page.locator(BOX).fill(f"{saved}\nZora the guest")
    page.goto(address)
    page.get_by_text(BACK).wait_for()
    expect(page.locator(BOX)).to_have_value(f"{saved}\nZora the guest")
    page.get_by_text("Ready to publish").wait_for()
    page.get_by_role("button", name="See what changes").click()
    page.locator("#reason").fill("Entry missing")
    page.get_by_role("button", name="Save the correction").click()
    page.get_by_role("link", name="Correct the result").click()
    expect(page.locator(BOX)).to_have_value(re.compile("Zora"))
    expect(page.get_by_text(BACK)).to_be_hidden()


def test_a_reading_that_failed_is_told_and_asked_again(shaky):
    shaky.context.set_offline(True)
    typed(shaky, NAMES)
    shaky.get_by_text("The site could not read this just now").wait_for()
    expect(shaky.get_by_role("button", name="Publish")).to_be_visible()
    shaky.context.set_offline(False)
    shaky.get_by_text("3 players, 3 entries. Ready to publish.").wait_for()
    expect(shaky.get_by_text("The site could not read this just now")).to_be_hidden()


def test_a_log_in_page_is_no_reading(shaky):
    shaky.context.clear_cookies(name="sessionid")
    typed(shaky, NAMES)
    shaky.get_by_text("The site could not read this just now").wait_for()
    expect(shaky.locator("#reading")).to_have_count(1)
    expect(shaky.locator("input[name=login]")).to_have_count(0)
