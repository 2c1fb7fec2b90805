"""Keep when a reader was here before, in the browser, and read what has happened since."""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.dateparse import parse_datetime

from league.models import Change, Club
from league.site.cookies import VISITS

SEPARATOR = "|"
A_VISIT = timedelta(hours=6)  # after which the next page begins another one
MOST_LISTED = 5
YEAR = 365 * 86_400


@dataclass(frozen=True)
class News:
    """What has happened in a club since a visit: new results, and how many results were corrected."""

    since: datetime
    event_ids: tuple[int, ...]  # the newest first
    n_corrected: int

    def __bool__(self) -> bool:
        return bool(self.event_ids or self.n_corrected)


def visits_of(request: HttpRequest) -> tuple[datetime | None, datetime | None]:
    """Read the beginnings of the visit before and of the present one; None where there is none."""
    before, _separator, last = request.COOKIES.get(VISITS, "").partition(SEPARATOR)
    return _moment(before), _moment(last)


def _moment(text: str) -> datetime | None:
    try:
        found = parse_datetime(text)
    except ValueError:
        return None
    return found if found and timezone.is_aware(found) and found <= timezone.now() else None


def visit_before(request: HttpRequest) -> datetime | None:
    """Tell when the visit before this one began."""
    before, last = visits_of(request)
    return last if last and timezone.now() - last > A_VISIT else before


def keep_visit(request: HttpRequest, response: HttpResponse, club: Club) -> None:
    """Remember this visit and the one before in a cookie of the club's pages."""
    before, last = visits_of(request)
    now = timezone.now().replace(microsecond=0)
    if last is None or now - last > A_VISIT:
        before, last = last, now
    response.set_cookie(
        VISITS,
        SEPARATOR.join(each.isoformat() if each else "" for each in (before, last)),
        max_age=YEAR,
        path=club.get_absolute_url(),
        samesite="Lax",
        secure=request.is_secure(),
        httponly=True,
    )


def news_since(club: Club, since: datetime) -> News:
    """Read which results are new since a moment, and how many older ones were corrected."""
    kinds = Change.Kind
    changes = Change.objects.filter(pool__club=club, at__gt=since, event__isnull=False)
    entered = changes.filter(kind=kinds.RESULT_ENTERED).order_by("-event__starts_at", "-event_id")
    ids = tuple(dict.fromkeys(entered.values_list("event_id", flat=True)[: 4 * MOST_LISTED]))
    corrected = changes.filter(kind=kinds.RESULT_CORRECTED).exclude(event_id__in=ids)
    return News(since, ids, corrected.values("event_id").distinct().count())
