"""The core model against PyPI trueskill 0.4.5, an independent implementation, which CoGs uses."""

import math

import numpy as np
import pytest
import trueskill
from scipy.special import ndtr, ndtri

from ratings.engine.chain import rate_field
from ratings.engine.tier.core_model import PlainParams
from ratings.engine.tier.pipeline import rate_event
from ratings.engine.tier.plain import replay_plainly
from ratings.engine.tier.pool_state import PoolState
from tests.engine.ratings.test_chain import equal_field
from tests.engine.ratings.test_pipeline import PLAIN, re_entry_event, start_of
from tests.engine.ratings.test_plain import COGS, DRAW_PROBABILITY, MARGIN, N_PLAYERS, OURS, sessions

# trueskill's own erfc is accurate to 1e-7 only (a formula of Numerical Recipes); large fields multiply that error.
BACKEND = (ndtr, lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi), ndtri)
SWEEPS = 60


@pytest.fixture
def patient_trueskill(monkeypatch):
    """Raise trueskill's fixed `for x in range(10)` sweeps to SWEEPS; it ignores min_delta.

    For the sizes tested here it calls range(10) nowhere else (its other ranges count teams, or one or two less).
    """
    monkeypatch.setattr(
        trueskill, "range", lambda *a: range(*((SWEEPS,) if a == (10,) else a)), raising=False
    )


@pytest.mark.usefixtures("patient_trueskill")
@pytest.mark.parametrize(
    ("n", "equal"),
    [(2, True), (50, True), (200, True), (2, False), (3, False), (5, False), (50, False), (1000, False)],
)
def test_one_event_of_new_and_of_known_players(n, equal):
    """To 1e-6 relative."""
    rng = np.random.default_rng(n)
    mu, sigma, place = equal_field(n)
    if not equal:
        mu, sigma = rng.normal(1500.0, 250.0, n), rng.uniform(300.0, 500.0, n)
    env = trueskill.TrueSkill(
        mu=1500.0, sigma=500.0, beta=1000.0, tau=0.0, draw_probability=0.0, backend=BACKEND
    )
    groups = [(env.create_rating(m, s),) for m, s in zip(mu.tolist(), sigma.tolist(), strict=True)]
    theirs = [group[0] for group in env.rate(groups, ranks=place.tolist(), min_delta=1e-8)]
    ours = rate_field(mu, sigma, place)
    np.testing.assert_allclose(ours.mu, [r.mu for r in theirs], rtol=1e-6)
    np.testing.assert_allclose(ours.sigma, [r.sigma for r in theirs], rtol=1e-6)


def test_a_re_entry_in_a_field_of_16_equals_pypi_trueskill():
    environment = trueskill.TrueSkill(mu=1500, sigma=500, beta=1000, tau=0, draw_probability=0)
    fresh = environment.create_rating()

    def rated(ratings):
        return [one for (one,) in environment.rate([(one,) for one in ratings], min_delta=1e-9)]

    first = rated([fresh] * 16)
    second = rated([fresh, first[15], *[fresh] * 14])
    assert second[1].mu == pytest.approx(1415.21, abs=0.01)
    replayed = rate_event(
        re_entry_event([1, 0, *range(2, 16)], place_of_first=17), start_of(params=PLAIN), PLAIN
    )
    assert replayed.state.mu[0] == pytest.approx(second[1].mu, abs=1e-3)
    assert replayed.state.sigma[0] == pytest.approx(second[1].sigma, abs=1e-3)
    others = [replayed.state.mu[who] for who in range(1, 16)]
    assert others == pytest.approx([one.mu for one in first[:15]], abs=1e-3)


def by_trueskill(history, draw_probability):
    env = trueskill.TrueSkill(**COGS, draw_probability=draw_probability, backend=BACKEND)
    pool = [env.create_rating() for _ in range(N_PLAYERS)]
    for e in range(history.n_events):
        span = slice(history.offset[e], history.offset[e + 1])
        who = history.player[span].tolist()
        rated = env.rate([(pool[i],) for i in who], ranks=history.place[span].tolist(), min_delta=1e-12)
        for i, (rating,) in zip(who, rated, strict=True):
            pool[i] = rating
    return [rating.mu for rating in pool], [rating.sigma for rating in pool]


@pytest.mark.usefixtures("patient_trueskill")
@pytest.mark.parametrize(("most", "ties"), [(2, False), (2, True), (6, False), (6, True)])
def test_cogs_ratings_are_met_to_a_millionth(most, ties):
    history, params = sessions(40, most, ties=ties), PlainParams(**OURS, draw_margin=MARGIN)
    state = replay_plainly(history, PoolState.fresh(N_PLAYERS, params.tier), params).state
    mu, sigma = by_trueskill(history, DRAW_PROBABILITY)
    np.testing.assert_allclose(state.mu, mu, rtol=0, atol=1e-6)
    np.testing.assert_allclose(state.sigma, sigma, rtol=0, atol=1e-6)


@pytest.mark.usefixtures("patient_trueskill")
def test_without_a_draw_margin_drift_by_events_is_the_same():
    history, params = sessions(40, 6, ties=False), PlainParams(**OURS)
    state = replay_plainly(history, PoolState.fresh(N_PLAYERS, params.tier), params).state
    mu, sigma = by_trueskill(history, 0.0)
    np.testing.assert_allclose(state.mu, mu, rtol=0, atol=1e-6)
    np.testing.assert_allclose(state.sigma, sigma, rtol=0, atol=1e-6)
