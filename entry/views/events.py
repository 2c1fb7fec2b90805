"""Enter, correct and delete an event: the form shows what the site reads while it is typed."""

import uuid
from dataclasses import replace
from datetime import UTC
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from entry.forms.results import DeleteForm, EventForm, event_initial, new_event_fields, suggested_time
from entry.night_sheets.stored import is_sheet_event
from entry.views.conflicts import discard_mine, merged_page, show_conflict
from entry.views.drafts import redirect_published, say_published
from entry.views.event_page import EntryFormState, bound_form, opened_page, read_page, show
from entry.views.nights import read_scored_event, show_deleted_night
from entry.views.sending import FormSubmission, answered
from league.access import ClubRequest, club_view, event_view, open_season_form, season_view
from league.models import Event, Game, PlannedEvent, Pool, Season
from league.models.change import MAX_REASON
from league.queries import typed_id
from league.rights import Act
from league.services.errors import BadDay, BadResult, Refused, Stale
from league.services.events import correct_result, delete_event, enter_result
from league.stored_results import corrected_details, text_of, with_closing_time
from league.views.undo import say_deleted
from league.vocabulary import gettext as _
from reading.results import EventDetails, entries_of

HIDDEN = {"version", "form_token"}


@season_view(Act.ENTER_RESULTS, related=("rules",))
@open_season_form
def event_create(request: ClubRequest) -> HttpResponse:
    initial = new_event_fields(request.season, _game(request))
    if request.method != "POST":
        initial |= suggested_time(request.season, _planned(request))
    return answered(_read_form(request, initial))


def _planned(request: ClubRequest) -> PlannedEvent | None:
    """Find the planned event whose result is to be entered, if the address names one."""
    chosen = typed_id(request.GET.get("planned", ""))
    return request.season.planned_events.filter(pk=chosen).first() if chosen else None


@club_view(Act.ENTER_RESULTS)
def event_edit(request: ClubRequest, event_id: int) -> HttpResponse:
    events = Event.objects.select_related("season__club", "season__pool", "meet", "pool", "game")
    event = events.filter(pk=event_id, season__club=request.club).first()
    if event is None:
        request.season = _season_of_form(request)
        return show_deleted_night(request) if "shape" in request.POST else _show_deleted(request)
    request.season = event.season
    return _stored_event(request, event=event)


@open_season_form
def _stored_event(request: ClubRequest, event: Event) -> HttpResponse:
    return answered(read_stored_event(request, event))


def read_stored_event(request: ClubRequest, event: Event) -> FormSubmission | HttpResponse:
    """Read the form of a stored event: return what saves it if it was submitted and is valid, else its page."""
    if is_sheet_event(event):
        return read_scored_event(request, event)
    return _read_form(request, event_initial(event, text_of(event)), event)


def _season_of_form(request: ClubRequest) -> Season:
    """Find the season of a form that is sent after its event was deleted."""
    seasons = request.club.seasons.select_related("club", "pool", "rules")
    typed = request.POST.get("season")
    season = next((season for season in seasons if season.slug == typed), None)
    if season is None:
        raise Http404
    return season


def _read_form(
    request: ClubRequest, initial: dict[str, Any], event: Event | None = None
) -> FormSubmission | HttpResponse:
    """Read the form of a new or stored event."""
    if request.method != "POST":
        return show(request, opened_page(request, initial, event))
    if event and "discard" in request.POST:
        return discard_mine(request, event)
    page = read_page(request, initial, event)
    if event and page.can_save and request.POST.keys() & {"merge", "mend"}:
        return _merge(request, page, event)
    if page.can_save and "save" in request.POST:
        return _sending(request, page)
    if page.form.errors.keys() & HIDDEN:
        page = replace(page, form=_restore_hidden_fields(page.form))
    return show(request, page)


def _sending(request: ClubRequest, page: EntryFormState) -> FormSubmission:
    token = page.form.cleaned_data["form_token"]
    is_again = bool(token and Event.objects.filter(form_token=token).exists())

    def published(saved: Event) -> HttpResponse:
        say_published(request, saved, is_again=is_again)
        return redirect_published(request, saved, token, event=page.event)

    return FormSubmission(
        partial(_save_result, request, page), published, partial(_show_refused, request, page)
    )


def _show_refused(request: ClubRequest, page: EntryFormState, error: Refused) -> HttpResponse:
    """Show the form again with the reason it was refused, or beside what somebody else has saved meanwhile."""
    if isinstance(error, Stale):
        assert page.event is not None  # only a stored event has a version
        now = Event.objects.select_related("season__club", "pool").filter(pk=page.event.pk).first()
        return show_conflict(request, page, now) if now else _show_deleted(request)
    field = "order" if isinstance(error, BadResult) else "day" if isinstance(error, BadDay) else None
    page.form.add_error(field, str(error))
    return show(request, page)


def _merge(request: ClubRequest, page: EntryFormState, event: Event) -> HttpResponse:
    """Save the merged version or show it in the form; ask again if the event has changed since it was shown."""
    if request.POST.get("against") != str(event.version):
        return show_conflict(request, page, event)
    merged = merged_page(request, page, event)
    if "merge" in request.POST and merged.can_save:
        return answered(_sending(request, merged))
    return show(request, merged)


def _show_deleted(request: ClubRequest) -> HttpResponse:
    """Show what was typed about a deleted event as the form of a new event."""
    initial = new_event_fields(request.season)
    page = read_page(request, initial, None, version="", form_token=str(initial["form_token"]))
    page.form.add_error(
        None,
        _(
            "This %(event_word)s was deleted while you had it open. What you typed is kept: if you publish it, it is"
            " entered as a new %(event_word)s."
        ),
    )
    address = reverse("entry:event-create", args=[request.club.slug, request.season.slug])
    return show(request, page, address=address)


def _restore_hidden_fields(form: EventForm) -> EventForm:
    """Replace invalid hidden fields by their initial values, so that the form can be sent again."""
    hidden = {name: str(form.initial.get(name, "")) for name in HIDDEN}
    form = bound_form(form.season, {**form.data, **hidden}, form.initial)
    form.add_error(
        None, _("This form was not sent whole. What you typed is kept: look at it and send it again.")
    )
    return form


def _save_result(request: ClubRequest, page: EntryFormState) -> Event:
    form, entries = page.form, entries_of(page.order)
    data = form.cleaned_data
    saving: dict[str, Any] = {
        "actor": request.user,
        "aliases": page.order.understood.aliases,
        "parts": page.parts,
    }
    if page.event is None:
        game = _game(request)
        details = EventDetails(
            form.starts_at.astimezone(UTC),
            name=data["name"],
            ends_at=form.ends_at,
            closes_at=form.closes_at,
            table_size=data["seats"],
            final_table_size=data["final_seats"] or data["seats"],
            pool_id=_chosen_pool(form),
            game_id=game.pk if game else None,
        )
        token = data["form_token"] or uuid.uuid4()
        return enter_result(
            form.season, details, entries, form_token=token, is_another=page.is_another, **saving
        )
    details, version = _correction(page, page.event)
    reason = request.POST.get("reason", "").strip()[:MAX_REASON]
    return correct_result(
        page.event, details, entries, version=version, season=form.season, reason=reason, **saving
    )


def _correction(page: EntryFormState, event: Event) -> tuple[EventDetails, int]:
    """Put together the details of a corrected event, and find the version that its form was opened with."""
    form, data = page.form, page.form.cleaned_data
    details = corrected_details(event, starts_at=form.starts_at, ends_at=form.ends_at, name=data["name"])
    chosen = {"table_size": data["seats"], "final_table_size": data["final_seats"] or data["seats"]}
    details = replace(details, pool_id=_chosen_pool(form), **chosen)
    details = with_closing_time(details, event, form.closes_at)
    return details, data["version"] or 0


def _game(request: ClubRequest) -> Game | None:
    """Find the game that the address of the form names."""
    number = typed_id(request.GET.get("game", ""))
    return request.club.games.filter(pk=number).first() if number else None


def _chosen_pool(form: EventForm) -> int | None:
    pool: Pool | None = form.cleaned_data.get("pool")
    return pool.pk if pool else None


@event_view(Act.DELETE_RESULTS)
@open_season_form
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
    return render(request, "entry/event_delete.html", {"form": form, "event": event})
