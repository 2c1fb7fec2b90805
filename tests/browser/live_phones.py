"""Phones of a live night in a real browser, and a desk of the demo organizer in a club of its own."""

import re
import subprocess
import sys

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import ROOT
from tests.browser.looks import fits

PHONE = {"viewport": {"width": 360, "height": 740}}
N_MEMBERS = 15
CLUB = "/c/kestrel/"
# A poker club of sixteen with a season of this year, beside the demo club of the other tests.
MAKE_CLUB = """
from uuid import uuid4
from django.contrib.auth.models import User
from django.utils import timezone
from league.models import Club, GameKind
from league.services.rosters import add_members
from payouts.services.rules import open_season_with_rules
from people.services.clubs import open_club
from tests.factories import RULES
owner = User.objects.get(username="demo")
earlier = f"kestrel-{uuid4().hex[:8]}"
Club.objects.filter(slug="kestrel").update(slug=earlier, name=earlier)  # of another module
club = open_club(owner, name="Kestrel", slug="kestrel", time_zone="UTC", is_public=True, plays=GameKind.POKER)
open_season_with_rules(club, name="Cup", starts_on=timezone.localdate().replace(month=1, day=1), ends_on=None, rules=RULES)
names = "Anton Bela Carla Carlo Edda Finn Greta Hugo Ines Jun Kenji Kita Lotte Mika Rosa Tomas".split()
add_members(club, names, aliases={}, actor=owner)
member = User.objects.filter(username="edda").first()
member = member or User.objects.create_user("edda", "edda@example.org", "a long password for Edda")
club.players.filter(name="Edda").update(user=member)
"""
MEMBER = ("edda", "a long password for Edda")


class Phone:
    """A browser of its own that joins a night; errors of scripts fail the test."""

    def __init__(self, context):
        self.context = context
        self.errors = []
        self.open_page()

    def open_page(self):
        self.page = self.context.new_page()
        self.page.on("pageerror", lambda error: self.errors.append(str(error)))

    def goes_to(self, view):
        self.page.evaluate("view => { location.hash = view; }", view)
        expect(self.page.locator(f"#segs a[href='#{view}']")).to_have_attribute("aria-current", "page")

    def press(self, label, about):
        """Press the button of a row: its name has the person behind it."""
        self.page.locator("#view").get_by_role("button", name=f"{label} {about}", exact=True).click()

    def out(self, name):
        self.goes_to("desk")
        self.press("Out", name)
        expect(self.page.locator("#aloud")).to_contain_text(name)

    def shows_out(self, *names):
        """Wait until the list of those who are out has these, the last one first."""
        self.goes_to("desk")
        expect(self.page.locator("#view li.gone strong")).to_have_text(list(names))

    def has_sent_all(self):
        expect(self.page.locator("#wires .off")).to_have_count(0)
        self.page.wait_for_function(
            """async () => {
                const request = indexedDB.open("tierboard-live");
                const db = await new Promise((done) => { request.onsuccess = () => done(request.result); });
                const count = db.transaction("queue").objectStore("queue").count();
                const n = await new Promise((done) => { count.onsuccess = () => done(count.result); });
                db.close();
                return n === 0;
            }"""
        )

    def fits(self):
        assert fits(self.page)


@pytest.fixture(scope="module")
def club(site):
    command = [sys.executable, "manage.py", "shell", "--command", MAKE_CLUB]
    subprocess.run(command, cwd=ROOT, env=site.environment, check=True)


@pytest.fixture
def phone(new_context):
    phones = []

    def new():
        phones.append(Phone(new_context(**PHONE)))
        return phones[-1]

    yield new
    assert [each.errors for each in phones] == [[] for _ in phones]


def sign_in(page, name, password):
    page.goto("/accounts/login/")
    page.get_by_label("Login").fill(name)
    page.get_by_label("Password", exact=True).fill(password)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "login" not in url)


@pytest.fixture
def organizer(phone, site, club):
    """Sign the demo organizer in on a phone."""
    found = phone()
    sign_in(found.page, "demo", site.password)
    return found


def begin(found, typed, chosen=None, checked=()):
    """Start a night on the phone of an organizer, with what is typed, chosen and checked by label."""
    page = found.page
    page.goto(CLUB)
    page.get_by_role("link", name=re.compile("Start the")).click()
    found.fits()
    for details in page.locator(".lines details:not([open]) > summary").all()[::-1]:
        details.click()
    for label, text in typed.items():
        page.get_by_label(label, exact=True).fill(text)
    for label, option in (chosen or {}).items():
        page.get_by_label(label, exact=True).select_option(label=option)
    for label in checked:
        page.get_by_label(label, exact=True).check()
    page.get_by_role("button", name="Check in").click()
    page.wait_for_url(re.compile(r"/live/\d+/"))
    found.night = re.search(r"/live/(\d+)/", page.url)[1]
    expect(page.locator("#desk[data-ready]")).to_be_attached()
    expect(page.locator("#view .tapped button").first).to_be_visible()
    return found


@pytest.fixture
def desk(organizer):
    """Start a night with a starting stack and a buy-in."""
    return begin(organizer, {"Starting stack": "6500", "Buy-in": "20"})


def organizer_page(desk, name):
    """Open a page of the night; who closes it waits first for what was tapped there, or Chromium may never close it."""
    page = desk.context.new_page()
    page.goto(f"{CLUB}live/{desk.night}/{name}/")
    return page


def invite_screens(desk):
    page = organizer_page(desk, "helpers")
    page.locator("summary", has_text="A screen").click()
    page.get_by_role("button", name="Make a link").click()
    expect(page.locator("#link-screen")).to_be_attached()
    page.close()


def link_of(desk, role):
    page = organizer_page(desk, "helpers")
    link = page.locator(f"#link-{role}").input_value()
    page.close()
    return link


def helper_link(desk):
    return link_of(desk, "helper")


def join(phone, link, name):
    phone.page.goto(link)
    phone.page.get_by_label("Name of this phone").fill(name)
    phone.fits()
    phone.page.get_by_role("button", name="Help with this phone").click()
    expect(phone.page.locator("#desk[data-ready]")).to_be_attached()
    return phone


def check_in(desk, n):
    """Tap the first n who are expected; return their names."""
    names = []
    for _ in range(n):
        first = desk.page.locator("#view .tapped button").first
        name = first.evaluate("button => button.firstChild.textContent.trim()")
        first.click()
        expect(desk.page.locator("#aloud")).to_contain_text(name)
        names.append(name)
    return names
