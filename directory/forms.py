"""Forms of the directory, of reports, and of the operator."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from directory.models import MOST_OF_PLACE, MOST_OF_REPORT, Reason
from league.forms.names import MAX_TITLE, checked_text
from league.models import GameKind, SiteRules


class FindForm(forms.Form):
    """Parameters of an address: what is not understood is left out."""

    q = forms.CharField(label=_("Name"), max_length=MAX_TITLE, required=False)
    place = forms.CharField(label=pgettext_lazy("where", "Place"), max_length=MOST_OF_PLACE, required=False)
    game = forms.ChoiceField(
        label=_("Game"), choices=[("", _("any game")), *GameKind.choices], required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["q"].widget = forms.TextInput({"type": "search", "placeholder": _("Name of the club")})
        self.fields["place"].widget.attrs["placeholder"] = _("anywhere")

    @property
    def found(self) -> dict[str, str]:
        self.is_valid()
        return {name: self.cleaned_data.get(name, "") for name in self.fields}


class ListingForm(forms.Form):
    place = forms.CharField(
        label=pgettext_lazy("where", "Place"),
        max_length=MOST_OF_PLACE,
        required=False,
        validators=[checked_text],
        help_text=_("Town or part of a town, as people would search for it."),
    )


class ReportForm(forms.Form):
    reason = forms.TypedChoiceField(
        label=_("What is wrong?"), choices=Reason.choices, coerce=Reason, widget=forms.RadioSelect
    )
    text = forms.CharField(
        label=_("Tell the operator more"),
        max_length=MOST_OF_REPORT,
        required=False,
        widget=forms.Textarea({"rows": 4}),
        validators=[checked_text],
        help_text=_("Which page, which name? An address of yours, if you want an answer."),
    )


class SiteRulesForm(forms.ModelForm[SiteRules]):
    class Meta:
        model = SiteRules
        fields = ("sign_up", "listing", "clubs", "players", "uploads", "mails", "runs")


class AnswerForm(forms.Form):
    answer = forms.CharField(max_length=200, required=False, validators=[checked_text])
