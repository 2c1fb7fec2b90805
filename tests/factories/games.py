"""Seasons of games with balances, and their games, made by the services of the site."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

from league.models import Pool, PoolKind, Season
from league.services.events import EventDetails, enter_result
from ratings.engine.profit.params import ProfitParams
from ratings.services.settings import set_rating_settings
from reading.results import EntryInput
from tests.factories import START, SeasonFactory

PARAMS = ProfitParams(balance_unit=1.0)  # balances are kept in thousands


def profit_season(club=None, **changes):
    """A season whose pool is rated by R."""
    season = SeasonFactory(**({"club": club} if club else {}))
    pool = Pool.objects.create(club=season.club, name=f"Mahjong {season.pk}", kind=PoolKind.PROFIT)
    Season.objects.filter(pk=season.pk).update(pool=pool)
    season.refresh_from_db()
    set_rating_settings(pool, replace(PARAMS, **changes), revision=0, actor=None)
    return season


def play(season, result, *, game=0, **details):
    """Enter a game from lines of a name, a balance in thousands and perhaps a score."""
    rows = [line.split() for line in result.strip().splitlines()]
    balances = [Decimal(row[1]) for row in rows]
    entries = [
        EntryInput(
            name=row[0],
            place=1 + sum(other > balance for other in balances),
            balance=balance,
            score=Decimal(row[2]) if len(row) > 2 else None,
        )
        for row, balance in zip(rows, balances, strict=True)
    ]
    entries.sort(key=lambda entry: entry.place)
    starts_at = START + timedelta(hours=game)
    return enter_result(season, EventDetails(starts_at, **details), entries, actor=None)
