"""Enter and correct the tables of a night: the page works by its form, static/js/night.js answers while typing."""

import uuid
from functools import partial
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from entry.forms.results import DeleteNightForm, new_event_initial
from entry.night_sheets.reading import ReadSheet
from entry.night_sheets.sheet import BALANCE, HUNDREDS, blank_sheet
from entry.night_sheets.stored import (
    forget_games,
    is_sheet_event,
    rules_of_event,
    rules_of_game,
    sheet_of_events,
    with_seats,
)
from entry.services.nights import (
    delete_night,
)
from entry.views.drafts import redirect_published
from entry.views.night_page import OpenedSheet, SheetPage
from entry.views.sending import FormSubmission, answered
from league.access import ClubRequest, open_season_form, season_view
from league.formats import signed
from league.models import EntryForm, Event, Game, Meet
from league.rights import Act
from league.services.errors import AlreadyThere, BadResult, Refused, Stale
from league.views.undo import say_deleted
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from scores.rules import ScoreRules

FEW_SEATS = 6  # of an evening whose balances are typed, before more are asked for


@season_view(Act.ENTER_RESULTS, related=("rules",))
@open_season_form
def night_create(request: ClubRequest) -> HttpResponse:
    opened = _new_night(request, request.GET.get("game", ""))
    return (
        answered(_read_sheet(request, opened)) if opened else render(request, "entry/nights/night_none.html")
    )


def _new_night(request: ClubRequest, chosen: str) -> OpenedSheet | None:
    """Open an empty sheet for the chosen game, or for the first of the club; None without one."""
    open_games = request.club.games.filter(is_shut=False, pool__is_shut=False).exclude(
        entry_form=EntryForm.ORDER
    )
    games = list(open_games.select_related("pool").order_by("pk"))
    game = next((game for game in games if str(game.pk) == chosen), games[0] if games else None)
    if game is None:
        return None
    is_scored = game.entry_form == EntryForm.SCORES
    initial = {"name": game.name} | new_event_initial(request.season)
    rules = rules_of_game(game)
    sheet = blank_sheet(_n_seats(game, rules), HUNDREDS if is_scored else BALANCE)
    return OpenedSheet(request, game, rules, sheet, initial, games=games)


def show_deleted_night(request: ClubRequest) -> HttpResponse:
    """Show what was typed about games that were deleted meanwhile, as the sheet of a new night."""
    opened = _new_night(request, request.POST.get("game", ""))
    if opened is None:
        raise Http404
    token = str(opened.initial["form_token"])
    page = SheetPage(opened, {**request.POST.dict(), "do": "", "form_token": token})
    forget_games(page.sheet)
    page.form.add_error(
        None,
        _(
            "This night was deleted while you had it open. What you typed is kept: if you publish it, it is entered"
            " as a new one."
        ),
    )
    address = reverse("entry:night-create", args=[request.club.slug, request.season.slug])
    game = opened.game.pk if opened.game else ""
    return render(request, "entry/nights/night.html", page.context() | {"address": f"{address}?game={game}"})


@season_view(Act.ENTER_RESULTS, related=("rules",))
@open_season_form
def night_edit(request: ClubRequest, meet_id: int) -> HttpResponse:
    meet = Meet.objects.filter(pk=meet_id, season=request.season).first()
    if meet is None and request.method == "POST":
        return show_deleted_night(request)
    if meet is None:
        raise Http404
    return answered(read_stored_night(request, meet))


def read_stored_night(request: ClubRequest, meet: Meet) -> FormSubmission | HttpResponse:
    """Read the sheet of a stored night: return what saves it if it was submitted and is valid, else its page."""
    meet.season = request.season
    events = with_seats(meet.events.all())
    if not events or not all(event.round and event.table and is_sheet_event(event) for event in events):
        return redirect("entry:meet-edit", request.club.slug, request.season.slug, meet.pk)
    return _read_sheet(request, _stored(request, events, name=meet.name, meet=meet))


def read_scored_event(request: ClubRequest, event: Event) -> FormSubmission | HttpResponse:
    """Read the form of one game with scores or balances: on the sheet of its night, or alone."""
    if event.meet_id and event.round and event.table:
        address = reverse("entry:night-edit", args=[request.club.slug, event.season.slug, event.meet_id])
        if request.method != "POST":
            return redirect(f"{address}#h{event.round}-{event.table}")
    [event] = with_seats(Event.objects.filter(pk=event.pk))
    event.season = request.season
    return _read_sheet(request, _stored(request, [event], name=str(event), event=event))


def _stored(request: ClubRequest, events: list[Event], *, name: str, **of: Any) -> OpenedSheet:
    """Open the sheet of stored games, read `with_seats`."""
    first = events[0]
    start = first.starts_at.astimezone(request.club.tz)
    initial = {"name": name, "day": start.date(), "start": start.time(), "form_token": uuid.uuid4()}
    rules = rules_of_event(first)
    sheet = sheet_of_events(events, _n_seats(first.game, rules))
    return OpenedSheet(request, first.game, rules, sheet, initial, events=events, **of)


def _n_seats(game: Game | None, rules: ScoreRules) -> int:
    is_scored = game is not None and game.entry_form == EntryForm.SCORES
    return rules.n_players if is_scored else FEW_SEATS


@season_view(Act.DELETE_RESULTS)
@open_season_form
def night_delete(request: ClubRequest, meet_id: int) -> HttpResponse:
    """Delete a night with all its games, after confirmation."""
    meet = get_object_or_404(request.season.meets, pk=meet_id)
    form = DeleteNightForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            say_deleted(request, delete_night(meet, read=form.read(), actor=request.user))
            return redirect("standings:events", request.club.slug, request.season.slug)
        except Stale:
            messages.error(
                request, _("Somebody else has changed this night since you opened it. Look at it again.")
            )
        except Refused as error:
            messages.error(request, str(error))
    events = list(meet.events.in_rating_order())
    versions = " ".join(f"{event.pk}:{event.version}" for event in events)
    form = DeleteNightForm(initial={"games": versions})
    return render(request, "entry/nights/night_delete.html", {"form": form, "meet": meet, "events": events})


def _read_sheet(request: ClubRequest, opened: OpenedSheet) -> FormSubmission | HttpResponse:
    if request.method != "POST":
        return render(request, "entry/nights/night.html", SheetPage(opened, None).context())
    page = SheetPage(opened, request.POST.dict())
    if "save" not in request.POST or not page.can_save:
        return render(request, "entry/nights/night.html", page.context())

    def published(saved: Meet | Event | None) -> HttpResponse:
        messages.success(request, _published(page.read))
        target = saved or reverse("standings:events", args=[request.club.slug, request.season.slug])
        token = page.form.cleaned_data["form_token"]
        return redirect_published(request, target, token, event=opened.event, meet=opened.meet)

    return FormSubmission(page.save, published, partial(_show_refused, request, page))


def _show_refused(request: ClubRequest, page: SheetPage, error: Refused) -> HttpResponse:
    """Show the sheet again with the reason it was refused, or with what somebody else has saved meanwhile."""
    if isinstance(error, Stale):
        if not (now := _reopened(page.opened)):
            return show_deleted_night(request)
        page.take_over(now)
    elif isinstance(error, AlreadyThere):
        return render(request, "entry/nights/night.html", page.context() | {"similar": str(error)})
    else:
        page.form.add_error(None if isinstance(error, BadResult) else "day", str(error))
    return render(request, "entry/nights/night.html", page.context())


def _reopened(opened: OpenedSheet) -> OpenedSheet | None:
    """Open what is stored by now; None if it was deleted."""
    if opened.meet:
        opened.meet.refresh_from_db()
        events = with_seats(opened.meet.events.all())
        return _stored(opened.request, events, name=opened.meet.name, meet=opened.meet) if events else None
    events = with_seats(Event.objects.filter(pk__in=[event.pk for event in opened.events]))
    return _stored(opened.request, events, name=str(events[0]), event=events[0]) if events else None


def _published(read: ReadSheet) -> str:
    """Say what was published, and who is best over all tables."""
    totals: dict[str, Any] = {}
    for table in read.used:
        for seat, result in zip(table.seats, table.results or [], strict=True):
            totals[seat.name] = totals.get(seat.name, 0) + result.balance
    best = max(totals, key=lambda name: totals[name])
    text = ngettext(
        "Published: %(n)d table. %(name)s is best with %(total)s.",
        "Published: %(n)d tables. %(name)s is best with %(total)s.",
        len(read.used),
    )
    return text % {"n": len(read.used), "name": best, "total": signed(totals[best], 1)}
