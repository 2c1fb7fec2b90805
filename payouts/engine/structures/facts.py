"""Facts that a points formula can use besides field size and place."""

from collections import Counter
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from payouts.engine.errors import EngineError

MAX_AMOUNT = 10**12


@dataclass(frozen=True)
class EventFacts:
    """`buy_in` is the stake of one entry in the club's unit (1 if not recorded), `paid` the number of paid places."""

    buy_in: Fraction = Fraction(1)
    paid: int = 1

    def __post_init__(self) -> None:
        if not 0 <= self.buy_in <= MAX_AMOUNT:
            raise EngineError("buy_in", "out_of_range", least=0, most=MAX_AMOUNT, got=self.buy_in)
        if self.paid < 1:
            raise EngineError("paid", "too_small", least=1, got=self.paid)


@dataclass(frozen=True)
class EntryFacts:
    """Entries, knock-outs, total cost and balance of an entry's player at the event.

    `cost` is in the unit of the buy-in; None means buy-in x entries. `is_last` says whether this entry is the player's
    last, which gets all points of a formula. `balance` is what the player has won or lost; None if not recorded.
    """

    entries: int = 1
    knockouts: int = 0
    cost: Fraction | None = None
    is_last: bool = True
    balance: Fraction | None = None

    def __post_init__(self) -> None:
        if self.entries < 1:
            raise EngineError("entries", "too_small", least=1, got=self.entries)
        if self.knockouts < 0:
            raise EngineError("knockouts", "negative", got=self.knockouts)
        if self.cost is not None and not 0 <= self.cost <= MAX_AMOUNT:
            raise EngineError("cost", "out_of_range", least=0, most=MAX_AMOUNT, got=self.cost)
        if self.balance is not None and abs(self.balance) > MAX_AMOUNT:
            raise EngineError("balance", "out_of_range", least=-MAX_AMOUNT, most=MAX_AMOUNT, got=self.balance)


def entry_facts(
    players: Sequence[Hashable],
    numbers: Sequence[int],
    knockouts: Sequence[int | None],
    costs: Sequence[Fraction | Decimal | None],
    balances: Sequence[Fraction | Decimal | None],
) -> list[EntryFacts]:
    """Make the facts of each entry of an event from what was recorded with the entries.

    Parameters
    ----------
    players : sequence of hashable, length n
        Player of each entry.
    numbers : sequence of int, length n
        Number of the entry among the player's, from 1.
    knockouts : sequence of int or None, length n
        Knock-outs made with each entry; None counts as 0. The player's knock-outs are the sum.
    costs : sequence of Fraction, Decimal or None, length n
        What each entry cost, in the unit of the buy-in. The player's cost is the sum of those recorded.
    balances : sequence of Fraction, Decimal or None, length n
        What each entry won or lost. The player's balance is the sum of those recorded.

    Returns
    -------
    list of EntryFacts, length n

    Raises
    ------
    ValueError
        If the lengths differ, or a number is out of range; the message names it.

    Examples
    --------
    >>> costs, balances = [None, None, Fraction(20)], [None, Fraction(-8), None]
    >>> facts = entry_facts(["Ada", "Bo", "Ada"], [2, 1, 1], [3, None, 1], costs, balances)
    >>> facts[0]
    EntryFacts(entries=2, knockouts=4, cost=Fraction(20, 1), is_last=True, balance=None)
    >>> facts[1]
    EntryFacts(entries=1, knockouts=0, cost=None, is_last=True, balance=Fraction(-8, 1))
    >>> facts[2].is_last
    False
    """
    n_entries = Counter(players)
    n_knockouts: Counter[Hashable] = Counter()
    last: dict[Hashable, int] = {}
    for player, number, knocked_out in zip(players, numbers, knockouts, strict=True):
        n_knockouts[player] += knocked_out or 0
        last[player] = max(last.get(player, 0), number)
    cost, balance = _sums(players, costs), _sums(players, balances)
    return [
        EntryFacts(
            n_entries[player],
            n_knockouts[player],
            cost.get(player),
            number == last[player],
            balance.get(player),
        )
        for player, number in zip(players, numbers, strict=True)
    ]


def _sums(
    players: Sequence[Hashable], values: Sequence[Fraction | Decimal | None]
) -> dict[Hashable, Fraction]:
    """Add up the recorded values of each player who has any."""
    sums: dict[Hashable, Fraction] = {}
    for player, value in zip(players, values, strict=True):
        if value is not None:
            sums[player] = sums.get(player, Fraction(0)) + Fraction(value)
    return sums


NO_EVENT_FACTS = EventFacts()
NO_ENTRY_FACTS = EntryFacts()


@dataclass(frozen=True, slots=True)
class Case:
    """Input of a formula: place `k` of `n` entries, with the facts of event and player."""

    n: int
    k: int
    event: EventFacts = NO_EVENT_FACTS
    entry: EntryFacts = NO_ENTRY_FACTS

    @property
    def cost(self) -> Fraction:
        if self.entry.cost is not None:
            return self.entry.cost
        return self.event.buy_in * self.entry.entries

    @property
    def balance(self) -> Fraction:
        """The balance of the player; raise EngineError if none is recorded."""
        if self.entry.balance is None:
            raise EngineError("structure", "no_balance", place=self.k)
        return self.entry.balance
