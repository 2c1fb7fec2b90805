"""Every row of a league, to compare bit by bit."""

from django.apps import apps

from league.models import (
    AccessChange,
    BinItem,
    Change,
    Event,
    Import,
    ImportedEvent,
    Notice,
    PlayerAlias,
    PlayerMerge,
    Pool,
)
from standings.models import Recomputation
from tests.storm.rows import computed_rows

# These grow with each write.
LOGS = {AccessChange, BinItem, Change, Import, ImportedEvent, Notice, Recomputation}
# Versions rise with each write; names and merges that come back are new rows.
NOT_COMPARED = {
    Event: {"version"},
    Pool: {"data_version"},
    PlayerAlias: {"id", "created_at"},
    PlayerMerge: {"id", "merged_at", "data"},
}


def all_rows():
    """Rows that people made, with their ids, and computed rows."""
    rows = {model: sorted(map(repr, model.objects.values_list(*names(model)))) for model in typed_models()}
    return rows, computed_rows()


def typed_models():
    """List the models whose rows people make."""
    models = [
        model
        for app in ("league", "payouts", "ratings", "standings")
        for model in apps.get_app_config(app).get_models()
    ]
    return [model for model in models if model not in LOGS and not getattr(model, "is_computed", False)]


def names(model):
    columns = [field.attname for field in model._meta.concrete_fields]
    return [name for name in columns if name not in NOT_COMPARED.get(model, ())]
