"""Pages of the money of an event and of a club."""

import re
from fractions import Fraction
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render

from league.access import ClubRequest, club_view, event_view
from league.models import Club, Event
from league.rights import Act
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from payouts.engine.exact import exact_decimal
from payouts.engine.money import counts_of_cost
from payouts.forms.money import MAX_COUNT, ClubMoneyForm, EventMoneyForm, money_initial, rows_initial
from payouts.models import EventMoney, PayoutKind
from payouts.queries import club_money, event_money, latest_money, money_entries
from payouts.services.money import (
    CLUB_FIELDS,
    set_club_money,
    set_event_money,
    stored_row,
)
from payouts.views.door import say_payment

MOST_ENTRIES = 300  # each has five fields in the form
COUNTS = ("rebuys", "add_ons")
STEP = re.compile(r"(e\d+-(?:rebuys|add_ons)):([+-]1)")
PAYING = {"take": "given", "pay": "paid"}  # buttons of a row, and what they note


@event_view(Act.KEEP_MONEY, related=("season__club__money", "money", "terms"))
def money_edit(request: ClubRequest, event: Event) -> HttpResponse:
    stored = event_money(event)
    form = _money_form(event, stored, request.POST if request.method == "POST" else None)
    if form is not None and request.POST.keys() & {"save", *PAYING} and form.is_valid():
        try:
            return _save(request, event, form)
        except Refused as error:
            if isinstance(error, Stale):
                form = _opened_again(event, stored, form, request.POST)
            form.add_error(None, str(error))
    is_outdated = stored.version > 0 and stored.result_version != event.version
    context = {"form": form, "event": event, "most": MOST_ENTRIES, "is_outdated": is_outdated}
    context |= {"is_stored": stored.version > 0, "terms": getattr(event, "terms", None)}
    return render(request, "payouts/money/money_form.html", context)


def _money_form(event: Event, stored: EventMoney, typed: QueryDict | None) -> EventMoneyForm | None:
    """Make the form with what is stored or suggested, or was typed; None if the event has too many entries for it."""
    entries = money_entries(event)
    if len(entries) > MOST_ENTRIES:
        return None
    shown = stored if stored.version else _suggestion(event)
    options: dict[str, Any] = {
        "club": club_money(event.season.club),
        "entries": entries,
        "initial": money_initial(shown) | {"version": stored.version, "result_version": event.version},
        "initial_rows": rows_initial(entries, None if stored.version else shown.prices),
    }
    if typed is None:
        form = EventMoneyForm(None, **options)
        form.show(shown)
        return form
    data = _stepped(typed)
    form = EventMoneyForm(data, **options)
    if form.is_valid() and (filled := _filled(form, typed)):
        return EventMoneyForm(data | filled, **options)
    return form


def _opened_again(event: Event, stored: EventMoney, form: EventMoneyForm, typed: QueryDict) -> EventMoneyForm:
    """Rebuild the form on the stored version and payments, keeping all other typed fields."""
    again = typed.copy()
    again["version"], again["result_version"] = str(stored.version), str(event.version)
    again["noted"] = form.initial["noted"]
    for name, value in form.noted_meanwhile().items():
        again[name] = value
    found = _money_form(event, stored, again)
    assert found is not None
    return found


def _suggestion(event: Event) -> EventMoney:
    """Suggest the prices and payouts of the club's event before, else the buy-in of the event's terms."""
    if latest := latest_money(event):
        latest.stated_pool = None
        if latest.payout_kind == PayoutKind.AGREED:
            latest.payout_kind = PayoutKind.PERCENTAGES
        return latest
    terms = getattr(event, "terms", None)
    return EventMoney(event=event, buy_in=terms.buy_in) if terms else EventMoney(event=event)


def _stepped(typed: QueryDict) -> dict[str, Any]:
    """Read the typed fields, incrementing or decrementing the count whose button was pressed."""
    data: dict[str, Any] = typed.dict()
    if step := STEP.fullmatch(str(data.get("step", ""))):
        count = str(data.get(step[1]) or "0")
        if count.isdecimal():
            data[step[1]] = str(max(0, min(MAX_COUNT, int(count[:4]) + int(step[2]))))
    return data


def _filled(form: EventMoneyForm, typed: QueryDict) -> dict[str, str]:
    """Map field names to the amounts a button fills in: money given or paid out by entry.

    The button of the result's cost fills in the rebuys and add-ons that make it.
    """
    filled: dict[str, str] = {}
    for row, purse in form.lines:
        if purse is None:
            continue
        own, noted = str(row.entry.pk), row.cleaned_data
        if typed.get("take") == own or ("take_all" in typed and noted["given"] is None):
            filled[f"{row.prefix}-given"] = f"{exact_decimal(purse.cost):f}"
        if typed.get("pay") == own or ("pay_all" in typed and noted["paid"] is None and purse.won):
            filled[f"{row.prefix}-paid"] = f"{exact_decimal(purse.won):f}"
        if typed.get("as_result") == own and row.entry.cost is not None:
            counts = counts_of_cost(form.prices, Fraction(row.entry.cost))
            filled |= {f"{row.prefix}-{name}": str(n) for name, n in zip(COUNTS, counts, strict=True)}
    return filled


def _save(request: ClubRequest, event: Event, form: EventMoneyForm) -> HttpResponse:
    versions = {name: form.cleaned_data[name] for name in ("version", "result_version")}
    before = {entry.pk: stored_row(entry) for entry in money_entries(event)}
    set_event_money(event, money=form.money, rows=form.payments, **versions, actor=request.user)
    pressed = next((name for name in PAYING if name in request.POST), None)
    row = next((row for row in form.rows if str(row.entry.pk) == request.POST.get(pressed or "")), None)
    if pressed and row:
        field = PAYING[pressed]
        say_payment(request, row.entry, field, row.values[field], getattr(before[row.entry.pk], field))
    else:
        messages.success(request, _("Saved."))
    return redirect(request.path)


@club_view(Act.CHANGE_CLUB)
def club_money_edit(request: ClubRequest) -> HttpResponse:
    stored = club_money(Club.objects.select_related("money").get(pk=request.club.pk))
    form = ClubMoneyForm(request.POST or None, instance=stored)
    if request.method == "POST" and form.is_valid():
        money = {name: form.cleaned_data[name] for name in CLUB_FIELDS}
        set_club_money(request.club, money=money, actor=request.user)
        messages.success(request, _("Saved."))
        return redirect("standings:club", request.club.slug)
    context = {"form": form, "title": _("Money of the club"), "action": _("Save")}
    return render(request, "league/form.html", context)
