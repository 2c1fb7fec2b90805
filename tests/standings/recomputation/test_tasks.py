"""The tasks that the worker runs."""

import pytest

from standings.models import Standing
from standings.tasks import recompute_pool, sweep
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
