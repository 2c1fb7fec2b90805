"""Rows of ratings: the database checks none of their keys, and the recomputation leaves none that point nowhere."""

import pytest
from django.db import connection

from league.models import Player, Pool
from ratings.models import RatedEntry, RatedGame
from standings.recomputation.service import recompute
from tests.factories import enter

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("model", [RatedEntry, RatedGame])
def test_rows_of_ratings_are_written_without_checks_of_their_keys(model):
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, model._meta.db_table)
    assert not [name for name, found in constraints.items() if found["foreign_key"]]


def test_a_deleted_player_takes_the_rows_along(season):
    event = enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    rows = RatedEntry.objects.filter(pool__in=Pool.objects.all(), player__in=Player.objects.all())
    assert (rows.count(), RatedEntry.objects.count()) == (3, 3)
    event.delete()
    Player.objects.all().delete()
    assert not RatedEntry.objects.exists()
