"""The security log: one line for each sign-in and key that fails or is refused, whatever was typed."""

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from league.site.security_log import masked
from tests.factories import UserFactory
from tests.people.accounts.people import PASSWORD, add_app, is_refused, log_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("limits")]
SEATS = "/api/v1/seats/?structure=inverse&seats=3"


@pytest.fixture
def lines(caplog):
    """Return what was logged since the last call."""

    def lines():
        texts = [record.getMessage() for record in caplog.records if record.name == "tierboard.security"]
        caplog.clear()
        return texts

    return lines


def test_failed_and_refused_sign_ins(lines):
    user = UserFactory(username="ada")
    for _attempt in range(6):
        log_in(Client(), "ada", REMOTE_ADDR="203.0.113.7")
    assert lines() == [f'sign-in-failed from="203.0.113.7" account={user.pk}'] * 5 + [
        f'sign-in-refused from="203.0.113.7" account={user.pk} seconds=2'
    ]


def test_what_was_typed_is_masked_and_cannot_begin_another_line(lines):
    log_in(Client(), "my secret\n2026-01-01 WARNING tierboard.security sign-in-failed")
    log_in(Client(), "\u2028nobody\r\n@example.com")
    (first, second) = lines()
    assert first == 'sign-in-failed from="127.0.0.1" typed="my\\u2026"'
    assert second.isascii()
    assert "\n" not in second
    assert masked("somebody@example.com") == "so…@example.com"


def test_a_successful_sign_in_is_there(lines):
    user = UserFactory(username="ada")
    log_in(Client(), "ada", PASSWORD)
    assert lines() == [f'sign-in from="127.0.0.1" account={user.pk}']


def test_who_is_refused_a_page_is_there(lines, club, people, client_of):
    client = client_of("member")
    lines()
    assert client.get(reverse("people:club-edit", args=[club.slug])).status_code == 403
    assert lines() == [
        f'access-refused from="127.0.0.1" account={people["member"].pk} club={club.pk} act="change_club"'
    ]


def test_a_closed_account_and_a_wrong_code(client, lines):
    closed, user = UserFactory(username="old", is_active=False), UserFactory(username="ada")
    log_in(client, "old", PASSWORD)
    assert lines() == [f'sign-in-refused from="127.0.0.1" account={closed.pk} inactive=true']
    add_app(user)
    log_in(client, "ada", PASSWORD)
    client.post("/accounts/2fa/authenticate/", {"code": "000000"})
    assert lines() == [f'code-failed from="127.0.0.1" account={user.pk}']


def test_wrong_keys_are_logged_until_they_are_refused(lines):
    client = APIClient(headers={"authorization": "Bearer tb_wrong"})
    statuses = [client.get(SEATS).status_code for _n in range(12)]
    assert statuses == [401] * 10 + [429] * 2
    assert lines() == ['key-failed from="127.0.0.1"'] * 10


def test_forged_addresses_are_not_believed(lines):
    log_in(Client(), "nobody", headers={"x-forwarded-for": "203.0.113.7"})
    assert lines() == ['sign-in-failed from="127.0.0.1" typed="no\\u2026"']


def test_ipv4_addresses_written_as_ipv6_are_different_visitors(lines):
    """A server that listens on [::] receives them so."""
    answers = [log_in(Client(), f"person{n}", REMOTE_ADDR=f"::ffff:203.0.113.{n}") for n in range(12)]
    assert not any(map(is_refused, answers))
    assert lines()[-1] == 'sign-in-failed from="203.0.113.11" typed="pe\\u2026"'


def test_requests_that_are_too_many(lines):
    answers = [Client().post("/accounts/signup/", {}) for _n in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert "Too many attempts" in answers[-1].content.decode()
    assert lines() == ['request-refused from="127.0.0.1" path="/accounts/signup/"']
