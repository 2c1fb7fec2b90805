"""Changes of the money of an event and of a club."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.contrib.auth.models import User
from django.db import transaction

from league.models import Change, Club, Entry, Event
from league.services.changes import lock_pool, lock_pools, record_change
from league.services.errors import Stale
from payouts.engine.exact import exact_decimal
from payouts.engine.money import (
    Prices,
    PrizePool,
    Purse,
    Till,
    amount_payouts,
    percentage_payouts,
    prize_pool,
    require_pool,
    shared_prizes,
)
from payouts.models import PRICES, ClubMoney, EntryMoney, EventMoney, PayoutKind
from payouts.queries import club_money, event_money, money_entries
from payouts.services.rules import require_open

ZERO = Fraction(0)
MONEY_FIELDS = (
    *PRICES, "stated_pool", "guarantee", "payout_kind", "payouts", "round_to",
)  # fmt: skip
ENTRY_FIELDS = ("rebuys", "add_ons", "prize", "given", "paid")
CLUB_FIELDS = ("currency", "decimals", "shows_net", "helpers_take")
PAYMENTS = ("given", "paid")


@dataclass(frozen=True)
class Settlement:
    """The prize pool of an event, what its places are paid, and the purses of its entries."""

    pool: PrizePool
    payouts: list[Fraction]
    purses: list[Purse]

    @property
    def prizes(self) -> list[Fraction]:
        return [purse.prize for purse in self.purses]

    @property
    def till(self) -> Till:
        return Till(self.purses)


def settle_money(
    money: EventMoney, entries: Sequence[Entry], rows: Sequence[EntryMoney], smallest: Fraction
) -> Settlement:
    """Compute the prizes of an event's entries; EngineError if they do not sum to the prize pool.

    All are 0 while no payouts have been typed.
    """
    pool = _prize_pool(money, rows)
    if money.payout_kind == PayoutKind.AGREED:
        prizes = [Fraction(row.prize) for row in rows]
        if any(prizes):
            require_pool(prizes, pool.amount, field="prizes")
        return Settlement(pool, [], _purses(money, entries, rows, prizes))
    payouts = _payouts(money, pool.amount, len(rows))
    prizes = shared_prizes([entry.place for entry in entries], payouts, smallest)
    return Settlement(pool, payouts, _purses(money, entries, rows, prizes))


def _payouts(money: EventMoney, pool: Fraction, n_entries: int) -> list[Fraction]:
    listed = [Fraction(text) for text in money.payouts]
    if not listed:
        return []
    if money.payout_kind == PayoutKind.PERCENTAGES:
        return percentage_payouts(pool, listed, n_entries, Fraction(money.round_to))
    return amount_payouts(pool, listed, n_entries)


def _purses(
    money: EventMoney, entries: Sequence[Entry], rows: Sequence[EntryMoney], prizes: Sequence[Fraction]
) -> list[Purse]:
    prices = money.prices
    return [
        purse_of(prices, entry, row, prize) for entry, row, prize in zip(entries, rows, prizes, strict=True)
    ]


def purse_of(prices: Prices, entry: Entry, row: EntryMoney, prize: Fraction = ZERO) -> Purse:
    """Build the purse of an entry: its cost, its winnings and recorded payments."""
    return Purse(
        prices.cost(row.rebuys, row.add_ons),
        prize,
        prices.bounties(entry.knockouts or 0, is_winner=entry.place == 1),
        *(None if (amount := getattr(row, name)) is None else Fraction(amount) for name in PAYMENTS),
    )


def _prize_pool(money: EventMoney, rows: Sequence[EntryMoney]) -> PrizePool:
    stated, guarantee = (
        None if value is None else Fraction(value) for value in (money.stated_pool, money.guarantee)
    )
    collected = sum((money.prices.stake(row.rebuys, row.add_ons) for row in rows), ZERO)
    return prize_pool(collected, stated=stated, guarantee=guarantee)


@transaction.atomic
def set_event_money(
    event: Event,
    *,
    money: Mapping[str, Any],
    rows: Mapping[int, Mapping[str, Any]],
    version: int,
    result_version: int,
    actor: User | None,
) -> EventMoney:
    """Save prices, prize pool and payouts of an event, and what is recorded of its entries, by id.

    Raise Stale if anything would change and `version` is outdated, or if the result has been corrected since
    `result_version`; EngineError if the prizes do not sum to the prize pool.
    """
    pool = lock_pool(event.season.pool_id)
    current = Event.objects.select_related("season__club", "money").filter(pk=event.pk).first()
    if current is None:
        raise Stale
    require_open(current.season)
    stored, entries = event_money(current), money_entries(current)
    if current.version != result_version or {entry.pk for entry in entries} != set(rows):
        raise Stale
    before = _summary(stored, [stored_row(entry) for entry in entries])
    chosen = EventMoney(pk=stored.pk, event=current, result_version=result_version, **money)
    chosen_rows = [EntryMoney(entry=entry, **rows[entry.pk]) for entry in entries]
    settlement = settle_money(chosen, entries, chosen_rows, club_money(current.season.club).smallest)
    for row, prize in zip(chosen_rows, settlement.prizes, strict=True):
        row.prize = exact_decimal(prize)
    after = _summary(chosen, chosen_rows)
    if before == after and stored.result_version == result_version:
        return stored
    if stored.version != version:
        raise Stale
    chosen.version = version + 1
    chosen.save()
    EntryMoney.objects.bulk_create(
        chosen_rows, update_conflicts=True, unique_fields=["entry"], update_fields=ENTRY_FIELDS
    )
    record_change(
        pool,
        kind=Change.Kind.MONEY_CHANGED,
        actor=actor,
        event=current,
        season=current.season,
        before=before,
        after=after,
    )
    return chosen


@transaction.atomic
def note_payment(
    entry: Entry, *, field: str, amount: Decimal | None, was: Decimal | None, actor: User | None
) -> None:
    """Record the amount given for an entry or paid out for it; None clears it.

    Raise Stale if neither `was` nor `amount` is what is stored, or if the event has no prices yet.
    """
    event = Event.objects.select_related("season__club", "money").get(pk=entry.event_id)
    pool = lock_pool(event.season.pool_id)
    require_open(event.season)
    money = EventMoney.objects.filter(event=event).first()
    rows = [stored_row(each) for each in money_entries(event)]
    row = next((row for row in rows if row.entry_id == entry.pk), None)
    if money is None or row is None:
        raise Stale
    if getattr(row, field) == amount:
        return
    if getattr(row, field) != was:
        raise Stale
    before = _summary(money, rows)
    setattr(row, field, amount)
    row.save()
    money.version += 1
    money.save(update_fields=["version"])
    record_change(
        pool,
        kind=Change.Kind.MONEY_CHANGED,
        actor=actor,
        event=event,
        season=event.season,
        before=before,
        after=_summary(money, rows),
    )


@transaction.atomic
def set_club_money(club: Club, *, money: Mapping[str, Any], actor: User | None) -> ClubMoney:
    """Change how a club writes money, and whether its pages show net money."""
    pools = lock_pools(club)
    stored = club_money(Club.objects.select_related("money").get(pk=club.pk))
    before = {name: getattr(stored, name) for name in CLUB_FIELDS}
    if before == dict(money):
        return stored
    stored, _created = ClubMoney.objects.update_or_create(club=club, defaults=dict(money))
    for pool in pools:
        record_change(pool, kind=Change.Kind.CLUB_CHANGED, actor=actor, before=before, after=dict(money))
    return stored


def stored_row(entry: Entry) -> EntryMoney:
    """Return the stored money of an entry, or a new unsaved row if none is recorded."""
    row: EntryMoney | None = getattr(entry, "money", None)
    return row or EntryMoney(entry=entry)


def _summary(money: EventMoney, rows: Sequence[EntryMoney]) -> dict[str, Any]:
    return {
        "money": {name: _plain(getattr(money, name)) for name in MONEY_FIELDS},
        "entries": [
            [row.entry.player.name, row.entry.number, *(_plain(getattr(row, name)) for name in ENTRY_FIELDS)]
            for row in rows
        ],
    }


def _plain(value: Any) -> Any:
    """Write an amount without trailing zeros, so that equal ones are equal texts."""
    return f"{value.normalize():f}" if isinstance(value, Decimal) else value
