"""The core model with drift by events and a draw margin, and its slow twin."""

import math
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import ndtri

from ratings.engine.chain import competition_places
from ratings.engine.errors import EngineError
from ratings.engine.reference import truncate_tie
from ratings.engine.tier.core_model import WITHOUT_EFFECT, PlainParams, order_history
from ratings.engine.tier.plain import replay_plainly
from ratings.engine.tier.pool_state import PoolState

ROOT = Path(__file__).parents[3]
N_PLAYERS = 12
# What CoGs stores ratings with: trueskill's defaults, tau a hundredth of sigma0 for each session, draw probability 0.1.
COGS = {"mu": 25.0, "sigma": 25.0 / 3.0, "beta": 25.0 / 6.0, "tau": 25.0 / 300.0}
DRAW_PROBABILITY = 0.1
MARGIN = math.sqrt(2.0) * COGS["beta"] * float(ndtri((DRAW_PROBABILITY + 1.0) / 2.0))
OURS = {
    "mu0": COGS["mu"], "sigma0": COGS["sigma"], "beta": COGS["beta"], "tau_per_event": COGS["tau"], "tolerance": 1e-10,
}  # fmt: skip


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


@pytest.mark.rest
def test_shared_parameters_are_checked_as_for_tier():
    with pytest.raises(EngineError, match="beta"):
        PlainParams(beta=0.0)
    # python -O leaves out assertions.
    code = "from ratings.engine.tier.core_model import PlainParams; PlainParams(beta=0.0)"
    done = subprocess.run(
        [sys.executable, "-O", "-c", code], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert "EngineError: beta" in done.stderr
    assert {"sigma_floor", "rate_floor", "late_a", "season_sigma"} <= WITHOUT_EFFECT
