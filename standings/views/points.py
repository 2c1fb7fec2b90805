"""The pages of a player's breakdown and of what-if."""

import hashlib
from functools import wraps
from http import HTTPStatus
from typing import Any
from urllib.parse import urlencode

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.http import require_safe

from league.access import ClubRequest, season_view
from league.database.snapshots import View
from league.models import Player
from league.rights import Act, may
from league.services.errors import Refused
from league.site.limits import SECONDS, consume_quota
from league.vocabulary import gettext as _
from payouts.forms.rules import MOVE, RulesAsTyped, RulesForm, rules_initial
from payouts.models import SeasonRules
from payouts.queries import rules_of
from payouts.sentences import LABELS, rules_in_words, structure_in_words
from standings.pages.cache import cached_for_readers
from standings.points.breakdowns import player_season
from standings.points.what_if import WhatIf, what_if
from standings.queries import has_ended, work_state

RELATED = ("rules", "pool__recomputation")
PER_PAGE = 100
MOST_COMPARISONS = 20  # in a minute
RULE_PARAMETERS = [*RulesForm.base_fields, MOVE]


@require_safe
@season_view(related=RELATED)
def breakdown(request: ClubRequest, player_id: int) -> HttpResponse:
    player = get_object_or_404(Player, pk=player_id, club=request.club)
    details = player_season(request.season, player)
    if details is None:
        raise Http404
    context = {
        "player": player,
        "shown": details,
        "rules": rules_in_words(details.rules),
        "season": request.season,
        "work": work_state(request.season),
        "section": "table",
    }
    return render(request, "standings/season/breakdown.html", context)


def rate_limited(view: View) -> View:
    """Wrap the what-if page so that comparisons are counted, before the snapshot in which nothing can be written."""

    @wraps(view)
    def wrapped(request: HttpRequest, **kwargs: Any) -> HttpResponse:
        if (
            "structure" in request.GET
            and MOVE not in request.GET
            and not consume_quota(
                request, "what-if", user=request.user, limit=MOST_COMPARISONS, dedupe_key=_comparison(request)
            )
        ):
            kwargs["is_too_soon"] = True
        return view(request, **kwargs)

    return wrapped


def _comparison(request: HttpRequest) -> str:
    """Hash the path and rules of a comparison into a key that all its pages share."""
    rules = [(name, request.GET.get(name)) for name in RULE_PARAMETERS]
    return hashlib.sha256(repr((request.path, rules)).encode()).hexdigest()[:16]


@require_safe
@cached_for_readers("page", *RULE_PARAMETERS)
@rate_limited
@season_view(related=RELATED)
def what_if_page(request: ClubRequest, *, is_too_soon: bool = False) -> HttpResponse:
    initial = rules_initial(rules_of(request.season))
    typed = _completed(request.GET, initial) if "structure" in request.GET else None
    if is_too_soon:
        return _too_soon(request, RulesAsTyped(typed, club=request.club, initial=initial))
    form = RulesForm(typed, club=request.club, initial=initial)
    is_compared = form.is_bound and MOVE not in request.GET and form.is_valid()
    result = _what_if(request, form) if is_compared else None
    context: dict[str, Any] = {"form": form, "result": result, "section": "season"}
    context["is_over"] = has_ended(request.season, timezone.localdate())
    context["presets"] = _presets(initial["structure"], request.GET)
    if result:
        assert form.chosen is not None
        context |= {
            "structure": structure_in_words(form.chosen),
            "page": Paginator(result.rows, PER_PAGE).get_page(request.GET.get("page")),
            "query": _query_without_page(request.GET),
        }
    return render(request, "standings/points/what_if.html", context)


def _presets(structure: str, asked: QueryDict) -> list[tuple[str, str, bool]]:
    """List other rules to look at with one click: their name, their address, and whether they are shown."""
    presets = [
        (_("Best 6"), {"structure": structure, "best_n": "6"}),
        (_("Worst 2 dropped"), {"structure": structure, "drop_worst": "2"}),
        (str(LABELS["linear"]), {"structure": "linear"}),
        (str(LABELS["winner_takes_all"]), {"structure": "winner_takes_all"}),
    ]
    shown = {name: value for name, value in asked.items() if name != "page"}
    return [(name, f"?{urlencode(rules)}", rules == shown) for name, rules in presets]


def _too_soon(request: ClubRequest, form: RulesForm) -> HttpResponse:
    context = {"form": form, "section": "season", "is_too_soon": True}
    context["presets"] = _presets(form.initial["structure"], request.GET)
    response = render(request, "standings/points/what_if.html", context, status=HTTPStatus.TOO_MANY_REQUESTS)
    response.headers["Retry-After"] = str(SECONDS)
    return response


def _what_if(request: ClubRequest, form: RulesForm) -> WhatIf | None:
    try:
        rules = SeasonRules(**form.rules)
        return what_if(request.season, rules, is_organizer=may(request.role, Act.CHANGE_RULES))
    except Refused as error:
        form.add_error(None, str(error))
        return None


def _completed(typed: QueryDict, initial: dict[str, Any]) -> dict[str, Any]:
    """The form as it was sent; rules that an address does not name are those of the season."""
    ties = {"tie_breaks": ",".join(initial["tie_breaks"])}
    if "min_events" in typed:
        return ties | typed.dict()
    values = {name: value for name, value in initial.items() if value is not None and value is not False}
    return values | ties | typed.dict()


def _query_without_page(typed: QueryDict) -> str:
    parameters = typed.copy()
    parameters.pop("page", None)
    return parameters.urlencode()
