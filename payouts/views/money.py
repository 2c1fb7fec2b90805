"""Pages of the money of an event and of a club."""

import re
from typing import Any

from django.contrib import messages
from django.http import HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _

from league.access import ClubRequest, club_view, event_view
from league.models import Club, Event
from league.rights import Act
from league.services.errors import Refused, Stale
from payouts.forms.money import MAX_COUNT, ClubMoneyForm, EventMoneyForm, money_initial, rows_initial
from payouts.models import EventMoney, PayoutKind
from payouts.queries import club_money, event_money, latest_money, money_entries
from payouts.services.money import CLUB_FIELDS, exact_decimal, set_club_money, set_event_money

MOST_ENTRIES = 400  # each has four fields in the form
STEP = re.compile(r"(e\d+-(?:rebuys|add_ons)):([+-]1)")


@event_view(Act.KEEP_MONEY, related=("season__club__money", "money", "terms"))
def money_edit(request: ClubRequest, event: Event) -> HttpResponse:
    stored = event_money(event)
    form = _money_form(event, stored, request.POST if request.method == "POST" else None)
    if form is not None and "save" in request.POST and form.is_valid():
        try:
            _save(request, event, form)
            return redirect(request.path)
        except Refused as error:
            form.add_error(None, str(error))
            if isinstance(error, Stale):
                form.data = request.POST.dict() | {
                    "version": str(stored.version), "result_version": str(event.version),
                }  # fmt: skip
    is_outdated = stored.version > 0 and stored.result_version != event.version
    context = {"form": form, "event": event, "most": MOST_ENTRIES, "is_outdated": is_outdated}
    return render(request, "payouts/money_form.html", context)


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
        form.show(stored)
        return form
    data = _stepped(typed)
    form = EventMoneyForm(data, **options)
    if "pay_all" in typed and form.is_valid():
        return EventMoneyForm(data | _unpaid_prizes(form), **options)
    return form


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
    """Read what was typed, with one more or less where a button was pressed."""
    data: dict[str, Any] = typed.dict()
    if step := STEP.fullmatch(str(data.get("step", ""))):
        count = str(data.get(step[1]) or "0")
        if count.isdecimal():
            data[step[1]] = str(max(0, min(MAX_COUNT, int(count[:4]) + int(step[2]))))
    return data


def _unpaid_prizes(form: EventMoneyForm) -> dict[str, str]:
    """Find the prizes of which nothing has been paid out, by the name of the field."""
    return {
        f"{row.prefix}-paid": f"{exact_decimal(prize):f}"
        for row, prize in form.lines
        if prize and row.cleaned_data["paid"] is None
    }


def _save(request: ClubRequest, event: Event, form: EventMoneyForm) -> None:
    versions = {name: form.cleaned_data[name] for name in ("version", "result_version")}
    set_event_money(event, money=form.money, rows=form.payments, **versions, actor=request.user)
    messages.success(request, _("Saved."))


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
