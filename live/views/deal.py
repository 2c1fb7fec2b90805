"""A deal between the players left: what they hold, what is open, three ways to share, and one decision for the log."""

import uuid
from decimal import Decimal
from fractions import Fraction
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from league.access import ClubRequest, club_view
from league.rights import Act
from league.views.undo import say_with_undo
from league.vocabulary import gettext as _
from live.deals import DealLine, deal_lines
from live.engine.prizes import decimals_of, prizes_of
from live.engine.state import Entry
from live.engine.state import Night as State
from live.stored_log import state_of
from live.views.nights import night_of, record
from payouts.engine.errors import EngineError
from payouts.queries import club_money

METHODS = {"icm": "by_icm", "chips": "by_chips", "even": "even"}
MOST_AT_A_DEAL = 10
MOST_DIGITS = 12


class Stack(NamedTuple):
    """A player left, and the stack that was typed."""

    entry: Entry
    text: str


class Typed(NamedTuple):
    """What was typed on the page of a deal."""

    stacks: list[Stack]
    prizes: str
    paid: str  # the prizes of those who are out, the best place first


@club_view(Act.ENTER_RESULTS)
def deal(request: ClubRequest, night_id: int) -> HttpResponse:
    night = night_of(request, night_id)
    if request.method == "POST" and night.actions.filter(name=_action(request)).exists():
        return redirect("live:finish", request.club.slug, night.pk)  # the same form was sent twice
    state = state_of(night)
    sent = request.POST if request.method == "POST" else request.GET
    stacks = [Stack(entry, sent.get(f"stack-{entry.id}", "")) for entry in state.still_in]
    still_open, paid = _prizes_of_places(state)
    typed = Typed(stacks, sent.get("prizes", still_open), sent.get("paid", paid))
    lines: list[DealLine] = []
    problem = ""
    if sent.get("prizes") or any(stack.text for stack in stacks):
        try:
            lines = _lines(typed, state)
            _paid(typed, state)
        except ValueError as error:
            lines, problem = [], str(error)
    if request.method == "POST" and lines and request.POST.get("method") in METHODS:
        body = _body(request, typed, lines, state)
        action = _action(request)
        if not record(request, night, "chop", body, action):
            return redirect("live:deal", request.club.slug, night.pk)
        undo = reverse("live:undo", args=[request.club.slug, night.pk, action])
        say_with_undo(request, _("The deal is in the log."), undo)
        return redirect("live:finish", request.club.slug, night.pk)
    names = {stack.entry.id: stack.entry.name for stack in stacks}
    context = {
        "night": night,
        "typed": typed,
        "lines": [(names[line.name], line) for line in lines],
        "money": club_money(night.club),
        "action": _action(request),
        "problem": problem,
        "made": state.deal,
        "can_deal": 2 <= len(stacks) <= MOST_AT_A_DEAL,  # noqa: PLR2004  one alone has won
        "most": MOST_AT_A_DEAL,
    }
    return render(request, "live/deal.html", context)


def _prizes_of_places(state: State) -> tuple[str, str]:
    """Write what the places are paid as the fields of the page have it: those of the players left, and of those out."""
    prizes = prizes_of(state)
    if prizes is None:
        return "", ""
    decimals, n_left = decimals_of(state.setup), len(state.still_in)
    by_place = [f"{Decimal(each).scaleb(-decimals):f}" for each in prizes.by_place]
    by_place += ["0"] * (n_left - len(by_place))
    return " ".join(by_place[:n_left]), " ".join(by_place[n_left:])


def _action(request: ClubRequest) -> str:
    """Read the id that the decision will have, so that sending it twice decides once."""
    try:
        return str(uuid.UUID(request.POST.get("action", "")))
    except ValueError:
        return str(uuid.uuid4())


def _lines(typed: Typed, state: State) -> list[DealLine]:
    """Compute the deals. Raise ValueError with a sentence that names what is wrong."""
    players = [(stack.entry.id, _number(stack.text, stack.entry.name)) for stack in typed.stacks]
    prizes = [_number(text, _("Prizes")) for text in typed.prizes.replace(";", " ").split()]
    if len(prizes) != len(players):
        raise ValueError(_("%(n)d prizes are needed, one for each player left.") % {"n": len(players)})
    unit = Fraction(1, 10 ** decimals_of(state.setup))
    try:
        return deal_lines(sorted(prizes, reverse=True), players, unit)
    except EngineError as error:
        raise ValueError(_("Every stack and the first prize must be more than 0.")) from error


def _paid(typed: Typed, state: State) -> list[tuple[str, Fraction]]:
    """Give the prizes that are paid already to those who went out last, the best place first."""
    prizes = [_number(text, _("Prizes")) for text in typed.paid.replace(";", " ").split()]
    gone = [entry_id for left in reversed(state.exits) for entry_id in left.entries]
    if len(prizes) > len(gone):
        raise ValueError(_("More prizes are paid than players are out."))
    return list(zip(gone, prizes, strict=False))


def _number(text: str, name: str) -> Fraction:
    plain = text.strip().replace(",", "").replace("’", "").replace(" ", "")
    whole, _point, part = plain.partition(".")
    if not (whole.isascii() and whole.isdigit() and (part or "0").isdigit() and len(plain) <= MOST_DIGITS):
        raise ValueError(_("%(name)s: “%(text)s” is not a number.") % {"name": name, "text": text})
    return Fraction(plain)


def _body(request: ClubRequest, typed: Typed, lines: list[DealLine], state: State) -> dict[str, Any]:
    """Write the deal as the log has it: shares in the smallest unit, and places if they were agreed."""
    method = request.POST["method"]
    places = request.POST.get("places", "")
    by_chips = [line.name for line in reversed(lines)]  # the smallest stack is out first
    groups = {"by-chips": [[each] for each in by_chips], "tie": [by_chips]}.get(places, [])
    factor = 10 ** decimals_of(state.setup)
    money = {line.name: int(getattr(line, METHODS[method]) * factor) for line in lines}
    money |= {entry_id: int(prize * factor) for entry_id, prize in _paid(typed, state)}
    return {
        "method": method,
        "groups": groups,
        "stacks": {line.name: int(line.chips) for line in lines},
        "money": money,
        "agreed": by_chips,
    }
