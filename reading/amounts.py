"""Read what a list of results says about money: it belongs to no result, and goes to the money of the event."""

from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from reading.cells import thousands, whole_number

COLUMNS = ("buy_in", "chip_rebuys", "add_ons", "fee", "bounties", "prize")
MOST_REBUYS = 999  # and add-ons of one entry


@dataclass(frozen=True)
class Amounts:
    """Money of one entry; None where the list says nothing.

    `buy_in` is the price of an entry alone, `chip_rebuys` are rebuys that make no entry of their own, `bounties` is the
    amount that was won by knock-outs.
    """

    buy_in: Decimal | None = None
    chip_rebuys: int | None = None
    add_ons: int | None = None
    fee: Decimal | None = None
    bounties: Decimal | None = None
    prize: Decimal | None = None


def amounts_of(cells: Mapping[str, str]) -> Amounts | None:
    """Read the cells under COLUMNS; None if all are empty, BadCell if one is wrong."""
    given: dict[str, Any] = {
        column: amount(column, text) for column in COLUMNS if (text := cells.get(column, ""))
    }
    return Amounts(**given) if given else None


def amount(column: str, text: str) -> object:
    """Read a cell: a count of rebuys or add-ons, or an amount of money."""
    if column in {"chip_rebuys", "add_ons"}:
        return whole_number(column, text, 0, MOST_REBUYS)
    return thousands(column, text)
