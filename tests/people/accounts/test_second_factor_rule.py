"""Try who needs a second factor by the operator's rule (SECOND_FACTOR), besides those whose clubs ask for it."""

import pytest
from django.test import Client
from django.urls import reverse

from api.models import ApiKey
from api.services import make_key
from league.models import Membership, Role
from people.services.feed_keys import renew_feed_key
from people.services.members import set_member
from tests.factories import ClubFactory, SeasonFactory, UserFactory
from tests.people.accounts.people import PASSWORD, add_app, confirmed, log_in

pytestmark = pytest.mark.django_db
SET_UP = 'href="/accounts/2fa/"'


@pytest.fixture
def operator():
    return UserFactory(username="operator", is_staff=True, is_superuser=True)


def enter_page(season):
    return reverse("entry:enter", args=[season.club.slug, season.slug])


def signed_in(user):
    client = Client()
    client.force_login(user)
    return client


def asks_for_factor(answer):
    return answer.status_code == 403 and SET_UP in answer.content.decode()


@pytest.mark.parametrize("address", ["/admin/", "/operator/"])
@pytest.mark.parametrize("rule", ["operators", "organizers", "everybody"])
def test_operators_need_one_for_their_pages(settings, operator, address, rule):
    settings.SECOND_FACTOR = rule
    client = signed_in(operator)
    assert asks_for_factor(client.get(address))
    add_app(operator)
    assert client.get(address).status_code == 200


def test_clubs_alone_decide_by_the_first_rule(settings, operator):
    settings.SECOND_FACTOR = "clubs"
    assert signed_in(operator).get("/operator/").status_code == 200


def test_an_operator_without_one_acts_in_no_club(settings, operator):
    season, private = SeasonFactory(), SeasonFactory(club=ClubFactory(is_public=False))
    settings.SECOND_FACTOR = "operators"
    client = signed_in(operator)
    assert asks_for_factor(client.get(enter_page(season)))
    assert client.get(season.get_absolute_url()).status_code == 200  # what everybody reads
    assert client.get(private.get_absolute_url()).status_code == 404
    add_app(operator)
    assert client.get(enter_page(season), follow=True).status_code == 200
    assert client.get(private.get_absolute_url()).status_code == 200


def test_a_superuser_who_is_not_staff_is_an_operator_too(settings):
    settings.SECOND_FACTOR = "operators"
    chief = UserFactory(is_superuser=True)
    assert asks_for_factor(signed_in(chief).get("/operator/"))


def test_everybody_means_keys_and_feeds_too(settings):
    """Whoever has no second factor makes no key, and one from before reads what everybody reads."""
    season, ada = SeasonFactory(club=ClubFactory(is_public=False)), UserFactory(username="ada")
    set_member(season.club, user=ada, role=Role.MEMBER, actor=None)
    renew_feed_key(season.club, user=ada, present="")
    program = Client(
        headers={"authorization": f"Bearer {make_key(ada, label='mine', scope=ApiKey.Scope.READ)}"}
    )
    page = f"/api/v1/seasons/{season.pk}/standings/"
    feed = reverse("noticeboard:keyed-calendar", args=[Membership.objects.get(user=ada).feed_key])
    assert (program.get(page).status_code, Client().get(feed).status_code) == (200, 200)
    settings.SECOND_FACTOR = "everybody"
    assert (program.get(page).status_code, Client().get(feed).status_code) == (404, 404)
    assert asks_for_factor(signed_in(ada).get("/accounts/api-keys/"))
    add_app(ada)
    assert (program.get(page).status_code, Client().get(feed).status_code) == (200, 200)


@pytest.mark.parametrize(
    ("rule", "asked"), [("clubs", False), ("operators", False), ("organizers", True), ("everybody", True)]
)
def test_organizers_of_all_clubs(settings, rule, asked):
    season, ada = SeasonFactory(), UserFactory(username="ada")
    set_member(season.club, user=ada, role=Role.ORGANIZER, actor=None)
    settings.SECOND_FACTOR = rule
    client = signed_in(ada)
    assert asks_for_factor(client.get(enter_page(season))) is asked
    home = client.get("/").content.decode()
    assert ("Set up two-factor sign-in" in home) is (rule == "organizers")
    add_app(ada)
    assert client.get(enter_page(season), follow=True).status_code == 200


def test_everybody_may_still_set_one_up_and_read_the_terms(settings):
    settings.SECOND_FACTOR = "everybody"
    ada = UserFactory(username="ada")
    client = confirmed(ada)
    assert asks_for_factor(client.get("/"))
    assert client.get("/")["Cache-Control"] == "private, no-store"
    for free in (
        "/accounts/2fa/",
        "/accounts/2fa/totp/activate/",
        "/privacy/",
        "/terms/",
        "/accounts/logout/",
    ):
        assert client.get(free).status_code == 200, free
    assert Client().get("/").status_code == 200  # without an account, all is as before
    add_app(ada)
    assert client.get("/").status_code == 200


def test_confirming_who_one_is_gives_the_session_another_key():
    ada = UserFactory(username="ada")
    client = Client()
    log_in(client, "ada", PASSWORD)
    before = client.session.session_key
    client.post("/accounts/reauthenticate/?next=/accounts/2fa/", {"password": PASSWORD})
    assert client.session.session_key != before
    stolen = Client()
    stolen.cookies["sessionid"] = before
    assert stolen.get("/clubs/new/").status_code == 302
    assert client.get("/clubs/new/").status_code == 200
    # The page of sessions still knows this browser, once.
    assert ada.usersession_set.get().session_key == client.session.session_key
