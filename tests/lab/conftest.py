from uuid import UUID

import pytest

from lab import tasks
from lab.engine.seasons.scenario import Scenario, Variant
from lab.services.runs import compute_chunk, start_run
from payouts.engine.structures.structure import PointsStructure

SMALL = Scenario(
    counts=(1, 1, 2, 1, 1),
    nights=3,
    size=4,
    variants=(Variant(PointsStructure("vp_kid")), Variant(PointsStructure("winner_takes_all"))),
)


@pytest.fixture(autouse=True)
def messages(monkeypatch):
    """Collect the ids of chunks sent to the broker."""
    sent = []
    monkeypatch.setattr(tasks.compute_chunk, "delay", sent.append)
    return sent


@pytest.fixture
def start(club):
    """Start a run of the club."""

    def start(n_seasons=40, *, seed=7, token=1, scenario=SMALL, of=club, **fields):
        return start_run(
            of, scenario=scenario, n_seasons=n_seasons, seed=seed, token=UUID(int=token), **fields
        )

    return start


def compute_all(run):
    """Compute every chunk of a run, as workers do."""
    for chunk_id in list(run.chunks.values_list("pk", flat=True)):
        compute_chunk(chunk_id)
    run.refresh_from_db()
    return run
