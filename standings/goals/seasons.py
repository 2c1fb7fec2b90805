"""What a better place in the season takes: who is ahead, and what the events to come can still change."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal
from fractions import Fraction
from functools import partial

from league.models import Entry, Event
from league.queries import remaining_events
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
    n_left: int | None  # None if nobody has said how many events there will be
    n_players: int
    by_size: tuple[Prospects, ...] = ()
    bounds: Bounds | None = None

    @property
    def most_gained(self) -> Fraction:
        """The most points that can still be added."""
        return self.bounds.most - Fraction(self.total) if self.bounds else Fraction(0)


def season_goal(lines: Sequence[Standing], now: datetime) -> SeasonGoal | None:
    """Find the goal in the newest season that is not over; `lines` are those of a player, read by `standings_of`."""
    for line in lines:
        season = line.season
        state = getattr(season.pool, "recomputation", None)
        if season.is_closed or not season.holds(now.astimezone(season.club.tz).date()) or state is None:
            continue
        # Annotated, because in most seasons nobody has said which event is the last.
        n_left = remaining_events(season, now) if getattr(line, "is_end_planned", True) else None
        if n_left == 0:
            continue
        version = (season.pool.data_version, state.rated_version, state.rated_at)
        return remembered(
            ("season", line.player_id, season.pk, n_left, version), partial(_season_goal, line, n_left)
        )
    return None


def _season_goal(own: Standing, n_left: int | None) -> SeasonGoal:
    season = own.season
    goal = _beside_the_next(own, n_left)
    if Entry.objects.filter(event__season=season)[MOST_ENTRIES:].exists():
        return goal
    read = read_season(season)
    sizes = _usual_sizes(read)
    structure = rules_of(season).points_structure
    if not sizes or not structure.follows_places:
        return goal
    facts = terms_of(Event.objects.select_related("terms").get(pk=read.events[-1].pk)).facts
    points = {size: structure.points(size, facts=facts) for size in sizes}
    so_far = _so_far(read)
    is_exact = read.rules.best_n_per_month is None and len(read.names) * max(sizes) <= MOST_OPTIONS
    return replace(
        goal,
        by_size=tuple(prospects(own.player_id, so_far, points[size]) for size in sizes) if is_exact else (),
        bounds=bounds(own.player_id, so_far, [points[max(sizes)]] * (n_left or 1)),
    )


def _beside_the_next(own: Standing, n_left: int | None) -> SeasonGoal:
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
        n_left=n_left,
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
