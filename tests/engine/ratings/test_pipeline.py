"""The pipeline: statements of the publication (sections named), and the loops against their slow twin."""

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm

from ratings.engine.chain import rate_field
from ratings.engine.history import EventHistory
from ratings.engine.tier.core_model import core_only
from ratings.engine.tier.params import SEASON_STARTS, TierParams
from ratings.engine.tier.pipeline import rate_event, replay_events
from ratings.engine.tier.pipeline_arrays import N_BEFORE, PARTIAL_FIELD_SIZE, PARTIAL_PLACE, PARTIAL_TAKEN
from ratings.engine.tier.pool_state import PoolState
from tests.engine.twins.tier_pipeline import replay_slowly

N_PLAYERS = 30
PARAMS = TierParams()
PLAIN = core_only(PARAMS)
# Nothing moves by more than this between two ways to converge, rating points (tests/engine/ratings/test_chain.py).
CLOSE = 1e-4


def random_event(rng, n_players=20, *, closing=120.0, late=0.3, again=0.5, tie=0.1):
    """Columns of one event as it might have gone: late entries, re-entries, ties."""
    who = rng.permutation(N_PLAYERS)[:n_players]
    rows = []
    for player in who:
        registered = float(rng.uniform(0.0, closing)) if rng.random() < late else 0.0
        number = 1
        while True:
            busted = registered + float(rng.exponential(100.0)) + 1.0
            rows.append([player, number, registered, busted])
            if busted + 1.0 > closing or rng.random() > again:
                break
            registered, number = busted + 1.0, number + 1
    rows.sort(key=lambda row: -row[3])
    for above, row in pairwise(rows):
        if rng.random() < tie and above[0] != row[0]:
            row[3] = above[3]
    busted = np.array([row[3] for row in rows])
    place = np.array([1 + int((busted > mine).sum()) for mine in busted])
    return [np.array(column) for column in zip(*rows, strict=True)] + [place]


def history_of(rng, n_events=6, **how):
    columns = [random_event(rng, int(rng.integers(2, N_PLAYERS)), **how) for _ in range(n_events)]
    player, number, registered, busted, place = (
        np.concatenate(parts) for parts in zip(*columns, strict=True)
    )
    sizes = [len(parts[0]) for parts in columns]
    return EventHistory(
        np.arange(float(n_events)),
        np.concatenate([[0], np.cumsum(sizes)]),
        np.full(n_events, np.nan),
        np.full(n_events, how.get("closing", 120.0)),
        rng.integers(2, 11, n_events),
        rng.integers(2, 11, n_events),
        player.astype(np.int64),
        number.astype(np.int64),
        place.astype(np.int64),
        registered.astype(np.float64),
        busted.astype(np.float64),
        season_day=np.where(np.arange(n_events) < n_events // 2, -1.0, n_events // 2 - 0.5),
    )


def start_of(rng=None, params=PARAMS):
    fresh = PoolState.fresh(N_PLAYERS, params)
    if rng is None:
        return fresh
    return replace(fresh, mu=rng.normal(1500.0, 300.0, N_PLAYERS), sigma=rng.uniform(300.0, 500.0, N_PLAYERS))


@pytest.mark.parametrize("seed", range(6))
def test_loops_equal_their_slow_twin(seed):
    rng = np.random.default_rng(seed)
    params = TierParams(
        late_a=0.3,
        late_b=0.2,
        weight_scales_sigma=seed % 2 == 0,
        tau_per_day=10.0,
        season_start=SEASON_STARTS[seed % 3],
    )
    history, start = history_of(rng), start_of(rng, params)
    fast, slow = replay_events(history, start, params), replay_slowly(history, start, params)
    np.testing.assert_allclose(fast.penalty, slow.penalty, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(fast.posterior_mu, slow.posterior_mu, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(fast.posterior_sigma, slow.posterior_sigma, rtol=0, atol=CLOSE)
    np.testing.assert_allclose(fast.state.mu, slow.mu, rtol=0, atol=CLOSE)


@given(st.integers(0, 2**32 - 1), st.integers(2, N_PLAYERS))
@settings(max_examples=60)
def test_ratings_are_neither_made_nor_lost(seed, n):
    """Section 7. Between equally uncertain players expectation propagation moves as much up as down, whatever they played."""
    rng = np.random.default_rng(seed)
    start = replace(start_of(rng), sigma=np.full(N_PLAYERS, 400.0))
    event = EventHistory.of_orders(
        [rng.permutation(N_PLAYERS)[:n].tolist()], duration=60.0 * rng.uniform(0.5, 8.0)
    )
    free = replace(PARAMS, rate_floor=-1e9)  # a rate at its floor takes from nobody what it is lifted by
    replayed = replay_events(event, start, free)
    assert replayed.state.mu.mean() == pytest.approx(start.mu.mean(), abs=CLOSE)


def test_the_twins_have_something_to_disagree_on():
    replayed = replay_events(history_of(np.random.default_rng(0)), start_of(), PARAMS)
    assert replayed.counts[PARTIAL_TAKEN].sum() > 10
    assert (replayed.penalty > 0.0).sum() > 10
    assert max(history_of(np.random.default_rng(seed)).number.max() for seed in range(6)) >= 3


def test_same_input_same_bits():
    history, start = history_of(np.random.default_rng(1)), start_of()
    one, two = (replay_events(history, start, PARAMS) for _ in range(2))
    assert one.numbers.tobytes() == two.numbers.tobytes()
    assert one.counts.tobytes() == two.counts.tobytes()
    assert one.state.mu.tobytes() == two.state.mu.tobytes()


def test_in_parts_or_in_one_go():
    history, start = history_of(np.random.default_rng(2), 12), start_of()
    whole = replay_events(history, start, PARAMS)
    first = replay_events(history.part(0, 5), start, PARAMS)
    rest = replay_events(history.part(5, 12), first.state, PARAMS)
    parts = np.concatenate([first.posterior_mu, rest.posterior_mu])
    assert parts.tobytes() == whole.posterior_mu.tobytes()
    assert rest.state.sigma.tobytes() == whole.state.sigma.tobytes()


def test_names_and_the_order_of_rows_do_not_matter():
    rng = np.random.default_rng(4)
    history = history_of(rng, 1)
    renamed, rows = rng.permutation(N_PLAYERS), rng.permutation(history.n_entries)
    other = replace(
        history,
        player=renamed[history.player][rows],
        **{name: getattr(history, name)[rows] for name in ("number", "place", "registered_at", "busted_at")},
    )
    one, two = rate_event(history, start_of(), PARAMS), rate_event(other, start_of(), PARAMS)
    assert one.posterior_mu[rows].tobytes() == two.posterior_mu.tobytes()
    assert one.posterior_sigma[rows].tobytes() == two.posterior_sigma.tobytes()


def two_seasons(season_start, **also):
    """Two events in one season, two in the next; player 2 misses the last of the first."""
    history = EventHistory.of_orders([[0, 1, 2], [0, 1], [0, 1, 2], [2, 1, 0]], duration=180.0)
    history = replace(history, season_day=np.array([0.0, 0.0, 2.0, 2.0]))
    params = replace(PARAMS, season_start=season_start, **also)
    return replay_events(history, PoolState.fresh(3, params), params)


def test_carrying_on_knows_no_seasons():
    carried = two_seasons("carry_on")
    plain = EventHistory.of_orders([[0, 1, 2], [0, 1], [0, 1, 2], [2, 1, 0]], duration=180.0)
    assert (
        carried.posterior_mu.tobytes()
        == replay_events(plain, PoolState.fresh(3, PARAMS), PARAMS).posterior_mu.tobytes()
    )


def test_a_soft_reset_widens_sigma_at_the_first_event_of_a_season():
    reset = two_seasons("soft", season_sigma=495.0)
    assert reset.prior_sigma[5:8].tolist() == [495.0, 495.0, 495.0]
    assert reset.prior_mu[5:8].tolist() == [*reset.posterior_mu[3:5], reset.posterior_mu[2]]
    assert reset.prior_sigma[8:].tolist() == reset.posterior_sigma[[7, 6, 5]].tolist()
    assert reset.counts[N_BEFORE, 5:8].tolist() == [2, 2, 1]


def test_a_full_reset_makes_new_players():
    reset = two_seasons("full")
    assert reset.prior_mu[5:8].tolist() == [1500.0] * 3
    assert reset.prior_sigma[5:8].tolist() == [500.0] * 3
    assert reset.counts[N_BEFORE].tolist() == [0, 0, 0, 1, 1, 0, 0, 0, 1, 1, 1]
    assert reset.posterior_mu[5:8].tobytes() == reset.posterior_mu[:3].tobytes()


def test_arguments_are_left_alone():
    history, start = history_of(np.random.default_rng(5)), start_of()
    arrays = [value for thing in (history, start) for value in vars(thing).values()]
    before = [array.tobytes() for array in arrays]
    replay_events(history, start, PARAMS)
    assert [array.tobytes() for array in arrays] == before


def test_progress_ends_at_the_end():
    seen = []
    replay_events(
        history_of(np.random.default_rng(6)), start_of(), PARAMS, progress=lambda *at: seen.append(at)
    )
    assert seen[-1] == (6, 6)


# Section 3.


@pytest.mark.rest
@given(st.integers(0, 2**32 - 1))
@settings(max_examples=200)
def test_the_change_from_the_partial_field_counts_only_if_it_is_not_lower(seed):
    """50 events each: 10,000 random ones."""
    rng = np.random.default_rng(seed)
    history = history_of(rng, 50, late=0.4)
    replayed = replay_events(history, start_of(rng), PARAMS)
    K, numbers = PARAMS.conservatism, replayed.numbers
    whole, partial = numbers[2] - K * numbers[3], numbers[4] - K * numbers[5]
    had = replayed.counts[PARTIAL_FIELD_SIZE] > 0
    taken = replayed.counts[PARTIAL_TAKEN] > 0
    assert (partial[taken] > whole[taken]).all()
    assert (partial[had & ~taken] <= whole[had & ~taken]).all()
    assert not (taken & ~had).any()
    assert np.isnan(partial[~had]).all()


def three_and_one_late(late_at=30.0):
    """Four sit down, one comes later; player 0 is out at 20 min, the late one wins."""
    return EventHistory(
        np.zeros(1), np.array([0, 5]), np.array([200.0]), np.array([60.0]), np.array([9]), np.array([9]),
        np.array([4, 3, 2, 1, 0]), np.ones(5, np.int64), np.arange(1, 6), np.array([late_at, 0, 0, 0, 0]),
        np.array([200.0, 200.0, 150.0, 100.0, 20.0]),
    )  # fmt: skip


def test_an_early_bust_is_rated_on_the_field_it_met():
    """Last of four, not of five: the same as if the late one had never come."""
    event = three_and_one_late()
    replayed = rate_event(event, start_of(params=PLAIN), PLAIN)
    core = replay_events(EventHistory.of_orders([[3, 2, 1, 0]]), start_of(params=PLAIN), PLAIN)
    assert replayed.posterior_mu[4] == pytest.approx(core.posterior_mu[3], abs=1e-9)
    assert replayed.counts[[PARTIAL_FIELD_SIZE, PARTIAL_PLACE, PARTIAL_TAKEN], 4].tolist() == [4, 4, 1]
    assert not replayed.counts[PARTIAL_FIELD_SIZE, :4].any()  # all others met the whole field


def test_registered_in_the_minute_of_the_bust_is_in_the_field():
    replayed = rate_event(three_and_one_late(20.0), start_of(), PARAMS)
    assert not replayed.counts[PARTIAL_FIELD_SIZE].any()


def test_no_partial_field_once_registration_is_closed():
    event = replace(three_and_one_late(), closes_at=np.array([30.0]))
    later = replace(event, busted_at=np.array([200.0, 200.0, 150.0, 100.0, 30.0]))
    assert rate_event(event, start_of(), PARAMS).counts[PARTIAL_FIELD_SIZE].any()
    assert not rate_event(later, start_of(), PARAMS).counts[PARTIAL_FIELD_SIZE].any()


def test_only_an_order_is_known_nobody_is_late():
    orders = EventHistory.of_orders([[0, 1, 2, 3]], duration=240.0, closes_at=100.0)
    replayed = rate_event(orders, start_of(), PARAMS)
    assert not replayed.n_bust.any()
    assert not replayed.counts[PARTIAL_FIELD_SIZE].any()


# Section 6.


def re_entry_event(order, place_of_first):
    """One event in which player 0 has two entries; `order` of last entries, place of player 0's first one."""
    n = len(order) + 1
    players, places = (
        [*order, 0],
        [1 + k + (k + 1 >= place_of_first) for k in range(n - 1)] + [place_of_first],
    )
    numbers = [1 + (who == 0) for who in order] + [1]
    return EventHistory(
        np.zeros(1), np.array([0, n]), np.array([60.0]), np.array([np.nan]), np.array([9]), np.array([9]),
        np.array(players), np.array(numbers), np.array(places), np.full(n, np.nan), np.full(n, np.nan),
    )  # fmt: skip


def exact_mean_and_sd(place, priors, beta=1000.0):
    """Moments of the skill of the player at `place` of three, given the order, by numerical integration."""
    grid = np.linspace(-9_000.0, 12_000.0, 42_001)
    step = grid[1] - grid[0]
    density = [norm.pdf(grid, mu, math.hypot(sigma, beta)) for mu, sigma in priors]
    below = [np.cumsum(one) * step - one * step / 2 for one in density]
    # P(the others stand as observed | performance of this one), for the first, the middle and the last place.
    between = np.cumsum(density[1] * below[2]) * step
    behind = np.cumsum((density[1] * (1.0 - below[0]))[::-1])[::-1] * step
    given = [between, (1.0 - below[0]) * below[2], behind][place - 1]
    weight = density[place - 1] * given
    weight /= weight.sum()
    mean = float(grid @ weight)
    variance = float((grid - mean) ** 2 @ weight)
    mu, sigma = priors[place - 1]
    share = sigma**2 / (sigma**2 + beta**2)  # of the performance that is skill
    return mu + share * (mean - mu), math.sqrt(sigma**2 * (1.0 - share) + share**2 * variance)


def test_others_keep_their_prior_in_the_round_of_a_re_entry():
    """A is out first, re-enters, order B, A, C. s_other,prior[2] = s_other,prior[1]; s_A,prior[2] = s_A,posterior[1]."""
    new = (1500.0, 500.0)
    first = exact_mean_and_sd(3, [new, new, new])
    second = exact_mean_and_sd(2, [new, first, new])
    assert second[0] == pytest.approx(1330.00, abs=0.01)
    replayed = rate_event(re_entry_event([1, 0, 2], place_of_first=4), start_of(params=PLAIN), PLAIN)
    # Expectation propagation is within 0.2 points of the exact moments in fields of three: it gives 1329.88.
    assert replayed.state.mu[0] == pytest.approx(1329.88, abs=0.01)
    assert replayed.state.mu[0] == pytest.approx(second[0], abs=0.2)
    assert replayed.state.sigma[0] == pytest.approx(second[1], abs=0.2)
    assert replayed.state.n_entries[:3].tolist() == [2, 1, 1]


def test_a_player_without_a_third_entry_stands_in_round_3_as_in_round_2():
    """Players 0 and 1 have three and two entries: 1 stands in round 3 with the posterior of its first entry."""
    event = EventHistory(
        np.zeros(1), np.array([0, 6]), np.array([60.0]), np.array([np.nan]), np.array([9]), np.array([9]),
        np.array([2, 1, 0, 1, 0, 0]), np.array([1, 2, 3, 1, 2, 1]), np.arange(1, 7), np.full(6, np.nan),
        np.full(6, np.nan),
    )  # fmt: skip
    replayed = rate_event(event, start_of(params=PLAIN), PLAIN)
    new = (1500.0, 500.0)
    ours = dict(zip(zip(event.player, event.number, strict=True), range(6), strict=True))
    after = {key: (replayed.posterior_mu[at], replayed.posterior_sigma[at]) for key, at in ours.items()}
    third = [new, after[1, 1], after[0, 2]]  # order of round 3: 2, 1, 0
    field = rate_field([mu for mu, _ in third], [sigma for _, sigma in third], [1, 2, 3], beta=1000.0)
    assert after[0, 3] == pytest.approx((field.mu[2], field.sigma[2]), abs=1e-6)


def test_sigma_stops_at_its_floor_and_is_never_lifted():
    history = history_of(np.random.default_rng(8), 60, late=0.0)
    replayed = replay_events(history, start_of(), PARAMS)
    assert replayed.posterior_sigma.min() == PARAMS.sigma_floor
    assert (replayed.posterior_sigma <= replayed.prior_sigma).all()


def test_a_pool_that_is_too_small_is_named():
    with pytest.raises(ValueError, match="event 1, player 3: player is not one of the pool's 2"):
        replay_events(EventHistory.of_orders([[0, 1], [3, 1]]), PoolState.fresh(2, PARAMS), PARAMS)


def test_history_before_the_state():
    state = replay_events(EventHistory.of_orders([[0, 1], [0, 1]]), PoolState.fresh(2, PARAMS), PARAMS).state
    with pytest.raises(ValueError, match="event 0, player 0: day is before"):
        replay_events(EventHistory.of_orders([[0, 1]]), state, PARAMS)


def test_one_event_only():
    with pytest.raises(ValueError, match="one event, got 2"):
        rate_event(EventHistory.of_orders([[0, 1], [0, 1]]), start_of(), PARAMS)
