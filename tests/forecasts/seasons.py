"""Seasons whose results are known, for tests of forecasts."""

from datetime import date

from forecasts.services import compute_pool
from standings.recomputation.service import recompute
from tests.factories import SeasonFactory, enter

ORDERS = (
    "Ada\nBoris\nCleo\nDora",
    "Ada\nCleo\nBoris\nDora",
    "Boris\nAda\nDora\nCleo",
    "Ada\nDora\nCleo\nBoris",
)


def played(n=3, **fields):
    """A season of `n` weekly events in January 2026, rated and forecast."""
    season = SeasonFactory(**{"ends_on": date(2026, 2, 28)} | fields)
    for week in range(n):
        enter(season, ORDERS[week % len(ORDERS)], day=7 * week)
    recompute(season.pool_id)
    compute_pool(season.pool_id)
    return season
