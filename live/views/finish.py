"""Finish a night: what is checked, what is asked, then one button; afterwards what came late becomes a correction."""

import re
from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST

from league import formats
from league.access import ClubRequest, back_to, club_view
from league.models import Season
from league.queries import typed_id
from league.rights import Act
from league.services.errors import Refused, Stale
from league.vocabulary import gettext as _
from live.engine.prizes import decimals_of
from live.engine.state import person_key
from live.models import Night
from live.queries import seasons_of_day
from live.sentences import CHOICES, asked
from live.services.held import waiting
from live.services.publishing import RENAME, Reading, publish, read_night
from live.stored_log import state_of
from live.views.nights import night_of, record
from payouts.models import EventMoney
from payouts.queries import club_money
from reading.names.keys import name_key
from reading.names.rules import clean_name
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


def _meant(request: ClubRequest, answers: list[str]) -> dict[str, str]:
    """Map names to who is meant, and names that cannot be saved to those that take their place."""
    pairs = zip(request.POST.getlist("bad_name"), request.POST.getlist("new_name"), strict=False)
    renamed = {f"{RENAME}{name_key(bad)}": clean_name(new) for bad, new in pairs if new.strip()}
    return read_answers(answers) | renamed


def _published(request: ClubRequest, night: Night, answers: list[str]) -> HttpResponse:
    event = publish(
        night,
        _chosen_season(request) or night.season,
        answers=_meant(request, answers),
        head=-1 if (head := typed_id(request.POST.get("head", ""))) is None else head,
        actor=request.user,
        replaces_version=typed_id(request.POST.get("over", "")),
    )
    messages.success(request, _("Published. Points and ratings are being computed."))
    return redirect(event)


def _chosen_season(request: ClubRequest) -> Season | None:
    slug = request.POST.get("season", "")
    seasons = request.club.seasons.select_related("club", "pool", "rules") if slug else ()
    return next((season for season in seasons if season.slug == slug), None)


def _page(request: ClubRequest, night: Night, answers: list[str], **said: Any) -> HttpResponse:
    reading = read_night(night, _meant(request, answers))
    devices = night.devices.filter(unsent__gt=0)
    open_questions = [each for each in reading.state.questions if each.settled is None]
    owing = [entry for entry in reading.state.entries.values() if entry.owes > 0]
    unit = Decimal(1).scaleb(-decimals_of(reading.state.setup))
    context = {
        "night": night,
        "reading": reading,
        "rows": _rows(reading),
        "is_cash": reading.state.is_cash,
        "renamed": list(
            zip(request.POST.getlist("bad_name"), request.POST.getlist("new_name"), strict=False)
        ),
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
        "has_money": EventMoney.objects.filter(event=night.event_id).exists(),
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
        record(request, night, "settle", body)
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
        record(request, night, "out", body)
    return redirect("live:finish", request.club.slug, night.pk)


@require_POST
@club_view(Act.ENTER_RESULTS)
def undo(request: ClubRequest, night_id: int, action: str) -> HttpResponse:
    """Undo an action of the log. Idempotent."""
    night = night_of(request, night_id)
    if "\0" in action or not night.actions.filter(name=action).exists():
        raise Http404
    record(request, night, "void", {"target": action, "on": True})
    return back_to(request, reverse("live:finish", args=[request.club.slug, night.pk]))
