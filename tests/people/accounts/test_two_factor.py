"""A second factor: set up, asked for at sign-in, and required of a club's organizers."""

import re
from unittest.mock import patch

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.webauthn.forms import AddWebAuthnForm
from django.core.cache import cache
from django.db import DatabaseError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from league.models import AccessChange, Club, Role
from people.services.members import set_member
from tests.factories import SeasonFactory, UserFactory
from tests.people.accounts.people import PASSWORD, add_app, code, is_in, is_refused, log_in

pytestmark = pytest.mark.django_db
ACTIVATE = "/accounts/2fa/totp/activate/"
ADD_KEY = "/accounts/2fa/webauthn/add/"
AUTHENTICATE = "/accounts/2fa/authenticate/"


def test_an_app_is_set_up_after_the_password_and_gives_recovery_codes(client, people):
    log_in(client, "owner", PASSWORD)
    assert client.get(ACTIVATE).url.startswith("/accounts/reauthenticate/")
    client.post(f"/accounts/reauthenticate/?next={ACTIVATE}", {"password": PASSWORD})
    page = client.get(ACTIVATE)
    secret = re.search(r'value="([A-Z2-7]{32})"', page.content.decode())[1]
    assert 'src="data:image/svg+xml' in page.content.decode()
    assert client.post(ACTIVATE, {"code": "000000"}).context["form"].errors["code"] == ["Incorrect code."]
    assert client.post(ACTIVATE, {"code": code(secret)}).url == "/accounts/2fa/recovery-codes/"
    assert set(Authenticator.objects.values_list("type", flat=True)) == {"totp", "recovery_codes"}
    assert AccessChange.objects.filter(kind="two-factor-added", person="owner").count() == 1


def test_a_security_key_without_its_line_in_the_history_is_not_added(client, people, monkeypatch):
    log_in(client, "owner", PASSWORD)
    client.post(f"/accounts/reauthenticate/?next={ADD_KEY}", {"password": PASSWORD})
    # The answer of a real device is not checked, because the test has none.
    monkeypatch.setattr(AddWebAuthnForm, "clean", lambda form: form.cleaned_data)
    sent = {"name": "Key", "credential": '{"id": "x"}'}
    with (
        patch.object(AccessChange.objects, "create", side_effect=DatabaseError),
        pytest.raises(DatabaseError),
    ):
        client.post(ADD_KEY, sent)
    assert not Authenticator.objects.exists()
    assert client.post(ADD_KEY, sent).status_code == 302
    assert AccessChange.objects.filter(kind="two-factor-added", person="owner").count() == 1


def test_the_code_is_asked_for_after_the_password(client):
    add_app(UserFactory(username="ada"))
    assert log_in(client, "ada", PASSWORD).url == AUTHENTICATE
    assert not is_in(client)
    assert client.post(AUTHENTICATE, {"code": "000000"}).status_code == 200
    assert not is_in(client)
    client.post(AUTHENTICATE, {"code": code()})
    assert is_in(client)


@pytest.mark.parametrize("again", ["sign-in", "reauthentication"])
def test_a_code_is_good_once_for_as_long_as_it_would_be_accepted(client, again):
    """allauth remembers a used code for half a minute, and the tolerance accepts it for a minute and a half."""
    user = UserFactory(username="ada")
    add_app(user)
    log_in(client, "ada", PASSWORD)
    used = code()
    assert client.post(AUTHENTICATE, {"code": used}).status_code == 302
    cache.delete(f"allauth.mfa.totp.used?user={user.pk}&code={used}")
    if again == "sign-in":
        client = Client()
        log_in(client, "ada", PASSWORD)
    address = AUTHENTICATE if again == "sign-in" else "/accounts/2fa/reauthenticate/"
    assert client.post(address, {"code": used}).context["form"].errors["code"] == ["Incorrect code."]


@pytest.mark.usefixtures("limits")
def test_codes_are_tried_five_times(client):
    add_app(UserFactory(username="ada"))
    log_in(client, "ada", PASSWORD)
    answers = [client.post(AUTHENTICATE, {"code": f"00000{n}"}) for n in range(6)]
    assert [is_refused(answer) for answer in answers] == [False] * 5 + [True]
    client.post(AUTHENTICATE, {"code": code()})
    assert not is_in(client)


class TestClubThatRequiresIt:
    @pytest.fixture
    def season(self):
        return SeasonFactory()

    @pytest.fixture
    def club(self, season):
        Club.objects.update(requires_two_factor=True)
        season.club.refresh_from_db()
        return season.club

    @pytest.fixture(params=[Role.ORGANIZER, Role.OWNER])
    def user(self, club, request):
        user = UserFactory()
        set_member(club, user=user, role=request.param, actor=None)
        return user

    def test_without_it_writing_is_refused_with_the_way_to_set_it_up(self, client, club, season, user):
        client.force_login(user)
        page = reverse("entry:event-create", args=[club.slug, season.slug])
        for answer in (client.get(page), client.post(page, {"order": "Ada"})):
            assert answer.status_code == 403
            assert f"{club} requires two-factor sign-in of its organizers" in answer.content.decode()
            assert 'href="/accounts/2fa/"' in answer.content.decode()
        assert not season.events.exists()

    def test_without_it_pages_are_read_as_members_read_them(self, client, club, season, user):
        client.force_login(user)
        page = client.get(season.get_absolute_url()).content.decode()
        assert "Until you set it up, you may only read." in page
        assert "Enter an event" not in page
        club.is_public = False
        club.save()
        assert client.get(season.get_absolute_url()).status_code == 200

    def test_with_it_everything_is_as_before(self, client, club, season, user):
        add_app(user)
        client.force_login(user)
        assert client.get(reverse("entry:event-create", args=[club.slug, season.slug])).status_code == 200
        assert "you may only read" not in client.get(season.get_absolute_url()).content.decode()

    def test_the_api_refuses_with_the_reason(self, client, season, user):
        client.force_login(user)
        url = f"/api/v1/seasons/{season.pk}/rules/"
        assert client.get(url).status_code == 200
        answer = client.put(url, "{}", content_type="application/json")
        assert answer.status_code == 403
        assert "requires two-factor sign-in" in answer.json()["detail"]
        add_app(user)
        assert client.put(url, "{}", content_type="application/json").status_code == 400

    def test_members_are_not_asked(self, client, club, season):
        member = UserFactory()
        set_member(club, user=member, role=Role.MEMBER, actor=None)
        client.force_login(member)
        answer = client.get(season.get_absolute_url())
        assert (answer.status_code, "two-factor" in answer.content.decode()) == (200, False)

    def test_a_superuser_without_it_may_not_write_either(self, client, club):
        client.force_login(UserFactory(is_superuser=True))
        assert client.get(reverse("people:hand-over", args=[club.slug])).status_code == 403


def queries_of(client, address):
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    return [query["sql"] for query in queries if "mfa_authenticator" in query["sql"]]


def test_the_factor_is_looked_up_once_and_only_where_it_is_required(client, people, season):
    client.force_login(people["owner"])
    assert len(queries_of(client, season.get_absolute_url())) == 0
    Club.objects.update(requires_two_factor=True)
    assert len(queries_of(client, season.get_absolute_url())) == 1
    client.force_login(people["member"])
    assert len(queries_of(client, season.get_absolute_url())) == 0


def settings_of(club, **changes):
    return {"name": club.name, "time_zone": "UTC", "is_public": "on", **changes}


def test_an_owner_requires_it_once_they_have_it(season, client_of, people):
    club, client = season.club, client_of("owner")
    address, wish = reverse("people:club-edit", args=[season.club.slug]), {"requires_two_factor": "on"}
    refused = client.post(address, settings_of(club, name="Other", **wish))
    assert refused.context["form"].errors["requires_two_factor"] == [
        "Set up two-factor sign-in for your own account first."
    ]
    assert refused.context["form"]["name"].value() == "Other"
    club.refresh_from_db()
    assert (club.requires_two_factor, club.name == "Other") == (False, False)
    add_app(people["owner"])
    for _press in range(2):
        client.post(address, settings_of(club, **wish))
    club.refresh_from_db()
    assert club.requires_two_factor
    change = AccessChange.objects.get(kind="rules-of-access")
    assert (change.actor, change.before, change.after) == (
        people["owner"], {"requires_two_factor": False}, {"requires_two_factor": True},
    )  # fmt: skip
    Authenticator.objects.all().delete()
    assert Client().get(address).status_code == 302
    assert client.get(address).status_code == 403
