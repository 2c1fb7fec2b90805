"""Clubs: their members, and giving a club to another owner."""

from collections.abc import Sequence
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path, reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.admin.base import OperatedAdmin, RowsInline, require_second_factor
from league.models import Club, Invitation, Membership, Pool, Role
from league.services.errors import Refused
from people.forms.members import MemberForm
from people.services.members import give_club, remove_member, set_member


class NewOwnerForm(MemberForm):
    role = None  # type: ignore[assignment]  # it is always that of an owner


class MembershipForm(forms.ModelForm[Membership]):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if self.instance.pk is not None:
            # Another person in an existing row would be added, and the one before would stay a member. The one name
            # is given to the field, which would ask the database for it, row by row.
            field = self.fields["user"]
            field.disabled = True
            field.widget = forms.Select(choices=[(self.instance.user_id, str(self.instance.user))])


class MembershipInline(admin.TabularInline[Membership, Club]):
    model = Membership
    form = MembershipForm
    extra = 0
    autocomplete_fields = ("user",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Membership]:
        return super().get_queryset(request).select_related("user", "club")


class OpenInvitationInline(RowsInline):
    model = Invitation
    view_on_site = False  # it would open the link, which is for the invited alone
    verbose_name_plural = gettext_lazy("open invitations")
    fields = ("role", "email", "player", "made_by", "made_at", "ends_at")
    readonly_fields = ("made_at",)
    related = ("club", "player", "made_by")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Invitation]:
        return super().get_queryset(request).filter(pk__in=Invitation.objects.open())


class PoolInline(RowsInline):
    model = Pool
    related = ("club",)


@admin.register(Club)
class ClubAdmin(OperatedAdmin):
    list_display = ("name", "slug", "owners", "is_public", "created_at")
    search_fields = (
        "name", "slug", "contact", "memberships__user__username", "memberships__user__email", "players__name",
    )  # fmt: skip
    readonly_fields = (
        "name", "slug", "is_public", "time_zone", "contact", "requires_two_factor", "created_at",
    )  # fmt: skip
    fields = readonly_fields
    inlines = (MembershipInline, OpenInvitationInline, PoolInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Club]:
        return super().get_queryset(request).prefetch_related("memberships__user")

    @admin.display(description=gettext_lazy("owners"))
    def owners(self, club: Club) -> str:
        return ", ".join(str(row.user) for row in club.memberships.all() if row.role == Role.OWNER)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False  # its owner closes and deletes it on the site

    def links(self, request: HttpRequest, object_id: str) -> Sequence[tuple[str, Any]]:
        if not self.has_operate_permission(request):
            return ()
        return [(reverse("admin:league_club_give", args=[object_id]), _("Give to another owner"))]

    def get_urls(self) -> list[URLPattern]:
        give = self.admin_site.admin_view(self.give)
        return [path("<int:club_id>/give/", give, name="league_club_give"), *super().get_urls()]

    def give(self, request: HttpRequest, club_id: int) -> HttpResponse:
        """Ask for the new owner, and give the club to that person."""
        if not self.has_operate_permission(request):
            raise PermissionDenied
        assert isinstance(request.user, User)
        club = get_object_or_404(Club, pk=club_id)
        form = NewOwnerForm(request.POST or None)
        if request.method == "POST" and form.is_valid():
            try:
                self._give(request, club, form.cleaned_data["person"])
                return redirect("admin:league_club_change", club.pk)
            except Refused as error:
                form.add_error("person", str(error))
        title = _("Give %(club)s to another owner") % {"club": club}
        context = self.admin_site.each_context(request) | {
            "form": form,
            "club": club,
            "title": title,
            "opts": self.opts,
        }
        return render(request, "admin/give_club.html", context)

    def _give(self, request: HttpRequest, club: Club, person: User) -> None:
        assert isinstance(request.user, User)
        require_second_factor(club, request.user)
        give_club(club, user=person, actor=request.user)
        said = _("%(name)s is the owner now.") % {"name": person}
        self.log_change(request, club, said)
        messages.success(request, said)

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:  # noqa: ARG002  Django's signature
        """Save members by the services, so that the club's history has them."""
        assert isinstance(request.user, User)
        club, actor = form.instance, request.user
        changed = formset.save(commit=False)
        try:
            if changed or formset.deleted_objects:
                require_second_factor(club, actor)
            for membership in changed:
                set_member(club, user=membership.user, role=Role(membership.role), actor=actor)
            for membership in formset.deleted_objects:
                remove_member(club, user=membership.user, actor=actor)
        except Refused as error:
            messages.error(request, str(error))
