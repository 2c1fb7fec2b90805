"""Form of a meet: its name, and the events of one day that belong to it."""

from collections import Counter
from datetime import date
from typing import Any

from django import forms
from django.db.models import Q
from django.utils import timezone
from django.utils.formats import date_format

from entry.services.meets import LEAST_GAMES
from league.forms.names import MAX_TITLE, checked_name
from league.models import Event, Meet, MeetOrder, Season
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy


class MeetForm(forms.Form):
    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TITLE)
    events = forms.TypedMultipleChoiceField(
        label=gettext_lazy("Games"),
        coerce=int,
        widget=forms.CheckboxSelectMultiple,
        help_text=gettext_lazy("Two or more %(events_word)s of one day."),
    )

    ordered_by = forms.ChoiceField(
        label=gettext_lazy("Places by"),
        choices=MeetOrder.choices,
        help_text=gettext_lazy("Profit per tourney is (points − entries) / %(games_word)s."),
    )

    def __init__(self, *args: Any, season: Season, meet: Meet | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.days = _days(season, meet)
        choices: Any = [
            (date_format(day, "DATE_FORMAT"), [(event.pk, _label(event)) for event in events])
            for day, events in self.days.items()
        ]
        self.fields["events"].choices = choices  # type: ignore[attr-defined]  # a choice field

    def clean_name(self) -> str:
        return checked_name(self.cleaned_data["name"], most=MAX_TITLE)

    def clean_events(self) -> list[int]:
        chosen: list[int] = self.cleaned_data["events"]
        if len(chosen) < LEAST_GAMES:
            raise forms.ValidationError(_("A meet has at least two %(events_word)s."))
        if not any(set(chosen) <= {event.pk for event in events} for events in self.days.values()):
            raise forms.ValidationError(_("The %(events_word)s of a meet are all on one day."))
        return chosen


def _days(season: Season, meet: Meet | None) -> dict[date, list[Event]]:
    """List days that can have a meet, the newest first, each with its events that are in no other meet."""
    free = Q(meet=None) | Q(meet=meet) if meet else Q(meet=None)
    events = list(season.events.filter(free).order_by("starts_at", "pk"))
    for event in events:
        event.season = season
    day_of = {event.pk: timezone.localtime(event.starts_at).date() for event in events}
    counts = Counter(day_of.values())
    days = sorted((day for day, n in counts.items() if n >= LEAST_GAMES), reverse=True)
    if meet and meet.day in counts and meet.day not in days:
        days.insert(0, meet.day)
    return {day: [event for event in events if day_of[event.pk] == day] for day in days}


def _label(event: Event) -> str:
    start = f"{timezone.localtime(event.starts_at):%H:%M}"
    return f"{start} {event.name}" if event.name else start
