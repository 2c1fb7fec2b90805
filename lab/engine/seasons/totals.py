"""What is counted over simulated seasons: whole numbers, so that any split over workers gives the same sums."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from lab.engine.seasons.scenario import Scenario

Ints = npt.NDArray[np.int64]
# Parts of the season after which badges are counted.
QUARTERS = 4
# Seasons of a run whose players are rated: the shares of badges are then right to a percent or two.
RATED_SEASONS = 100
LETTERS = 5  # S, A, B, C and none yet


@dataclass(frozen=True)
class Totals:
    """Counts and sums over seasons. V variants, G groups, P players, N nights; points in units of each variant.

    Attributes
    ----------
    n_seasons : int64, shape (1,)
    n_entries : int64, shape (1,)
        Entries of all nights, and with them the nights of `n_nights`, shape (1,), that were held.
    best_place, three_won, group_won, total_at, settled, turnout, profit, played
        See `lab.engine.seasons.kernels.score_seasons`.
    ahead : int64, shape (V, V)
        Seasons that the best player wins under the first variant; off the diagonal: and not under the second.
    n_rated : int64, shape (1,)
        Seasons whose players were rated.
    badges : int64, shape (QUARTERS, G, LETTERS)
        Rated players by letter after each quarter of the season.
    rates : int64, shape (G, 3)
        Rated players at the end, the sum of their rates, and the sum if nobody had come late; in thousandths.
    """

    n_seasons: Ints
    n_entries: Ints
    n_nights: Ints
    best_place: Ints
    three_won: Ints
    group_won: Ints
    total_at: Ints
    settled: Ints
    turnout: Ints
    profit: Ints
    played: Ints
    ahead: Ints
    n_rated: Ints
    badges: Ints
    rates: Ints

    @classmethod
    def empty(cls, scenario: Scenario) -> "Totals":
        """Make totals of no season.

        Parameters
        ----------
        scenario : Scenario

        Returns
        -------
        Totals

        Examples
        --------
        >>> Totals.empty(Scenario(counts=(1, 1, 1, 0, 0), size=3)).best_place.shape
        (1, 4)
        """
        v, g = len(scenario.variants), len(scenario.groups)
        p, n = scenario.n_players, scenario.nights
        shapes: dict[str, tuple[int, ...]] = {
            "n_seasons": (1,), "n_entries": (1,), "n_nights": (1,), "best_place": (v, p + 1), "three_won": (v,),
            "group_won": (v, g), "total_at": (v, p), "settled": (v, n), "turnout": (v, g, n + 1),
            "profit": (v, g, 3), "played": (g, n + 1), "ahead": (v, v), "n_rated": (1,),
            "badges": (QUARTERS, g, LETTERS), "rates": (g, 3),
        }  # fmt: skip
        return cls(**{name: np.zeros(shape, dtype=np.int64) for name, shape in shapes.items()})

    @classmethod
    def merged(cls, parts: Iterable["Totals"]) -> "Totals":
        """Add up totals of different seasons of one scenario, in any order."""
        listed = list(parts)
        return cls(
            **{
                each.name: np.sum([getattr(part, each.name) for part in listed], axis=0)
                for each in fields(cls)
            }
        )

    def to_dict(self) -> dict[str, Any]:
        """Convert to JSON types."""
        return {each.name: getattr(self, each.name).tolist() for each in fields(self)}

    @classmethod
    def from_dict(cls, values: dict[str, Any]) -> "Totals":
        """Read totals that `to_dict` wrote."""
        return cls(**{name: np.array(value, dtype=np.int64) for name, value in values.items()})
