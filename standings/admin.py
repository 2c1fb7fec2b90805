from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from standings.models import Recomputation


@admin.register(Recomputation)
class RecomputationAdmin(admin.ModelAdmin[Recomputation]):
    """Whether work is done: each pool's computed version, and what stopped it."""

    list_display = ("pool", "rated_version", "rated_at", "n_failures", "error")
    list_select_related = ("pool__club",)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False
