"""The entries of an event with their points and rates, in a constant number of queries."""

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, F, Q

from league.finishing_order.times import LATEST_ARRIVAL
from league.models import Change, Entry, Event, PoolKind
from league.results import late_arrival
from ratings.models import RatedEntry, RatedGame
from standings.decimals import POINTS, decimal_of, places_of

if TYPE_CHECKING:
    from payouts.models import EntryPoints

ENTRIES_PER_PAGE = 300
MINUTE = timedelta(minutes=1)


class EventRow(NamedTuple):
    """An entry on the page of its event. Rates are None until they are computed."""

    place: int
    player_id: int
    name: str
    number: int
    is_last: bool
    busted_at: datetime | None
    knockouts: int | None
    points: Decimal | None
    change: float | None
    rate: float | None
    badge: str
    is_provisional: bool
    is_first_event: bool
    score: Decimal | None
    balance: Decimal | None
    chips: int | None
    penalty: Decimal | None
    arrived_at: datetime | None  # if late
    cost: str


@dataclass(frozen=True)
class EventPage:
    """A page of an event's entries, and facts about all of them."""

    rows: list[EventRow]
    number: int
    n_pages: int
    n_players: int
    n_entries: int
    winners: list[str]
    has_times: bool
    has_knockouts: bool
    has_arrivals: bool
    has_costs: bool
    has_scores: bool
    has_balances: bool
    mean_rate: float | None  # of the players before the event; None if unknown or not all are on this page

    @property
    def places_of_points(self) -> int:
        return places_of(row.points for row in self.rows)

    @property
    def has_badges(self) -> bool:
        return any(row.badge for row in self.rows)


def event_page(event: Event, *, page: int) -> EventPage:
    """A page of the entries of an event, which was read with its pool."""
    entries = Entry.objects.filter(event=event).select_related("player", "points").order_by("place", "pk")
    late = (event.starts_at + MINUTE, event.starts_at + LATEST_ARRIVAL)
    counts = Entry.objects.filter(event=event).aggregate(
        n_entries=Count("pk"),
        n_players=Count("pk", filter=Q(is_last=True)),
        n_times=Count("busted_at"),
        n_knockouts=Count("knockouts"),
        n_arrivals=Count("pk", filter=Q(registered_at__range=late)),
        n_costs=Count("cost"),
        n_scores=Count("score"),
        n_balances=Count("balance"),
    )
    n_pages = max(1, -(-counts["n_entries"] // ENTRIES_PER_PAGE))
    number = min(max(page, 1), n_pages)
    # A corrected result shows no points and rates until they are computed: the stored ones are of the old result.
    is_waiting = Change.objects.filter(
        event=event, version__gt=F("pool__recomputation__rated_version")
    ).exists()
    page_entries = list(entries[(number - 1) * ENTRIES_PER_PAGE : number * ENTRIES_PER_PAGE])
    rated = {} if is_waiting else _rates(event, [entry.player_id for entry in page_entries])
    before = [rates.before for (_player_id, number), rates in rated.items() if number == 1]
    return EventPage(
        rows=[
            _event_row(entry, event, rated.get((entry.player_id, entry.number)), is_waiting)
            for entry in page_entries
        ],
        number=number,
        n_pages=n_pages,
        n_players=counts["n_players"],
        n_entries=counts["n_entries"],
        winners=list(entries.filter(place=1).values_list("player__name", flat=True)),
        has_times=counts["n_times"] > 0,
        has_knockouts=counts["n_knockouts"] > 0,
        has_arrivals=counts["n_arrivals"] > 0,
        has_costs=counts["n_costs"] > 0,
        has_scores=counts["n_scores"] > 0,
        has_balances=counts["n_balances"] > 0,
        mean_rate=fmean(before) if before and n_pages == 1 else None,
    )


class _Rates(NamedTuple):
    """The rates before and after an entry or a game."""

    before: float
    after: float
    badge: str
    is_provisional: bool
    is_first_event: bool


def _rates(event: Event, player_ids: Collection[int]) -> dict[tuple[int, int], _Rates]:
    """The rates of some players at an event, by player and number of the entry."""
    conditions = {"pool": event.pool_id, "event": event, "player__in": player_ids}
    if event.pool.kind == PoolKind.PROFIT:
        return {
            # Rounded as in the explanation, where changes have a decimal too.
            (row.player_id, 1): _Rates(
                round(row.r_before, 1),
                round(row.r_after, 1),
                row.badge,
                row.is_provisional,
                row.n_before == 0,
            )
            for row in RatedGame.objects.filter(**conditions)
        }
    return {
        (row.player_id, row.number): _Rates(
            row.prior_rate, row.posterior_rate, row.badge, row.is_provisional, row.n_before < row.number
        )
        for row in RatedEntry.objects.filter(**conditions)
    }


def _event_row(entry: Entry, event: Event, rates: _Rates | None, is_waiting: bool) -> EventRow:
    points: EntryPoints | None = None if is_waiting else getattr(entry, "points", None)
    return EventRow(
        place=entry.place,
        player_id=entry.player_id,
        name=entry.player.name,
        number=entry.number,
        is_last=entry.is_last,
        busted_at=entry.busted_at,
        knockouts=entry.knockouts,
        points=decimal_of(points.points, POINTS) if points else None,
        change=rates.after - rates.before if rates else None,
        rate=rates.after if rates else None,
        badge=rates.badge if rates else "",
        is_provisional=rates is not None and rates.is_provisional,
        is_first_event=rates is not None and rates.is_first_event,
        score=entry.score,
        balance=entry.balance,
        chips=entry.chips,
        penalty=entry.penalty,
        arrived_at=late_arrival(entry, event),
        cost="" if entry.cost is None else f"{entry.cost.normalize():f}",
    )
