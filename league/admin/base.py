"""What the admin pages share: rows that are only read, and what an operator does to one or more rows."""

from collections.abc import Callable, Sequence
from functools import wraps
from typing import Any

from django.contrib import admin, messages
from django.contrib.auth.models import Group, User
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from league.access import two_factor_reason
from league.models import Club
from league.queries import has_two_factor, needs_two_factor
from league.services.errors import Refused

admin.site.site_header = admin.site.site_title = _("Tierboard: operators")
admin.site.index_title = _("Find, repair, hand over")
admin.site.unregister(Group)  # roles are those of clubs

Act = Callable[[Any, HttpRequest, Any], str]


def operation(title: Any) -> Callable[[Act], Any]:
    """Make an admin action of what is done to one row, which returns what to say.

    The page of a row has a button for it, and the list does it to all rows that are ticked.
    """

    def decorate(act: Act) -> Any:
        @admin.action(description=title, permissions=["operate"])
        @wraps(act)
        def action(page: "OperatedAdmin", request: HttpRequest, rows: QuerySet[Any]) -> HttpResponse | None:
            for row in rows:
                _do(page, request, row, act)
            return redirect(_address(rows[0])) if "from_page" in request.POST and rows else None

        return action

    return decorate


def _do(page: "OperatedAdmin", request: HttpRequest, row: Model, act: Act) -> None:
    """Run an operation on a row; report and log its success, or report why it was refused."""
    try:
        said = act(page, request, row)
    except Refused as error:
        messages.error(request, f"{row}: {error}")
        return
    page.log_change(request, row, said)
    messages.success(request, f"{row}: {said}")


def _address(row: Model) -> str:
    return reverse(f"admin:{row._meta.app_label}_{row._meta.model_name}_change", args=[row.pk])


class OperatedAdmin(admin.ModelAdmin[Any]):
    """Pages with buttons for what an operator does, for staff who may change such rows."""

    change_form_template = "admin/operated.html"

    def has_operate_permission(self, request: HttpRequest) -> bool:
        name = f"{self.opts.app_label}.change_{self.opts.model_name}"
        return isinstance(request.user, User) and request.user.has_perm(name)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        acts = [act for act in self.get_action_choices(request, []) if act[0] != "delete_selected"]
        context = {"operations": acts, "links": self.links(request, object_id)}
        return super().change_view(request, object_id, form_url, context | (extra_context or {}))

    def links(self, _request: HttpRequest, _object_id: str) -> Sequence[tuple[str, Any]]:
        """List further pages about a row: address and title."""
        return ()


class ReadOnly:
    """Permissions to view only, for rows that services or computations write."""

    def has_add_permission(self, _request: HttpRequest, *_args: Any) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


class ReadOnlyAdmin(ReadOnly, OperatedAdmin):
    pass


class RowsInline(ReadOnly, admin.TabularInline[Any, Any]):
    """Rows of another model on a page, for reading; `related` are the objects that their lines name."""

    extra = 0
    related: tuple[str, ...] = ()
    show_change_link = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related(*self.related)


def require_second_factor(club: Club, user: Any) -> None:
    """Refuse an operator without a second factor if the club requires one of its organizers."""
    if needs_two_factor(user, club) and not has_two_factor(user):
        raise Refused(two_factor_reason(club))
