"""The clubs that benchmarks measure are created on each database, and computed."""

import pytest

from bench import games, leagues
from league.models import Event, Pool, PoolKind
from standings.models import Standing
from standings.recomputation.service import recompute

pytestmark = pytest.mark.django_db
N_GAMES = 10


def computed(season):
    """Compute the pool of a season, and count the players in its standings."""
    leagues.touch(Event.objects.in_rating_order().first())
    recompute(season.pool_id)
    return Standing.objects.filter(season=season).count()


def test_large_fields():
    (season,) = leagues.open_seasons(1)
    leagues.fill([season], n_players=6, sizes=[6, 4], is_timed=True)
    assert computed(season) == 6


def test_small_games_with_balances():
    (season,) = leagues.open_seasons(1)
    Pool.objects.filter(pk=season.pool_id).update(kind=PoolKind.PROFIT)
    games.fill([season], n_games=N_GAMES)
    assert games.SEATS <= computed(season) <= games.SEATS * N_GAMES
