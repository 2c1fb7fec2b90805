"""How long a run takes, how it is divided, and how many seasons are enough."""

import math

from lab.engine.errors import EngineError
from lab.engine.seasons.scenario import Scenario
from lab.engine.seasons.totals import RATED_SEASONS

# Seconds on one core, measured by `python -m bench laboratory` and rounded up: for each pair of entries of a drawn
# night, each result of a variant, and each rated entry.
DRAWN_PAIR, SCORED_RESULT, RATED_ENTRY = 6e-9, 110e-9, 20e-6
PLAYED_ENTRY = 400e-6  # of a night that is played hand by hand
CHUNK_SECONDS = 1.0
LEAST_CHUNKS = 4  # so that two workers share even a short run
MOST_SECONDS = 300.0
MOST_SEASONS = 100_000
# Half the width of an interval of 95 percent that answers every question asked of a run, and the share for which
# `enough_seasons` promises it: the best player seldom wins more.
HALF_WIDTH, SHARE = 0.005, 0.15
QUANTILE = 1.959963984540054


def seconds_of(scenario: Scenario, n_seasons: int) -> float:
    """Estimate how long seasons take on one core.

    Parameters
    ----------
    scenario : Scenario
    n_seasons : int

    Returns
    -------
    float
        Seconds, without loading the program.

    Examples
    --------
    >>> 0.1 < seconds_of(Scenario(counts=(1, 6, 10, 6, 1), size=15), 2000) < 10
    True
    """
    rated = min(1.0, n_seasons / RATED_SEASONS)
    return _season_seconds(scenario) * n_seasons + _rating_seconds(scenario) * rated


def _season_seconds(scenario: Scenario) -> float:
    n_results = scenario.n_players * len(scenario.variants)
    entries = scenario.most_entries
    drawn = PLAYED_ENTRY * entries if scenario.styles else DRAWN_PAIR * entries**2
    return scenario.nights * (drawn + SCORED_RESULT * n_results)


def _rating_seconds(scenario: Scenario) -> float:
    n_entries = RATED_SEASONS * scenario.nights * scenario.most_entries
    return RATED_ENTRY * n_entries * (2 if scenario.late else 1)


def enough_seasons() -> int:
    """Count the seasons that leave an interval of 95 percent of at most half a percent on both sides.

    Returns
    -------
    int
        In thousands, rounded up.

    References
    ----------
    n = z^2 p (1 - p) / h^2, the normal interval of a share p.

    Examples
    --------
    >>> enough_seasons()
    20000
    """
    needed = QUANTILE**2 * SHARE * (1.0 - SHARE) / HALF_WIDTH**2
    return math.ceil(needed / 1000.0) * 1000


def check_seasons(scenario: Scenario, n_seasons: int) -> None:
    """Refuse a number of seasons that is out of range or takes too long.

    Raises
    ------
    EngineError
        With the estimated seconds, and the number that suffices.

    Examples
    --------
    >>> check_seasons(Scenario(counts=(1, 6, 10, 6, 1), size=15), 2000)
    """
    if n_seasons < 1:
        raise EngineError("seasons", "out_of_range", least=1, most=MOST_SEASONS, got=n_seasons)
    seconds = seconds_of(scenario, n_seasons)
    if n_seasons > MOST_SEASONS or seconds > MOST_SECONDS:
        affordable = int((MOST_SECONDS - _rating_seconds(scenario)) / _season_seconds(scenario))
        enough = max(1, min(enough_seasons(), affordable))
        raise EngineError(
            "seasons", "too_many_seasons", got=n_seasons, seconds=math.ceil(seconds), enough=enough
        )


def chunk_sizes(scenario: Scenario, n_seasons: int) -> list[int]:
    """Divide a run into chunks of about a second.

    Parameters
    ----------
    scenario : Scenario
    n_seasons : int

    Returns
    -------
    list of int
        Seasons of each chunk.

    Examples
    --------
    >>> chunk_sizes(Scenario(counts=(1, 6, 10, 6, 1), size=15), 2000)
    [500, 500, 500, 500]
    """
    n_chunks = max(LEAST_CHUNKS, math.ceil(seconds_of(scenario, n_seasons) / CHUNK_SECONDS))
    n_chunks = min(n_chunks, n_seasons)
    return [n_seasons * (i + 1) // n_chunks - n_seasons * i // n_chunks for i in range(n_chunks)]
