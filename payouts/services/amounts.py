"""Record the money of an event from what the list of its result said; money that is recorded already stays as it is."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from typing import Any

from django.contrib.auth.models import User

from league.models import Entry, Event
from league.services.errors import Refused
from payouts.engine.exact import exact_decimal
from payouts.error_messages import field_and_message
from payouts.models import EventMoney, PayoutKind
from payouts.queries import money_entries
from payouts.services.money import set_event_money
from reading.amounts import Amounts
from reading.names.keys import name_key
from reading.results import EntryInput

ZERO = Decimal(0)


def record_amounts(event: Event, entries: Sequence[EntryInput], *, actor: User | None) -> None:
    """Record prices, counts and prizes; raise Refused if the amounts are too large."""
    said = {(name_key(entry.name), entry.number): entry.amounts for entry in entries if entry.amounts}
    lines = [
        _Line(entry, said.get((entry.player.key, entry.number)) or Amounts())
        for entry in money_entries(event)
    ]
    prices = _prices(lines)
    rows = {line.entry.pk: _row(line, prices) for line in lines}
    record_money(event, prices=prices, percent=(), guarantee=None, rows=rows, actor=actor)


def record_money(
    event: Event,
    *,
    prices: Mapping[str, Decimal],
    percent: Sequence[int],
    guarantee: Decimal | None,
    rows: Mapping[int, Mapping[str, Any]],
    actor: User | None,
) -> None:
    """Record the money of an event unless it is recorded already: by shares of the pool, or else the prizes of `rows`.

    `rows` are rebuys, add-ons and prize of each entry. Raise Refused if the amounts are too large.
    """
    if EventMoney.objects.filter(event=event).exists():
        return
    won = ZERO if percent else sum((row["prize"] for row in rows.values()), ZERO)
    money: dict[str, Any] = {
        **prices,
        "guarantee": guarantee,
        "stated_pool": won or None,
        "payout_kind": PayoutKind.AGREED if won else PayoutKind.PERCENTAGES,
        "payouts": [str(each) for each in percent],
        "round_to": Decimal(1),
    }
    unpaid = {pk: {"given": None, "paid": None, **row} for pk, row in rows.items()}
    try:
        set_event_money(event, money=money, rows=unpaid, version=0, result_version=event.version, actor=actor)
    except ValueError as error:
        raise Refused(field_and_message(error)[1]) from error


@dataclass(frozen=True)
class _Line:
    """An entry with what the list says of its money."""

    entry: Entry
    said: Amounts

    @property
    def is_plain(self) -> bool:
        return not (self.said.chip_rebuys or self.said.add_ons)

    @property
    def is_winner(self) -> bool:
        return self.entry.place == 1


def _prices(lines: Sequence[_Line]) -> dict[str, Decimal]:
    """Infer the prices of an entry, a rebuy and an add-on from the amounts in the result."""
    fee = _usual(line.said.fee for line in lines)
    costs = [line.entry.cost for line in lines if line.entry.cost and line.is_plain]
    buy_in = _usual(line.said.buy_in for line in lines) or min(costs, default=ZERO)
    rebuy = _usual(
        _each(line.entry.cost - buy_in, line.said.chip_rebuys)
        for line in lines
        if line.entry.cost and line.said.chip_rebuys and not line.said.add_ons
    )
    if not rebuy and any(line.said.chip_rebuys for line in lines):
        rebuy = buy_in
    add_on = _usual(
        _each(line.entry.cost - buy_in - (line.said.chip_rebuys or 0) * rebuy, line.said.add_ons)
        for line in lines
        if line.entry.cost and line.said.add_ons
    )
    prices = {"buy_in": buy_in, "fee": fee, "rebuy": rebuy, "add_on": add_on, "bounty": _bounty(lines)}
    return {name: price if price > 0 else ZERO for name, price in prices.items()}


def _each(amount: Decimal, n: int | None) -> Decimal | None:
    """Compute the price of one item from a total; None if it has more than three decimals."""
    price = Fraction(amount) / (n or 1)
    return exact_decimal(price) if (price * 1000).denominator == 1 else None


def _usual(values: Iterable[Decimal | None]) -> Decimal:
    """Find the most frequent value; 0 without any."""
    counts = Counter(value for value in values if value is not None)
    return counts.most_common(1)[0][0] if counts else ZERO


def _bounty(lines: Sequence[_Line]) -> Decimal:
    """Find the bounty that explains all knock-out winnings, the winner's own included; 0 without one."""
    won = [(line.said.bounties or ZERO, (line.entry.knockouts or 0) + line.is_winner) for line in lines]
    bounty = next((_each(amount, n) for amount, n in won if amount and n), None)
    if bounty is None or any(amount != bounty * n for amount, n in won):
        return ZERO
    return bounty


def _row(line: _Line, prices: Mapping[str, Decimal]) -> dict[str, Any]:
    """Write the money of an entry; bounties that follow from no price are part of the prize."""
    extra = ZERO if prices["bounty"] else line.said.bounties or ZERO
    return {
        "rebuys": line.said.chip_rebuys or 0,
        "add_ons": line.said.add_ons or 0,
        "prize": (line.said.prize or ZERO) + extra,
    }
