"""Columns of the long tables: names, sorting, what a phone leaves out. Cells are drawn by the templates."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Self

import django_tables2 as tables
from django.db.models import F, QuerySet
from django.http import HttpRequest
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _
from django_tables2.columns import BoundColumn

from league import formats
from league.models import Event, Player, PoolKind
from league.templatetags.formatting import badge as draw_badge
from league.templatetags.formatting import together

NUMBER = {"th": {"class": "n"}, "td": {"class": "n"}}
WIDE_NUMBER = {"th": {"class": "n wide"}, "td": {"class": "n wide"}}
Rows = QuerySet[Player]

PER_PAGE = 50


def configure(table: tables.Table, request: HttpRequest) -> None:
    """Sort and page by the address. RequestConfig is not used: it lets the address choose the page's length."""
    table.order_by = request.GET.getlist("sort")[:5] or table.order_by
    table.paginate(per_page=PER_PAGE)
    table.page = table.paginator.get_page(request.GET.get("page"))


class LeaderboardTable(tables.Table):
    """Columns of the leaderboard. templates/jinja draws its rows, five times as fast as renderers."""

    rank = tables.Column(verbose_name=_("Pos"), orderable=False, attrs=NUMBER)
    moved = tables.Column(verbose_name=_("Places moved"), orderable=False)
    name = tables.Column(verbose_name=_("Player"), order_by="player__key")
    badge = tables.Column(verbose_name=_("TIER"), orderable=False)
    rate = tables.Column(verbose_name=_("Rate"), order_by="rate", attrs=NUMBER, initial_sort_descending=True)
    last_change = tables.Column(verbose_name=_("Last event"), orderable=False, attrs=WIDE_NUMBER)
    n_events = tables.Column(verbose_name=_("Events"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    n_wins = tables.Column(verbose_name=_("Wins"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    profit = tables.Column(verbose_name=_("Profit/tourney"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    total = tables.Column(verbose_name=_("Total"), attrs=WIDE_NUMBER, initial_sort_descending=True)


RANKED_BY = {"points": "total", "tier": "rate", "profit": "profit"}  # the last column, on phones too


@dataclass(frozen=True)
class HeadColumn:
    """The head of a column. `sort` is the parameter that sorts by it, "" if it cannot be sorted."""

    name: str
    label: str
    is_numeric: bool
    is_wide: bool
    sort: str
    direction: str


@dataclass(frozen=True)
class Sorting:
    """An order of the leaderboard: the heads that show it, and the database columns."""

    columns: tuple[HeadColumn, ...]
    database_order: tuple[str, ...]


@lru_cache(maxsize=64)
def leaderboard_sorting(by: str, sort: str, kind: str, *, has_badges: bool, pays_balances: bool) -> Sorting:
    """The sorting by `by` and `sort` in an address, in a season whose pool is of this kind.

    Cached, since making a table copies every column.
    """
    ranked = RANKED_BY[by]
    absent = ["rate", "last_change"] if kind == PoolKind.NONE else []
    if not has_badges:
        absent.append("badge")
    table = LeaderboardTable([], order_by=sort.split(","), sequence=("...", ranked), exclude=absent)
    order = [str(order) for alias in table.order_by or () for order in table.columns[alias.bare].order_by]
    labels: dict[str, Any] = {"rate": "R", "badge": _("Badge")} if kind == PoolKind.PROFIT else {}
    if pays_balances:
        labels["profit"] = _("Balance/game")
    return Sorting(tuple(_head_column(column, ranked, labels) for column in table.columns), tuple(order))


def _head_column(column: BoundColumn, ranked: str, labels: Mapping[str, Any]) -> HeadColumn:
    classes = (column.attrs["th"].get("class") or "").split()
    return HeadColumn(
        name=column.name,
        label=labels.get(column.name, column.verbose_name),
        is_numeric="n" in classes,
        is_wide="wide" in classes and column.name != ranked,
        sort=str(column.order_by_alias.next) if column.orderable else "",
        direction=_direction(column),
    )


def _direction(column: BoundColumn) -> str:
    if not column.is_ordered:
        return ""
    return "descending" if column.order_by_alias.is_descending else "ascending"


class PlayerTable(tables.Table):
    name = tables.Column(
        verbose_name=_("Player"), order_by="key", linkify=True, attrs={"cell": {"class": "nm"}}
    )
    badge = tables.Column(
        verbose_name=_("TIER"), accessor="badge", orderable=False, attrs={"td": {"class": "bd"}}
    )
    rate = tables.Column(verbose_name=_("Rate"), attrs=NUMBER, initial_sort_descending=True)
    n_entries = tables.Column(verbose_name=_("Entries"), attrs=NUMBER, initial_sort_descending=True)
    last_at = tables.DateColumn(
        verbose_name=_("Last event"), attrs=WIDE_NUMBER, format="Y-m-d", initial_sort_descending=True
    )

    class Meta:
        model = Player
        fields = ("name", "badge", "rate", "n_entries", "last_at")
        order_by = ("name",)
        attrs = {"class": "t five"}
        empty_text = _("No player has this name.")
        default = "–"
        row_header = "name"

    @classmethod
    def rated_by(cls, kind: str, rows: Rows, **options: Any) -> Self:
        """The table for ratings of this kind."""
        absent = ("badge", "rate", "n_entries", "last_at") if kind == PoolKind.NONE else ()
        table = cls(rows, exclude=absent, **options)
        if kind == PoolKind.PROFIT:
            for name, label in (("rate", "R"), ("badge", _("Badge")), ("n_entries", _("Games"))):
                table.columns[name].column.verbose_name = label
        return table

    def order_rate(self, queryset: Rows, is_descending: bool) -> tuple[Rows, bool]:
        return _ordered(queryset, "rate", is_descending)

    def order_n_entries(self, queryset: Rows, is_descending: bool) -> tuple[Rows, bool]:
        return _ordered(queryset, "n_entries", is_descending)

    def order_last_at(self, queryset: Rows, is_descending: bool) -> tuple[Rows, bool]:
        return _ordered(queryset, "last_at", is_descending)

    def render_badge(self, record: Player, value: str) -> str:
        return draw_badge(value, provisional=record.is_provisional, size="xs")  # type: ignore[attr-defined]  # annotated

    def render_rate(self, value: float) -> str:
        return formats.whole_rate(value)


def _ordered(rows: Rows, column: str, is_descending: bool) -> tuple[Rows, bool]:
    """Sort rows without a value last in both directions; equals by name."""
    value = F(column)
    order = value.desc(nulls_last=True) if is_descending else value.asc(nulls_last=True)
    return rows.order_by(order, "key"), True


class EventTable(tables.Table):
    starts_at = tables.DateTimeColumn(
        verbose_name=_("Day"), linkify=True, format="Y-m-d", attrs={"cell": {"class": "nb"}}
    )
    name = tables.Column(verbose_name=_("Name"), linkify=True, attrs={"cell": {"class": "wide"}})
    winner = tables.Column(verbose_name=_("Winner"))
    n_players = tables.Column(verbose_name=_("Players"), attrs=NUMBER, initial_sort_descending=True)
    n_entries = tables.Column(verbose_name=_("Entries"), attrs=NUMBER, initial_sort_descending=True)

    class Meta:
        model = Event
        fields = ("starts_at", "name", "winner", "n_players", "n_entries")
        order_by = ("-starts_at",)
        attrs = {"class": "t five"}
        empty_text = _("No event has been entered yet.")

    def render_winner(self, record: Event) -> SafeString:
        """Name all who share the win; on phones, which have no column for it, also the event."""
        names = together(record.winners)  # type: ignore[attr-defined]  # prefetched
        if not record.name:
            return escape(names)
        return format_html('{}<span class="meta wrap narrow">{}</span>', names, record.name)
