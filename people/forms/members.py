"""Forms of members: their roles, invitations, the next owner."""

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from league.models import Club, Membership, Player, Role
from league.models.invitation import MOST_USES
from league.rights import invitable

HOUR, DAY = 1, 24
LASTS = (
    (HOUR, gettext_lazy("1 hour")),
    (DAY, gettext_lazy("1 day")),
    (7 * DAY, gettext_lazy("7 days")),
    (30 * DAY, gettext_lazy("30 days")),
)


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


class InvitationForm(forms.Form):
    role = forms.TypedChoiceField(label=gettext_lazy("As"), coerce=lambda value: Role(int(value)))
    lasts = forms.TypedChoiceField(
        label=gettext_lazy("Good for"),
        choices=LASTS,
        coerce=lambda value: timedelta(hours=int(value)),
        initial=7 * DAY,
    )
    most_uses = forms.TypedChoiceField(
        label=gettext_lazy("Uses"),
        choices=((1, gettext_lazy("Once")), (MOST_USES, gettext_lazy("Up to 20"))),
        coerce=int,
        required=False,
    )
    email = forms.EmailField(label=gettext_lazy("By email, if you like"), required=False)
    player = forms.ModelChoiceField(
        Player.objects.none(), label=gettext_lazy("Player"), required=False, widget=forms.HiddenInput
    )
    form_token = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, role: Role, club: Club, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["role"]
        assert isinstance(choice, forms.TypedChoiceField)
        choice.choices = [(each.value, each.label) for each in invitable(role)]
        choice.initial = Role.MEMBER.value
        players = self.fields["player"]
        assert isinstance(players, forms.ModelChoiceField)
        players.queryset = club.players.all()

    def clean_most_uses(self) -> int:
        """Return 1 if the field is absent or empty, as for the invitation of one player."""
        return self.cleaned_data["most_uses"] or 1


class MemberChoice(forms.ModelChoiceField["Membership"]):
    def label_from_instance(self, membership: Membership) -> str:
        return f"{membership.user.username} ({membership.get_role_display()})"


class HandOverForm(forms.Form):
    member = MemberChoice(Membership.objects.none(), label=gettext_lazy("New owner"))

    def __init__(self, *args: Any, club: Club, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["member"]
        assert isinstance(choice, MemberChoice)
        choice.queryset = club.memberships.exclude(user=owner).select_related("user")
