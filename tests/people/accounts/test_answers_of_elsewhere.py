"""Try answers of other sites to sign-ins: nonsense, nothing, those of another; and keys that are half set."""

from urllib.parse import urlencode

import pytest
from allauth.socialaccount import app_settings
from allauth.socialaccount.models import SocialAccount
from django.contrib.auth.models import User
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from league.site.sign_in import providers
from tests.people.accounts.elsewhere import (
    FORM,
    PERSONS,
    PROVIDERS,
    come_back,
    go_there,
    sign_in,
    way_back,
)
from tests.people.accounts.people import is_in

pytestmark = pytest.mark.django_db


@pytest.mark.each_case
@pytest.mark.parametrize("provider", PROVIDERS)
def test_a_provider_that_fails_is_said_and_nobody_is_in(client, there, known, provider, caplog):
    there.person = {"nonsense": True}
    address = go_there(client, provider)
    assert come_back(client, address).status_code in {401, 502}
    there.is_broken = True
    answer = come_back(client, go_there(client, provider))
    assert answer.status_code == 401
    assert "has not said who you are" in answer.content.decode()
    assert not is_in(client)
    assert "sign-in-failed" in caplog.text
    there.shutdown()
    there.server_close()
    if provider == "sso/oidc":  # whose addresses are asked for on the way there
        assert client.post(f"/accounts/{provider}/").status_code == 502


@pytest.mark.parametrize(
    "nonsense",
    [
        {"sub": None}, {"sub": ""}, {"sub": "x" * 300}, {"sub": "a\x00b"}, {"email": ["a@example.com"]}, {"email": 7},
        {"email": "a\x00@example.com"}, {"sub": ["a"]}, {"email": "x" * 300 + "@example.com"},
    ],
)  # fmt: skip
def test_nonsense_of_a_provider_is_no_error_of_the_site(client, there, nonsense):
    there.person = PERSONS["sso/oidc"] | nonsense
    answer = sign_in(client, "sso/oidc")
    if answer.status_code == 302:  # a person all the same, with less than was sent
        assert answer.url == "/accounts/elsewhere/new/"
        client.post("/accounts/elsewhere/new/", FORM)
    else:
        assert answer.status_code == 502
        assert "has not said who you are" in answer.content.decode()
    assert not SocialAccount.objects.exclude(uid="ada-1").exists()


@pytest.mark.parametrize("answer", [[], "nobody", 7])
def test_an_answer_of_another_kind_is_nobody(client, there, answer):
    there.person = PERSONS["sso/oidc"]
    address = go_there(client, "discord")
    there.person = answer
    assert come_back(client, address).status_code in {302, 502}
    assert not is_in(client)


def test_a_name_from_elsewhere_is_kept_short_and_without_control_characters(client, there):
    there.person = PERSONS["discord"] | {"username": "a\x00\u202e" + "b" * 500, "email": None}
    sign_in(client, "discord")
    client.post("/accounts/elsewhere/new/", FORM)
    assert SocialAccount.objects.get().extra_data == {"username": "a" + "b" * 199}


def test_a_code_of_one_provider_is_not_taken_by_another(client, there):
    there.person = PERSONS["google"] | PERSONS["discord"]
    _address, brought = way_back(go_there(client, "google"))
    answer = client.get(f"/accounts/discord/back/?{urlencode(brought)}")
    assert answer.status_code == 401
    assert not SocialAccount.objects.exists()


@pytest.mark.parametrize("provider", ["google", "sso/oidc"])
def test_a_token_for_another_audience_is_refused(client, there, provider):
    there.person, there.audience = PERSONS[provider], "another site"
    assert sign_in(client, provider).status_code == 401
    assert not is_in(client)


def test_two_who_sign_up_as_the_same_person_at_once_are_one(there):
    there.person = PERSONS["line"]
    first, second = Client(), Client()
    for client in (first, second):
        sign_in(client, "line")
    first.post("/accounts/elsewhere/new/", FORM)
    answer = second.post("/accounts/elsewhere/new/", FORM | {"username": "ada2"})
    assert answer.status_code == 502
    assert User.objects.count() == 1
    assert not is_in(second)


def test_the_site_waits_for_no_provider_for_long():
    assert app_settings.REQUESTS_TIMEOUT <= 5


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"GOOGLE_CLIENT_ID": "1"}, "GOOGLE_CLIENT_SECRET"),
        ({"LINE_CLIENT_SECRET": "1"}, "LINE_CLIENT_ID"),
        ({"OIDC_CLIENT_ID": "1", "OIDC_CLIENT_SECRET": "2"}, "OIDC_SERVER"),
        ({"OIDC_CLIENT_ID": "1", "OIDC_CLIENT_SECRET": "2", "OIDC_SERVER": "http://id.example"}, "https://"),
    ],
)
def test_half_a_setting_is_refused(monkeypatch, given, message):
    for name, value in given.items():
        monkeypatch.setenv(name, value)
    with pytest.raises(ImproperlyConfigured, match=message):
        providers()


def test_the_settings_of_an_operator_are_read(monkeypatch):
    assert providers() == {}
    for name in ("GOOGLE", "DISCORD", "LINE", "OIDC"):
        monkeypatch.setenv(f"{name}_CLIENT_ID", f"id of {name}")
        monkeypatch.setenv(f"{name}_CLIENT_SECRET", "secret")
    monkeypatch.setenv("OIDC_SERVER", "https://id.example/realms/club/")
    monkeypatch.setenv("OIDC_NAME", "Club House")
    found = providers()
    assert list(found) == ["google", "discord", "line", "openid_connect"]
    [app] = found["openid_connect"]["APPS"]
    assert (app["name"], app["client_id"]) == ("Club House", "id of OIDC")
    assert app["settings"]["server_url"] == "https://id.example/realms/club"
