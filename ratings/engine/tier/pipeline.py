"""TIER as published: a pool's events with partial fields, hands, weights of places, penalties and floors."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.errors import BadEventError, NotConvergedError
from ratings.engine.history import EventHistory
from ratings.engine.tier import pipeline_arrays as rows
from ratings.engine.tier.entry_order import order_entries
from ratings.engine.tier.hands import MINUTES_PER_HOUR, evidence_weight, h_unit
from ratings.engine.tier.late_registration import Curves, count_entered, curves_for
from ratings.engine.tier.params import SEASON_STARTS, TierParams, least_mu
from ratings.engine.tier.pipeline_arrays import Constants, Events, Scratch, mark_sizes, scratch_for
from ratings.engine.tier.pipeline_kernels import rate_range
from ratings.engine.tier.place_weights import weights_of
from ratings.engine.tier.pool_state import PoolState
from ratings.engine.tier.times import EntryTimes, entry_times

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]
Progress = Callable[[int, int], None]

# Entries between two calls of `progress`: some 20 ms of work without late registration.
CHUNK = 20_000


@dataclass(frozen=True)
class TierReplay:
    """Result of a replay, for every entry in the order of the history.

    Attributes
    ----------
    history : EventHistory
    params : TierParams
    times : EntryTimes
    hours, evidence : float64, shape (n_entries,)
        h, not clipped, and H of the hands module.
    n_entered, n_bust : int64, shape (n_entries,)
        Pe and Pb when the entry registered; it is late if n_bust > 0.
    numbers : float64, shape (FLOAT_RESULTS, n_entries)
        Prior, posteriors, weight and penalty; rows named in pipeline_arrays.
    counts : int64, shape (INT_RESULTS, n_entries)
        Sizes of fields, places in them, row of the weight.
    state : PoolState
        After the last event.
    """

    history: EventHistory
    params: TierParams
    times: EntryTimes
    hours: Floats
    evidence: Floats
    n_entered: Ints
    n_bust: Ints
    numbers: Floats
    counts: Ints
    state: PoolState

    def _row(self, row: int) -> Floats:
        values: Floats = self.numbers[row]
        return values

    @property
    def prior_mu(self) -> Floats:
        return self._row(rows.PRIOR_MU)

    @property
    def prior_sigma(self) -> Floats:
        return self._row(rows.PRIOR_SIGMA)

    @property
    def posterior_mu(self) -> Floats:
        return self._row(rows.POSTERIOR_MU)

    @property
    def posterior_sigma(self) -> Floats:
        return self._row(rows.POSTERIOR_SIGMA)

    @property
    def n_before(self) -> Ints:
        counts: Ints = self.counts[rows.N_BEFORE]
        return counts

    @property
    def penalty(self) -> Floats:
        return self._row(rows.PENALTY)


def _season_days(history: EventHistory) -> Floats:
    if history.season_day is None:
        return np.full(history.n_events, np.nan)
    return np.ascontiguousarray(history.season_day)


def _events(history: EventHistory, times: EntryTimes, evidence: Floats, params: TierParams) -> Events:
    """Collect the arrays that the loops read; those of the history are not copied."""
    offset, place, number = (np.ascontiguousarray(a) for a in (history.offset, history.place, history.number))
    registered, busted = np.ascontiguousarray(times.registered_at), np.ascontiguousarray(times.busted_at)
    entered, bust = count_entered(offset, registered, busted)
    return Events(
        day=np.ascontiguousarray(history.day),
        season_day=_season_days(history),
        offset=offset,
        n_rounds=np.maximum.reduceat(number, offset[:-1]),
        closes_at=np.ascontiguousarray(history.closes_at),
        final_table_size=np.ascontiguousarray(history.final_table_size),
        player=np.ascontiguousarray(history.player),
        number=number,
        is_last=history.last_entries(),
        place=place,
        registered_at=registered,
        busted_at=busted,
        beta_sq=(params.beta / evidence) ** 2,
        n_entered=entered,
        n_bust=bust,
        order=order_entries(offset, place, busted, registered, evidence, number),
    )


def _curves(events: Events, scratch: Scratch, largest: int) -> Curves:
    is_needed = np.zeros(largest + 1, dtype=np.bool_)
    if events.n_bust.any():
        mark_sizes(events, scratch.floats, scratch.ints, is_needed)
    return curves_for(tuple((np.flatnonzero(is_needed[1:]) + 1).tolist()))


def constants_of(params: TierParams, curves: Curves) -> Constants:
    """Convert the parameters to the form that the loops read.

    Parameters
    ----------
    params : TierParams
    curves : Curves
        Curves of every size that the late penalty reads.

    Returns
    -------
    Constants

    Examples
    --------
    >>> constants_of(TierParams(), curves_for(())).late_first
    1.25
    """
    first, top, final_table, bottom, low, high, share = (float(weight) for weight in weights_of(params))
    return Constants(
        tau_sq=float(params.tau_per_day) ** 2,
        season_start=SEASON_STARTS.index(params.season_start),
        season_sigma=float(params.season_sigma),
        mu0=float(params.mu0),
        sigma0=float(params.sigma0),
        sigma_floor=float(params.sigma_floor),
        least_mu=float(least_mu(0.0, params)),
        conservatism=float(params.conservatism),
        tolerance=float(params.tolerance),
        max_rounds=int(params.max_rounds),
        weights=(first, top, final_table, bottom, low, high, share),
        weight_scales_sigma=bool(params.weight_scales_sigma),
        late_a=float(params.late_a),
        late_b=float(params.charged_b),
        late_first=float(params.late_first),
        late_reentry=float(params.late_reentry),
        curves=curves,
    )


def _check_start(history: EventHistory, start: PoolState) -> None:
    if history.n_entries and history.player.max() >= start.mu.size:
        at = int(np.argmax(history.player))
        event = int(np.searchsorted(history.offset, at, side="right")) - 1
        who = int(history.player[at])
        raise BadEventError(event, who, "player", "unknown_player", entry=at, n_players=start.mu.size)
    if history.n_events and np.any(start.last_day > history.day[0]):
        who = int(np.flatnonzero(start.last_day > history.day[0])[0])
        raise BadEventError(0, who, "day", "before_last_event")


def _chunk_ends(offset: Ints) -> list[int]:
    ends = np.unique(np.searchsorted(offset, np.arange(CHUNK, offset[-1], CHUNK), side="left"))
    return [*(int(end) for end in ends if 0 < end < offset.size - 1), offset.size - 1]


def replay_events(
    history: EventHistory, start: PoolState, params: TierParams, *, progress: Progress | None = None
) -> TierReplay:
    """Rate every event of a history in order.

    Parameters
    ----------
    history : EventHistory
    start : PoolState
        State before the first event; left unchanged.
    params : TierParams
    progress : callable, optional
        Called with (number of rated events, n_events) between chunks and at the end.

    Returns
    -------
    TierReplay
        Replaying a history in one go or in parts, each from the state the last one returned, gives the same
        bits.

    Raises
    ------
    BadEventError
        If the history names a player the pool does not have, or starts before a player's last day.
    NotConvergedError
        If the cap on rounds is reached; the text names the event.

    References
    ----------
    .. [1] TIER publication of November 2022; the order of steps is that of pipeline_kernels.

    Examples
    --------
    >>> history = EventHistory.of_orders([[0, 1]], duration=200 / 3)
    >>> plain = TierParams(hands_scale=1.0, hands_low=1.0, hands_high=1.0, weight_final_table=1.0)
    >>> replay_events(history, PoolState.fresh(2, plain), plain).posterior_mu.round(6).tolist()
    [1626.156626, 1373.843374]
    """
    _check_start(history, start)
    times = entry_times(history, params)
    # These are the playing_hours of every entry, with h_unit computed once for each event.
    hours = times.played / MINUTES_PER_HOUR * np.repeat(h_unit(history.table_size), np.diff(history.offset))
    evidence = evidence_weight(hours, params)
    events = _events(history, times, evidence, params)
    largest = int(np.diff(history.offset).max(initial=0))
    scratch = scratch_for(largest)
    constants = constants_of(params, _curves(events, scratch, largest))
    state, n_entries = np.stack([start.mu, start.sigma, start.last_day]), start.n_entries.copy()
    # np.zeros takes memory only where it is written to: in most histories most rows stay zero.
    numbers = np.zeros((rows.FLOAT_RESULTS, history.n_entries))
    counts = np.zeros((rows.INT_RESULTS, history.n_entries), dtype=np.int64)
    n_rated = 0
    for end in _chunk_ends(history.offset):
        reached = rate_range(n_rated, end, events, constants, scratch, numbers, counts, state, n_entries)
        if reached != end:
            raise NotConvergedError(f"event {reached} did not converge in {params.max_rounds} rounds")
        n_rated = end
        if progress is not None:
            progress(n_rated, history.n_events)
    return TierReplay(
        history=history,
        params=params,
        times=times,
        hours=hours,
        evidence=evidence,
        n_entered=events.n_entered,
        n_bust=events.n_bust,
        numbers=numbers,
        counts=counts,
        state=PoolState(state[0].copy(), state[1].copy(), state[2].copy(), n_entries),
    )


def rate_event(event: EventHistory, start: PoolState, params: TierParams) -> TierReplay:
    """Rate one event.

    Parameters
    ----------
    event : EventHistory
        History of one event.
    start : PoolState
        State of the pool before the event; left unchanged.
    params : TierParams

    Returns
    -------
    TierReplay

    Raises
    ------
    ValueError
        If there is not exactly one event; see also `replay_events`.
    NotConvergedError
        If the cap on rounds is reached.

    References
    ----------
    See `replay_events`.

    Examples
    --------
    >>> event = EventHistory.of_orders([[0, 1, 2]], duration=180.0)
    >>> rate_event(event, PoolState.fresh(3, TierParams()), TierParams()).state.n_entries.tolist()
    [1, 1, 1]
    """
    if event.n_events != 1:
        raise ValueError(f"event must hold one event, got {event.n_events}")
    return replay_events(event, start, params)
