"""Forms of players: one, and a list of those who are members."""

import hashlib
from collections.abc import Collection
from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.names import checked_name
from league.models import Player
from reading.tables.members import ReadMembers, read_members


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

    seen = forms.CharField(required=False, widget=forms.HiddenInput)  # the digest of the list that was shown

    def __init__(self, *args: Any, known: Collection[str] = (), **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.known = known
        self.read = ReadMembers()

    def clean_names(self) -> str:
        text = str(self.cleaned_data["names"])
        self.read = read_members(text, self.known)
        if problem := next(iter(self.read.problems), None):
            raise forms.ValidationError(
                _("Line %(number)d: %(problem)s"),
                params={"number": problem.line, "problem": problem.message},
            )
        if not self.read.names:
            raise forms.ValidationError(_("No line holds a name."))
        return text

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.cleaned_data["names"].encode()).hexdigest()[:16]

    @property
    def was_seen(self) -> bool:
        """Tell whether the names were shown as they are read before they are to be saved."""
        return bool(self.cleaned_data["seen"] == self.digest)
