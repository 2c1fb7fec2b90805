"""How good the chances of ratings before events are: scores of pairs, of winners and places, and their correction.

The performance of entry i is N(mu_i, s_i^2); i finishes before j with chance Phi(t),
t = (mu_i - mu_j)/sqrt(s_i^2 + s_j^2).
Corrected chances are (1 - l) Phi(k t) + l/2: the scale k is 0 where everybody is equal, below 1 where leads are worth
less than ratings say; the luck l is the share of pairs that luck alone decides, as when somebody retires.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from scipy.special import ndtr

from ratings.engine.forecasts.kernels import count_pairs
from ratings.engine.forecasts.prediction import win_probabilities
from ratings.engine.forecasts.ratios import Ratio, ratio
from ratings.engine.prediction_kernels import add_expected_places

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]

N_BINS = 10  # of the favourite's chance, from 50 to 100 %
N_PLACE_BINS = 5  # of the expected place, from first to last
# Columns of gaps, in standard deviations; at this width log losses are right to 1e-5.
GAP_STEP, LARGEST_GAP = 0.02, 8.0
N_GAPS = 2 * round(LARGEST_GAP / GAP_STEP) + 1
SCALES, LUCKS = np.linspace(0.0, 2.0, 81), np.linspace(0.0, 0.5, 11)
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
    luck : float64, shape (n_events,), optional
        Share of the pairs that luck alone decides; none if None.
    """

    offset: Ints
    place: Ints
    mean: Floats
    sd: Floats
    luck: Floats | None = None

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

    def corrected(self, corrections: "Corrections") -> "Forecasts":
        """Correct the chances of each event by what the events before it gave.

        Examples
        --------
        >>> one = Forecasts(np.array([0, 2]), np.array([1, 2]), np.array([1600.0, 1500.0]), np.ones(2))
        >>> one.corrected(Corrections(np.array([0.5]), np.array([0.1]), 0.5, 0.1)).mean.tolist()
        [800.0, 750.0]
        """
        scale = np.repeat(corrections.scale_before, np.diff(self.offset))
        return Forecasts(self.offset, self.place, self.mean * scale, self.sd, corrections.luck_before)

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
class Corrections:
    """Scale and luck as the events before each one gave them, shape (n_events,), and as all events do."""

    scale_before: Floats
    luck_before: Floats
    scale: float
    luck: float


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
    luck = np.zeros(forecasts.n_events) if forecasts.luck is None else forecasts.luck
    count_pairs(offset, place, forecasts.mean, forecasts.sd**2, luck, GAP_STEP, *counted)
    return counted


def fit_corrections(forecasts: Forecasts) -> Corrections:
    """Find the correction of chances before each event, from the events before it alone, and after all of them.

    Scale k and luck l maximize, on a grid, the likelihood of all pairs, those of a field of n with weight 2/n each,
    because they are no more than n - 1 comparisons; PRIOR_EVENTS events in which every pair was a draw are added.

    Parameters
    ----------
    forecasts : Forecasts
        In order of time, as ratings have them without correction.

    Returns
    -------
    Corrections
        Scale 0 and luck 0 before the first event: everybody is equal.

    References
    ----------
    .. [1] C. Guo et al., "On Calibration of Modern Neural Networks", ICML 2017, section 4.2: temperature scaling.
    .. [2] A. P. Dawid, "The Prequential Approach", 1984: each forecast from what was known before it.
    .. [3] F. A. Wichmann, N. J. Hill, "The psychometric function", 2001, equation 1: lapses that no lead prevents.

    Examples
    --------
    >>> even = Forecasts(np.array([0, 2, 4]), np.array([1, 2, 2, 1]), np.array([1.0, 0.0, 1.0, 0.0]), np.ones(4))
    >>> fit_corrections(even).scale
    0.0
    """
    centers = (np.arange(N_GAPS) - N_GAPS // 2) * GAP_STEP
    chances = ndtr(centers[:, np.newaxis, np.newaxis] * SCALES)
    # Columns are pairs of a luck and a scale.
    table = np.log((1.0 - LUCKS[:, np.newaxis]) * chances + LUCKS[:, np.newaxis] / 2.0).reshape(N_GAPS, -1)
    # A pair that was a draw is half a result of each kind.
    drawn = (table + table[::-1]) / 2.0
    known, prior = np.zeros((2, table.shape[1]))
    best = np.zeros(forecasts.n_events + 1, dtype=np.int64)
    for first in range(0, forecasts.n_events, CHUNK):
        weighted = _weighted_gaps(forecasts, first, min(first + CHUNK, forecasts.n_events))
        likelihood, draws = (np.cumsum(weighted @ each, axis=0) for each in (table, drawn))
        n = np.arange(first + 1, first + 1 + len(weighted))
        added = PRIOR_EVENTS * (draws + prior) / n[:, np.newaxis]
        best[n] = np.argmax(likelihood + known + added, axis=1)
        known, prior = known + likelihood[-1], prior + draws[-1]
    luck, scale = np.divmod(best, SCALES.size)
    return Corrections(SCALES[scale[:-1]], LUCKS[luck[:-1]], float(SCALES[scale[-1]]), float(LUCKS[luck[-1]]))


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
    if forecasts.luck is not None:
        middle = (size + 1.0) / 2.0
        expected = middle + (1.0 - np.repeat(forecasts.luck, np.diff(forecasts.offset))) * (expected - middle)
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
    return ratio(np.bincount(event, weights=difference).astype(np.float64), n)


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
