"""Try to get into the account of somebody else here with an account elsewhere."""

import re
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount, SocialApp
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from league.models import AccessChange, Membership, Role
from tests.factories import ClubFactory, UserFactory
from tests.people.accounts.elsewhere import FORM, MAIL, PERSONS, come_back, go_there, sign_in
from tests.people.accounts.people import PASSWORD, add_app, code, confirmed, is_in, log_in, signed_up

pytestmark = pytest.mark.django_db
EVIL = "client_id%3DEVIL%26redirect_uri%3Dhttps%3A%2F%2Fevil.example%2F%26response_type%3Dtoken"


def test_nobody_adds_a_sign_in_to_a_session_that_its_owner_has_left(there, known):
    """The owner types the password later, for something else: the sign-in of whoever sat there must not come in."""
    client = Client()
    client.force_login(known)
    there.person = PERSONS["line"]
    assert client.post("/accounts/line/?process=connect").url.startswith("/accounts/reauthenticate/")
    client.post("/accounts/reauthenticate/?next=/accounts/2fa/", {"password": PASSWORD})
    assert not SocialAccount.objects.exists()


def test_a_way_there_that_has_become_old_adds_nothing(there, known, settings):
    client = confirmed(known)
    there.person = PERSONS["line"]
    address = go_there(client, "line", process="connect")
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = -1
    assert come_back(client, address).url == "/accounts/elsewhere/"
    assert "took too long" in client.get("/accounts/elsewhere/").content.decode()
    settings.ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert not SocialAccount.objects.exists()


def test_a_visitor_plants_no_sign_in_for_who_signs_in_next(client, there):
    answer = client.post("/accounts/line/?process=connect")
    assert answer.status_code == 302
    assert answer.url.startswith("/accounts/login/")
    assert "socialaccount_states" not in client.session


@pytest.mark.parametrize("has_factor", [True, False])
def test_an_account_is_linked_once_its_owner_is_in(client, there, known, has_factor):
    club = ClubFactory()
    Membership.objects.create(club=club, user=known, role=Role.OWNER)
    if has_factor:
        add_app(known)
    else:
        User.objects.filter(pk=known.pk).update(is_active=False)
    there.person = PERSONS["google"]
    sign_in(client, "google")
    assert not is_in(client)
    assert not SocialAccount.objects.exists()
    assert not AccessChange.objects.filter(kind=AccessChange.Kind.SIGN_IN_ADDED).exists()
    assert mail.outbox == []
    if has_factor:
        client.post("/accounts/2fa/authenticate/", {"code": code()})
        assert is_in(client)
        assert SocialAccount.objects.get().user == known
        assert AccessChange.objects.get(kind=AccessChange.Kind.SIGN_IN_ADDED).after == {"with": "Google"}
        assert mail.outbox[-1].to == [MAIL]


def test_a_link_rewrites_nothing_of_what_the_provider_is_asked(client, there):
    for query in (f"auth_params={EVIL}", "scope=drive", "action=reauthenticate"):
        address = client.post(f"/accounts/google/?{query}").headers["Refresh"]
        asked = parse_qs(urlsplit(address.removeprefix("0; url=")).query)
        assert asked["client_id"] == ["tierboard"]
        assert sorted(asked["scope"][0].split()) == ["email", "openid"]
        assert asked["redirect_uri"] == ["http://testserver/accounts/google/back/"]
        assert "prompt" not in asked
    assert client.post("/accounts/google/?process=redirect&next=/x/").status_code == 404
    assert client.put("/accounts/google/").status_code == 405


def test_a_letter_that_becomes_another_one_is_no_address_of_somebody_else(client, there):
    kate = UserFactory(username="kate", email="kate@example.com")
    EmailAddress.objects.create(user=kate, email=kate.email, verified=True, primary=True)
    there.person = PERSONS["sso/oidc"] | {"email": "\u212aate@example.com"}
    sign_in(client, "sso/oidc")
    assert not is_in(client)


def test_an_address_that_has_changed_hands_opens_nothing(client, there, known):
    SocialAccount.objects.create(user=known, provider="google", uid="1")
    there.person = PERSONS["google"]
    assert sign_in(client, "google").url == "/accounts/elsewhere/new/"
    assert not is_in(client)


def test_a_session_keeps_no_token_and_no_real_name(client, there):
    there.person = PERSONS["sso/oidc"] | {"name": "Ada Lovelace", "picture": "p" * 1000}
    sign_in(client, "sso/oidc")
    kept = str(dict(client.session))
    assert MAIL in kept
    assert not re.search("good|Lovelace|ppp|eyJ", kept)


def test_a_row_of_the_table_of_providers_is_no_provider(client, there):
    SocialApp.objects.create(provider="discord", name="Evil", client_id="1")
    assert "Evil" not in client.get("/accounts/login/").content.decode()


def test_one_network_signs_up_so_often_and_no_more(there, limits):
    there.person = PERSONS["line"]
    client = Client()
    sign_in(client, "line")
    answers = [client.post("/accounts/elsewhere/new/", {"username": "", "email": ""}) for _time in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]


def test_of_two_ways_in_the_one_that_is_offered_stays(client, there, settings):
    user = signed_up(client, "google", there)
    SocialAccount.objects.create(user=user, provider="former", uid="1")
    page = client.post("/accounts/elsewhere/", {"account": SocialAccount.objects.get(provider="google").pk})
    assert "no password" in page.content.decode()
    assert SocialAccount.objects.filter(user=user, provider="google").exists()


def test_two_people_in_one_answer_are_nobody(client, there):
    there.person = PERSONS["sso/oidc"]
    address = go_there(client, "sso/oidc")
    there.in_token = {"sub": "eve"}
    assert come_back(client, address).status_code in {401, 502}
    assert not is_in(client)


@pytest.mark.parametrize("seconds", [1e30, 1e12, "soon", None])
def test_a_token_for_ever_is_no_error_of_the_site(client, there, seconds):
    there.person, there.token = PERSONS["sso/oidc"], there.token | {"expires_in": seconds}
    assert sign_in(client, "sso/oidc").status_code in {302, 401, 502}


def test_half_a_letter_is_no_user_name(client, there):
    there.person = PERSONS["discord"] | {"username": "\ud800x"}
    sign_in(client, "discord")
    assert client.get("/accounts/elsewhere/new/").status_code == 200


def test_nobody_is_called_a_former_account(client, there):
    there.person = PERSONS["line"]
    sign_in(client, "line")
    client.post("/accounts/elsewhere/new/", FORM | {"username": "A Former Account"})
    assert not User.objects.exists()
    log_in(client, "A Former Account", PASSWORD)
    assert not is_in(client)
