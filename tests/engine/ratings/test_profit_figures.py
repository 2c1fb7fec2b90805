"""Profit rating: figures of the proposal of 2010."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ratings.engine.profit.history import ProfitHistory, results
from ratings.engine.profit.params import carried_over, corrections, pull_to_others, stationary
from ratings.engine.profit.replay import ProfitState, replay_profit
from tests.engine.ratings.profit_games import LADDER, PARAMS, replay

# Standard deviation of the balance of a game, thousands: four players, east-only, chip value 5 (source).
SPREAD = 53.6


def test_published_defaults():
    """0.4079 = 5 * 0.08158; 0.9575/40; R0 = 1500."""
    assert PARAMS.r0 == 1500.0
    assert PARAMS.f / PARAMS.least_correction == pytest.approx(0.4079, abs=1e-15)
    assert PARAMS.pull / PARAMS.least_correction == pytest.approx(0.9575 / 40.0, abs=1e-16)
    assert LADDER.pull / LADDER.least_correction == pytest.approx(1.0 / 40.0, abs=1e-16)


@given(st.lists(st.floats(0.0, 3000.0), min_size=4, max_size=4))
def test_pull_towards_the_table_is_a_pull_towards_the_others(ratings):
    """0.2 (Rbar - R)/40 = 3/800 (mean of the three others - R)."""
    own, others = ratings[0], sum(ratings[1:]) / 3.0
    to_table = 0.2 * (sum(ratings) / 4.0 - own) / 40.0
    assert pull_to_others(4, LADDER) * (others - own) == pytest.approx(to_table, abs=1e-12)
    assert pull_to_others(4, PARAMS) == pytest.approx(0.9575 * 3 / 800, rel=1e-15)


@pytest.mark.parametrize("n", [2, 3, 4, 9])
def test_after_enough_games_a_game_is_its_result_and_a_pull_to_the_others(n):
    """dR = r' + w (Rothers - R), r' = f balance/1000, at tables of any size."""
    rng = np.random.default_rng(n)
    start = ProfitState(rng.normal(1500.0, 200.0, n), np.full(n, 400))
    balance = rng.normal(0.0, 50e3, n)
    balance -= balance.mean()
    played = replay(ProfitHistory.of_balances([dict(enumerate(balance.tolist()))]), start=start)
    others = (start.r.sum() - start.r) / (n - 1)
    wanted = 0.08158 * balance / 1000.0 + pull_to_others(n, PARAMS) * (others - start.r)
    np.testing.assert_allclose(played.after - played.before, wanted, rtol=0, atol=1e-10)
    np.testing.assert_allclose(played.pull_part.sum(), 0.0, atol=1e-10)


def test_scale_and_pull_from_the_measured_ratios():
    """(k, l) = (11.737, 143.87) gives (0.08158, 0.9575); k = 1/(4 * 0.0213); l about 53.6^2/20."""
    f, g = carried_over(11.737, 143.87)
    assert (round(f, 5), round(g, 4)) == (0.08158, 0.9575)
    slope = 0.0213  # of mean place against mean balance in thousands
    assert pytest.approx(11.737, abs=5e-4) == 1.0 / (4.0 * slope)
    ladder = results(ProfitHistory.of_balances([{0: 3.0, 1: 1.0, 2: -1.0, 3: -3.0}]), LADDER)
    assert ladder.var() == 20.0
    assert SPREAD**2 / ladder.var() == pytest.approx(143.87, rel=0.002)


def test_twice_as_long_games():
    """Source: sqrt 2 in e and 1 in v want the result times sqrt 2 and the pull times 2."""
    assert carried_over(math.sqrt(2.0), 1.0) == pytest.approx((math.sqrt(2.0), 2.0))


@pytest.mark.parametrize(("k", "l", "name"), [(0.0, 1.0, "k"), (1.0, -1.0, "l"), (math.nan, 1.0, "k")])
def test_ratios_must_be_positive(k, l, name):  # noqa: E741
    with pytest.raises(ValueError, match=f"^{name} must be positive"):
        carried_over(k, l)


def test_corrections_of_both_systems():
    ladder, club = corrections(LADDER), corrections(PARAMS)
    assert ladder.size == club.size == 401
    for n in range(400):
        assert ladder[n] == pytest.approx(1.0 - 0.002 * n, abs=1e-15)
        assert club[n] == pytest.approx(max(0.2, 0.2 ** (n / 400)), abs=1e-15)
    assert ladder[400] == club[400] == 0.2


def test_new_players_ladder_game():
    """Everybody at 1500, nobody has played: +30, +10, -10, -30."""
    played = replay(ProfitHistory.of_balances([{0: 3.0, 1: 1.0, 2: -1.0, 3: -3.0}]), LADDER)
    np.testing.assert_allclose(played.after - 1500.0, [30.0, 10.0, -10.0, -30.0], rtol=0, atol=1e-12)


def test_places_of_other_tables():
    """Equal steps, tied players the mean of their places: always a sum of 0."""

    def ladder(*balances):
        return results(ProfitHistory.of_balances([dict(enumerate(balances))]), LADDER).tolist()

    assert ladder(1.0, 0.0, -1.0) == [6.0, 0.0, -6.0]
    assert ladder(1.0, -1.0) == [6.0, -6.0]
    assert ladder(5.0, 5.0, -1.0, -9.0) == [4.0, 4.0, -2.0, -6.0]
    assert ladder(3.0, -1.0, -1.0, -1.0) == [6.0, -2.0, -2.0, -2.0]
    assert ladder(0.0, 0.0, 0.0, 0.0) == [0.0] * 4


@pytest.mark.parametrize(
    ("g", "n_chains", "n_games", "e"), [(0.9575, 500, 1500, 0.0), (40.0, 15_000, 60, 6.5)]
)
def test_where_a_rating_settles(g, n_chains, n_games, e):
    """Mean e/w and variance v/(w(2 - w)), each within four standard errors of that many ends of chains.

    That is 25 % of the variance for the published g, and 4.6 % for the large one, where leaving out the w in
    2 - w would make 8 %. Every game is against three new players at 1500, so the others' mean never moves.
    """
    params = replace(PARAMS, g=g)
    rng = np.random.default_rng(7)
    shape = (n_games, n_chains, 4)
    balance = np.empty(shape)
    balance[:, :, 0] = rng.normal(1e3 * e, 1e3 * SPREAD, shape[:2])
    balance[:, :, 1:] = -balance[:, :, :1] / 3.0
    won = balance[:, :, :1] > 0.0
    place = np.broadcast_to(np.where(won, 2, 1), shape).copy()
    place[:, :, 0] = np.where(won, 1, 4)[:, :, 0]
    player = n_chains + np.arange(balance.size).reshape(shape)
    player[:, :, 0] = np.arange(n_chains)
    offset = 4 * np.arange(n_games * n_chains + 1)
    history = ProfitHistory(offset, player.ravel(), place.ravel(), balance.ravel())
    n_before = np.zeros(n_chains + balance.size, dtype=np.int64)
    n_before[:n_chains] = params.games
    start = ProfitState(np.full(n_before.size, 1500.0), n_before)
    ends = replay_profit(history, start, params).state.r[:n_chains] - 1500.0
    mean, variance = stationary(params.f * e, (params.f * SPREAD) ** 2, pull_to_others(4, params))
    assert ends.mean() == pytest.approx(mean, abs=4.0 * math.sqrt(variance / n_chains))
    assert ends.var(ddof=1) == pytest.approx(variance, rel=4.0 * math.sqrt(2.0 / n_chains))


@pytest.mark.parametrize(("v", "w"), [(-1.0, 0.1), (math.nan, 0.1), (1.0, 0.0), (1.0, 2.0), (1.0, math.nan)])
def test_what_never_settles(v, w):
    with pytest.raises(ValueError, match=r"^[vw] must be"):
        stationary(0.0, v, w)


def test_luck_alone_spreads_both_systems_alike():
    """What (f, g) are for: the source's own figures bring the spread to within 0.2 % of the ladder's."""
    of_ladder = stationary(0.0, 20.0, pull_to_others(4, LADDER))[1]
    of_club = stationary(0.0, (PARAMS.f * SPREAD) ** 2, pull_to_others(4, PARAMS))[1]
    assert of_club == pytest.approx(of_ladder, rel=0.002)
