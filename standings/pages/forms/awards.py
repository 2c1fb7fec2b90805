"""Forms of members' pages."""

from datetime import date

from django import forms
from django.utils import timezone

from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy

FIRST = date(1900, 1, 1)


class DayForm(forms.Form):
    """The past day whose ratings are to be shown."""

    on = forms.DateField(
        label=gettext_lazy("Ratings at the end of"),
        required=False,
        widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"),
        error_messages={"invalid": gettext_lazy("write a day like 2026-01-31.")},
    )

    def clean_on(self) -> date | None:
        day: date | None = self.cleaned_data["on"]
        if day and not FIRST <= day <= timezone.localdate():
            raise forms.ValidationError(_("choose a day that is over, or today."))
        return day
