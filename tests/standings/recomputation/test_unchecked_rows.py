"""Computed rows whose keys the database does not check: none stays that points nowhere, and none is there twice."""

from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection

from league.models import Player, Season
from league.services.deletions import delete_season
from people.services.merges import merge_players
from ratings.models import PlayerRating, RatedEntry, RatedGame
from standings.models import Standing
from standings.recomputation import service
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, UserFactory, correct, enter

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


@pytest.mark.parametrize("model", [RatedEntry, RatedGame, Standing])
def test_rows_are_written_without_checks_of_their_keys(model):
    with connection.cursor() as cursor:
        constraints = connection.introspection.get_constraints(cursor, model._meta.db_table)
    assert not [name for name, found in constraints.items() if found["foreign_key"]]


@pytest.mark.parametrize("model", [RatedEntry, RatedGame])
def test_rated_rows_are_in_three_indexes_beside_their_key_and_in_no_unique_one(model):
    """Each row that a recomputation replaces would have to be looked up again for a unique index."""
    with connection.cursor() as cursor:
        found = connection.introspection.get_constraints(cursor, model._meta.db_table).values()
    indexes = [(index["columns"], index["unique"]) for index in found if index["index"]]
    assert sorted(columns for columns, _is_unique in indexes if columns != ["id"]) == [
        ["event_id"],
        ["player_id", "starts_at"],
        ["pool_id", "starts_at", "event_id"],
    ]
    assert not [index for index in found if index["unique"] and not index["primary_key"]]


def test_every_entry_has_one_row_after_events_have_moved_back_and_forth(season):
    first, second = enter(season, "Ada\nBoris\nCleo", day=20), enter(season, "Boris\nAda\nCleo", day=27)
    recompute(season.pool_id)
    for event, days in ((first, 14), (second, -14), (first, -13)):
        event.refresh_from_db()
        correct(event, "Cleo\nAda\nBoris", later=timedelta(days=days))
        recompute(season.pool_id)
    rows = Counter(RatedEntry.objects.values_list("event_id", "player_id", "number"))
    assert sorted(rows.values()) == [1] * 6


def test_a_deleted_player_takes_the_rows_along(season):
    event = enter(season, "Ada\nBoris\nCleo")
    recompute(season.pool_id)
    assert RatedEntry.objects.count() == Standing.objects.count() == 3
    event.delete()
    Player.objects.all().delete()
    assert not RatedEntry.objects.exists()
    assert not Standing.objects.exists()


def during(monkeypatch, change):
    """Make a change when rows have been computed and not yet written; return whose rows are there after that."""
    compute, left, seen = service.compute, [change], set()

    def computed(*arguments):
        seen.update(Standing.objects.values_list("player_id", flat=True))
        result = compute(*arguments)
        if left:
            left.pop()()
        return result

    monkeypatch.setattr(service, "compute", computed)
    return seen


def test_a_player_who_is_merged_meanwhile_gets_no_rows(season, monkeypatch):
    enter(season, "Ada\nBoris\nCleo")
    enter(season, "Zoe\nBoris", day=7)
    kept, merged = Player.objects.get(name="Ada"), Player.objects.get(name="Zoe")
    seen = during(monkeypatch, lambda: merge_players(kept, merged, actor=UserFactory()))
    assert recompute(season.pool_id)
    assert merged.pk not in seen
    for model in (RatedEntry, PlayerRating, Standing):
        assert merged.pk not in model.objects.values_list("player_id", flat=True)
    assert Standing.objects.get(player=kept).n_events == 2


def test_a_season_that_is_deleted_meanwhile_gets_no_rows(season, monkeypatch):
    enter(season, "Ada\nBoris")
    other = SeasonFactory(club=season.club, name="Other")
    enter(other, "Boris\nAda", day=7)
    during(monkeypatch, lambda: delete_season(other, actor=UserFactory()))
    assert recompute(season.pool_id)
    assert not Season.objects.filter(pk=other.pk).exists()
    assert set(Standing.objects.values_list("season_id", flat=True)) == {season.pk}
    assert RatedEntry.objects.count() == 2
