"""Many new events at once: the same rows and changes as one after the other, in as few queries for 30 as for 3."""

from contextlib import contextmanager, suppress
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from random import Random

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from entry.services import bulk_results
from entry.services.bulk_results import NewResult, enter_results
from league.models import Change, Entry, Event, Player, PlayerAlias, Pool, PoolKind
from league.services.errors import BadDay, BadResult, Refused
from league.services.events import enter_result
from reading.results import EntryInput, EventDetails

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]
NAMES = ("Ada", "ADA", "Boris", "Cléo", "髙橋", "Ed", "Nick")


class Undo(Exception):
    pass


def results(season, n, *, pool=None):
    rng = Random(4)
    start = datetime.combine(season.starts_on, datetime.min.time(), UTC) + timedelta(hours=12)
    new = []
    for e in range(n):
        names = rng.sample(("Ada", *NAMES[2:]), 4)
        entries = [
            EntryInput(rng.choice(NAMES[:2]) if name == "Ada" else name, place, 1, start, start + timedelta(hours=9 - place))
            for place, name in enumerate(names, start=1)
        ]  # fmt: skip
        entries.append(EntryInput(entries[3].name, 5, 1, knockouts=e % 3, cost=Decimal("12.50")))
        entries[3] = EntryInput(entries[3].name, 4, 2)
        rated_in = pool.pk if pool and e % 2 else None
        new.append(NewResult(f"e{e}", EventDetails(start, table_size=8, pool_id=rated_in), entries))
    return new


def one_by_one(season, new, actor):
    return [
        enter_result(season, result.details, result.entries, actor=actor, key=result.key) for result in new
    ]


def rows(events):
    """Everything stored, with names in place of keys and without the times of writing."""
    first = events[0].pk
    return {
        "events": [
            {name: value for name, value in values.items() if name not in {"id", "created_at", "updated_at"}}
            for values in Event.objects.order_by("pk").values()
        ],
        "entries": [
            {name: value for name, value in values.items() if name not in {"id", "event_id", "player_id"}}
            for values in Entry.objects.order_by("pk").values()
        ],
        "of": [
            (entry.event_id - first, entry.player.name)
            for entry in Entry.objects.select_related("player").order_by("pk")
        ],
        "players": list(Player.objects.order_by("pk").values_list("name", "key", "is_guest")),
        "changes": [
            (change.event_id - first, *(getattr(change, name) for name in CHANGE_FIELDS))
            for change in Change.objects.order_by("pool_id", "version")
        ],
        "pools": list(Pool.objects.order_by("pk").values_list("data_version", flat=True)),
    }


CHANGE_FIELDS = ("pool_id", "version", "kind", "actor_id", "season_id", "rated_from", "before", "after")


@contextmanager
def undone():
    with suppress(Undo), transaction.atomic():
        yield
        raise Undo


@pytest.mark.parametrize("batch", [7, 1_000])
def test_the_rows_are_those_of_events_entered_one_by_one(season, people, monkeypatch, batch):
    monkeypatch.setattr(bulk_results, "BATCH", batch)
    side = Pool.objects.create(club=season.club, name="Side", kind=PoolKind.NONE)
    nick = Player.objects.create(club=season.club, name="Nicholas", key="nicholas")
    PlayerAlias.objects.create(club=season.club, player=nick, name="Nick", key="nick")
    new, actor = results(season, 6, pool=side), people["organizer"]
    with undone():
        expected = rows(one_by_one(season, new, actor))
    with undone():
        assert rows(enter_results(season, new, actor=actor)) == expected
    assert len(expected["changes"]) == 9
    assert not Event.objects.exists()


def test_thirty_events_take_as_many_queries_as_three(season):
    counts = []
    for n in (3, 30):
        with undone(), CaptureQueriesContext(connection) as queries:
            enter_results(season, results(season, n), actor=None)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_all_or_nothing(season):
    new = results(season, 3)
    day = EventDetails(new[0].details.starts_at - timedelta(days=9_999))
    with pytest.raises(BadDay):
        enter_results(season, [*new, NewResult("x", day, new[0].entries)], actor=None)
    below = [EntryInput("Ada", 1), EntryInput("Ed", 2), EntryInput("Ed", 3, 2)]
    with pytest.raises(BadResult):
        enter_results(season, [*new, NewResult("x", new[0].details, below)], actor=None)
    season.is_closed = True
    season.save()
    with pytest.raises(Refused, match="closed"):
        enter_results(season, new, actor=None)
    assert [model.objects.count() for model in (Event, Change, Player)] == [0, 0, 0]
