"""All computed rows of all leagues, to compare bit by bit."""

from collections import defaultdict

from league.models import Pool
from payouts.models import EntryPoints
from ratings.models import PlayerRating, RatedEntry
from standings.models import SeasonSummary, Standing
from standings.recomputation.service import recompute

POOL_OF = {
    RatedEntry: "pool",
    PlayerRating: "pool",
    EntryPoints: "entry__event__season__pool",
    Standing: "season__pool",
    SeasonSummary: "season__pool",
}


def computed_rows() -> dict[int, list[str]]:
    """Computed rows by pool; floats by repr, which is exact."""
    rows: dict[int, list[str]] = defaultdict(list)
    for model, pool in POOL_OF.items():
        fields = [field.attname for field in model._meta.concrete_fields if not field.primary_key]
        for pool_id, *values in model.objects.order_by().values_list(pool, *fields):
            rows[pool_id].append(repr((model.__name__, *zip(fields, values, strict=True))))
    return {pool_id: sorted(lines) for pool_id, lines in rows.items()}


def wrong_leagues() -> int:
    """Leagues whose rows differ from those computed again from the results alone."""
    before = computed_rows()
    for model in POOL_OF:
        model.objects.all().delete()
    for pool_id in Pool.objects.values_list("pk", flat=True):
        assert recompute(pool_id, from_scratch=True)
    after = computed_rows()
    return sum(before.get(pool_id) != lines for pool_id, lines in after.items())
