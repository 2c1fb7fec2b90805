"""The form of totals brought forward."""

from django import forms

from entry.forms.results import MAX_TEXT
from league.vocabulary import gettext_lazy


class BroughtForwardForm(forms.Form):
    """Totals of a season in which each event adds points for attendance: whether these are contained is asked for."""

    CONTAINED = {"contained": True, "added": False}

    text = forms.CharField(
        label=gettext_lazy("Totals, one player a line"),
        required=False,
        max_length=MAX_TEXT,
        strip=False,
        widget=forms.Textarea({"spellcheck": "false", "autocapitalize": "none", "autocomplete": "off"}),
    )
    version = forms.IntegerField(widget=forms.HiddenInput)
    attendance = forms.ChoiceField(
        label=gettext_lazy("Points for attendance"),
        required=False,
        choices=(
            ("", gettext_lazy("please choose")),
            ("added", gettext_lazy("not in the points above: they are added")),
            ("contained", gettext_lazy("contained in the points above")),
        ),
    )

    @property
    def is_contained(self) -> bool | None:
        """Tell whether the typed points contain attendance; None if nothing is chosen."""
        return self.CONTAINED.get(self["attendance"].value() or "")
