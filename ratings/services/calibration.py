"""Calibration of a pool of kind profit: what its results say, everybody's R under other parameters, adoption."""

from dataclasses import asdict, dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from django.contrib.auth.models import User
from django.db import transaction

from league.models import BEGINNING, Event, Player, Pool, PoolKind, Season
from league.services.changes import lock_pool
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from ratings.engine.errors import EngineError
from ratings.engine.profit.params import ProfitParams
from ratings.engine.profit.scales import is_measured_at
from ratings.models import ProfitRating, RatingSettings, SettingsOrigin
from ratings.queries import BroughtRow, eras_of, profit_params_of, revisions_of, wanted_settings
from ratings.services.balances import expected_sum
from ratings.services.profit_rerating import read_games
from ratings.services.settings import record_settings

if TYPE_CHECKING:
    from ratings.engine.profit.calibration import Calibration
    from ratings.engine.profit.history import ProfitHistory

# What can be adopted, the recommended one first while there are too few results.
CHOICES = (SettingsOrigin.QUICK_START, SettingsOrigin.ESTIMATE)
ADOPTED = {choice.value for choice in CHOICES}
DIGITS = 4  # significant digits of what is adopted, so that pages show exactly that


@dataclass(frozen=True)
class PoolCalibration:
    """What the results of a pool say, and the parameters that can be adopted."""

    pool: Pool
    settings: RatingSettings | None  # those wanted now
    history: "ProfitHistory"
    event_ids: list[int]
    player_ids: list[int]
    found: "Calibration"
    brought: list[BroughtRow]

    @property
    def revision(self) -> int:
        return self.settings.revision if self.settings else 0

    @property
    def params(self) -> ProfitParams:
        return profit_params_of(self.settings)

    @cached_property
    def candidates(self) -> dict[str, ProfitParams]:
        """Parameters that can be adopted, by their origin."""
        f, g = self.found.f, self.found.g
        pairs = {
            SettingsOrigin.QUICK_START.value: self.found.quick_start,
            SettingsOrigin.ESTIMATE.value: (f.value, g.value) if f and g and self.found.is_bounded else None,
        }
        made = {origin: _with_pair(self.params, *pair) for origin, pair in pairs.items() if pair}
        return {origin: params for origin, params in made.items() if params}

    @property
    def lacks_published(self) -> bool:
        """Tell whether the pool still has a pair that was not measured at tables of its size."""
        return "not_published" in self.found.warnings and not is_measured_at(
            self.found.table_size, self.params
        )


@dataclass(frozen=True)
class PreviewRow:
    """A player's R now, and R under each of the parameters that can be adopted, with places among all players."""

    player: Player
    n_games: int
    now: float | None
    place: int | None
    then: dict[str, float]
    place_then: dict[str, int]

    @property
    def shown(self) -> list[tuple[float, int, int]]:
        """R and place under each of the parameters, and by how many places the player moves up."""
        return [
            (r, self.place_then[origin], self.place - self.place_then[origin] if self.place else 0)
            for origin, r in self.then.items()
        ]


def calibration_of(pool: Pool) -> PoolCalibration:
    """Read the pool's games and estimate its parameters; raise Refused if it has no R from balances."""
    from ratings.engine.profit.calibration import calibrate_profit
    from ratings.engine.profit.history import ProfitHistory

    settings = wanted_settings(pool.pk)
    if pool.kind != PoolKind.PROFIT or profit_params_of(settings).system != "balance":
        raise Refused(
            _("%(pool)s is not rated by balances: there is nothing to calibrate.") % {"pool": pool.name}
        )
    games = read_games(pool.pk, since=BEGINNING)
    history = ProfitHistory.joined([part.history for part in games.parts])
    event_ids = [event_id for part in games.parts for event_id in part.event_ids]
    params = profit_params_of(settings)
    even = _without_house(pool, history, event_ids, params)
    found = calibrate_profit(even, replace(params, house_per_table=0.0, house_per_player=0.0))
    return PoolCalibration(pool, settings, history, event_ids, games.player_ids, found, games.brought)


def left_out_events(calibration: PoolCalibration) -> list[Event]:
    """Read the games that the estimate does not use because their sums are wrong, the latest first."""
    ids = [calibration.event_ids[event] for event in calibration.found.left_out.tolist()]
    events = Event.objects.filter(pk__in=ids).select_related("season__club", "meet")
    return list(events.order_by("-starts_at", "-pk"))


def preview(calibration: PoolCalibration) -> list[PreviewRow]:
    """Replay all games under each of the parameters that can be adopted; rows by R now, the highest first."""
    then = {origin: _replayed(calibration, params) for origin, params in calibration.candidates.items()}
    players = Player.objects.select_related("club").in_bulk(calibration.player_ids)
    stored = ProfitRating.objects.filter(pool=calibration.pool).values_list("player_id", "r")
    now = dict(stored)
    places, places_then = _places(now), {origin: _places(r) for origin, r in then.items()}
    n_games = np.bincount(calibration.history.player, minlength=len(calibration.player_ids)).tolist()
    rows = [
        PreviewRow(
            players[player_id],
            n,
            now.get(player_id),
            places.get(player_id),
            {origin: r[player_id] for origin, r in then.items()},
            {origin: at[player_id] for origin, at in places_then.items()},
        )
        for player_id, n in zip(calibration.player_ids, n_games, strict=True)
        if n
    ]
    return sorted(rows, key=lambda row: (row.place or len(rows) + 1, row.player.name))


@transaction.atomic
def adopt_calibration(
    pool: Pool,
    *,
    origin: str,
    pair: tuple[float, float],
    revision: int,
    actor: User | None,
    season: Season | None = None,
) -> RatingSettings:
    """Save an estimate or a quick start as a new revision, for all games, or with `season` by stretching R.

    `pair` is (f, g) as it was shown. Raise Stale if results or settings have changed since, and Refused if the season
    has another pool. Done a second time, it changes nothing.
    """
    pool = lock_pool(pool.pk)
    calibration = calibration_of(pool)
    if season and season.pool_id != pool.pk:
        raise Refused(_("The season %(season)s has other ratings.") % {"season": season})
    newest = calibration.settings
    is_done = (
        newest and (newest.origin, newest.season) == (origin, season) and _pair(calibration.params) == pair
    )
    if newest and is_done and origin in ADOPTED:
        return newest
    params = calibration.candidates.get(origin)
    if calibration.revision != revision or params is None or _pair(params) != pair:
        raise Stale(
            _("Results or settings have changed since you opened this page. Look at the new figures.")
        )
    saved = RatingSettings.objects.create(
        pool=pool,
        revision=revision + 1,
        params=asdict(params),
        badge_bounds=newest.badge_bounds if newest else None,
        season=season,
        stretch=_stretch(pool, params, season) if season else None,
        origin=origin,
        changed_by=actor,
    )
    record_settings(pool, newest, saved, rated_from=saved.takes_effect_at, actor=actor)
    return saved


@transaction.atomic
def take_back_calibration(pool: Pool, *, revision: int, actor: User | None) -> RatingSettings:
    """Undo the adoption that is the newest revision: what was valid before is saved again, era by era.

    Raise Stale if `revision` is not the newest. Done a second time, it changes nothing.
    """
    pool = lock_pool(pool.pk)
    revisions = list(revisions_of(pool.pk))
    newest = revisions[0] if revisions else None
    if newest and newest.origin == SettingsOrigin.TAKEN_BACK and newest.revision > revision:
        return newest
    if newest is None or newest.revision != revision or newest.origin not in ADOPTED:
        raise Stale(
            _("Somebody else has changed these settings since you opened them. Compare and save again.")
        )
    saved = newest
    for n, era in enumerate(eras_of(revisions[1:]), start=1):
        old = era.settings
        saved = RatingSettings.objects.create(
            pool=pool,
            revision=revision + n,
            params=asdict(era.profit_params),
            badge_bounds=old.badge_bounds if old else None,
            season=old.season if old else None,
            stretch=old.stretch if old else None,
            origin=SettingsOrigin.TAKEN_BACK,
            changed_by=actor,
        )
    record_settings(pool, newest, saved, rated_from=BEGINNING, actor=actor)
    return saved


def _pair(params: ProfitParams) -> tuple[float, float]:
    return params.f, params.g


def _with_pair(params: ProfitParams, f: float, g: float) -> ProfitParams | None:
    """Replace f and g in the parameters; None if the engine refuses the pair."""
    try:
        return replace(params, f=_rounded(f), g=_rounded(g))
    except EngineError:
        return None


def _rounded(value: float) -> float:
    return float(f"{value:.{DIGITS}g}")


def _stretch(pool: Pool, params: ProfitParams, season: Season) -> float:
    """Compute the factor by which distances grow from the parameters before a season to the new ones."""
    from ratings.engine.profit.scales import stretch

    eras = eras_of(revisions_of(pool.pk))
    before = [era for era in eras if era.starts_at < season.starts_at] or eras[:1]
    return stretch(before[-1].profit_params, params)


def _without_house(
    pool: Pool, history: "ProfitHistory", event_ids: list[int], params: ProfitParams
) -> "ProfitHistory":
    """Give every player an equal part of what the house kept, so that each right game sums to 0."""
    stated = Event.objects.filter(pool=pool, scoring__has_key="house").values_list("pk", "scoring__house")
    houses: dict[int, Any] = dict(stated)
    size = np.diff(history.offset)
    sums = [
        float(expected_sum(houses.get(event_id), n, params))
        for event_id, n in zip(event_ids, size.tolist(), strict=True)
    ]
    share = np.array(sums, dtype=np.float64) / size
    return replace(history, balance=history.balance - share[history.event])


def _replayed(calibration: PoolCalibration, params: ProfitParams) -> dict[int, float]:
    """Replay all games under other parameters: R by id of the player."""
    from ratings.engine.profit.replay import ProfitState, replay_profit

    index = {player_id: i for i, player_id in enumerate(calibration.player_ids)}
    r, n_games = np.full(len(index), params.r0), np.zeros(len(index), dtype=np.int64)
    for row in calibration.brought:
        if (i := index.get(row.player_id)) is not None:
            r[i], n_games[i] = row.mu, row.n_entries
    start = ProfitState(r, n_games)
    state = replay_profit(calibration.history, start, params, checks_sums=False).state
    return dict(zip(calibration.player_ids, state.r.tolist(), strict=True))


def _places(r: dict[int, float]) -> dict[int, int]:
    """Rank by R; equal ones share a place."""
    ordered = sorted(r.values(), reverse=True)
    first: dict[float, int] = {}
    for place, value in enumerate(ordered, start=1):
        first.setdefault(value, place)
    return {player_id: first[value] for player_id, value in r.items()}
