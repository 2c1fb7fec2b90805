"""Enter and correct the tables of a night: the page works by its form, static/js/night.js answers while typing."""

import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubRequest, season_view
from league.formats import signed
from league.forms import DeleteNightForm, OccasionForm, new_event_initial
from league.models import EntryForm, Event, Game, Meet, Role
from league.night_sheets.forms import RulesForm, preset_values, rules_initial
from league.night_sheets.reading import ReadSheet, ReadTable, new_names, read_sheet
from league.night_sheets.sheet import BALANCE, HUNDREDS, Sheet, act, blank_sheet, paste, sheet_of
from league.night_sheets.stored import (
    is_sheet_event,
    refresh,
    rules_of_event,
    rules_of_game,
    sheet_of_events,
    with_seats,
)
from league.night_sheets.texts import rules_text, sheet_text, table_text
from league.night_sheets.words import ordinals, winds, words
from league.queries import players_by_key, regulars
from league.score_messages import message_of
from league.scores.errors import ScoreError
from league.scores.rules import ScoreRules
from league.services.errors import BadResult, Refused, Stale
from league.services.nights import (
    Night,
    NightTable,
    correct_night,
    correct_table,
    delete_night,
    enter_night,
)
from league.views.drafts import redirect_published

FEW_SEATS = 6  # of an evening whose balances are typed, before more are asked for


@dataclass
class Opened:
    """What a sheet is opened for: a new night, the games of a stored one, or one game that belongs to none."""

    request: ClubRequest
    game: Game | None
    rules: ScoreRules
    sheet: Sheet
    initial: dict[str, Any]
    meet: Meet | None = None
    event: Event | None = None
    games: list[Game] = field(default_factory=list)

    @property
    def is_scored(self) -> bool:
        return self.game is not None and self.game.entry_form == EntryForm.SCORES


@season_view(Role.ORGANIZER, related=("rules",))
def night_create(request: ClubRequest) -> HttpResponse:
    opened = _new_night(request, request.GET.get("game", ""))
    return _page(request, opened) if opened else render(request, "league/night_none.html")


def _new_night(request: ClubRequest, chosen: str) -> Opened | None:
    """Open an empty sheet for the chosen game, or for the first of the club; None without one."""
    open_games = request.club.games.filter(is_shut=False).exclude(entry_form=EntryForm.ORDER)
    games = list(open_games.select_related("pool").order_by("pk"))
    game = next((game for game in games if str(game.pk) == chosen), games[0] if games else None)
    if game is None:
        return None
    is_scored = game.entry_form == EntryForm.SCORES
    initial = new_event_initial(request.season) | {"name": game.name}
    rules = rules_of_game(game)
    sheet = blank_sheet(_n_seats(game, rules), HUNDREDS if is_scored else BALANCE)
    return Opened(request, game, rules, sheet, initial, games=games)


def show_deleted_night(request: ClubRequest) -> HttpResponse:
    """Show what was typed about games that were deleted meanwhile, as the sheet of a new night."""
    opened = _new_night(request, request.POST.get("game", ""))
    if opened is None:
        raise Http404
    token = str(opened.initial["form_token"])
    page = SheetPage(opened, {**request.POST.dict(), "do": "", "form_token": token})
    refresh(page.sheet, [])
    page.form.add_error(
        None,
        _(
            "This night was deleted while you had it open. What you typed is kept: if you publish it, it is entered"
            " as a new one."
        ),
    )
    address = reverse("league:night-create", args=[request.club.slug, request.season.slug])
    game = opened.game.pk if opened.game else ""
    return render(request, "league/night.html", page.context() | {"address": f"{address}?game={game}"})


@season_view(Role.ORGANIZER, related=("rules",))
def night_edit(request: ClubRequest, meet_id: int) -> HttpResponse:
    meet = Meet.objects.filter(pk=meet_id, season=request.season).first()
    if meet is None and request.method == "POST":
        return show_deleted_night(request)
    if meet is None:
        raise Http404
    meet.season = request.season
    events = with_seats(meet.events.all())
    if not events or not all(event.round and event.table and is_sheet_event(event) for event in events):
        return redirect("league:meet-edit", request.club.slug, request.season.slug, meet.pk)
    first = events[0]
    initial = _initial(request, first) | {"name": meet.name}
    rules = rules_of_event(first)
    sheet = sheet_of_events(events, _n_seats(first.game, rules))
    return _page(request, Opened(request, first.game, rules, sheet, initial, meet=meet))


def scored_event_edit(request: ClubRequest, event: Event) -> HttpResponse:
    """Correct one game with scores or balances: on the sheet of its night, or alone."""
    if event.meet_id and event.round and event.table:
        address = reverse("league:night-edit", args=[request.club.slug, event.season.slug, event.meet_id])
        if request.method != "POST":
            return redirect(f"{address}#h{event.round}-{event.table}")
    [event] = with_seats(Event.objects.filter(pk=event.pk))
    event.season = request.season
    rules = rules_of_event(event)
    sheet = sheet_of_events([event], _n_seats(event.game, rules))
    initial = _initial(request, event) | {"name": str(event)}
    return _page(request, Opened(request, event.game, rules, sheet, initial, event=event))


def _initial(request: ClubRequest, event: Event) -> dict[str, Any]:
    start = event.starts_at.astimezone(request.club.tz)
    return {"day": start.date(), "start": start.time(), "form_token": uuid.uuid4()}


def _n_seats(game: Game | None, rules: ScoreRules) -> int:
    is_scored = game is not None and game.entry_form == EntryForm.SCORES
    return rules.n_players if is_scored else FEW_SEATS


class SheetPage:
    """A sheet and its forms, as they were opened or posted."""

    def __init__(self, opened: Opened, data: Mapping[str, str] | None) -> None:
        self.opened = opened
        self.request = opened.request
        self.form = _occasion_form(opened, data)
        self.rules_form = self._rules_form(opened.rules, data)
        self.sheet = opened.sheet
        self.paste_problem = ""
        if data is not None:
            self.sheet = sheet_of(data, opened.sheet, grows=not opened.is_scored)
            self._act(data)

    def _act(self, data: Mapping[str, str]) -> None:
        if data.get("do") == "paste":
            try:
                paste(self.sheet, data.get("paste", ""), self.rules.total if self.opened.is_scored else None)
            except ScoreError as error:
                self.paste_problem = message_of(error)
        else:
            act(self.sheet, data.get("do", ""))

    def _rules_form(self, rules: ScoreRules, data: Mapping[str, str] | None = None) -> RulesForm:
        return RulesForm(
            data,
            n_players=self.opened.rules.n_players,
            is_scored=self.opened.is_scored,
            initial=rules_initial(rules),
        )

    @property
    def rules(self) -> ScoreRules:
        """The rules as typed; those that it was opened with if they cannot be read."""
        is_read = self.rules_form.is_bound and self.rules_form.is_valid()
        return self.rules_form.rules if is_read else self.opened.rules

    @cached_property
    def read(self) -> ReadSheet:
        return read_sheet(self.sheet, self.rules, is_scored=self.opened.is_scored)

    @property
    def can_save(self) -> bool:
        return self.form.is_valid() and self.rules_form.is_valid() and self.read.is_ready

    @property
    def night(self) -> Night:
        name = self.form.cleaned_data["name"] or str(self.opened.game or self.request.season)
        return Night(self.request.season, self.opened.game, self.rules, self.form.starts_at, name)

    def save(self) -> Meet | Event | None:
        tables = [_night_table(table) for table in self.read.used]
        actor, opened = self.request.user, self.opened
        if opened.meet:
            return correct_night(opened.meet, self.night, tables, gone=self.sheet.gone, actor=actor)
        if opened.event:
            return correct_table(opened.event, self.night, tables[0], actor=actor)
        token = self.form.cleaned_data["form_token"] or uuid.uuid4()
        return enter_night(self.night, tables, actor=actor, form_token=token)

    def context(self) -> dict[str, Any]:
        sentences, scored = words(), self.opened.is_scored
        known = {key: name for key, (_id, name) in players_by_key(self.request.club).items()}
        return {
            "opened": self.opened,
            "form": self.form,
            "rules_form": self.rules_form if self.rules_form.errors else self._rules_form(self.rules),
            "rules": self.rules,
            "rules_text": rules_text(self.rules),
            "sheet": self.sheet,
            "rounds": [
                [table_text(table, self.sheet.unit, sentences, is_scored=scored) for table in tables]
                for tables in self.read.rounds
            ],
            "bar": sheet_text(self.read, sentences),
            "names": regulars(self.request.club),
            "new_names": new_names(self.read, known),
            "paste_problem": self.paste_problem,
            "pasted": self.request.POST.get("paste", "") if self.paste_problem else "",
            "script": self._script(sentences),
        }

    def _script(self, sentences: dict[str, str]) -> dict[str, Any]:
        return {
            "words": sentences,
            "ordinals": ordinals(),
            "winds": winds(4),
            "presets": preset_values(),
            "rules": self.rules.to_dict(),
            "scored": self.opened.is_scored,
        }


def _occasion_form(opened: Opened, data: Mapping[str, str] | None) -> OccasionForm:
    """Make the form of name and day; a token that is none is replaced, so that the form can be sent again."""
    form = OccasionForm(data, season=opened.request.season, initial=opened.initial)
    if data is None or "form_token" not in form.errors:
        return form
    whole = {**data, "form_token": str(opened.initial["form_token"])}
    form = OccasionForm(whole, season=opened.request.season, initial=opened.initial)
    form.add_error(
        None, _("This form was not sent whole. What you typed is kept: look at it and send it again.")
    )
    return form


def _night_table(table: ReadTable) -> NightTable:
    event, version = table.fields.event, table.fields.version
    return NightTable(
        table.round,
        table.number,
        tuple(table.seats),
        table.sticks_left,
        int(event) if event.isdecimal() else None,
        int(version) if version.isdecimal() else 0,
    )


@season_view(Role.ORGANIZER)
def night_delete(request: ClubRequest, meet_id: int) -> HttpResponse:
    """Take back a whole night: all its games at once."""
    meet = get_object_or_404(request.season.meets, pk=meet_id)
    form = DeleteNightForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            delete_night(meet, read=form.read(), actor=request.user)
            messages.success(request, _("The night is deleted; ratings and points are being recomputed."))
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
    return render(request, "league/night_delete.html", {"form": form, "meet": meet, "events": events})


def _page(request: ClubRequest, opened: Opened) -> HttpResponse:
    if request.method != "POST":
        return render(request, "league/night.html", SheetPage(opened, None).context())
    page = SheetPage(opened, request.POST.dict())
    if "save" in request.POST and page.can_save:
        try:
            saved = page.save()
            messages.success(request, _published(page.read))
            target = saved or reverse("standings:events", args=[request.club.slug, request.season.slug])
            return redirect_published(request, target, page.form.cleaned_data["form_token"])
        except Stale as error:
            page.form.add_error(None, str(error))
            _refresh(page)
        except BadResult as error:
            page.form.add_error(None, str(error))
        except Refused as error:
            page.form.add_error("day", str(error))
    return render(request, "league/night.html", page.context())


def _refresh(page: SheetPage) -> None:
    """Take over the present versions, so that the sheet can be saved after a look at it."""
    opened = page.opened
    if opened.meet:
        refresh(page.sheet, with_seats(opened.meet.events.all()))
    elif opened.event:
        refresh(page.sheet, with_seats(Event.objects.filter(pk=opened.event.pk)))
    del page.read


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
