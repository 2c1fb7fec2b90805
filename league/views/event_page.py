"""What the entry form posts and shows: the text with its tools, and what is left to do before it can be published."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.http import HttpResponse, QueryDict
from django.shortcuts import render
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from league.access import ClubRequest
from league.finishing_order.edits import Edit, add_name, apply_edit
from league.finishing_order.lines import as_written
from league.finishing_order.order import FinishingOrder, apply_fix, describe, read_finishing_order
from league.forms import MAX_TEXT, EventForm
from league.models import Event, name_key
from league.names.understanding import read_answers
from league.names.words import guests_text
from league.queries import RecentPlayer, count_evenings, players_by_key, recent_players, regulars
from league.questions import kept_answers

N_RECENT = 24
TIMES = ("in", "out")


@dataclass(frozen=True)
class Typed:
    """The fields of a form after the tool that was pressed, and what the tool did."""

    fields: dict[str, str]
    did: str = ""
    held: str = ""  # the name whose tools are open
    is_changed: bool = False  # whether the tool changed the text
    was: str = ""  # the text before the last tool
    moved: bool = field(default=False)


class Left(NamedTuple):
    """What is to be done before the result can be published, and where on the page."""

    label: str
    href: str


def read_typed(data: QueryDict, known: Mapping[str, object], *, is_part: bool) -> Typed:
    """Read the posted fields, and apply the tool whose button was pressed to the text.

    A name in the field beside the list is added unless a part of the page is asked for: it may not be complete yet.
    """
    fields = {name: data.get(name, "") for name in EventForm.base_fields}
    text, was = fields["order"], data.get("was", "")
    did, held, moved = "", "", False
    if name := (data.get("add") or ("" if is_part else data.get("find", ""))).strip():
        fields["order"], did = add_name(text, name), _("%(name)s added.") % {"name": name}
    elif fix := data.get("fix"):
        fields["order"], did = apply_fix(text, fix), _("Line changed.")
    elif "back" in data:
        fields["order"], did = was, _("Taken back.")
    elif pressed := data.get("edit"):
        fields["order"], held = _edited(text, pressed, data, known)
        did, moved = ("" if held else _("Taken out.")), True
    if fields["order"] == text:
        return Typed(fields, held=held, was=was)
    return Typed(fields, did, held, is_changed=True, was="" if "back" in data else text, moved=moved)


def _edited(text: str, pressed: str, data: QueryDict, known: Mapping[str, object]) -> tuple[str, str]:
    """Apply a tool of a row; that for its times sets both."""
    edit = Edit.parse(pressed)
    if edit.action != "times":
        edited = apply_edit(text, edit, known)
        return edited.text, edited.ref
    ref = edit.ref
    for name in TIMES:
        edited = apply_edit(text, Edit(ref, name, data.get(f"{name}-{edit.ref}", "")), known)
        text, ref = edited.text, edited.ref
    return text, ref


def read_order(request: ClubRequest, form: EventForm, starts_at: datetime) -> FinishingOrder:
    return read_finishing_order(
        text_in(form)[:MAX_TEXT],
        known=players_by_key(request.club),
        starts_at=starts_at,
        closes_at=form.closes_at if form.is_bound else None,
        answers=read_answers(answers(request)),
        count_evenings=count_evenings,
    )


def answers(request: ClubRequest) -> list[str]:
    return kept_answers(request.POST.getlist("answer"), request.POST.getlist("undo"))


def text_in(form: EventForm) -> str:
    return form["order"].value() or ""


def is_part(request: ClubRequest) -> bool:
    """Whether only what changes on the page is asked for."""
    return bool(request.htmx) and not request.htmx.boosted


def show(
    request: ClubRequest,
    form: EventForm,
    order: FinishingOrder,
    event: Event | None,
    typed: Typed | None = None,
    **more: Any,
) -> HttpResponse:
    """Show the page of the form, or what changes on it while it is typed."""
    template = "league/_event_parts.html" if is_part(request) else "league/event_form.html"
    context = _context(request, form, order, event) | _tool_context(order, typed or Typed({}))
    return render(request, template, context | more)


def _context(
    request: ClubRequest, form: EventForm, order: FinishingOrder, event: Event | None
) -> dict[str, Any]:
    text = text_in(form)
    return {
        "form": form,
        "order": order,
        "summary": describe(order),
        "guests": guests_text(order.understood.guests),
        "asks": order.understood.questions,
        "answers": answers(request),
        "text": text,
        "event": event,
        "names": [as_written(name) for name in regulars(request.club)],
        "recent": _recent(request, form, order),
        "started": bool(text.strip()),
        "problems": [f"{field.label}: {error}" for field in form.visible_fields() for error in field.errors],
        "left": left_to_do(form, order),
        "terms": terms_line(form),
    }


def _tool_context(order: FinishingOrder, typed: Typed) -> dict[str, Any]:
    held = next((finisher for finisher in order.finishers if finisher.ref == typed.held), None)
    did = typed.did
    if held and typed.moved:
        values = {"name": held.name, "place": held.place, "n": len(order.finishers)}
        did = _("%(name)s, now in place %(place)d of %(n)d.") % values
    return {"did": did, "held": typed.held, "is_changed": typed.is_changed, "was": typed.was}


def _recent(request: ClubRequest, form: EventForm, order: FinishingOrder) -> list[tuple[RecentPlayer, str]]:
    """List those who played lately and have no place yet, each with the text that adds the name."""
    placed = {name_key(finisher.name) for finisher in order.finishers}
    recent = recent_players(request.club, form.starts_at if form.is_bound else first_start(form))
    missing = [player for player in recent if name_key(player.name) not in placed]
    return [(player, as_written(player.name)) for player in missing[:N_RECENT]]


def first_start(form: EventForm) -> datetime:
    return datetime.combine(form.initial["day"], form.initial["start"], tzinfo=form.season.club.tz)


def terms_line(form: EventForm) -> list[str]:
    """Say when the event was and what is special about it, the times first."""
    day, start, end, closes = (as_python(form, name) for name in ("day", "start", "end", "closes"))
    when = date_format(day, "DATE_FORMAT") if day else _("no day")
    if start:
        when += f", {start:%H:%M}"
    if start and end:
        when = _("%(start)s to %(end)s") % {"start": when, "end": f"{end:%H:%M}"}
    more = [_("registration until %(time)s") % {"time": f"{closes:%H:%M}"}] if closes else []
    return [when, *more, *filter(None, [form["name"].value()])]


def as_python(form: EventForm, name: str) -> Any:
    """Read a field: as checked if the form was sent, else its first value; None if it is wrong."""
    return form.cleaned_data.get(name) if form.is_bound else form.initial.get(name)


def left_to_do(form: EventForm, order: FinishingOrder) -> Left | None:
    """Find the first thing that keeps the result from being published."""
    if form.season.is_closed:
        return Left(_("The season is closed"), "#main")
    if unclear := [line for line in order.shown_lines if line.error or line.question]:
        n = len(unclear)
        label = ngettext("Mend %(n)d line", "Mend %(n)d lines", n) % {"n": n}
        return Left(label, f"#line-{unclear[0].number}")
    if n := order.understood.n_open:
        return Left(ngettext("Answer %(n)d name", "Answer %(n)d names", n) % {"n": n}, "#asks")
    if order.error:
        return Left(_("Enter the names"), "#regulars")
    wrong = next((field for field in form.visible_fields() if field.errors), None)
    if wrong:
        return Left(_("Mend: %(field)s") % {"field": wrong.label}, f"#{wrong.id_for_label}")
    return None
