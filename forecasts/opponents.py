"""Whom a player has met, and how often the player was ahead: beside what the ratings promised before each event."""

from collections.abc import Collection, Sequence
from functools import partial
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from forecasts.histories import noises
from forecasts.models import PoolQuality
from forecasts.quality import correction_at
from league.models import Player, Pool, PoolKind
from ratings.models import RatedEntry, RatedGame
from standings.goals.memory import remembered

if TYPE_CHECKING:
    from datetime import datetime

    import numpy.typing as npt


class Opponent(NamedTuple):
    """A player met: in how many events, how often behind the player (a tie is half), and what was expected of that."""

    player_id: int
    name: str
    n_events: int
    ahead: float
    expected: float

    @property
    def difference(self) -> float:
        return self.ahead - self.expected


class Meeting(NamedTuple):
    """A player in an event: rated as before the first entry, placed as at the end of the last."""

    event_id: int
    starts_at: "datetime"
    season_id: int
    season: str
    player_id: int
    name: str
    place: int
    mean: float
    sigma: float


def opponents_in(player: Player, pool: Pool, season_id: int | None) -> tuple[dict[int, str], list[Opponent]]:
    """Read the seasons in which a player has met others, and whom: of one of these seasons, or of all.

    What follows from the same results and forecasts is worked out once in each process.
    """
    versions = Pool.objects.filter(pk=pool.pk).values_list(
        "data_version", "recomputation__rated_version", "recomputation__rated_at", "quality__computed_at"
    )
    key = ("opponents", player.pk, pool.pk, *versions.get())
    seasons, rows = remembered(key, partial(_opponents_in, player, pool, None))
    if season_id in seasons:
        seasons, rows = remembered((*key, season_id), partial(_opponents_in, player, pool, season_id))
    return seasons, rows


def _opponents_in(player: Player, pool: Pool, season_id: int | None) -> tuple[dict[int, str], list[Opponent]]:
    meetings = meetings_of(player, pool)
    seasons = {row.season_id: row.season for row in meetings}
    met = [row for row in meetings if season_id in {None, row.season_id}]
    return seasons, opponents_of(player, pool, met)


def meetings_of(player: Player, pool: Pool) -> list[Meeting]:
    """Read the meetings of all players, the player included, in the player's events, in one query."""
    if pool.kind == PoolKind.PROFIT:
        games = RatedGame.objects.filter(
            pool=pool, event__rated_games__player=player, event__rated_games__pool=pool
        )
        columns = _columns("r_before")
        return [
            Meeting._make((*row, 0.0))
            for row in games.values_list(*columns).order_by("starts_at", "event_id")
        ]
    held = RatedEntry.objects.filter(pool=pool, player=player).values("event_id")
    entries = RatedEntry.objects.filter(pool=pool, event_id__in=held, event__pool=pool)
    found: dict[tuple[int, int], Meeting] = {}
    ordered = entries.order_by("starts_at", "event_id", "number")
    for row in map(Meeting._make, ordered.values_list(*_columns("prior_mu"), "prior_sigma")):
        key = row.event_id, row.player_id
        found[key] = found[key]._replace(place=row.place) if key in found else row
    return list(found.values())


def _columns(mean: str) -> tuple[str, ...]:
    return (
        "event_id",
        "starts_at",
        "event__season_id",
        "event__season__name",
        "player_id",
        "player__name",
        "place",
        mean,
    )


def opponents_of(player: Player, pool: Pool, meetings: Sequence[Meeting]) -> list[Opponent]:
    """Add up the meetings with each opponent, those met most often first.

    Chances are corrected by what the events before each one gave, as they are wherever the site shows them.
    """
    own = {row.event_id: row for row in meetings if row.player_id == player.pk}
    others = [row for row in meetings if row.player_id != player.pk and row.event_id in own]
    if not others:
        return []
    expected = _chances(pool, [own[row.event_id] for row in others], others)
    ahead = [_ahead(own[row.event_id], row) for row in others]
    sums: dict[int, tuple[str, list[float]]] = {}
    for row, won, chance in zip(others, ahead, expected.tolist(), strict=True):
        _name, figures = sums.setdefault(row.player_id, (row.name, [0, 0.0, 0.0]))
        figures[0] += 1
        figures[1] += won
        figures[2] += chance
    found = [
        Opponent(player_id, name, int(figures[0]), figures[1], figures[2])
        for player_id, (name, figures) in sums.items()
    ]
    return sorted(found, key=lambda each: (-each.n_events, each.name.casefold(), each.player_id))


def _ahead(own: Meeting, other: Meeting) -> float:
    return 0.5 if own.place == other.place else float(own.place < other.place)


def _chances(pool: Pool, own: Sequence[Meeting], others: Sequence[Meeting]) -> "npt.NDArray[np.float64]":
    """Compute the chance, before each event, of finishing before each opponent."""
    from scipy.special import ndtr

    noise = noises(pool, [row.starts_at for row in own])
    spread = np.sqrt(
        np.array([row.sigma for row in own]) ** 2
        + np.array([row.sigma for row in others]) ** 2
        + 2 * noise**2
    )
    lead = np.array([row.mean for row in own]) - np.array([row.mean for row in others])
    scale, luck = _corrections(pool, [row.starts_at for row in own])
    return np.asarray((1 - luck) * ndtr(scale * lead / spread) + luck / 2)


def _corrections(pool: Pool, moments: Collection["datetime"]) -> tuple["npt.NDArray[np.float64]", ...]:
    """Read scale and luck of the chances at each moment from the pool's stored quality."""
    stored = PoolQuality.objects.filter(pool=pool).values_list("figures", flat=True).first() or {}
    known = {moment: correction_at(stored, moment) for moment in set(moments)}
    found = [known[moment] for moment in moments]
    return np.array([each.scale for each in found]), np.array([each.luck for each in found])
