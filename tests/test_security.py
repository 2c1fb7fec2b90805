"""Headers, cookies, log-in, sign-up, passwords; migrations that are up to date."""

import os
import re
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from django.core import mail
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from tests.factories import SeasonFactory, UserFactory, enter
from tests.people.accounts.people import LOGIN, PASSWORD, is_in, log_in

pytestmark = pytest.mark.django_db
ROOT = Path(__file__).parents[1]


def test_no_page_allows_inline_scripts_styles_or_eval(client):
    season = SeasonFactory()
    event = enter(season, "Ada\nBoris")
    club, slug = season.club.slug, season.slug
    client.force_login(UserFactory(is_superuser=True, is_staff=True))
    addresses = [
        "/", "/about/", "/healthz", "/clubs/new/", "/nothing/", "/admin/", "/accounts/email/", "/accounts/logout/",
        "/accounts/password/change/", "/accounts/api-keys/", "/accounts/sessions/", "/accounts/2fa/", "/api/v1/seats/?structure=inverse&seats=5", f"/c/{club}/", f"/c/{club}/players/", f"/c/{club}/people/",
        f"/c/{club}/settings/", f"/c/{club}/changes/", f"/c/{club}/s/{slug}/", f"/c/{club}/s/{slug}/table/",
        f"/c/{club}/s/{slug}/events/", f"/c/{club}/s/{slug}/events/new/", f"/c/{club}/s/{slug}/import/",
        f"/c/{club}/s/{slug}/edit/", f"/c/{club}/s/{slug}/standings.csv", event.get_absolute_url(),
        reverse("entry:event-edit", args=[club, event.pk]), reverse("entry:event-delete", args=[club, event.pk]),
    ]  # fmt: skip
    for address in addresses:
        answer = client.get(address)
        policy = answer.headers["Content-Security-Policy"]
        assert "unsafe" not in policy, address
        assert "script-src 'self'" in policy
        assert "default-src 'self'" in policy
        assert answer.headers["X-Frame-Options"] == "DENY"
        assert "camera=()" in answer.headers["Permissions-Policy"]
        assert answer.headers["X-Content-Type-Options"] == "nosniff"
        if address.startswith("/admin/") or "html" not in answer.headers["Content-Type"]:
            continue
        html = answer.content.decode()
        assert not re.search(r"<script(?![^>]*(src=|application/json))", html), address
        assert not re.search(r"<style|\sstyle=|\son(click|load|change|submit)=|javascript:", html), address


def test_anonymous_pages_have_the_same_policy():
    for address in ("/", LOGIN, "/accounts/signup/", "/accounts/password/reset/"):
        assert "unsafe" not in Client().get(address).headers["Content-Security-Policy"]


@pytest.mark.parametrize("name", ["ada", "ada@example.com", "Ada@Example.com"])
def test_people_log_in_by_name_or_e_mail_and_out_again(client, name):
    UserFactory(username="ada")
    answer = log_in(client, name, PASSWORD)
    assert (answer.status_code, answer.url) == (302, "/")
    assert is_in(client)
    assert client.get("/accounts/logout/").status_code == 200
    assert is_in(client)  # a GET shows the question and does not log out
    assert client.post("/accounts/logout/").url == "/"
    assert not is_in(client)


@pytest.mark.parametrize("name", ["ada", "nobody", "", "ada\x00"])
def test_a_wrong_log_in_tells_nothing_about_the_account(client, name):
    UserFactory(username="ada")
    answer = log_in(client, name)
    assert answer.status_code == 200
    assert not is_in(client)


def test_a_log_in_goes_on_to_pages_of_this_site_alone(client):
    UserFactory(username="ada")
    answer = log_in(client, "ada", PASSWORD, address=f"{LOGIN}?next=https://example.com/")
    assert answer.url == "/"
    for address in ("/language/ja/?next=//example.com/", "/theme/dark/?next=https://example.com/"):
        assert client.get(address).url == "/"
    assert client.get("/language/xx/").status_code == 404
    assert client.get("/theme/pink/").status_code == 404


def test_sign_up_opens_an_account_and_logs_in(client):
    new = {"username": "cleo", "email": "cleo@example.com", "password1": PASSWORD, "password2": PASSWORD}
    assert client.get("/accounts/signup/").status_code == 200
    weak = client.post("/accounts/signup/", new | {"password1": "12345678", "password2": "12345678"})
    assert weak.status_code == 200
    assert weak.context["form"]["username"].value() == "cleo"
    assert not is_in(client)
    assert client.post("/accounts/signup/", new).status_code == 302
    assert is_in(client)
    assert client.get("/clubs/new/").status_code == 200
    again = Client().post("/accounts/signup/", new | {"email": "other@example.com"})
    assert again.status_code == 200
    assert "username" in again.context["form"].errors


def test_a_forgotten_password_is_reset_by_mail_once(client):
    UserFactory(username="ada")
    assert client.post("/accounts/password/reset/", {"email": "ada@example.com"}).status_code == 302
    assert mail.outbox[-1].subject.startswith("Tierboard: ")
    link = re.search(r"http://testserver(/\S+)", mail.outbox[-1].body)[1]
    form = client.get(link, follow=True)
    address = form.redirect_chain[-1][0]
    new = "another-passphrase"
    assert client.post(address, {"password1": new, "password2": new}).status_code == 302
    fresh = Client()
    log_in(fresh, "ada", PASSWORD)
    assert not is_in(fresh)
    log_in(fresh, "ada", new)
    assert is_in(fresh)
    assert "Bad token" in Client().get(link, follow=True).content.decode()


def test_a_post_without_a_token_is_refused(people, season):
    client = Client(enforce_csrf_checks=True)
    client.force_login(people["organizer"])
    for page in ("entry:event-create", "entry:import-upload", "league:season-close", "payouts:season-edit"):
        answer = client.post(reverse(page, args=[season.club.slug, season.slug]), {"closed": "1"})
        assert answer.status_code == 403, page


def production(code, **environment):
    env = {
        "PATH": os.environ["PATH"],
        "VAR_DIR": os.environ["VAR_DIR"],
        "ENVIRONMENT": "production",
    } | environment
    return subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env=env, capture_output=True, text=True, check=False
    )


COMPLETE = {
    "SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyz" * 2,
    "ALLOWED_HOSTS": "league.example.com",
    "DATABASE_URL": "postgres://a:b@localhost/c",
    "BROKER_URL": "redis://localhost/0",
}


@pytest.mark.rest
def test_production_is_strict_about_cookies_and_https():
    code = """
from league import settings as s
print(s.SESSION_COOKIE_SECURE, s.CSRF_COOKIE_SECURE, s.SECURE_SSL_REDIRECT, s.DEBUG)
print(s.SESSION_COOKIE_NAME, s.CSRF_COOKIE_NAME, s.SECURE_HSTS_PRELOAD)
print(s.SECURE_HSTS_SECONDS >= 31_536_000, s.SESSION_COOKIE_SAMESITE, s.CSRF_COOKIE_SAMESITE, s.SECURE_PROXY_SSL_HEADER)
"""
    process = production(code, **COMPLETE)
    names = ["__Host-sessionid", "__Host-csrftoken", "False"]
    expected = ["True"] * 3 + ["False", *names, "True", "Lax", "Lax", "None"]
    assert process.stdout.split() == expected, process.stderr
    behind_proxy = production(code, **COMPLETE, TRUSTED_PROXY_COUNT="1", HSTS_PRELOAD="1")
    assert "__Host-csrftoken True" in behind_proxy.stdout
    assert "HTTP_X_FORWARDED_PROTO" in behind_proxy.stdout


@pytest.mark.parametrize("missing", COMPLETE)
def test_production_does_not_start_without(missing):
    process = production(
        "import league.settings", **{name: value for name, value in COMPLETE.items() if name != missing}
    )
    assert process.returncode == 1
    assert missing in process.stderr


@pytest.mark.rest
def test_the_check_for_deployment_finds_nothing():
    code = "from django.core.management import execute_from_command_line as run; run(['', 'check', '--deploy', '--fail-level', 'WARNING'])"
    process = production(code, **COMPLETE, DJANGO_SETTINGS_MODULE="league.settings")
    assert process.returncode == 0, process.stderr


def test_security_txt_says_where_to_report_for_a_time_to_come(client, settings):
    address = "/.well-known/security.txt"
    settings.SECURITY_CONTACT = ""
    assert client.get(address).status_code == 404
    settings.SECURITY_CONTACT = "mailto:help@league.example"
    answer = client.get(address)
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    fields = dict(line.split(": ", 1) for line in answer.content.decode().splitlines())
    assert fields["Contact"] == "mailto:help@league.example"
    left = datetime.fromisoformat(fields["Expires"]) - timezone.now()
    assert timedelta(days=30) < left < timedelta(days=366)


def test_files_refuse_what_no_page_uses_and_passkeys_are_allowed(client):
    """Also what is answered before the views, such as static files."""
    policy = client.get("/static/css/site.css").headers["Permissions-Policy"]
    assert "microphone=()" in policy
    assert "publickey-credentials-get=(self)" in policy


def test_the_session_cookie_is_out_of_reach_of_scripts(client):
    UserFactory(username="ada")
    cookie = log_in(client, "ada", PASSWORD).cookies["sessionid"]
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_a_request_that_cannot_be_read_is_answered_in_the_look(client, db):
    answer = client.get("/", headers={"host": "elsewhere.example"})
    assert answer.status_code == 400
    assert "The site could not read what you sent" in answer.content.decode()
    assert "Content-Security-Policy" in answer.headers
