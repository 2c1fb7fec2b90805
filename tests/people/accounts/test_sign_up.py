"""Signing up, resetting a password and adding an address do not tell whether an address is known."""

import re

import pytest
from allauth.account.models import EmailAddress
from django.contrib.auth.models import User
from django.core import mail
from django.core.cache import cache
from django.test import Client

from tests.factories import UserFactory
from tests.people.accounts.people import PASSWORD, is_in, log_in

pytestmark = pytest.mark.django_db
SIGN_UP = "/accounts/signup/"


@pytest.fixture
def known():
    user = UserFactory(username="ada")
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def sign_up(email, name="newcomer"):
    """Sign up and out of sight again, and return what the newcomer saw."""
    cache.clear()
    client = Client()
    form = {"username": name, "email": email, "password1": PASSWORD, "password2": PASSWORD}
    answers = [client.post(SIGN_UP, form), client.get("/"), client.get("/accounts/email/")]
    seen = [
        (answer.status_code, answer.headers.get("Location"), anonymous(answer, email)) for answer in answers
    ]
    User.objects.get(username=name).delete()
    return seen


def anonymous(answer, email):
    page = answer.content.decode().replace(email.lower(), "ADDRESS")
    return re.sub(r'(csrfmiddlewaretoken" value=)"\w+"', "", page)


def test_a_known_and_an_unknown_address_look_the_same(known):
    assert sign_up("nobody@example.com") == sign_up(known.email) == sign_up(known.email.upper())


def test_the_owner_of_a_known_address_gets_a_mail_and_no_link_to_confirm_it(known):
    sign_up(known.email)
    assert mail.outbox[-1].to == [known.email]
    assert "already exists" in mail.outbox[-1].body
    assert "/accounts/confirm-email/" not in mail.outbox[-1].body
    sign_up("nobody@example.com")
    assert "/accounts/confirm-email/" in mail.outbox[-1].body


def test_a_second_account_with_a_known_address_gets_nothing_of_the_first(known, client):
    form = {"username": "eve", "email": known.email, "password1": PASSWORD, "password2": PASSWORD}
    client.post(SIGN_UP, form)
    eve = User.objects.get(username="eve")
    assert not EmailAddress.objects.get(user=eve).verified
    assert EmailAddress.objects.get(user=known).verified
    fresh = Client()
    log_in(fresh, known.email, PASSWORD)
    assert fresh.session["_auth_user_id"] == str(known.pk)


def test_a_password_reset_looks_the_same_for_an_unknown_address(known):
    seen = []
    for email in (known.email, "nobody@example.com"):
        answer = Client().post("/accounts/password/reset/", {"email": email}, follow=True)
        seen.append((answer.redirect_chain, anonymous(answer, email)))
        assert mail.outbox[-1].to == [email]
    assert seen[0] == seen[1]


def test_a_reset_password_lets_its_owner_in_while_somebody_guesses(known, client):
    for _attempt in range(7):
        log_in(Client(), "ada")
    client.post("/accounts/password/reset/", {"email": known.email})
    link = re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)[1]
    address = client.get(link, follow=True).redirect_chain[-1][0]
    client.post(address, {"password1": "another-passphrase", "password2": "another-passphrase"})
    assert is_in(client)


def test_a_taken_name_is_told(known, client):
    form = {"username": "ADA", "email": "x@example.com", "password1": PASSWORD, "password2": PASSWORD}
    assert "username" in client.post(SIGN_UP, form).context["form"].errors


def test_an_address_is_chosen_on_its_page(known, client):
    other = EmailAddress.objects.create(user=known, email="other@example.com", verified=True)
    client.force_login(known)
    page = client.get("/accounts/email/").content.decode()
    chosen = re.search(r'<input[^>]+type="radio"[^>]+name="(\w+)"[^>]+value="(other@example.com)"', page)
    typed = {chosen[1]: chosen[2], "action_primary": ""}
    assert client.post("/accounts/email/", typed).url.startswith("/accounts/reauthenticate/")
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    client.post("/accounts/email/", typed)
    other.refresh_from_db()
    assert other.primary
