"""Take money at the door: who has paid in how much, without prizes and balances; helpers may if the club says so."""

from decimal import Decimal, InvalidOperation
from urllib.parse import urlencode

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse

from league.access import ClubRequest, event_view
from league.models import Entry, Event
from league.queries import typed_id
from league.rights import Act, may
from league.services.errors import Refused
from league.views.undo import say_with_undo
from league.vocabulary import gettext as _
from payouts.engine.money import Till
from payouts.models import AMOUNT_DECIMALS
from payouts.queries import club_money, event_money, money_entries
from payouts.sentences import amount_text
from payouts.services.money import PAYMENTS, note_payment, purse_of, stored_row

MOST = 999_999_999


@event_view(Act.TAKE_MONEY, related=("season__club__money", "money"))
def money_door(request: ClubRequest, event: Event) -> HttpResponse:
    """Render what each entry pays in; a POST records a payment of one entry."""
    keeps_money = may(request.role, Act.KEEP_MONEY)
    if not keeps_money and not club_money(event.season.club).helpers_take:
        return render(request, "payouts/money/no_door.html", status=403)
    if request.method == "POST":
        return _noted(request, event, keeps_money=keeps_money)
    stored = event_money(event)
    entries = money_entries(event) if stored.version else []
    rows = [stored_row(entry) for entry in entries]
    purses = [purse_of(stored.prices, row.entry, row) for row in rows]
    context = {
        "event": event,
        "money": club_money(event.season.club),
        "is_stored": stored.version > 0,
        "rows": sorted(zip(rows, purses, strict=True), key=lambda line: line[1].owes <= 0),
        "till": Till(purses),
    }
    return render(request, "payouts/money/money_door.html", context)


def _noted(request: ClubRequest, event: Event, *, keeps_money: bool) -> HttpResponse:
    """Record the payment that the form or the undo link sends, and redirect to the page."""
    sent = request.POST if "entry" in request.POST else request.GET
    field = next((name for name in PAYMENTS if name in sent), "given")
    if field == "paid" and not keeps_money:
        raise PermissionDenied
    entry_id = typed_id(sent.get("entry", ""))
    if entry_id is None:
        return redirect(request.path)
    entry = get_object_or_404(Entry.objects.select_related("player"), pk=entry_id, event=event)
    try:
        given, was = _amount(sent.get(field, "")), _amount(sent.get("was", ""))
        note_payment(entry, field=field, amount=given, was=was, actor=request.user)
    except Refused as error:
        messages.error(request, str(error))
    else:
        say_payment(request, entry, field, given, was)
    return redirect(
        "payouts:money-edit" if field == "paid" else "payouts:money-door", request.club.slug, event.pk
    )


def _amount(text: str) -> Decimal | None:
    """Parse an amount of money; return None for an empty text."""
    if not text:
        return None
    try:
        value = Decimal(text)
    except InvalidOperation:
        value = Decimal("NaN")
    if not value.is_finite() or not 0 <= value <= MOST or value != round(value, AMOUNT_DECIMALS):
        raise Refused(_("Amount: “%(text)s” is no amount of money.") % {"text": text[:20]})
    return value


def say_payment(
    request: ClubRequest, entry: Entry, field: str, amount_now: Decimal | None, was: Decimal | None
) -> None:
    """Add a message about the recorded payment, with an undo button."""
    money = club_money(request.club)
    values = {"name": entry.player.name, "amount": amount_text(amount_now or Decimal(0), money)}
    texts = {
        "given": _("%(name)s has given %(amount)s."),
        "paid": _("%(name)s was paid %(amount)s."),
    }
    back = {"entry": entry.pk, field: _plain(was), "was": _plain(amount_now)}
    door = reverse("payouts:money-door", args=[request.club.slug, entry.event_id])
    say_with_undo(request, texts[field] % values, f"{door}?{urlencode(back)}")


def _plain(value: Decimal | None) -> str:
    return "" if value is None else f"{value.normalize():f}"
