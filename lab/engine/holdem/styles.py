"""Kinds of simulated players: those a person can choose, and a mixture for events that are dealt."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

import numpy as np

from lab.engine.utility import Style

# By name, from careful to reckless; the words for readers are in `lab.play`.
STYLES: Final[Mapping[str, Style]] = MappingProxyType(
    {
        "rock": Style(gamma=6.0, loose_preflop=-0.5, loose_river=-0.2),
        "careful": Style(gamma=3.0, loose_preflop=-0.2),
        "kelly": Style(),
        "loose": Style(gamma=3.0, loose_preflop=0.25, loose_river=0.1),
        "bold": Style(gamma=0.6, loose_preflop=0.1),
        "moody": Style(gamma=2.0, inconsistency=4.0),
        "dreamer": Style(gamma=2.0, bias=0.6),
    }
)


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
