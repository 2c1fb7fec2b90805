"""Begin a night, open its desk on a device of an account, and call it off."""

import uuid
from http import HTTPStatus
from typing import Any, NamedTuple

from django.contrib import messages
from django.forms import BoundField
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
from live.forms import SetupForm, StartForm, typed_setup
from live.models import Night
from live.queries import running_nights
from live.services.blinds import levels_for
from live.services.log import decide
from live.services.nights import begin_night, call_off, now_ms, reopen, say_setup
from live.services.passes import join_as, page_device
from live.services.storing import Decision
from live.stored_log import state_of
from live.views.protocol import MOST_LETTERS, told

PAGES = frozenset({"helpers", "held", "deal", "finish", "setup", "blinds", "slips"})  # that the desk leads to


class Group(NamedTuple):
    """A line of the page of a setup: its name, its fields, and whether it has to be looked at."""

    name: str
    fields: list[BoundField]
    is_open: bool


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
    """Begin a night, from what is planned, beside one that runs, or from nothing."""
    planned, beside = _planned(request), _beside(request)
    coming = coming_to(planned, request.user) if planned else None
    form = StartForm(
        request.POST or None,
        club=request.club,
        planned=None if beside else planned,
        beside=beside,
        n_expected=coming.n_yes if coming else 0,
    )
    if request.method == "POST" and form.is_valid():
        try:
            night = _begin(request, form)
            return redirect("live:open", request.club.slug, night.pk)
        except Refused as error:
            form.add_error("season", str(error))
        except BadActionError as error:
            form.add_error(None, _("This cannot be put into the log: %(reason)s.") % {"reason": error})
    context = {
        "form": form,
        "groups": grouped(form),
        "planned": planned,
        "beside": beside,
        "coming": coming,
        "running": running_nights(request.club),
    }
    return render(request, "live/start.html", context)


def _begin(request: ClubRequest, form: StartForm) -> Night:
    data, setup = form.cleaned_data, form.setup
    levels = levels_for(
        request.club,
        data["blinds"],
        n_players=setup.get("expected", 0) or 9,
        stack=setup.get("stack", 0),
        minutes=int((data["hours"] or 3) * 60),
    )
    return begin_night(
        request.club,
        starts_at=data["starts_at"],
        season=data["season"],
        planned_event=data["planned"],
        beside=data["beside"],
        name=data["name"],
        setup=setup,
        levels=levels,
        form_token=data["form_token"],
        actor=request.user,
    )


def grouped(form: SetupForm) -> list[Group]:
    """Divide the fields of a form into the lines of its page, each with what it says now."""
    found = []
    for name, names in form.GROUPS:
        fields = [form[each] for each in names]
        found.append(Group(name, fields, any(field.errors for field in fields)))
    return found


@club_view(Act.ENTER_RESULTS)
def setup(request: ClubRequest, night_id: int) -> HttpResponse:
    """Change how a night is played while it runs; what is changed is in its log and can be undone there."""
    night = night_of(request, night_id)
    said = state_of(night).setup
    form = SetupForm(request.POST or None, club=request.club, initial=typed_setup(said), said=said)
    if request.method == "POST" and form.is_valid():
        try:
            say_setup(night, form.setup, None, actor=request.user)
            messages.success(request, _("Changed. It is in the log."))
            return redirect("live:setup", request.club.slug, night.pk)
        except (BadActionError, Refused) as error:
            form.add_error(None, _("This cannot be put into the log: %(reason)s.") % {"reason": error})
    context = {"night": night, "form": form, "groups": grouped(form), "running": [], "beside": None}
    return render(request, "live/setup.html", context)


def _beside(request: ClubRequest) -> Night | None:
    """Find the night of the same evening beside which another one begins."""
    chosen = typed_id(request.POST.get("beside") or request.GET.get("beside", ""))
    return Night.objects.filter(club=request.club, pk=chosen).first() if chosen else None


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
    page = chosen if chosen in PAGES else "open"
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
