"""The practice table: of the site, for everybody, and of a club, for its members."""

from typing import Any, cast

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods

from lab.engine.push_fold.hands import NAMES
from lab.holdem import practice as rounds
from lab.holdem.practice_forms import DealForm, DecisionForm
from lab.holdem.practice_pages import (
    POSITIONS,
    Payouts,
    answer_of,
    card_shown,
    payouts_for,
    play_word,
    record_lines,
    seats_of,
)
from lab.models import PracticeDecision
from lab.services.practice import STACKS, mistakes_of, record_decision
from league.access import ClubRequest, club_view
from league.database.snapshots import reading_one_moment
from league.models import Club
from league.rights import Act
from league.site.limits import consume_quota

MOST_DEALS = 60  # rounds of a visitor in a minute


@require_http_methods(["GET", "HEAD", "POST"])
@reading_one_moment
def practice(request: HttpRequest) -> HttpResponse:
    return _practice(request, None)


@require_http_methods(["GET", "HEAD", "POST"])
@club_view(Act.USE_AS_MEMBER)
def club_practice(request: ClubRequest) -> HttpResponse:
    return _practice(request, request.club)


def _practice(request: HttpRequest, club: Club | None) -> HttpResponse:
    key = f"practice-{club.pk if club else 0}"
    table = rounds.load_round(request.session, key)
    form: DealForm | DecisionForm | None = None
    if request.method == "POST":
        if "deal" in request.POST and not consume_quota(request, "deal", user=request.user, limit=MOST_DEALS):
            return render(request, "429.html", status=429)
        form = DealForm(request.POST) if "deal" in request.POST else DecisionForm(request.POST)
        if "again" in request.POST and table and table.missed:
            table, form = rounds.round_again(table), None
        elif form.is_valid():
            table, form = _after(request, table, form, club), None
        if table and form is None:
            rounds.save_round(request.session, key, table)
    return render(request, "lab/holdem/practice.html", _context(request, table, form, club))


def _after(
    request: HttpRequest, table: rounds.Round | None, form: DealForm | DecisionForm, club: Club | None
) -> rounds.Round | None:
    """Apply a valid form to the round: deal it, go to the next hand, or judge a decision."""
    if isinstance(form, DealForm):
        return rounds.new_round(form.cleaned_data["seats"], form.cleaned_data["against"])
    if table is None:
        return None
    number = form.cleaned_data["number"]
    if "next" in request.POST:
        rounds.next_hand(table, number)
        return table
    is_played = form.cleaned_data["choice"] == "play"
    payouts = _payouts(request, table)
    verdict = rounds.decide(table, number=number, is_played=is_played, payouts=payouts.values)
    if verdict is not None:
        record_decision(request.user, _decision(table, verdict, club))
    return table


def _payouts(request: HttpRequest, table: rounds.Round) -> Payouts:
    club_request = cast("ClubRequest", request)
    season = club_request.season if getattr(request, "club", None) else None
    return payouts_for(len(table.hand.stacks), season or None)


def _decision(table: rounds.Round, verdict: rounds.Verdict, club: Club | None) -> PracticeDecision:
    hand = table.hand
    return PracticeDecision(
        club=club,
        round=table.token,
        number=len(table.answers),
        position=hand.positions[hand.seat],
        stack=hand.stacks[hand.seat],
        hand=NAMES[hand.kind],
        is_call=hand.pusher is not None,
        is_played=bool(table.played),
        is_right=verdict.is_right,
        lost_chips=verdict.lost_chips,
        lost_points=verdict.lost_points,
    )


def _context(
    request: HttpRequest, table: rounds.Round | None, form: DealForm | DecisionForm | None, club: Club | None
) -> dict[str, Any]:
    context: dict[str, Any] = {
        "title": _("Practice: push or fold"),
        "club": club,
        "table": table,
        "form": form if isinstance(form, DealForm) else DealForm(),
        "refused": form if isinstance(form, DecisionForm) else None,
        "section": "practice",
    }
    if table is None or isinstance(form, DealForm) or "new" in request.GET:
        return context | {"table": None}
    payouts = _payouts(request, table)
    context |= _hand_context(table) | {"payouts": payouts}
    if table.played is not None:
        context |= {
            "answer": answer_of(table, payouts),
            "record": record_lines(mistakes_of(request.user, club)),
            "columns": STACKS,
        }
    return context


def _hand_context(table: rounds.Round) -> dict[str, Any]:
    hand = table.hand
    spot = hand.spot
    pot = spot.blinds.sum() + (
        0 if hand.pusher is None else hand.stacks[hand.pusher] - spot.blinds[hand.pusher]
    )
    return {
        "hand": hand,
        "position": POSITIONS[hand.positions[hand.seat]],
        "stack": hand.stacks[hand.seat],
        "seats": seats_of(hand),
        "cards": [card_shown(card) for card in hand.cards],
        "pot": pot,
        "play": play_word(hand),
        # The hand that the page's button sends: this one, or the next once it is decided.
        "expected": len(table.answers) + 1,
        "right": sum(table.answers),
        "dots": [*table.answers, *[None] * (table.total - len(table.answers))],
    }
