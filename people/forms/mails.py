"""The form of the mails that somebody wants."""

from collections.abc import Mapping
from typing import Any

from django import forms

from league.models import Club, MailKind


class MailForm(forms.Form):
    """A box for each kind of mail of each club."""

    def __init__(self, *args: Any, choices: Mapping[tuple[Club, MailKind], bool], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for (club, kind), is_wanted in choices.items():
            self.fields[f"{club.pk}-{kind}"] = forms.BooleanField(
                label=f"{club.name}: {kind.label}", initial=is_wanted, required=False
            )

    def chosen(self) -> dict[tuple[int, MailKind], bool]:
        split = {name: name.partition("-") for name in self.fields}
        return {
            (int(pk), MailKind(kind)): self.cleaned_data[name] for name, (pk, _dash, kind) in split.items()
        }
