"""Pools of kind profit with the games of simulated clubs, written without the services so that tests stay fast."""

from datetime import timedelta
from decimal import Decimal

import numpy as np

from league.models import Entry, Event, Player, Pool, PoolKind
from reading.names.keys import name_key
from standings.recomputation.service import recompute
from tests.engine.ratings.profit_clubs import simulated_clubs
from tests.factories import START, SeasonFactory

K, L = 11.737, 143.87
SPREAD_OF_GAMES = timedelta(hours=1)


def profit_season(club, **options):
    """A season whose pool is rated by R, without games."""
    season = SeasonFactory(club=club, **options)
    Pool.objects.filter(pk=season.pool_id).update(kind=PoolKind.PROFIT)
    season.pool.refresh_from_db()
    return season


def add_games(season, *, seed=1, n_members=8, n_games=200, skill=0.5, start=START, **options):
    """Add simulated games, one an hour, and compute R; balances are tenths of thousands."""
    (history,) = simulated_clubs(
        np.random.default_rng(seed),
        K,
        L,
        n_clubs=1,
        n_members=n_members,
        n_games=n_games,
        skill=skill,
        **options,
    )
    names = [f"Player {i:02}" for i in range(n_members)]
    known = {player.name: player for player in season.club.players.all()}
    new = [Player(club=season.club, name=name, key=name_key(name)) for name in names if name not in known]
    Player.objects.bulk_create(new)
    players = sorted(season.club.players.filter(name__in=names), key=lambda player: player.name)
    events = Event.objects.bulk_create(
        Event(season=season, pool=season.pool, starts_at=start + e * SPREAD_OF_GAMES, table=1)
        for e in range(n_games)
    )
    entries = []
    for event, first, end in zip(events, history.offset[:-1], history.offset[1:], strict=True):
        balances = [Decimal(f"{value / 1000:.1f}") for value in history.balance[first:end]]
        balances[-1] -= sum(balances)
        rows = zip(history.player[first:end], history.place[first:end], balances, strict=True)
        entries += [
            Entry(event=event, player=players[who], place=int(place), balance=balance)
            for who, place, balance in rows
        ]
    Entry.objects.bulk_create(entries)
    recompute(season.pool_id, from_scratch=True)
    return events
