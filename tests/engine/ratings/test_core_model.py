"""Histories of plain orders. Expected numbers come from rate_field, which test_chain.py compares with other sources."""

import numpy as np
import pytest

from ratings.engine.chain import competition_places, rate_field
from ratings.engine.errors import NotConvergedError
from ratings.engine.tier import pipeline as module
from ratings.engine.tier.core_model import core_only, order_history
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState

N_PLAYERS = 60


def history(seed=1, n_events=40):
    rng = np.random.default_rng(seed)
    sizes = rng.integers(1, N_PLAYERS, n_events)
    return order_history(
        np.cumsum(rng.uniform(0.0, 9.0, n_events)),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.concatenate([rng.permutation(N_PLAYERS)[:n] for n in sizes]),
        np.concatenate([competition_places(rng.integers(0, 2 * n, n)) for n in sizes]),
    )


def replay(history, start, params, **progress):
    return replay_events(history, start, core_only(params), **progress)


def replay_by_hand(whole, params):
    """Replay event by event with rate_field: drift up to sigma0, EP, floors of sigma, never above the prior, and rate."""
    mu, sigma = np.full(N_PLAYERS, params.mu0), np.full(N_PLAYERS, params.sigma0)
    last = np.full(N_PLAYERS, np.nan)
    rows = []
    for event, day in enumerate(whole.day):
        span = slice(whole.offset[event], whole.offset[event + 1])
        who, place = whole.player[span], whole.place[span]
        days = np.where(np.isnan(last[who]), 0.0, day - last[who])
        prior = np.minimum(np.sqrt(sigma[who] ** 2 + params.tau_per_day**2 * days), params.sigma0)
        posterior = rate_field(mu[who], prior, place, beta=params.beta)
        after = np.minimum(np.maximum(posterior.sigma, params.sigma_floor), prior)
        below = np.maximum(
            params.rate_floor - (posterior.mu - params.conservatism * after + params.offset), 0.0
        )
        rows.append(np.stack([mu[who], prior, posterior.mu + below, after]))
        mu[who], sigma[who], last[who] = posterior.mu + below, after, day
    return np.concatenate(rows, axis=1)


def as_rows(result):
    return np.stack([result.prior_mu, result.prior_sigma, result.posterior_mu, result.posterior_sigma])


@pytest.mark.parametrize(
    "params", [TierParams(), TierParams(tau_per_day=12.0, sigma_floor=420.0, beta=700.0)]
)
def test_replay_equals_the_one_by_hand(params):
    result = replay(history(), PoolState.fresh(N_PLAYERS, params), params)
    np.testing.assert_allclose(as_rows(result), replay_by_hand(history(), params), rtol=1e-12)


def test_final_state_is_each_players_last_posterior():
    whole = history()
    params = TierParams()
    result = replay(whole, PoolState.fresh(N_PLAYERS, params), params)
    event = np.repeat(np.arange(whole.n_events), np.diff(whole.offset))
    for who in range(N_PLAYERS):
        rows = np.flatnonzero(whole.player == who)
        assert result.state.n_entries[who] == rows.size
        assert result.state.mu[who] == result.posterior_mu[rows[-1]]
        assert result.state.sigma[who] == result.posterior_sigma[rows[-1]]
        assert result.state.last_day[who] == whole.day[event[rows[-1]]]


@pytest.mark.parametrize("cut", [0, 1, 17, 40])
def test_in_two_parts_bit_for_bit(cut):
    whole, params = history(), TierParams(tau_per_day=12.0)
    fresh = PoolState.fresh(N_PLAYERS, params)
    once = replay(whole, fresh, params)
    head = replay(whole.part(0, cut), fresh, params)
    tail = replay(whole.part(cut, 40), head.state, params)
    assert np.array_equal(as_rows(once), np.concatenate([as_rows(head), as_rows(tail)], axis=1))
    for name in ("mu", "sigma", "last_day", "n_entries"):
        assert getattr(once.state, name).tobytes() == getattr(tail.state, name).tobytes()


def test_chunks_report_progress_and_change_nothing(monkeypatch):
    whole, params = history(), TierParams()
    fresh = PoolState.fresh(N_PLAYERS, params)
    once = replay(whole, fresh, params)
    monkeypatch.setattr(module, "CHUNK", 100)
    seen = []
    chunked = replay(whole, fresh, params, progress=lambda n_rated, total: seen.append((n_rated, total)))
    assert np.array_equal(as_rows(once), as_rows(chunked))
    assert len(seen) > 3
    assert seen == sorted(set(seen))
    assert seen[-1] == (40, 40)


def test_sigma_stops_at_the_floor():
    params = TierParams()
    whole = history(n_events=120)
    result = replay(whole, PoolState.fresh(N_PLAYERS, params), params)
    assert result.posterior_sigma.min() == params.sigma_floor
    assert (result.posterior_sigma <= result.prior_sigma).all()


def test_a_prior_below_the_floor_is_not_lifted():
    start = PoolState(np.full(2, 1500.0), np.array([200.0, 400.0]), np.full(2, np.nan), np.zeros(2, np.int64))
    one = order_history(np.zeros(1), np.array([0, 2]), np.array([0, 1]), np.array([1, 2]))
    assert replay(one, start, TierParams()).posterior_sigma[0] == 200.0


def test_drift_is_capped_and_never_narrows():
    """400^2 + 10^2 * 100 = 412.31^2; a year of tau 30 would pass sigma0 = 500; 600 stays 600."""
    last = np.array([0.0, -400.0, 0.0])
    start = PoolState(np.full(3, 1500.0), np.array([400.0, 400.0, 600.0]), last, np.ones(3, np.int64))
    one = order_history(np.array([100.0]), np.array([0, 3]), np.arange(3), np.array([1, 2, 3]))
    slow = replay(one, start, TierParams(tau_per_day=10.0))
    np.testing.assert_allclose(slow.prior_sigma, [np.sqrt(170000.0), np.sqrt(210000.0), 600.0], rtol=1e-15)
    assert replay(one, start, TierParams(tau_per_day=30.0)).prior_sigma.tolist() == [500.0, 500.0, 600.0]


def test_no_events():
    none = order_history(np.empty(0), np.zeros(1, np.int64), np.empty(0, np.int64), np.empty(0, np.int64))
    result = replay(none, PoolState.fresh(3, TierParams()), TierParams())
    assert result.posterior_mu.size == 0
    assert result.state.mu.tolist() == [1500.0] * 3


def test_bad_state_is_named():
    with pytest.raises(ValueError, match="player 1: mu nan"):
        PoolState(np.array([1.0, np.nan]), np.ones(2), np.ones(2), np.ones(2, np.int64))


def test_cap_on_rounds_names_the_event():
    params = TierParams(max_rounds=2)
    one = order_history(np.zeros(1), np.array([0, 50]), np.arange(50), np.arange(1, 51))
    with pytest.raises(NotConvergedError, match="event 0 did not converge in 2 rounds"):
        replay(one, PoolState.fresh(50, params), params)
