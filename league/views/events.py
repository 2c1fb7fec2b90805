"""Enter, correct and delete an event: the form shows what the site reads while it is typed."""

import uuid
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_view, event_view, season_view
from league.finishing_order.lines import as_written
from league.finishing_order.order import FinishingOrder, apply_fix, describe, read_finishing_order
from league.forms import MAX_TEXT, DeleteForm, EventForm, event_initial, new_event_initial
from league.models import Event, Game, Pool, Season, name_key
from league.names.understanding import read_answers
from league.names.words import guests_text
from league.night_sheets.stored import is_sheet_event
from league.queries import count_evenings, players_by_key, regulars
from league.questions import kept_answers
from league.results import EventDetails, corrected_details, entries_of, text_of
from league.rights import Act
from league.services.errors import BadResult, Refused, Stale
from league.services.events import correct_result, delete_event, enter_result
from league.views.drafts import redirect_published
from league.views.nights import scored_event_edit, show_deleted_night
from league.views.undo import say_deleted

N_REGULARS = 24
HIDDEN = {"version", "form_token"}


@season_view(Act.ENTER_RESULTS, related=("rules",))
def event_create(request: ClubRequest) -> HttpResponse:
    return _entry_page(request, new_event_initial(request.season, _game(request)))


@club_view(Act.ENTER_RESULTS)
def event_edit(request: ClubRequest, event_id: int) -> HttpResponse:
    events = Event.objects.select_related("season__club", "season__pool", "meet", "pool", "game")
    event = events.filter(pk=event_id, season__club=request.club).first()
    if event is None:
        request.season = _season_of_form(request)
        return show_deleted_night(request) if "shape" in request.POST else _show_deleted(request)
    request.season = event.season
    if is_sheet_event(event):
        return scored_event_edit(request, event)
    return _entry_page(request, event_initial(event, text_of(event)), event)


def _season_of_form(request: ClubRequest) -> Season:
    """Find the season of a form that is sent after its event was deleted."""
    seasons = request.club.seasons.select_related("club", "pool", "rules")
    typed = request.POST.get("season")
    season = next((season for season in seasons if season.slug == typed), None)
    if season is None:
        raise Http404
    return season


def _entry_page(request: ClubRequest, initial: dict[str, Any], event: Event | None = None) -> HttpResponse:
    """Show, check or save the form of a new or stored event."""
    if request.method != "POST":
        form = EventForm(season=request.season, initial=initial)
        starts_at = event.starts_at.astimezone(request.club.tz) if event else _first_start(form)
        return _show(request, form, _read(request, form, starts_at), event)
    form = _bound_form(request.season, _posted_fields(request.POST), initial)
    order = _read(request, form, form.starts_at)
    if form.is_valid() and order.is_ready and "save" in request.POST:
        return _save(request, form, order, event)
    if form.errors.keys() & HIDDEN:
        form = _restore_hidden_fields(form)
    return _show(request, form, order, event)


def _show(
    request: ClubRequest, form: EventForm, order: FinishingOrder, event: Event | None, **more: str
) -> HttpResponse:
    template = (
        "league/_reading.html" if request.htmx and not request.htmx.boosted else "league/event_form.html"
    )
    return render(request, template, _context(request, form, order, event) | more)


def _save(request: ClubRequest, form: EventForm, order: FinishingOrder, event: Event | None) -> HttpResponse:
    """Publish the result, or show the form again with the reason it was refused."""
    try:
        saved = _save_result(request, form, order, event)
        return redirect_published(request, saved, form.cleaned_data["form_token"])
    except Stale as error:
        assert event is not None  # only a stored event has a version
        version = Event.objects.filter(pk=event.pk).values_list("version", flat=True).first()
        if version is None:
            return _show_deleted(request)
        # With the current version, the user can save after comparing.
        form = _bound_form(form.season, {**form.data, "version": str(version)}, form.initial)
        form.add_error(None, str(error))
    except Refused as error:
        form.add_error("order" if isinstance(error, BadResult) else "day", str(error))
    return _show(request, form, order, event)


def _show_deleted(request: ClubRequest) -> HttpResponse:
    """Show what was typed about a deleted event as the form of a new event."""
    initial = new_event_initial(request.season)
    typed = _posted_fields(request.POST) | {"version": "", "form_token": str(initial["form_token"])}
    form = _bound_form(request.season, typed, initial)
    form.add_error(
        None,
        _(
            "This event was deleted while you had it open. What you typed is kept: if you publish it, it is"
            " entered as a new event."
        ),
    )
    address = reverse("league:event-create", args=[request.club.slug, request.season.slug])
    return _show(request, form, _read(request, form, form.starts_at), None, address=address)


def _bound_form(season: Season, typed: Mapping[str, Any], initial: Mapping[str, Any]) -> EventForm:
    """Make the form of the typed values, and check it."""
    form = EventForm(typed, season=season, initial=initial)
    form.full_clean()
    return form


def _read(request: ClubRequest, form: EventForm, starts_at: datetime) -> FinishingOrder:
    return read_finishing_order(
        _text(form)[:MAX_TEXT],
        known=players_by_key(request.club),
        starts_at=starts_at,
        answers=read_answers(_answers(request)),
        count_evenings=count_evenings,
    )


def _answers(request: ClubRequest) -> list[str]:
    return kept_answers(request.POST.getlist("answer"), request.POST.getlist("undo"))


def _text(form: EventForm) -> str:
    return form["order"].value() or ""


def _restore_hidden_fields(form: EventForm) -> EventForm:
    """Replace invalid hidden fields by their initial values, so that the form can be sent again."""
    hidden = {name: str(form.initial.get(name, "")) for name in HIDDEN}
    form = _bound_form(form.season, {**form.data, **hidden}, form.initial)
    form.add_error(
        None, _("This form was not sent whole. What you typed is kept: look at it and send it again.")
    )
    return form


def _first_start(form: EventForm) -> datetime:
    return datetime.combine(form.initial["day"], form.initial["start"], tzinfo=form.season.club.tz)


def _posted_fields(data: Mapping[str, str]) -> dict[str, str]:
    """Read the posted fields, and apply the fix or add the name whose button was pressed."""
    fields = {name: data.get(name, "") for name in EventForm.base_fields}
    if fix := data.get("fix"):
        fields["order"] = apply_fix(fields["order"], fix)
    if name := data.get("add"):
        fields["order"] = f"{fields['order'].rstrip()}\n{as_written(name)}".lstrip()
    return fields


def _save_result(request: ClubRequest, form: EventForm, order: FinishingOrder, event: Event | None) -> Event:
    data = form.cleaned_data
    if event is None:
        game = _game(request)
        details = EventDetails(
            form.starts_at.astimezone(UTC),
            name=data["name"],
            ends_at=form.ends_at,
            pool_id=_chosen_pool(form),
            game_id=game.pk if game else None,
        )
        token = data["form_token"] or uuid.uuid4()
        return enter_result(
            request.season,
            details,
            entries_of(order),
            actor=request.user,
            form_token=token,
            aliases=order.understood.aliases,
        )
    details = corrected_details(event, starts_at=form.starts_at, ends_at=form.ends_at, name=data["name"])
    details = replace(details, pool_id=_chosen_pool(form))
    return correct_result(
        event,
        details,
        entries_of(order),
        version=data["version"] or 0,
        actor=request.user,
        aliases=order.understood.aliases,
    )


def _game(request: ClubRequest) -> Game | None:
    """Find the game that the address of the form names."""
    number = request.GET.get("game", "")
    return request.club.games.filter(pk=number).first() if number.isdecimal() else None


def _chosen_pool(form: EventForm) -> int | None:
    pool: Pool | None = form.cleaned_data.get("pool")
    return pool.pk if pool else None


def _context(
    request: ClubRequest, form: EventForm, order: FinishingOrder, event: Event | None
) -> dict[str, Any]:
    names, text = regulars(request.club), _text(form)
    placed = {name_key(finisher.name) for finisher in order.finishers}
    return {
        "form": form,
        "order": order,
        "summary": describe(order),
        "guests": guests_text(order.understood.guests),
        "asks": order.understood.questions,
        "answers": _answers(request),
        "text": text,
        "event": event,
        "names": [as_written(name) for name in names],
        "missing": [name for name in names if name_key(name) not in placed][:N_REGULARS],
        "started": bool(text.strip()),
        "problems": [f"{field.label}: {error}" for field in form.visible_fields() for error in field.errors],
        "is_ready": order.is_ready and not form.errors and not form.season.is_closed,
    }


@event_view(Act.DELETE_RESULTS)
def event_delete(request: ClubRequest, event: Event) -> HttpResponse:
    form = DeleteForm(request.POST or None, initial={"version": event.version})
    if request.method == "POST":
        if form.is_valid():
            try:
                item = delete_event(event, version=form.cleaned_data["version"], actor=request.user)
                say_deleted(request, item)
                return redirect(request.season)
            except Refused as error:
                form = DeleteForm(initial={"version": event.version})
                messages.error(request, str(error))
        else:
            messages.error(request, _("Version: open this page again before you delete."))
    return render(request, "league/event_delete.html", {"form": form, "event": event})
