"""Deals: the players left share the prizes of the places that they would still play for.

Amounts are exact and sum to the prizes. They are rounded to a unit; the units left over go to those who lost the most
by rounding, of equals to the bigger stack, then to the player listed first.
"""

from collections.abc import Sequence
from fractions import Fraction

from payouts.engine.errors import EngineError
from payouts.engine.money import ZERO, apportion
from payouts.engine.structures.quotients import MAX_LISTED, check_votes


def check_deal(prizes: Sequence[Fraction], chips: Sequence[Fraction]) -> None:
    """Refuse a deal with invalid prizes or chips, or without exactly one prize for each player.

    Parameters
    ----------
    prizes : sequence of Fraction
        Prizes of the places left, the first place first.
    chips : sequence of Fraction
        Chips of each player left.

    Raises
    ------
    EngineError
        Naming the place or the player that is wrong.

    Examples
    --------
    >>> check_deal([Fraction(50), Fraction(30)], [Fraction(7000)])
    Traceback (most recent call last):
    payouts.engine.errors.EngineError: prizes: 2 prizes for 1 players, must be as many
    """
    check_votes(prizes, noun="prizes", most=MAX_LISTED)
    if not prizes[0]:
        raise EngineError("prizes", "not_positive", got=0)
    if len(prizes) != len(chips):
        raise EngineError("prizes", "not_one_prize_each", prizes=len(prizes), players=len(chips))
    for number, stack in enumerate(chips, start=1):
        if stack <= 0:
            raise EngineError("chips", "stack_not_positive", number=number, got=stack)


def even_deal(prizes: Sequence[Fraction], chips: Sequence[Fraction], unit: Fraction) -> list[Fraction]:
    """Share the prizes equally.

    Parameters
    ----------
    prizes, chips : sequence of Fraction, length n
        As for `check_deal`.
    unit : Fraction
        Amount that shares are rounded to.

    Returns
    -------
    list of Fraction, length n
        Amount of each player; they sum to the prizes.

    Raises
    ------
    EngineError
        As `check_deal`, or if the unit is not positive.

    Examples
    --------
    >>> prizes, chips = map(Fraction, (50, 30, 20)), map(Fraction, (10, 30, 20))
    >>> list(map(str, even_deal(list(prizes), list(chips), Fraction(1))))
    ['33', '34', '33']
    """
    check_deal(prizes, chips)
    return _by_stacks(sum(prizes, ZERO), [Fraction(1)] * len(chips), chips, unit)


def chip_deal(prizes: Sequence[Fraction], chips: Sequence[Fraction], unit: Fraction) -> list[Fraction]:
    """Give each player the smallest prize, and share the rest by chips.

    Parameters
    ----------
    prizes, chips, unit
        As for `even_deal`.

    Returns
    -------
    list of Fraction, length n
        Amount of each player; they sum to the prizes.

    Raises
    ------
    EngineError
        As `even_deal`.

    Examples
    --------
    >>> prizes, chips = map(Fraction, (500, 300, 200)), map(Fraction, (60, 30, 10))
    >>> list(map(str, chip_deal(list(prizes), list(chips), Fraction(1))))
    ['440', '320', '240']
    """
    check_deal(prizes, chips)
    least = prizes[-1]
    shared = _by_stacks(sum(prizes, ZERO) - least * len(prizes), chips, chips, unit)
    return [least + amount for amount in shared]


def chance_deal(
    prizes: Sequence[Fraction], chips: Sequence[Fraction], chances: Sequence[Sequence[float]], unit: Fraction
) -> list[Fraction]:
    """Give each player the mean prize by the chances of each place, such as those of the Independent Chip Model.

    Parameters
    ----------
    prizes, chips, unit
        As for `even_deal`.
    chances : sequence of n sequences of n floats
        Row i, column k: chance that player i finishes in place k + 1.

    Returns
    -------
    list of Fraction, length n
        Amount of each player; they sum to the prizes.

    Raises
    ------
    EngineError
        As `even_deal`.

    Examples
    --------
    >>> prizes, chips = [Fraction(60), Fraction(40)], [Fraction(3), Fraction(1)]
    >>> list(map(str, chance_deal(prizes, chips, [[0.75, 0.25], [0.25, 0.75]], Fraction(1))))
    ['55', '45']
    """
    check_deal(prizes, chips)
    means = [
        sum((Fraction(chance) * prize for chance, prize in zip(row, prizes, strict=True)), ZERO)
        for row in chances
    ]
    return _by_stacks(sum(prizes, ZERO), means, chips, unit)


def _by_stacks(
    total: Fraction, weights: Sequence[Fraction], chips: Sequence[Fraction], unit: Fraction
) -> list[Fraction]:
    """Apportion a total by weights; equal remainders favour the biggest stacks."""
    order = sorted(range(len(chips)), key=lambda i: -chips[i])
    shares = apportion(total, [weights[i] for i in order], unit, by_remainder=True)
    by_player = dict(zip(order, shares, strict=True))
    return [by_player[i] for i in range(len(chips))]
