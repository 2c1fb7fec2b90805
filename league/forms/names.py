"""Names and titles that are typed."""

from typing import Any

from django import forms
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from reading.names.keys import name_key
from reading.names.rules import clean_name, name_problem, text_problem, title_problem

MAX_TITLE = 80  # of a club, a season, an event


def checked_name(text: str, *, most: int | None = None) -> str:
    """Clean the name of a player, or a title of at most so many characters."""
    name = clean_name(text)
    if problem := title_problem(name, most=most) if most else name_problem(name):
        raise forms.ValidationError(problem)
    return name


def checked_text(text: str) -> None:
    """Raise ValidationError for a free text with characters that nobody sees; a validator of fields."""
    if problem := text_problem(text):
        raise forms.ValidationError(problem)


class TypedNameForm(forms.Form):
    """Asks for the name of what is to be deleted, typed as it is written."""

    name = forms.CharField(
        label=gettext_lazy("Type its name to delete it"),
        max_length=MAX_TITLE,
        widget=forms.TextInput({"autocomplete": "off"}),
    )

    def __init__(self, *args: Any, expected: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.expected = expected

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        if name_key(name) != name_key(self.expected):
            raise forms.ValidationError(_("The name is “%(name)s”."), params={"name": self.expected})
        return name
