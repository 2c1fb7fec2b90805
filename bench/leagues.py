"""Creates clubs with as many results as a benchmark needs. Django must have been set up before."""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction

from league.database.bulk import insert_columns
from league.models import Change, Entry, Event, Player, Season
from league.services.changes import lock_pool, record_change
from payouts.services.rules import open_season_with_rules
from people.services.clubs import open_club

START = datetime(2020, 1, 1, 19, tzinfo=UTC)
HOURS = 8  # from one event to the next
RULES = {"structure": {"name": "vp_kid", "ties": "better"}, "attendance_points": 1, "min_events": 3}


def open_seasons(n: int, *, slug: str = "bench") -> list[Season]:
    """Open a club with `n` seasons."""
    owner, _created = User.objects.get_or_create(username="bench", defaults={"is_superuser": True})
    club = open_club(owner, name=f"Bench {slug}", slug=slug, time_zone="UTC", is_public=True)
    return [
        open_season_with_rules(club, name=f"Season {i}", starts_on=START.date(), ends_on=None, rules=RULES)
        for i in range(1, n + 1)
    ]


def fill(seasons: Sequence[Season], *, n_players: int, sizes: Sequence[int], is_timed: bool) -> None:
    """Create events of these sizes, spread evenly over the seasons; better players finish higher.

    If `is_timed`, the events have late entries and early busts.
    """
    season, n_each = seasons[0], -(-len(sizes) // len(seasons))
    people = [Player(club=season.club, name=f"Player {i}", key=f"player {i}") for i in range(n_players)]
    players = [player.pk for player in Player.objects.bulk_create(people, batch_size=5_000)]
    closes = timedelta(hours=2) if is_timed else None
    starts = [START + timedelta(hours=HOURS * i) for i in range(len(sizes))]
    events = [
        Event(season=seasons[i // n_each], pool=season.pool, starts_at=at, closes_at=closes and at + closes)
        for i, at in enumerate(starts)
    ]
    rng = np.random.default_rng(7)
    strength = rng.normal(size=n_players)
    for event, size in zip(Event.objects.bulk_create(events), sizes, strict=True):
        field = rng.choice(n_players, size, replace=False)
        in_order = field[np.argsort(-(strength[field] + 3 * rng.normal(size=size)))].tolist()
        columns = {
            "event_id": [event.pk] * size,
            "player_id": [players[i] for i in in_order],
            "number": [1] * size,
            "place": list(range(1, size + 1)),
            "is_last": [True] * size,
            "registered_at": [None] * size,
            "busted_at": [None] * size,
        }
        if is_timed:
            columns |= _times(event.starts_at, rng, size)
        insert_columns(Entry, columns)


def _times(start: datetime, rng: np.random.Generator, size: int) -> dict[str, list[datetime]]:
    """Space the busts over five hours; one entry in five registers late, within the first two hours."""
    busted = np.linspace(300.0, 10.0, size)
    late = (rng.random(size) < 0.2) & (busted > 130.0)
    registered = np.where(late, rng.uniform(15.0, 120.0, size), 0.0)
    return {
        name: [start + timedelta(minutes=minutes) for minutes in values.tolist()]
        for name, values in (("registered_at", registered), ("busted_at", busted))
    }


@transaction.atomic
def touch(event: Event) -> None:
    """Record a change of the event's result, so that everything from this event on is computed again."""
    season, kind = event.season, Change.Kind.RESULT_CORRECTED
    pool = lock_pool(season.pool_id)
    record_change(pool, kind=kind, actor=None, event=event, season=season, rated_from=event.starts_at)
