"""What a better place in the season takes: who is ahead, and what the events to come can still change."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial

from league.models import Entry, Event, Season
from league.schedule import Left, left_of
from payouts.engine.seasons.prospects import Bounds, Prospects, SeasonSoFar, bounds, prospects
from payouts.queries import rules_of, terms_of
from standings.goals.memory import remembered
from standings.models import Standing
from standings.recomputation.season import SeasonInput, read_season, results_of

N_EVENTS = 10  # the last ones tell how many come
MOST_SIZES = 5
MOST_NAMED = 3
# What is gone through while somebody waits: the season's entries, and people times places.
MOST_ENTRIES = 4_000
MOST_OPTIONS = 6_000


@dataclass(frozen=True)
class SeasonGoal:
    """Where a player stands in a season, who is next ahead, and what is left.

    `by_size` has the prospects at the next event for each usual number of players, `bounds` those of all to come; both
    are empty where points do not follow from places, where several games make one day, and in large seasons.
    """

    season: str
    rank: int
    total: Decimal
    ahead: tuple[str, ...]  # everybody who shares the next better rank
    rank_ahead: int | None
    gap: Decimal
    left: Left | None  # None if nothing says how many events there will be
    n_players: int
    by_size: tuple[Prospects, ...] = ()
    bounds: Bounds | None = None

    @property
    def n_left(self) -> int | None:
        return self.left.n if self.left else None

    @property
    def is_certain(self) -> bool:
        """Tell whether the number of events left is known, and not an estimate."""
        return self.left is not None and self.left.is_planned

    @property
    def most_gained(self) -> Fraction:
        """The most points that can still be added."""
        return self.bounds.most - Fraction(self.total) if self.bounds else Fraction(0)


def season_goal(lines: Sequence[Standing], now: datetime) -> SeasonGoal | None:
    """Find the goal in the newest season that is not over; `lines` are those of a player, read by `standings_of`."""
    for line in lines:
        season = line.season
        if season.is_closed or not season.holds(now.astimezone(season.club.tz).date()):
            continue
        left = left_of(season, now)
        if left and not left.n:
            continue
        if version := _version(season):
            return remembered(
                ("season", line.player_id, season.pk, left, version), partial(_season_goal, line, left)
            )
    return None


def places_left(season: Season, left: Left | None) -> dict[int, Bounds]:
    """Bound the places of every player of a season; empty where a place does not bound the points.

    All pages that say who can still get where ask this. The season was read with its pool's recomputation.
    """
    version = _version(season)
    if version is None:
        return {}
    return remembered(("places", season.pk, left, version), partial(_places_left, season, left))


def _version(season: Season) -> tuple[Hashable, ...] | None:
    """Name the version of the results, rules and ratings of a season; None before they are computed."""
    state = getattr(season.pool, "recomputation", None)
    return (season.pool.data_version, state.rated_version, state.rated_at) if state else None


def _places_left(season: Season, left: Left | None) -> dict[int, Bounds]:
    if Entry.objects.filter(event__season=season)[MOST_ENTRIES:].exists():
        return {}
    return _bounds(season, read_season(season), left)


def _bounds(season: Season, read: SeasonInput, left: Left | None) -> dict[int, Bounds]:
    """Bound all places if each event to come is as large, and its win as good, as any of the season so far."""
    if not _usual_sizes(read) or not rules_of(season).points_structure.follows_places:
        return {}
    so_far = _so_far(read)
    sizes = Counter(so_far.results.event_index.tolist())
    by_place = _points_of(season, read, [max(sizes.values())])[max(sizes.values())]
    won = max([by_place[0], Fraction(int(so_far.results.points.max()), so_far.results.unit)])
    return bounds(so_far, [[won, *by_place[1:]]] * (left.n if left else 1))


def _points_of(season: Season, read: SeasonInput, sizes: Sequence[int]) -> dict[int, list[Fraction]]:
    structure = rules_of(season).points_structure
    facts = terms_of(Event.objects.select_related("terms").get(pk=read.events[-1].pk)).facts
    return {size: structure.points(size, facts=facts) for size in sizes}


def _season_goal(own: Standing, left: Left | None) -> SeasonGoal:
    season = own.season
    goal = _beside_the_next(own, left)
    found = places_left(season, left)
    if own.player_id not in found:
        return goal
    read = read_season(season)
    sizes, so_far = _usual_sizes(read), _so_far(read)
    points = _points_of(season, read, sizes)
    is_exact = read.rules.best_n_per_month is None and len(read.names) * max(sizes) <= MOST_OPTIONS
    return replace(
        goal,
        by_size=tuple(prospects(own.player_id, so_far, points[size]) for size in sizes) if is_exact else (),
        bounds=found[own.player_id],
    )


def _beside_the_next(own: Standing, left: Left | None) -> SeasonGoal:
    better = Standing.objects.filter(season=own.season_id, points_rank__lt=own.points_rank)
    nearest = better.order_by("-points_rank").values("points_rank")[:1]
    rows = better.filter(points_rank=nearest).order_by("points_position")[:MOST_NAMED]
    ahead = list(rows.values_list("points_rank", "total", "player__name"))
    return SeasonGoal(
        season=own.season.name,
        rank=own.points_rank or 0,
        total=own.total,
        ahead=tuple(name for _rank, _total, name in ahead),
        rank_ahead=ahead[0][0] if ahead else None,
        gap=ahead[0][1] - own.total if ahead else Decimal(0),
        left=left,
        n_players=own.season.summary.n_players,
    )


def _usual_sizes(read: SeasonInput) -> list[int]:
    """List how many players came to the last events; nothing if a day has more than one, as nights at tables have."""
    last = [i for i, event in enumerate(read.events) if event.is_of_season_pool][-N_EVENTS:]
    shown = [read.events[i] for i in last]
    if any(event.meet_id for event in shown) or len({event.starts_at.date() for event in shown}) < len(shown):
        return []
    came = Counter(read.entries.event_index[read.entries.is_last].tolist())
    frequent = Counter(came[i] for i in last if came[i] > 1)
    return sorted(size for size, _n in frequent.most_common(MOST_SIZES))


def _so_far(read: SeasonInput) -> SeasonSoFar:
    settled = read.entries.where(read.entries.denominator > 0)
    events = [event.counts_as for event in read.events]
    return SeasonSoFar(results_of(settled), read.rules, events, read.brought_forward, read.sort_keys)
