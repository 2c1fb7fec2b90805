"""Forms of a club that is made from an archive."""

from django import forms

from league.forms.names import MAX_TITLE, checked_name
from league.models import Club
from league.vocabulary import gettext_lazy as _


class ArchiveForm(forms.Form):
    archive = forms.FileField(
        label=_("Archive"), help_text=_("The file that a club’s owners download under “Club data”.")
    )


class ImportedClubForm(forms.ModelForm[Club]):
    class Meta:
        model = Club
        fields = ("name", "slug")

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_TITLE)
