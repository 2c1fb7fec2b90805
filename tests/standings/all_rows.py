"""Every row of a league, to compare bit by bit."""

from league.models import Entry, Event, Meet, Player, Season
from payouts.models import BroughtTotals, EntryMoney, EventMoney, EventRules, EventTerms, SeasonRules
from standings.models import Award
from tests.storm.rows import computed_rows

TYPED = (
    Season, SeasonRules, Meet, Event, EventRules, EventTerms, EventMoney, Entry, EntryMoney, Player, Award, BroughtTotals,
)  # fmt: skip


def all_rows():
    """Rows that people made, with their ids, and computed rows; versions of events rise with each correction."""
    rows = {
        model: [repr(sorted(row.items())) for row in model.objects.order_by("pk").values(*names(model))]
        for model in TYPED
    }
    return rows, computed_rows()


def names(model):
    return [
        field.attname for field in model._meta.concrete_fields if (model, field.name) != (Event, "version")
    ]
