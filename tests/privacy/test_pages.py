"""The pages about privacy and terms: figures from the code that deletes, cookies as they are set, the operator's text."""

from datetime import timedelta

import pytest
import time_machine
from allauth.usersessions.models import UserSession
from django.conf import settings as site
from django.contrib.sessions.models import Session
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from entry.services import drafts
from lab.models import run
from lab.services import practice, sit_and_go
from league.models import ImportDraft, Player
from league.models import bin as bin_model
from league.models import club as club_model
from league.tasks import purge_expired
from privacy import retention
from standings.archive import erasing
from tests.factories import ClubFactory, SeasonFactory, UserFactory
from tests.people.accounts.people import PASSWORD, confirmed, log_in

pytestmark = pytest.mark.django_db
PAGES = ("/privacy/", "/terms/")
OTHER = timedelta(days=77)
# Where each time stands under its own name in retention, and where the code that deletes has it.
TIMES = {
    "BIN_KEPT": (bin_model, "KEPT_FOR"),
    "RESTORABLE_FOR": (club_model, "RESTORABLE_FOR"),
    "DRAFT_LIFETIME": (drafts, "DRAFT_LIFETIME"),
    "DRAFTS_KEPT_FOR": (erasing, "DRAFTS_KEPT_FOR"),
    "RUNS_KEPT": (run, "KEPT"),
    "DECISIONS_KEPT": (practice, "KEPT"),
    "GAMES_KEPT": (sit_and_go, "KEPT"),
}


@pytest.mark.parametrize("name", TIMES)
def test_the_times_are_those_of_the_code_that_deletes(name, monkeypatch, client):
    module, constant = TIMES[name]
    assert getattr(retention, name) is getattr(module, constant)
    monkeypatch.setattr(retention, name, OTHER)
    assert client.get("/privacy/").content.decode().count("77 days") == 1


def test_the_times_of_sessions_are_the_settings(settings, client):
    settings.SESSION_COOKIE_AGE = OTHER.total_seconds()
    assert client.get("/privacy/").content.decode().count("77 days") == 2


def test_the_cookies_that_the_site_sets_are_listed():
    UserFactory(username="ada")
    client = Client()
    player = Player.objects.create(club=ClubFactory(), name="Ada")
    for said in ("me", "follow"):
        address = reverse("standings:remember", args=[player.club.slug, player.pk])
        client.post(address, {"as": said})
    client.get("/accounts/login/")
    log_in(client, "ada", PASSWORD)
    client.get("/language/ja/")
    client.get("/theme/dark/")
    named = {cookie.name for cookie in retention.cookies()}
    assert {"me", "followed", "sessionid"} <= set(client.cookies)
    assert set(client.cookies) - named == set()


@pytest.mark.parametrize("page", PAGES)
def test_they_say_who_runs_the_site(page, client, settings):
    settings.OPERATOR, settings.OPERATOR_CONTACT = "Hill & Club, 1 Road", "mailto:us@example.org"
    shown = client.get(page).content.decode()
    assert "This site is run by Hill &amp; Club, 1 Road." in shown
    assert '<a href="mailto:us@example.org">us@example.org</a>' in shown


def test_without_a_contact_reports_go_where_weaknesses_are_reported(client, settings):
    settings.OPERATOR_CONTACT = ""
    assert f'href="{settings.SECURITY_CONTACT}"' in client.get("/terms/").content.decode()


@pytest.mark.parametrize(
    ("page", "file"), [("/privacy/", "_privacy_text.html"), ("/terms/", "_terms_text.html")]
)
def test_an_operator_replaces_a_text_by_a_file(page, file, client, settings, tmp_path):
    (tmp_path / "privacy").mkdir()
    (tmp_path / "privacy" / file).write_text(
        '{% if LANGUAGE_CODE == "ja" %}<p>独自</p>{% else %}<p>Our own</p>{% endif %}', encoding="utf-8"
    )
    engine, *others = site.TEMPLATES
    settings.TEMPLATES = [engine | {"DIRS": [tmp_path, *engine["DIRS"]]}, *others]
    assert "<p>Our own</p>" in client.get(page).content.decode()
    assert "<p>独自</p>" in client.get(page, headers={"accept-language": "ja"}).content.decode()


@pytest.mark.parametrize("page", ["/", "/accounts/signup/"])
def test_every_page_and_the_sign_up_lead_to_both(page, client):
    shown = client.get(page).content.decode()
    assert [shown.count(f'href="{each}"') for each in PAGES] == [1 + ("signup" in page)] * 2


def test_uploads_and_sessions_that_are_over_are_deleted_without_a_visit():
    user = UserFactory()
    ImportDraft.objects.create(season=SeasonFactory(), user=user)
    still_in, client = confirmed(user), confirmed(user)
    Session.objects.filter(session_key=client.session.session_key).delete()
    assert UserSession.objects.count() == 2
    with time_machine.travel(timezone.now() + drafts.DRAFT_LIFETIME - timedelta(minutes=1), tick=False):
        purge_expired()
        assert ImportDraft.objects.count() == 1
        assert UserSession.objects.get().session_key == still_in.session.session_key
    with time_machine.travel(timezone.now() + drafts.DRAFT_LIFETIME + timedelta(minutes=1), tick=False):
        purge_expired()
    assert ImportDraft.objects.count() == 0
