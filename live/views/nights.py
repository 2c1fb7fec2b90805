"""Begin a night, open its desk on a device of an account, and call it off."""

import uuid
from http import HTTPStatus
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from league.access import ClubRequest, club_view, role_in, signed_in
from league.models import PlannedEvent
from league.queries import typed_id
from league.rights import Act, may
from league.schedule import coming_to, planned_events
from league.services.errors import Refused
from league.views.undo import say_with_undo
from league.vocabulary import gettext as _
from live.engine.actions import BadActionError
from live.forms import StartForm
from live.models import Night
from live.queries import running_nights
from live.services.log import Decision, decide
from live.services.nights import begin_night, call_off, now_ms, reopen
from live.services.passes import join_as, page_device
from live.views.protocol import MOST_LETTERS, told


def night_of(request: ClubRequest, night_id: int) -> Night:
    """Find a night of the club; 404 for one of another club."""
    nights = Night.objects.select_related("club", "season__club", "season__pool", "event__season__club")
    return get_object_or_404(nights, pk=night_id, club=request.club)


def record(request: ClubRequest, night: Night, kind: str, body: dict[str, Any], name: str = "") -> bool:
    """Record what an organizer decides on a page; say why if the log cannot take it."""
    device = page_device(night, request.user)
    try:
        decide(device, Decision(name or str(uuid.uuid4()), kind, body), now_ms=now_ms())
    except (BadActionError, Refused) as error:
        messages.error(request, _("This cannot be put into the log: %(reason)s.") % {"reason": error})
        return False
    return True


@club_view(Act.ENTER_RESULTS)
def start(request: ClubRequest) -> HttpResponse:
    """Begin a night, from what is planned or from nothing."""
    planned = _planned(request)
    form = StartForm(request.POST or None, club=request.club, planned=planned)
    if request.method == "POST" and form.is_valid():
        data = form.cleaned_data
        try:
            night = begin_night(
                request.club,
                starts_at=data["starts_at"],
                season=data["season"],
                planned_event=data["planned"],
                name=data["name"],
                setup=form.setup,
                form_token=data["form_token"],
                actor=request.user,
            )
            return redirect("live:open", request.club.slug, night.pk)
        except Refused as error:
            form.add_error("season", str(error))
    context = {
        "form": form,
        "planned": planned,
        "coming": coming_to(planned, request.user) if planned else None,
        "running": running_nights(request.club),
    }
    return render(request, "live/start.html", context)


def _planned(request: ClubRequest) -> PlannedEvent | None:
    """Find what is planned: what the address names, else what is planned for today."""
    chosen = typed_id(request.POST.get("planned") or request.GET.get("planned", ""))
    plans = PlannedEvent.objects.select_related("season__club").filter(season__club=request.club)
    if chosen:
        return plans.filter(pk=chosen).first()
    today = timezone.localdate()
    return next((each for each in planned_events(request.club, timezone.now()) if each.day == today), None)


@club_view(Act.ENTER_RESULTS)
def open_desk(request: ClubRequest, night_id: int) -> HttpResponse:
    """Make this browser a device of the account; a script sends the form if the browser has no key yet."""
    night = night_of(request, night_id)
    if request.method != "POST":
        return render(request, "live/open.html", {"night": night})
    try:
        device, key = join_as(night, request.user, name=request.user.get_username()[:MOST_LETTERS])
    except Refused as error:
        return JsonResponse({"why": str(error)}, status=HTTPStatus.FORBIDDEN)
    return JsonResponse(told(device, key))


@signed_in
def organizer(request: HttpRequest, night_id: int) -> HttpResponse:
    """Lead an account from the desk's address to the page that opens it; 404 for whoever may not know the night."""
    night = get_object_or_404(Night.objects.select_related("club"), pk=night_id)
    if not may(role_in(night.club, request.user), Act.ENTER_RESULTS):
        raise Http404
    chosen = request.GET.get("to", "")
    if chosen == "club":
        return redirect(night.club)
    page = chosen if chosen in {"helpers", "held", "deal", "finish"} else "open"
    return redirect(f"live:{page}", night.club.slug, night.pk)


@require_POST
@club_view(Act.ENTER_RESULTS)
def night_call_off(request: ClubRequest, night_id: int) -> HttpResponse:
    night = night_of(request, night_id)
    try:
        call_off(night)
    except Refused as error:
        messages.error(request, str(error))
        return redirect("live:finish", request.club.slug, night.pk)
    again = reverse("live:reopen", args=[request.club.slug, night.pk])
    say_with_undo(request, _("%(night)s is called off.") % {"night": night}, again)
    return redirect(request.club)


@require_POST
@club_view(Act.ENTER_RESULTS)
def night_reopen(request: ClubRequest, night_id: int) -> HttpResponse:
    night = night_of(request, night_id)
    reopen(night)
    return redirect("live:open", request.club.slug, night.pk)
