"""Forms about the people of a club."""

from collections.abc import Mapping
from datetime import timedelta
from typing import Any

from django import forms
from django.contrib.auth.models import User
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from league.models import Club, MailKind, Membership, Player, Role
from league.models.invitation import MOST_USES
from league.reading.names.rules import clean_name, name_problem
from league.rights import invitable

HOUR, DAY = 1, 24
LASTS = ((HOUR, _("1 hour")), (DAY, _("1 day")), (7 * DAY, _("7 days")), (30 * DAY, _("30 days")))


class InvitationForm(forms.Form):
    role = forms.TypedChoiceField(label=_("As"), coerce=lambda value: Role(int(value)))
    lasts = forms.TypedChoiceField(
        label=_("Good for"),
        choices=LASTS,
        coerce=lambda value: timedelta(hours=int(value)),
        initial=7 * DAY,
    )
    most_uses = forms.TypedChoiceField(
        label=_("Uses"),
        choices=((1, _("Once")), (MOST_USES, _("Up to 20"))),
        coerce=int,
        required=False,
    )
    email = forms.EmailField(label=_("By email, if you like"), required=False)
    player = forms.ModelChoiceField(
        Player.objects.none(), label=_("Player"), required=False, widget=forms.HiddenInput
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
        """Return 1 where the page does not ask, which it does not for the invitation of one player."""
        return self.cleaned_data["most_uses"] or 1


class RosterForm(forms.Form):
    """Names of members, one a line."""

    names = forms.CharField(
        label=_("Members, one a line"),
        max_length=100_000,
        widget=forms.Textarea({"rows": 8, "spellcheck": "false", "autocapitalize": "words"}),
    )

    def clean_names(self) -> str:
        for number, line in enumerate(self.cleaned_data["names"].splitlines(), start=1):
            name = clean_name(line)
            if name and (problem := name_problem(name)):
                raise forms.ValidationError(
                    gettext("Line %(number)d: %(problem)s"), params={"number": number, "problem": problem}
                )
        return str(self.cleaned_data["names"])

    @property
    def lines(self) -> list[str]:
        return [name for line in self.cleaned_data["names"].splitlines() if (name := clean_name(line))]


class MemberChoice(forms.ModelChoiceField["Membership"]):
    def label_from_instance(self, membership: Membership) -> str:
        return f"{membership.user.username} ({membership.get_role_display()})"


class HandOverForm(forms.Form):
    member = MemberChoice(Membership.objects.none(), label=_("New owner"))

    def __init__(self, *args: Any, club: Club, owner: User, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        choice = self.fields["member"]
        assert isinstance(choice, MemberChoice)
        choice.queryset = club.memberships.exclude(user=owner).select_related("user")


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
