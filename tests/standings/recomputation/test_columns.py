"""Corrections read the rows of what has changed alone, and still give the rows of a computation from scratch."""

import random
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from league.models import Change, Event, Player
from league.services.changes import lock_pool, record_change
from league.services.events import delete_event
from league.services.players import update_player
from league.services.seasons import close_season, reopen_season
from payouts.models import EntryPoints
from payouts.queries import terms_version
from payouts.services.rules import set_rules
from payouts.services.terms import set_event_terms
from standings.models import EventColumns, Standing
from standings.recomputation import season as reading
from standings.recomputation.service import recompute
from standings.seals.services import seal_season, unseal_season
from tests.cases import seeds
from tests.factories import RULES, START, SeasonFactory, UserFactory, correct, enter
from tests.standings.recomputation.test_season import (
    random_balance,
    random_league,
    random_rules,
    random_terms,
    random_text,
)
from tests.standings.recomputation.test_service import rows

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
PEOPLE = ["Ada", "Boris", "Cleo", "Dmitri", "Elif", "Farouk", "Greta", "Hanna"]


def stored():
    """Every computed row and every stored column, to compare bit by bit."""
    columns = EventColumns.objects.order_by("event_id").values_list("event_id", "results", "rates")
    return rows(), [(event, bytes(results), bytes(rates)) for event, results, rates in columns]


@pytest.fixture
def read_events(monkeypatch):
    """The events whose rows the recomputation has read, by their ids."""
    seen = set()
    for name in ("read_entries", "read_rated"):
        function = getattr(reading, name)
        monkeypatch.setattr(
            reading,
            name,
            lambda found, index, function=function: seen.update(index) or function(found, index),
        )
    return seen


def change_something(rng, seasons):
    """Make one random change; return the ids of the events whose results or settling it has changed."""
    events = list(Event.objects.filter(season__in=seasons))
    season, event = rng.choice(seasons), rng.choice(events) if events else None
    balance = random_balance(rng)
    kind = rng.choice(["enter", "correct", "correct", "move", "delete", "terms", "rules", "settle", "rename"])
    if kind == "enter" or event is None:
        return {enter(season, random_text(rng, PEOPLE), day=rng.randint(0, 60), balance=balance).pk}
    if kind == "correct":
        correct(event, random_text(rng, PEOPLE), balance=balance)
    elif kind == "move":
        days_in = (event.starts_at - START).days  # no event can be before the season
        later = timedelta(days=rng.randint(-min(days_in, 20), 20))
        correct(event, random_text(rng, PEOPLE), later=later, balance=balance)
    elif kind == "delete":
        delete_event(event, version=event.version, actor=None)
    elif kind == "terms":
        set_event_terms(event, terms=random_terms(rng), version=terms_version(event), actor=None)
    elif kind == "rename":
        player = rng.choice(list(Player.objects.filter(club=season.club)))
        update_player(player, name=f"{player.name[0]}{rng.random()}", is_guest=False, actor=UserFactory())
        return set()
    else:
        rules, again = random_rules(rng), kind == "settle"
        set_rules(season, rules=rules, settle_again=again, actor=None)
        return {other.pk for other in events if other.season_id == season.pk} if again else set()
    return {event.pk}


@pytest.mark.rest
@pytest.mark.parametrize("seed", [*seeds(5), 21])
def test_random_corrections_give_the_rows_of_a_computation_from_scratch(seed, read_events):
    rng = random.Random(seed)
    first = random_league(rng)
    seasons = [first, SeasonFactory(club=first.club)]
    assert {season.pool_id for season in seasons} == {first.pool_id}
    read_events.clear()
    for _i in range(6):
        changed = change_something(rng, seasons)
        if rng.random() < 0.3:
            changed |= change_something(rng, seasons)
        assert recompute(first.pool_id)
        assert read_events <= changed  # the stored columns were used for all others
        corrected = stored()
        recompute(first.pool_id, from_scratch=True)
        assert stored() == corrected
        read_events.clear()


def test_columns_that_are_missing_are_made_from_the_rows(read_events):
    """As after an upgrade: the rows of a release that had no columns are read once."""
    season = random_league(random.Random(3))
    before = stored()
    assert len(before[1]) == season.events.count() > 1
    EventColumns.objects.all().delete()
    event = season.events.in_rating_order().last()
    touch(season, event)
    read_events.clear()
    recompute(season.pool_id)
    assert stored() == before
    assert read_events == {event.pk for event in season.events.all()}
    touch(season, event)
    read_events.clear()
    recompute(season.pool_id)
    assert stored() == before
    assert read_events == {event.pk}


def touch(season, event):
    """Record a change without changing anything."""
    pool, kind = lock_pool(season.pool_id), Change.Kind.RESULT_CORRECTED
    record_change(pool, kind=kind, actor=None, season=season, event=event, rated_from=event.starts_at)


def test_there_may_be_too_many_events_to_name_in_a_query(monkeypatch):
    season = random_league(random.Random(3))
    before = stored()
    last = season.events.in_rating_order().last()
    EventColumns.objects.exclude(event=last).delete()
    monkeypatch.setattr(reading, "MOST_NAMED", 1)
    touch(season, last)
    recompute(season.pool_id)
    assert stored() == before


def test_a_correction_of_the_last_event_takes_the_same_queries_in_a_longer_season():
    counts = []
    for n_events in (3, 9):
        season = SeasonFactory()
        events = [enter(season, "Ada\nBoris\nCleo", day=day) for day in range(n_events)]
        recompute(season.pool_id)
        correct(events[-1], "Cleo\nAda\nBoris")
        with CaptureQueriesContext(connection) as captured:
            recompute(season.pool_id)
        counts.append(len(captured))
        tables = [query["sql"] for query in captured if 'FROM "league_entry"' in query["sql"]]
        assert all("event_id" in sql.partition("WHERE")[2] or "starts_at" in sql for sql in tables), tables
    assert counts[0] == counts[1]


def test_rows_are_deleted_without_joining_their_table_to_itself(club):
    season = SeasonFactory(club=club)
    events = [enter(season, "Ada\nBoris\nCleo", day=day) for day in range(3)]
    recompute(season.pool_id)
    correct(events[1], "Cleo\nAda\nBoris")
    with CaptureQueriesContext(connection) as captured:
        recompute(season.pool_id)
    deleted = [query["sql"] for query in captured if query["sql"].startswith("DELETE")]
    tables = [sql.split('"')[1] for sql in deleted]
    assert {EntryPoints._meta.db_table, EventColumns._meta.db_table} <= set(tables)
    joined = [sql for sql, table in zip(deleted, tables, strict=True) if f'"{table}" U' in sql]
    assert joined == []


def test_rates_of_a_sealed_season_are_up_to_date_when_its_seal_is_broken(club):
    sealed, other = SeasonFactory(club=club), SeasonFactory(club=club)
    owner = UserFactory(is_superuser=True)
    first = enter(other, "Ada\nBoris\nCleo", day=0)
    for day in range(1, 4):
        enter(sealed, "Ada\nBoris\nCleo", day=day)
    recompute(club.pools.get().pk)
    close_season(sealed, actor=owner)
    recompute(sealed.pool_id)
    seal_season(sealed, actor=owner)
    correct(first, "Cleo\nBoris\nAda")
    recompute(sealed.pool_id)
    assert set(EventColumns.objects.values_list("event_id", flat=True)) == {first.pk}
    before = list(Standing.objects.filter(season=sealed).order_by("pk").values_list("rate", flat=True))
    sealed.refresh_from_db()
    unseal_season(sealed, actor=owner)
    set_rules_again(sealed)
    recompute(sealed.pool_id)
    corrected = stored()
    recompute(sealed.pool_id, from_scratch=True)
    assert stored() == corrected
    assert before != list(
        Standing.objects.filter(season=sealed).order_by("pk").values_list("rate", flat=True)
    )


def set_rules_again(season):
    reopen_season(season, actor=UserFactory())
    set_rules(season, rules=RULES | {"attendance_points": 7}, settle_again=False, actor=None)
