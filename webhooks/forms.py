"""The form of a hook: where it leads, and what it is told about."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from league.forms.names import checked_name, checked_text
from webhooks.models import MOST_OF_URL, Hook, Kind, Target
from webhooks.services.addresses import address_problems
from webhooks.services.hooks import HookFields


class HookForm(forms.Form):
    target = forms.TypedChoiceField(label=gettext_lazy("To"), coerce=Target, choices=Target.choices)
    name = forms.CharField(label=gettext_lazy("Name"), max_length=60)
    url = forms.CharField(
        label=gettext_lazy("Address"),
        max_length=MOST_OF_URL,
        validators=[checked_text],
        help_text=gettext_lazy(
            "In Discord it is made under the settings of a channel, Integrations; in Slack by an app with Incoming"
            " Webhooks. Whoever has it can write into the chat: keep it secret."
        ),
    )
    chat = forms.CharField(
        label=gettext_lazy("Chat of Telegram"),
        max_length=60,
        required=False,
        validators=[checked_text],
        help_text=gettext_lazy("Its number, or @name of a public one. The bot has to be a member."),
    )
    kinds = forms.MultipleChoiceField(
        label=gettext_lazy("Told about"), choices=Kind.choices, widget=forms.CheckboxSelectMultiple
    )
    asks_first = forms.BooleanField(
        label=gettext_lazy("Show me before it is sent"),
        required=False,
        help_text=gettext_lazy("For clubs that release their posts: each message waits here for you."),
    )
    version = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=60)

    def clean_url(self) -> str:
        url: str = self.cleaned_data["url"].strip()
        return url

    def clean(self) -> dict[str, Any]:
        data = self.cleaned_data
        if "target" in data and "url" in data:
            for field, problem in address_problems(data["target"], data["url"], data.get("chat", "")).items():
                self.add_error(field, problem)
        return data

    @property
    def fields_of_hook(self) -> HookFields:
        """Return what was chosen."""
        return HookFields(**{name: self.cleaned_data[name] for name in HookFields._fields})


def initial_of(hook: Hook) -> dict[str, Any]:
    """Fill the form with a stored hook."""
    names = ("target", "name", "url", "chat", "kinds", "asks_first", "version")
    return {name: getattr(hook, name) for name in names}
