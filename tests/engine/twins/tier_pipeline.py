"""Slow twin of the pipeline's loops, written like the publication: one entry at a time, nothing reused.

Only tests use it. It takes times, hands and the exact ICM integral from their own modules, and rates every partial
field of its own.
"""

import math
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ratings.engine.chain import competition_places, rate_field
from ratings.engine.history import EventHistory
from ratings.engine.icm import place_probabilities
from ratings.engine.tier.hands import evidence_weight, playing_hours
from ratings.engine.tier.params import TierParams
from ratings.engine.tier.place_weights import place_weights
from ratings.engine.tier.pool_state import PoolState
from ratings.engine.tier.times import entry_times

Floats = npt.NDArray[np.float64]
Ints = npt.NDArray[np.int64]


@dataclass
class _Entry:
    player: int
    number: int
    place: int
    registered_at: float
    busted_at: float
    beta_sq: float
    n_entered: int = 0
    n_bust: int = 0


@dataclass
class SlowReplay:
    """Posterior and penalty of every entry, and the players' skills after the last event."""

    posterior_mu: Floats
    posterior_sigma: Floats
    penalty: Floats
    mu: Floats
    sigma: Floats


def _entries(history: EventHistory, e: int, params: TierParams) -> list[_Entry]:
    event = history.part(e, e + 1)
    times = entry_times(event, params)
    evidence = evidence_weight(playing_hours(times.played, int(event.table_size[0])), params)
    rows = zip(
        event.player, event.number, event.place, times.registered_at, times.busted_at, evidence, strict=True
    )
    entries = [
        _Entry(
            int(who), int(number), int(place), float(registered), float(busted), (params.beta / float(H)) ** 2
        )
        for who, number, place, registered, busted, H in rows
    ]
    for entry in entries:
        entry.n_entered = sum(other.registered_at <= entry.registered_at for other in entries)
        entry.n_bust = sum(other.busted_at <= entry.registered_at and other is not entry for other in entries)
    return entries


def _members(entries: list[_Entry], round_number: int) -> list[_Entry]:
    """Every player's entry of this round."""
    chosen: dict[int, _Entry] = {}
    for entry in sorted(entries, key=lambda entry: entry.number):
        if entry.number <= round_number:
            chosen[entry.player] = entry
    return list(chosen.values())


def _posterior(
    members: list[_Entry], keys: list[tuple[bool, int]], mu: Floats, sigma: Floats
) -> tuple[Floats, Floats, Ints]:
    order = sorted(set(keys))
    places = competition_places([order.index(key) for key in keys])
    who = [entry.player for entry in members]
    field = rate_field(mu[who], sigma[who], places, beta=[math.sqrt(entry.beta_sq) for entry in members])
    return field.mu, field.sigma, places


def _reference_gain(n: int, sigma_sq: float, beta_sq: float, params: TierParams) -> Floats:
    """R_n: gains in a field of equal players, rated as such."""
    sigma = math.sqrt(sigma_sq)
    field = rate_field(
        np.zeros(n), np.full(n, sigma), np.arange(1, n + 1), beta=math.sqrt(beta_sq), tolerance=1e-10
    )
    return field.mu - params.conservatism * (field.sigma - sigma)


def _part2(entry: _Entry, gain: Floats) -> float:
    n_others = entry.n_entered - 1 - entry.n_bust
    if n_others == 0:
        return float(gain[0] - gain.mean())
    stacks = np.append(np.full(n_others, (entry.n_entered - 1) / n_others), 1.0)
    return float(place_probabilities(stacks)[-1] @ gain[: n_others + 1] - gain.mean())


class _Round:
    """One round of an event: what happens to each member who is updated."""

    def __init__(
        self, members: list[_Entry], number: int, mu: Floats, sigma: Floats, params: TierParams
    ) -> None:
        self.members, self.number, self.mu, self.sigma, self.params = members, number, mu, sigma, params
        self.who = [entry.player for entry in members]
        self.new_mu, self.new_sigma, self.places = _posterior(
            members, [(False, entry.place) for entry in members], mu, sigma
        )
        self.early: list[tuple[int, int, int, int]] = []  # place and size, whole and partial

    def is_updated(self, i: int) -> bool:
        return self.members[i].number == self.number

    def rate_early_busts(self, closes_at: float) -> None:
        chosen = [self.partial(i, closes_at) for i in range(len(self.members))]
        for i, posterior in enumerate(chosen):
            if posterior is not None:
                self.new_mu[i], self.new_sigma[i] = posterior

    def partial(self, i: int, closes_at: float) -> tuple[float, float] | None:
        moment, K = self.members[i].busted_at, self.params.conservatism
        field = [entry for entry in self.members if entry.registered_at <= moment]
        if not self.is_updated(i) or moment >= closes_at or len(field) == len(self.members):
            return None
        keys = [(entry.busted_at <= moment, entry.place) for entry in field]
        mu, sigma, places = _posterior(field, keys, self.mu, self.sigma)
        at = field.index(self.members[i])
        self.early.append((int(self.places[i]), len(self.members), int(places[at]), len(field)))
        better = mu[at] - K * sigma[at] > self.new_mu[i] - K * self.new_sigma[i]
        return (float(mu[at]), float(sigma[at])) if better else None

    def weigh(self, final_table_size: int) -> None:
        params = self.params
        up_mu, up_sigma = self.new_mu - self.mu[self.who], self.new_sigma - self.sigma[self.who]
        scale = params.conservatism if params.weight_scales_sigma else 0.0
        up = up_mu - scale * up_sigma
        weight = place_weights(self.places, final_table_size, up, params).weight
        balance = sum(float(g) - float(w) * float(g) for g, w in zip(up, weight, strict=True)) / len(up)
        self.new_mu = self.mu[self.who] + weight * up_mu + balance
        of_sigma = weight if params.weight_scales_sigma else 1.0
        self.new_sigma = self.sigma[self.who] + of_sigma * up_sigma

    def late_penalty(self, i: int) -> float:
        entry, params = self.members[i], self.params
        if not self.is_updated(i) or entry.n_bust == 0 or len(self.members) < 2:
            return 0.0
        others = [j for j in range(len(self.members)) if j != i]
        sigma_sq = float(np.mean([self.sigma[self.who[j]] ** 2 for j in others]))
        beta_sq = float(np.mean([self.members[j].beta_sq for j in others]))
        gain = {
            n: _reference_gain(n, sigma_sq, beta_sq, params)
            for n in {entry.n_entered, *(size for early in self.early for size in (early[1], early[3]))}
        }
        given = sum(
            max(gain[size][place - 1] - gain[n][whole - 1], 0.0) for whole, n, place, size in self.early
        )
        share = entry.n_bust / entry.n_entered
        part2 = max(_part2(entry, gain[entry.n_entered]), 0.0)
        factor = params.late_first if entry.number == 1 else params.late_reentry
        return float(factor * (params.late_a * share * given + params.late_b * part2))


def replay_slowly(history: EventHistory, start: PoolState, params: TierParams) -> SlowReplay:
    """Rate every event of a history in order, slowly.

    Parameters
    ----------
    history : EventHistory
    start : PoolState
        Left unchanged.
    params : TierParams

    Returns
    -------
    SlowReplay

    References
    ----------
    .. [1] TIER publication of November 2022.
    """
    mu, sigma, day = start.mu.copy(), start.sigma.copy(), start.last_day.copy()
    n = history.n_entries
    out = SlowReplay(np.zeros(n), np.zeros(n), np.zeros(n), mu, sigma)
    for e in range(history.n_events):
        entries = _entries(history, e, params)
        for who in {entry.player for entry in entries}:
            if history.day[e] > day[who] and params.tau_per_day > 0.0:
                drifted = math.hypot(sigma[who], params.tau_per_day * math.sqrt(history.day[e] - day[who]))
                sigma[who] = max(sigma[who], min(drifted, params.sigma0))
            if history.season_day is not None and day[who] < history.season_day[e]:
                if params.season_start == "soft":
                    sigma[who] = max(sigma[who], params.season_sigma)
                elif params.season_start == "full":
                    mu[who], sigma[who] = params.mu0, params.sigma0
            day[who] = history.day[e]
        # s_prior[1] of everybody; s_prior[j+1] = s_posterior[j] for who has a (j+1)-th entry, else s_prior[j].
        prior_mu, prior_sigma = mu.copy(), sigma.copy()
        for number in range(1, max(entry.number for entry in entries) + 1):
            for who in {entry.player for entry in entries if entry.number == number > 1}:
                prior_mu[who], prior_sigma[who] = mu[who], sigma[who]
            one = _Round(_members(entries, number), number, prior_mu.copy(), prior_sigma.copy(), params)
            one.rate_early_busts(float(history.closes_at[e]))
            one.weigh(int(history.final_table_size[e]))
            _leave(one, entries, int(history.offset[e]), out)
    return out


def _leave(one: _Round, entries: list[_Entry], first: int, out: SlowReplay) -> None:
    penalties = [one.late_penalty(i) for i in range(len(one.members))]
    for i, entry in enumerate(one.members):
        if one.is_updated(i):
            at = first + next(k for k, other in enumerate(entries) if other is entry)
            out.penalty[at] = penalties[i]
            out.posterior_mu[at] = one.new_mu[i] - penalties[i]
            floored = max(float(one.new_sigma[i]), one.params.sigma_floor)
            out.posterior_sigma[at] = min(floored, float(one.sigma[entry.player]))
            shown = (
                out.posterior_mu[at] - one.params.conservatism * out.posterior_sigma[at] + one.params.offset
            )
            if shown < one.params.rate_floor:
                out.posterior_mu[at] += one.params.rate_floor - shown
    for i, entry in enumerate(one.members):
        if one.is_updated(i):
            at = first + next(k for k, other in enumerate(entries) if other is entry)
            out.mu[entry.player], out.sigma[entry.player] = out.posterior_mu[at], out.posterior_sigma[at]
