"""Forms of players: one, and a list of those who are members."""

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.names import checked_name
from league.models import Player
from league.reading.names.rules import clean_name, name_problem


class PlayerForm(forms.ModelForm[Player]):
    class Meta:
        model = Player
        fields = ("name", "is_guest")

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"])


class RosterForm(forms.Form):
    """Names of members, one a line."""

    names = forms.CharField(
        label=gettext_lazy("Members, one a line"),
        max_length=100_000,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocapitalize": "words"}),
    )

    def clean_names(self) -> str:
        for number, line in enumerate(self.cleaned_data["names"].splitlines(), start=1):
            name = clean_name(line)
            if name and (problem := name_problem(name)):
                raise forms.ValidationError(
                    _("Line %(number)d: %(problem)s"), params={"number": number, "problem": problem}
                )
        return str(self.cleaned_data["names"])

    @property
    def lines(self) -> list[str]:
        return [name for line in self.cleaned_data["names"].splitlines() if (name := clean_name(line))]
