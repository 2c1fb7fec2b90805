"""The operator hides clubs and shows them again, answers reports and who asks to be listed, and sets the rules."""

import io
from urllib.parse import urlencode

import pytest
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.urls import reverse

from directory.models import Listing, Reason, Report, State
from directory.services.listings import ask_for_listing
from directory.services.reports import MOST_OPEN, hide_club, report_club, show_club
from league.models import AccessChange, Club, ListingRule, Notice, SignUp, SiteRules
from league.services.errors import Refused
from reading.names.rules import visible
from standings.archive.reading import read_archive
from standings.archive.services import import_archive
from standings.archive.writing import write_archive
from tests import access
from tests.factories import ClubFactory, UserFactory
from tests.pages import markup_of

pytestmark = pytest.mark.django_db


@pytest.fixture
def chief():
    return UserFactory(is_superuser=True)


@pytest.fixture
def operator(chief):
    client = Client()
    client.force_login(chief)
    return client


def address(name, *args):
    return reverse(f"directory:{name}", args=args)


@pytest.mark.parametrize("name", sorted(access.FOR_OPERATORS))
@pytest.mark.parametrize("who", ["owner", "stranger"])
def test_only_operators_reach_their_pages(client, client_of, operator, who, name):
    assert client.get(reverse(name)).url.startswith("/accounts/login/")
    assert client_of(who).get(reverse(name)).status_code == 403
    assert operator.get(reverse(name)).status_code == 200


@pytest.mark.parametrize("name", sorted(access.FOR_OPERATORS_POST))
@pytest.mark.parametrize("who", ["owner", "stranger"])
def test_only_operators_do_what_operators_do(client, client_of, operator, club, people, who, name):
    ask_for_listing(club, place="", actor=people["owner"])
    pk = Listing.objects.get().pk if "listing" in name else club.pk
    url = reverse(name, args=[pk])
    assert client.post(url).url.startswith("/accounts/login/")
    assert client_of(who).get(url).status_code == 405
    assert client_of(who).post(url).status_code == 403
    assert operator.post(url).url == address("operator")
    assert operator.post(reverse(name, args=[10**15])).status_code == 404


def test_a_hidden_club_is_read_by_its_members_alone_until_it_is_shown_again(
    operator, client, client_of, club
):
    for _press in range(2):
        operator.post(address("club-hide", club.pk))
    assert client.get(club.get_absolute_url()).status_code == 404
    assert client_of("member").get(club.get_absolute_url()).status_code == 200
    assert club.name in markup_of(operator.get(address("operator")))
    notices = Notice.objects.filter(change__kind=AccessChange.Kind.CLUB_HIDDEN)
    assert notices.count() == club.memberships.filter(role=40).count()
    operator.post(address("club-show", club.pk))
    assert client.get(club.get_absolute_url()).status_code == 200


def test_a_private_club_that_was_hidden_stays_private(chief):
    club = ClubFactory(is_public=False)
    hide_club(club, actor=chief)
    show_club(club, actor=chief)
    club.refresh_from_db()
    assert (club.is_public, club.hidden_at) == (False, None)


def test_the_owner_of_a_hidden_club_cannot_make_it_public(client_of, chief, club, people):
    hide_club(club, actor=chief)
    typed = {"name": club.name, "slug": club.slug, "time_zone": "UTC", "is_public": "on"}
    answer = client_of("owner").post(reverse("people:club-edit", args=[club.slug]), typed)
    assert "has hidden a club of yours" in answer.context["form"].errors["is_public"][0]
    assert not Club.objects.get(pk=club.pk).is_public
    with pytest.raises(Refused, match="Only public clubs"):
        ask_for_listing(club, place="", actor=people["owner"])


def test_anybody_reports_a_public_club(client, operator, club):
    page = address("report", club.slug)
    assert client.post(page, {"text": "?"}).context["form"].errors.keys() == {"reason"}
    typed = {"reason": "spam", "text": "It sells chips."}
    for _press in range(2):
        assert client.post(f"{page}?page=/c/{club.slug}/players/", typed).url == club.get_absolute_url()
    assert Report.objects.count() == 1
    overview = markup_of(operator.get(address("operator")))
    assert "It sells chips." in overview
    for _press in range(2):
        operator.post(address("reports-settle", club.pk))
    settled = markup_of(operator.get(address("operator")))
    assert "No report waits." in settled
    assert address("reports-reopen", club.pk) in settled
    for _press in range(2):
        operator.post(address("reports-reopen", club.pk))
    again = markup_of(operator.get(address("operator")))
    assert "It sells chips." in again
    assert address("reports-reopen", club.pk) not in again


def test_reports_are_limited(client, club):
    answers = [
        client.post(address("report", club.slug), {"reason": "other", "text": str(n)}).status_code
        for n in range(7)
    ]
    assert answers == [302] * 5 + [429] * 2
    for n in range(MOST_OPEN - 5):
        report_club(club, reason=Reason.OTHER, text=f"more {n}", user=AnonymousUser())
    with pytest.raises(Refused, match="many reports"):
        report_club(club, reason=Reason.OTHER, text="one more", user=AnonymousUser())


def test_the_operator_answers_who_asks_to_be_listed(operator, client_of, club, people):
    ask_for_listing(club, place="Cork", actor=people["owner"])
    listing = Listing.objects.get()
    operator.post(address("listing-answer", listing.pk), {"act": "refuse", "answer": "Is it a club?"})
    assert "Is it a club?" in markup_of(client_of("owner").get(address("listing", club.slug)))
    assert Notice.objects.filter(user=people["owner"], change__kind="club-unlisted").exists()
    operator.post(address("listing-answer", listing.pk), {"act": "list"})
    listing.refresh_from_db()
    assert listing.state == State.LISTED


def test_the_operator_sets_the_rules(operator, chief):
    page = operator.get(address("operator-rules"))
    typed = page.context["form"].initial | {"sign_up": "nobody", "listing": "anybody", "clubs": "3"}
    assert operator.post(address("operator-rules"), typed | {"clubs": "-1"}).context[
        "form"
    ].errors.keys() == {"clubs"}
    operator.post(address("operator-rules"), typed)
    rules = SiteRules.current()
    assert (rules.sign_up, rules.listing, rules.clubs) == (SignUp.NOBODY, ListingRule.ANYBODY, 3)
    operator.post(address("operator-rules"), typed)  # nothing is changed any more
    (line,) = LogEntry.objects.all()
    assert (line.user, "sign_up: anybody → nobody" in line.change_message) == (chief, True)


def test_the_operator_finds_any_club(operator):
    found = ClubFactory(name="Secret Gala Club", is_public=False)
    other = ClubFactory(name="Others")
    for typed in ("gala", found.slug, found.memberships.get().user.username):
        page = markup_of(operator.get(address("operator"), {"q": typed}))
        assert (found.get_absolute_url() in page, other.get_absolute_url() in page) == (True, False), typed


def test_a_hidden_club_does_not_come_back_by_its_archive(client, chief, club, people):
    file = io.BytesIO()
    write_archive(club, file)
    hide_club(club, actor=chief)
    copy = import_archive(read_archive(file), owner=people["owner"], name="Again", slug="again")
    assert not copy.is_public
    client.force_login(people["owner"])
    typed = {"name": "Again", "slug": "again", "time_zone": "UTC", "is_public": "on"}
    answer = client.post(reverse("people:club-edit", args=["again"]), typed)
    assert answer.context["form"].errors.keys() == {"is_public"}
    new = client.post(
        reverse("people:club-create"), {"name": "New", "slug": "new", "time_zone": "UTC", "is_public": "on"}
    )
    assert new.context["form"].errors.keys() == {"is_public"}
    show_club(club, actor=chief)
    assert client.post(reverse("people:club-edit", args=["again"]), typed).status_code == 302


def test_lists_of_the_operator_do_not_grow_without_end(operator):
    sizes = []
    for _round in range(3):
        for _club in range(25):
            club = ClubFactory()
            ask_for_listing(club, place="", actor=club.memberships.get().user)
            for n in range(6):
                report_club(club, reason=Reason.SPAM, text=f"again {n}", user=AnonymousUser())
        sizes.append(len(operator.get(address("operator")).content))
    assert sizes[2] - sizes[0] < 2_000


@pytest.mark.parametrize("page", ["\x00", "a\u202eb", "x" * 500])
def test_the_page_of_a_report_is_cleaned(client, club, page):
    client.post(f"{address('report', club.slug)}?{urlencode({'page': page})}", {"reason": "other"})
    assert Report.objects.get().page == visible(page)[:200]
