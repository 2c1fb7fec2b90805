"""Signing in with other sites: who gets into which account, and what is asked for before."""

import re
import time

import pytest
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core import mail
from django.test import Client

from league.models import AccessChange, Club, Membership, Role, SignUp, SiteRules
from league.site.middleware import SIGNED_IN_AT
from privacy.own_data import own_data
from tests.factories import ClubFactory, UserFactory
from tests.people.accounts.elsewhere import FORM, MAIL, PERSONS, PROVIDERS, come_back, go_there, sign_in
from tests.people.accounts.people import PASSWORD, add_app, code, confirmed, is_in, signed_up

pytestmark = pytest.mark.django_db


def test_without_keys_no_page_says_a_word_and_no_address_answers(client):
    assert "elsewhere" not in client.get("/accounts/login/").content.decode()
    for provider in PROVIDERS:
        for address in (f"/accounts/{provider}/", f"/accounts/{provider}/back/?code=1&state=2"):
            assert client.get(address).status_code == 404
            assert client.post(address).status_code == 404


def test_the_pages_of_signing_in_and_up_have_a_button_for_each(client, there):
    for page in ("/accounts/login/?next=/me/", "/accounts/signup/"):
        text = client.get(page).content.decode()
        for name in ("Google", "Discord", "LINE", "Club House"):
            assert f"Sign in with {name}" in text
    assert "next=%2Fme%2F" in client.get("/accounts/login/?next=/me/").content.decode()


def test_a_link_from_elsewhere_takes_nobody_there(client, there):
    page = client.get("/accounts/google/")
    assert page.status_code == 200
    assert "Refresh" not in page.headers
    assert b"<form" in page.content
    strict = Client(enforce_csrf_checks=True)
    assert strict.post("/accounts/google/").status_code == 403


@pytest.mark.each_case
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_newcomer_chooses_a_name_and_signs_in_with_one_tap_from_then_on(client, there, provider):
    user = signed_up(client, provider, there)
    assert is_in(client)
    assert not user.has_usable_password()
    assert (user.first_name, user.last_name, user.email) == ("", "", MAIL)
    assert EmailAddress.objects.get(user=user).verified == (provider != "line")
    again = Client()
    assert sign_in(again, provider, next="/me/").url == "/me/"
    assert again.session["_auth_user_id"] == str(user.pk)
    assert SocialAccount.objects.get().user == user
    assert set(SocialAccount.objects.get().extra_data) <= {"email", "username", "displayName"}


def test_the_user_name_is_proposed_only_where_it_is_one(client, there):
    proposed = {}
    for provider in PROVIDERS:
        there.person = PERSONS[provider]
        page = Client()
        sign_in(page, provider)
        html = page.get("/accounts/elsewhere/new/").content.decode()
        field = re.search(r'<input[^>]*name="username"[^>]*>', html)[0]
        proposed[provider] = (re.search(r'value="([^"]*)"', field) or ["", ""])[1]
    assert proposed == {"google": "", "discord": "ada", "line": "", "sso/oidc": ""}


@pytest.mark.each_case
@pytest.mark.parametrize("provider", PROVIDERS)
def test_an_account_is_found_by_an_address_that_both_sides_have_confirmed(client, there, known, provider):
    there.person = PERSONS[provider]
    answer = sign_in(client, provider)
    if provider == "line":  # which says of no address that it is confirmed
        assert answer.url == "/accounts/elsewhere/new/"
        assert not SocialAccount.objects.exists()
        return
    assert client.session["_auth_user_id"] == str(known.pk)
    assert SocialAccount.objects.get().user == known
    known.refresh_from_db()
    assert known.check_password(PASSWORD)
    assert mail.outbox[-1].to == [MAIL]
    assert "sign in with" in mail.outbox[-1].subject


@pytest.mark.parametrize("word", [False, "false", "true", "no", None, 0, 1])
@pytest.mark.parametrize(
    ("provider", "field"),
    [("google", "email_verified"), ("discord", "verified"), ("sso/oidc", "email_verified")],
)
def test_an_address_that_is_not_confirmed_elsewhere_opens_nothing(
    client, there, known, provider, field, word
):
    there.person = PERSONS[provider] | {field: word}
    assert sign_in(client, provider).url == "/accounts/elsewhere/new/"
    client.post("/accounts/elsewhere/new/", FORM | {"username": "eve"})
    assert not SocialAccount.objects.filter(user=known).exists()
    assert not EmailAddress.objects.filter(user__username="eve", verified=True).exists()


def test_an_address_that_somebody_has_only_typed_here_is_not_theirs(client, there):
    eve = UserFactory(username="eve", email=MAIL)
    EmailAddress.objects.create(user=eve, email=MAIL, verified=False, primary=True)
    ada = signed_up(client, "google", there)
    assert ada != eve
    assert EmailAddress.objects.get(email=MAIL, verified=True).user == ada
    assert not SocialAccount.objects.filter(user=eve).exists()


def test_another_account_there_is_another_person(client, there, known):
    SocialAccount.objects.create(user=known, provider="google", uid="108")
    for provider, person in (("google", {"sub": "109"}), ("discord", {"id": "108"})):
        there.person = PERSONS[provider] | person | {"email": "eve@example.com"}
        assert sign_in(client, provider).url == "/accounts/elsewhere/new/"
    assert not is_in(client)


def test_the_second_factor_is_asked_for_as_before(client, there, known):
    add_app(known)
    there.person = PERSONS["google"]
    assert sign_in(client, "google", next="/me/").url == "/accounts/2fa/authenticate/"
    assert not is_in(client)
    client.post("/accounts/2fa/authenticate/", {"code": code()})
    assert is_in(client)


def test_a_club_that_requires_a_second_factor_still_does(client, there, known):
    club = ClubFactory()
    Club.objects.update(requires_two_factor=True)
    Membership.objects.create(club=club, user=known, role=Role.OWNER)
    there.person = PERSONS["google"]
    sign_in(client, "google")
    assert client.get(f"/c/{club.slug}/settings/").status_code == 403


@pytest.mark.parametrize("rule", [SignUp.INVITED, SignUp.NOBODY])
def test_the_rules_of_the_site_for_new_accounts_hold(client, there, known, rule):
    SiteRules.objects.update_or_create(pk=1, defaults={"sign_up": rule})
    there.person = PERSONS["google"] | {"sub": "2", "email": "new@example.com"}
    assert "closed" in sign_in(client, "google").content.decode().lower()
    assert client.get("/accounts/elsewhere/new/").status_code == 302
    assert User.objects.count() == 1
    there.person = PERSONS["google"]  # who has an account, signs in
    sign_in(client, "google")
    assert is_in(client)


def test_who_is_inactive_stays_out(client, there, known):
    User.objects.update(is_active=False)
    there.person = PERSONS["google"]
    sign_in(client, "google")
    assert not is_in(client)


def test_a_cancelled_sign_in_says_that_nothing_has_happened(client, there):
    there.person = {}
    answer = sign_in(client, "google")
    assert answer.url == "/accounts/elsewhere/cancelled/"
    assert "Nothing has happened" in client.get(answer.url).content.decode()


def test_a_code_of_another_browser_is_worth_nothing(client, there, known):
    there.person = PERSONS["google"]
    address = go_there(client, "google")
    stranger = Client()
    assert come_back(stranger, address).status_code == 401
    assert not is_in(stranger)
    assert come_back(client, address, state="another").status_code == 401
    assert not is_in(client)


def test_a_sign_in_is_added_and_removed_by_who_has_just_given_the_password(there, known):
    club = ClubFactory()
    Membership.objects.create(club=club, user=known, role=Role.OWNER)
    there.person = PERSONS["line"]
    client = Client()
    client.force_login(known)
    assert client.post("/accounts/line/?process=connect").url.startswith("/accounts/reauthenticate/")
    client = confirmed(known)
    assert sign_in(client, "line", process="connect").url == "/accounts/elsewhere/"
    page = client.get("/accounts/elsewhere/").content.decode()
    assert "LINE" in page
    assert MAIL in page
    assert "LINE" in mail.outbox[-1].subject
    account = SocialAccount.objects.get(user=known)
    client.post("/accounts/elsewhere/", {"account": account.pk})
    assert not SocialAccount.objects.exists()
    kinds = AccessChange.objects.filter(club=club).order_by("pk").values_list("kind", flat=True)
    assert list(kinds)[-2:] == ["sign-in-added", "sign-in-removed"]


def test_a_sign_in_of_somebody_else_is_not_taken(there, known):
    other = UserFactory(username="eve")
    SocialAccount.objects.create(user=other, provider="line", uid=PERSONS["line"]["userId"])
    there.person = PERSONS["line"]
    client = confirmed(known)
    sign_in(client, "line", process="connect")
    assert SocialAccount.objects.get().user == other
    client.post("/accounts/elsewhere/", {"account": SocialAccount.objects.get().pk})
    assert SocialAccount.objects.get().user == other


def test_the_only_way_to_sign_in_stays(client, there):
    user = signed_up(client, "google", there)
    page = client.post("/accounts/elsewhere/", {"account": SocialAccount.objects.get().pk})
    assert "no password" in page.content.decode()
    assert SocialAccount.objects.get().user == user


@pytest.mark.parametrize(
    ("method", "address"),
    [
        ("post", "/accounts/delete/"),
        ("get", "/accounts/data/download/"),
        ("post", "/accounts/sessions/"),
        ("get", "/accounts/2fa/totp/activate/"),
        ("get", "/accounts/password/set/"),
    ],
)
def test_who_has_no_password_signs_in_again_before_what_matters(client, there, method, address):
    signed_up(client, "google", there)
    again = "/accounts/elsewhere/again/"
    assert again not in getattr(client, method)(address).headers.get("Location", "")
    session = client.session
    session[SIGNED_IN_AT] = time.time() - 301
    session.save()
    answer = getattr(client, method)(address)
    assert answer.url.startswith(f"{again}?next=")
    page = client.get(answer.url).content.decode()
    assert "Sign in with Google" in page
    assert "Sign in with LINE" not in page
    assert sign_in(client, "google", next=address).url == address
    assert again not in getattr(client, method)(address).headers.get("Location", "")
    assert User.objects.filter(username="ada").exists()


def test_an_account_without_a_password_sets_one(client, there):
    user = signed_up(client, "google", there)
    assert client.get("/accounts/password/change/").url == "/accounts/password/set/"
    client.post("/accounts/password/set/", {"password1": PASSWORD, "password2": PASSWORD})
    user.refresh_from_db()
    assert user.check_password(PASSWORD)


def test_own_data_has_the_sign_ins_and_no_token(client, there):
    user = signed_up(client, "discord", there)
    [row] = own_data(user)["sign_ins_elsewhere"]
    assert (row["provider"], row["uid"]) == ("discord", PERSONS["discord"]["id"])
    assert "good" not in str(row)


def test_signing_up_with_an_address_tells_nothing_of_it(there, known):
    seen = []
    for name, address in (("eve", MAIL), ("eva", "nobody@example.com")):
        there.person = {"userId": f"of {name}", "displayName": name}
        client = Client()
        sign_in(client, "line")
        answer = client.post("/accounts/elsewhere/new/", {"username": name, "email": address})
        page = re.sub(
            r'value="\w{64}"', "", client.get("/accounts/email/").content.decode()
        )  # may have the name in it
        seen.append((answer.status_code, answer.url, page.replace(address, "").replace(name, "")))
        assert not EmailAddress.objects.get(user__username=name).verified
    assert seen[0] == seen[1]


def test_a_provider_that_the_operator_takes_away_locks_nobody_in(client, there, settings):
    signed_up(client, "google", there)
    settings.SOCIALACCOUNT_PROVIDERS = {}
    page = client.get("/accounts/elsewhere/").content.decode()
    assert "does not offer it any more" in page
    account = SocialAccount.objects.get()
    assert client.post("/accounts/elsewhere/", {"account": account.pk}).status_code in {200, 404}
    session = client.session
    session[SIGNED_IN_AT] = time.time() - 301
    session.save()
    answer = client.get("/accounts/delete/")
    assert answer.status_code == 200
    answer = client.post("/accounts/delete/", follow=True)
    assert "Choose a password by mail" in answer.content.decode()
    client.post("/accounts/password/reset/", {"email": MAIL})
    assert mail.outbox[-1].to == [MAIL]


def test_a_place_on_another_site_is_not_where_one_comes_back_to(client, there, known):
    there.person = PERSONS["google"]
    assert sign_in(client, "google", next="https://evil.example/").url == "/"
