from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import ReadOnlyAdmin, operation
from league.celery import enqueue_on_commit
from league.services.errors import Refused
from standings.models import Recomputation, SeasonSeal
from standings.queries import stale_pools
from standings.recomputation.service import invalidate_pool
from standings.seals.queries import broken_by
from standings.tasks import recompute_pool


class StateFilter(admin.SimpleListFilter):
    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, _request: HttpRequest, _page: Any) -> list[tuple[str, str]]:
        return [("failing", _("failing")), ("waiting", _("waiting"))]

    def queryset(self, _request: HttpRequest, rows: QuerySet[Recomputation]) -> QuerySet[Recomputation]:
        waiting = rows.filter(pool__in=stale_pools().order_by())
        return {"failing": waiting.filter(n_failures__gt=0), "waiting": waiting}.get(self.value() or "", rows)


@admin.register(Recomputation)
class RecomputationAdmin(ReadOnlyAdmin):
    """The version to which each pool is computed, and its last error."""

    list_display = ("pool", "is_computed", "rated_version", "rated_at", "n_failures", "error")
    list_select_related = ("pool__club",)
    list_filter = (StateFilter,)
    search_fields = ("pool__name", "pool__club__name", "pool__club__slug", "error")
    actions = ("compute", "compute_all")

    @admin.display(boolean=True, description=gettext_lazy("computed"))
    def is_computed(self, state: Recomputation) -> bool:
        return not state.is_behind(state.pool)

    @operation(gettext_lazy("Compute now what waits"))
    def compute(self, _request: HttpRequest, state: Recomputation) -> str:
        if not state.is_behind(state.pool):
            raise Refused(_("Nothing waits: everything is computed."))
        enqueue_on_commit(recompute_pool, state.pool_id)
        return _("A worker is asked to compute it.")

    @operation(gettext_lazy("Compute everything again"))
    def compute_all(self, _request: HttpRequest, state: Recomputation) -> str:
        invalidate_pool(state.pool_id)
        enqueue_on_commit(recompute_pool, state.pool_id)
        return _("A worker is asked to compute it from the first event on.")


@admin.register(SeasonSeal)
class SeasonSealAdmin(ReadOnlyAdmin):
    """Seals of seasons, for reading: an owner breaks a seal on the site."""

    list_display = ("season", "sealed_at", "sealed_by", "sha256")
    list_select_related = ("season__club", "sealed_by")
    search_fields = ("season__name", "season__club__name", "season__club__slug", "sha256")
    exclude = ("text",)
    actions = ("check_seal",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[SeasonSeal]:
        return super().get_queryset(request).defer("text")

    @operation(gettext_lazy("Check"))
    def check_seal(self, _request: HttpRequest, seal: SeasonSeal) -> str:
        if problem := broken_by(seal.season):
            raise Refused(problem)
        return _("The season is as it was sealed.")
