"""Games with scores, and tables of a night, for tests."""

from datetime import UTC, datetime
from decimal import Decimal

from entry.services.nights import Night, NightTable
from league.models import EntryForm, Game, GameKind, Pool, PoolKind
from scores.rules import PRESETS
from scores.tables import Seat

EVENING = datetime(2026, 1, 13, 19, 30, tzinfo=UTC)
NAMES = ("Ada", "Boris", "Chie", "Dmitri")
SCORES = (42_200, 22_300, 20_500, 15_000)
BALANCES = ("62.2", "2.3", "-19.5", "-45")  # by M.League rules


def make_game(club, **fields):
    pool = club.pools.filter(name="Mahjong").first() or Pool.objects.create(
        club=club, name="Mahjong", kind=PoolKind.PROFIT
    )
    values = {
        "name": "Riichi",
        "kind": GameKind.MAHJONG_4,
        "entry_form": EntryForm.SCORES,
        "table_size": 4,
        "scoring": PRESETS["mleague"].to_dict(),
    }
    return Game.objects.create(club=club, pool=pool, **(values | fields))


def make_cash_game(club):
    return make_game(
        club, name="Cash", kind=GameKind.POKER, entry_form=EntryForm.BALANCES, table_size=9, scoring=None
    )


def night_of(season, game, *, rules=PRESETS["mleague"], name="Tuesday", starts_at=EVENING):
    return Night(season, game, rules, starts_at, name)


def table(number=1, *, round=1, names=NAMES, scores=SCORES, **more):  # noqa: A002  the field's name
    seats = tuple(Seat(name, score) for name, score in zip(names, scores, strict=True))
    return NightTable(round, number, seats, **more)


def balances_table(**points):
    return NightTable(1, 1, tuple(Seat(name, points=Decimal(value)) for name, value in points.items()))
