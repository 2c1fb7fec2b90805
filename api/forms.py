from django import forms
from django.utils.translation import gettext_lazy as _

from api.models import MAX_LABEL, ApiKey, Lifetime
from league.forms.names import checked_text


class KeyForm(forms.Form):
    label = forms.CharField(
        label=_("Label"),
        max_length=MAX_LABEL,
        validators=[checked_text],
        help_text=_("What the key is for, so that you know later which one to revoke."),
    )
    scope = forms.TypedChoiceField(
        label=_("Rights"),
        coerce=ApiKey.Scope,
        choices=ApiKey.Scope.choices,
        help_text=_("A program that only reads needs no right to write."),
    )
    lifetime = forms.TypedChoiceField(
        label=_("In force"),
        coerce=Lifetime,
        choices=Lifetime.choices,
        required=False,
        empty_value=Lifetime.FOREVER,
    )
