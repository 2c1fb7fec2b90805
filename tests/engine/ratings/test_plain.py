"""The core model with drift by events and a draw margin, compared with PyPI trueskill, which CoGs uses."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
import trueskill
from scipy.integrate import quad
from scipy.special import ndtr, ndtri

from ratings.engine.chain import competition_places
from ratings.engine.core_model import WITHOUT_EFFECT, PlainParams, order_history
from ratings.engine.errors import EngineError
from ratings.engine.plain import replay_plainly
from ratings.engine.pool_state import PoolState
from ratings.engine.reference import truncate_tie

ROOT = Path(__file__).parents[3]
N_PLAYERS = 12
# What CoGs stores ratings with: trueskill's defaults, tau a hundredth of sigma0 for each session, draw probability 0.1.
COGS = {"mu": 25.0, "sigma": 25.0 / 3.0, "beta": 25.0 / 6.0, "tau": 25.0 / 300.0}
DRAW_PROBABILITY = 0.1
MARGIN = math.sqrt(2.0) * COGS["beta"] * float(ndtri((DRAW_PROBABILITY + 1.0) / 2.0))
OURS = {
    "mu0": COGS["mu"], "sigma0": COGS["sigma"], "beta": COGS["beta"], "tau_per_event": COGS["tau"], "tolerance": 1e-10,
}  # fmt: skip
# trueskill's own erfc is accurate to 1e-7 only.
BACKEND = (ndtr, lambda x: math.exp(-x * x / 2) / math.sqrt(2 * math.pi), ndtri)


def sessions(n_events, most, *, ties):
    rng = np.random.default_rng(most)
    sizes = rng.integers(2, most + 1, n_events)
    return order_history(
        np.arange(float(n_events)),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([rng.permutation(N_PLAYERS)[:n] for n in sizes]),
        np.concatenate(
            [competition_places(np.sort(rng.integers(0, 2 * n, n)) if ties else np.arange(n)) for n in sizes]
        ),
    )


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


@pytest.fixture
def patient_trueskill(monkeypatch):
    """Raise trueskill's fixed ten sweeps; for fields of other sizes it calls range(10) nowhere else."""
    monkeypatch.setattr(trueskill, "range", lambda *a: range(*((60,) if a == (10,) else a)), raising=False)


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


def test_both_replays_agree_where_both_apply():
    """A drift by events too small to matter takes the slow path; drift by days and its limit are the same."""
    history = sessions(40, 6, ties=True)
    fast, slow = PlainParams(tau_per_day=120.0), PlainParams(tau_per_day=120.0, tau_per_event=1e-9)
    start = PoolState.fresh(N_PLAYERS, fast.tier)
    seen = []
    one = replay_plainly(history, start, fast)
    other = replay_plainly(history, start, slow, progress=lambda *done: seen.append(done))
    for name in ("prior_mu", "prior_sigma", "posterior_mu", "posterior_sigma"):
        np.testing.assert_allclose(getattr(one, name), getattr(other, name), rtol=0, atol=1e-5)
    assert one.state.n_entries.tolist() == other.state.n_entries.tolist()
    assert seen[-1] == (40, 40)


@pytest.mark.parametrize("t", [-30.0, -3.0, -0.2, 0.0, 0.7, 12.0])
@pytest.mark.parametrize("margin", [0.01, 0.5, 4.0])
def test_a_tie_by_numerical_integration(t, margin):
    top = max(abs(t) - margin, 0.0) ** 2 / 2  # scales the density, which would underflow

    def moment(k):
        return quad(lambda d: (d - t) ** k * math.exp(top - (d - t) ** 2 / 2), -margin, margin, epsabs=1e-11)[
            0
        ]

    mean = moment(1) / moment(0)
    variance = moment(2) / moment(0) - mean**2
    v, w, r = truncate_tie(t, margin)
    assert (v, w, r) == pytest.approx((mean, 1.0 - variance, variance), rel=1e-6, abs=1e-8)


@pytest.mark.parametrize(
    ("field", "value"),
    [("tau_per_event", -1.0), ("draw_margin", -0.1), ("draw_margin", math.inf), ("tau_per_event", math.nan)],
)
def test_out_of_range_is_named(field, value):
    with pytest.raises(EngineError, match=field):
        PlainParams(**{field: value})


def test_shared_parameters_are_checked_as_for_tier():
    with pytest.raises(EngineError, match="beta"):
        PlainParams(beta=0.0)
    # python -O leaves out assertions.
    code = "from ratings.engine.core_model import PlainParams; PlainParams(beta=0.0)"
    done = subprocess.run(
        [sys.executable, "-O", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "EngineError: beta" in done.stderr
    assert {"sigma_floor", "rate_floor", "late_a", "season_sigma"} <= WITHOUT_EFFECT
