"""Every page of the admin: it answers, with as many queries for many rows as for few."""

import re
from datetime import timedelta

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.socialaccount.models import SocialAccount
from allauth.usersessions.models import UserSession
from django.contrib import admin
from django.contrib.admin.models import CHANGE, LogEntry
from django.contrib.auth.models import User
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Claim, Club, Event, Game, Invitation, Player, PlayerAlias, Pool, Role, Season
from league.services.events import delete_event
from people.services.members import set_member
from standings.models import Recomputation, SeasonSeal
from tests.factories import ClubFactory, SeasonFactory, UserFactory, correct, enter, names
from tests.people.admin.pages import address, listed


def grow(club, person, n):
    """Add so many rows of each kind: to a club, to an account, and beside them."""
    season, first = club.seasons.order_by("pk").first(), Event.objects.order_by("pk").first()
    done = Event.objects.count()
    text = "\n".join(names(3 * n + done, start=0))
    if first:
        correct(first, text)
    for i in range(n):
        key = done + i
        other = ClubFactory(owner=UserFactory())
        set_member(other, user=person, role=Role.MEMBER, actor=None)
        set_member(club, user=UserFactory(), role=Role.ORGANIZER, actor=None)
        SeasonFactory(club=club)
        enter(season, text, day=key)
        delete_event(enter(season, text, day=10 + key), version=1, actor=person)
        Player.objects.create(club=other, name="x", key="x", user=person)
        player = Player.objects.filter(club=club).order_by("pk").first()
        PlayerAlias.objects.create(club=club, player=player, name=f"other{key}", key=f"other{key}")
        Claim.objects.create(player=player, user=UserFactory())
        Claim.objects.create(
            player=Player.objects.create(club=club, name=f"y{key}", key=f"y{key}"), user=person
        )
        pool = Pool.objects.create(club=club, name=f"Pool {key}")
        Game.objects.create(club=club, name=f"Game {key}", kind="other", entry_form="order", pool=pool)
        Recomputation.objects.create(pool=pool, n_failures=1, error="x")
        Invitation.objects.create(
            club=club,
            email=person.email,
            player=player,
            made_by=UserFactory(),
            ends_at=timezone.now() + timedelta(1),
        )
        EmailAddress.objects.create(user=person, email=f"{key}@example.com")
        EmailAddress.objects.create(user=UserFactory(), email=f"other{key}@example.com")
        Authenticator.objects.create(
            user=person if done else UserFactory(), type="webauthn", data={"name": "key"}
        )
        SocialAccount.objects.create(user=person, provider="google", uid=f"{key}", extra_data={})
        UserSession.objects.create(user=person, ip="203.0.113.7", session_key=f"k{key}", user_agent="x")
        sealed = SeasonFactory(club=other)
        SeasonSeal.objects.create(season=sealed, text="{}", sha256="0" * 64, sealed_by=person)
        LogEntry.objects.log_actions(person.pk, [club], CHANGE, "seen", single_object=True)


def pages():
    for model, page in admin.site._registry.items():
        first = model.objects.order_by("pk").first()
        assert first, f"no row of {model.__name__}"
        yield listed(model)
        if page.search_fields:
            yield f"{listed(model)}?q=example"
        yield address(first)


def n_queries(client, url):
    with CaptureQueriesContext(
        connection,
    ) as asked:
        answer = client.get(url)
    assert answer.status_code == 200, url
    return len(asked)


@pytest.mark.rest
@pytest.mark.django_db
def test_every_page_asks_for_many_rows_as_often_as_for_few(operator):
    person, club = UserFactory(), SeasonFactory(club=ClubFactory()).club
    grow(club, person, 1)
    urls = list(pages())
    for url in urls:
        operator.get(url)  # what is read once in a process is not counted
    few = {url: n_queries(operator, url) for url in urls}
    rows = {model: model.objects.count() for model in admin.site._registry}
    grow(club, person, 2)
    assert all(model.objects.count() > n for model, n in rows.items()), rows
    many = {url: n_queries(operator, url) for url in urls}
    assert {url: (few[url], n) for url, n in many.items() if n > few[url]} == {}
    assert {User, Club, Season, Event, Player} <= set(rows)


@pytest.mark.django_db
def test_every_list_that_people_are_looked_for_in_can_be_searched():
    assert [
        model.__name__ for model, page in admin.site._registry.items() if not page.get_search_fields(None)
    ] == []


@pytest.mark.rest
@pytest.mark.django_db
def test_secrets_are_shown_nowhere(operator):
    person, club = UserFactory(), SeasonFactory(club=ClubFactory()).club
    grow(club, person, 1)
    Authenticator.objects.update(data={"name": "key", "secret": "hush-hush"})
    UserSession.objects.update(session_key="hush-key")
    SocialAccount.objects.update(extra_data={"email": "hush-mail"})
    secrets = ["hush-hush", "hush-key", "hush-mail", Invitation.objects.get().token]
    for url in pages():
        text = operator.get(url).content.decode()
        assert not [secret for secret in secrets if secret in text], url
        shown = [
            operator.get(link).get("Location", "") for link in re.findall(r'href="(/admin/r/[^"]+)"', text)
        ]
        assert not [link for link in shown if "/join/" in link], url
