"""A season that is deleted and brought back has its planned events, their answers, and what was told of it."""

from datetime import timedelta

import pytest
from django.utils import timezone

from league.models import PlannedEvent, Role, Rsvp
from league.services.bin import restore
from league.services.deletions import delete_season
from noticeboard.models import Announcement
from tests.factories import SeasonFactory, UserFactory, enter

pytestmark = pytest.mark.django_db


def test_a_season_takes_them_into_the_bin_and_brings_them_back():
    season = SeasonFactory()
    owner = season.club.memberships.get(role=Role.OWNER).user
    planned = PlannedEvent.objects.create(season=season, starts_at=timezone.now() + timedelta(days=1))
    gone = UserFactory()
    for user in (owner, gone):
        Rsvp.objects.create(planned_event=planned, user=user, answer="yes")
    Announcement.objects.create(event=enter(season, "Ada\nBoris"))
    item = delete_season(season, actor=owner)
    assert (PlannedEvent.objects.count(), Rsvp.objects.count(), Announcement.objects.count()) == (0, 0, 0)
    gone.delete()
    restore(season.club, item.pk, actor=owner)
    assert [(rsvp.planned_event, rsvp.user) for rsvp in Rsvp.objects.all()] == [(planned, owner)]
    assert Announcement.objects.count() == 1
