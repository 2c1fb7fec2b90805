"""Output of the command `rate`: players and, on request, the explanation of every entry."""

from collections.abc import Callable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import numpy as np

from ratings.engine.core_model import PlainParams, order_history
from ratings.engine.tier import TierParams, badge, is_provisional, rate
from ratings.files.reading import RatedFile

if TYPE_CHECKING:
    from ratings.engine.pipeline import TierReplay
    from ratings.engine.plain import PlainReplay
    from ratings.engine.pool_state import PoolState

Progress = Callable[[int, int], None]


def rate_file(file: RatedFile, params: TierParams, *, explain: bool, progress: Progress) -> dict[str, Any]:
    """Rate a file by TIER as published."""
    from ratings.engine.pipeline import replay_events
    from ratings.engine.pool_state import PoolState

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
    from ratings.engine.plain import replay_plainly
    from ratings.engine.pool_state import PoolState

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


def _players(file: RatedFile, state: "PoolState", params: TierParams) -> list[dict[str, Any]]:
    history = file.history
    n_events = np.bincount(history.player[history.number == 1], minlength=len(file.players))
    players = []
    for i, name in enumerate(file.players):
        rate_now = rate(float(state.mu[i]), float(state.sigma[i]), params)
        players.append(
            {
                "player": name,
                "mu": float(state.mu[i]),
                "sigma": float(state.sigma[i]),
                "rate": rate_now,
                "badge": badge(rate_now, params),
                "events": int(n_events[i]),
                "provisional": is_provisional(int(state.n_entries[i]), params),
            }
        )
    return sorted(players, key=lambda player: (player["provisional"], -player["rate"], player["player"]))


def _event_head(file: RatedFile, e: int) -> dict[str, Any]:
    return {"event": file.events[e].key, "date": file.events[e].details.starts_at.isoformat()}


def _explain_events(file: RatedFile, replayed: "TierReplay") -> list[dict[str, Any]]:
    from ratings.engine.figures import explain_entries

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
        _event_head(file, e) | {"entries": entries[offset[e] : offset[e + 1]]}
        for e in range(len(file.events))
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
    return _event_head(file, e) | {"entries": entries}
