"""The security log: one line for each sign-in and key that fails or is refused, whatever was typed."""

import io
import logging

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client, RequestFactory
from django.urls import reverse
from rest_framework.test import APIClient

from league.models import SiteRules
from league.site.limits import consume_quota
from league.site.log_lines import Line, OfRequest
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


def test_quotas_and_limits_that_are_used_up(lines, season, client_of):
    SiteRules.objects.create(pk=1, uploads=0)
    upload = reverse("entry:import-upload", args=[season.club.slug, season.slug])
    client_of("owner").post(upload, {"file": SimpleUploadedFile("a.csv", b"place,name\n1,Ada\n")})
    assert lines() == ['quota-used from="127.0.0.1" what="uploads"']
    request = RequestFactory().get("/")
    assert [consume_quota(request, "tables", user=AnonymousUser(), limit=1) for _n in range(2)] == [
        True,
        False,
    ]
    assert lines() == ['limit-used from="127.0.0.1" what="tables"']


def test_lines_of_the_framework_name_network_and_account(client_of, people):
    """Django logs a form without its token as a warning of its own."""
    client = client_of("owner")
    client.handler.enforce_csrf_checks = True
    output = io.StringIO()
    handler = logging.StreamHandler(output)
    handler.setFormatter(Line())
    handler.addFilter(OfRequest())
    logging.getLogger("django.security.csrf").addHandler(handler)
    try:
        assert client.post("/clubs/new/", {}).status_code == 403
    finally:
        logging.getLogger("django.security.csrf").removeHandler(handler)
    assert output.getvalue().rstrip().endswith(f" from=127.0.0.1 account={people['owner'].pk}")


def test_requests_that_are_too_many(lines):
    answers = [Client().post("/accounts/signup/", {}) for _n in range(21)]
    assert [answer.status_code for answer in answers] == [200] * 20 + [429]
    assert "Too many attempts" in answers[-1].content.decode()
    assert lines() == ['request-refused from="127.0.0.1" path="/accounts/signup/"']
