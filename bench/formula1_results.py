"""The results of Formula 1 since 1950, as a history that the engines read."""

import gzip
from datetime import date
from pathlib import Path

import numpy as np

from ratings.engine.chain import competition_places
from ratings.engine.history import EventHistory
from ratings.engine.tier.core_model import order_history

DATA = Path(__file__).with_name("data") / "formula1.csv.gz"
RETIRED = "R"
CLASSIFIED, TIED, LISTED = (
    "classified only",
    "all starters, retired tied last",
    "all starters, retired as listed",
)


def load(field: str) -> EventHistory:
    """Read the history written by bench/data/make_formula1.py, with retirements as `field` says."""
    with gzip.open(DATA, "rt", encoding="utf-8") as file:
        events = [
            [line.split(",") for line in block.split("\n")] for block in file.read().strip().split("\n\n")
        ]
    if field == CLASSIFIED:
        events = [[line for line in lines if line[2] != RETIRED] for lines in events]
    drivers = {who: i for i, who in enumerate(dict.fromkeys(who for lines in events for _, who, _ in lines))}
    keys = [
        [np.inf if place == RETIRED and field == TIED else k for k, (*_, place) in enumerate(lines)]
        for lines in events
    ]
    return order_history(
        np.array([float(date.fromisoformat(lines[0][0]).toordinal()) for lines in events]),
        np.cumsum([0, *map(len, events)]),
        np.array([drivers[who] for lines in events for _, who, _ in lines]),
        np.concatenate([competition_places(of_event) for of_event in keys]),
    )
