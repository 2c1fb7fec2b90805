from django import forms
from django.utils.translation import gettext_lazy as _

from api.models import MAX_LABEL


class KeyForm(forms.Form):
    label = forms.CharField(
        label=_("Label"),
        max_length=MAX_LABEL,
        help_text=_("What the key is for, so that you know later which one to revoke."),
    )
