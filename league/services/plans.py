"""Plan results before they are saved: merge them with stored ones and check them. Nothing here writes."""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields, replace
from datetime import UTC, date, datetime, timedelta, tzinfo
from typing import Any, cast

from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils import timezone

from league.hooks.signals import results_planned
from league.models import Entry, Event, Pool, Season
from league.services.changes import require_not_sealed
from league.services.errors import BadDay, BadResult, Refused
from league.stored_results import late_arrival
from league.vocabulary import gettext as _
from reading.names.keys import name_key
from reading.results import (
    EntryInput,
    EventDetails,
    is_out_before_start,
    out_after_better,
    re_entries_below,
    registers_after_close,
)

# Fields of an entry that a correction can change.
SCORE_FIELDS = ("score", "balance", "chips", "penalty", "seat")
OPTIONAL_FIELDS = ("knockouts", "cost", *SCORE_FIELDS)
CORRECTABLE_FIELDS = ("place", "is_last", "registered_at", "busted_at", *OPTIONAL_FIELDS)
USUAL_SEATS = 9  # at a table of a game that nobody names
# Details that a correction leaves as they are unless it names them.
OPTIONAL_DETAILS = ("table_size", "final_table_size", "pool_id", "game_id", "round", "table", "scoring")
EntryRow = tuple[str, int, dict[str, Any]]  # name key of the player, number of the entry, values to store


@dataclass(frozen=True)
class PlannedResult:
    """The complete result of an event and the pool that rates it.

    `event` is the stored event to correct, None for a new one. Points of a result that `has_parts` are checked when
    those are saved, since they depend on them.
    """

    season: Season
    details: EventDetails
    entries: tuple[EntryInput, ...]
    pool: Pool
    event: Event | None = None
    has_parts: bool = False

    @property
    def rows(self) -> list[EntryRow]:
        last: dict[str, int] = {}
        for entry in self.entries:
            key = name_key(entry.name)
            last[key] = max(last.get(key, 0), entry.number)
        return [_row(entry, last[name_key(entry.name)]) for entry in self.entries]

    @property
    def is_change(self) -> bool:
        """Tell whether the plan differs from the stored event."""
        if self.event is None:
            return True
        if any(getattr(self.event, name) != value for name, value in asdict(self.details).items()):
            return True
        planned = {(key, number): values for key, number, values in self.rows}
        return planned != self._stored

    @property
    def _stored(self) -> dict[tuple[str, int], dict[str, Any]]:
        return (
            {pair: stored_values(entry) for pair, entry in stored_entries(self.event).items()}
            if self.event
            else {}
        )

    @property
    def n_changes(self) -> int:
        """Count the entries that differ from the stored ones; 1 if only the event itself does."""
        stored = self._stored
        planned = {(key, number): values for key, number, values in self.rows}
        n = sum(planned.get(pair) != stored.get(pair) for pair in planned.keys() | stored.keys())
        return n or int(self.is_change)


def _row(entry: EntryInput, last: int) -> EntryRow:
    is_last = entry.number == last
    values = {name: is_last if name == "is_last" else getattr(entry, name) for name in CORRECTABLE_FIELDS}
    return name_key(entry.name), entry.number, values


def with_entries(events: QuerySet[Event]) -> QuerySet[Event]:
    """Read events with everything that a correction is compared with."""
    entries = Prefetch("entries", Entry.objects.select_related("player"))
    return events.select_related("season__club", "season__pool", "meet", "pool").prefetch_related(entries)


def stored_entries(event: Event) -> dict[tuple[str, int], Entry]:
    """Map (name key of the player, number) to entries."""
    return {(entry.player.key, entry.number): entry for entry in event.entries.all()}


def stored_values(entry: Entry) -> dict[str, Any]:
    return {name: getattr(entry, name) for name in CORRECTABLE_FIELDS}


def require_open(season: Season) -> None:
    """Raise Refused if the season is closed or sealed."""
    require_not_sealed(season)
    season.refresh_from_db(fields=["is_closed", "starts_on", "ends_on"])
    if season.is_closed:
        raise Refused(
            _("The season %(season)s is closed. Reopen it to change its results.") % {"season": season}
        )


def plan_event(season: Season, details: EventDetails, entries: Sequence[EntryInput]) -> PlannedResult:
    """Plan the result of a new event, in an open season."""
    _require_day(season, details.starts_at)
    _require_order(entries)
    for entry in entries:
        _require_possible(entry, details, season.club.tz)
    _require_busts_in_order(entries, season.club.tz)
    pool = _rating_pool(season, details)
    seats = details.table_size or seats_of(season, details.game_id, pool)
    details = replace(
        details, pool_id=pool.pk, table_size=seats, final_table_size=details.final_table_size or seats
    )
    return PlannedResult(season, details, tuple(entries), pool)


def plan_correction(
    event: Event, details: EventDetails, entries: Sequence[EntryInput], *, moves_meet: bool = False
) -> PlannedResult:
    """Plan a correction of an event read `with_entries`. Values that are not given keep what is stored.

    Stored times move with the event to another day. `moves_meet`: the other games of its meet move there too.
    """
    season, tz = event.season, event.season.club.tz
    details = replace(
        details, **{name: getattr(event, name) for name in OPTIONAL_DETAILS if getattr(details, name) is None}
    )
    _require_day(season, details.starts_at)
    if not moves_meet:
        require_day_of_meet(event, details.starts_at)
    _require_order(entries)
    stored = stored_entries(event)
    moved = _local_day(details.starts_at, tz) - _local_day(event.starts_at, tz)
    planned = []
    for given in entries:
        entry = stored.get((name_key(given.name), given.number))
        planned.append(_merge(given, entry, event, moved) if entry else given)
        _require_possible(planned[-1], details, tz)
    if any(
        entry.busted_at for entry in entries
    ):  # stored times of an order that was wrong are no reason to refuse
        _require_busts_in_order(planned, tz)
    pool = _rating_pool(season, details, event)
    return PlannedResult(season, replace(details, pool_id=pool.pk), tuple(planned), pool, event)


def _rating_pool(season: Season, details: EventDetails, event: Event | None = None) -> Pool:
    """Find the pool that rates an event: the one named, that of its game, or that of its season.

    Raise Refused for a pool or game of another club, and for a shut one that the event is not in already.
    """
    game = None
    if details.game_id and not (event and event.game_id == details.game_id):
        game = _of_club(season, "games", details.game_id)
        if game is None:
            raise Refused(_("This game is not of the club."))
        if game.is_shut:
            raise Refused(_("The game %(game)s is shut: it takes no new %(events_word)s.") % {"game": game})
    pool_id = details.pool_id or (game.pool_id if game else season.pool_id)
    if event and event.pool_id == pool_id:
        return event.pool
    pool: Pool | None = season.pool if pool_id == season.pool_id else _of_club(season, "pools", pool_id)
    if pool is None:
        raise Refused(_("This rating pool is not of the club."))
    if pool.is_shut:
        raise Refused(
            _("The rating pool %(pool)s is shut: it takes no new %(events_word)s.") % {"pool": pool.name}
        )
    return pool


def seats_of(season: Season, game_id: int | None, pool: Pool) -> int:
    """Find the table size of the named game, or else of the only open game that the pool rates."""
    prefetch_related_objects([season.club], "games")
    rated = [game for game in season.club.games.all() if game.pool_id == pool.pk and not game.is_shut]
    games = [game for game in season.club.games.all() if game.pk == game_id] or rated
    return games[0].table_size if len(games) == 1 else USUAL_SEATS


def _of_club(season: Season, relation: str, pk: int | None) -> Any:
    """Find a pool or game of the season's club; all are read once for all events of a file."""
    prefetch_related_objects([season.club], relation)
    return next((item for item in getattr(season.club, relation).all() if item.pk == pk), None)


def stored_plan(event: Event, pool: Pool) -> PlannedResult:
    """Plan the stored result of an event read `with_entries`, rated by a pool."""
    details = EventDetails(**{field.name: getattr(event, field.name) for field in fields(EventDetails)})
    # Money is no part of a stored result.
    given = {"name", "from_form", "has_exact_times", "amounts"}
    kept = [field.name for field in fields(EntryInput) if field.name not in given]
    entries = (
        EntryInput(name=entry.player.name, **{name: getattr(entry, name) for name in kept})
        for entry in event.entries.all()
    )
    return PlannedResult(event.season, replace(details, pool_id=pool.pk), tuple(entries), pool, event)


def refusals(plans: Sequence[PlannedResult]) -> dict[int, str]:
    """Ask the apps above which plans they refuse, and why; by position in `plans`."""
    reasons: dict[int, str] = {}
    for _receiver, answer in results_planned.send(sender=Event, plans=plans):
        reasons |= cast("dict[int, str]", answer)
    return reasons


def require_usable(plan: PlannedResult) -> None:
    if reasons := refusals([plan]):
        raise BadResult(reasons[0])


def require_begun(day: date, tz: tzinfo) -> None:
    """Raise BadDay for a day to come. Tomorrow is allowed: it has begun for a club that set a wrong time zone."""
    if day > timezone.localdate(timezone=tz) + timedelta(days=1):
        raise BadDay(_("This day is still to come: a result is entered when it is over."))


def _require_day(season: Season, starts_at: datetime) -> None:
    require_day_of_season(season, starts_at)
    require_begun(_local_day(starts_at, season.club.tz), season.club.tz)


def require_day_of_season(season: Season, starts_at: datetime) -> None:
    day = _local_day(starts_at, season.club.tz)
    if day < season.starts_on or (season.ends_on and day > season.ends_on):
        raise BadDay(
            _("%(day)s is outside the season %(season)s.") % {"day": day.isoformat(), "season": season}
        )


def require_day_of_meet(event: Event, starts_at: datetime) -> None:
    tz = event.season.club.tz
    if event.meet and _local_day(starts_at, tz) != _local_day(event.starts_at, tz):
        raise Refused(
            _(
                "This %(event_word)s is part of the meet %(meet)s. Take it out before you move it to another day."
            )
            % {"meet": event.meet}
        )


def _local_day(moment: datetime, tz: tzinfo) -> date:
    return moment.astimezone(tz).date()


def _merge(given: EntryInput, stored: Entry, event: Event, moved: timedelta) -> EntryInput:
    """Merge a given entry with the stored one: values not given stay."""
    tz = event.season.club.tz
    shows_arrival = given.has_exact_times or late_arrival(stored, event) is not None
    removes_arrival = given.from_form and shows_arrival
    form_tz = tz if given.from_form and not given.has_exact_times else None
    registered_at = _merge_time(
        _move_days(stored.registered_at, moved, tz),
        given.registered_at,
        form_tz,
        removes=removes_arrival,
    )
    busted_at = _merge_time(
        _move_days(stored.busted_at, moved, tz),
        given.busted_at,
        form_tz,
        removes=given.from_form,
    )
    return replace(
        given,
        registered_at=registered_at,
        busted_at=_bust_in_minute_of_arrival(registered_at, busted_at),
        **{name: _given_or_stored(name, given, stored) for name in OPTIONAL_FIELDS},
    )


def _given_or_stored(name: str, given: EntryInput, stored: Entry) -> Any:
    """Choose a value; a finishing order, which has no balances, leaves what belongs to the score as it is."""
    value = getattr(given, name)
    removes = given.from_form and (name not in SCORE_FIELDS or given.balance is not None)
    return getattr(stored, name) if value is None and not removes else value


def _move_days(moment: datetime | None, days: timedelta, tz: tzinfo) -> datetime | None:
    """Move to the same local time of another day, which is not always 24 hours later; nothing moves beyond all days."""
    try:
        return moment and (moment.astimezone(tz) + days).astimezone(UTC)
    except OverflowError:
        return moment


def _merge_time(
    stored: datetime | None, given: datetime | None, form_tz: tzinfo | None, *, removes: bool
) -> datetime | None:
    """Choose a time; a time of day from a form keeps a stored moment that shows the same time.

    The stored moment has seconds, and the right day if an event runs longer than one. `form_tz` is the time zone of the
    form, `removes` whether nothing given removes the stored moment.
    """
    if given is None:
        return None if removes else stored
    if stored and form_tz and _wall_minute(stored, form_tz) == _wall_minute(given, form_tz):
        return stored
    return given


def _wall_minute(moment: datetime, tz: tzinfo) -> tuple[int, int]:
    local = moment.astimezone(tz)
    return local.hour, local.minute


def _bust_in_minute_of_arrival(registered_at: datetime | None, busted_at: datetime | None) -> datetime | None:
    """Move a bust typed to the minute to the arrival, if the arrival lies later in the same minute."""
    if registered_at is None or busted_at is None or busted_at >= registered_at:
        return busted_at
    return registered_at if busted_at >= registered_at.replace(second=0, microsecond=0) else busted_at


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
    if entry.registered_at and entry.busted_at and entry.busted_at < entry.registered_at:
        raise BadResult(
            _("%(name)s is out at %(out)s, but registered at %(registered)s.")
            % {
                "name": entry.name,
                "out": _clock(entry.busted_at, tz),
                "registered": _clock(entry.registered_at, tz),
            }
        )
    if is_out_before_start(entry, details):
        raise BadResult(
            _("%(name)s is out at %(out)s, but the %(event_word)s starts at %(start)s.")
            % {"name": entry.name, "out": _clock(entry.busted_at, tz), "start": _clock(details.starts_at, tz)}
        )


def _require_busts_in_order(entries: Iterable[EntryInput], tz: tzinfo) -> None:
    if pair := next(out_after_better(entries), None):
        late, better = pair
        raise BadResult(
            _("%(name)s is out at %(out)s, later than %(better)s, who finished above.")
            % {"name": late.name, "out": _clock(late.busted_at, tz), "better": better.name}
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
