"""What an event changed: badges, personal bests, upsets, the lead. All of it is read from the stored rows."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple

from django.db.models import Count, Max, OuterRef, Q, Subquery

from league.database.bulk import as_one_parameter
from league.models import Entry, Event, PoolKind
from ratings.engine.profit.figures import badge_of
from ratings.engine.tier.badges import badge
from ratings.models import RatedEntry, RatedGame
from ratings.queries import badge_bounds_of, params_of, profit_params_of, settings_in_force
from standings.event_story.entries import EventPage
from standings.models import Standing

PODIUM = 3  # places
MOST_ON_PODIUM = 6  # players who share them
LEAST_GAP = 50.0  # of an upset, in rating points; closer ratings are alike
LEAST_EVENTS_OF_A_BEST = 5  # of fewer rated events the highest rate says little


class Rated(NamedTuple):
    """A player's ratings around the event. Badges are empty in placement, and where the pool gives none."""

    player_id: int
    name: str
    place: int
    expected: float
    before: float
    after: float
    badge_before: str
    badge: str
    is_placed: bool  # out of placement before the event

    @property
    def change(self) -> float:
        return self.after - self.before


class Upset(NamedTuple):
    """Two players of whom the lower rated one finished before the other."""

    better: Rated
    other: Rated

    @property
    def gap(self) -> float:
        return self.other.before - self.better.before


class Neighbour(NamedTuple):
    """The event before or after in the season."""

    event: Event
    winner: str  # empty if several share the win


@dataclass(frozen=True)
class Story:
    """What an event changed; `standings` are lines of the season if it is the season's last event."""

    rated: Sequence[Rated]
    bests: Sequence[Rated]
    upset: Upset | None
    n_wins: int
    standings: dict[int, Standing]
    before: Neighbour | None
    after: Neighbour | None

    @property
    def of_player(self) -> dict[int, Rated]:
        return {each.player_id: each for each in self.rated}

    @property
    def promoted(self) -> list[Rated]:
        """Players with a better badge than before, or their first one."""
        return [each for each in self.rated if each.badge and _is_better(each)]

    @property
    def demoted(self) -> list[Rated]:
        return [
            each
            for each in self.rated
            if each.badge and each.badge_before not in {"", each.badge} and not _is_better(each)
        ]

    @property
    def strength(self) -> list[tuple[str, int]]:
        """Count how many players had each badge before the event, the best badge first."""
        order: dict[str, int] = {}
        for each in sorted(self.rated, key=lambda each: -each.before):
            if each.badge_before:
                order[each.badge_before] = order.get(each.badge_before, 0) + 1
        return list(order.items())


def _is_better(each: Rated) -> bool:
    return not each.badge_before or (each.badge != each.badge_before and each.after > each.before)


def story_of(event: Event, page: EventPage) -> Story:
    """Read what an event changed, in a constant number of queries; `event` was read with season and pool."""
    rated = rated_players(event, page)
    before, after = _neighbours(event)
    is_last = after is None and event.meet is None and not page.is_waiting
    winners = [row.player_id for row in page.rows if row.place == 1] if page.winners else []
    return Story(
        rated=rated,
        bests=_bests(event, rated),
        upset=biggest_upset(rated),
        n_wins=_wins_so_far(event, winners[0]) if len(winners) == 1 else 0,
        standings=_standings(event, winners) if is_last else {},
        before=before,
        after=after,
    )


def rated_players(event: Event, page: EventPage) -> list[Rated]:
    """List the players in the order of their places; of several entries the last one has the place."""
    if not page.rated:
        return []
    settings = settings_in_force(event.pool_id)
    if event.pool.kind == PoolKind.PROFIT:
        bounds, least = badge_bounds_of(settings), profit_params_of(settings).provisional_games
        return _rated(page, lambda rate: badge_of(rate, bounds) if bounds else "", least)
    params = params_of(settings)
    return _rated(page, lambda rate: badge(rate, params), params.provisional_entries)


def _rated(page: EventPage, badge_at: Callable[[float], str], n_provisional: int) -> list[Rated]:
    found = []
    for player_id, entries in groupby(sorted(page.rated), key=lambda row: row.player_id):
        first, *others = entries
        last = others[-1] if others else first
        is_placed = first.n_before >= n_provisional
        found.append(
            Rated(
                player_id,
                first.name,
                last.place,
                last.expected,
                before=first.before,
                after=last.after,
                badge_before=badge_at(first.before) if is_placed else "",
                badge="" if last.is_provisional else last.badge,
                is_placed=is_placed,
            )
        )
    return sorted(found, key=lambda each: (each.place, each.player_id))


def biggest_upset(rated: Sequence[Rated]) -> Upset | None:
    """Find the player who finished before one rated most above; None if nobody was rated clearly above.

    Players in placement are left out.
    """
    placed = [each for each in rated if each.is_placed]
    best, lowest = None, None
    for _place, tied in groupby(placed, key=lambda each: each.place):
        group = list(tied)
        for other in group:
            if lowest and other.before > lowest.before:
                found = Upset(lowest, other)
                best = found if best is None or found.gap > best.gap else best
        lowest = min([*group, *filter(None, [lowest])], key=lambda each: each.before)
    return best if best and best.gap >= LEAST_GAP else None


def _bests(event: Event, rated: Sequence[Rated]) -> list[Rated]:
    """List the players whose rate is a new personal best, among those with enough rated events."""
    model, rate = (
        (RatedGame, "r_after") if event.pool.kind == PoolKind.PROFIT else (RatedEntry, "posterior_rate")
    )
    if not rated:
        return []
    rows = model._default_manager.filter(
        pool=event.pool_id,
        player__in=as_one_parameter(each.player_id for each in rated),
        starts_at__lt=event.starts_at,
        is_provisional=False,
    )
    highest = {
        player_id: best
        for player_id, best, n in rows.values_list("player_id").annotate(
            Max(rate), Count("event", distinct=True)
        )
        if n >= LEAST_EVENTS_OF_A_BEST
    }
    return [each for each in rated if each.player_id in highest and each.after > highest[each.player_id]]


def _neighbours(event: Event) -> tuple[Neighbour | None, Neighbour | None]:
    """Read the events before and after in the season, each with the name of its winner."""
    first = Entry.objects.filter(event=OuterRef("pk"), place=1).order_by("pk")
    events = event.season.events.annotate(
        winner=Subquery(first.values("player__name")[:1]), second_winner=Subquery(first.values("pk")[1:2])
    )
    same = Q(starts_at=event.starts_at)
    earlier = events.filter(Q(starts_at__lt=event.starts_at) | same & Q(pk__lt=event.pk))
    later = events.filter(Q(starts_at__gt=event.starts_at) | same & Q(pk__gt=event.pk))
    return (
        _neighbour(earlier.order_by("-starts_at", "-pk").first(), event),
        _neighbour(later.order_by("starts_at", "pk").first(), event),
    )


def _neighbour(found: Any, event: Event) -> Neighbour | None:
    if found is None:
        return None
    found.season = event.season
    return Neighbour(found, "" if found.second_winner else found.winner or "")


def _wins_so_far(event: Event, player_id: int) -> int:
    """Count a player's wins in the season up to the event, with it."""
    until = Q(event__starts_at__lt=event.starts_at) | Q(
        event__starts_at=event.starts_at, event__pk__lte=event.pk
    )
    return Entry.objects.filter(until, event__season=event.season_id, place=1, player=player_id).count()


def _standings(event: Event, winners: Sequence[int]) -> dict[int, Standing]:
    rows = Standing.objects.filter(season=event.season_id, player__in=winners)
    return {row.player_id: row for row in rows}
