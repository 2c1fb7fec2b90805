from django.contrib import admin

from league.admin import ReadOnlyAdmin
from standings.models import Recomputation, SeasonSeal


@admin.register(Recomputation)
class RecomputationAdmin(ReadOnlyAdmin):
    """Whether work is done: each pool's computed version, and what stopped it."""

    list_display = ("pool", "rated_version", "rated_at", "n_failures", "error")
    list_select_related = ("pool__club",)


@admin.register(SeasonSeal)
class SeasonSealAdmin(ReadOnlyAdmin):
    """Broken on the site, by an owner."""

    list_display = ("season", "sealed_at", "sealed_by", "sha256")
    list_select_related = ("season__club", "sealed_by")
    exclude = ("text",)
