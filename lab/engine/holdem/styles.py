"""Kinds of simulated players: those a person can choose, by kind, strength or lot, and a mixture for dealt events."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from lab.engine.utility import Style

# By name, from careful to reckless; the words for readers are in `lab.holdem.play`.
STYLES: Final[Mapping[str, Style]] = MappingProxyType(
    {
        "rock": Style(gamma=6.0, loose_preflop=-0.5, loose_river=-0.2),
        "careful": Style(gamma=3.0, loose_preflop=-0.2),
        "kelly": Style(),
        "loose": Style(gamma=3.0, loose_preflop=0.25, loose_river=0.1),
        "bold": Style(gamma=0.6, loose_preflop=0.1),
        "moody": Style(gamma=2.0, inconsistency=4.0),
        "dreamer": Style(gamma=2.0, bias=0.6),
        "limper": Style(limp=0.7),
    }
)
# By strength, the weakest first: players whose duels against the exact one are counted in `lab/engine/duels.csv`.
STRENGTHS: Final[Mapping[str, Style]] = MappingProxyType(
    {"easy": Style(bias=0.8), "even": Style(inconsistency=5.0), "hard": Style()}
)
# The least and the most of each parameter of a player who is drawn by lot.
RANGES: Final[Mapping[str, tuple[float, float]]] = MappingProxyType(
    {
        "gamma": (0.5, 6.0),
        "loose_preflop": (-0.5, 0.25),
        "loose_river": (-0.3, 0.1),
        "inconsistency": (0.0, 5.0),
        "bias": (0.0, 0.8),
        "limp": (0.0, 0.8),
    }
)
RANDOM: Final = "random"


def kind_of(name: str) -> str:
    """Leave out the seed of a player who is drawn by lot.

    Examples
    --------
    >>> kind_of("random-7"), kind_of("rock")
    ('random', 'rock')
    """
    return name.partition("-")[0]


def style_of(name: str) -> Style:
    """Find a player by name: of STYLES, of STRENGTHS, or "random-" and the seed by which RANGES are drawn from.

    Examples
    --------
    >>> style_of("hard") == style_of("kelly"), style_of("random-7") == style_of("random-7")
    (True, True)
    """
    if kind_of(name) != RANDOM:
        return STYLES[name] if name in STYLES else STRENGTHS[name]
    rng = np.random.default_rng(int(name.removeprefix(f"{RANDOM}-")))
    return Style(**{field: rng.uniform(*RANGES[field]) for field in RANGES})


def mixed_styles(n: int, seed: int) -> list[Style]:
    """Draw the players of a club: more or less careful and tight, some inconsistent, most with noise."""
    rng = np.random.default_rng(seed)
    return [
        Style(
            gamma=rng.uniform(1.5, 8.0),
            loose_preflop=rng.uniform(-0.6, 0.1),
            loose_river=rng.uniform(-0.3, 0.1),
            inconsistency=max(rng.uniform(-3.0, 3.0), 0.0),
            noise=rng.uniform(0.0, 0.1),
        )
        for _player in range(n)
    ]
