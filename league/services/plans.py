"""A result as it will be once it is saved: put together with what is stored, and checked. Nothing here writes."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, cast

from django.db.models import Prefetch, QuerySet
from django.utils.translation import gettext as _

from league.models import Entry, Event, Season, name_key
from league.results import (
    EntryInput,
    EventDetails,
    is_out_before_start,
    re_entries_below,
    registers_after_close,
)
from league.services.changes import require_not_sealed
from league.services.errors import BadResult, Refused
from league.signals import results_planned

# What a correction can change of an entry.
UPDATED = ("place", "is_last", "registered_at", "busted_at", "knockouts", "cost")
EntryRow = tuple[str, int, dict[str, Any]]  # the key of the player's name, the entry's number, what is stored


@dataclass(frozen=True)
class PlannedResult:
    """All that an event will hold. `event` is the stored one that this corrects, None for a new one."""

    season: Season
    details: EventDetails
    entries: tuple[EntryInput, ...]
    event: Event | None = None

    @property
    def rows(self) -> list[EntryRow]:
        last: dict[str, int] = {}
        for entry in self.entries:
            key = name_key(entry.name)
            last[key] = max(last.get(key, 0), entry.number)
        return [_row(entry, last[name_key(entry.name)]) for entry in self.entries]

    @property
    def is_change(self) -> bool:
        """Whether anything of the stored event differs."""
        if self.event is None:
            return True
        if any(getattr(self.event, name) != value for name, value in asdict(self.details).items()):
            return True
        planned = {(key, number): values for key, number, values in self.rows}
        return planned != {pair: stored_values(entry) for pair, entry in stored_entries(self.event).items()}


def _row(entry: EntryInput, last: int) -> EntryRow:
    is_last = entry.number == last
    values = {name: is_last if name == "is_last" else getattr(entry, name) for name in UPDATED}
    return name_key(entry.name), entry.number, values


def with_entries(events: QuerySet[Event]) -> QuerySet[Event]:
    """Events read with all that a correction of them is compared with."""
    entries = Prefetch("entries", Entry.objects.select_related("player"))
    return events.select_related("season__club", "meet").prefetch_related(entries)


def stored_entries(event: Event) -> dict[tuple[str, int], Entry]:
    """By the key of the player's name and the entry's number."""
    return {(entry.player.key, entry.number): entry for entry in event.entries.all()}


def stored_values(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in UPDATED}


def require_open(season: Season) -> None:
    """Refused if the season takes no results, whatever they are."""
    require_not_sealed(season)
    season.refresh_from_db(fields=["is_closed", "starts_on", "ends_on"])
    if season.is_closed:
        raise Refused(
            _("The season %(season)s is closed. Reopen it to change its results.") % {"season": season}
        )


def plan_event(season: Season, details: EventDetails, entries: Sequence[EntryInput]) -> PlannedResult:
    """The result of a new event, in a season that is open."""
    _require_day_of_season(season, details.starts_at)
    _require_order(entries)
    for entry in entries:
        _require_possible(entry, details, season.club.tz)
    return PlannedResult(season, details, tuple(entries))


def plan_correction(event: Event, details: EventDetails, entries: Sequence[EntryInput]) -> PlannedResult:
    """The result of an event read `with_entries`, by what is given and what is stored.

    Stored times go along with an evening that is moved to another day.
    """
    season, tz = event.season, event.season.club.tz
    _require_day_of_season(season, details.starts_at)
    _require_day_of_meet(event, details.starts_at)
    _require_order(entries)
    stored = stored_entries(event)
    moved = _local_day(details.starts_at, tz) - _local_day(event.starts_at, tz)
    planned = []
    for given in entries:
        entry = stored.get((name_key(given.name), given.number))
        planned.append(_merged(given, entry, moved, tz) if entry else given)
        _require_possible(planned[-1], details, tz)
    return PlannedResult(season, details, tuple(planned), event)


def refusals(plans: Sequence[PlannedResult]) -> dict[int, str]:
    """Why the apps above cannot use some of these results, by their positions."""
    found: dict[int, str] = {}
    for _receiver, answer in results_planned.send(sender=Event, plans=plans):
        found |= cast("dict[int, str]", answer)
    return found


def require_usable(plan: PlannedResult) -> None:
    if found := refusals([plan]):
        raise BadResult(found[0])


def _require_day_of_season(season: Season, starts_at: datetime) -> None:
    day = _local_day(starts_at, season.club.tz)
    if day < season.starts_on or (season.ends_on and day > season.ends_on):
        raise Refused(
            _("%(day)s is outside the season %(season)s.") % {"day": day.isoformat(), "season": season}
        )


def _require_day_of_meet(event: Event, starts_at: datetime) -> None:
    tz = event.season.club.tz
    if event.meet and _local_day(starts_at, tz) != _local_day(event.starts_at, tz):
        raise Refused(
            _("This event is part of the meet %(meet)s. Take it out before you move it to another day.")
            % {"meet": event.meet}
        )


def _local_day(moment: datetime, tz: tzinfo) -> date:
    return moment.astimezone(tz).date()


def _merged(given: EntryInput, stored: Entry, moved: timedelta, tz: tzinfo) -> EntryInput:
    """The entry as it will be stored: what is left out stays."""
    registered_at = given.registered_at or _moved(stored.registered_at, moved, tz)
    busted_at = _more_exact(_moved(stored.busted_at, moved, tz), given, tz)
    return replace(
        given,
        registered_at=registered_at,
        busted_at=_after_registering(given.name, registered_at, busted_at, tz),
        knockouts=_kept(stored.knockouts, given.knockouts, given),
        cost=_kept(stored.cost, given.cost, given),
    )


def _kept(stored: Any, value: Any, given: EntryInput) -> Any:
    return stored if value is None and not given.from_form else value


def _moved(moment: datetime | None, by: timedelta, tz: tzinfo) -> datetime | None:
    """The same time of day, whole days later: not always 24 hours each."""
    return moment and (moment.astimezone(tz) + by).astimezone(UTC)


def _more_exact(stored: datetime | None, given: EntryInput, tz: tzinfo) -> datetime | None:
    """A time of day read off a form leaves the stored moment alone if its clock shows the same.

    The moment has seconds, and knows the day where an event runs longer than one.
    """
    typed = given.busted_at
    if stored and typed and given.from_form:
        same = (stored.astimezone(tz).hour, stored.astimezone(tz).minute) == (
            typed.astimezone(tz).hour,
            typed.astimezone(tz).minute,
        )
        return stored if same else typed
    return typed if typed or given.from_form else stored


def _after_registering(
    name: str, registered_at: datetime | None, busted_at: datetime | None, tz: tzinfo
) -> datetime | None:
    if registered_at is None or busted_at is None or busted_at >= registered_at:
        return busted_at
    if busted_at >= registered_at.replace(second=0, microsecond=0):
        return registered_at
    raise BadResult(
        _("%(name)s is out at %(out)s, but registered at %(registered)s.")
        % {"name": name, "out": _clock(busted_at, tz), "registered": _clock(registered_at, tz)}
    )


def _require_possible(entry: EntryInput, details: EventDetails, tz: tzinfo) -> None:
    if registers_after_close(entry, details):
        raise BadResult(
            _("%(name)s registered at %(registered)s, but registration closed at %(closed)s.")
            % {
                "name": entry.name,
                "registered": _clock(entry.registered_at, tz),
                "closed": _clock(details.closes_at, tz),
            }
        )
    if is_out_before_start(entry, details):
        raise BadResult(
            _("%(name)s is out at %(out)s, but the event starts at %(start)s.")
            % {"name": entry.name, "out": _clock(entry.busted_at, tz), "start": _clock(details.starts_at, tz)}
        )


def _clock(moment: datetime | None, tz: tzinfo) -> str:
    return f"{moment.astimezone(tz):%H:%M}" if moment else ""


def _require_order(entries: Iterable[EntryInput]) -> None:
    if entry := next(re_entries_below(entries), None):
        raise BadResult(
            _(
                "Entry %(n)d of %(name)s finishes below entry %(before)d. Give each of the earlier entries its"
                " place, the first one the lowest."
            )
            % {"n": entry.number, "name": entry.name, "before": entry.number - 1}
        )
