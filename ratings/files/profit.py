"""Output of the command `rate --kind profit`: players and, on request, every entry with the parts of its change."""

import math
from typing import TYPE_CHECKING, Any

from ratings.engine.errors import BadEventError
from ratings.engine.profit.params import ProfitParams
from ratings.files.reading import RatedFile

if TYPE_CHECKING:
    from ratings.engine.profit.replay import ProfitReplay, ProfitState


def rate_file_by_profit(file: RatedFile, params: ProfitParams, *, explain: bool) -> dict[str, Any]:
    """Rate every player; raise ValueError that names the line of a game that cannot be rated."""
    from ratings.engine.profit.history import ProfitHistory
    from ratings.engine.profit.replay import ProfitState, replay_profit

    games = file.history
    try:
        history = ProfitHistory(games.offset, games.player, games.place, file.balance)
        replayed = replay_profit(history, ProfitState.fresh(len(file.players), params), params)
    except BadEventError as error:
        raise file.located(error) from error
    output: dict[str, Any] = {"players": _players(file, replayed.state)}
    if explain:
        output["events"] = _events(file, replayed)
    return output


def _players(file: RatedFile, state: "ProfitState") -> list[dict[str, Any]]:
    rows = zip(file.players, state.r.tolist(), state.n_games.tolist(), strict=True)
    players = [{"player": name, "r": r, "games": games} for name, r, games in rows]
    return sorted(players, key=lambda player: (-player["r"], player["player"]))


def _events(file: RatedFile, replayed: "ProfitReplay") -> list[dict[str, Any]]:
    history = replayed.history
    columns = {
        "player": [file.players[who] for who in history.player.tolist()],
        "place": history.place.tolist(),
        # JSON has no NaN.
        "balance": [None if math.isnan(balance) else balance for balance in history.balance.tolist()],
        "r_before": replayed.before.tolist(),
        "r_after": replayed.after.tolist(),
        "change": (replayed.after - replayed.before).tolist(),
        "result": replayed.result_part.tolist(),
        "pull": replayed.pull_part.tolist(),
        "c": replayed.correction.tolist(),
        "games_before": replayed.n_before.tolist(),
        "table_mean": replayed.table_mean[history.event].tolist(),
    }
    entries = [dict(zip(columns, row, strict=True)) for row in zip(*columns.values(), strict=True)]
    offset = history.offset.tolist()
    return [
        file.event_head(e) | {"entries": entries[offset[e] : offset[e + 1]]} for e in range(history.n_events)
    ]
