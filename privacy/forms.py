from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models import Club


class DeleteAccountForm(forms.Form):
    """The user name, typed; and consent to the end of clubs that have no other member."""

    name = forms.CharField(label=_("Your user name"), max_length=150)
    with_clubs = forms.BooleanField(label=_("Delete these clubs with all their results"), required=False)

    def __init__(self, *args: Any, user: User, lonely: list[Club], **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user
        if not lonely:
            del self.fields["with_clubs"]

    def clean_name(self) -> str:
        name = str(self.cleaned_data["name"])
        if name != self.user.username:
            raise forms.ValidationError(gettext("Type your user name exactly: %s.") % self.user.username)
        return name
