"""A club's year in a real browser: from the sign-up to the sealed season, on a phone and on a desktop."""

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import as_another
from tests.browser.looks import fits
from tests.browser.test_account import PASSWORD, fill_in
from tests.browser.test_people import link_of_invitation, press

MEMBERS = "Name\tPhone\nAda Quist\t0791 123456\nBo Lind\t\nCleo Marsh\t\nDora Voss\t"
MOST_CLICKS = 7  # of the first evening, from the club's page to the published result


def sign_up(page, name):
    fill_in(
        page,
        username=name,
        email=f"{name.replace(' ', '.')}@example.com",
        password1=PASSWORD,
        password2=PASSWORD,
    )


def open_club(page, name, plays="poker"):
    page.goto("/clubs/new/")
    page.locator("main input[name=name]").fill(name)
    page.locator("[name=plays]").select_option(plays)
    expect(page.locator("input[name=is_public]")).not_to_be_checked()
    press(page, "form button.main")
    page.locator("main input[name=name]").fill("First season")
    press(page, "form button.main")
    return re.search(r"/c/[\w-]+/", page.url)[0]


def add_members(page, club):
    page.goto(f"{club}players/members/")
    page.locator("textarea[name=names]").fill(MEMBERS)
    press(page, "button[name=look]")
    expect(page.locator("ul.names").first).to_contain_text("Ada Quist")
    expect(page.locator("ul.unused")).to_contain_text("Phone")
    assert fits(page)
    press(page, "button[name=save]")


def first_evening(page, club):
    """Tap the members as they finished; count the clicks."""
    page.goto(club)
    clicks = []

    def click(target):
        clicks.append(target)
        target.click()

    click(page.locator("a[href$='/enter/'], a[href*='/events/new/']").first)
    for n, name in enumerate(("Ada Quist", "Bo Lind", "Cleo Marsh", "Dora Voss"), start=1):
        click(page.locator(f"#regulars button[value='{name}']"))
        expect(page.locator(".order > li[data-ref]")).to_have_count(n)
    click(page.locator("#closing button[name=save]"))
    page.get_by_role("heading", name="Ada Quist outlasts 3 others").wait_for()
    assert len(clicks) <= MOST_CLICKS
    assert fits(page)


def second_evening(page, club, season):
    """Paste the message of a chat."""
    page.goto(f"{season}events/new/")
    box = page.locator("textarea[name=order]")
    box.focus()
    as_another(page)
    text = (
        "Club night 🃏\n\n1. Cleo Marsh $40\n2. Ada Quist\n3. Zoe\n\nTotal pot: $60\nhttps://chat.example/e/7"
    )
    box.evaluate(
        "(box, text) => { box.value = text; box.dispatchEvent(new Event('input', {bubbles: true})); }", text
    )
    expect(page.locator(".order > .out")).to_have_count(3)
    assert fits(page)
    page.locator("#closing button[name=save]").click()
    page.get_by_role("heading", name="Cleo Marsh outlasts 2 others").wait_for()


def bring_in_a_list(page, season, day):
    """Import a list that says neither its day nor its start, and has a row of totals."""
    page.goto(f"{season}import/")
    file = {
        "name": "old.csv",
        "mimeType": "text/csv",
        "buffer": b"Pos,Name\n1,Bo Lind\n2,Dora Voss\n,Total 2\n",
    }
    page.locator("input[type=file]").set_input_files([file])
    page.locator("main form button[type=submit]").click()
    page.locator("input[name=day]").fill(day)
    press(page, ".actions button:has-text('Read it again')")  # not the hidden one, which Enter presses
    page.locator("input[name=start]").fill("19:30")
    press(page, "button:has-text('Use it')")
    expect(page.locator("main")).to_contain_text("19:30")
    assert fits(page)
    press(page, "button[name=save]")
    page.wait_for_url("**/imports/saved/*/")


def invite(page, club, guest, name, **role):
    page.goto(f"{club}people/")
    link = link_of_invitation(page, **role)
    guest.goto(link)
    press(guest, "form button.main")
    sign_up(guest, name)
    guest.wait_for_url(f"**{club}")


def claim_and_answer(owner, member, club):
    """A member says who it is; the owner reads it in the tray and answers there."""
    member.goto(f"{club}players/")
    member.locator("main").get_by_role("link", name="Dora Voss").first.click()
    member.wait_for_url(re.compile(r"/players/\d+/"))
    press(member, "form[action*='/claim/'] button")
    owner.goto(club)
    expect(owner.locator(".to-run .count")).to_contain_text("1")
    owner.goto(f"{club}run/")
    assert fits(owner)
    press(owner, "button[name=yes]")
    expect(owner.locator("main .stand")).to_contain_text("Nothing waits for you")


def merge(page, club, into):
    page.goto(f"{club}players/")
    page.locator("main").get_by_role("link", name="Zoe").first.click()
    page.wait_for_url(re.compile(r"/players/\d+/"))
    page.goto(f"{page.url}merge/")
    page.locator("input[name=other]").fill(into)
    press(page, "form button.main")
    assert fits(page)
    press(page, "button[name=save]")


def change_rules(page, season):
    page.goto(f"{season}edit/")
    page.locator("details.fold", has=page.locator("[name=attendance_points]")).locator("summary").click()
    page.locator("[name=attendance_points]").fill("3")
    press(page, "form button.main")
    expect(page.locator("h1")).to_contain_text("move")
    assert fits(page)
    press(page, "button[name=sure]")


def close_and_seal(page, season):
    page.goto(season)
    page.get_by_text("Seldom: close or delete the season").click()
    page.get_by_role("link", name="Close the season").click()
    assert fits(page)
    page.get_by_role("button", name="Close the season").click()
    page.get_by_text("Points and ratings computed").wait_for(state="attached")
    page.get_by_text("Seldom: close or delete the season").click()
    page.get_by_role("link", name="Seal the season").click()
    page.get_by_role("button", name="Seal the season").click()
    page.get_by_role("heading", name="This season is sealed").wait_for()
    assert fits(page)


@pytest.mark.parametrize("width", [360, 1280])
def test_a_year_of_a_club(open_page, width):
    size = {"viewport": {"width": width, "height": 740}, "locale": "en"}
    owner, organizer, helper = (open_page(**size) for _who in range(3))
    owner.goto("/accounts/signup/")
    sign_up(owner, f"Clara {width}")
    club = open_club(owner, f"Harbour {width}")
    season = re.search(r"/c/[\w-]+/s/[\w-]+/", owner.url)[0]
    add_members(owner, club)
    first_evening(owner, club)
    second_evening(owner, club, season)
    invite(owner, club, organizer, f"Ruth {width}", value="30")
    invite(owner, club, helper, f"Kit {width}", value="20")
    bring_in_a_list(helper, season, owner.evaluate("new Date().toISOString().slice(0, 8) + '01'"))
    claim_and_answer(owner, organizer, club)
    merge(owner, club, into="Bo Lind")
    change_rules(owner, season)
    close_and_seal(owner, season)


def type_night(page, season, scores):
    """Type a table of four, the winner first."""
    page.goto(f"{season}night/")
    names = ("Ada Quist", "Bo Lind", "Cleo Marsh", "Dora Voss")
    for row, (name, score) in enumerate(zip(names, scores, strict=True), start=1):
        page.locator(f"[name='1-1-{row}-name']").fill(name)
        page.locator(f"[name='1-1-{row}-score']").fill(score)


def first_night(page, season):
    """A slip of the pen is found before it is published, and mended with one tap."""
    type_night(page, season, ("453", "312", "184", "42"))
    expect(page.locator("#next")).to_have_text("Mend table 1")
    assert fits(page)
    page.get_by_role("button", name="Make it 32,100").click()
    page.get_by_role("button", name="Publish 1 table").click()
    page.wait_for_url(re.compile(r"/events/\d+/|/nights/\d+/|/meets/\d+/"))
    expect(page.locator(".said")).to_contain_text("Ada Quist is best with +65.3")
    assert fits(page)


def correct_night(page):
    """A reason is asked, and what changes is shown, before the night is published again."""
    page.get_by_role("link", name="Correct").first.click()
    page.locator("[name='1-1-2-score']").fill("311")
    page.locator("[name='1-1-3-score']").fill("194")
    page.get_by_role("button", name="See what changes").click()
    expect(page.locator("main")).to_contain_text("Nothing is saved yet")
    assert fits(page)
    page.locator("[name=reason]").fill("The sheet was read wrongly")
    press(page, "button[name=save]")
    expect(page.locator("main")).to_contain_text("−20.6")  # 19.4 - 30 - 10


def bring_in_scores(page, season, day):
    """Import games in hundreds from a file that says no game and no unit."""
    page.goto(f"{season}import/")
    rows = [
        f"{day},{game},1,{seat},{name},{score}"
        for game, scores in ((1, (401, 299, 200, 100)), (2, (350, 301, 249, 100)))
        for seat, name, score in zip(
            "ESWN", ("Bo Lind", "Ada Quist", "Dora Voss", "Zoe"), scores, strict=True
        )
    ]
    text = "\n".join(["Date,Hanchan,Table,Seat,Player,Score", *rows])
    file = {"name": "scores.csv", "mimeType": "text/csv", "buffer": text.encode()}
    page.locator("input[type=file]").set_input_files([file])
    page.locator("main form button[type=submit]").click()
    expect(page.locator("main")).to_contain_text("2 hanchan, 8 entries")
    assert fits(page)
    press(page, "button[name=save]")
    page.wait_for_url("**/imports/saved/*/")


@pytest.mark.parametrize("width", [360, 1280])
def test_a_year_of_a_riichi_club(open_page, width):
    size = {"viewport": {"width": width, "height": 740}, "locale": "en"}
    owner, organizer = (open_page(**size) for _who in range(2))
    owner.goto("/accounts/signup/")
    sign_up(owner, f"Mio {width}")
    club = open_club(owner, f"Tanuki {width}", plays="mahjong-4")
    season = re.search(r"/c/[\w-]+/s/[\w-]+/", owner.url)[0]
    add_members(owner, club)
    first_night(owner, season)
    correct_night(owner)
    invite(owner, club, organizer, f"Ren {width}", value="30")
    bring_in_scores(organizer, season, owner.evaluate("new Date().toISOString().slice(0, 8) + '01'"))
    claim_and_answer(owner, organizer, club)
    merge(owner, club, into="Cleo Marsh")
    change_rules(owner, season)
    close_and_seal(owner, season)
