"""What merges may change and their way back must restore."""

from league.models import Entry, Player, PlayerAlias, PlayerMerge
from payouts.models import BroughtTotals
from standings.models import Award
from standings.recomputation.service import recompute
from tests.storm.rows import computed_rows


def stored_rows(club):
    """The rows that are not computed, but for versions, which only rise."""
    entries = Entry.objects.filter(event__season__club=club).order_by("pk").values()
    return [
        list(rows)
        for rows in (
            entries,
            Player.objects.filter(club=club).order_by("pk").values(),
            PlayerAlias.objects.filter(club=club).order_by("pk").values("name", "key", "player"),
            BroughtTotals.objects.order_by("pk").values(),
            Award.objects.order_by("pk").values(),
            PlayerMerge.objects.values(),
        )
    ]


def computed(club):
    for pool in club.pools.all():
        assert recompute(pool.pk)
    return computed_rows()
