"""Seasons, events, players, pools, games, and the histories: for reading."""

from django.contrib import admin
from django.contrib.admin.models import LogEntry

from league.admin.base import ReadOnlyAdmin, RowsInline
from league.models import (
    AccessChange,
    BinItem,
    Change,
    Claim,
    Entry,
    Event,
    Game,
    Player,
    PlayerAlias,
    Pool,
    Season,
)


class EntryInline(RowsInline):
    model = Entry
    related = ("player", "event__season__club")
    show_change_link = False


@admin.register(Event)
class EventAdmin(ReadOnlyAdmin):
    list_display = ("__str__", "season", "starts_at", "version")
    list_select_related = ("season__club",)
    search_fields = (
        "name",
        "season__name",
        "season__club__name",
        "season__club__slug",
        "entries__player__name",
    )
    inlines = (EntryInline,)


@admin.register(Season)
class SeasonAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "starts_on", "is_closed", "is_sealed")
    list_select_related = ("club",)
    search_fields = ("name", "slug", "club__name", "club__slug")


class PlayerAliasInline(RowsInline):
    model = PlayerAlias
    related = ("club", "player")
    show_change_link = False


class ClaimInline(RowsInline):
    model = Claim
    related = ("player", "user")
    show_change_link = False


@admin.register(Player)
class PlayerAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "is_guest", "user", "joined_at")
    search_fields = ("name", "aliases__name", "club__name", "club__slug", "user__username", "user__email")
    list_select_related = ("club", "user")
    inlines = (PlayerAliasInline, ClaimInline)


@admin.register(Pool)
class PoolAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "kind", "is_shut", "data_version")
    list_select_related = ("club",)
    search_fields = ("name", "club__name", "club__slug")


@admin.register(Game)
class GameAdmin(ReadOnlyAdmin):
    list_display = ("name", "club", "kind", "entry_form", "pool", "is_shut")
    list_select_related = ("club", "pool__club")
    search_fields = ("name", "club__name", "club__slug")


@admin.register(Change)
class ChangeAdmin(ReadOnlyAdmin):
    list_display = ("at", "pool", "kind", "event", "actor")
    list_filter = ("kind",)
    list_select_related = ("pool__club", "event__season__club", "actor")
    search_fields = ("pool__club__name", "pool__club__slug", "actor__username", "reason")


@admin.register(AccessChange)
class AccessChangeAdmin(ReadOnlyAdmin):
    list_display = ("at", "club", "kind", "person", "actor")
    list_filter = ("kind",)
    list_select_related = ("club", "actor")
    search_fields = ("person", "actor__username", "club__name", "club__slug")


@admin.register(BinItem)
class BinItemAdmin(ReadOnlyAdmin):
    list_display = ("label", "kind", "club", "deleted_at", "deleted_by", "days_left")
    list_filter = ("kind",)
    list_select_related = ("club", "deleted_by")
    search_fields = ("label", "club__name", "club__slug", "deleted_by__username")


@admin.register(LogEntry)
class OperatorsLogAdmin(ReadOnlyAdmin):
    """What operators have done on these pages."""

    list_display = ("action_time", "user", "content_type", "object_repr", "change_message")
    list_select_related = ("user", "content_type")
    search_fields = ("user__username", "object_repr", "change_message")
