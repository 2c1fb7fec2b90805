"""Feeds, the leaderboard in a frame of the club's own site, and the choice of mails."""

import xml.etree.ElementTree as ET
from datetime import timedelta

import pytest
import time_machine
from django.test import Client
from django.urls import reverse

from league.models import AccessChange, Change, MailChoice, Role
from league.services.errors import Refused
from league.services.events import delete_event
from league.site.hosts import frame_hosts, read_origin
from people.services.clubs import update_club
from people.services.members import set_member
from standings.recomputation.service import recompute
from tests.factories import START, SeasonFactory, UserFactory, correct, enter
from tests.standings.pages.addresses import queries

pytestmark = pytest.mark.django_db
ATOM = "{http://www.w3.org/2005/Atom}"


@pytest.fixture(autouse=True)
def _clock():
    with time_machine.travel(START + timedelta(days=30)):
        yield


@pytest.fixture
def season():
    season = SeasonFactory()
    enter(season, "Ada\nBoris\nCleo", name="<First> & last")
    recompute(season.pool_id)
    return season


def to(page, season):
    return reverse(f"noticeboard:{page}", args=[season.club.slug])


def items(answer):
    assert answer["Content-Type"].startswith("application/atom+xml")
    return [
        {name: entry.find(f"{ATOM}{name}").text for name in ("title", "summary", "id", "updated")}
        for entry in ET.fromstring(answer.content).iter(f"{ATOM}entry")
    ]


def test_the_feed_of_events_has_the_newest_first_and_is_raised_by_a_correction(season):
    event = enter(season, "Boris\nAda", day=1)
    before = items(Client().get(to("events-atom", season)))
    assert [item["title"] for item in before] == [f"{season}, Jan. 7, 2026", "<First> & last, Jan. 6, 2026"]
    assert before[0]["summary"] == "Boris came first among 2 players."
    assert before[0]["id"] == f"http://testserver{event.get_absolute_url()}"
    with time_machine.travel(START + timedelta(days=31)):
        correct(event, "Ada\nBoris")
    after = items(Client().get(to("events-atom", season)))
    assert after[0]["summary"] == "Ada came first among 2 players."
    assert after[0]["updated"] > before[0]["updated"]


def test_the_feed_of_corrections_says_what_was_corrected_also_of_what_is_gone(season):
    event = enter(season, "Boris\nAda", day=1)
    event = correct(event, "Ada\nBoris")
    read = items(Client().get(to("corrections-atom", season)))
    assert [item["summary"] for item in read] == ["Ada and Boris swapped"]
    delete_event(event, version=event.version, actor=UserFactory())
    assert len(items(Client().get(to("corrections-atom", season)))) == 1


def test_a_reason_with_a_control_character_is_refused_and_an_old_one_breaks_no_feed(season):
    """Finding M2: one such reason made the feed fail for good."""
    event = enter(season, "Boris\nAda", day=1)
    with pytest.raises(Refused, match="invisible control character"):
        correct(event, "Ada\nBoris", reason="bad\x0breason")
    event.refresh_from_db()
    correct(event, "Ada\nBoris", reason="swapped")
    Change.objects.filter(reason="swapped").update(reason="bad\x0breason\u202e")
    (item,) = items(Client().get(to("corrections-atom", season)))
    assert item["summary"] == "Ada and Boris swapped. badreason"


@pytest.mark.parametrize("page", ["events-atom", "corrections-atom", "calendar", "follow", "embed"])
def test_what_programs_read_takes_the_same_queries_for_one_and_for_three(season, page):
    correct(enter(season, "Boris\nAda", day=1), "Ada\nBoris")
    one, _answer = queries(Client(), to(page, season))
    for day in (2, 3):
        correct(enter(season, "Boris\nAda", day=day), "Ada\nBoris")
    recompute(season.pool_id)
    three, _answer = queries(Client(), to(page, season))
    assert one == three


@pytest.mark.parametrize(
    ("typed", "origin"),
    [
        ("example.org", "https://example.org"),
        ("https://Club.Example.org/table?x=1", "https://club.example.org"),
        ("http://example.org:8080", "http://example.org:8080"),
        ("bücher.example", "https://xn--bcher-kva.example"),
        ("*.example.org", None),
        ("*", None),
        ("'self'", None),
        ("https:", None),
        ("example.org;script-src", None),
        ("ftp://example.org", None),
        ("localhost", None),
    ],
)
def test_an_address_of_a_site_is_read_as_its_origin(typed, origin):
    assert read_origin(typed) == origin


def test_only_the_pages_of_allowed_sites_may_show_the_leaderboard_in_a_frame(season):
    def headers(address):
        answer = Client().get(address)
        policy = dict(
            part.strip().partition(" ")[::2] for part in answer["Content-Security-Policy"].split(";")
        )
        return policy["frame-ancestors"], answer.get("X-Frame-Options")

    assert headers(to("embed", season)) == ("'none'", "DENY")
    club = season.club
    type(club).objects.filter(pk=club.pk).update(embed_hosts="https://example.org *; https://b.example")
    assert headers(to("embed", season)) == ("https://example.org https://b.example", None)
    for other in (to("follow", season), season.get_absolute_url(), "/"):
        assert headers(other) == ("'none'", "DENY")
    page = Client().get(to("embed", season)).content.decode()
    assert "Ada" in page
    assert "<form" not in page
    assert "<script" not in page


def test_an_owner_allows_sites_and_the_log_says_so(season):
    owner = season.club.memberships.get(role=Role.OWNER).user
    client = Client()
    client.force_login(owner)
    address = reverse("people:club-edit", args=[season.club.slug])
    typed = {"name": season.club.name, "time_zone": "UTC", "is_public": "on"}
    answer = client.post(address, typed | {"embed_hosts": "good.example\n*.bad.example"})
    assert "*.bad.example” is no address of a site" in answer.content.decode()
    for _press in range(2):
        client.post(address, typed | {"embed_hosts": "https://good.example/x\nb.example good.example"})
    season.club.refresh_from_db()
    assert frame_hosts(season.club.embed_hosts) == ["https://good.example", "https://b.example"]
    (line,) = AccessChange.objects.filter(kind="rules-of-access")
    assert line.after == {"embed_hosts": "https://good.example https://b.example"}
    update_club(
        season.club, name="New", time_zone="UTC", is_public=True, requires_two_factor=False, actor=owner
    )
    season.club.refresh_from_db()
    assert season.club.embed_hosts, "what is not given stays"


def test_a_member_asks_for_results_by_mail_on_the_page_and_ends_them(season):
    user, client = UserFactory(), Client()
    set_member(season.club, user=user, role=Role.MEMBER, actor=None)
    client.force_login(user)
    for value, wanted in (("1", True), ("1", True), ("0", False)):
        client.post(to("follow-mails", season), {"results": value})
        assert MailChoice.objects.get(user=user).is_wanted is wanted
