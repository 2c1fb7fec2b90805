"""Forms of the practice table."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from lab.engine.push_fold.dealing import MIXTURE
from lab.engine.push_fold.spots import MOST_SEATS
from lab.holdem.practice_pages import AGAINST

CHOICES = ("fold", "play")


class DealForm(forms.Form):
    """What to practise."""

    seats = forms.IntegerField(
        label=_("Players left"), min_value=2, max_value=MOST_SEATS, initial=4, help_text=_("From 2 to 10.")
    )
    against = forms.ChoiceField(
        label=_("Against"), choices=AGAINST, initial=MIXTURE, widget=forms.RadioSelect
    )


class DecisionForm(forms.Form):
    """A decision on the hand of a number, or a wish for the next one."""

    number = forms.IntegerField(min_value=1, max_value=1_000)
    choice = forms.ChoiceField(choices=[(choice, choice) for choice in CHOICES], required=False)

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "choice" not in self.data and "next" not in self.data:
            raise forms.ValidationError(_("Choose fold, push or call."))
        return cleaned
