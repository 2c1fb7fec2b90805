"""The form of a planned event."""

from datetime import date, datetime, timedelta
from typing import Any

from django import forms
from django.utils import timezone
from django.utils.translation import pgettext_lazy

from entry.forms.results import new_event_initial
from league.forms.names import MAX_TITLE, checked_name, checked_text
from league.models import PlannedEvent, Season
from league.services.schedule import EventPlan
from league.vocabulary import gettext_lazy as _

WEEK = timedelta(days=7)
FURTHEST = timedelta(days=3 * 366)
MOST_AT_ONCE = 60
EVERY_WEEK, EVERY_OTHER_WEEK, EVERY_MONTH = "week", "fortnight", "month"


class PlanForm(forms.Form):
    """When and where an event will be. The times are those of the club's clock, which the view has set."""

    day = forms.DateField(label=_("Day"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d"))
    start = forms.TimeField(label=_("Start"), widget=forms.TimeInput({"type": "time"}, format="%H:%M"))
    name = forms.CharField(label=_("Name"), max_length=MAX_TITLE, required=False)
    place = forms.CharField(
        label=pgettext_lazy("where", "Place"), max_length=120, required=False, validators=[checked_text]
    )
    note = forms.CharField(
        label=_("Note"),
        max_length=500,
        required=False,
        widget=forms.Textarea({"rows": 2}),
        validators=[checked_text],
    )
    is_last = forms.BooleanField(
        label=_("The last %(night_word)s of the season"),
        required=False,
        help_text=_("Members then see what they can still reach."),
    )
    version = forms.IntegerField(required=False, min_value=0, max_value=2**31 - 1, widget=forms.HiddenInput)

    def clean_day(self) -> date:
        day: date = self.cleaned_data["day"]
        if day > timezone.localdate() + FURTHEST:
            raise forms.ValidationError(_("Plan at most three years ahead."))
        return day

    def clean_name(self) -> str:
        typed: str = self.cleaned_data["name"]
        return checked_name(typed, most=MAX_TITLE) if typed else ""

    @property
    def starts_at(self) -> datetime:
        data = self.cleaned_data
        return timezone.make_aware(datetime.combine(data["day"], data["start"]))

    def plan(self) -> EventPlan:
        data = self.cleaned_data
        return EventPlan(
            self.starts_at, data["name"], data["place"], " ".join(data["note"].split()), data["is_last"]
        )


class NewPlanForm(PlanForm):
    """Plans one event, or several at equal distances, of which the last can be the last of the season."""

    field_order = ("day", "start", "n_events", "every")
    n_events = forms.IntegerField(label=_("How many"), min_value=1, max_value=MOST_AT_ONCE, initial=1)
    every = forms.ChoiceField(
        label=_("How often"),
        required=False,
        choices=(
            (EVERY_WEEK, _("every week")),
            (EVERY_OTHER_WEEK, _("every second week")),
            (EVERY_MONTH, _("every month, on the same weekday: the second Tuesday, or the last")),
        ),
    )

    def plans(self) -> list[EventPlan]:
        """Make a plan for each event; at the same time of the club's clock, summer and winter."""
        plan, n, every = self.plan(), self.cleaned_data["n_events"], self.cleaned_data["every"]
        local = timezone.localtime(plan.starts_at).replace(tzinfo=None)
        return [
            plan._replace(
                starts_at=timezone.make_aware(_later(local, i, every)), is_last=plan.is_last and i == n - 1
            )
            for i in range(n)
        ]


def _later(first: datetime, i: int, every: str) -> datetime:
    """Find the i-th event after the first."""
    if every != EVERY_MONTH:
        return first + i * (2 if every == EVERY_OTHER_WEEK else 1) * WEEK
    week = (first.day - 1) // 7
    is_last = (first + WEEK).month != first.month
    months = first.month - 1 + i
    start = first.replace(year=first.year + months // 12, month=months % 12 + 1, day=1)
    day = start + timedelta(days=(first.weekday() - start.weekday()) % 7) + week * WEEK
    if is_last:
        while (day + WEEK).month == start.month:
            day += WEEK
    return day - WEEK if day.month != start.month else day


def plan_initial(season: Season) -> dict[str, Any]:
    """Suggest the week after the last planned event, at its time and place; without one, as for a result."""
    last = season.planned_events.last()
    if last is None:
        suggested = new_event_initial(season)
        return {name: suggested[name] for name in ("day", "start")}
    start = timezone.localtime(last.starts_at)
    return {"day": start.date() + WEEK, "start": start.time(), "name": last.name, "place": last.place}


def stored_plan(event: PlannedEvent) -> dict[str, Any]:
    start = timezone.localtime(event.starts_at)
    stored = {name: getattr(event, name) for name in ("name", "place", "note", "is_last", "version")}
    return {"day": start.date(), "start": start.time(), **stored}
