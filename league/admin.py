"""Admin pages for the operator. Results are read-only here: the site changes them and recomputes ratings."""

from typing import Any

from django.contrib import admin
from django.http import HttpRequest

from league.models import Change, Club, Entry, Event, Membership, Player, Pool, Season


class ReadOnly:
    """Permissions to view only, for rows that services or computations write."""

    def has_add_permission(self, _request: HttpRequest, *_args: Any) -> bool:
        return False

    def has_change_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, _request: HttpRequest, _obj: Any = None) -> bool:
        return False


class MembershipInline(admin.TabularInline[Membership, Club]):
    model = Membership
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


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "is_guest")
    search_fields = ("name",)
    list_select_related = ("club",)


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "data_version")
    list_select_related = ("club",)


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    list_display = ("at", "pool", "kind", "event", "actor")
    list_filter = ("kind",)
    list_select_related = ("pool__club", "event__season__club", "actor")
