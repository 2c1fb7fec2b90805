"""Forms of members and players."""

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.forms.names import checked_name
from league.models import Player, Role


class MemberForm(forms.Form):
    person = forms.CharField(
        label=gettext_lazy("User name or email"),
        max_length=254,
        help_text=gettext_lazy("Of an account of this site."),
    )
    role = forms.TypedChoiceField(
        label=gettext_lazy("Role"),
        coerce=lambda value: Role(int(value)),
        choices=[(role.value, role.label) for role in Role if role > Role.PUBLIC],
    )

    def clean_person(self) -> User:
        person: str = self.cleaned_data["person"].strip()
        if "@" in person:
            # An unconfirmed email address may belong to somebody else.
            chosen = Q(emailaddress__email__iexact=person, emailaddress__verified=True)
        else:
            chosen = Q(username=person)
        users = User.objects.filter(chosen, is_active=True)[:2]
        if len(users) != 1:
            raise forms.ValidationError(
                _("No account has the name or the confirmed email “%(person)s”. They sign up first."),
                params={"person": person},
            )
        return users[0]


class RoleForm(forms.Form):
    role = MemberForm.declared_fields["role"]


class PlayerForm(forms.ModelForm[Player]):
    class Meta:
        model = Player
        fields = ("name", "is_guest")

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"])
