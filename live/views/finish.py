"""Finish a night: what is checked, what is asked, then one button; afterwards what came late becomes a correction."""

import re
import uuid
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from league import formats
from league.access import ClubRequest, back_to, club_view
from league.models import Season
from league.rights import Act
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from live.engine.state import person_key
from live.models import Night
from live.queries import seasons_of_day
from live.results import decimals_of
from live.sentences import CHOICES, asked
from live.services.held import waiting
from live.services.log import Decision, decide
from live.services.nights import now_ms
from live.services.passes import page_device
from live.services.publishing import Reading, publish, read_night
from live.stored_log import standing_actions, state_of
from live.views.nights import night_of
from payouts.queries import club_money
from reading.names.understanding import read_answers
from reading.results import EntryInput

SEPARATORS = re.compile(r"[,;、，\n]")


@club_view(Act.ENTER_RESULTS)
def finish(request: ClubRequest, night_id: int) -> HttpResponse:
    night = night_of(request, night_id)
    answers = _answers(request)
    if request.method == "POST" and "publish" in request.POST:
        try:
            return _published(request, night, answers)
        except Stale:
            return _page(request, night, answers, is_stale=True)
        except Refused as error:
            return _page(request, night, answers, error=str(error))
    return _page(request, night, answers)


def _answers(request: ClubRequest) -> list[str]:
    """Read the answers to questions about names: what was answered, without what is undone."""
    undone = set(request.POST.getlist("undo"))
    return [answer for answer in dict.fromkeys(request.POST.getlist("answer")) if answer not in undone]


def _published(request: ClubRequest, night: Night, answers: list[str]) -> HttpResponse:
    head = request.POST.get("head", "")
    over = request.POST.get("over", "")
    event = publish(
        night,
        _chosen_season(request) or night.season,
        answers=read_answers(answers),
        head=int(head) if head.isascii() and head.isdigit() else -1,
        actor=request.user,
        replaces_version=int(over) if over.isascii() and over.isdigit() else None,
    )
    messages.success(request, _("Published. Points and ratings are being computed."))
    return redirect(event)


def _chosen_season(request: ClubRequest) -> Season | None:
    slug = request.POST.get("season", "")
    return request.club.seasons.select_related("club", "pool", "rules").filter(slug=slug).first()


def _page(request: ClubRequest, night: Night, answers: list[str], **said: Any) -> HttpResponse:
    reading = read_night(night, read_answers(answers))
    devices = night.devices.filter(unsent__gt=0)
    open_questions = [each for each in reading.state.questions if each.settled is None]
    owing = [entry for entry in reading.state.entries.values() if entry.owes > 0]
    unit = Decimal(1).scaleb(-decimals_of(reading.state.setup))
    context = {
        "night": night,
        "reading": reading,
        "rows": _rows(reading),
        "asks": reading.understood.questions,
        "answers": answers,
        "questions": [
            (each, asked(each, reading.state), [(choice, CHOICES[choice]) for choice in each.choices])
            for each in open_questions
        ],
        "owing": [(entry.name, entry.owes * unit) for entry in owing],
        "money": club_money(night.club),
        "silent": devices,
        "n_held": len(waiting(night)),
        "is_changed": night.event_id is not None and night.published_head != night.head,
        "seasons": [] if night.event else _seasons(night, reading),
        "chosen": _chosen_season(request) or night.season,
        "can_publish": reading.outcome is not None and not reading.understood.n_open,
        **said,
    }
    return render(request, "live/finish.html", context, status=200)


def _seasons(night: Night, reading: Reading) -> list[Season]:
    """List the seasons in which the night can count."""
    starts_at = reading.outcome.details.starts_at if reading.outcome else night.starts_at
    return seasons_of_day(night.club, starts_at.astimezone(night.club.tz).date())


def _rows(reading: Reading) -> list[EntryInput]:
    """List the last entries in the order of their places."""
    if reading.outcome is None:
        return []
    last: dict[str, EntryInput] = {}
    for entry in sorted(reading.outcome.entries, key=lambda entry: entry.number):
        last[entry.name] = entry
    return sorted(last.values(), key=lambda entry: entry.place)


@require_POST
@club_view(Act.ENTER_RESULTS)
def settle(request: ClubRequest, night_id: int) -> HttpResponse:
    """Answer a question of the log."""
    night = night_of(request, night_id)
    question, _sign, choice = request.POST.get("settle", "").rpartition("=")
    known = {each.id: each for each in state_of(night).questions}
    if question in known and choice in known[question].choices:
        body = {"question": question, "choice": choice}
        decide(page_device(night, request.user), Decision(str(uuid.uuid4()), "settle", body), now_ms=now_ms())
    return redirect("live:finish", request.club.slug, night.pk)


@require_POST
@club_view(Act.ENTER_RESULTS)
def rest(request: ClubRequest, night_id: int) -> HttpResponse:
    """Put out those who are left in an order that is typed, the winner first."""
    night = night_of(request, night_id)
    state = state_of(night)
    left = {entry.key: entry.id for entry in state.still_in}
    typed = [person_key(name) for name in SEPARATORS.split(request.POST.get("order", "")) if name.strip()]
    if sorted(typed) != sorted(left):
        names = formats.listed(entry.name for entry in state.still_in)
        error = _("Type each of these once: %(names)s.") % {"names": names}
        return _page(request, night, [], error=error, typed_order=request.POST.get("order", ""))
    groups = [[left[key]] for key in reversed(typed[1:])]
    if groups:
        body = {"groups": groups}
        decide(page_device(night, request.user), Decision(str(uuid.uuid4()), "out", body), now_ms=now_ms())
    return redirect("live:finish", request.club.slug, night.pk)


@require_POST
@club_view(Act.ENTER_RESULTS)
def undo(request: ClubRequest, night_id: int, action: str) -> HttpResponse:
    """Undo an action of the log, or do it again: the opposite of how it stands."""
    night = night_of(request, night_id)
    get_object_or_404(night.actions, name=action)
    stands = action in {each.id for each in standing_actions(night)}
    body = {"target": action, "on": stands}
    decide(page_device(night, request.user), Decision(str(uuid.uuid4()), "void", body), now_ms=now_ms())
    return back_to(request, reverse("live:finish", args=[request.club.slug, night.pk]))
