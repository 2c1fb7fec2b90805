"""Records of a club: its highest rate, the most wins in a season, the most gained in one event."""

from collections.abc import Iterable
from datetime import datetime
from functools import lru_cache
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple

from django.db.models import F, QuerySet, Sum

from league.models import Club, Pool, PoolKind
from ratings.models import RatedEntry, RatedGame
from standings.models import Standing


class Holder(NamedTuple):
    """Name who has reached a record, and when, or in which season."""

    player_id: int
    name: str
    at: datetime | None = None
    season: str = ""


class Record(NamedTuple):
    """The best value, and all who have reached it, the earliest first."""

    value: float
    holders: tuple[Holder, ...]


class Records(NamedTuple):
    """The records of a club; `kind` is that of the pool, whose ratings follow events or games."""

    kind: str = ""
    highest_rate: Record | None = None
    most_wins: Record | None = None
    biggest_gain: Record | None = None


MOST_HOLDERS = 50  # of one record
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
        return Records(kind, most_wins=wins)
    model, before, after = RATED[kind]
    rows = model._default_manager.filter(pool=pool_id, is_provisional=False)
    return Records(kind, _highest(rows, after), wins, _biggest_gain(rows, before, after))


def _record(rows: Iterable[tuple[float, Holder]]) -> Record | None:
    """Take the holders of the first value; rows are in falling order of it."""
    value, found = next(groupby(rows, key=itemgetter(0)), (0.0, ()))
    holders = tuple(holder for _value, holder in found)
    return Record(value, holders) if holders else None


def _most_wins(club_id: int) -> Record | None:
    rows = Standing.objects.filter(season__club=club_id, n_wins__gt=0)
    found = rows.order_by("-n_wins", "season__starts_on", "pk").values_list(
        "n_wins", "player_id", "player__name", "season__name"
    )
    return _record((n, Holder(pk, name, season=season)) for n, pk, name, season in found[:MOST_HOLDERS])


def _highest(rows: QuerySet[Any], after: str) -> Record | None:
    found = rows.order_by(f"-{after}", "starts_at", "pk").values_list(
        after, "player_id", "player__name", "starts_at"
    )
    return _record((value, Holder(*holder)) for value, *holder in found[:MOST_HOLDERS])


def _biggest_gain(rows: QuerySet[Any], before: str, after: str) -> Record | None:
    """Find the most that a player gained in an event with all entries together, placement apart."""
    of_events = rows.values("player_id", "player__name", "event_id", "starts_at")
    gains = of_events.annotate(gain=Sum(F(after) - F(before))).filter(gain__gt=0)
    found = gains.order_by("-gain", "starts_at", "player_id").values_list(
        "gain", "player_id", "player__name", "starts_at"
    )
    return _record((value, Holder(*holder)) for value, *holder in found[:MOST_HOLDERS])
