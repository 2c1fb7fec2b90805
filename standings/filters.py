"""Filters of a leaderboard: name, badge, minimum of events."""

from collections.abc import Mapping

import django_filters
from django import forms
from django.db.models import QuerySet

from league.vocabulary import gettext_lazy as _
from reading.names.keys import name_key
from standings.models import Standing

FAMILIES = [(letter, letter) for letter in "SABC"]
LEAST = [(3, _("3+ %(events_word)s")), (5, _("5+ %(events_word)s")), (10, _("10+ %(events_word)s"))]


class StandingFilter(django_filters.FilterSet):
    q = django_filters.CharFilter(
        label=_("Find a player"),
        method="by_name",
        max_length=60,
        widget=forms.TextInput({"type": "search", "placeholder": _("Find a player")}),
    )
    badge = django_filters.ChoiceFilter(
        label=_("Badge"),
        choices=FAMILIES,
        field_name="badge",
        lookup_expr="startswith",
        empty_label=_("All badges"),
    )
    least = django_filters.ChoiceFilter(
        label=_("Minimum %(events_word)s"),
        choices=LEAST,
        field_name="n_events",
        lookup_expr="gte",
        empty_label=_("All players"),
    )

    class Meta:
        model = Standing
        fields: list[str] = []

    def by_name(self, rows: QuerySet[Standing], _name: str, value: str) -> QuerySet[Standing]:
        return rows.filter(player__key__contains=name_key(value))


def chosen_in(filters: StandingFilter | None) -> dict[str, str]:
    """Return the choices of a reader by name of the filter."""
    return {name: value for name, value in filters.form.cleaned_data.items() if value} if filters else {}


SELECTS = {name: StandingFilter.base_filters[name].field for name in ("badge", "least")}


def filter_of(choice: Mapping[str, str]) -> StandingFilter | None:
    """Build the filter of a reader's choice; None if it is empty or invalid."""
    if not any(choice.values()):
        return None  # most readers, without making a form
    filters = StandingFilter(choice)
    return filters if filters.is_valid() and any(filters.form.cleaned_data.values()) else None
