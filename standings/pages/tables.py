"""The long tables: names of columns, sorting, what a phone leaves out, how cells are written."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import datetime
from typing import Any, Self

import django_tables2 as tables
from django.db.models import F, QuerySet
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString

from league import formats
from league.models import Event, Player, PoolKind
from league.tables import NUMBER, WIDE_NUMBER, Head, Table, draw_rows, head_of, link
from league.templatetags.formatting import badge as draw_badge
from league.templatetags.formatting import together
from league.vocabulary import gettext
from league.vocabulary import gettext_lazy as _
from standings.decimals import places_of
from standings.queries import LeaderRow, unknown_last

Rows = QuerySet[Player]
# The figure that each order goes by, which phones show too.
RANKED_BY = {
    "points": "total",
    "tier": "rate",
    "profit": "profit",
    "wins": "n_wins",
    "attendance": "n_events",
}


class LeaderboardTable(Table):
    """The leaderboard. Its rows are read in its order by standings.queries and drawn by a template of their own."""

    caption = _("Leaderboard")
    by: str

    rank = tables.Column(verbose_name=_("Position"), orderable=False, attrs={"th": {"class": "n pos"}})
    name = tables.Column(verbose_name=_("Player"), order_by="player__key")
    badge = tables.Column(verbose_name=_("Badge"), orderable=False)
    rate = tables.Column(verbose_name=_("Rate"), order_by="rate", attrs=NUMBER, initial_sort_descending=True)
    n_events = tables.Column(
        verbose_name=_("%(Events_word)s"), attrs=WIDE_NUMBER, initial_sort_descending=True
    )
    n_wins = tables.Column(verbose_name=_("%(Wins_word)s"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    profit = tables.Column(verbose_name=_("Profit"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    total = tables.Column(verbose_name=_("Points"), attrs=WIDE_NUMBER, initial_sort_descending=True)

    class Meta:
        attrs = {"class": "lead-t five"}

    def __init__(self, by: str, sort: str, kind: str, *, has_badges: bool, pays_balances: bool) -> None:
        """Make the table of an order and a sorting of an address, for a season whose pool is of this kind."""
        absent = ["rate"] if kind == PoolKind.NONE else []
        if not has_badges:
            absent.append("badge")
        super().__init__([], order_by=sort.split(","), exclude=absent)
        self.by = by
        labels = {"rate": "R"} if kind == PoolKind.PROFIT else {}
        if pays_balances:
            labels["profit"] = gettext("Balance/game")
        for column in self.columns:
            column.column.verbose_name = labels.get(column.name, column.column.verbose_name)
        self.shown: dict[str, Any] = {
            "by": by,
            "sort": sort,
            "n_columns": len(self.columns),
            "has_rates": kind != PoolKind.NONE,
            "has_badges": has_badges,
        }

    @property
    def database_order(self) -> tuple[str, ...]:
        """The columns of the database that the rows are sorted by."""
        aliases = self.order_by or ()
        return tuple(str(order) for alias in aliases for order in self.columns[alias.bare].order_by)

    def heads(self) -> Iterator[Head]:
        """List the heads of the columns; what the table is ranked by is shown on phones, too."""
        for column in self.columns:
            head = head_of(column)
            if column.name == RANKED_BY[self.by]:
                head = replace(head, classes="n", direction=head.direction or "descending")
            yield replace(head, is_hidden=column.name == "rank")

    def with_rows(self, rows: list[LeaderRow], links: Mapping[str, str]) -> Self:
        """Give the table the rows of a page, and the addresses that they link to."""
        self.shown |= {"rows": rows, "places": places_of(row.total for row in rows), **links}
        return self

    def drawn_rows(self) -> SafeString:
        """Draw the rows of the page."""
        return draw_rows("leaderboard_rows.jinja", self.shown)

    def drawn_far_row(self, row: LeaderRow, page: int, links: Mapping[str, str]) -> SafeString:
        """Draw the row of a reader that stands on another page."""
        far_page = {"far_page": gettext("On page %(page)d") % {"page": page}}
        return draw_rows("leaderboard_rows.jinja", self.with_rows([row], links).shown | far_page)


class PlayerTable(Table):
    row_header = "name"

    name = tables.Column(verbose_name=_("Player"), order_by="key", attrs={"cell": {"class": "nm"}})
    badge = tables.Column(
        verbose_name=_("Badge"), accessor="badge", orderable=False, attrs={"td": {"class": "bd"}}
    )
    rate = tables.Column(verbose_name=_("Rate"), attrs=NUMBER, initial_sort_descending=True)
    n_entries = tables.Column(verbose_name=_("Entries"), attrs=NUMBER, initial_sort_descending=True)
    last_at = tables.Column(
        verbose_name=_("Last %(night_word)s"), attrs=WIDE_NUMBER, initial_sort_descending=True
    )

    class Meta:
        model = Player
        fields = ("name", "badge", "rate", "n_entries", "last_at")
        order_by = ("-rate",)
        attrs = {"class": "t five"}
        empty_text = _("No player has this name.")
        default = "–"

    @classmethod
    def rated_by(cls, kind: str, rows: Rows, **options: Any) -> Self:
        """Make the table for ratings of this kind."""
        if kind == PoolKind.NONE:
            return cls(rows, exclude=("badge", "rate", "n_entries", "last_at"), order_by=("name",), **options)
        table = cls(rows, **options)
        if kind == PoolKind.PROFIT:
            for name, label in (("rate", "R"), ("n_entries", _("%(Games_word)s"))):
                table.columns[name].column.verbose_name = label
        return table

    def order_rate(self, queryset: Rows, is_descending: bool) -> tuple[Rows, bool]:
        return _players_ordered(queryset, "rate", is_descending)

    def order_n_entries(self, queryset: Rows, is_descending: bool) -> tuple[Rows, bool]:
        return _players_ordered(queryset, "n_entries", is_descending)

    def order_last_at(self, queryset: Rows, is_descending: bool) -> tuple[Rows, bool]:
        return _players_ordered(queryset, "last_at", is_descending)

    def render_name(self, record: Player, value: str) -> SafeString:
        name = link(record.get_absolute_url(), value)
        last = getattr(record, "last_at", None)
        if last is None or not record.is_away:  # type: ignore[attr-defined]  # annotated
            return name
        away = gettext("last played in %(year)d") % {"year": timezone.localtime(last).year}
        return format_html('{} <span class="meta">{}</span>', name, away)

    def render_last_at(self, value: datetime) -> str:
        return date_format(timezone.localtime(value), "DATE_FORMAT")

    def render_badge(self, record: Player, value: str) -> str:
        return draw_badge(value, provisional=record.is_provisional, size="xs")  # type: ignore[attr-defined]  # annotated

    def render_rate(self, value: float) -> str:
        return formats.whole_rate(value)


def _players_ordered(rows: Rows, column: str, is_descending: bool) -> tuple[Rows, bool]:
    """Sort those who are away last, and those without a value last of each; equals by name."""
    return rows.order_by(
        F("is_away").asc(), unknown_last(f"-{column}" if is_descending else column), "key"
    ), True


class EventTable(Table):
    starts_at = tables.Column(verbose_name=_("Day"), attrs={"cell": {"class": "nb"}})
    name = tables.Column(verbose_name=_("Name"), attrs={"cell": {"class": "wide"}})
    winner = tables.Column(verbose_name=_("Winner"))
    n_players = tables.Column(verbose_name=_("Players"), attrs=NUMBER, initial_sort_descending=True)
    n_entries = tables.Column(verbose_name=_("Entries"), attrs=NUMBER, initial_sort_descending=True)

    class Meta:
        model = Event
        fields = ("starts_at", "name", "winner", "n_players", "n_entries")
        order_by = ("-starts_at",)
        attrs = {"class": "t five"}
        empty_text = _("No %(event_word)s has been entered yet.")
        default = "–"

    def render_starts_at(self, record: Event, value: datetime) -> SafeString:
        return link(record.get_absolute_url(), f"{timezone.localtime(value):%Y-%m-%d}")

    def render_name(self, record: Event, value: str) -> SafeString:
        return link(record.get_absolute_url(), value)

    def render_winner(self, record: Event) -> SafeString:
        """Name all who share the win; on phones, which have no column for it, also the event."""
        names = together(record.winners)  # type: ignore[attr-defined]  # prefetched
        if not record.name:
            return escape(names)
        return format_html('{}<span class="meta wrap narrow">{}</span>', names, record.name)
