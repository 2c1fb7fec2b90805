"""From an invitation to a published evening, and every way back, on a phone in Japanese and on a desktop in English."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import as_another
from tests.browser.looks import fits
from tests.browser.test_account import PASSWORD, fill_in

CLUB = "/c/riverbank/"
LOOKS = {"phone": ({"width": 360, "height": 740}, "ja"), "desktop": ({"width": 1280, "height": 800}, "en")}


@pytest.fixture(params=LOOKS)
def look(request):
    size, language = LOOKS[request.param]
    return {"viewport": size, "locale": language}


def press(page, selector):
    """Press a button of the page and wait for the page after it."""
    with page.expect_navigation():
        page.locator(f"main {selector}").first.click()


def link_of_invitation(page, **fields):
    """Make an invitation on the page of people, and read its link, beside its QR code."""
    if fields:
        page.locator("main form[action$='/invite/'] select[name=role]").select_option(**fields)
    press(page, "form[action$='/invite/'] button.main")
    expect(page.locator(".code svg")).to_be_visible()
    return page.locator("p.link").inner_text().strip()


def publish(page, season, text, winner):
    """Begin a season of its own, which no other test reads, and publish its first evening."""
    page.goto(f"{CLUB}seasons/new/")
    page.locator("main input[name=name]").fill(season)
    page.locator("main select[name=structure]").select_option("vp_kid")
    press(page, "form button.main")
    page.goto(f"{page.url}events/new/")
    box = page.locator("textarea[name=order]")
    box.focus()
    as_another(page)
    box.evaluate(
        "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})); }", text
    )
    page.locator("button[name=save]").click()
    page.wait_for_url(re.compile(r"/events/\d+/$"))
    expect(page.locator("h1")).to_contain_text(winner)
    return re.search(r"/events/(\d+)/$", page.url)[0]


def test_an_organizer_is_invited_publishes_and_takes_back(open_page, log_in, look):
    language = look["locale"]
    one, two = {"ja": ("Wisteria", "Wystan"), "en": ("Juniper", "Jocasta")}[language]
    owner, guest = open_page(**look), open_page(**look)
    log_in(owner)

    owner.goto(f"{CLUB}people/")
    link = link_of_invitation(owner, value="30")
    guest.goto(link)
    press(guest, "form button.main")
    name = f"organizer-{language}"
    fill_in(guest, username=name, email=f"{name}@example.com", password1=PASSWORD, password2=PASSWORD)
    guest.wait_for_url("**/c/riverbank/")
    assert fits(guest)
    event = publish(guest, f"Journey {language}", f"{one}\n{two}\nSorrel", one)
    address = f"{CLUB.rstrip('/')}{event}"

    guest.goto(f"{address}edit/")
    box = guest.locator("textarea[name=order]")
    box.fill(f"{two}\n{one}\nSorrel")
    press(guest, "#closing [name=save]")
    expect(guest.locator("table.versus")).to_contain_text(two)
    assert fits(guest)
    guest.locator("input[name=reason]").fill("Swapped")
    press(guest, "button[name=save]")
    expect(guest.locator("h1")).to_contain_text(two)
    expect(guest.locator("main")).to_contain_text("Swapped")

    guest.goto(f"{address}delete/")
    press(guest, "form button.main")
    undo = guest.locator("form[action*='/bin/'] button").first
    expect(undo).to_be_visible()
    assert fits(guest)
    undo.click()
    guest.wait_for_url(f"**{event}")
    expect(guest.locator("h1")).to_contain_text(two)


def test_a_player_is_claimed_by_a_link_and_merged_with_a_preview(open_page, log_in, look):
    language = look["locale"]
    one, other = {"ja": ("Bartholomew", "Barth"), "en": ("Clementine", "Clemmie")}[language]
    owner, member = open_page(**look), open_page(**look)
    log_in(owner)
    for typed in (one, other):
        owner.goto(f"{CLUB}players/new/")
        fill_in(owner, name=typed)
        owner.wait_for_url("**/players/")
    publish(owner, f"Claim {language}", f"{one}\nSorrel\nTeasel", one)
    owner.locator("main").get_by_role("link", name=one).first.click()
    owner.wait_for_url(re.compile(r"/players/\d+/"))
    number = re.search(r"/players/(\d+)/", owner.url)[1]

    owner.goto(f"{CLUB}people/?player={number}")
    link = link_of_invitation(owner)
    member.goto(link)
    expect(member.locator("h1")).to_contain_text(one)
    press(member, "form button.main")
    name = f"member-{language}"
    fill_in(member, username=name, email=f"{name}@example.com", password1=PASSWORD, password2=PASSWORD)
    member.wait_for_url("**/c/riverbank/")
    member.goto(f"{CLUB}people/")
    expect(member.locator("main .stand")).to_contain_text(one)

    owner.goto(f"{CLUB}players/{number}/merge/")
    owner.locator("input[name=other]").fill(other)
    press(owner, "form button.main")
    expect(owner.locator("fieldset.pick").last).to_contain_text(other)
    assert fits(owner)
    press(owner, "button[name=save]")
    undo = owner.locator("a[href*='/merges/'], form[action*='/merges/'] button").first
    expect(undo).to_be_visible()
    with owner.expect_navigation():
        undo.click()
    owner.goto(f"{CLUB}players/?q={other}")
    expect(owner.locator("main")).to_contain_text(other)
