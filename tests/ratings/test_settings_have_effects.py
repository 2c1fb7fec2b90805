"""No setting of ratings is saved, shown and ignored: each changes the ratings, their badges or what is refused."""

from dataclasses import asdict, replace
from datetime import date, timedelta

import pytest

from league.models import Event
from league.services.events import enter_result
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.params import TierParams
from ratings.models import PlayerRating, ProfitRating, RatedEntry, RatedGame
from ratings.queries import wanted_settings
from ratings.services.settings import set_rating_settings
from reading.results import EntryInput, EventDetails
from standings.recomputation.service import recompute
from tests.factories import START, SeasonFactory, enter, names
from tests.ratings.profit_pools import add_games, profit_season

pytestmark = pytest.mark.django_db
# Numbers that only say when the computation ends.
OF_THE_COMPUTATION = {"tolerance", "max_rounds"}
# Another value of each setting, as far from the published one as members would see.
OTHER = asdict(TierParams()) | {
    "mu0": 1400.0, "sigma0": 450.0, "beta": 800.0, "conservatism": 1.0, "offset": 300.0, "sigma_floor": 440.0,
    "rate_floor": 1450.0, "provisional_entries": 9, "tau_per_day": 20.0, "hands_scale": 0.6, "hands_low": 1.0,
    "hands_high": 1.5, "weight_first": 0.9, "weight_top": 0.9, "weight_final_table": 0.9, "weight_bottom": 0.9,
    "weight_rest_low": 0.985, "weight_rest_high": 0.85, "weight_share": 0.2, "weight_scales_sigma": True, "late_a": 1.0,
    "late_b": 1.0, "late_charge": "full", "late_first": 2.0, "late_reentry": 2.0, "minutes_per_entry": 20.0, "badge_top": 1800.0,
    "badge_step": 50.0, "season_start": "full", "season_sigma": 480.0,
}  # fmt: skip
# Settings without an effect of their own, with the one that makes it felt.
BESIDE = {
    "season_sigma": {"season_start": "soft"},
    "weight_top": {"weight_share": 0.1},
    "weight_rest_low": {"weight_rest_high": 0.99},
}


@pytest.fixture
def seasons(club):
    """Fields of forty with late entries, re-entries, early busts and times, and one of which only an order is known."""
    first = SeasonFactory(club=club)
    second = SeasonFactory(club=club, starts_on=date(2026, 2, 1))
    people = names(40)
    for season, day in ((first, 0), (first, 7), (second, 40), (second, 47)):
        start, order = START + timedelta(days=day), people[day % 7 :] + people[: day % 7]
        entries = [
            EntryInput(
                name, place, 2 if place in {1, 6} else 1,
                registered_at=start + timedelta(minutes=55) if place in {1, 4, 6, 31} else None,
                busted_at=None if place == 1 else start + timedelta(minutes=300 - 7 * place),
            )
            for place, name in enumerate(order, 1)
        ]  # fmt: skip
        entries += [EntryInput(order[i], 41, busted_at=start + timedelta(minutes=15)) for i in (0, 5)]
        times = {"ends_at": start + timedelta(hours=5), "closes_at": start + timedelta(hours=1)}
        enter_result(season, EventDetails(start, **times), entries, actor=None)
    enter(first, "\n".join(people[:30]), day=14)
    recompute(first.pool_id)
    return first


def use(pool, params):
    newest = wanted_settings(pool.pk)
    set_rating_settings(pool, params, revision=newest.revision if newest else 0, actor=None)
    recompute(pool.pk)


def computed(*models):
    return [
        [sorted(row.items()) for row in model.objects.order_by("pk").values() if row.pop("id")]
        for model in models
    ]


@pytest.mark.parametrize("name", sorted(asdict(TierParams()).keys() - OF_THE_COMPUTATION))
def test_each_setting_of_tier_changes_what_is_computed(seasons, name):
    assert OTHER[name] != getattr(TierParams(), name)
    before = TierParams(**BESIDE.get(name, {}))
    use(seasons.pool, before)
    rows = computed(RatedEntry, PlayerRating)
    use(seasons.pool, replace(before, **{name: OTHER[name]}))
    assert computed(RatedEntry, PlayerRating) != rows


OTHER_R = asdict(ProfitParams()) | {
    "r0": 1400.0, "f": 0.1, "g": 2.0, "balance_unit": 2.0, "table_pull": 0.01, "least_correction": 0.5, "games": 40,
    "provisional_games": 150, "system": "placement", "place_first": 40.0,
}  # fmt: skip
BESIDE_R = {"place_first": {"system": "placement"}}
# These say which games are refused (tests/ratings/test_services.py), and R is not corrected for them.
OF_SUMS = {"house_per_table", "house_per_player", "sum_tolerance"}


@pytest.mark.parametrize("name", sorted(asdict(ProfitParams()).keys() - OF_SUMS))
def test_each_setting_of_r_changes_what_is_computed(club, name):
    season = profit_season(club)
    add_games(season, n_games=60)
    before = ProfitParams(**{"balance_unit": 1.0} | BESIDE_R.get(name, {}))
    use(season.pool, before)
    rows = computed(RatedGame, ProfitRating)
    use(season.pool, replace(before, **{name: OTHER_R[name]}))
    assert computed(RatedGame, ProfitRating) != rows
    assert Event.objects.count() == 60
