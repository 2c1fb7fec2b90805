from datetime import date
from typing import Any

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms import MAX_TITLE, checked_name
from payouts.models import SeasonRules

FIRST, LAST = date(1900, 1, 1), date(2200, 1, 1)
IN_RANGE = [MinValueValidator(FIRST), MaxValueValidator(LAST)]


class SeasonForm(forms.ModelForm[SeasonRules]):
    """A season and its rules on one page."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TITLE)
    starts_on = forms.DateField(
        label=gettext_lazy("First day"),
        validators=IN_RANGE,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
    )
    ends_on = forms.DateField(
        label=gettext_lazy("Last day"),
        validators=IN_RANGE,
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        help_text=gettext_lazy("Empty while the end is open."),
    )
    settle_again = forms.BooleanField(
        label=gettext_lazy("Apply to finished events too"),
        required=False,
        help_text=gettext_lazy("Otherwise they keep the points they were settled with."),
    )
    field_order = (
        "name",
        "starts_on",
        "ends_on",
        "structure",
        "ties",
        "attendance_points",
        "min_events",
        "settle_again",
    )

    class Meta:
        model = SeasonRules
        fields = ("structure", "ties", "attendance_points", "min_events")

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_TITLE)

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        first, last = data.get("starts_on"), data.get("ends_on")
        if isinstance(first, date) and isinstance(last, date) and last < first:
            self.add_error("ends_on", _("The last day is before the first."))
        return data

    @property
    def season_fields(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in ("name", "starts_on", "ends_on")}

    @property
    def rules(self) -> dict[str, Any]:
        return {name: self.cleaned_data[name] for name in self._meta.fields or ()}
