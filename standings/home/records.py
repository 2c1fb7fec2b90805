"""Records of a club: its highest rate, the most wins in a season, the most gained in one event."""

from datetime import datetime
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import F, QuerySet, Sum

from league.models import Club, Pool, PoolKind
from ratings.models import RatedEntry, RatedGame
from standings.models import Standing


class Record(NamedTuple):
    """What a player has reached, and when, or in which season."""

    player_id: int
    name: str
    value: float
    at: datetime | None = None
    season: str = ""


class Records(NamedTuple):
    highest_rate: Record | None = None
    most_wins: Record | None = None
    biggest_gain: Record | None = None


# Names of the columns before and after an event, by the kind of the pool.
RATED: dict[str, tuple[type[RatedEntry | RatedGame], str, str]] = {
    PoolKind.TIER: (RatedEntry, "prior_rate", "posterior_rate"),
    PoolKind.PROFIT: (RatedGame, "r_before", "r_after"),
}


def records_of(club: Club, pool: Pool | None) -> Records:
    """Find the records of a club, with the ratings of one pool."""
    state = club.pools.order_by("pk").values_list(
        "data_version", "recomputation__rated_version", "recomputation__rated_at"
    )
    return _records(club.pk, pool.pk if pool else None, pool.kind if pool else "", tuple(state))


@lru_cache(maxsize=256)
def _records(club_id: int, pool_id: int | None, kind: str, _versions: tuple[Any, ...]) -> Records:
    """Find the records in all rows of a club; they are kept until its data has another version."""
    wins = _most_wins(club_id)
    if kind not in RATED:
        return Records(most_wins=wins)
    model, before, after = RATED[kind]
    rows = model._default_manager.filter(pool=pool_id, is_provisional=False)
    return Records(_highest(rows, after), wins, _biggest_gain(rows, before, after))


def _most_wins(club_id: int) -> Record | None:
    rows = Standing.objects.filter(season__club=club_id, n_wins__gt=0)
    found = rows.order_by("-n_wins", "season__starts_on", "pk").values_list(
        "player_id", "player__name", "n_wins", "season__name"
    )
    return next((Record(pk, name, n, season=season) for pk, name, n, season in found[:1]), None)


def _highest(rows: QuerySet[Any], after: str) -> Record | None:
    found = rows.order_by(f"-{after}", "starts_at", "pk").values_list(
        "player_id", "player__name", after, "starts_at"
    )
    return next((Record(*row) for row in found[:1]), None)


def _biggest_gain(rows: QuerySet[Any], before: str, after: str) -> Record | None:
    """Find the most that a player gained in an event with all entries together, placement apart."""
    of_events = rows.values("player_id", "player__name", "event_id", "starts_at")
    gains = of_events.annotate(gain=Sum(F(after) - F(before))).filter(gain__gt=0)
    found = gains.order_by("-gain", "starts_at", "player_id").values_list(
        "player_id", "player__name", "gain", "starts_at"
    )
    return next((Record(*row) for row in found[:1]), None)
