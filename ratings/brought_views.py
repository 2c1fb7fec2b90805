"""The page on which organizers bring ratings of an older system forward."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import date
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_POST

from entry.forms.results import MAX_TEXT
from league.access import ClubRequest, club_view
from league.guests import guests_text
from league.models import Pool, PoolKind
from league.queries import count_evenings, players_by_key
from league.rights import Act
from league.services.errors import Refused, Stale
from league.views.undo import say_with_undo
from league.vocabulary import gettext as _
from league.vocabulary import ngettext
from ratings.brought_forward import ReadLine, ReadRatings, brought_text, read_ratings
from ratings.engine.profit.figures import badge_of
from ratings.engine.profit.params import ProfitParams
from ratings.engine.tier.badges import badge
from ratings.engine.tier.params import TierParams, rate
from ratings.forms import BroughtRatingsForm
from ratings.models import BroughtRating, RatingSettings
from ratings.queries import badge_bounds_of, brought_version, params_of, profit_params_of, wanted_settings
from ratings.services.brought_forward import bring_ratings, take_back_ratings
from reading.names.keys import name_key
from reading.names.understanding import Understood, read_answers, understand
from reading.questions import kept_answers


@dataclass(frozen=True)
class ShownLine:
    """A line as it was read, with the rate and badge that members would see."""

    line: ReadLine
    rate: float | None = None
    badge: str = ""


@club_view(Act.CHANGE_RULES)
def brought_ratings_edit(request: ClubRequest, pool_id: int) -> HttpResponse:
    pool = _pool(request, pool_id)
    stored = list(pool.brought_ratings.select_related("player"))
    version = brought_version(pool.pk)
    initial = {"text": brought_text(stored, pool.kind), "day": _day(pool, stored), "version": version}
    form = BroughtRatingsForm(request.POST or None, initial=initial)
    known = players_by_key(request.club)
    settings = wanted_settings(pool.pk)
    params = profit_params_of(settings) if pool.kind == PoolKind.PROFIT else params_of(settings)
    read = read_ratings((form["text"].value() or "")[:MAX_TEXT], known, params)
    answers = kept_answers(request.POST.getlist("answer"), request.POST.getlist("undo"))
    names = [rating.name for rating in read.ratings]
    understood = understand(names, known, read_answers(answers), count_evenings=count_evenings)
    if request.method == "POST" and "save" in request.POST and form.is_valid():
        is_ready = read.is_ready and not understood.n_open
        if is_ready and _save(request, pool, form, read, understood):
            return redirect("ratings:brought", request.club.slug, pool.pk)
    context = {
        "form": form,
        "pool": pool,
        "is_r": pool.kind == PoolKind.PROFIT,
        "read": read,
        "lines": [_shown(_as_understood(line, understood), params, settings) for line in read.lines],
        "asks": understood.questions,
        "answers": answers,
        "guests": guests_text(understood.guests),
        "bounds": params,
    }
    template = "ratings/_brought_reading.html" if request.htmx else "ratings/brought_form.html"
    return render(request, template, context)


@require_POST
@club_view(Act.CHANGE_RULES)
def brought_ratings_take_back(request: ClubRequest, pool_id: int) -> HttpResponse:
    pool = _pool(request, pool_id)
    version = request.GET.get("version", "")
    try:
        take_back_ratings(pool, version=int(version) if version.isdecimal() else 0, actor=request.user)
        messages.success(request, _("Taken back. The ratings are computed again."))
    except Stale as error:
        messages.error(request, str(error))
    return redirect("ratings:brought", request.club.slug, pool.pk)


def _pool(request: ClubRequest, pool_id: int) -> Pool:
    rated = request.club.pools.exclude(kind=PoolKind.NONE).select_related("club")
    return get_object_or_404(rated, pk=pool_id)


def _day(pool: Pool, stored: Sequence[BroughtRating]) -> date:
    """Propose the day of the stored list, or that of the first event, before which a rating has to be."""
    if stored:
        return max(row.day for row in stored)
    first = pool.events.order_by("starts_at").values_list("starts_at", flat=True).first()
    return timezone.localdate(first, timezone=pool.club.tz)


def _as_understood(line: ReadLine, understood: Understood) -> ReadLine:
    """Name whom the name of a line means, as answered."""
    if line.rating is None:
        return line
    person = understood.people[name_key(line.rating.name)]
    return replace(line, rating=replace(line.rating, name=person.name), is_new=person.player_id is None)


def _shown(line: ReadLine, params: TierParams | ProfitParams, settings: RatingSettings | None) -> ShownLine:
    if line.rating is None:
        return ShownLine(line)
    if isinstance(params, ProfitParams):
        return ShownLine(line, line.rating.mu, badge_of(line.rating.mu, badge_bounds_of(settings)))
    assert line.rating.sigma is not None
    own = float(rate(line.rating.mu, line.rating.sigma, params))
    return ShownLine(line, own, badge(own, params))


def _save(
    request: ClubRequest, pool: Pool, form: BroughtRatingsForm, read: ReadRatings, understood: Understood
) -> bool:
    """Save the ratings; return False and add the error to the form if they are refused."""
    lines: list[Any] = [replace(each, name=understood.name_of(each.name)) for each in read.ratings]
    try:
        is_changed = bring_ratings(
            pool,
            lines,
            day=form.cleaned_data["day"],
            version=form.cleaned_data["version"],
            actor=request.user,
            aliases=understood.aliases,
        )
    except Refused as error:
        form.add_error(None, str(error))
        if isinstance(error, Stale):
            form.data = {**request.POST.dict(), "version": str(brought_version(pool.pk))}
        return False
    if not is_changed:
        messages.success(request, _("Nothing has changed."))
        return True
    n = len(lines)
    text = ngettext("The rating of %(n)d player is saved.", "The ratings of %(n)d players are saved.", n)
    back = reverse("ratings:brought-take-back", args=[request.club.slug, pool.pk])
    say_with_undo(request, text % {"n": n}, f"{back}?version={brought_version(pool.pk)}")
    return True
