"""State of the entry form: the text with its tools, and the next step before the result can be published."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple

from django.core import signing
from django.forms import BoundField
from django.http import HttpResponse
from django.shortcuts import render
from django.utils.dateparse import parse_date
from django.utils.formats import date_format

from entry.forms.results import MAX_TEXT, EventForm
from entry.views.event_tools import Typed, read_typed
from entry.views.pasted_page import pasted_context
from league.access import ClubRequest
from league.guests import guests_text
from league.hooks.event_parts import EventPart, parts_of
from league.models import Club, Event, Season
from league.queries import (
    RecentPlayer,
    count_evenings,
    players_by_key,
    recent_players,
    regulars,
)
from league.rights import Act, may
from league.services.similar_events import NewEvent, SimilarEvent, find_similar
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from reading.finishing_order.lines import as_written
from reading.finishing_order.order import FinishingOrder, describe, read_finishing_order
from reading.names.keys import name_key
from reading.names.understanding import read_answers
from reading.questions import kept_answers
from reading.tables.pasted import PastedTable, read_chosen, read_pasted, read_table_answers

N_RECENT = 24
KnownNames = Mapping[str, tuple[int, str]]  # players by key of their names: id and name


class NextStep(NamedTuple):
    """The first thing that blocks publishing, and the anchor that leads to it."""

    label: str
    href: str


@dataclass(frozen=True)
class EntryFormState:
    """State of the entry form of a new or stored event, as it was read."""

    form: EventForm
    known: KnownNames
    order: FinishingOrder
    event: Event | None = None
    parts: tuple[EventPart, ...] = ()
    typed: Typed = field(default_factory=Typed)
    base: str = ""  # what the form was opened with, signed, if it is not what was sent
    is_another: bool = False  # whether an event like one that is stored is another one

    @property
    def club(self) -> Club:
        """Return the club of the form."""
        return self.form.season.club

    @cached_property
    def similar(self) -> SimilarEvent | None:
        """Find a stored event that resembles the one being entered."""
        if self.event or self.is_another or not self.form.is_bound or not self.order.finishers:
            return None
        keys = {finisher.key for finisher in self.order.finishers}
        return find_similar(self.club, NewEvent(self.form.starts_at, keys))

    @cached_property
    def recent(self) -> list[tuple[RecentPlayer, str]]:
        """List recent players without a place yet, each with the text that adds the name."""
        placed = {finisher.key for finisher in self.order.finishers}
        until = self.form.starts_at if self.form.is_bound else first_start(self.form)
        missing = [
            player for player in recent_players(self.club, until) if name_key(player.name) not in placed
        ]
        return [(player, as_written(player.name)) for player in missing[:N_RECENT]]

    @cached_property
    def regulars(self) -> list[str]:
        """List the names that the name field completes."""
        return [as_written(name) for name in regulars(self.club)]

    @property
    def problems(self) -> list[str]:
        """List the errors of the fields, each with its label."""
        return [f"{field.label}: {error}" for field in self.fields for error in field.errors]

    @property
    def fields(self) -> list[BoundField]:
        """List the fields of the form and of its parts."""
        forms = [self.form, *(part.form for part in self.parts)]
        return [field for each in forms for field in each.visible_fields()]

    @cached_property
    def next_step(self) -> NextStep | None:
        """Find the first thing that keeps the result from being published."""
        if self.form.season.is_closed:
            return NextStep(_("The season is closed"), "#main")
        if step := _next_step_of_order(self.order):
            return step
        if wrong := next((field for field in self.fields if field.errors), None):
            return NextStep(_("Mend: %(field)s") % {"field": wrong.label}, f"#{wrong.id_for_label}")
        return NextStep(_("See the %(event_word)s that is there"), "#similar") if self.similar else None

    @property
    def is_right(self) -> bool:
        return not self.form.errors and not any(part.form.errors for part in self.parts)

    @property
    def can_save(self) -> bool:
        return self.is_right and self.order.is_ready and not self.typed.is_changed


def read_page(
    request: ClubRequest, initial: Mapping[str, Any], event: Event | None, **fields: str
) -> EntryFormState:
    """Read a form that was sent; `fields` replace what was typed."""
    known = players_by_key(request.club)
    typed = read_typed(request.POST, known, is_part=is_part(request))
    form = bound_form(_chosen_season(request, event), {**typed.fields, **fields}, initial)
    parts = _parts(request, form.season, event, request.POST)
    order = read_order(request, form, form.starts_at, known)
    return EntryFormState(
        form, known, order, event, parts, typed, is_another=bool(request.POST.get("another"))
    )


def opened_page(request: ClubRequest, initial: Mapping[str, Any], event: Event | None) -> EntryFormState:
    """Make the form that is opened, with what it suggests or what is stored."""
    form = EventForm(season=request.season, initial=dict(initial))
    starts_at = event.starts_at.astimezone(request.club.tz) if event else first_start(form)
    known = players_by_key(request.club)
    order = read_order(request, form, starts_at, known)
    return EntryFormState(form, known, order, event, _parts(request, form.season, event, None))


def bound_form(season: Season, typed: Mapping[str, Any], initial: Mapping[str, Any]) -> EventForm:
    """Make the form of the typed values, and check it."""
    form = EventForm(typed, season=season, initial=dict(initial))
    form.full_clean()
    return form


def _parts(
    request: ClubRequest, season: Season, event: Event | None, data: Mapping[str, str] | None
) -> tuple[EventPart, ...]:
    """Ask for the settings that apps above add to the form, for those who may change them."""
    return tuple(parts_of(season, event, data)) if may(request.role, Act.CHANGE_RULES) else ()


def _chosen_season(request: ClubRequest, event: Event | None) -> Season:
    """Find the season that the event is to be saved in: that of the page unless an open one of the club was chosen.

    Moving a stored event takes it out of a season, so it takes the right to delete it.
    """
    if event and not may(request.role, Act.DELETE_RESULTS):
        return request.season
    chosen = request.POST.get("put") or request.POST.get("into", "")
    if not chosen.isdecimal() or len(chosen) > 18 or int(chosen) == request.season.pk:  # noqa: PLR2004  a bigint
        return request.season
    seasons = request.club.seasons.select_related("club", "pool", "rules")
    return seasons.filter(pk=chosen, is_closed=False).first() or request.season


def read_order(
    request: ClubRequest, form: EventForm, starts_at: datetime, known: KnownNames
) -> FinishingOrder:
    """Read the text as a table, or as a finishing order if it is typed line by line."""
    text = text_in(form)[:MAX_TEXT]
    closes_at = form.closes_at if form.is_bound else None
    given = answers(request)
    about_names = read_answers(given)
    table = read_pasted(
        text,
        known=known,
        starts_at=starts_at,
        closes_at=closes_at,
        chosen=read_chosen(request.POST),
        answers=read_table_answers(given),
        name_answers=about_names,
        count_evenings=count_evenings,
    )
    return table or read_finishing_order(
        text,
        known=known,
        starts_at=starts_at,
        closes_at=closes_at,
        answers=about_names,
        count_evenings=count_evenings,
    )


def answers(request: ClubRequest) -> list[str]:
    return kept_answers(request.POST.getlist("answer"), request.POST.getlist("undo"))


def text_in(form: EventForm) -> str:
    return form["order"].value() or ""


def is_part(request: ClubRequest) -> bool:
    """Tell whether htmx requests only a part of the page."""
    return bool(request.htmx) and not request.htmx.boosted


def show(request: ClubRequest, page: EntryFormState, **more: Any) -> HttpResponse:
    """Show the page of the form, or what changes on it while it is typed."""
    template = "entry/_event_parts.html" if is_part(request) else "entry/event_form.html"
    return render(
        request, template, _context(request, page) | pasted_context(page.order) | _tool_context(page) | more
    )


def _context(request: ClubRequest, page: EntryFormState) -> dict[str, Any]:
    form, order, event = page.form, page.order, page.event
    return {
        "page": page,
        "form": form,
        "order": order,
        "parts": page.parts,
        "event": event,
        "summary": describe(order),
        "guests": guests_text(order.understood.guests),
        "asks": order.understood.questions,
        "answers": answers(request),
        "text": text_in(form),
        "started": bool(text_in(form).strip()),
        "is_another": page.is_another,
        "terms": _terms_line(form, page.parts),
        "base": page.base or request.POST.get("base") or (signed_fields(form) if event else ""),
        "fitting": _fitting_season(form),
        "moves": event is None or may(request.role, Act.DELETE_RESULTS),
    }


def _tool_context(page: EntryFormState) -> dict[str, Any]:
    typed = page.typed
    did = typed.did
    held = next((finisher for finisher in page.order.finishers if finisher.ref == typed.held), None)
    if held and typed.is_moved:
        values = {"name": held.name, "place": held.place, "n": len(page.order.finishers)}
        did = _("%(name)s, now in place %(place)d of %(n)d.") % values
    return {"did": did, "held": typed.held, "is_changed": typed.is_changed, "was": typed.was}


def _fitting_season(form: EventForm) -> Season | None:
    """Find the open season that holds the day, if the chosen one does not."""
    if not form.is_bound or "day" not in form.errors:
        return None
    try:
        day = parse_date(form["day"].value() or "")
    except ValueError:
        return None
    seasons = form.season.club.seasons.filter(is_closed=False).exclude(pk=form.season.pk)
    return next((season for season in seasons if day and season.holds(day)), None)


def first_start(form: EventForm) -> datetime:
    return datetime.combine(form.initial["day"], form.initial["start"], tzinfo=form.season.club.tz)


def signed_fields(form: EventForm) -> str:
    """Sign what a form was opened with: two corrections at the same time are merged by it."""
    # Without the time of signing, so that the same version gives the same page.
    return signing.Signer(salt="event-base").sign_object(fields_of(form.initial), compress=True)


def fields_of(values: Mapping[str, Any]) -> dict[str, str]:
    """Write the fields of a form as a browser sends them."""
    names = ("day", "start", "end", "closes", "name", "seats", "final_seats", "pool", "into", "order")
    return {name: _as_sent(values.get(name)) for name in names}


def _as_sent(value: Any) -> str:
    if value is None:
        return ""
    if hasattr(value, "pk"):
        return str(value.pk)
    return f"{value:%H:%M}" if hasattr(value, "minute") else str(value)


def _terms_line(form: EventForm, parts: tuple[EventPart, ...]) -> list[str]:
    """Say when the event was and what is special about it, the times first."""
    values = form.cleaned_data if form.is_bound else form.initial
    day, start, end, closes = (values.get(name) for name in ("day", "start", "end", "closes"))
    when = date_format(day, "DATE_FORMAT") if day else _("no day")
    if start:
        when += f", {start:%H:%M}"
    if start and end:
        when = _("%(start)s to %(end)s") % {"start": when, "end": f"{end:%H:%M}"}
    more = [_("registration until %(time)s") % {"time": f"{closes:%H:%M}"}] if closes else []
    special = [words for part in parts for words in part.words()]
    return [when, *filter(None, [form["name"].value()]), *special, *more]


def _next_step_of_order(order: FinishingOrder) -> NextStep | None:
    """Find the first thing that is unclear or wrong in the order itself."""
    if order.runs_backwards:
        return NextStep(_("Say who won"), "#backwards")
    if unclear := [line for line in order.shown_lines if line.error or line.question]:
        n = len(unclear)
        label = ngettext("Mend %(n)d line", "Mend %(n)d lines", n) % {"n": n}
        return NextStep(label, f"#line-{unclear[0].number}")
    table = order if isinstance(order, PastedTable) else None
    if table and (n := table.n_open):
        return NextStep(ngettext("Answer %(n)d question", "Answer %(n)d questions", n) % {"n": n}, "#asks")
    if n := order.understood.n_open:
        return NextStep(ngettext("Answer %(n)d name", "Answer %(n)d names", n) % {"n": n}, "#asks")
    if order.error and table:
        return NextStep(_("Look at the columns"), "#columns")
    return NextStep(_("Enter the names"), "#regulars") if order.error else None
