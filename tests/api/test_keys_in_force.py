"""For how long and for what a key is good: its password, its end, its rights, its limits."""

from datetime import timedelta
from importlib import import_module

import pytest
import time_machine
from django.apps import apps
from django.contrib.auth.hashers import make_password
from django.contrib.auth.models import User
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from api.models import ApiKey, Lifetime
from api.services import make_key
from api.throttles import KeyThrottle, WrongKeyThrottle
from league.models import AccessChange
from tests.api.test_keys import PAGE, SEATS, bearer
from tests.api.test_rules import FIRST, NEW, RULES
from tests.factories import UserFactory

pytestmark = pytest.mark.django_db
OLD, NEW_PASSWORD = "a-good-passphrase", "another-passphrase"


@pytest.fixture
def user(people):
    return people["organizer"]


@pytest.fixture
def key(user):
    return make_key(user, label="script")


def status(key, **extra):
    return Client().get(SEATS, **bearer(key), **extra).status_code


def on_the_page(client, user):
    sent = {"oldpassword": OLD, "password1": NEW_PASSWORD, "password2": NEW_PASSWORD}
    client.force_login(user)
    assert client.post("/accounts/password/change/", sent).status_code == 302


def by_the_operator(client, user):
    client.force_login(UserFactory(is_staff=True, is_superuser=True))
    sent = {"password1": NEW_PASSWORD, "password2": NEW_PASSWORD, "usable_password": "true"}
    assert client.post(f"/admin/auth/user/{user.pk}/password/", sent).status_code == 302


def by_set_password(_client, user):
    user.set_password(NEW_PASSWORD)
    user.save()


def in_the_database(_client, user):
    User.objects.filter(pk=user.pk).update(password=make_password(NEW_PASSWORD))


@pytest.mark.parametrize("change", [on_the_page, by_the_operator, by_set_password, in_the_database])
def test_a_key_ends_with_any_change_of_the_password(client, user, key, change):
    other = make_key(UserFactory(), label="script")
    assert status(key) == 200
    change(client, user)
    user.refresh_from_db()
    assert user.check_password(NEW_PASSWORD)
    answer = client.get(SEATS, **bearer(key))
    assert (answer.status_code, answer.json()) == (
        401,
        {"detail": "The key ended when the password was changed."},
    )
    assert status(other) == status(make_key(user, label="next")) == 200
    client.force_login(user)
    assert "ended: the password was changed" in client.get(PAGE).content.decode()


def test_a_disabled_password_ends_the_keys(user, key):
    assert status(key) == 200
    user.set_unusable_password()
    user.save(update_fields=["password"])
    assert status(key) == 401


def test_a_password_hashed_anew_at_sign_in_keeps_the_keys(client, user, key, settings):
    old = user.password
    settings.PASSWORD_HASHERS = [
        "django.contrib.auth.hashers.PBKDF2PasswordHasher",
        "django.contrib.auth.hashers.MD5PasswordHasher",
    ]
    client.post("/accounts/login/", {"login": user.username, "password": OLD})
    user.refresh_from_db()
    assert user.password != old
    assert status(key) == 200
    assert not AccessChange.objects.filter(kind=AccessChange.Kind.PASSWORD_CHANGED).exists()


def test_a_key_expires(user, client):
    key = make_key(user, label="month", lifetime=Lifetime.MONTH)
    assert status(key) == 200
    with time_machine.travel(timezone.now() + timedelta(days=30, seconds=1)):
        answer = client.get(SEATS, **bearer(key))
        assert (answer.status_code, answer.json()) == (401, {"detail": "The key has expired."})
        client.force_login(user)
        assert "expired on" in client.get(PAGE).content.decode()
    assert ApiKey.objects.count() == 1  # reading deletes nothing


@pytest.mark.parametrize(("lifetime", "days"), [("", None), ("30", 30), ("90", 90), ("365", 365)])
def test_the_form_sets_rights_and_end(organizer_client, lifetime, days):
    organizer_client.post(PAGE, {"label": "script", "scope": "read", "lifetime": lifetime})
    key = ApiKey.objects.get()
    assert key.scope == "read"
    assert (key.expiry and round((key.expiry - key.created) / timedelta(days=1))) == days


@pytest.mark.parametrize("wrong", [{"scope": ""}, {"scope": "all"}, {"lifetime": "31"}, {"lifetime": "x"}])
def test_rights_and_ends_there_are_not_make_no_key(organizer_client, wrong):
    answer = organizer_client.post(PAGE, {"label": "script", "scope": "read", **wrong})
    assert list(answer.context["form"].errors) == list(wrong)
    assert answer.context["form"]["label"].value() == "script"
    assert not ApiKey.objects.exists()


def test_a_key_to_read_writes_nothing(user, season, put):
    url, key = f"/api/v1/seasons/{season.pk}/rules/", make_key(user, label="r", scope=ApiKey.Scope.READ)
    assert Client().get(url, **bearer(key)).status_code == 200
    answer = put(Client(), url, NEW | FIRST, **bearer(key))
    assert (answer.status_code, answer.json()) == (403, {"detail": "This key may only read."})
    assert Client().get(url).json() == RULES | FIRST


def test_a_key_has_a_limit_of_its_own(user, key, monkeypatch):
    other = make_key(user, label="other")
    monkeypatch.setattr(KeyThrottle, "rate", "3/min")
    assert [status(key, REMOTE_ADDR=f"203.0.113.{n}") for n in range(4)] == [200, 200, 200, 429]
    assert int(Client().get(SEATS, **bearer(key)).headers["Retry-After"]) > 0
    assert status(other) == 200


def test_wrong_keys_are_limited_by_address_and_a_right_one_is_not(key, monkeypatch):
    cache.clear()
    monkeypatch.setattr(WrongKeyThrottle, "rate", "3/min")
    forged = [{"x-forwarded-for": f"203.0.113.{n}", "authorization": f"Bearer tb_{n}"} for n in range(4)]
    answers = [Client().get(SEATS, headers=headers) for headers in forged]
    assert [answer.status_code for answer in answers] == [401, 401, 401, 429]
    assert int(answers[-1].headers["Retry-After"]) > 0
    assert status(key) == 200
    assert status("tb_wrong", REMOTE_ADDR="203.0.113.9") == 401


def test_a_network_of_ipv6_and_an_ipv4_address_written_as_ipv6_are_one_visitor_each(monkeypatch):
    cache.clear()
    monkeypatch.setattr(WrongKeyThrottle, "rate", "1/min")
    addresses = ["::ffff:203.0.113.7", "::ffff:203.0.113.8", "203.0.113.7", "2001:db8::1", "2001:db8::2"]
    assert [status("tb_wrong", REMOTE_ADDR=one) for one in addresses] == [401, 401, 429, 401, 429]


def test_a_request_with_a_key_writes_nothing(key, season):
    address = f"/api/v1/clubs/{season.club.slug}/seasons/"
    with CaptureQueriesContext(connection) as captured:
        assert Client().get(address, **bearer(key)).status_code == 200
    written = [query["sql"] for query in captured if query["sql"].startswith(("INSERT", "UPDATE", "DELETE"))]
    assert written == []
    of_keys = [query["sql"] for query in captured if ApiKey._meta.db_table in query["sql"]]
    assert len(of_keys) == 1  # the key with its user


def test_keys_from_before_stay_until_the_next_password(user, key):
    ApiKey.objects.update(password_mark="")
    assert status(key) == 401
    import_module("api.migrations.0002_scope_and_password").mark_passwords(apps, None)
    assert status(key) == 200


@pytest.mark.django_db(transaction=True)
def test_wrong_keys_are_counted_although_reading_writes_nothing(monkeypatch):
    """Outside the transaction of a test, PostgreSQL refuses every write in the snapshot of a GET."""
    cache.clear()
    monkeypatch.setattr(WrongKeyThrottle, "rate", "2/min")
    assert [status("tb_wrong") for _n in range(3)] == [401, 401, 429]
    cache.clear()
