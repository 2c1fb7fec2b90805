"""Forms of events and nights with their results, and of deleting them."""

import uuid
from datetime import UTC, date, datetime, time
from typing import Any

from django import forms
from django.db.models import Q
from django.utils import timezone

from league.forms.names import MAX_TITLE, checked_name
from league.forms.pools import PoolChoice
from league.models import Event, Game, PlannedEvent, Pool, Season
from league.schedule import planned_event_without_result
from league.services.errors import BadDay
from league.services.plans import require_begun, seats_of
from league.stored_results import shown_closing_time
from league.vocabulary import gettext as _
from league.vocabulary import gettext_lazy
from reading.event_files.reader import SEATS
from reading.finishing_order.times import LATEST_ARRIVAL, moment_of

MAX_TEXT = 200_000
USUAL_START = time(19, 30)
FEW = 20  # events among which one with a time of day is looked for


class EventDetailsForm(forms.Form):
    """The name, day and start of an event or a night."""

    name = forms.CharField(label=gettext_lazy("Name"), max_length=MAX_TITLE, required=False)
    day = forms.DateField(
        label=gettext_lazy("Day"), widget=forms.DateInput({"type": "date"}, format="%Y-%m-%d")
    )
    start = forms.TimeField(
        label=gettext_lazy("Start"), widget=forms.TimeInput({"type": "time"}, format="%H:%M")
    )
    form_token = forms.UUIDField(widget=forms.HiddenInput, required=False)

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.season = season

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"]
        return checked_name(name, most=MAX_TITLE) if name else ""

    def clean_day(self) -> date:
        day: date = self.cleaned_data["day"]
        season = self.season
        if day < season.starts_on:
            raise forms.ValidationError(
                _("The season %(season)s begins on %(day)s."),
                params={"season": season, "day": season.starts_on},
            )
        if season.ends_on and day > season.ends_on:
            raise forms.ValidationError(
                _("The season %(season)s ended on %(day)s."), params={"season": season, "day": season.ends_on}
            )
        try:
            require_begun(day, season.club.tz)
        except BadDay as error:
            raise forms.ValidationError(str(error)) from error
        return day

    @property
    def starts_at(self) -> datetime:
        """The start, with today or midnight for an invalid field: reading the finishing order needs one."""
        day = self.cleaned_data.get("day") or timezone.localdate()
        start = self.cleaned_data.get("start") or time(0)
        return datetime.combine(day, start, tzinfo=self.season.club.tz)


class EventForm(EventDetailsForm):
    """An event: its times, and the finishing order as text (read by reading.finishing_order.order)."""

    end = forms.TimeField(
        label=gettext_lazy("End"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        help_text=gettext_lazy("Ratings weigh the hours played."),
    )
    closes = forms.TimeField(
        label=gettext_lazy("Registration until"),
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
    )
    seats = forms.IntegerField(
        label=gettext_lazy("Seats at a table"),
        required=False,
        min_value=SEATS[0],
        max_value=SEATS[1],
        help_text=gettext_lazy("Fewer seats are more hands an hour, which ratings weigh."),
    )
    final_seats = forms.IntegerField(
        label=gettext_lazy("Seats at the final table"),
        required=False,
        min_value=SEATS[0],
        max_value=SEATS[1],
        help_text=gettext_lazy("Reaching it counts in ratings. Empty: as at the other tables."),
    )
    order = forms.CharField(
        label=gettext_lazy("Finishing order"),
        max_length=MAX_TEXT,
        strip=False,
        required=False,
        widget=forms.Textarea({"spellcheck": "false", "autocapitalize": "none", "autocomplete": "off"}),
    )
    # Shown where the club has several.
    pool = PoolChoice(Pool.objects.none(), label=gettext_lazy("Rated in"), required=False, empty_label=None)
    version = forms.IntegerField(widget=forms.HiddenInput, required=False, min_value=0)
    # Shown where the club has several open ones.
    into = forms.ModelChoiceField(
        Season.objects.none(), label=gettext_lazy("Season"), required=False, empty_label=None
    )

    def __init__(self, *args: Any, season: Season, **kwargs: Any) -> None:
        super().__init__(*args, season=season, **kwargs)
        seasons = self.fields["into"]
        assert isinstance(seasons, forms.ModelChoiceField)
        seasons.queryset = season.club.seasons.filter(Q(is_closed=False) | Q(pk=season.pk))
        self.initial["into"] = season.pk
        if len(seasons.queryset) == 1:
            del self.fields["into"]
        choice = self.fields["pool"]
        assert isinstance(choice, PoolChoice)
        usable = Q(is_shut=False) | Q(pk=self.initial.get("pool"))
        choice.queryset = season.club.pools.filter(usable).order_by("pk")
        if len(choice.queryset) == 1:
            del self.fields["pool"]

    def clean_closes(self) -> time | None:
        closes: time | None = self.cleaned_data["closes"]
        closes_at = moment_of(closes, self.starts_at)
        if closes_at and closes_at - self.starts_at.astimezone(UTC) > LATEST_ARRIVAL:
            raise forms.ValidationError(_("Registration closes after the start, on the same night."))
        return closes

    @property
    def ends_at(self) -> datetime | None:
        """The first moment after the start with the end's time of day."""
        return moment_of(self.cleaned_data["end"], self.starts_at)

    @property
    def closes_at(self) -> datetime | None:
        """The first moment after the start with the time of day at which registration closes."""
        return moment_of(self.cleaned_data.get("closes"), self.starts_at)


def event_initial(event: Event, order: str) -> dict[str, Any]:
    start, closes_at = timezone.localtime(event.starts_at), shown_closing_time(event)
    return {
        "name": event.name,
        "day": start.date(),
        "start": start.time(),
        "end": event.ends_at and timezone.localtime(event.ends_at).time(),
        "closes": closes_at and timezone.localtime(closes_at).time(),
        "order": order,
        "seats": event.table_size,
        "final_seats": event.final_table_size,
        "pool": event.pool_id,
        "version": event.version,
        "form_token": uuid.uuid4(),
    }


def new_event_fields(season: Season, game: Game | None = None) -> dict[str, Any]:
    """Choose pool, seats and token of a new event."""
    pool = game.pool if game else season.pool
    seats = seats_of(season, game.pk if game else None, pool)
    return {"pool": pool.pk, "form_token": uuid.uuid4(), "seats": seats, "final_seats": seats}


def suggested_time(season: Season, planned: PlannedEvent | None = None) -> dict[str, Any]:
    """Suggest name, day and start of what is `planned`, or of what was planned last and has no result yet.

    Without a plan it is today, or the nearest day of the season, at the start time of the club's latest event.
    """
    if planned := planned or planned_event_without_result(season, timezone.now()):
        start = timezone.localtime(planned.starts_at)
        name = {"name": planned.name} if planned.name else {}
        return name | {"day": start.date(), "start": start.time()}
    today = timezone.localdate()
    day = max(season.starts_on, min(today, season.ends_on or today))
    return {"day": day, "start": _usual_start(season)}


def new_event_initial(season: Season, game: Game | None = None) -> dict[str, Any]:
    """Suggest everything about a new event or night."""
    return new_event_fields(season, game) | suggested_time(season)


def _usual_start(season: Season) -> time:
    """Find when the club's latest event began; midnight only says that a file had no time."""
    starts = Event.objects.filter(season__club=season.club_id).order_by("-starts_at")
    times = (timezone.localtime(start).time() for start in starts.values_list("starts_at", flat=True)[:FEW])
    return next((start for start in times if start != time()), USUAL_START)


class DeleteForm(forms.Form):
    version = forms.IntegerField(widget=forms.HiddenInput, min_value=1)


class DeleteNightForm(forms.Form):
    """The games of a night and their versions, as `event:version event:version`."""

    games = forms.RegexField(r"^\d{1,18}:\d{1,9}( \d{1,18}:\d{1,9})*$", widget=forms.HiddenInput)

    def read(self) -> dict[int, int]:
        pairs = (pair.split(":") for pair in self.cleaned_data["games"].split())
        return {int(event_id): int(version) for event_id, version in pairs}
