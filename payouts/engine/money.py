"""Money of an event: what goes into the prize pool, what each place is paid, and what tied entries share.

Amounts are exact, in the club's currency. No rounding makes or loses money: what is paid sums exactly to the pool.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from payouts.engine.errors import EngineError
from payouts.engine.exact import exact_text
from payouts.engine.structures.formulas import check_percentages
from payouts.engine.structures.quotients import MAX_LISTED, check_votes
from payouts.engine.structures.settling import ranking_counts

ZERO = Fraction(0)
MAX_POOL = 999_999_999


@dataclass(frozen=True)
class Prices:
    """What one entry, rebuy and add-on costs. Fee and bounty are paid with each entry, beside the prize pool."""

    buy_in: Fraction = ZERO
    fee: Fraction = ZERO
    rebuy: Fraction = ZERO
    add_on: Fraction = ZERO
    bounty: Fraction = ZERO

    def stake(self, rebuys: int, add_ons: int) -> Fraction:
        """Add up what one entry puts into the prize pool."""
        return self.buy_in + rebuys * self.rebuy + add_ons * self.add_on

    def cost(self, rebuys: int, add_ons: int) -> Fraction:
        """Add up what a player pays for one entry.

        Examples
        --------
        >>> prices = Prices(Fraction(20), fee=Fraction(2), rebuy=Fraction(20), add_on=Fraction(10))
        >>> str(prices.cost(2, 1)), str(prices.stake(2, 1))
        ('72', '70')
        """
        return self.fee + self.bounty + self.stake(rebuys, add_ons)

    def bounties(self, knockouts: int, *, is_winner: bool) -> Fraction:
        """Add up the bounties that one entry gets: one for each knock-out, and its own back if nobody knocked it out.

        Examples
        --------
        >>> str(Prices(bounty=Fraction(5)).bounties(4, is_winner=True))
        '25'
        """
        return self.bounty * (knockouts + is_winner)


@dataclass(frozen=True)
class Purse:
    """What one entry costs and gets; `given` and `paid` are what has changed hands, None if nothing is noted."""

    cost: Fraction
    prize: Fraction = ZERO
    bounties: Fraction = ZERO
    given: Fraction | None = None
    paid: Fraction | None = None

    @property
    def won(self) -> Fraction:
        return self.prize + self.bounties

    @property
    def balance(self) -> Fraction:
        return self.won - self.cost

    @property
    def owes(self) -> Fraction:
        """Compute what is still to come in; negative if too much was given."""
        return self.cost - (self.given or ZERO)

    @property
    def due(self) -> Fraction:
        """Compute what is still to be paid out; negative if too much was paid."""
        return self.won - (self.paid or ZERO)


@dataclass(frozen=True)
class Till:
    """The money of an event as a whole."""

    purses: Sequence[Purse]

    @property
    def is_noted(self) -> bool:
        """Tell whether it is noted of anybody what was given."""
        return any(purse.given is not None for purse in self.purses)

    @property
    def given(self) -> Fraction:
        return sum((purse.given or ZERO for purse in self.purses), ZERO)

    @property
    def paid(self) -> Fraction:
        return sum((purse.paid or ZERO for purse in self.purses), ZERO)

    @property
    def in_box(self) -> Fraction:
        return self.given - self.paid

    @property
    def to_come(self) -> Fraction:
        return sum((max(purse.owes, ZERO) for purse in self.purses), ZERO)

    @property
    def to_pay(self) -> Fraction:
        return sum((max(purse.due, ZERO) for purse in self.purses), ZERO)

    @property
    def cost(self) -> Fraction:
        return sum((purse.cost for purse in self.purses), ZERO)

    @property
    def prizes(self) -> Fraction:
        return sum((purse.prize for purse in self.purses), ZERO)

    @property
    def bounties(self) -> Fraction:
        return sum((purse.bounties for purse in self.purses), ZERO)

    @property
    def won(self) -> Fraction:
        return self.prizes + self.bounties

    @property
    def balance(self) -> Fraction:
        """Compute what the players together have won; negative if they have lost."""
        return self.won - self.cost

    @property
    def stays(self) -> Fraction:
        """Compute what the club keeps once all have given and got everything; negative if it adds to the prizes."""
        return -self.balance


def counts_of_cost(prices: Prices, cost: Fraction) -> tuple[int, int]:
    """Find the rebuys and add-ons that the recorded cost of an entry stands for.

    Parameters
    ----------
    prices : Prices
        What an entry, a rebuy and an add-on cost.
    cost : Fraction
        What was paid for one entry, with everything.

    Returns
    -------
    tuple of int
        Rebuys, and add-ons, of which there is one at most; both 0 if no numbers of them cost as much.

    Examples
    --------
    >>> prices = Prices(Fraction(20), rebuy=Fraction(20), add_on=Fraction(30))
    >>> counts_of_cost(prices, Fraction(90)), counts_of_cost(prices, Fraction(45))
    ((2, 1), (0, 0))
    """
    for add_ons in (0, 1):
        extra = cost - prices.cost(0, add_ons)
        if prices.rebuy and extra >= 0 and extra % prices.rebuy == 0:
            return int(extra / prices.rebuy), add_ons
        if not extra:
            return 0, add_ons
    return 0, 0


@dataclass(frozen=True)
class PrizePool:
    """`collected` is what the entries put in, `amount` what is paid out."""

    collected: Fraction
    amount: Fraction

    @property
    def overlay(self) -> Fraction:
        """Compute what the club adds to reach its guarantee or a stated prize pool; negative if it keeps something."""
        return self.amount - self.collected

    @property
    def kept(self) -> Fraction:
        """Compute what the club keeps of a stated prize pool."""
        return -self.overlay


def prize_pool(
    collected: Fraction, *, stated: Fraction | None = None, guarantee: Fraction | None = None
) -> PrizePool:
    """Find the prize pool: as stated, or what was collected but never less than the guarantee.

    Amounts of more than `MAX_POOL` are refused.

    Parameters
    ----------
    collected : Fraction
        What the entries put in.
    stated : Fraction, optional
        The prize pool if it is not what was collected; the guarantee has no effect then.
    guarantee : Fraction, optional
        Least prize pool.

    Returns
    -------
    PrizePool

    Raises
    ------
    EngineError
        If it is too large.

    Examples
    --------
    >>> str(prize_pool(Fraction(800), guarantee=Fraction(1000)).overlay)
    '200'
    """
    amount = max(collected, guarantee or ZERO) if stated is None else stated
    if max(amount, collected) > MAX_POOL:
        raise EngineError("prize_pool", "too_large", most=MAX_POOL, got=exact_text(max(amount, collected)))
    return PrizePool(collected, amount)


def apportion(
    total: Fraction, weights: Sequence[Fraction], unit: Fraction, *, by_remainder: bool = False
) -> list[Fraction]:
    """Share out a total in proportion to weights, exactly.

    Each share is rounded down to the unit. The units left over go one each to the first shares, or to those that lost
    the most by rounding. What is less than a unit goes to the first share.

    Parameters
    ----------
    total : Fraction
        Amount, at least 0.
    weights : sequence of Fraction, length n
        Never negative, at least one positive.
    unit : Fraction
        Amount that shares are rounded to.
    by_remainder : bool
        Whether the units left over go to the shares that lost the most; of equal losses the first comes first.

    Returns
    -------
    list of Fraction, length n
        Shares, which sum to the total.

    Raises
    ------
    EngineError
        If the unit is not positive.

    References
    ----------
    .. [1] A. Hamilton's method of apportionment (largest remainders), for `by_remainder`.

    Examples
    --------
    >>> list(map(str, apportion(Fraction(1003), [Fraction(5), Fraction(3), Fraction(2)], Fraction(10))))
    ['503', '300', '200']
    """
    if unit <= 0:
        raise EngineError("round_to", "not_positive", got=exact_text(unit))
    per_weight = total / (sum(weights) * unit)
    exact = [weight * per_weight for weight in weights]
    shares = [value.numerator // value.denominator for value in exact]
    left, rest = divmod(total - sum(shares) * unit, unit)
    order = list(range(len(shares)))
    if by_remainder:
        order.sort(key=lambda i: shares[i] - exact[i])
    for i in order[:left]:
        shares[i] += 1
    amounts = [share * unit for share in shares]
    amounts[0] += rest
    return amounts


def percentage_payouts(
    pool: Fraction, percent: Sequence[Fraction], n_entries: int, unit: Fraction
) -> list[Fraction]:
    """Compute what each place is paid by percentages; with fewer entries than places the others share all of it.

    Parameters
    ----------
    pool : Fraction
        Prize pool.
    percent : sequence of Fraction
        Percentages of the first places, positive, never increasing, summing to 100.
    n_entries : int
        Entries of the event, at least 1.
    unit : Fraction
        Amount that payouts are rounded to. What is left over goes to the first places, a unit each.

    Returns
    -------
    list of Fraction
        Payouts of the first places, summing to the pool.

    Raises
    ------
    EngineError
        Naming the place that is wrong, or the sum; or the unit.

    Examples
    --------
    >>> thirds = [Fraction(50), Fraction(30), Fraction(20)]
    >>> list(map(str, percentage_payouts(Fraction(255), thirds, 9, Fraction(10))))
    ['135', '70', '50']
    """
    check_percentages(percent)
    return apportion(pool, percent[:n_entries], unit)


def amount_payouts(pool: Fraction, amounts: Sequence[Fraction], n_entries: int) -> list[Fraction]:
    """Check what each place is paid: the payouts sum to the prize pool, and none is more than that of the place before.

    Parameters
    ----------
    pool : Fraction
        Prize pool.
    amounts : sequence of Fraction
        Payouts of the first places, at most one for each entry.
    n_entries : int
        Entries of the event.

    Returns
    -------
    list of Fraction
        The payouts.

    Raises
    ------
    EngineError
        Naming the place that is wrong, or the sum and the prize pool.

    Examples
    --------
    >>> amount_payouts(Fraction(100), [Fraction(60), Fraction(30)], 5)
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: votes: the payouts sum to 90, the prize pool is 100
    """
    check_votes(amounts, noun="payouts", most=min(n_entries, MAX_LISTED))
    require_pool(amounts, pool, field="votes")
    return list(amounts)


def require_pool(amounts: Iterable[Fraction], pool: Fraction, *, field: str) -> None:
    """Raise EngineError with sum and prize pool if the amounts do not sum to it."""
    if (total := sum(amounts, ZERO)) != pool:
        raise EngineError(field, "payouts_not_the_pool", total=exact_text(total), pool=exact_text(pool))


def shared_prizes(places: Sequence[int], payouts: Sequence[Fraction], unit: Fraction) -> list[Fraction]:
    """Compute the prize of each entry: tied entries share equally what their places are paid.

    Parameters
    ----------
    places : sequence of int, length n
        Finishing place of every entry of the event in any order, competition ranking (1-2-2-4).
    payouts : sequence of Fraction
        Payouts of the first places, at most n.
    unit : Fraction
        Smallest amount that can be paid. Units that cannot be split go one each to the tied entries that come first.

    Returns
    -------
    list of Fraction, length n
        Prizes, in the order of `places`; they sum to the payouts.

    Raises
    ------
    EngineError
        Naming the place that breaks the competition ranking.

    Examples
    --------
    >>> payouts = [Fraction(50), Fraction(30), Fraction(15)]
    >>> list(map(str, shared_prizes([1, 2, 2, 4], payouts, Fraction(1))))
    ['50', '23', '22', '0']
    """
    shares = {
        place: iter(
            apportion(sum(payouts[place - 1 : place - 1 + n_tied], ZERO), [Fraction(1)] * n_tied, unit)
        )
        for place, n_tied in ranking_counts(places).items()
    }
    return [next(shares[place]) for place in places]
