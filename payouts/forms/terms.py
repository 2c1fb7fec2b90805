"""Forms of the terms of an event."""

import json
from typing import Any

from django import forms

from league.forms.games import MAX_SEATS, MIN_SEATS
from league.vocabulary import gettext_lazy
from payouts.engine.structures.structure import PointsStructure
from payouts.forms.rules import MAX_TYPED
from payouts.models import EventTerms
from payouts.services.terms import TABLE_FIELDS, TERM_FIELDS


class TermsForm(forms.ModelForm[EventTerms]):
    class Meta:
        model = EventTerms
        fields = TERM_FIELDS
        labels = {
            "multiplier": gettext_lazy("Multiplier"),
            "is_final": gettext_lazy("Final"),
            "total": gettext_lazy("Points at stake"),
            "buy_in": gettext_lazy("Buy-in"),
            "paid": gettext_lazy("Paid places"),
        }
        help_texts = {
            "multiplier": gettext_lazy("The %(event_word)s's points times this count in the standings."),
            "is_final": gettext_lazy("It always counts, and missing it is not a missed %(event_word)s."),
            "total": gettext_lazy(
                "If not one for each entry: seats stay as many as entries and share these points. "
                "Formulas have no use for it."
            ),
            "buy_in": gettext_lazy("Used as b in formulas."),
            "paid": gettext_lazy("Used as paid in a formula of your own."),
        }

    def hide_unused(self, structure: PointsStructure) -> None:
        """Hide the terms that the structure has no use for; what was set, or is typed, stays visible."""
        is_used = {
            "total": structure.shares_a_total,
            "buy_in": not structure.names.isdisjoint({"b", "buy_in"}),
            "paid": "paid" in structure.names,
        }
        usual, typed = EventTerms(), self.changed_data if self.is_bound else ()
        for name, used in is_used.items():
            if not used and name not in typed and self[name].initial == getattr(usual, name):
                self.fields[name].widget = self.fields[name].hidden_widget()

    @property
    def terms(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in TERM_FIELDS}


class EventTermsForm(TermsForm):
    """The terms of a stored event, and its tables, which are a part of its result."""

    table_size = forms.IntegerField(
        label=gettext_lazy("Seats at a table"),
        required=False,
        min_value=MIN_SEATS,
        max_value=MAX_SEATS,
        help_text=gettext_lazy("Fewer seats are more hands an hour, which ratings weigh."),
    )
    final_table_size = forms.IntegerField(
        label=gettext_lazy("Seats at the final table"),
        required=False,
        min_value=MIN_SEATS,
        max_value=MAX_SEATS,
        help_text=gettext_lazy("Reaching it counts in ratings."),
    )
    version = forms.IntegerField(widget=forms.HiddenInput)
    result_version = forms.IntegerField(widget=forms.HiddenInput, required=False)

    @property
    def tables(self) -> dict[str, int | None]:
        return {name: self.cleaned_data[name] for name in TABLE_FIELDS}


class TermsPartForm(TermsForm):
    """Terms on the form of a result; `opened` are those that the form was opened with, as JSON."""

    opened = forms.CharField(widget=forms.HiddenInput, required=False, max_length=MAX_TYPED)

    @property
    def opened_terms(self) -> dict[str, Any]:
        try:
            opened = json.loads(self.cleaned_data["opened"])
        except ValueError:
            opened = None
        return opened if isinstance(opened, dict) else {}
