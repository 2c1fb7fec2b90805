"""A full disk or a database that only reads: the health check says so, and nothing that was typed is lost."""

import html
import io
import re
import uuid
from contextlib import contextmanager

import pytest
from django.db import OperationalError, connection
from django.forms.models import model_to_dict
from django.test import Client
from django.urls import reverse

from api.services import make_key
from league.models import Entry
from payouts.models import SeasonRules
from tests.api.test_rules import FIRST, NEW
from tests.entry.event_forms import create_url, filled, hidden, stored
from tests.factories import names

pytestmark = pytest.mark.django_db(transaction=True)
# So many that a full disk has no room for them.
NAMES = names(800)


@contextmanager
def read_only():
    """Let the database take no writes."""
    is_sqlite = connection.vendor == "sqlite"
    setting = "PRAGMA query_only = {}" if is_sqlite else "SET default_transaction_read_only = {}"
    execute(setting.format("on"))
    try:
        yield
    finally:
        execute(setting.format("off"))


@contextmanager
def full():
    """Let the database grow no further, and leave no page free that other tests have filled before."""
    execute("VACUUM")
    (usual,) = execute("PRAGMA max_page_count")
    (n_pages,) = execute("PRAGMA page_count")
    execute(f"PRAGMA max_page_count = {n_pages}")
    try:
        yield
    finally:
        execute(f"PRAGMA max_page_count = {usual}")


def execute(sql):
    with connection.cursor() as cursor:
        cursor.execute(sql)
        return cursor.fetchone() if cursor.description else None


def test_health_says_whether_the_database_can_be_written(client):
    with read_only():
        answer = client.get("/healthz")
        assert (answer.status_code, answer.content) == (503, b"the database cannot be written")
    answer = client.get("/healthz")
    assert (answer.status_code, answer.content) == (200, b"ok")


@pytest.mark.parametrize(
    "trouble",
    [
        read_only,
        pytest.param(
            full, marks=pytest.mark.skipif(connection.vendor != "sqlite", reason="its limit is SQLite's own")
        ),
    ],
)
def test_an_event_that_could_not_be_saved_is_kept_and_sent_again(trouble, season, organizer_client):
    before = stored()
    with trouble():
        answer = organizer_client.post(
            create_url(season), filled("\n".join(NAMES), name="Opening", form_token=uuid.uuid4())
        )
    page = answer.content.decode()
    assert answer.status_code == 503
    assert "This could not be saved" in page
    assert stored() == before
    [(name, text)] = re.findall(r'<textarea[^>]* name="(\w+)"[^>]*>(.*?)</textarea>', page, re.DOTALL)
    shown = dict(re.findall(r'<input id="typed-\d+" name="(\w+)" value="([^"]*)"', page))
    sent_again = hidden(answer) | shown | {name: html.unescape(text).strip()}
    assert shown["name"] == "Opening"
    assert organizer_client.post(create_url(season), sent_again).status_code == 302
    assert stored()["Event"] == 1
    in_order = Entry.objects.order_by("place").values_list("player__name", flat=True)
    assert list(in_order) == NAMES


def test_a_file_is_to_be_chosen_again(season, organizer_client):
    address = reverse("entry:import-upload", args=[season.club.slug, season.slug])
    with read_only():
        answer = organizer_client.post(address, {"file": io.StringIO("event,date,player,place\n")})
    page = answer.content.decode()
    assert answer.status_code == 503
    assert "Choose your file again" in page
    assert '<form class="form"' not in page


def test_a_password_is_not_shown_again(client, people):
    with read_only():
        sent = {"login": "owner", "password": "a-good-passphrase"}
        answer = client.post(reverse("account_login"), sent)
    assert answer.status_code == 503
    assert "a-good-passphrase" not in answer.content.decode()


def test_a_database_that_cannot_even_be_read_gets_the_plain_page(season, organizer_client, monkeypatch):
    def fails(*_args, **_options):
        raise OperationalError("gone")

    monkeypatch.setattr("entry.views.events.enter_result", fails)
    monkeypatch.setattr("league.views.unsaved.render", fails)
    answer = organizer_client.post(create_url(season), filled("Ada\nBoris"))
    assert answer.status_code == 503
    assert "nothing was half saved" in answer.content.decode()


@pytest.fixture
def put_rules(season, people):
    """Return a function that changes the rules of the season as a program does."""
    key = make_key(people["organizer"], label="clock")

    def put(**headers):
        return Client().put(
            f"/api/v1/seasons/{season.pk}/rules/",
            NEW | FIRST,
            content_type="application/json",
            headers={"Authorization": f"Bearer {key}"} | headers,
        )

    return put


def test_programs_are_told_as_well(put_rules):
    with read_only():
        answer = put_rules()
    assert answer.status_code == 503
    assert "nothing was saved" in answer.json()["detail"]


def test_programs_are_told_of_an_answer_that_could_not_be_stored(season, put_rules, monkeypatch):
    def fails(*_args):
        raise OperationalError("disk full")

    before = model_to_dict(SeasonRules.objects.get(season=season))
    with monkeypatch.context() as patch:
        patch.setattr("api.access.end_write", fails)
        answer = put_rules(**{"Idempotency-Key": "first"})
    assert answer.status_code == 503
    assert "nothing was saved" in answer.json()["detail"]
    assert model_to_dict(SeasonRules.objects.get(season=season)) == before
    assert put_rules(**{"Idempotency-Key": "first"}).status_code == 200
