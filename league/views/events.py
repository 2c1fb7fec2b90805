"""Entering an evening: type or paste, see what the site reads, save."""

import uuid
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_view, event_view, season_view
from league.finishing_order.order import FinishingOrder, apply_fix, describe, read_finishing_order
from league.forms import MAX_TEXT, DeleteForm, EventForm, event_initial, new_event_initial
from league.models import Event, Role, Season, name_key
from league.queries import players_by_key, regulars
from league.results import EventDetails, corrected_details, entries_of, text_of
from league.services.errors import BadResult, Refused, Stale
from league.services.events import correct_result, delete_event, enter_result

N_REGULARS = 24
DAY = 86_400


@season_view(Role.ORGANIZER, related=("rules",))
def event_create(request: ClubRequest) -> HttpResponse:
    return _entry_page(request, event=None)


@club_view(Role.ORGANIZER)
def event_edit(request: ClubRequest, event_id: int) -> HttpResponse:
    events = Event.objects.select_related("season__club", "season__pool", "meet")
    event = events.filter(pk=event_id, season__club=request.club).first()
    request.season = event.season if event else _season_of_form(request)
    return _entry_page(request, event, is_gone=event is None)


def _season_of_form(request: ClubRequest) -> Season:
    """Of a form that is sent after its event was deleted."""
    seasons = request.club.seasons.select_related("club", "pool", "rules")
    typed = request.POST.get("season")
    season = next((season for season in seasons if season.slug == typed), None)
    if season is None:
        raise Http404
    return season


def _entry_page(request: ClubRequest, event: Event | None, *, is_gone: bool = False) -> HttpResponse:
    """The form of a new evening or of an event; of a new one also for what was typed about an event that is gone."""
    initial = event_initial(event, text_of(event)) if event else new_event_initial(request.season)
    typed = _edited(request.POST) if request.method == "POST" else None
    if typed and is_gone:
        typed |= {"version": "", "form_token": str(initial["form_token"])}
    form = EventForm(typed, season=request.season, initial=initial)
    is_valid = form.is_valid() if form.is_bound else False
    text = form["order"].value() or ""
    starts_at = form.starts_at if form.is_bound else _start_of(event, form)
    order = read_finishing_order(text[:MAX_TEXT], known=players_by_key(request.club), starts_at=starts_at)
    if is_gone:
        form.add_error(
            None,
            _(
                "This event was deleted while you had it open. What you typed is kept: if you publish it, it is"
                " entered as a new evening."
            ),
        )
    elif is_valid and order.is_ready and "save" in request.POST:
        try:
            return _published(request, form, _save(request, event, form, order))
        except Stale as error:
            assert event is not None
            now = Event.objects.filter(pk=event.pk).values_list("version", flat=True).first()
            if now is None:
                return _entry_page(request, None, is_gone=True)
            form.add_error(None, str(error))
            form.data = {**form.data, "version": str(now)}  # whoever has compared may save
        except Refused as error:
            form.add_error("order" if isinstance(error, BadResult) else "day", str(error))
    if not is_gone and form.errors.keys() & {"version", "form_token"}:
        _put_right(form, initial)
    template = (
        "league/_reading.html" if request.htmx and not request.htmx.boosted else "league/event_form.html"
    )
    context = _context(request, form, order, event, text)
    if is_gone:
        context["address"] = reverse("league:event-create", args=[request.club.slug, request.season.slug])
    return render(request, template, context)


def _published(request: ClubRequest, form: EventForm, event: Event) -> HttpResponse:
    """To the event's page; the cookie tells this browser to forget its draft of the form (static/js/draft.js)."""
    answer = redirect(event)
    token = str(form.cleaned_data["form_token"] or "")
    answer.set_cookie(
        "published", token, max_age=DAY, path=request.path, samesite="Lax", secure=request.is_secure()
    )
    return answer


def _put_right(form: EventForm, initial: Mapping[str, Any]) -> None:
    """A hidden field that no browser would send: whoever was told may send the form again."""
    form.add_error(
        None, _("This form was not sent whole. What you typed is kept: look at it and send it again.")
    )
    form.data = {**form.data, **{name: str(initial.get(name, "")) for name in ("version", "form_token")}}


def _start_of(event: Event | None, form: EventForm) -> datetime:
    tz = form.season.club.tz
    if event is not None:
        return event.starts_at.astimezone(tz)
    return datetime.combine(form.initial["day"], form.initial["start"], tzinfo=tz)


def _edited(data: Mapping[str, str]) -> dict[str, str]:
    """The posted fields, after the remedy or the name whose button was pressed."""
    fields = {name: data.get(name, "") for name in EventForm.base_fields}
    if fix := data.get("fix"):
        fields["order"] = apply_fix(fields["order"], fix)
    if name := data.get("add"):
        fields["order"] = f"{fields['order'].rstrip()}\n{name}".lstrip()
    return fields


def _save(request: ClubRequest, event: Event | None, form: EventForm, order: FinishingOrder) -> Event:
    data = form.cleaned_data
    if event is None:
        details = EventDetails(form.starts_at.astimezone(UTC), name=data["name"], ends_at=form.ends_at)
        token = data["form_token"] or uuid.uuid4()
        return enter_result(request.season, details, entries_of(order), actor=request.user, form_token=token)
    details = corrected_details(event, starts_at=form.starts_at, ends_at=form.ends_at, name=data["name"])
    return correct_result(event, details, entries_of(order), version=data["version"] or 0, actor=request.user)


def _context(
    request: ClubRequest, form: EventForm, order: FinishingOrder, event: Event | None, text: str
) -> dict[str, Any]:
    names = regulars(request.club)
    placed = {name_key(finisher.name) for finisher in order.finishers}
    return {
        "form": form,
        "order": order,
        "summary": describe(order),
        "text": text,
        "event": event,
        "names": names,
        "missing": [name for name in names if name_key(name) not in placed][:N_REGULARS],
        "started": bool(text.strip()),
        "problems": [f"{field.label}: {error}" for field in form.visible_fields() for error in field.errors],
        "is_ready": order.is_ready and not form.errors and not form.season.is_closed,
    }


@event_view(Role.ORGANIZER)
def event_delete(request: ClubRequest, event: Event) -> HttpResponse:
    form = DeleteForm(request.POST or None, initial={"version": event.version})
    if request.method == "POST":
        if form.is_valid():
            try:
                delete_event(event, version=form.cleaned_data["version"], actor=request.user)
                messages.success(request, _("The event is deleted; ratings and points are being recomputed."))
                return redirect(request.season)
            except Refused as error:
                form = DeleteForm(initial={"version": event.version})
                messages.error(request, str(error))
        else:
            messages.error(request, _("Version: open this page again before you delete."))
    return render(request, "league/event_delete.html", {"form": form, "event": event})
