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
    """Entries, knock-outs and total cost of an entry's player at the event.

    `cost` is in the unit of the buy-in; None means buy-in x entries. `is_last` says whether this entry is the player's
    last, which gets all points of a formula.
    """

    entries: int = 1
    knockouts: int = 0
    cost: Fraction | None = None
    is_last: bool = True

    def __post_init__(self) -> None:
        if self.entries < 1:
            raise EngineError("entries", "too_small", least=1, got=self.entries)
        if self.knockouts < 0:
            raise EngineError("knockouts", "negative", got=self.knockouts)
        if self.cost is not None and not 0 <= self.cost <= MAX_AMOUNT:
            raise EngineError("cost", "out_of_range", least=0, most=MAX_AMOUNT, got=self.cost)


def entry_facts(
    players: Sequence[Hashable],
    numbers: Sequence[int],
    knockouts: Sequence[int | None],
    costs: Sequence[Fraction | Decimal | None],
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

    Returns
    -------
    list of EntryFacts, length n

    Raises
    ------
    ValueError
        If the lengths differ, or a number is out of range; the message names it.

    Examples
    --------
    >>> facts = entry_facts(["Ada", "Bo", "Ada"], [2, 1, 1], [3, None, 1], [None, None, Fraction(20)])
    >>> facts[0]
    EntryFacts(entries=2, knockouts=4, cost=Fraction(20, 1), is_last=True)
    >>> facts[1]
    EntryFacts(entries=1, knockouts=0, cost=None, is_last=True)
    >>> facts[2].is_last
    False
    """
    n_entries = Counter(players)
    n_knockouts: Counter[Hashable] = Counter()
    cost: dict[Hashable, Fraction] = {}
    last: dict[Hashable, int] = {}
    for player, number, knocked_out, paid in zip(players, numbers, knockouts, costs, strict=True):
        n_knockouts[player] += knocked_out or 0
        last[player] = max(last.get(player, 0), number)
        if paid is not None:
            cost[player] = cost.get(player, Fraction(0)) + Fraction(paid)
    return [
        EntryFacts(n_entries[player], n_knockouts[player], cost.get(player), number == last[player])
        for player, number in zip(players, numbers, strict=True)
    ]


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
