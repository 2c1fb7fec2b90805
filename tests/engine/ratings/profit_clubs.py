"""Simulated clubs whose k and l are known exactly, for the calibration of the profit rating."""

import numpy as np

from ratings.engine.profit.history import ProfitHistory


def simulated_clubs(rng, k, l, *, n_clubs=100, n_games=1500, n_members=60, n_seats=4, skill=0.2, luck=0.95):  # noqa: E741
    """Draw the histories of many clubs at once; balances are in points, k and l in thousands.

    The order of a table is that of performances, skill plus Gumbel noise, so a player is expected to finish behind
    another with probability 1/(1 + exp(difference of skills)), and expected results by place are known. Balances are k times
    these plus luck: part of it follows the place, with the slope `luck` sqrt(l), the rest is skewed and independent of it.
    Its size makes the variance of balances l times that of results by place.
    """
    shape = (n_clubs, n_games, n_seats)
    who = np.argpartition(rng.random((n_clubs, n_games, n_members)), n_seats, axis=2)[:, :, :n_seats]
    skills = skill * rng.normal(size=(n_clubs, 1, n_members))
    at_table = np.take_along_axis(skills, who, axis=2)
    behind = 1.0 / (1.0 + np.exp(at_table[..., :, None] - at_table[..., None, :]))
    step = 12.0 / (n_seats - 1)
    expected = step * ((n_seats + 1) / 2.0 - (behind.sum(axis=3) + 0.5))
    performance = at_table + rng.gumbel(size=shape)
    place = 1 + (performance[..., None, :] > performance[..., :, None]).sum(axis=3)
    result = step * ((n_seats + 1) / 2.0 - place)
    by_skill = np.mean(expected**2, axis=(1, 2), keepdims=True)
    total = np.mean(result**2)
    rest = l * total - k**2 * by_skill - luck**2 * l * (total - by_skill)
    assert np.all(rest > 0.0)
    noise = rng.exponential(size=shape)
    noise = (noise - noise.mean(axis=2, keepdims=True)) * np.sqrt(rest * n_seats / (n_seats - 1))
    balance = 1000.0 * (k * expected + luck * np.sqrt(l) * (result - expected) + noise)
    offset = n_seats * np.arange(n_games + 1)
    return [
        ProfitHistory(offset, who[i].ravel(), place[i].ravel(), balance[i].ravel()) for i in range(n_clubs)
    ]
