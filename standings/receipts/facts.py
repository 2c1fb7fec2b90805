"""Read what a night meant for one player: place and expectation, change of rate, badge, season, rivals."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.db.models import F

from league.models import Entry, Event, Meet, Player, PoolKind, Season
from ratings.models import RatedEntry, RatedGame
from standings.decimals import POINTS, decimal_of
from standings.goals.badges import BadgeGoal, badge_goal
from standings.models import Standing
from standings.points.meets import meet_standings
from standings.queries import pool_work_state
from standings.receipts.milestones import Milestones, milestones_of

NEAREST = 3  # rivals that are named on each side
MOST_CELLS = 20  # places that are drawn one by one


@dataclass(frozen=True)
class Field:
    """The others of an event by their rates before it, against the player's place and rate."""

    n_ahead_below: int  # finished ahead, though rated below
    n_behind_above: int  # finished behind, though rated above


@dataclass(frozen=True)
class Rival:
    """Somebody near in the season: points ahead are positive."""

    player_id: int
    name: str
    ahead: Decimal


@dataclass(frozen=True)
class SeasonPart:
    """Tell where the season stands: rank, places moved, who was passed or passed, and who is next."""

    season: Season
    rank: int | None
    moved: int
    total: Decimal
    passed_by: tuple[str, ...]
    passed: tuple[str, ...]
    ahead: Rival | None
    behind: Rival | None


@dataclass(frozen=True)
class Receipt:
    """A night of a player.

    `places` are those of each game of the night in order, one of an event of its own; `expected` is the mean place that
    the ratings expected, None where nothing was rated. `before` and `after` are rates.
    """

    player: Player
    event: Event  # the last one of the night
    address: str
    n_players: int
    places: tuple[int, ...]
    place: int
    points: Decimal | None
    expected: float | None
    before: float | None
    after: float | None
    badge_before: str
    badge: str
    field: Field | None
    goal: BadgeGoal | None
    in_season: SeasonPart | None
    milestones: Milestones

    @property
    def is_r(self) -> bool:
        return self.event.pool.kind == PoolKind.PROFIT

    @property
    def change(self) -> float | None:
        if self.before is None or self.after is None:
            return None
        return self.after - self.before

    @property
    def mean_place(self) -> float:
        return sum(self.places) / len(self.places)

    @property
    def has_strip(self) -> bool:
        """Tell whether the places are few enough to draw each one."""
        return len(self.places) == 1 and self.n_players <= MOST_CELLS


def receipt_of(player: Player, event: Event, *, alone: bool = False) -> Receipt | None:
    """Read the receipt of an event alone, or of the night it belongs to; None if the player was not there.

    The event was read with season, pool, its recomputation and meet. Nothing is told while its results are newer than
    what was computed from them.
    """
    if pool_work_state(event.pool).is_behind:
        return None
    events = [event] if alone else _events_of(event)
    entries = Entry.objects.filter(event__in=events, is_last=True).select_related("points")
    own = {entry.event_id: entry for entry in entries.filter(player=player)}
    if not own:
        return None
    rated = _rated(event, events, player)
    rates = [row for of_event in rated.values() for row in of_event if row.player_id == player.pk]
    ordered = [own[each.pk] for each in events if each.pk in own]
    is_night = len(events) > 1
    first, last = (rates[0], rates[-1]) if rates else (None, None)
    return Receipt(
        player=player,
        event=event,
        address=event.meet.get_absolute_url() if event.meet else event.get_absolute_url(),
        n_players=len({*entries.values_list("player_id", flat=True)}),
        places=tuple(entry.place for entry in ordered),
        place=_place_of_night(event.meet, player) if is_night and event.meet else ordered[0].place,
        points=_points_of(ordered),
        expected=sum(row.expected_place for row in rates) / len(rates) if rates else None,
        before=_before(first) if first else None,
        after=_after(last) if last else None,
        badge_before=_badge_before(event, player, first),
        badge="" if last is None or last.is_provisional else last.badge,
        field=None if is_night or first is None else _field(rated[event.pk], player, ordered[0].place),
        goal=badge_goal(player, event.pool),
        in_season=_in_season(player, event.season) if _is_last(event) else None,
        milestones=milestones_of(player, event),
    )


def _events_of(event: Event) -> list[Event]:
    if event.meet is None:
        return [event]
    return list(Event.objects.filter(meet=event.meet).order_by("starts_at", "round", "table", "pk"))


def _rated(event: Event, events: Sequence[Event], player: Player) -> dict[int, list[Any]]:
    """Read the rated rows of an event, of a night those of the player alone; the first entry of each comes first."""
    model = RatedGame if event.pool.kind == PoolKind.PROFIT else RatedEntry
    rows = model._default_manager.filter(pool=event.pool_id, event__in=[each.pk for each in events])
    if len(events) > 1:
        rows = rows.filter(player=player)
    found: dict[int, list[Any]] = {each.pk: [] for each in events}
    for row in rows.order_by("starts_at", "pk"):
        found[row.event_id].append(row)
    return found


def _before(row: Any) -> float:
    return float(row.r_before if isinstance(row, RatedGame) else row.prior_rate)


def _after(row: Any) -> float:
    return float(row.r_after if isinstance(row, RatedGame) else row.posterior_rate)


def _place_of(row: Any) -> int:
    return int(row.place if isinstance(row, RatedGame) else row.field_place)


def _field(rows: Sequence[Any], player: Player, place: int) -> Field:
    """Count whose order surprised: the first entry of each player has the rate before the event."""
    first = {row.player_id: row for row in reversed(rows)}
    last = {row.player_id: _place_of(row) for row in rows}
    own = _before(first[player.pk])
    others = [(last[pk], _before(row)) for pk, row in first.items() if pk != player.pk]
    return Field(
        sum(other < place and rate < own for other, rate in others),
        sum(other > place and rate > own for other, rate in others),
    )


def _badge_before(event: Event, player: Player, first: Any) -> str:
    """Find the badge after the event before; empty in placement and where there is none."""
    if first is None:
        return ""
    model = type(first)
    rows = model._default_manager.filter(pool=event.pool_id, player=player, starts_at__lt=first.starts_at)
    row = rows.order_by("-starts_at", "-pk").first()
    return "" if row is None or row.is_provisional else row.badge


def _place_of_night(meet: Meet, player: Player) -> int:
    lines = meet_standings(meet).lines
    return next((line.place for line in lines if line.player_id == player.pk), len(lines))


def _points_of(entries: Sequence[Entry]) -> Decimal | None:
    found = [getattr(entry, "points", None) for entry in entries]
    if not all(found):
        return None
    return decimal_of(sum((each.points for each in found if each), Fraction(0)), POINTS)


def _is_last(event: Event) -> bool:
    """Tell whether the standings are those after this event or night: it is the last of the season."""
    later = Event.objects.filter(season=event.season_id, starts_at__gt=event.starts_at)
    return not (later.exclude(meet=event.meet_id) if event.meet_id else later).exists()


def _in_season(player: Player, season: Season) -> SeasonPart | None:
    own = Standing.objects.filter(season=season, player=player).first()
    if own is None:
        return None
    rows = Standing.objects.filter(season=season).exclude(player=player).select_related("player")
    rank, moved = own.points_rank, own.points_moved or 0
    was = (rank or 0) + moved
    before = F("points_rank") + F("points_moved")
    by: list[str] = []
    of: list[str] = []
    if rank and moved:
        ranked = rows.filter(points_moved__isnull=False).annotate(before=before).order_by("points_position")
        names = ranked.values_list("player__name", flat=True)
        by = list(names.filter(points_rank__lt=rank, before__gt=was)[:NEAREST])
        of = list(names.filter(points_rank__gt=rank, before__lt=was)[:NEAREST])
    ahead = rows.filter(points_position__lt=own.points_position).order_by("-points_position").first()
    behind = rows.filter(points_position__gt=own.points_position).order_by("points_position").first()
    return SeasonPart(
        season=season,
        rank=rank,
        moved=moved,
        total=own.total,
        ahead=_rival(ahead, own),
        behind=_rival(behind, own),
        passed_by=tuple(by),
        passed=tuple(of),
    )


def _rival(row: Standing | None, own: Standing) -> Rival | None:
    return Rival(row.player_id, row.player.name, row.total - own.total) if row else None
