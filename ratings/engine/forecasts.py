"""How good the chances are that ratings gave before events: scores of pairs, of winners and places, and their scale.

The performance of entry i is N(mu_i, s_i^2); i finishes before j with chance Phi(t),
t = (mu_i - mu_j)/sqrt(s_i^2 + s_j^2).
Calibrated chances are Phi(k t): `k`, the scale, is 0 where everybody is equal, below 1 where ratings are too sure.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import log_ndtr

from ratings.engine.forecast_kernels import count_pairs
from ratings.engine.prediction import win_probabilities
from ratings.engine.prediction_kernels import add_expected_places
from ratings.engine.ratios import Ratio, ratio

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

N_BINS = 10  # of the favourite's chance, from 50 to 100 %
N_PLACE_BINS = 5  # of the expected place, from first to last
# Columns of gaps, in standard deviations; at this width log losses are right to 1e-5.
GAP_STEP, LARGEST_GAP = 0.02, 8.0
N_GAPS = 2 * round(LARGEST_GAP / GAP_STEP) + 1
SCALES = np.linspace(0.0, 2.0, 101)
# Events in which everybody was equal that are added to those that were played, so that few results say little.
PRIOR_EVENTS = 10.0
CHUNK = 500  # events whose gaps are in memory at one time


@dataclass(frozen=True)
class Forecasts:
    """What ratings said before each event, and what happened.

    Parameters
    ----------
    offset : int64, shape (n_events + 1,)
        Entries of event e are offset[e]..offset[e + 1] - 1.
    place : int64, shape (n_entries,)
        Finishing places; equal ones are tied.
    mean, sd : float64, shape (n_entries,)
        Mean and standard deviation of each performance, any one unit.
    """

    offset: Ints
    place: Ints
    mean: Floats
    sd: Floats

    @classmethod
    def of_entries(
        cls, event: Ints, player: Ints, place: Ints, mean: Floats, sd: Floats, n_events: int
    ) -> "Forecasts":
        """Take each player of an event once: rated as before the first entry, placed as at the end of the last.

        The rows of an event are in order of the entries of each player; `event` is its index.

        Examples
        --------
        >>> columns = np.zeros(3, dtype=np.int64), np.array([7, 8, 7]), np.array([3, 2, 1]), np.arange(3.0)
        >>> one = Forecasts.of_entries(*columns, np.ones(3), 1)
        >>> one.offset.tolist(), one.place.tolist(), one.mean.tolist()
        ([0, 2], [1, 2], [0.0, 1.0])
        """
        order = np.lexsort((np.arange(event.size), player, event))
        first = np.ones(event.size, dtype=bool)
        first[1:] = (np.diff(event[order]) != 0) | (np.diff(player[order]) != 0)
        last = np.append(first[1:], True)[: event.size]
        sizes = np.bincount(event[order[first]], minlength=n_events)
        offset = np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64)
        return cls(offset, place[order[last]], mean[order[first]], sd[order[first]])

    @property
    def n_events(self) -> int:
        return self.offset.size - 1

    def scaled(self, scale: npt.ArrayLike) -> "Forecasts":
        """Multiply the gaps of each event by a scale, one for all or one for each event.

        Examples
        --------
        >>> one = Forecasts(np.array([0, 2]), np.array([1, 2]), np.array([1600.0, 1500.0]), np.ones(2))
        >>> one.scaled(0.5).mean.tolist()
        [800.0, 750.0]
        """
        by_entry = np.repeat(np.broadcast_to(scale, self.n_events), np.diff(self.offset))
        return Forecasts(self.offset, self.place, self.mean * by_entry, self.sd)

    def losses(self) -> tuple[Floats, Floats]:
        """Log loss and number of the pairs of each event.

        Examples
        --------
        >>> one = Forecasts(np.array([0, 2]), np.array([1, 2]), np.zeros(2), np.ones(2))
        >>> [column.round(6).tolist() for column in one.losses()]
        [[0.693147], [1.0]]
        """
        counted = _counted(self)
        return counted.loss, counted.n.sum(axis=1)


@dataclass(frozen=True)
class PairScores:
    """Scores of all pairs that are not tied; `bins` are by the chance of the favourite, what was said and what was.

    `gain` is how much lower the log loss is than that of a coin.
    """

    n_pairs: int
    accuracy: Ratio
    log_loss: float
    gain: Ratio
    bins: list[tuple[float, Ratio]]


@dataclass(frozen=True)
class PlaceScores:
    """Expected places beside actual ones, both from 0 (first) to 1 (last).

    `bins` are by expected place: its mean, and the mean actual one less the mean expected one.
    """

    correlation: float
    bins: list[tuple[float, Ratio]]


@dataclass(frozen=True)
class Scales:
    """The scale that the events before each one gave, shape (n_events,), and that of all events."""

    before: Floats
    now: float


def score_pairs(forecasts: Forecasts) -> PairScores:
    """Score the chances of all pairs.

    Parameters
    ----------
    forecasts : Forecasts

    Returns
    -------
    PairScores
        Standard errors count the pairs of one event as dependent.

    References
    ----------
    .. [1] I. J. Good, "Rational Decisions", 1952: the logarithmic score, -log of the chance of what happened.

    Examples
    --------
    >>> one = Forecasts(np.array([0, 2]), np.array([1, 2]), np.array([1600.0, 1500.0]), np.ones(2))
    >>> scores = score_pairs(one)
    >>> scores.n_pairs, scores.accuracy.value
    (1, 1.0)
    """
    counted = _counted(forecasts)
    n, said, right, loss = counted.n, counted.said, counted.right, counted.loss
    pairs = n.sum(axis=1)
    n_pairs = int(pairs.sum())
    return PairScores(
        n_pairs=n_pairs,
        accuracy=ratio(right.sum(axis=1), pairs),
        log_loss=float(loss.sum() / n_pairs) if n_pairs else np.log(2.0),
        gain=ratio(pairs * np.log(2.0) - loss, pairs),
        bins=[
            (float(said[:, b].sum() / n[:, b].sum()), ratio(right[:, b], n[:, b]))
            for b in range(N_BINS)
            if n[:, b].any()
        ],
    )


class _Counted(NamedTuple):
    """Sums of the pairs of each event, as count_pairs makes them."""

    n: Floats
    said: Floats
    right: Floats
    loss: Floats
    gaps: Floats


def _counted(forecasts: Forecasts, n_gaps: int = 1) -> _Counted:
    n, said, right = np.zeros((3, forecasts.n_events, N_BINS))
    counted = _Counted(n, said, right, np.zeros(forecasts.n_events), np.zeros((forecasts.n_events, n_gaps)))
    offset, place = forecasts.offset.astype(np.int64), forecasts.place.astype(np.int64)
    count_pairs(offset, place, forecasts.mean, forecasts.sd**2, GAP_STEP, *counted)
    return counted


def fit_scales(forecasts: Forecasts) -> Scales:
    """Find the scale of chances before each event, from the events before it alone, and after all of them.

    The scale k maximizes the likelihood of all pairs, those of a field of n with weight 2/n each, because they are no
    more than n - 1 comparisons; PRIOR_EVENTS events in which every pair was a draw are added.

    Parameters
    ----------
    forecasts : Forecasts
        In order of time, with the scale that ratings have without calibration.

    Returns
    -------
    Scales
        0 to 2; 0 before the first event.

    References
    ----------
    .. [1] C. Guo et al., "On Calibration of Modern Neural Networks", ICML 2017, section 4.2: temperature scaling.
    .. [2] A. P. Dawid, "The Prequential Approach", 1984: each forecast from what was known before it.

    Examples
    --------
    >>> even = Forecasts(np.array([0, 2, 4]), np.array([1, 2, 2, 1]), np.array([1.0, 0.0, 1.0, 0.0]), np.ones(4))
    >>> fit_scales(even).now
    0.0
    """
    centers = (np.arange(N_GAPS) - N_GAPS // 2) * GAP_STEP
    table = log_ndtr(centers[:, np.newaxis] * SCALES)
    # A pair that was a draw is half a result of each kind.
    drawn = (table + table[::-1]) / 2.0
    known, prior = np.zeros(SCALES.size), np.zeros(SCALES.size)
    before = np.zeros(forecasts.n_events)
    for first in range(0, forecasts.n_events, CHUNK):
        weighted = _weighted_gaps(forecasts, first, min(first + CHUNK, forecasts.n_events))
        of_events, of_draws = weighted @ table, weighted @ drawn
        known_before = known + np.cumsum(of_events, axis=0) - of_events
        prior_before = prior + np.cumsum(of_draws, axis=0) - of_draws
        n_before = np.arange(first, first + len(weighted))[:, np.newaxis]
        likelihood = known_before + PRIOR_EVENTS * prior_before / np.maximum(n_before, 1)
        before[first : first + len(weighted)] = _best(likelihood)
        known, prior = known + of_events.sum(axis=0), prior + of_draws.sum(axis=0)
    likelihood = known + PRIOR_EVENTS * prior / max(forecasts.n_events, 1)
    return Scales(before, float(_best(likelihood[np.newaxis])[0]))


def _weighted_gaps(forecasts: Forecasts, first: int, end: int) -> Floats:
    """Count the gaps of events first..end-1; a row of a field of n is divided by n/2."""
    entries = slice(int(forecasts.offset[first]), int(forecasts.offset[end]))
    part = Forecasts(
        forecasts.offset[first : end + 1] - forecasts.offset[first],
        forecasts.place[entries],
        forecasts.mean[entries],
        forecasts.sd[entries],
    )
    weighted: Floats = _counted(part, N_GAPS).gaps * 2.0 / np.diff(part.offset)[:, np.newaxis]
    return weighted


def _best(likelihood: Floats) -> Floats:
    """Find where each row is largest, between the scales by a parabola; 0 where it is the same everywhere."""
    at = np.argmax(likelihood, axis=1)
    inside = np.clip(at, 1, SCALES.size - 2)
    rows = np.arange(len(at))
    left, middle, right = (likelihood[rows, inside + shift] for shift in (-1, 0, 1))
    bend = left - 2.0 * middle + right
    is_peak = (at == inside) & (bend < 0.0)
    shift = np.where(is_peak, 0.5 * (left - right) / np.where(is_peak, bend, 1.0), 0.0)
    best: Floats = SCALES[at] + shift * (SCALES[1] - SCALES[0])
    return best


def score_places(forecasts: Forecasts) -> PlaceScores:
    """Compare expected places with actual ones, in events of at least two entries.

    Parameters
    ----------
    forecasts : Forecasts

    Returns
    -------
    PlaceScores
        Tied entries have the mean of the places that they occupy.

    References
    ----------
    .. [1] Linearity of expectation: place = 1 + number of those who finish before.

    Examples
    --------
    >>> one = Forecasts(np.array([0, 2]), np.array([1, 2]), np.array([9.0, 0.0]), np.ones(2))
    >>> round(score_places(one).correlation, 6)
    1.0
    """
    expected, actual = np.zeros((2, forecasts.place.size))
    variance = forecasts.sd**2
    for first, end in zip(forecasts.offset[:-1].tolist(), forecasts.offset[1:].tolist(), strict=True):
        place = forecasts.place[first:end]
        add_expected_places(forecasts.mean[first:end], variance[first:end], expected[first:end])
        actual[first:end] = place + (np.bincount(place)[place] - 1.0) / 2.0
    size = np.repeat(np.diff(forecasts.offset), np.diff(forecasts.offset))
    event = np.repeat(np.arange(forecasts.n_events), np.diff(forecasts.offset))
    several = size > 1
    said, was = ((column[several] - 1.0) / (size[several] - 1.0) for column in (expected, actual))
    bins = np.minimum((said * N_PLACE_BINS).astype(np.int64), N_PLACE_BINS - 1)
    return PlaceScores(
        _correlation(said, was),
        [
            (float(said[bins == b].mean()), _missed(event[several][bins == b], (was - said)[bins == b]))
            for b in range(N_PLACE_BINS)
            if (bins == b).any()
        ],
    )


def _missed(event: Ints, difference: Floats) -> Ratio:
    n = np.bincount(event).astype(np.float64)
    return ratio(np.bincount(event, weights=difference), n)


def _correlation(said: Floats, was: Floats) -> float:
    if not said.size or not said.std() or not was.std():
        return 0.0
    return float(np.corrcoef(said, was)[0, 1])


def winner_losses(forecasts: Forecasts) -> tuple[float, float]:
    """Find the mean log loss of the winner's chance, and that of the same chance for all.

    Parameters
    ----------
    forecasts : Forecasts

    Returns
    -------
    tuple of float
        Of events with one winner; both 0 without any.

    References
    ----------
    .. [1] I. J. Good, "Rational Decisions", 1952.

    Examples
    --------
    >>> one = Forecasts(np.array([0, 2]), np.array([1, 2]), np.zeros(2), np.ones(2))
    >>> [round(loss, 6) for loss in winner_losses(one)]
    [0.693147, 0.693147]
    """
    losses, equal = [], []
    for first, end in zip(forecasts.offset[:-1].tolist(), forecasts.offset[1:].tolist(), strict=True):
        won = forecasts.place[first:end] == 1
        if won.sum() != 1:
            continue
        # Half of the variance stands for sigma and half for beta: only their sum is used.
        half = forecasts.sd[first:end] * np.sqrt(0.5)
        chance = win_probabilities(forecasts.mean[first:end], half, beta=half)[won][0]
        losses.append(-np.log(max(chance, 1e-20)))
        equal.append(np.log(end - first))
    return (float(np.mean(losses)), float(np.mean(equal))) if losses else (0.0, 0.0)
