"""Parts of an event's form that apps above the core add: settings of the event which they keep."""

from collections.abc import Mapping
from typing import Any, Protocol, cast

from django import forms
from django.contrib.auth.models import User

from league.hooks.signals import event_form_made
from league.models import Event, Season


class EventPart(Protocol):
    """Settings of an event on the form of its result, which are saved with it or refused with it."""

    @property
    def form(self) -> forms.Form | forms.ModelForm[Any]:
        """The fields, drawn among those of the event."""

    def words(self) -> list[str]:
        """Say what is special about the event, each in a few words."""

    def is_same(self, event: Event) -> bool:
        """Tell whether saving would change nothing."""

    def save(self, event: Event, *, actor: User | None) -> None:
        """Save the settings inside the transaction that saves the result; raise Refused if they cannot be."""


def parts_of(season: Season, event: Event | None, data: Mapping[str, str] | None) -> list[EventPart]:
    """Ask the apps above for their parts of the form of a new or stored event."""
    answers = event_form_made.send(sender=Event, season=season, event=event, data=data)
    return [cast("EventPart", part) for _receiver, part in answers]
