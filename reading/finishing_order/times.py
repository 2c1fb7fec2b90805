"""Times in a finishing order: when players arrived and went out, and which of them cannot be."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta
from operator import itemgetter

from django.utils.translation import gettext as _

from reading.finishing_order.lines import Finisher, Line

# A time of day that is further from the start was meant before it.
LATEST_ARRIVAL = timedelta(hours=12)
Bust = tuple[datetime, Finisher]


def moment_of(clock: time | None, starts_at: datetime) -> datetime | None:
    """Find the first moment from the start on with this time of day, in UTC.

    Local times of one zone compare wrongly when the clock is set back.
    """
    if clock is None:
        return None
    moment = datetime.combine(starts_at.date(), clock, tzinfo=starts_at.tzinfo)
    if moment.astimezone(UTC) < starts_at.astimezone(UTC):
        moment += timedelta(days=1)
    return moment.astimezone(UTC)


def give_times(lines: Sequence[Line], starts_at: datetime) -> list[Line]:
    """Set the moments of arrivals and busts from their times of day."""

    def timed(finisher: Finisher) -> Finisher:
        return replace(
            finisher,
            registered_at=moment_of(finisher.arrival, starts_at),
            busted_at=moment_of(finisher.clock, starts_at),
        )

    return [replace(line, finishers=tuple(map(timed, line.finishers))) for line in lines]


def check_arrivals(lines: Sequence[Line], starts_at: datetime, closes_at: datetime | None) -> list[Line]:
    """Mark arrivals before the start, after registration closed, or after the player went out."""

    def checked(line: Line) -> Line:
        if line.error:
            return line
        errors = (_arrival_error(finisher, starts_at, closes_at) for finisher in line.finishers)
        return replace(line, error=next(filter(None, errors), ""))

    return [checked(line) for line in lines]


def _arrival_error(finisher: Finisher, starts_at: datetime, closes_at: datetime | None) -> str:
    arrival = finisher.registered_at
    if arrival is None:
        return ""
    values = {"name": finisher.name, "time": f"{finisher.arrival:%H:%M}"}
    if arrival > starts_at.astimezone(UTC) + LATEST_ARRIVAL:
        return _("%(name)s in at %(time)s: the event starts at %(start)s.") % {
            **values,
            "start": f"{starts_at:%H:%M}",
        }
    if closes_at and arrival > closes_at:
        return _("%(name)s in at %(time)s: registration closed at %(closed)s.") % {
            **values,
            "closed": f"{closes_at.astimezone(starts_at.tzinfo):%H:%M}",
        }
    if finisher.busted_at and arrival > finisher.busted_at:
        return _("%(name)s in at %(time)s, but out at %(out)s.") % {
            **values,
            "out": f"{finisher.clock:%H:%M}",
        }
    return ""


def check_busts(lines: Sequence[Line]) -> list[Line]:
    """Mark a player who went out after somebody with a better place; tied players may go out in any order."""
    earliest: Bust | None = None
    better: Bust | None = None  # the earliest bust among better places
    checked = []
    for line in lines:
        if line.error or line.is_blank:
            checked.append(line)
            continue
        if not line.joins_above:
            better = earliest
        busts = [(finisher.busted_at, finisher) for finisher in line.finishers if finisher.busted_at]
        late = next((finisher for moment, finisher in busts if better and moment > better[0]), None)
        if late and better:
            checked.append(replace(line, error=_late_error(late, better[1])))
            continue
        earliest = min([*busts, *([earliest] if earliest else [])], key=itemgetter(0), default=None)
        checked.append(line)
    return checked


def _late_error(late: Finisher, better: Finisher) -> str:
    return _("Out at %(time)s, later than %(name)s, who finished above.") % {
        "time": f"{late.clock:%H:%M}",
        "name": better.name,
    }
