"""Admin pages for the operator. Results are read-only here: the site changes them and recomputes ratings."""

from typing import Any

from allauth.mfa.models import Authenticator
from django import forms
from django.contrib import admin, messages
from django.contrib.auth.models import User
from django.http import HttpRequest

from league.models import (
    AccessChange,
    Change,
    Club,
    Entry,
    Event,
    Game,
    Membership,
    Player,
    PlayerAlias,
    Pool,
    Role,
    Season,
)
from league.services.errors import Refused
from league.services.members import remove_member, set_member


class ReadOnly:
    """Permissions to view only, for rows that services or computations write."""

    def has_add_permission(self, _request: HttpRequest, *_args: Any) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


class MembershipForm(forms.ModelForm[Membership]):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Another person in an existing row would be added, and the one before would stay a member.
        self.fields["user"].disabled = self.instance.pk is not None


class MembershipInline(admin.TabularInline[Membership, Club]):
    model = Membership
    form = MembershipForm
    extra = 0
    autocomplete_fields = ("user",)


@admin.register(Club)
class ClubAdmin(admin.ModelAdmin[Club]):
    list_display = ("name", "slug", "is_public", "created_at")
    search_fields = ("name", "slug")
    readonly_fields = ("name", "is_public", "time_zone", "slug")
    inlines = (MembershipInline,)

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False

    def save_formset(self, request: HttpRequest, form: Any, formset: Any, change: bool) -> None:  # noqa: ARG002  Django's signature
        """Save members by the services, so that the club's history has them."""
        assert isinstance(request.user, User)
        club, actor = form.instance, request.user
        changed = formset.save(commit=False)
        try:
            for membership in changed:
                set_member(club, user=membership.user, role=Role(membership.role), actor=actor)
            for membership in formset.deleted_objects:
                remove_member(club, user=membership.user, actor=actor)
        except Refused as error:
            messages.error(request, str(error))


class ReadOnlyAdmin(ReadOnly, admin.ModelAdmin[Any]):
    pass


class EntryInline(ReadOnly, admin.TabularInline[Entry, Event]):
    model = Entry
    extra = 0


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "season", "starts_at", "version")
    list_select_related = ("season__club",)
    inlines = (EntryInline,)


@admin.register(Season)
class SeasonAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "starts_on", "is_closed", "is_sealed")
    list_select_related = ("club",)


class PlayerAliasInline(ReadOnly, admin.TabularInline[PlayerAlias, Player]):
    model = PlayerAlias
    extra = 0


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "is_guest")
    search_fields = ("name",)
    list_select_related = ("club",)
    inlines = (PlayerAliasInline,)


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "kind", "is_shut", "data_version")
    list_select_related = ("club",)


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "kind", "entry_form", "pool", "is_shut")
    list_select_related = ("club", "pool__club")


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    list_display = ("at", "pool", "kind", "event", "actor")
    list_filter = ("kind",)
    list_select_related = ("pool__club", "event__season__club", "actor")


@admin.register(AccessChange)
class AccessChangeAdmin(ReadOnlyAdmin):
    list_display = ("at", "club", "kind", "person", "actor")
    list_filter = ("kind",)
    list_select_related = ("club", "actor")


admin.site.unregister(Authenticator)  # allauth's page shows the secret


@admin.register(Authenticator)
class SecondFactorAdmin(admin.ModelAdmin[Authenticator]):
    """For the operator, who removes a factor that its owner has lost."""

    list_display = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    search_fields = ("user__username",)
    exclude = ("data",)
    readonly_fields = ("user", "type", "created_at", "last_used_at")

    def has_add_permission(self, _request: HttpRequest) -> bool:
        return False
