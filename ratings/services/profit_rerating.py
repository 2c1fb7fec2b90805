"""Rate a pool of kind profit again: read the games and replay them."""

from dataclasses import dataclass
from datetime import datetime
from itertools import chain
from math import isnan, prod
from typing import TYPE_CHECKING, Any

import numpy as np
from django.db.models import FloatField, Q
from django.db.models.functions import Cast

from league.models import BEGINNING, Entry, Event
from ratings.engine.errors import BadEventError
from ratings.engine.profit.figures import badge_of, expected_place, mean_of_others, stable_r
from ratings.engine.profit.params import ProfitParams
from ratings.models import ProfitRating, RatedGame, RatingSettings
from ratings.queries import BroughtRow, Era, badge_bounds_of, brought_ratings, eras_of
from ratings.services.eras import divided, present_era, revisions_to_rate
from ratings.services.rows import BATCH, END, Columns, Progress, RatedRows, joined, players_to_write

if TYPE_CHECKING:
    from ratings.engine.profit.history import ProfitHistory
    from ratings.engine.profit.replay import ProfitReplay, ProfitState


@dataclass(frozen=True)
class Games:
    """Consecutive games that are rated by the same settings."""

    era: Era
    stretch: float  # of every R before the first game
    event_ids: list[int]
    starts: list[datetime]
    history: "ProfitHistory"


@dataclass(frozen=True)
class GamesInput:
    """Input of a rerating, read at one moment: the parts are replayed one after the other from `start_state`."""

    pool_id: int
    since: datetime
    revisions: list[RatingSettings]
    present: Era  # that of the pool's last game
    parts: list[Games]
    player_ids: list[int]  # by the engine's index
    last_at: list[datetime | None]  # of each player, before `since`
    start_state: "ProfitState"
    eras: list[Era]
    brought: list[BroughtRow]


class ProfitRerating(RatedRows):
    """Rows of R."""

    rated_model = RatedGame
    rating_model = ProfitRating

    @property
    def rates(self) -> Columns:
        """Columns of ratings.queries.RATES."""
        return self.rated | {"prior_rate": self.rated["r_before"], "posterior_rate": self.rated["r_after"]}


def read_games(pool_id: int, *, since: datetime, until: datetime = END) -> GamesInput:
    """Read the settings, the games to rate and the state they start from."""
    revisions = revisions_to_rate(pool_id)
    eras = eras_of(revisions)
    present = present_era(pool_id, eras)
    entries = list(
        Entry.objects.filter(event__pool=pool_id, event__starts_at__gte=since, event__starts_at__lt=until)
        .order_by("event__starts_at", "event_id", "place", "pk")
        .values_list("event_id", "player_id", "place", Cast("balance", FloatField()))
    )
    starts = dict(
        Event.objects.filter(pool=pool_id, starts_at__gte=since, starts_at__lt=until)
        .values_list("pk", "starts_at")
        .order_by()
    )
    without_entry = players_to_write(ProfitRerating, pool_id, since, revisions, present)
    player_ids = sorted({row[1] for row in entries} | without_entry)
    index = {player_id: i for i, player_id in enumerate(player_ids)}
    start, last_at = _start_state(pool_id, since, index, eras[0].profit_params)
    return GamesInput(
        pool_id=pool_id,
        since=since,
        revisions=revisions,
        present=present,
        parts=_parts(eras, entries, starts, index, is_all=since == BEGINNING),
        player_ids=player_ids,
        last_at=last_at,
        start_state=start,
        eras=eras,
        brought=brought_ratings(pool_id),
    )


def rate_games(games: GamesInput, *, progress: Progress | None = None) -> ProfitRerating:
    """Replay the games, without the database."""
    from ratings.engine.profit.replay import replay_profit

    state, last_at, n_done = games.start_state, list(games.last_at), 0
    n_events = sum(len(part.event_ids) for part in games.parts)
    columns: list[Columns] = []
    for part in games.parts:
        params = part.era.profit_params
        start = _with_newcomers(state, params)
        if part.stretch != 1.0:  # A product with 1 could change the last bit.
            start = start.stretched(part.stretch, params.r0)
        start = _with_brought(start, games, part, last_at)
        replayed = replay_profit(part.history, start, params, checks_sums=False)
        columns.append(_columns(games, part, replayed, last_at))
        state, n_done = replayed.state, n_done + len(part.event_ids)
        if progress:
            progress(n_done, n_events)
    rated = joined(columns)
    ratings, unrated = _ratings(games, state, last_at)
    return ProfitRerating(games.pool_id, games.since, games.revisions, games.present, rated, ratings, unrated)


def _parts(
    eras: list[Era],
    entries: list[tuple[Any, ...]],
    starts_at: dict[int, datetime],
    index: dict[int, int],
    *,
    is_all: bool,
) -> list[Games]:
    """Divide the games, in rating order, by the eras.

    R is stretched only in a replay of all games: one that starts later has no stretch ahead (`replayed_from`).
    """
    from ratings.engine.profit.history import ProfitHistory

    event_ids = np.array([row[0] for row in entries], dtype=np.int64)
    firsts = np.flatnonzero(np.diff(event_ids, prepend=-1))
    offset = np.append(firsts, len(entries)).astype(np.int64)
    player = np.array([index[row[1]] for row in entries], dtype=np.int64)
    place = np.array([row[2] for row in entries], dtype=np.int64)
    balance = np.array([row[3] for row in entries], dtype=np.float64)  # NaN for None
    starts = [starts_at[pk] for pk in event_ids[firsts].tolist()]
    parts: list[Games] = []
    entered = 0
    for era, first, end in divided(starts, eras):
        a, b = int(offset[first]), int(offset[end])
        own = event_ids[firsts[first:end]].tolist()
        try:
            history = ProfitHistory(offset[first : end + 1] - a, player[a:b], place[a:b], balance[a:b])
        except BadEventError as error:
            raise ValueError(f"event {own[error.event]}: {error.problem}") from error
        before, entered = entered, eras.index(era) + 1
        stretch = prod(each.stretch for each in eras[before:entered]) if is_all else 1.0
        parts.append(Games(era, stretch, own, starts[first:end], history))
    return parts


def _start_state(
    pool_id: int, since: datetime, index: dict[int, int], params: ProfitParams
) -> tuple["ProfitState", list[datetime | None]]:
    """Read each player's state before `since`: stored with the first game to replace, or else the present rating."""
    from ratings.engine.profit.replay import ProfitState

    r, n_games = np.full(len(index), params.r0), np.zeros(len(index), dtype=np.int64)
    last_at: list[datetime | None] = [None] * len(index)
    if since > BEGINNING:
        now = ProfitRating.objects.filter(pool=pool_id).values_list("player_id", "r", "n_games", "last_at")
        # A player's first game from `since` on is the one that the player came to from before.
        replaced = RatedGame.objects.filter(
            Q(last_at__lt=since) | Q(last_at=None), pool=pool_id, starts_at__gte=since
        ).values_list("player_id", "r_before", "n_before", "last_at")
        for row in chain(now.iterator(BATCH), replaced.order_by().iterator(BATCH)):
            if (i := index.get(row[0])) is not None:
                # Who has no game before is new, whatever the first one was rated from until now.
                r[i], n_games[i], last_at[i] = row[1:] if row[3] else (params.r0, 0, None)
    return ProfitState(r, n_games), last_at


def _with_newcomers(state: "ProfitState", params: ProfitParams) -> "ProfitState":
    """Let players without a game begin at the R of a new player by these parameters."""
    from ratings.engine.profit.replay import ProfitState

    return ProfitState(np.where(state.n_games == 0, params.r0, state.r), state.n_games)


def _with_brought(
    state: "ProfitState", games: GamesInput, part: Games, last_at: list[datetime | None]
) -> "ProfitState":
    """Start players without a game from their R brought forward, stretched for each era since its day."""
    from ratings.engine.profit.replay import ProfitState

    r, n_games, r0 = state.r.copy(), state.n_games.copy(), part.era.profit_params.r0
    index = {player_id: i for i, player_id in enumerate(games.player_ids)}
    for row in games.brought:
        i = index.get(row.player_id)
        if i is None or last_at[i] is not None:
            continue
        begun = [era for era in games.eras if row.at < era.starts_at <= part.era.starts_at]
        times = prod(era.stretch for era in begun)
        r[i], n_games[i] = row.mu if times == 1.0 else r0 + times * (row.mu - r0), row.n_entries
    return ProfitState(r, n_games)


def _columns(
    games: GamesInput, part: Games, replayed: "ProfitReplay", last_at: list[datetime | None]
) -> Columns:
    """Build the columns of RatedGame, and advance `last_at` to the end of the part."""
    from ratings.engine.profit.history import results

    history, params = part.history, replayed.params
    event, n_players = history.event, np.diff(history.offset)[history.event]
    mean, badges = replayed.table_mean[event], badge_bounds_of(part.era.settings)
    starts = [part.starts[e] for e in event.tolist()]
    stable = stable_r(mean, replayed.before, results(history, params), n_players, params)
    others = mean_of_others(mean, replayed.before, n_players)
    return {
        "pool_id": [games.pool_id] * history.n_entries,
        "event_id": [part.event_ids[e] for e in event.tolist()],
        "player_id": [games.player_ids[i] for i in history.player.tolist()],
        "starts_at": starts,
        "last_at": _last_games(history.player.tolist(), starts, last_at),
        "n_before": replayed.n_before.tolist(),
        "r_before": replayed.before.tolist(),
        "r_after": replayed.after.tolist(),
        "place": history.place.tolist(),
        "n_players": n_players.tolist(),
        "balance": _none_for_nan(history.balance),
        "result_part": replayed.result_part.tolist(),
        "pull_part": replayed.pull_part.tolist(),
        "table_mean": mean.tolist(),
        "stable_r": _none_for_nan(stable),
        "expected_place": expected_place(replayed.before, others, n_players, params).tolist(),
        "badge": [badge_of(r, badges) for r in replayed.after.tolist()]
        if badges
        else [""] * history.n_entries,
        "is_provisional": (replayed.n_before + 1 < params.provisional_games).tolist(),
    }


def _last_games(
    players: list[int], starts: list[datetime], last_at: list[datetime | None]
) -> list[datetime | None]:
    """Find when each player played before, game by game; `last_at` is by player and changes."""
    before = []
    for who, start in zip(players, starts, strict=True):
        before.append(last_at[who])
        last_at[who] = start
    return before


def _none_for_nan(values: np.ndarray[Any, np.dtype[np.float64]]) -> list[float | None]:
    return [None if isnan(value) else value for value in values.tolist()]


def _ratings(
    games: GamesInput, state: "ProfitState", last_at: list[datetime | None]
) -> tuple[Columns, list[int]]:
    """Columns of ProfitRating for players with a rated game, and the ids of the players without one."""
    params, badges = games.present.profit_params, badge_bounds_of(games.present.settings)
    rated = [i for i, at in enumerate(last_at) if at is not None]
    r, n_games = state.r[rated].tolist(), state.n_games[rated].tolist()
    columns = {
        "pool_id": [games.pool_id] * len(rated),
        "player_id": [games.player_ids[i] for i in rated],
        "r": r,
        "n_games": n_games,
        "badge": [badge_of(value, badges) for value in r],
        "is_provisional": [n < params.provisional_games for n in n_games],
        "last_at": [last_at[i] for i in rated],
    }
    return columns, [games.player_ids[i] for i, at in enumerate(last_at) if at is None]
