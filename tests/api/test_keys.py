"""Keys of an account: shown once, stored as a hash, with the rights of their user, revocable; limits without a key."""

import hashlib
import re

import pytest
from django.test import Client
from django.urls import reverse

from api.models import ApiKey
from api.services import MAX_KEYS, make_key
from api.throttles import KeylessThrottle
from people.services.members import remove_member
from tests.api.test_rules import FIRST, NEW, RULES

pytestmark = pytest.mark.django_db
PAGE = "/accounts/api-keys/"
SEATS = "/api/v1/seats/?structure=inverse&seats=3"
KEY = re.compile(r"tb_[0-9a-f]{64}")


@pytest.fixture
def url(season):
    return f"/api/v1/seasons/{season.pk}/rules/"


@pytest.fixture
def key(people):
    return make_key(people["organizer"], label="script")


def bearer(key):
    return {"headers": {"authorization": f"Bearer {key}"}}


def test_a_key_is_shown_once_and_stored_as_a_hash(organizer_client, people):
    assert "You have no keys." in organizer_client.get(PAGE).content.decode()
    answer = organizer_client.post(PAGE, {"label": "my <script>", "scope": "write"})
    assert "no-store" in answer.headers["Cache-Control"]
    key = KEY.search(answer.content.decode())[0]
    stored = ApiKey.objects.get()
    assert (stored.user, stored.label, str(stored)) == (people["organizer"], "my <script>", "my <script>")
    assert stored.digest == hashlib.sha512(key.encode()).hexdigest()
    assert key not in "".join(str(getattr(stored, field.attname)) for field in ApiKey._meta.fields)
    page = organizer_client.get(PAGE).content.decode()
    assert not KEY.search(page)
    assert key[:15] in page
    assert "my &lt;script&gt;" in page


def test_the_form_sent_twice_makes_one_key(organizer_client):
    organizer_client.post(PAGE, {"label": "script", "scope": "write"})
    answer = organizer_client.post(PAGE, {"label": " script ", "scope": "write"})
    assert answer.context["form"].errors["label"] == ["You already have a key with the label “script”."]
    assert ApiKey.objects.count() == 1


@pytest.mark.parametrize("label", ["", "   ", "x" * 61, "a\x00b"])
def test_an_invalid_label_makes_no_key(organizer_client, label):
    answer = organizer_client.post(PAGE, {"label": label, "scope": "write"})
    assert "label" in answer.context["form"].errors
    assert not ApiKey.objects.exists()


def test_a_user_has_a_limited_number_of_keys(organizer_client, people):
    for n in range(MAX_KEYS):
        make_key(people["organizer"], label=f"{n}")
    answer = organizer_client.post(PAGE, {"label": "one more", "scope": "write"})
    assert answer.context["form"].errors["label"] == ["You have 20 keys: revoke one first."]
    assert ApiKey.objects.count() == MAX_KEYS


def test_the_page_takes_as_many_queries_with_three_keys_as_with_one(
    organizer_client, people, django_assert_num_queries
):
    for n in range(3):
        make_key(people["organizer"], label=f"{n}")
        if n != 1:
            with django_assert_num_queries(4):
                organizer_client.get(PAGE)


def test_account_pages_link_to_the_keys(organizer_client):
    for page in ("/accounts/logout/", "/accounts/email/", "/accounts/password/change/", PAGE):
        assert f'href="{PAGE}"' in organizer_client.get(page).content.decode(), page


def test_a_key_acts_with_the_role_of_its_user(url, key, put, people, season):
    strict = Client(enforce_csrf_checks=True)  # a key needs no CSRF token
    assert put(strict, url, NEW | FIRST, **bearer(key)).status_code == 200
    foreign = make_key(people["stranger"], label="script")
    assert put(strict, url, RULES | FIRST, **bearer(foreign)).status_code == 403
    remove_member(season.club, user=people["organizer"], actor=None)
    assert put(strict, url, RULES | FIRST, **bearer(key)).status_code == 403
    assert strict.get(url).json().items() >= NEW.items()


def test_a_session_needs_a_csrf_token(url, put, people):
    strict = Client(enforce_csrf_checks=True)
    strict.force_login(people["organizer"])
    answer = put(strict, url, NEW | FIRST)
    assert (answer.status_code, "CSRF" in answer.json()["detail"]) == (403, True)
    assert strict.get(url).json() == RULES | FIRST
    strict.get(PAGE)
    token = strict.cookies["csrftoken"].value
    assert put(strict, url, NEW | FIRST, headers={"x-csrftoken": token}).status_code == 200


def test_a_revoked_key_is_refused_and_revoking_twice_does_no_harm(client, organizer_client, key, put, url):
    assert Client().get(SEATS, **bearer(key)).status_code == 200
    address = reverse("api:key-revoke", args=[key[:15]])
    for _again in range(2):
        assert organizer_client.post(address).url == PAGE
    assert not ApiKey.objects.exists()
    for answer in (Client().get(SEATS, **bearer(key)), put(Client(), url, NEW | FIRST, **bearer(key))):
        assert (answer.status_code, answer.json()) == (401, {"detail": "Invalid token."})
        assert answer.headers["WWW-Authenticate"] == "Bearer"


@pytest.mark.parametrize("who", ["anonymous", "stranger", "foreign", "member"])
def test_nobody_sees_or_revokes_the_key_of_another(client_of, key, who):
    client = client_of(who)
    client.post(reverse("api:key-revoke", args=[key[:15]]))
    assert key[:15] not in client.get(PAGE).content.decode()
    assert ApiKey.objects.count() == 1


def test_the_key_of_a_closed_account_is_refused(key, people):
    people["organizer"].is_active = False
    people["organizer"].save()
    assert Client().get(SEATS, **bearer(key)).status_code == 401


@pytest.mark.parametrize("sent", ["", "tb_no", "é", "tb_" + "0" * 64, "tb_\x00", "a b", "x" * 10_000])
def test_an_invalid_key_is_refused(key, sent):
    assert Client().get(SEATS, **bearer(sent)).status_code == 401


def test_a_key_opens_no_pages(key):
    assert Client().get(PAGE, **bearer(key)).status_code == 302


def test_requests_without_a_key_are_limited_by_address(key, monkeypatch):
    monkeypatch.setattr(KeylessThrottle, "rate", "3/min")
    forged = [{"headers": {"x-forwarded-for": f"203.0.113.{n}"}} for n in range(4)]
    assert [Client().get(SEATS, **extra).status_code for extra in forged] == [200, 200, 200, 429]
    answer = Client().get(SEATS)
    assert int(answer.headers["Retry-After"]) > 0
    assert Client().get(SEATS, REMOTE_ADDR="203.0.113.9").status_code == 200
    assert [Client().get(SEATS, **bearer(key)).status_code for _n in range(5)] == [200] * 5


def test_answers_are_only_json_and_never_stored(client, organizer_client, url):
    for address in (SEATS, url, "/api/v1/seasons/999999/rules/", "/api/v1/seats/"):
        answer = organizer_client.get(address)
        assert answer.headers["Content-Type"] == "application/json"
        assert answer.headers["Cache-Control"] == "private, no-store"
    assert client.get(SEATS, headers={"accept": "text/html"}).status_code == 406
    assert client.options(url).status_code == 405
