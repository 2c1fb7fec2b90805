"""The list of sessions, and signing out everywhere."""

import time

import pytest
from django.test import Client

from league.site import middleware
from tests.factories import UserFactory
from tests.people.accounts.people import PASSWORD, is_in, log_in

pytestmark = pytest.mark.django_db
PAGE = "/accounts/sessions/"


def signed_in(name, browser):
    client = Client(headers={"user-agent": browser})
    log_in(client, name, PASSWORD)
    return client


@pytest.fixture
def ada():
    return UserFactory(username="ada")


def test_the_page_lists_the_browsers_of_this_account_alone(ada):
    UserFactory(username="eve")
    signed_in("eve", "Browser of Eve")
    here = signed_in("ada", "First <b>")
    signed_in("ada", "Second")
    page = here.get(PAGE).content.decode()
    assert "First &lt;b&gt;" in page
    assert "Second" in page
    assert "Browser of Eve" not in page
    assert Client().get(PAGE).url == f"/accounts/login/?next={PAGE}"


def test_signing_out_everywhere_else_ends_all_other_sessions(ada):
    UserFactory(username="eve")
    eve, here, there = signed_in("eve", "Eve"), signed_in("ada", "Here"), signed_in("ada", "There")
    assert here.post(PAGE).url.startswith("/accounts/reauthenticate/")  # a browser left open ends nothing
    assert is_in(there)
    here.post("/accounts/reauthenticate/", {"password": PASSWORD})
    for _press in range(2):
        assert here.post(PAGE).url == PAGE
    assert there.get("/clubs/new/").status_code == 302
    assert here.get("/clubs/new/").status_code == eve.get("/clubs/new/").status_code == 200
    assert not is_in(there)


def test_a_changed_password_ends_the_other_sessions(ada):
    here, there = signed_in("ada", "Here"), signed_in("ada", "There")
    new = "another-passphrase"
    here.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert there.get("/clubs/new/").status_code == 302
    assert here.get("/clubs/new/").status_code == 200
    assert "There" not in here.get(PAGE).content.decode()


def test_a_session_ends_ninety_days_after_its_sign_in_whatever_was_done_meanwhile(ada, monkeypatch):
    here = signed_in("ada", "Here")
    now = time.time()
    monkeypatch.setattr(middleware.time, "time", lambda: now + 89 * 86_400)
    assert here.get("/clubs/new/").status_code == 200
    monkeypatch.setattr(middleware.time, "time", lambda: now + 91 * 86_400)
    assert here.get("/clubs/new/").status_code == 302
    assert not is_in(here)


@pytest.mark.parametrize("page", ["/", "/clubs/", "/clubs/new/", "/accounts/email/", PAGE])
def test_no_browser_keeps_what_a_signed_in_person_sees(ada, page):
    assert signed_in("ada", "Here").get(page).headers["Cache-Control"] == "private, no-store"
    assert "private" not in Client().get("/").headers.get("Cache-Control", "")
