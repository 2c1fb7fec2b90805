"""Rate a pool again, by its kind: TIER from finishing orders, R from balances, or not at all."""

from datetime import datetime
from typing import TypeAlias

from league.models import BEGINNING, Pool, PoolKind
from ratings.models import RatingSettings
from ratings.services.profit_rerating import GamesInput, rate_games, read_games
from ratings.services.rerating import PoolInput, rate_pool, read_pool
from ratings.services.rows import END, Progress, RatedRows

AnyInput: TypeAlias = PoolInput | GamesInput


def replayed_from(pool: Pool, since: datetime) -> datetime:
    """Move the start of a replay to the first game if R is stretched later.

    A player's stored R is the stretched one, from which the R before cannot be computed to the last bit.
    """
    if pool.kind != PoolKind.PROFIT:
        return since
    stretched = RatingSettings.objects.filter(pool=pool).exclude(stretch=None).select_related("season__club")
    marks = [mark for each in stretched for mark in (each.takes_effect_at, each.applied_from) if mark]
    return BEGINNING if any(mark >= since for mark in marks) else since


def read_input(pool: Pool, *, since: datetime, until: datetime = END) -> AnyInput | None:
    """Read what the ratings of a pool are computed from, events before `until`; None if it has none."""
    if pool.kind == PoolKind.NONE:
        return None
    read = read_games if pool.kind == PoolKind.PROFIT else read_pool
    return read(pool.pk, since=since, until=until)


def rate_again(read: AnyInput, *, progress: Progress | None = None) -> RatedRows:
    """Replay what was read, without the database."""
    if isinstance(read, GamesInput):
        return rate_games(read, progress=progress)
    return rate_pool(read, progress=progress)
