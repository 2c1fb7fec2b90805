"""Calendar and feeds, for programs: of a public club for everybody, otherwise by the secret address of a member."""

from functools import wraps
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from league.access import ClubRequest, club_view
from league.database.snapshots import View
from league.downloads import attachment
from league.models import Membership, PlannedEvent
from league.schedule import planned_events
from noticeboard.calendars import calendar_of
from noticeboard.feeds import CONTENT_TYPE, corrections_feed, events_feed

CALENDAR = "text/calendar; charset=utf-8"


@require_safe
@club_view()
def calendar(request: ClubRequest) -> HttpResponse:
    return _calendar(request, planned_events(request.club, timezone.now()), "calendar.ics")


@require_safe
@club_view()
def planned_file(request: ClubRequest, planned_id: int) -> HttpResponse:
    planned = PlannedEvent.objects.select_related("season__club")
    event = get_object_or_404(planned, pk=planned_id, season__club=request.club)
    return _calendar(request, [event], "event.ics")


@require_safe
@club_view()
def events_atom(request: ClubRequest) -> HttpResponse:
    text = events_feed(request.club, site=_site(request), own_address=request.build_absolute_uri())
    return HttpResponse(text, content_type=CONTENT_TYPE)


@require_safe
@club_view()
def corrections_atom(request: ClubRequest) -> HttpResponse:
    text = corrections_feed(request.club, site=_site(request), own_address=request.build_absolute_uri())
    return HttpResponse(text, content_type=CONTENT_TYPE)


def by_key(view: View) -> View:
    """Wrap a club view for programs: the key in the URL authenticates a member."""

    @wraps(view)
    def wrapped(request: HttpRequest, key: UUID) -> HttpResponse:
        members = Membership.objects.select_related("club", "user").filter(user__is_active=True)
        member = get_object_or_404(members, feed_key=key)
        request.user = member.user
        return view(request, club_slug=member.club.slug)

    del wrapped.__wrapped__
    return never_cache(require_safe(wrapped))


keyed_calendar = by_key(calendar)
keyed_events_atom = by_key(events_atom)
keyed_corrections_atom = by_key(corrections_atom)


def _calendar(request: ClubRequest, events: list[PlannedEvent], name: str) -> HttpResponse:
    address = request.build_absolute_uri(request.club.get_absolute_url())
    return attachment(request, calendar_of(request.club, events, address=address), name, CALENDAR)


def _site(request: HttpRequest) -> str:
    return request.build_absolute_uri("/").rstrip("/")
