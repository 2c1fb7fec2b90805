"""An evening with everybody in it, in a real browser: organizer, helper, three players, a screen, a stranger and a mail scanner."""

import re
from urllib.request import Request, urlopen

import pytest
from playwright.sync_api import expect

from tests.browser.live_phones import (
    MEMBER,
    PHONE,
    begin,
    club,
    invite_screens,
    join,
    link_of,
    organizer,
    organizer_page,
    phone,
    sign_in,
)

__all__ = ["club", "organizer", "phone"]
TELEVISION = {"viewport": {"width": 1280, "height": 720}}
COME = ["Anton", "Bela", "Carla", "Carlo", "Finn", "Greta"]


@pytest.fixture
def desk(organizer):
    """Start a night with drawn seats at tables of six, proposed levels, and members who check in by themselves."""
    return begin(
        organizer,
        {"Players expected": "9", "Starting stack": "6500", "Seats at a table": "6", "Final table": "5"},
        {"Seats": "drawn as people come", "Blinds": "proposed for these players, stacks and hours"},
        ["Members check in with their own phones", "Players may say on their phones that they are out"],
    )


def follow(phone, link):
    """Scan the code at the door."""
    phone.page.goto(link)
    phone.page.get_by_role("button", name="Go on").click()
    expect(phone.page.locator("#follow[data-ready]")).to_be_attached()
    return phone


def ask_in(phone, name):
    phone.page.get_by_label("Your name").fill(name)
    phone.page.get_by_role("button", name="I am here", exact=True).click()
    expect(phone.page.locator("#wires")).to_contain_text("the desk is asked")


def waits_for(page, locator, text):
    expect(page.locator(locator)).to_contain_text(text)


def scan(address):
    """Open an address as a program does that looks into mails: without cookies and without what is behind #."""
    for method in ("HEAD", "GET"):
        with urlopen(Request(address.split("#")[0], method=method)) as answer:
            assert answer.status == 200


def devices(desk):
    page = organizer_page(desk, "helpers")
    names = page.locator("ul.dev strong").all_text_contents()
    page.close()
    return names


def test_an_evening_with_everybody(desk, phone, new_context, site):
    page = desk.page
    invite_screens(desk)
    links = {role: link_of(desk, role) for role in ("helper", "player", "screen")}

    # A mail scanner opens every link, and nothing has happened.
    before = devices(desk)
    for link in [*links.values(), f"{site.url}/live/{desk.night}/", f"{site.url}/live/{desk.night}/follow/"]:
        scan(link)
    assert devices(desk) == before
    waits_for(page, "#strip", "0 left")

    # The fingerprint of the draw is shown before anybody is in.
    desk.goes_to("seats")
    expect(page.locator("#view .proof code")).to_have_text(re.compile(r"^[0-9a-f]{64}$"))
    sha256 = page.locator("#view .proof code").inner_text()

    # A television shows a code; the organizer types it.
    screen = new_context(**TELEVISION).new_page()
    screen.goto("/live/screen/")
    expect(screen.locator("#code")).to_have_text(re.compile(r"\w{3} \w{3}"))
    cast = organizer_page(desk, "helpers")
    cast.get_by_label("Code on a screen").fill(screen.locator("#code").inner_text())
    cast.get_by_role("button", name="Show the night there").click()
    expect(cast.locator("main")).to_contain_text("The screen shows this night in a moment.")
    cast.close()
    expect(screen.locator("#screen[data-ready]")).to_be_attached()
    expect(screen.locator(".scan .code svg")).to_be_visible()

    # The helper checks in, and each has a seat that the desk and the screen know.
    till = join(phone(), links["helper"], "Till")
    till.page.locator("#search").fill(", ".join(COME))
    till.page.locator("#search").press("Enter")
    waits_for(page, "#strip", "6 left")
    waits_for(screen, ".facts", "of 9 expected")
    waits_for(screen, ".tell", sha256[:16])
    desk.goes_to("seats")
    expect(page.locator("#view .asks")).to_have_count(0)  # nothing is proposed while people come

    # A signed-in member whose account has claimed the player is in at once, with a seat.
    edda = phone()
    sign_in(edda.page, *MEMBER)
    follow(edda, links["player"])
    edda.page.get_by_role("button", name="I am Edda, and I am here").click()
    expect(edda.page.locator("#seat")).to_contain_text(re.compile(r"Table \d, seat \d"))
    waits_for(page, "#strip", "7 left")

    # A stranger types a member's name: a question at the desk, nobody is in.
    stranger = follow(phone(), links["player"])
    ask_in(stranger, "Hugo")
    desk.goes_to("in")
    expect(page.locator("#asks")).to_contain_text("Hugo asks to be checked in")
    waits_for(page, "#strip", "7 left")
    page.locator("#asks").get_by_role("button", name="Leave it").click()
    expect(page.locator("#asks")).not_to_contain_text("Hugo asks")
    waits_for(page, "#strip", "7 left")
    expect(stranger.page.locator("#seat")).to_be_empty()

    # A stranger types the name of somebody who is in: the desk is asked whether it is that phone.
    impostor = follow(phone(), links["player"])
    ask_in(impostor, "Edda")
    expect(page.locator("#asks")).to_contain_text("that of Edda")
    page.locator("#asks").get_by_role("button", name="It is right as it is").click()
    expect(impostor.page.locator("#seat")).to_be_empty()

    # Two without an account: as a member whom the desk knows by sight, and as a guest.
    ines, zoe = (follow(phone(), links["player"]) for _ in range(2))
    ask_in(ines, "Ines")
    page.locator("#view [data-key^='ask ']").click()
    expect(ines.page.locator("#seat")).to_contain_text("seat")
    ask_in(zoe, "Zoe Quick")
    page.locator("#view [data-key^='guest ']").last.click()
    expect(zoe.page.locator("#seat")).to_contain_text("seat")
    waits_for(page, "#strip", "9 left")
    for each in (edda, ines, zoe):
        each.fits()

    # The clock runs on all of them.
    page.locator("#strip").get_by_role("button", name="Start now").click()
    page.locator("#strip a.t").click()
    page.locator("#view .dial .t", has_text=re.compile(r"^\d+:\d\d$")).wait_for()
    for each in (ines.page, edda.page):
        expect(each.locator("#strip .t")).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(screen.locator(".left-t")).to_have_text(re.compile(r"^\d+:\d\d$"))
    expect(screen.locator(".mid")).to_contain_text("Level 1")

    # Somebody says on the phone to be out: the desk is asked, and puts out.
    zoe.page.get_by_role("button", name="I am out").click()
    expect(page.locator("#asks")).to_contain_text("Zoe Quick says on the phone to be out")
    till.out("Zoe Quick")
    expect(zoe.page.locator("#head h1")).to_contain_text("You are out in 9th")
    expect(screen.locator(".lo")).to_contain_text("9th, Zoe")

    # The desk moves a player: the phone says so until it is read, and the desk sees that.
    desk.goes_to("seats")
    chair = page.locator("#view .chairs li", has=page.get_by_text("Ines", exact=True))
    chair.get_by_role("button", name="Move Ines").click()
    page.locator("#view .chairs").get_by_role("button", name=re.compile("Sit here")).first.click()
    expect(ines.page.locator("#wires")).to_contain_text("New seat")
    expect(chair).to_contain_text("has not read it")
    ines.page.get_by_role("button", name="I have read it").click()
    expect(ines.page.locator("#wires")).not_to_contain_text("New seat")
    expect(chair).not_to_contain_text("has not read it")

    # At five the final table is proposed, and drawn on a tap.
    for name in COME[:3]:
        till.out(name)
    waits_for(page, "#strip", "5 left")
    desk.goes_to("seats")
    page.locator("#view").get_by_role("button", name="Draw the seats").click()
    expect(page.locator("#view .tbl")).to_have_count(1)
    expect(screen.locator(".who-sits li")).to_have_count(1 + 5)
    for each in (ines.page, edda.page):
        expect(each.locator("#seat")).to_contain_text("Table 1")
    for each in (ines.page, edda.page):  # with an account and without
        expect(each.locator("#brings tbody tr")).to_have_count(5)
        expect(each.locator(".proof code")).to_have_text(sha256)

    # To the end; who sits there sees the place, the screen the winner, and the published result is linked.
    for name in [*COME[3:], "Ines"]:
        till.out(name)
    expect(ines.page.locator("#head h1")).to_contain_text("You are out in 2nd")
    expect(screen.locator(".won h1")).to_contain_text("Edda wins")
    finish = organizer_page(desk, "finish")
    finish.get_by_role("button", name=re.compile("^Publish")).click()
    finish.wait_for_url(re.compile("/e/|/events?/"))
    expect(edda.page.locator("#head h1")).to_contain_text("You win")
    expect(edda.page.get_by_role("link", name="The whole result")).to_be_visible()
    expect(ines.page.locator("#head h1")).to_contain_text("You come 2nd")
    for each in (ines.page, edda.page):
        expect(each.locator("#head")).to_contain_text(re.compile(r"\d points?"))
        expect(each.get_by_role("link", name="The draw as a file")).to_be_visible()
    assert PHONE["viewport"]["width"] == 360
    edda.fits()
