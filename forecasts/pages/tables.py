"""The table of a player's opponents: its columns, and how they are sorted."""

from typing import Any

import django_tables2 as tables
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from forecasts.opponents import Opponent
from league import formats
from league.models import Club
from league.tables import NUMBER, WIDE_NUMBER, Table
from league.vocabulary import gettext_lazy as _


class OpponentTable(Table):
    """Opponents by how often they were met; every figure can be sorted by."""

    row_header = "name"

    name = tables.Column(verbose_name=_("Opponent"), attrs={"cell": {"class": "nm"}})
    n_events = tables.Column(verbose_name=_("Met"), attrs=NUMBER, initial_sort_descending=True)
    ahead = tables.Column(verbose_name=_("Ahead"), attrs=NUMBER, initial_sort_descending=True)
    expected = tables.Column(verbose_name=_("Expected"), attrs=WIDE_NUMBER, initial_sort_descending=True)
    difference = tables.Column(verbose_name=_("Difference"), attrs=NUMBER, initial_sort_descending=True)

    class Meta:
        order_by = ("-n_events",)
        attrs = {"class": "t five"}

    def __init__(self, club: Club, rows: list[Opponent], **options: Any) -> None:
        self.club = club
        super().__init__(rows, **options)

    def render_name(self, record: Opponent) -> SafeString:
        address = reverse("standings:player", args=[self.club.slug, record.player_id])
        return format_html('<a href="{}">{}</a>', address, record.name)

    def render_ahead(self, value: float) -> str:
        return formats.number(value, 0 if value.is_integer() else 1)

    def render_expected(self, value: float) -> str:
        return formats.number(value, 1)

    def render_difference(self, value: float) -> str:
        return formats.signed(value, 1)
