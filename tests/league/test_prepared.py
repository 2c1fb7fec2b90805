"""Prepared queries give what the ORM would, in one query, whatever they are asked for."""

import pytest
from django.core.exceptions import ObjectDoesNotExist

from league.database.prepared import MOMENT, POOL_ID, Prepared, PreparedObjects
from league.models import Change, Event, Season
from tests.factories import ClubFactory, SeasonFactory, enter

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
SLUG = "<slug>"
RELATED = ("club", "pool__recomputation", "rules", "summary")


@pytest.fixture
def query():
    return PreparedObjects(Season.objects.filter(slug=SLUG).select_related(*RELATED))


def columns(row):
    return {column.name: column.value_from_object(row) for column in row._meta.concrete_fields}


def related(season):
    """Read everything that the query promises; None for what the season has not."""
    for path in RELATED:
        row = season
        for name in path.split("__"):
            try:
                row = getattr(row, name)
            except ObjectDoesNotExist:
                row = None
                break
        yield path, row and columns(row)


def test_objects_are_those_of_the_orm_with_their_relations(
    query, enter_event, season, django_assert_num_queries
):
    enter_event("Ada\nBoris")
    bare = SeasonFactory(club=ClubFactory(language="ja"))
    for expected in (season, bare):
        slow = Season.objects.select_related(*RELATED).get(pk=expected.pk)
        with django_assert_num_queries(1):
            (found,) = query.objects({SLUG: expected.slug})
            assert dict(related(found)) == dict(related(slow))
        assert columns(found) == columns(slow)
        assert not found._state.adding


def test_each_reading_makes_new_objects_of_the_present_rows(query, season):
    (first,) = query.objects({SLUG: season.slug})
    Season.objects.update(name="Renamed")
    (second,) = query.objects({SLUG: season.slug})
    assert (first.name, second.name) == (season.name, "Renamed")
    assert first.club is not second.club


def test_what_is_asked_for_is_a_value_and_no_sql(query, season):
    enter(season, "Ada\nBoris")
    assert list(query.objects({SLUG: "' OR ''='"})) == []
    assert list(query.objects({SLUG: SLUG})) == []


def test_a_condition_that_django_leaves_out_is_noticed(season):
    """No number of a season is negative, so every one is above it, and nothing stands in the query for the number."""
    query = Prepared(Change.objects.filter(version__gt=-6).values_list("pk"))
    with pytest.raises(LookupError, match=r"the query has no \{-6\}"):
        query.rows({-6: 1})


def test_a_moment_can_be_asked_for(season):
    early, late = (enter(season, "Ada\nBoris", day=day) for day in (0, 1))
    query = Prepared(
        Event.objects.filter(pool=POOL_ID, starts_at__gte=MOMENT)
        .in_rating_order()
        .values_list("pk", "starts_at")
    )
    for since, expected in ((early.starts_at, [early, late]), (late.starts_at, [late])):
        rows = query.rows({POOL_ID: season.pool_id, MOMENT: since})
        assert [tuple(row) for row in rows] == [(event.pk, event.starts_at) for event in expected]
