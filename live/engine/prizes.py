"""What is played for: the prize pool of a night and what each place is paid. Sums are in the smallest unit of money."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, NamedTuple

from live.engine.state import Night
from payouts.engine.money import percentage_payouts

# Shares of the first places in percent, by the most entries for which they are usual.
USUAL = (
    (3, (100,)),
    (7, (65, 35)),
    (12, (50, 30, 20)),
    (20, (45, 27, 17, 11)),
    (30, (38, 24, 16, 12, 10)),
    (10_000, (30, 20, 14, 10, 8, 6, 5, 4, 3)),
)


class Prizes(NamedTuple):
    """The prize pool, what the first places are paid, the fees, and what the guarantee adds to the pool."""

    pool: int
    by_place: list[int]
    fees: int
    added: int


def prizes_of(night: Night) -> Prizes | None:
    """Compute what a night is played for; None where nobody pays.

    Of what an entry costs, fee and bounty do not go into the pool. Shares that the setup does not say are the usual
    ones for so many entries; each is rounded to whole units, and what is left over goes to the first places.
    """
    setup = night.setup
    paid = [entry.cost for entry in night.entries.values() if entry.cost]
    guarantee = setup.get("guarantee") or 0
    if not paid and not guarantee:
        return None
    fee, bounty = setup.get("fee") or 0, bounty_of(setup)
    collected = sum(max(0, cost - fee - bounty) for cost in paid)
    pool = max(collected, guarantee)
    unit = 10 ** decimals_of(setup)
    percent = [Fraction(each) for each in shares_of(setup, len(night.entries))]
    whole = percentage_payouts(
        Fraction(pool), percent, max(1, len(night.entries)), Fraction(unit if pool >= unit else 1)
    )
    fees = sum(min(fee, cost) for cost in paid)
    return Prizes(pool, [int(each) for each in whole], fees, pool - collected)


def shares_of(setup: Mapping[str, Any], n_entries: int) -> list[int]:
    """List the percentages of the first places: those of the setup if they are whole, else the usual ones."""
    own = list(setup.get("payouts") or [])
    if own and sum(own) == 100 and all(own) and own == sorted(own, reverse=True):  # noqa: PLR2004  percent
        return own
    return list(next(shares for most, shares in USUAL if n_entries <= most))


def bounty_of(setup: Mapping[str, Any]) -> int:
    """Tell how much of an entry is its bounty; one on a leader is paid by nobody who enters."""
    bounty = setup.get("bounty") or {}
    return 0 if bounty.get("kind") == "leader" else int(bounty.get("amount") or 0)


def decimals_of(setup: Mapping[str, Any]) -> int:
    """Read how many decimals the amounts of a night have."""
    found = setup.get("decimals")
    return found if isinstance(found, int) and not isinstance(found, bool) and 0 <= found <= 3 else 0  # noqa: PLR2004  of models
