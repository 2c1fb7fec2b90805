"""A list takes as many queries for many rows as for few: the lists that organizers read."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from league.models import Claim, Invitation, Membership, Player, PlayerAlias, Role
from league.services.events import delete_event
from league.services.schedule import EventPlan, plan_events
from live.services.nights import begin_night
from tests.addresses import a_run
from tests.factories import ClubFactory, UserFactory, correct, enter

pytestmark = pytest.mark.django_db
LISTS = [
    "clubs/",
    "clubs/{slug}/bin/",
    "clubs/{slug}/claims/",
    "clubs/{slug}/history/",
    "clubs/{slug}/invitations/",
    "clubs/{slug}/live/",
    "clubs/{slug}/members/",
    "clubs/{slug}/runs/",
    "seasons/{season}/nights/",
    "seasons/{season}/planned/",
    "events/{event}/corrections/",
    "players/{player}/aliases/",
    "pools/{pool}/changes/",
]


def add_one_of_each(season, event, owner, day):
    """Add a row to each of the lists."""
    club = season.club
    deleted = enter(season, f"Guest {day}\nBoris", day=day)
    delete_event(deleted, version=deleted.version, actor=owner)
    event.refresh_from_db()
    correct(event, "Boris\nAda" if day % 2 else "Ada\nBoris")
    player = Player.objects.create(club=club, name=f"Player {day}", key=f"player {day}")
    user = UserFactory()
    Membership.objects.create(club=club, user=user, role=Role.MEMBER)
    Claim.objects.create(player=player, user=user)
    Invitation.objects.create(
        club=club, role=Role.MEMBER, player=player, made_by=owner, ends_at=timezone.now() + timedelta(days=3)
    )
    PlayerAlias.objects.create(
        club=club, player=Player.objects.get(name="Ada"), name=f"Ada {day}", key=f"ada {day}"
    )
    a_run(club)
    Membership.objects.create(club=ClubFactory(), user=owner, role=Role.ORGANIZER)
    starts_at = timezone.now().replace(microsecond=0) + timedelta(days=day)
    plan_events(season, plans=[EventPlan(starts_at)], actor=owner)
    begin_night(
        club, starts_at=starts_at, season=season, planned_event=None, name=f"Night {day}", setup={},
        form_token=uuid.uuid4(), actor=owner,
    )  # fmt: skip


@pytest.mark.parametrize("path", LISTS)
def test_lists_of_ten_take_as_many_queries_as_lists_of_one(season, client_of, people, path):
    type(season).objects.filter(pk=season.pk).update(ends_on=None)
    season.refresh_from_db()
    event, client = enter(season, "Ada\nBoris"), client_of("owner")
    add_one_of_each(season, event, people["owner"], 1)
    url = f"/api/v1/{path}".format(
        slug=season.club.slug, season=season.pk, event=event.pk, pool=season.pool_id,
        player=Player.objects.get(name="Ada").pk,
    )  # fmt: skip

    def read():
        with CaptureQueriesContext(connection) as captured:
            answer = client.get(url)
        assert answer.status_code == 200, answer.content
        return answer.json()["count"], len(captured)

    read()  # the first request of a session reads more
    n_few, few = read()
    for day in range(2, 11):
        add_one_of_each(season, event, people["owner"], day)
    n_many, many = read()
    assert n_many >= n_few + 9 or path.endswith("nights/")
    assert many <= few
