"""The tasks that the worker runs, and what it loads before the first one."""

import pytest

from ratings.engine.pipeline_kernels import rate_range
from standings.models import Standing
from standings.tasks import recompute_pool, sweep, warm_up
from tests.factories import enter


@pytest.mark.django_db
def test_a_pool_is_computed_and_then_no_longer_stale(season, published):
    enter(season, "Ada\nBoris")
    sweep()
    assert published == [season.pool_id]
    recompute_pool(season.pool_id)
    assert [row.player.name for row in Standing.objects.order_by("points_rank")] == ["Ada", "Boris"]
    published.clear()
    sweep()
    assert published == []


def test_the_kernels_are_loaded_when_a_worker_starts():
    warm_up()
    assert rate_range.signatures
