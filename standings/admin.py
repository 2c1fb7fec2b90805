from django.contrib import admin

from league.admin import ReadOnlyAdmin
from standings.models import Recomputation, SeasonSeal


@admin.register(Recomputation)
class RecomputationAdmin(ReadOnlyAdmin):
    """The version to which each pool is computed, and its last error."""

    list_display = ("pool", "rated_version", "rated_at", "n_failures", "error")
    list_select_related = ("pool__club",)


@admin.register(SeasonSeal)
class SeasonSealAdmin(ReadOnlyAdmin):
    """Seals of seasons, for reading: an owner breaks a seal on the site."""

    list_display = ("season", "sealed_at", "sealed_by", "sha256")
    list_select_related = ("season__club", "sealed_by")
    exclude = ("text",)
