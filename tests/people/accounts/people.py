"""Signing in as people do, with and without a second factor."""

import time

from allauth.mfa.totp.internal.auth import TOTP, format_hotp_value, hotp_value
from django.contrib.auth.models import User
from django.test import Client

from tests.people.accounts.elsewhere import FORM, PERSONS, sign_in

LOGIN = "/accounts/login/"
PASSWORD = "a-good-passphrase"
SECRET = "JBSWY3DPEHPK3PXP"


def log_in(client, name, password="wrong-passphrase", address=LOGIN, **extra):
    return client.post(address, {"login": name, "password": password}, **extra)


def confirmed(user):
    """Sign in, and type the password again as the page of an account asks."""
    client = Client()
    log_in(client, user.username, PASSWORD)
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client


def is_in(client):
    return "_auth_user_id" in client.session


def is_refused(answer):
    return answer.status_code == 429 or "Too many failed" in answer.content.decode()


def code(secret=SECRET):
    return format_hotp_value(hotp_value(secret, int(time.time()) // 30))


def add_app(user):
    """Give an account an authenticator app."""
    TOTP.activate(user, SECRET)


def signed_up(client, provider, there):
    """Sign up with a provider, so that the account has no password."""
    there.person = PERSONS[provider]
    assert sign_in(client, provider).url == "/accounts/elsewhere/new/"
    client.post("/accounts/elsewhere/new/", FORM)
    return User.objects.get(username="ada")
