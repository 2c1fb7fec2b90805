"""Seasons whose players play hold'em hand by hand: the finishing orders come from tournaments, not from chances."""

import numpy as np
import numpy.typing as npt

from lab.engine.holdem.styles import STYLES
from lab.engine.holdem.tournament import Structure, finishing_order
from lab.engine.seasons.draws import LEAST_ENTRIES, Generator, draw_field
from lab.engine.seasons.scenario import KINDS, Scenario

Orders = npt.NDArray[np.int16]
# A quick tournament: about 140 hands with 15 players, 4 ms.
NIGHT = Structure(stack=5_000, hands_per_level=8, samples=100)
SEED_BITS = 63


def play_seasons(scenario: Scenario, seed: int, first: int, n_seasons: int) -> Orders:
    """Play the nights of consecutive seasons.

    Parameters
    ----------
    scenario : Scenario
        With `styles`.
    seed, first, n_seasons : int
        As for `lab.engine.seasons.chunks.draw_orders`.

    Returns
    -------
    int16, shape (n_seasons, nights, most_entries)
        As from `draw_orders`; players who go out in the same hand are put in order by lot.

    Examples
    --------
    >>> season = Scenario(styles=(1, 1, 1, 0, 0, 0, 0), nights=1, size=2)
    >>> play_seasons(season, 1, 0, 1).shape
    (1, 1, 2)
    """
    orders = np.full((n_seasons, scenario.nights, scenario.most_entries), -1, dtype=np.int16)
    for at, season in enumerate(orders):
        _play_season(scenario, season, Generator(seed, first + at))
    return orders


def _play_season(scenario: Scenario, season: Orders, rng: Generator) -> None:
    for night in season:
        field = draw_field(scenario, rng)
        if len(field) < LEAST_ENTRIES:
            continue
        styles = [STYLES[KINDS[scenario.group[player]]] for player in field]
        places = finishing_order(styles, int(rng.uniform() * 2**SEED_BITS), NIGHT).tolist()
        lots = [rng.uniform() for _player in field]
        night[: len(field)] = [
            player for _place, _lot, player in sorted(zip(places, lots, field, strict=True))
        ]
