"""Deals of the players left, in the three usual ways."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

from payouts.engine.deals import chance_deal, chip_deal, even_deal


class DealLine(NamedTuple):
    """What a player gets by each kind of deal."""

    name: str
    chips: Fraction
    even: Fraction
    by_chips: Fraction
    by_icm: Fraction


def deal_lines(
    prizes: Sequence[Fraction], players: Sequence[tuple[str, Fraction]], unit: Fraction
) -> list[DealLine]:
    """Compute every kind of deal, the biggest stack first; EngineError if none can be made."""
    from ratings.engine.icm import (
        place_probabilities,  # loads numba, which takes 100 MB that other pages do not need
    )

    players = sorted(players, key=lambda player: -player[1])
    chips = [stack for _name, stack in players]
    deals = (
        even_deal(prizes, chips, unit),
        chip_deal(prizes, chips, unit),
        chance_deal(prizes, chips, place_probabilities([float(stack) for stack in chips]).tolist(), unit),
    )
    return [DealLine(name, stack, *amounts) for (name, stack), *amounts in zip(players, *deals, strict=True)]
