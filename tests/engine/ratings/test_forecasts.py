"""Scores of forecasts: against sums over single pairs, and the figures that were measured on Formula 1."""

from itertools import pairwise
from math import erf, log, sqrt

import numpy as np
import pytest

from bench.formula1_results import LISTED, load
from ratings.engine.forecasts.prediction import expected_places
from ratings.engine.forecasts.scores import (
    PRIOR_EVENTS,
    Forecasts,
    fit_corrections,
    score_pairs,
    score_places,
    winner_losses,
)
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.pipeline import replay_events
from ratings.engine.tier.pool_state import PoolState


def normal(t):
    return 0.5 * (1.0 + erf(t / sqrt(2.0)))


def some_forecasts(n_events=30, seed=5, k=1.0):
    """Events of 2 to 8 players whose places follow from performances with k times the gaps that are said."""
    rng = np.random.default_rng(seed)
    sizes = rng.integers(2, 9, n_events)
    offset = np.concatenate([[0], np.cumsum(sizes)])
    mean, sd = rng.normal(0.0, 1.5, offset[-1]), rng.uniform(0.8, 1.2, offset[-1])
    performance = k * mean + sd * rng.standard_normal(offset[-1])
    place = np.concatenate([1 + np.argsort(np.argsort(-performance[a:b])) for a, b in pairwise(offset)])
    return Forecasts(offset, place, mean, sd)


def pairs_of(forecasts):
    """List (event, chance of what happened, gap of the one ahead, size of the field) of all pairs, one by one."""
    for e in range(forecasts.n_events):
        first, end = forecasts.offset[e], forecasts.offset[e + 1]
        for i in range(first, end):
            for j in range(first, end):
                if forecasts.place[i] < forecasts.place[j]:
                    t = (forecasts.mean[i] - forecasts.mean[j]) / sqrt(
                        forecasts.sd[i] ** 2 + forecasts.sd[j] ** 2
                    )
                    yield e, normal(t), t, end - first


def test_pairs_are_scored_one_by_one():
    forecasts = some_forecasts()
    pairs = list(pairs_of(forecasts))
    scores = score_pairs(forecasts)
    assert scores.n_pairs == len(pairs)
    assert scores.accuracy.value == pytest.approx(np.mean([t > 0 for _e, _p, t, _n in pairs]))
    assert scores.log_loss == pytest.approx(-np.mean([log(p) for _e, p, _t, _n in pairs]))
    assert scores.gain.value == pytest.approx(log(2) - scores.log_loss)
    sure = [(max(p, 1 - p), p > 0.5) for _e, p, _t, _n in pairs if max(p, 1 - p) >= 0.95]
    said, was = scores.bins[-1]
    assert said == pytest.approx(np.mean([p for p, _right in sure]))
    assert (was.value, was.n) == (pytest.approx(np.mean([right for _p, right in sure])), len(sure))


def test_errors_count_the_pairs_of_one_event_as_dependent():
    """The same events twice tell as much as before about each event: the error falls by the root of 2, of events."""
    once = some_forecasts()
    n = once.offset[-1]
    twice = Forecasts(
        np.concatenate([once.offset, once.offset[1:] + n]),
        *(np.tile(column, 2) for column in (once.place, once.mean, once.sd)),
    )
    ratio = score_pairs(once).accuracy.error / score_pairs(twice).accuracy.error
    assert ratio == pytest.approx(sqrt(2) * sqrt(59 / 58 * 30 / 30), rel=0.01)


def test_ties_are_no_pairs():
    tied = Forecasts(np.array([0, 2]), np.array([1, 1]), np.array([1.0, 0.0]), np.ones(2))
    assert score_pairs(tied).n_pairs == 0


def test_the_correction_is_the_maximum_of_the_likelihood_of_all_pairs():
    forecasts = some_forecasts(k=0.5)

    def likelihood(k, luck, until):
        own = [(t, n) for e, _p, t, n in pairs_of(forecasts) if e < until]

        def loss(t):
            return log((1 - luck) * normal(k * t) + luck / 2)

        played = sum(2 / n * loss(t) for t, n in own)
        drawn = sum(2 / n * (loss(t) + loss(-t)) / 2 for t, n in own)
        return played + PRIOR_EVENTS * drawn / until

    found = fit_corrections(forecasts)
    now, then = (found.scale, found.luck), (found.scale_before[12], found.luck_before[12])
    for until, (k, luck) in ((forecasts.n_events, now), (12, then)):
        best = likelihood(k, luck, until)
        steps = ((0.05, 0.0), (-0.05, 0.0), (0.0, 0.05), (0.0, -0.05), (0.05, 0.05), (-0.05, -0.05))
        tried = [(k + dk, luck + dl) for dk, dl in steps if 0 <= k + dk <= 2 and 0 <= luck + dl <= 0.5]
        # Gaps are counted in columns, so that the two best ones of the grid may change places.
        assert all(likelihood(*each, until) < best + 0.005 for each in tried)
    assert (found.scale_before[0], found.luck_before[0]) == (0.0, 0.0)


def test_what_comes_later_changes_no_correction_before():
    forecasts = some_forecasts()
    half = Forecasts(
        forecasts.offset[:16],
        *(column[: forecasts.offset[15]] for column in (forecasts.place, forecasts.mean, forecasts.sd)),
    )
    whole = fit_corrections(forecasts)
    assert fit_corrections(half).scale_before.tolist() == whole.scale_before[:15].tolist()
    assert fit_corrections(half).luck_before.tolist() == whole.luck_before[:15].tolist()


def test_a_short_history_says_little_and_a_long_one_the_truth():
    assert fit_corrections(some_forecasts(3, k=0.5)).scale < 0.3
    long = fit_corrections(some_forecasts(2_000, k=0.5))
    assert long.scale * (1 - long.luck) == pytest.approx(0.5, abs=0.05)


def test_luck_takes_its_share_of_each_chance_and_each_expected_place():
    plain = some_forecasts()
    luck = np.full(plain.n_events, 0.2)
    lucky = Forecasts(plain.offset, plain.place, plain.mean, plain.sd, luck)
    chances = [0.8 * p + 0.1 for _e, p, _t, _n in pairs_of(plain)]
    assert score_pairs(lucky).log_loss == pytest.approx(-np.mean(np.log(chances)))
    (said, _off), *_others = score_places(lucky).bins
    best = [0.5 + 0.8 * (each - 0.5) for each in relative_places(plain)]
    assert said == pytest.approx(np.mean([each for each in best if each < 0.2]))


def relative_places(forecasts):
    """Expected places from 0 to 1."""
    for first, end in pairwise(forecasts.offset):
        half = forecasts.sd[first:end] * np.sqrt(0.5)
        places = expected_places(forecasts.mean[first:end], half, beta=half)
        yield from (places - 1) / (end - first - 1)


def test_expected_places_are_those_of_predictions():
    forecasts = some_forecasts()
    said, was = [], []
    for first, end in pairwise(forecasts.offset):
        places = expected_places(
            forecasts.mean[first:end], forecasts.sd[first:end] * np.sqrt(0.5),
            beta=forecasts.sd[first:end] * np.sqrt(0.5),
        )  # fmt: skip
        said += ((places - 1) / (end - first - 1)).tolist()
        was += ((forecasts.place[first:end] - 1) / (end - first - 1)).tolist()
    scores = score_places(forecasts)
    assert scores.correlation == pytest.approx(np.corrcoef(said, was)[0, 1])
    best = [(s, w) for s, w in zip(said, was, strict=True) if s < 0.2]
    assert scores.bins[0][0] == pytest.approx(np.mean([s for s, _w in best]))
    assert scores.bins[0][1].value == pytest.approx(np.mean([w - s for s, w in best]))


def test_equal_players_lose_by_a_winner_what_chance_loses():
    four = Forecasts(np.array([0, 4]), np.array([1, 2, 3, 4]), np.zeros(4), np.ones(4))
    assert winner_losses(four) == (pytest.approx(log(4)), pytest.approx(log(4)))


def test_formula_1_is_forecast_well_and_too_surely_and_calibration_mends_most_of_it():
    """With hours of invented busts, which here happened to say something, 63.4 % were right."""
    history, params = load(LISTED), TierParams()
    replayed = replay_events(history, PoolState.fresh(int(history.player.max()) + 1, params), params)
    sd = np.hypot(replayed.prior_sigma, params.beta)
    said = Forecasts(history.offset, history.place, replayed.prior_mu, sd)
    scores = score_pairs(said)
    assert scores.n_pairs == 275_770
    assert round(scores.accuracy.value, 3) == 0.630
    assert round(scores.log_loss, 3) == 0.654
    assert [round(100 * value) for value in (scores.bins[-1][0], scores.bins[-1][1].value)] == [98, 86]
    assert round(score_places(said).correlation, 2) == 0.40
    corrected = said.corrected(fit_corrections(said))
    mended = score_pairs(corrected)
    assert mended.gain.value - scores.gain.value > 2 * mended.gain.error
    assert max(abs(said - was.value) for said, was in scores.bins) > 0.1
    # What is said is right within 1.5 points in every group of some size.
    large = [(said, was) for said, was in mended.bins if was.n > 1_000]
    assert len(large) == 8
    assert all(abs(said - was.value) < 0.015 for said, was in large)
    assert max(abs(off.value) for _said, off in score_places(corrected).bins) < 0.03
