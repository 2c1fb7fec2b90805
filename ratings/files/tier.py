"""Output of the command `rate`: players and, on request, the explanation of every entry."""

from collections.abc import Callable, Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.engine.tier.badges import badges
from ratings.engine.tier.core_model import PlainParams, order_history
from ratings.engine.tier.params import TierParams, is_provisional, rate
from ratings.files.reading import RatedFile

if TYPE_CHECKING:
    from ratings.engine.tier.pipeline import TierReplay
    from ratings.engine.tier.plain import PlainReplay
    from ratings.engine.tier.pool_state import PoolState

Progress = Callable[[int, int], None]


def rate_file(file: RatedFile, params: TierParams, *, explain: bool, progress: Progress) -> dict[str, Any]:
    """Rate a file by TIER as published."""
    from ratings.engine.tier.pipeline import replay_events
    from ratings.engine.tier.pool_state import PoolState

    replayed = replay_events(
        file.history, PoolState.fresh(len(file.players), params), params, progress=progress
    )
    output: dict[str, Any] = {"players": _players(file, replayed.state, params)}
    if explain:
        output["events"] = _explain_events(file, replayed)
    return output


def rate_file_plainly(
    file: RatedFile, params: PlainParams, *, explain: bool, progress: Progress
) -> dict[str, Any]:
    """Rate only the order of the players' last entries, by the core model."""
    from ratings.engine.chain import competition_places
    from ratings.engine.tier.plain import replay_plainly
    from ratings.engine.tier.pool_state import PoolState

    whole = file.history
    event = np.repeat(np.arange(whole.n_events), np.diff(whole.offset))
    order = np.lexsort((-whole.number, whole.player, event))
    first = np.ones(order.size, dtype=np.bool_)
    first[1:] = np.any(np.diff(np.stack([event, whole.player])[:, order], axis=1) != 0, axis=0)
    last = np.sort(order[first])
    offset = np.searchsorted(event[last], np.arange(whole.n_events + 1)).astype(np.int64)
    place = competition_places(event[last] * (whole.n_entries + 1) + whole.place[last]) - offset[event[last]]
    history = order_history(whole.day, offset, whole.player[last], place.astype(np.int64))
    tier = params.tier
    fresh = PoolState.fresh(len(file.players), tier)
    replayed = replay_plainly(history, fresh, params, progress=progress)
    output: dict[str, Any] = {"players": _players(file, replayed.state, tier)}
    if explain:
        output["events"] = [_plain_event(file, replayed, e, tier) for e in range(history.n_events)]
    return output


def _players(file: RatedFile, state: "PoolState", params: TierParams) -> Iterator[dict[str, Any]]:
    """Yield the players, those in placement last, by rate and name."""
    history, n = file.history, len(file.players)
    rates = rate(state.mu, state.sigma, params)
    provisional = np.array([is_provisional(n_entries, params) for n_entries in state.n_entries.tolist()])
    by_name = np.array(sorted(range(n), key=file.players.__getitem__), dtype=np.int64)
    order = by_name[np.lexsort((-rates[by_name], provisional[by_name]))]
    columns = {
        "player": [file.players[i] for i in order.tolist()],
        "mu": state.mu[order].tolist(),
        "sigma": state.sigma[order].tolist(),
        "rate": rates[order].tolist(),
        "badge": badges(rates[order], params),
        "events": np.bincount(history.player[history.number == 1], minlength=n)[order].tolist(),
        "provisional": provisional[order].tolist(),
    }
    for row in zip(*columns.values(), strict=True):
        yield dict(zip(columns, row, strict=True))


def _explain_events(file: RatedFile, replayed: "TierReplay") -> list[dict[str, Any]]:
    from ratings.engine.tier.figures import explain_entries

    history = replayed.history
    entries = []
    for player, explanation in zip(history.player.tolist(), explain_entries(replayed), strict=True):
        columns = asdict(explanation) | {
            "player": file.players[player],
            "rate_before": explanation.prior.rate,
            "rate_after": explanation.posterior.rate,
            "change": explanation.change,
            "steps": [{"name": name, "change": change} for name, change in explanation.steps],
        }
        entries.append(columns)
    offset = history.offset.tolist()
    return [
        file.event_head(e) | {"entries": entries[offset[e] : offset[e + 1]]} for e in range(history.n_events)
    ]


def _plain_event(file: RatedFile, replayed: "PlainReplay", e: int, params: TierParams) -> dict[str, Any]:
    history, entries = replayed.history, []
    for i in range(int(history.offset[e]), int(history.offset[e + 1])):
        prior, posterior = (
            {"mu": float(mu[i]), "sigma": float(sigma[i])}
            for mu, sigma in (
                (replayed.prior_mu, replayed.prior_sigma),
                (replayed.posterior_mu, replayed.posterior_sigma),
            )
        )
        entries.append(
            {
                "player": file.players[history.player[i]],
                "place": int(history.place[i]),
                "prior": prior,
                "posterior": posterior,
                "rate_before": rate(prior["mu"], prior["sigma"], params),
                "rate_after": rate(posterior["mu"], posterior["sigma"], params),
            }
        )
    return file.event_head(e) | {"entries": entries}
