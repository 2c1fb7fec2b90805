"""The money of a night that is over: prices, what each place is paid, and what each entry has won."""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from live.engine.bounties import FIXED, Ledger, ledger_of
from live.engine.prizes import Prizes, bounty_of, decimals_of, prizes_of, shares_of
from live.engine.state import Entry, Night
from payouts.engine.money import shared_prizes


@dataclass(frozen=True)
class EntryWinnings:
    """Rebuys and add-ons of an entry, and what it has won beside bounties that follow from their price."""

    n_rebuys: int
    n_addons: int
    won: Decimal


@dataclass(frozen=True)
class NightMoney:
    """The money of a night; `percent` are shares of the pool by place if they say all that entries win, else empty."""

    prices: Mapping[str, Decimal]
    percent: tuple[int, ...]
    guarantee: Decimal | None
    entries: Mapping[str, EntryWinnings]


def money_of(state: Night, places: Mapping[str, int]) -> NightMoney | None:
    """Work out the money of a night that is over; None where nobody paid or won anything.

    `places` are those of all entries, by id.
    """
    setup, prizes = state.setup, prizes_of(state)
    ledger = ledger_of(state, setup["bounty"]) if setup.get("bounty") else Ledger()
    shares = (state.deal or {}).get("money") or {}
    if prizes is None and not shares and not any(ledger.won.values()):
        return None
    is_priced = _is_priced(state, ledger, places)
    won = _won_by_deal(state, places) if shares else _won_by_place(prizes, places)
    for entry_id, bounties in ({} if is_priced else ledger.won).items():
        won[entry_id] = won.get(entry_id, 0) + bounties
    prices = _prices(setup, is_priced=is_priced)
    by_place = not shares and (is_priced or not ledger.won) and _collects(state, prices, prizes)
    guarantee = setup.get("guarantee") if by_place else None

    def amount(units: int) -> Decimal:
        return Decimal(units).scaleb(-decimals_of(setup))

    return NightMoney(
        {name: amount(price) for name, price in prices.items()},
        tuple(shares_of(setup, len(state.entries))) if by_place else (),
        None if guarantee is None else amount(guarantee),
        {
            entry.id: EntryWinnings(entry.n_rebuys, entry.n_addons, amount(won.get(entry.id, 0)))
            for entry in state.entries.values()
        },
    )


def _prices(setup: Mapping[str, int], *, is_priced: bool) -> dict[str, int]:
    """List the prices of an entry; a bounty that is not the same for everybody is part of the buy-in."""
    fee, bounty = setup.get("fee") or 0, bounty_of(setup) if is_priced else 0
    return {
        "buy_in": max(0, (setup.get("cost") or 0) - fee - bounty),
        "fee": fee,
        "rebuy": setup.get("rebuy") or 0,
        "add_on": setup.get("addon") or 0,
        "bounty": bounty,
    }


def _is_priced(state: Night, ledger: Ledger, places: Mapping[str, int]) -> bool:
    """Tell whether all bounties follow from their price: everybody was put out by somebody, and one has won."""
    bounty = state.setup.get("bounty") or {}
    if bounty.get("kind") != FIXED:
        return False
    hunted = Counter(entry.by for entry in state.entries.values() if entry.by)
    return all(
        ledger.won.get(each, 0) == bounty["amount"] * (hunted[each] + (place == 1))
        for each, place in places.items()
    )


def _collects(state: Night, prices: Mapping[str, int], prizes: Prizes | None) -> bool:
    """Tell whether the prices say what came together: nobody entered for less, or paid another price for a rebuy."""
    said = sum(_stake(entry, prices) for entry in state.entries.values())
    return prizes is not None and said == prizes.pool - prizes.added


def _stake(entry: Entry, prices: Mapping[str, int]) -> int:
    return prices["buy_in"] + entry.n_rebuys * prices["rebuy"] + entry.n_addons * prices["add_on"]


def _won_by_deal(state: Night, places: Mapping[str, int]) -> dict[str, int]:
    deal = state.deal or {}
    won: dict[str, int] = {}
    for entry_id, amount in deal["money"].items():
        if found := state.find(entry_id):
            won[found.id] = won.get(found.id, 0) + amount
    first = next((entry_id for entry_id, place in places.items() if place == 1), None)
    if first:
        won[first] = won.get(first, 0) + (deal.get("kept") or 0)
    return won


def _won_by_place(prizes: Prizes | None, places: Mapping[str, int]) -> dict[str, int]:
    if prizes is None:
        return {}
    by_place = [Fraction(each) for each in prizes.by_place]
    won = shared_prizes(list(places.values()), by_place, Fraction(1))
    return {entry_id: int(amount) for entry_id, amount in zip(places, won, strict=True)}
