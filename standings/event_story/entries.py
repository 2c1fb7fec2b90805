"""The entries of an event with their points and rates, in a constant number of queries."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from decimal import Decimal
from functools import cached_property
from statistics import fmean
from typing import TYPE_CHECKING, NamedTuple

from django.db.models import Count, F, Q

from league.models import Change, Entry, Event, PoolKind
from league.stored_results import late_arrival
from payouts.services.bonuses import Bonus
from ratings.models import RatedEntry, RatedGame
from reading.finishing_order.times import LATEST_ARRIVAL
from standings.decimals import POINTS, decimal_of, places_of

if TYPE_CHECKING:
    from payouts.models import EntryBonus, EntryPoints

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
    expected: float | None  # place among players
    better: float | None  # by so many places than expected
    score: Decimal | None
    balance: Decimal | None
    chips: int | None
    penalty: Decimal | None
    arrived_at: datetime | None  # if late
    cost: str
    bonus: Bonus | None  # in the points


class RatedRow(NamedTuple):
    """The rates before and after an entry or a game, and the place among players beside the expected one."""

    player_id: int
    name: str
    number: int
    place: int
    expected: float
    before: float
    after: float
    badge: str
    is_provisional: bool
    n_before: int

    @property
    def is_first_event(self) -> bool:
        return self.n_before < self.number


@dataclass(frozen=True)
class EventPage:
    """A page of an event's entries, and facts about all of them."""

    rows: list[EventRow]
    number: int
    n_pages: int
    n_players: int
    n_entries: int
    winners: list[str]  # on the first page
    has_times: bool
    has_knockouts: bool
    has_arrivals: bool
    has_costs: bool
    has_scores: bool
    mean_rate: float | None  # of the players before the event; None if unknown
    is_waiting: bool  # until points and rates of this result are computed
    rated: list[RatedRow]

    @cached_property
    def balances_differ(self) -> bool:
        """Tell whether balances say more than the points."""
        return any(row.balance is not None and row.balance != row.points for row in self.rows)

    @cached_property
    def places_of_points(self) -> int:
        return places_of(row.points for row in self.rows)

    @cached_property
    def has_badges(self) -> bool:
        return any(row.badge for row in self.rows)

    @cached_property
    def has_newcomers(self) -> bool:
        """Tell whether some played for the first time, but not all: that would not be worth a word in each row."""
        return len({row.is_first_event for row in self.rated}) > 1


def event_page(event: Event, *, page: int) -> EventPage:
    """Read a page of an event's entries; `event` was read with its pool."""
    entries = (
        Entry.objects.filter(event=event).select_related("player", "points", "bonus").order_by("place", "pk")
    )
    late = (event.starts_at + MINUTE, event.starts_at + LATEST_ARRIVAL)
    counts = Entry.objects.filter(event=event).aggregate(
        n_entries=Count("pk"),
        n_players=Count("pk", filter=Q(is_last=True)),
        n_times=Count("busted_at"),
        n_knockouts=Count("knockouts"),
        n_arrivals=Count("pk", filter=Q(registered_at__range=late)),
        n_costs=Count("cost"),
        n_scores=Count("score"),
    )
    n_pages = max(1, -(-counts["n_entries"] // ENTRIES_PER_PAGE))
    number = min(max(page, 1), n_pages)
    is_waiting = waits_for_rates(event)
    page_entries = list(entries[(number - 1) * ENTRIES_PER_PAGE : number * ENTRIES_PER_PAGE])
    rated = [] if is_waiting else rated_rows(event)
    by_entry = {(row.player_id, row.number): row for row in rated}
    before = [row.before for row in rated if row.number == 1]
    winners = [entry for entry in page_entries if entry.place == 1] if number == 1 else []
    return EventPage(
        rows=[
            _event_row(entry, event, by_entry.get((entry.player_id, entry.number)), is_waiting)
            for entry in page_entries
        ],
        number=number,
        n_pages=n_pages,
        n_players=counts["n_players"],
        n_entries=counts["n_entries"],
        winners=[entry.player.name for entry in winners],
        has_times=counts["n_times"] > 0,
        has_knockouts=counts["n_knockouts"] > 0,
        has_arrivals=counts["n_arrivals"] > 0,
        has_costs=counts["n_costs"] > 0,
        has_scores=counts["n_scores"] > 0,
        mean_rate=fmean(before) if before else None,
        is_waiting=is_waiting,
        rated=rated,
    )


def waits_for_rates(event: Event) -> bool:
    """Tell whether the stored points and rates are of an earlier result, and not to be shown."""
    is_newer = Q(pool__recomputation=None) | Q(version__gt=F("pool__recomputation__rated_version"))
    return Change.objects.filter(is_newer, event=event).exists()


def rated_rows(event: Event) -> list[RatedRow]:
    """Read the rates of everybody at an event; of several entries of a player the first one first."""
    conditions = {"pool": event.pool_id, "event": event}
    if event.pool.kind == PoolKind.NONE:
        return []
    if event.pool.kind == PoolKind.PROFIT:
        games = RatedGame.objects.filter(**conditions).order_by("place", "player_id")
        rows = games.values_list(
            "player_id",
            "player__name",
            "place",
            "expected_place",
            "r_before",
            "r_after",
            "badge",
            "is_provisional",
            "n_before",
        )
        # Rounded as in the explanation, where changes have a decimal too.
        return [
            RatedRow(
                player, name, 1, place, expected, round(before, 1), round(after, 1), badge, is_provisional, n
            )
            for player, name, place, expected, before, after, badge, is_provisional, n in rows
        ]
    entries = RatedEntry.objects.filter(**conditions).order_by("player_id", "number")
    return [
        RatedRow(*row)
        for row in entries.values_list(
            "player_id", "player__name", "number", "field_place", "expected_place", "prior_rate", "posterior_rate",
            "badge", "is_provisional", "n_before",
        )
    ]  # fmt: skip


def _event_row(entry: Entry, event: Event, rates: RatedRow | None, is_waiting: bool) -> EventRow:
    points: EntryPoints | None = None if is_waiting else getattr(entry, "points", None)
    bonus: EntryBonus | None = getattr(entry, "bonus", None)
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
        expected=rates.expected if rates and entry.is_last else None,
        better=rates.expected - rates.place if rates and entry.is_last else None,
        score=entry.score,
        balance=entry.balance,
        chips=entry.chips,
        penalty=entry.penalty,
        arrived_at=late_arrival(entry, event),
        cost="" if entry.cost is None else f"{entry.cost.normalize():f}",
        bonus=None if bonus is None else Bonus(bonus.points, bonus.reason),
    )
